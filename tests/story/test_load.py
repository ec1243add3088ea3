"""From a YAML file to cards: the whole format, what values mean, and no way to break the loader."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story.cards import (
    ALL,
    LAST,
    STANDARD_FOODS,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Campaign,
    Challenge,
    Chart,
    Choose,
    Count,
    Discard,
    Discarded,
    DrawCard,
    EncounterFile,
    Fight,
    Gain,
    Goods,
    Heal,
    Holds,
    If,
    Lose,
    NextChapter,
    Not,
    Pull,
    Reveal,
    Tavern,
    When,
    Wound,
)
from story.checks import examine, playable
from story.load import DeckError, load_campaign, load_deck, load_encounter

TESTS = Path(__file__).parent.parent
GOOD = TESTS / "decks" / "good"
CASES = sorted((TESTS / "cases" / "playfield").glob("*.yaml"))

EVERYTHING = load_campaign(GOOD / "everything")
CARD = EVERYTHING.chapters[0].cards[1]


def step(kind, place=0):
    """The n-th step of a kind on the card that has them all."""
    return [each for each in CARD.steps if isinstance(each, kind)][place]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_worked_position_loads_without_a_problem(path):
    report = examine(path)
    assert report.problems == ()
    assert isinstance(report.loaded, EncounterFile)


@pytest.mark.parametrize("deck", ["well", "tables/position.yaml", "tables/drawn.yaml"])
def test_good_decks_have_no_problems(deck):
    assert examine(GOOD / deck).problems == ()


# ---------------------------------------------------------------- what becomes of it


def test_texts_are_as_written_whatever_yaml_would_make_of_them():
    assert EVERYTHING.title == "010"
    assert EVERYTHING.author == "no"
    assert EVERYTHING.chapters[0].title == "2026-11-30"
    assert CARD.title == "12:30"
    assert EVERYTHING.chapters[0].cards[2].text == "no"
    assert EVERYTHING.library.items["hook"].name == "08"


def test_markdown_is_kept_and_art_is_its_content():
    assert CARD.text.startswith("# A heading\n\n*Emphasis*, 3 < 4")
    assert CARD.text.endswith("- two")
    assert CARD.art == "  |   |\n  | ~ |"


def test_the_hero_and_the_satchel_of_a_campaign():
    hero = EVERYTHING.hero
    assert (hero.name, hero.crit, hero.miss, hero.wounds, hero.wound_limit, hero.ap, hero.ap_reset) == (
        "Odda", 19, 4, 1, 9, 6, 7,
    )  # fmt: skip
    assert (hero.talents, hero.satchel, hero.actions) == ((0, 2, 0), (2, 0), ("stun",))
    assert [(food.id, food.holds, food.heals, food.ap) for food in EVERYTHING.library.foods] == [
        ("kelp", 4, 1, 0),
        ("salt", 2, 0, 2),
    ]
    assert EVERYTHING.library.counters == {"heads-heard": "Heads heard out"}


def test_a_campaign_without_a_satchel_has_no_foods_and_the_usual_hero():
    well = load_campaign(GOOD / "well")
    assert well.library.foods == ()
    assert (well.hero.ap, well.hero.ap_reset, well.hero.wound_limit, well.hero.satchel) == (7, 7, 9, ())
    assert well.chapters[0].start == 1


def test_goods():
    assert step(Gain).goods == Goods(
        (("ap", 2), ("physical", 1), ("kelp", 1), ("ap_reset", 1), ("heads-heard", 1)),
        ("rope-cut",),
        ("bucket", "hook"),
        ("lob",),
    )
    assert step(Lose).goods == Goods((("ap", ALL), ("salt", 1)), (), ("hook",))


def test_simple_steps():
    assert [each.n for each in CARD.steps if isinstance(each, Wound)] == [2]
    assert [each.n for each in CARD.steps if isinstance(each, Heal)] == [ALL, 1]
    assert [(each.name, each.n) for each in CARD.steps if isinstance(each, Count)] == [
        ("heads-heard", 2),
        ("heads-heard", -1),
    ]


def test_unnumbered_cards_become_deck_and_id():
    assert step(Pull).cards == (3, "heads:otto")
    assert step(Pull, 1).cards == ("heads:ida",)
    assert step(DrawCard).deck == "heads"
    assert EVERYTHING.library.specials["heads:otto"].ref == "heads:otto"
    assert EVERYTHING.library.specials["heads:otto"].title == "Otto"
    assert EVERYTHING.library.decks["heads"] == ("otto", "ida", "ida")


def test_discards():
    assert [each.card for each in CARD.steps if isinstance(each, Discard)] == [3, None]


def test_a_challenge_and_a_chart():
    challenge = step(Challenge)
    assert (challenge.type, challenge.level) == ("critical", 12)
    assert (challenge.succeed, challenge.fail, challenge.perfect) == (
        (Gain(Goods((("mental", 1),))),),
        (Wound(1),),
        (Heal(1),),
    )
    chart = step(Chart)
    assert (chart.die, chart.influence) == ("d12", False)
    assert [(row.low, row.high, row.steps) for row in chart.rows] == [
        (1, 1, (Wound(1),)),
        (2, 11, (Heal(1),)),
        (12, 12, ()),
    ]


def test_a_condition_holds_all_its_clauses():
    branch = step(If)
    assert branch.condition == AllOf(
        (
            Holds("event", "rope-cut"),
            Holds("item", "bucket"),
            Holds("item", "hook"),
            Holds("action", "lob"),
            AtLeast("ap", 2),
            AtLeast("kelp", 1),
            AtLeast("heads-heard", 2),
            AtLeast("wounds", 1),
            AtMost("wounds", 4),
            AtMost("salt", 1),
            Discarded(3),
            Discarded("heads:otto"),
            Not(AllOf((Holds("event", "well-poisoned"),))),
            AnyOf((AllOf((AtLeast("ap", 2),)), AllOf((AtLeast("physical", 3),)))),
        )
    )
    assert (branch.then, branch.otherwise) == ((Heal(1),), ())


def test_options_with_their_verbs_in_the_order_of_the_file():
    climb, stay, give_up = step(Choose).choices
    assert (climb.say, climb.hidden, climb.once, climb.steps) == ("Climb", True, True, (Reveal(2),))
    assert climb.needs == AllOf((Holds("item", "bucket"),))
    assert climb.cost == Goods((("ap", 2), ("salt", 1)))
    assert [type(each) for each in stay.steps] == [Gain, Lose, NextChapter]
    assert not stay.hidden
    assert [type(each).__name__ for each in give_up.steps] == ["Wound", "Ending"]


def test_an_encounter_step():
    encounter = step(Fight).encounter
    assert (encounter.rounds, encounter.hero_spaces, encounter.until_cleared) == (3, (1, 3), True)
    assert (encounter.blocked, encounter.no_start) == (frozenset({4}), frozenset({2, 5}))
    assert [(each.card, each.draw, each.source, each.space) for each in encounter.enemies] == [
        ("eel", 0, None, 8),
        (None, 2, "enemies", None),
        ("crab", 0, None, None),
    ]
    assert [(each.card, each.draw, each.source, each.space) for each in encounter.terrain] == [
        ("idol", 0, None, 9),
        (None, 1, "terrain", None),
    ]


def test_an_enemy_card():
    eel, crab = EVERYTHING.library.enemies["eel"], EVERYTHING.library.enemies["crab"]
    assert (eel.attack.type, eel.attack.wounds, eel.crit, eel.miss, eel.immune) == (
        "long", 1, 19, 4, frozenset({"stun", "fear"}),
    )  # fmt: skip
    assert [(trait.id, trait.source) for trait in eel.traits] == [("cowardly", None), ("recruit", "enemies")]
    assert [instance.when for instance in eel.instances] == [
        When("defeated", (1, 2)),
        When("defeated", (LAST,)),
        When("retreats"),
        When("defeated"),
        When("wounded"),
        When("round_start", (2,)),
        When("round_end"),
    ]
    assert eel.instances[0].instead == Goods((("ap", 2),))
    assert [instance.later for instance in eel.instances].index(True) == 2
    assert (crab.attack, crab.moves, crab.crit, crab.miss, crab.traits) == (None, 0, 20, 5, ())
    assert EVERYTHING.library.decks["enemies"] == ("eel", "eel", "crab")


def test_a_terrain_card():
    idol, pool = EVERYTHING.library.terrain["idol"], EVERYTHING.library.terrain["pool"]
    assert idol.classes == frozenset({"impassable", "no-los", "no-lob"})
    assert (idol.challenge.succeed, idol.challenge.fail) == ((Gain(Goods((("ap", 2),))),), None)
    assert pool.trait_ids == frozenset({"poison"})
    assert pool.instances[0].when == When("entered")


def test_action_cards_stand_over_the_shipped_ones():
    actions = EVERYTHING.library.actions
    assert {"stun", "poison", "split", "lob", "dodge", "fear"} < set(actions)
    dart = actions["dart-shot"]
    assert (dart.cost, dart.damage, dart.word, dart.augments, dart.name) == (2, 1, "dart", True, "Dart Shot")
    harpoon = actions["harpoon"]
    assert (harpoon.damage, harpoon.range, harpoon.crits, harpoon.word) == (2, "line", False, "harpoon")
    assert harpoon.effects == (("stun", 1), ("push", 2))
    assert (actions["net"].damage, actions["net"].crits, actions["net"].targets) == (1, False, 2)
    assert (actions["barb"].damage, actions["barb"].effects) == (1, (("no-block", 1),))
    assert (actions["duck"].damage, actions["duck"].kind) == (0, "skill")


def test_the_tavern_loads_and_play_is_told_to_refuse_it():
    tavern = EVERYTHING.chapters[1].cards[1].steps[0]
    assert isinstance(tavern, Tavern)
    assert (tavern.turns, tavern.hand, tavern.drinks, tavern.hero_space, tavern.seats) == (
        3, 3, "drinks", 1, ((11, "vena"),),
    )  # fmt: skip
    vena = EVERYTHING.library.conversations["vena"]
    assert (vena.name, vena.cards[1].mood, vena.cards[1].accepts) == ("Vena", "serious", (("critical", 2),))
    assert vena.cards[1].steps[0].choices[0].steps == (Reveal("vena:2"),)
    assert EVERYTHING.library.drinks["drinks"]["fly-by-night"].strong == 5
    assert [(each.id, each.severity, each.file, each.line) for each in playable(EVERYTHING)] == [
        ("not-yet-playable", "warning", "chapter-2.yaml", 9)
    ]
    assert [problem.id for problem in examine(GOOD / "everything").problems] == ["not-yet-playable"]
    assert playable(load_campaign(GOOD / "well")) == ()


def test_a_position_in_mid_game():
    table = load_encounter(GOOD / "tables" / "position.yaml")
    assert table.library.foods == STANDARD_FOODS
    assert (table.hero.satchel, table.hero.wound_limit, table.hero.actions) == ((0, 2, 0), 6, ("stun", "dodge", "hook"))
    position = table.position
    assert (position.round, position.dodges, position.no_step, position.tried) == (2, 1, True, ("idol", "crab"))
    assert position.next_round == (Lose(Goods((("ap", 2),))), Wound(1))
    marks = dict(position.foes)
    assert (marks["eel"].wounds, marks["eel"].poisoned, marks["eel"].rage) == (1, True, 1)
    assert (marks["eel-2"].stunned, marks["eel-2"].dash, marks["eel-2"].wounded_this_turn) == (True, 1, 2)
    assert table.library.events["eel-slain"].name == "Eel slain"
    assert table.library.decks == {"gang": ("crab", "crab", "eel"), "nobody": ()}


def test_an_encounter_without_a_title_bears_its_file_name():
    table = load_encounter(GOOD / "tables" / "drawn.yaml")
    assert table.title == "drawn"
    assert table.encounter.enemies[0].draw == 2
    assert table.library.decks["rocks"] == ("rock",)


# ---------------------------------------------------------------- identity


def test_the_digest_is_of_names_and_contents_art_included(tmp_path):
    deck = tmp_path / "deck"
    shutil.copytree(GOOD / "everything", deck)
    same = load_campaign(deck).digest
    assert same == EVERYTHING.digest
    assert set(EVERYTHING.files) == {file.name for file in deck.iterdir()}
    (deck / "well.txt").write_text("dry")
    changed = load_campaign(deck).digest
    (deck / "items.yaml").write_text((deck / "items.yaml").read_text().replace("Bucket", "Pail"))
    assert len({same, changed, load_campaign(deck).digest}) == 3


def test_spans_take_no_part_in_equality_and_point_at_the_step():
    assert (CARD.steps[2].span.line, CARD.steps[2].span.column) == (20, 16)
    assert CARD.steps[2] == Wound(2)


# ---------------------------------------------------------------- what is no deck


def test_one_deck_of_a_campaign_is_judged_by_the_campaign_and_cannot_be_played(tmp_path):
    assert examine(GOOD / "everything" / "chapter-1.yaml").problems == ()
    with pytest.raises(DeckError, match="one deck of a campaign"):
        load_deck(GOOD / "everything" / "chapter-1.yaml")
    alone = tmp_path / "heads.yaml"
    shutil.copy(GOOD / "everything" / "heads.yaml", alone)
    assert examine(alone).problems == ()
    alone.write_text(alone.read_text().replace("text: He hums.", "txet: He hums."))
    assert [problem.id for problem in examine(alone).problems] == ["unknown-key"]


def test_a_campaign_is_no_encounter_and_the_other_way_round():
    with pytest.raises(DeckError, match="not a campaign"):
        load_campaign(GOOD / "tables" / "drawn.yaml")
    with pytest.raises(DeckError, match="not an encounter"):
        load_encounter(GOOD / "well")


@pytest.mark.parametrize("name", ["", "no-such-deck", "/", "a\0b", "x" * 5000, ".", "-"])
def test_a_name_that_is_no_deck_is_an_error_of_one_line(name):
    with pytest.raises(DeckError) as raised:
        load_deck(name)
    (problem,) = raised.value.problems
    assert problem.id == "deck-not-found"
    assert "\n" not in problem.headline()


# ---------------------------------------------------------------- nothing breaks it

TEXTS = {
    path: path.read_text(encoding="utf-8")
    for path in [*sorted((GOOD / "everything").glob("*.yaml")), *sorted((GOOD / "tables").glob("*.yaml")), *CASES[:6]]
}

PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ": ",
        "\n",
        "- ",
        "&a ",
        "*a",
        "!!x ",
        "'",
        '"',
        "|",
        "\t",
        "\x00",
        "\x1b",
        "é",
        "#",
        "<b>",
        "  ",
    ]
    + [
        "99999999999999",
        "-1",
        "0",
        "card",
        "{}",
        "[]",
        "null",
        "\n---\n",
        "<<: ",
        "? ",
        "reveal: ",
        "steps: ",
        "\ufeff",
    ]
)


@st.composite
def mutations(draw):
    """A good deck file with a few cuts, swaps and insertions."""
    path = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[path]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        kind = draw(st.sampled_from(["cut", "insert", "replace", "repeat", "lines", "word"]))
        if kind == "cut":
            text = text[:start] + text[end:]
        elif kind == "insert":
            text = text[:start] + draw(PIECES) + text[start:]
        elif kind == "replace":
            text = text[:start] + draw(PIECES) + text[end:]
        elif kind == "repeat":
            text = text[:end] + text[start:end] + text[end:]
        elif kind == "lines":
            lines = text.split("\n")
            place = draw(st.integers(0, len(lines) - 1))
            lines.insert(draw(st.integers(0, len(lines))), lines.pop(place))
            text = "\n".join(lines)
        else:
            words = text.split(" ")
            words[draw(st.integers(0, len(words) - 1))] = draw(PIECES).strip()
            text = " ".join(words)
    return path, text


@given(mutations())
def test_a_damaged_deck_raises_nothing_but_deck_error(tmp_path_factory, mutation):
    path, text = mutation
    folder = tmp_path_factory.mktemp("deck")
    if path.parent.name == "everything":
        shutil.copytree(path.parent, folder, dirs_exist_ok=True)
        deck = folder
    else:
        deck = folder / path.name
    (folder / path.name).write_text(text, encoding="utf-8")
    report = examine(deck, use_cache=False)
    assert list(report.problems) == sorted(report.problems, key=lambda problem: problem.order)
    assert report.json()["problems"] == [problem.json() for problem in report.problems]
    assert all(problem.message and problem.text(color=True) for problem in report.problems)
    assert "\x1b" not in report.text()
    if report.sound:
        assert isinstance(load_deck(deck), Campaign | EncounterFile)
    else:
        with pytest.raises(DeckError):
            load_deck(deck)
    shutil.rmtree(folder)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_deck_or_a_problem(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("bytes") / "deck.yaml"
    file.write_bytes(data)
    assert examine(file).problems
