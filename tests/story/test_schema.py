"""The JSON Schema for editors: it says of a deck's shape what the loader says, key by key and value by value."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

import story.decks
from story.checks import examine
from story.loading.campaigns import _empty_library, _read_campaign, _read_one
from story.loading.decks import index_deck, read_kind
from story.loading.draft import Draft
from story.loading.encounters import read_encounter_file
from story.loading.schema import schema
from story.loading.shapes.decks import DECKS, TABLES
from story.loading.shapes.playfield import SKILL_EFFECTS
from story.loading.shapes.steps import CONDITION, OPTION, STEP, VERB_KEYS
from story.loading.shapes.walk import mappings
from story.loading.steps import VERBS
from story.source import ListNode, MapNode, ScalarNode, read_source, source_of_text

TESTS = Path(__file__).parent.parent
BAD = TESTS / "decks" / "bad"
EVERYTHING = TESTS / "decks" / "good" / "everything"
GOOD = sorted(
    [
        *Path(story.decks.__file__).parent.glob("*/*.yaml"),
        *(TESTS / "decks" / "good").glob("*/*.yaml"),
        *(TESTS / "decks" / "traits").glob("*.yaml"),
        *(TESTS / "cases").glob("*/*.yaml"),
        TESTS / "decks" / "rulebook-example.yaml",
    ]
)

VALIDATOR = jsonschema.Draft7Validator(schema())

SHAPE = {
    *("bad-id", "bad-number", "bad-place", "bad-space", "card-and-draw", "challenge-empty", "draw-with-space"),
    *("empty-list", "empty-mapping"),
    *("duration", "empty-step", "empty-text", "hero-not-placed", "missing-key", "not-on-playfield", "out-of-range"),
    *("space-and-place", "two-keys-in-when", "two-verbs", "unknown-effect", "unknown-format", "unknown-immunity"),
    *("unknown-key", "unknown-kind", "unknown-trait", "unknown-verb", "unknown-word", "wrong-type"),
}
"""Problems that lie in the shape of one value, or of one mapping."""

BY_THE_LOADER_ALONE = {"hero-wounds", "float", "leading-zero", "octal"}
"""Bad decks whose problem takes two values to see, or lies in how a number is written: an editor sees its value."""


def data_of(node):
    """A node as a reader of YAML 1.2's core schema gives it to an editor."""
    if isinstance(node, MapNode):
        return {key.text: data_of(value) for key, value in node.pairs}
    if isinstance(node, ListNode):
        return [data_of(item) for item in node.items]
    if not node.plain:
        return node.text
    if node.text in ("", "~", "null"):
        return None
    if node.text in ("true", "false"):
        return node.text == "true"
    if re.fullmatch(r"[-+]?[0-9]+", node.text):
        return int(node.text)
    if re.fullmatch(r"[-+]?[0-9]+\.[0-9]+", node.text):
        return float(node.text)
    return node.text


def allowed(text):
    """Whether the schema allows a file of this text."""
    return VALIDATOR.is_valid(data_of(source_of_text(text).root))


def shape_problems(text):
    """What the loader says of the shape of a file of this text."""
    source = source_of_text(text)
    draft = Draft(folder=EVERYTHING)
    kind = read_kind(source)
    if kind == "campaign":
        _read_campaign(draft, source, EVERYTHING, False)
    elif kind == "encounter":
        read_encounter_file(source, draft)
    elif kind is not None:
        draft.loose = True
        index_deck(source, kind, draft)
        _read_one(source, kind, draft, _empty_library())
    return [problem for problem in source.problems if problem.id in SHAPE]


def test_it_is_a_schema_with_an_explanation_of_every_key():
    jsonschema.Draft7Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()
    for table in (*DECKS.values(), *TABLES.values()):
        for name, key in table.keys.items():
            assert key.about.endswith("."), (table.name, name)
            assert set(table.required) | set(table.needed) <= set(table.keys)


def test_it_is_a_copy():
    schema()["definitions"]["step"]["properties"]["then"].clear()
    assert schema()["definitions"]["step"]["properties"]["then"]


