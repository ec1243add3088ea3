"""The canonical layout: keys in order, texts and comments byte for byte, and never another deck."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import story.decks
from story.dump import encounter_text
from story.load import load_encounter
from story.loading import layout
from story.loading.layout import Unfit, canonical, comments, values
from story.source import read_source, source_of_text
from tests import generate

TESTS = Path(__file__).parent.parent
BUILT_IN = sorted(Path(story.decks.__file__).parent.glob("*/*.yaml"))
GOOD = [
    *BUILT_IN,
    *sorted((TESTS / "decks" / "good").glob("*/*.yaml")),
    *sorted((TESTS / "decks" / "traits").glob("*.yaml")),
    *sorted((TESTS / "cases").glob("*/*.yaml")),
]


def laid_out(text):
    return canonical(source_of_text(text))


def deck(cards, head="format: cardwalk/1\nkind: enemies\ncards:\n"):
    return head + cards


@pytest.mark.parametrize("file", BUILT_IN, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_built_in_decks_are_laid_out(file):
    assert canonical(read_source(file)) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", GOOD, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_twice_is_once(file):
    once = canonical(read_source(file))
    assert laid_out(once) == once


def test_keys_stand_in_the_order_of_the_format_with_their_comments():
    before = """\
# A header stays where it is.

kind: enemies
format: cardwalk/1


cards:

    # the eel
    eel:   {  wounds : 2,name: Eel , attack: { wounds: 1, type: long } }     # slippery
    crab:
        # what hits
        attack:
          wounds: 1     # one
          type: adjacent
        instances:
        -   when: {defeated: true}
            # first
            gain:
                ap: 1
            # then
            wound: 1
            # the end of it
        # between
        -
          # behind the dash
          when: {round_end: true}
          wound: 2
        name:   "Crab: the # hard one"   # quoted
                                         # and on
        wounds: 3
        traits: [ rage , { recruit : {from : gang} } ]
    # of the imp
    imp: {name: Imp, wounds: 1}
    # of nobody
# at the end"""
    after = """\
# A header stays where it is.

format: cardwalk/1
kind: enemies

cards:
  # the eel
  eel: {name: Eel, wounds: 2, attack: {type: long, wounds: 1}}             # slippery

  crab:
    name: "Crab: the # hard one"     # quoted
                                     # and on
    wounds: 3
    # what hits
    attack:
      type: adjacent
      wounds: 1     # one
    traits: [rage, {recruit: {from: gang}}]
    instances:
      - when: {defeated: true}
        # first
        gain:
          ap: 1
        # then
        wound: 1
        # the end of it
      # between
      - # behind the dash
        when: {round_end: true}
        wound: 2

  # of the imp
  imp: {name: Imp, wounds: 1}
  # of nobody
# at the end
"""
    assert laid_out(before) == after


def test_texts_stay_byte_for_byte():
    before = deck("""\
    eel:
        wounds: 2
        text: |-   # as it is

            Two spaces at the end.\x20\x20
              # no comment

            {not: a, mapping}
        # behind the text
        name: >
          Folded where
          its author folded it.
    crab:
        name: a name
           over two lines
        wounds: 1
        text: "quoted, and
           # also no comment"
""")
    after = deck("""\
  eel:
    # behind the text
    name: >
      Folded where
      its author folded it.
    text: |-   # as it is

      Two spaces at the end.\x20\x20
        # no comment

      {not: a, mapping}
    wounds: 2

  crab:
    name: a name
       over two lines
    text: "quoted, and
       # also no comment"
    wounds: 1
""")
    assert laid_out(before) == after


def test_an_indentation_written_as_a_number_still_counts():
    text = deck(
        "    eel:\n        wounds: 1\n        name: x\n        text: |2\n            two deeper\n          not deeper\n"
    )
    assert laid_out(text).endswith("    text: |2\n        two deeper\n      not deeper\n    wounds: 1\n")


def test_white_space_that_is_none_in_yaml_is_kept():
    text = deck("  eel:\n    name: Eel\n    text: |\n      \xa0one\xa0\n\n      \u3000\n    wounds: 1   # two\xa0\n")
    assert laid_out(text) == text
    wide = "    eel:\n        wounds: 1\n        name: one\n         \xa0two\n"
    assert laid_out(deck(wide)) == deck("  eel:\n    name: one\n      \xa0two\n    wounds: 1\n")


def test_what_is_done_in_the_order_of_the_file_keeps_it():
    head = "format: cardwalk/1\nkind: story\nchapter: 1\ntitle: x\ncards:\n"
    option = "{reveal: 1, gain: {uku: 1, ap: 1}, say: x, else: {heal: 1}, then: {wound: 1}}"
    line = laid_out(f"{head}  1:\n    text: x\n    steps:\n      - choose: {option}\n").splitlines()[-1]
    assert line == "      - choose: {say: x, reveal: 1, gain: {uku: 1, ap: 1}, then: {wound: 1}, else: {heal: 1}}"


def test_line_ends_and_a_byte_order_mark_are_mended():
    text = deck("  eel: {name: Eel, wounds: 1}\n")
    assert laid_out("\ufeff" + text.replace("\n", "\r\n") + "\n\n") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- a\n",
        "a: [\n",
        "a: &x 1\nb: *x\n",
        deck("  ? eel\n  : {name: Eel, wounds: 1}\n"),
        deck("  eel: {name: Eel, wounds: 1}\n...\n"),
        deck("  eel:\n    name: Eel\n    traits:\n      -\n"),
        deck("  eel:\n    traits:\n      - |2\n        x\n"),
        deck("  eel: {name: Eel, wounds: 1, text: x}\n  crab: {text: x,\n"),
    ],
)
def test_what_has_no_canonical_place_is_left_alone(text):
    with pytest.raises(Unfit):
        laid_out(text)


def test_what_cannot_be_laid_out_is_what_it_was():
    assert layout.laid_out("a: [") == "a: ["


def test_a_key_without_a_value_keeps_none():
    assert laid_out(deck("  eel: {wounds: , text:   }\n  crab:\n")) == deck("  eel: {text: , wounds: }\n  crab:\n")


def test_an_unknown_key_and_a_repeated_one_go_to_the_end_in_their_order():
    line = laid_out(deck("  eel: {xyzzy: 1, wounds: 2, name: a, abc: 2, name: b}\n")).splitlines()[-1]
    assert line == "  eel: {name: a, name: b, wounds: 2, xyzzy: 1, abc: 2}"


@settings(max_examples=30)
@given(generate.encounters(), st.randoms(use_true_random=False))
def test_any_encounter_however_written_stays_the_same(tmp_path_factory, file, random):
    text = scrambled(encounter_text(file), random)
    source = source_of_text(text)
    assert not source.problems
    once = canonical(source)
    assert laid_out(once) == once
    assert comments(source_of_text(once)) == comments(source)
    place = tmp_path_factory.mktemp("decks") / "encounter.yaml"
    loaded = []
    for each in (text, once):
        place.write_text(each, encoding="utf-8")
        loaded.append(load_encounter(place))
    assert loaded[0].encounter == loaded[1].encounter
    assert (loaded[0].hero, loaded[0].library, loaded[0].position) == (
        loaded[1].hero,
        loaded[1].library,
        loaded[1].position,
    )


@pytest.mark.parametrize("file", GOOD, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_noise_between_the_lines_is_kept_and_ordered(file):
    random = Random(file.name)
    for _ in range(3):
        text = scrambled(file.read_text(encoding="utf-8"), random)
        source = source_of_text(text)
        if source.problems or values(source) != values(read_source(file)):
            continue  # the noise fell into a text
        once = canonical(source)
        assert laid_out(once) == once
        assert values(source_of_text(once)) == values(source)


def scrambled(text, random):
    """The same file with comments, blank lines, wider indentation and mapping keys of the top in another order."""
    width = random.choice((1, 2, 3))
    lines = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        line = " " * (indent * width) + line.lstrip(" ")
        if random.random() < 0.2 and not re.match(r"\s*[^:]*:\s*[|>]", line):
            line += random.choice(("  # beside", " #", "     # far"))
        if random.random() < 0.15:
            lines.append(" " * random.choice((0, indent * width, 30)) + f"# {random.randrange(9)}")
        if random.random() < 0.1:
            lines += [""] * random.choice((1, 2))
        lines.append(line)
    starts = [number for number, line in enumerate(lines) if line[:1].isalpha()]
    if not starts or any(re.search(r":\s*[|>]", line) for line in lines):
        return "\n".join(lines) + "\n"
    parts = [lines[start:stop] for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True)]
    random.shuffle(parts)
    return "\n".join(lines[: starts[0]] + [line for part in parts for line in part]) + random.choice(
        ("\n", "", "\n\n\n")
    )