@pytest.mark.parametrize("file", GOOD, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_good_decks_are_allowed(file):
    errors = [error.message for error in VALIDATOR.iter_errors(data_of(read_source(file).root))]
    assert errors == []


def test_a_bad_deck_is_refused_if_its_shape_is_what_is_bad():
    wrong = []
    for folder in sorted(BAD.iterdir()):
        home = folder if (folder / "campaign.yaml").exists() else folder / "encounter.yaml"
        problems = examine(home, use_cache=False).problems
        sources = [read_source(file) for file in folder.glob("*.yaml")]
        if any(source.problems or source.root is None for source in sources):
            continue
        expected = not any(problem.id in SHAPE for problem in problems) or folder.name in BY_THE_LOADER_ALONE
        if all(VALIDATOR.is_valid(data_of(source.root)) for source in sources) != expected:
            wrong.append(folder.name)
    assert wrong == []


def test_the_verbs_are_those_that_the_loader_reads():
    assert set(VERBS) == set(VERB_KEYS)


# ---------------------------------------------------------------- key by key


def places():
    """The first place of each table in the files that hold every word: file, lines, mapping, table."""
    seen = {}
    files = [*EVERYTHING.glob("*.yaml"), *(TESTS / "decks/good/tables").glob("*.yaml")]
    for file in [*files, *(TESTS / "cases").glob("*/*.yaml")]:
        source = read_source(file)
        for node, table in mappings(source.root):
            if table is not None and node.pairs and table.name + str(table in DECKS.values()) not in seen:
                seen[table.name + str(table in DECKS.values())] = (source, node, table)
    return list(seen.values())


PLACES = places()


def test_every_table_stands_somewhere_in_the_good_decks():
    assert {id(table) for _, _, table in PLACES} == {id(table) for table in (*DECKS.values(), *TABLES.values())}


def replaced(source, node, text):
    """The text of a file with another text in the place of a scalar."""
    lines = list(source.lines)
    line = lines[node.line - 1]
    lines[node.line - 1] = line[: node.column - 1] + text + line[node.end_column - 1 :]
    return "\n".join(lines)


def with_keys(source, node, words):
    """The text of a file with further keys before the first of a mapping, each on a line if it is a block."""
    lines = list(source.lines)
    first = node.pairs[0][0]
    line = lines[first.line - 1]
    before, after = line[: first.column - 1], line[first.column - 1 :]
    flow = "{" in before and before.rstrip().endswith("{")
    joint = ", " if flow else "\n" + " " * (first.column - 1)
    lines[first.line - 1] = before + joint.join([*(f"{word}: 1" for word in words), after])
    return "\n".join(lines)


VOCABULARY = {key for table in (*DECKS.values(), *TABLES.values()) for key in table.keys} | {"xyzzy", "wonuds"}
ONE_WORD = ("effect", "recruit")
"""Tables of which the loader reads the only key as a word."""


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[2].name)
def test_the_loader_knows_the_keys_of_the_schema_and_no_others(place):
    source, node, table = place
    name = f"{table.name}-deck" if table in DECKS.values() else table.name
    known = set(schema()["definitions"][name]["properties"])
    new = VOCABULARY - {key.text for key, _ in node.pairs}
    if name in ONE_WORD:
        key = node.pairs[0][0]
        new -= set(SKILL_EFFECTS)  # for skills alone: the kind of the action stands beside it
        refused = {word for word in new if shape_problems(replaced(source, key, word))}
    else:
        new -= {"if"} - known  # then: and else: are refused together with it
        problems = shape_problems(with_keys(source, node, sorted(new)))
        told = [each.message for each in problems if each.id in ("unknown-key", "unknown-verb", "not-on-playfield")]
        refused = {word for word in new if any(f'"{word}"' in message for message in told)}
    if table.others is None:
        assert refused == new - known
    else:
        assert not refused & known


# ---------------------------------------------------------------- value by value

PROBES = ["-1", "0", "1", "16", "2000000", "word", "Not An Id", "true", "'7'", "", "[]", "{}", "[1, word]", "{a: b}"]


def values():
    """The first value of each key of each table: file, value node, name."""
    seen = {}
    for file in [*EVERYTHING.glob("*.yaml"), *(TESTS / "decks/good/tables").glob("*.yaml")]:
        source = read_source(file)
        for node, table in mappings(source.root):
            for key, value in node.pairs if table is not None else ():
                one_line = value.line == value.end_line and value.line == key.line
                if one_line and key.text in table.keys and key.text not in ("format", "kind"):
                    seen.setdefault((table.name, key.text), (source, value))
    return [(f"{table}.{key}", source, value) for (table, key), (source, value) in sorted(seen.items())]


VALUES = values()

BY_TWO_VALUES = {
    *(("encounter.rounds", "1"), ("food.holds", "1"), ("hero.wound_limit", "1"), ("hero-of-file.wound_limit", "1")),
    *(("hero.wounds", "16"), ("hero-of-file.wounds", "16"), ("state.round", "16")),
    *(("hero.satchel", "{a: b}"), ("hero-of-file.satchel", "{a: b}")),
}
"""What the loader sees only together with another value."""


@pytest.mark.parametrize("place", range(len(VALUES)), ids=[name for name, _, _ in VALUES])
def test_the_loader_takes_the_values_of_the_schema_and_no_others(place):
    name, source, node = VALUES[place]
    for probe in PROBES[place % 7 :: 7]:
        text = replaced(source, node, probe)
        as_an_id = probe == "true" and not (isinstance(node, ScalarNode) and node.text in ("true", "false"))
        if (name, probe) not in BY_TWO_VALUES and not as_an_id:  # an id may be called true, but an editor reads a flag
            assert allowed(text) == (not shape_problems(text)), probe


@pytest.mark.parametrize("table", [STEP, OPTION, CONDITION], ids=lambda table: table.name)
def test_the_readme_names_every_step_and_condition(table):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert [key for key in table.keys if not re.search(rf"[`{{ (]{key}(:|`)", readme)] == ["pp"] * (table is CONDITION)
