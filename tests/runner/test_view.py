"""What the screens show, without a screen: text, shapes, choices, aims, odds and the drawn playfield."""

import itertools
import os
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from runner import aim as aiming
from runner.aim import Aim, Odds, challenge_odds, crit_miss_odds, letters, odds_words
from runner.board import NO_LIGHTS, Lights, board_lines, fit_name, size, space_at, spaces, stroke
from runner.terminal import clean
from runner.view import (
    ap_discs,
    choice_rows,
    default_answer,
    die_lines,
    ending_words,
    fit,
    health_dice,
    plain,
    prose,
    row_lines,
    spread,
    status,
    status_rows,
    talent_points,
    told_lines,
    width_of,
    window_rows,
)
from story.cards import HeroCard, Library
from story.hero import starting_hero
from story.load import load_deck
from story.playfield.table import EncounterTable
from story.prompts import Decide, Locked, Option, Over, Told, answers

POSITION = """\
format: cardwalk/1
kind: encounter
title: Three on the reef
rounds: 2
hero: {space: 3, wounds: 2, talents: {mental: 2, critical: 1}, satchel: {breadfruit: 1},
       actions: [stun, poison, split, lob, dodge, fear]}
enemies: [{card: nalu, space: 8}, {card: imp, space: 13}, {card: imp, space: 15}]
terrain: [{card: idol, space: 4}]
blocked: [7]
no_start: [1]
enemy_cards:
  nalu: {name: Nalu, wounds: 4, attack: {type: surrounding, wounds: 2}, moves: 1}
  imp: {name: Imp, wounds: 1, attack: {type: long, wounds: 1}, moves: 1}
terrain_cards:
  idol:
    {name: Stone idol, classes: [impassable, no-los], challenge: {type: mental, level: 12, succeed: {gain: {ap: 2}}}}
"""


@pytest.fixture(scope="module")
def reef(tmp_path_factory):
    """(table, state, prompt) of her turn on the reef."""
    file = tmp_path_factory.mktemp("reef") / "reef.yaml"
    file.write_text(POSITION, encoding="utf-8")
    table = EncounterTable(load_deck(file))
    state = table.start()
    return table, state, table.prompt(state)


def hero(library=None, **changed):
    return starting_hero(HeroCard(**changed), library or Library())


def texts(lines):
    return [plain(line).rstrip() for line in lines]


def test_what_is_pure_loads_no_textual():
    pure = "runner.view, runner.aim, runner.board, runner.words, runner.keys, runner.advice_view, runner.preferences"
    code = f"import sys, {pure}; sys.exit('textual' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        ).returncode
        == 0
    )


# ---------------------------------------------------------------- text


def test_prose_keeps_paragraphs_emphasis_and_lists():
    text = (
        "The *Good Measure* is\nfour fathoms down.\n\n- a **rope**\n- a needle that is longer than the line\n\n2. two\n"
    )
    lines = prose(text, 24)
    assert texts(lines) == [
        "The Good Measure is four",
        "fathoms down.",
        "",
        "• a rope",
        "• a needle that is",
        "  longer than the line",
        "",
        "2. two",
    ]
    assert ("Good Measure ", "italic") in lines[0]
    assert ("rope", "bold") in lines[3]


def test_markup_of_other_kinds_is_text():
    assert texts(prose("[bold]no[/] <b>no</b> `no` 2*3*4", 60)) == ["[bold]no[/] <b>no</b> `no` 2*3*4"]


def test_control_characters_never_get_through():
    assert clean("a\x1b[31mb\x07\u202ec\r\nd\te") == "a[31mbc\nd   e"
    assert "\x1b" not in "".join(texts(prose("bell\x1b]0;title\x07", 40)))


@given(st.text(), st.integers(4, 70))
@example("0" * 13, 4)
def test_no_line_is_wider_than_asked(text, width):
    assert all(width_of(line) <= width for line in prose(text, width))


@given(st.text(alphabet="abc *_-\n日本", max_size=80), st.integers(8, 40))
def test_setting_loses_no_letter(text, width):
    said = "".join(texts(prose(text, width)))
    assert all(said.count(letter) == text.count(letter) for letter in "abc日本")


@given(st.text(alphabet="abc日本", max_size=30), st.integers(1, 20))
def test_fit_never_overflows(text, width):
    assert cell_len(fit(text, width)) <= width


def test_spread_gives_way_on_the_left():
    assert plain(spread((("a long beginning", ""),), (("9 AP", ""),), 12)) == "a long… 9 AP"


# ---------------------------------------------------------------- shapes


@pytest.mark.rule("HEAL-2")
@pytest.mark.parametrize(
    ("wounds", "shown"),
    [
        (0, "[♥♥♥][♥♥♥][♥♥♥]"),
        (1, "[♥♥♥][♥♥♥][♥♥·]"),
        (3, "[♥♥♥][♥♥♥][···]"),
        (5, "[♥♥♥][♥··][···]"),
        (9, "[···][···][···]"),
    ],
)
def test_health_dice_empty_from_the_right(wounds, shown):
    assert plain(health_dice(hero(wounds=wounds))) == shown


@given(st.integers(1, 12), st.data())
def test_as_many_hearts_are_left_as_wounds_can_be_taken(limit, data):
    wounds = data.draw(st.integers(0, limit))
    shown = plain(health_dice(hero(wounds=wounds, wound_limit=limit)))
    assert (shown.count("♥"), shown.count("·")) == (limit - wounds, wounds)


def test_many_health_dice_are_counted_in_the_room_of_a_few():
    few, many = (plain(health_dice(hero(wounds=11, wound_limit=limit))) for limit in (12, 99))
    assert (few, many) == ("[♥··][···][···][···]", "[♥×88 ·×11]")


def test_discs_show_ap_up_to_the_reset_number():
    assert plain(ap_discs(hero(ap=4))) == "●●●●○○○"
    assert plain(ap_discs(hero(ap=9))) == "●●●●●●●●●"
    assert plain(ap_discs(hero(ap=40), most=6)) == "●●●●●●+"


@pytest.mark.rule("CHAL-4")
def test_talents_have_five_places():
    assert plain(talent_points(hero(talents=(2, 0, 5)), "physical")) == "◆◆···"
    assert plain(talent_points(hero(talents=(2, 0, 5)), "critical")) == "◆◆◆◆◆"


def test_status_fits_its_column(reef):
    table, state, _ = reef
    lines = status(state.hero, table.library, 22, 22)
    said = "\n".join(texts(lines))
    assert len(lines) <= 22
    assert all(width_of(line) <= 22 for line in lines)
    assert "2/9 wounds" in said
    assert "breadfruit" in said
    assert "■□□□□" in said


def test_status_says_where_more_is_to_be_read():
    from story.cards import KeptCard

    library = Library(items={f"item-{i}": KeptCard(f"item-{i}", f"A thing called {i}") for i in range(30)})
    many = hero(library)._replace(items=frozenset(library.items))
    lines = texts(status(many, library, 22, 20))
    assert len(lines) <= 20
    assert lines[-1].endswith("press i")


def test_status_in_rows_names_everything(reef):
    table, state, _ = reef
    first, second = (plain(line) for line in status_rows(state.hero, table.library, 78))
    assert "mental ◆◆···" in first
    assert "breadfruit 1" in first + second


def test_a_die_shows_its_face():
    assert any("17" in row for row in texts(die_lines("d20", "17")))
    assert sum(row.count("●") for row in texts(die_lines("d6", "5"))) == 5
    assert len({len(row) for row in (plain(line) for line in die_lines("d12", "3"))}) == 1


# ---------------------------------------------------------------- choices


CARD = Decide(
    "card",
    "The Pot-Keeper",
    (
        Option("choose 1", "Run for the salt pans"),
        Option("choose 3", "Pay him", "2 AP"),
        Option("heal", "Heal 1 wound", "1 AP", "heal"),
        Option("eat uku", "Eat Uku", "", "eat"),
    ),
    (Locked(2, "Offer the tooth", "needs Whale tooth"),),
)


@pytest.mark.rule("NAV-7")
def test_choices_stand_in_the_cards_order_locked_ones_with_their_reason():
    rows = choice_rows(CARD)
    assert [(row.key, row.say, row.answer) for row in rows] == [
        ("1", "Run for the salt pans", "choose 1"),
        ("", "Offer the tooth", ""),
        ("2", "Pay him", "choose 3"),
    ]
    assert "locked: needs Whale tooth" in "\n".join(texts(row_lines(rows[1], 54, False)))
    assert texts(row_lines(rows[2], 40, True)) == [" 2  Pay him                        2 AP"]


def test_a_long_choice_wraps_beside_its_number():
    row = choice_rows(Decide("card", "", (Option("choose 1", "word " * 20, "3 AP"),)))[0]
    lines = row_lines(row, 40, False)
    assert len(lines) > 2
    assert all(width_of(line) == 40 for line in lines)
    assert all(plain(line).startswith("    ") for line in lines[1:])


@pytest.mark.rule("CHAL-10")
def test_a_window_answers_to_enter_with_what_spends_nothing():
    window = Decide(
        "window",
        "physical 15",
        (
            Option("keep", "Keep it: fail", kind="keep"),
            Option("add 2", "Add 2: succeed", "2 AP", "add", "succeed"),
            Option("eat uku", "Eat Uku", "", "eat", "gives 1 AP"),
        ),
    )
    rows = window_rows(window)
    assert [(row.key, row.answer) for row in rows] == [("enter", "keep"), ("1", "add 2"), ("2", "eat uku")]
    assert default_answer(window) == "keep"
    assert default_answer(Decide("dodge", "", (Option("use dodge", ""), Option("no dodge", "")))) == "no dodge"
    assert default_answer(CARD) == ""


def test_endings_have_their_words():
    assert ending_words(Over("victory", "home", "Home")) == ("Victory", "Home")
    assert ending_words(Over("death", "death", "You die."))[0] == "The ninth wound"


def test_a_sentence_has_its_rule_at_the_edge():
    lines = texts(told_lines(Told("Nalu on 8 stays and attacks.", "MOVE-2", "move"), 50))
    assert lines == ["Nalu on 8 stays and attacks.                MOVE-2"]
    assert "MOVE-2" not in "".join(texts(told_lines(Told("Nalu stays.", "MOVE-2"), 50, rules=False)))


# ---------------------------------------------------------------- odds


@pytest.mark.rule("ACT-3")
def test_odds_of_her_roll():
    assert crit_miss_odds(20, 5) == Odds(5, 14, 1)
    assert crit_miss_odds(20, 5, bonus=1) == Odds(4, 14, 2)
    assert crit_miss_odds(20, 5, influence=1) == Odds(4, 14, 2)
    assert crit_miss_odds(20, 5, crits=False) == Odds(5, 15, 0)
    assert odds_words(hero(), 0) == "miss 25 %  hit 70 %  crit 5 %"
    assert odds_words(hero(), 1) == "miss 25 %  hit 70 %  crit 5 %  (+1 AP: crit 10 %)"


@pytest.mark.rule("CHAL-6")
def test_a_natural_one_misses_whatever_is_added():
    assert crit_miss_odds(2, 1, bonus=5, influence=30).miss == 1
    assert challenge_odds(2, 5, 30) == 19


@pytest.mark.rule("CHAL-7")
def test_a_perfect_roll_succeeds_whatever_the_level():
    assert challenge_odds(99, 0) == 1


@given(st.integers(-2, 25), st.integers(-2, 25), st.integers(0, 5), st.integers(0, 9))
def test_odds_add_up_to_one(crit, miss, bonus, influence):
    odds = crit_miss_odds(max(crit, miss + 1), miss, bonus, influence)
    assert sum(Fraction(part, 20) for part in odds) == 1


# ---------------------------------------------------------------- her turn


def test_the_menu_keeps_its_order_and_says_what_is_shut(reef):
    table, state, prompt = reef
    entries = aiming.turn_menu(prompt, state.hero, table.library, state.field)
    assert [(entry.key, entry.verb) for entry in entries] == [
        ("d", "dart"),
        ("m", "step"),
        ("g", "dodge"),
        ("f", "fear"),
        ("t", "try"),
        ("h", "heal"),
        ("e", "eat"),
        ("enter", "end"),
    ]
    assert all(entry.open for entry in entries)
    poor = state._replace(hero=state.hero._replace(ap=0, wounds=0))
    shut = {e.verb: e.why for e in aiming.turn_menu(table.prompt(poor), poor.hero, table.library, poor.field)}
    assert shut["dart"] == "3 AP"
    assert shut["heal"] == "1 AP"
    assert shut["eat"] == "unhurt"
    assert shut["end"] == ""


def test_every_answer_of_the_turn_can_be_aimed(reef):
    """Whatever the prompt offers is reached by some verb, augment and targets, and nothing else is."""
    table, state, prompt = reef
    library = table.library
    reached = set()
    for verb in {answer.split()[0] for answer in answers(prompt)}:
        words = [None, *(augment.word for augment in aiming.augments(prompt, Aim(verb), state.hero, library))]
        for word in words:
            first = Aim(verb, frozenset({word} if word else ()))
            names = aiming.targets(prompt, first, library)
            for name, second in itertools.product(names or ("",), (None, *names, *map(str, range(1, 16)))):
                aim = first._replace(cursor=name)
                if second is not None:
                    aim = first._replace(names=(name,), cursor=second)
                move = aiming.outcome_of(prompt, aim, library)
                if move is not None:
                    reached.add(move.option.answer)
    assert reached == set(answers(prompt))


@pytest.mark.rule("ACT-5")
def test_a_lob_is_added_where_the_target_needs_it(reef):
    table, _, prompt = reef
    aim = aiming.begin(prompt, "dart", table.library)
    assert not aiming.needs_lob(prompt, aim, "nalu", table.library)
    assert aiming.needs_lob(prompt, aim, "imp", table.library)
    shot = aiming.outcome_of(prompt, aim._replace(cursor="imp"), table.library)
    assert shot.option.answer == "dart imp +lob"


@pytest.mark.rule("ACT-4")
def test_one_augment_takes_the_place_of_another(reef):
    table, _, prompt = reef
    aim = aiming.toggled(prompt, aiming.begin(prompt, "dart", table.library), "stun", table.library)
    assert aim.augments == {"stun"}
    aim = aiming.toggled(prompt, aim, "split", table.library)
    assert aim.augments == {"split"}
    assert aiming.outcome_of(prompt, aim, table.library) is None
    aim = aiming.taken(prompt, aim, table.library)
    assert aiming.outcome_of(prompt, aim, table.library).option.answer.startswith("dart nalu imp")
    assert aiming.toggled(prompt, aim, "split", table.library).augments == frozenset()


def test_the_mark_moves_over_the_playfield(reef):
    _, state, _ = reef
    names = ("nalu", "imp", "imp-2")
    assert aiming.towards(names, "nalu", (0, 1), state.field) == "imp"
    assert aiming.towards(names, "imp", (1, 0), state.field) == "imp-2"
    assert aiming.towards(names, "nalu", (-1, 0), state.field) == "nalu"


def test_keys_of_further_actions_are_free_letters():
    keys = letters(["dart", "net", "dash", "dunk"], {"dart": "d"}, "dmgheftilurqo")
    assert keys["dart"] == "d"
    assert keys["net"] == "n"
    assert len(set(keys.values())) == 4
    assert not set(keys.values()) & set("mgheftilurqo")


# ---------------------------------------------------------------- the playfield


@pytest.mark.rule("FIELD-1")
def test_the_playfield_has_its_first_row_at_the_bottom(reef):
    table, state, _ = reef
    lines = texts(board_lines(spaces(state.field, table.library), NO_LIGHTS, 10, 3))
    assert (len(lines[0]), len(lines)) == size(10, 3) == (56, 13)
    assert " 11 " in lines[0]
    assert " 15 " in lines[0]
    assert " 1 " in lines[8]
    assert "YOU" in lines[9]
    assert lines[5].count("Nalu") == 1
    assert "♥♥♥♥" in lines[6]
    assert "✕" in lines[8]
    assert "blocked" in lines[7]


@pytest.mark.rule("ENC-5")
def test_enemies_bear_their_place_in_the_order(reef):
    table, state, _ = reef
    shown = spaces(state.field, table.library)
    assert [(shown[n].name, shown[n].order) for n in (8, 13, 15)] == [("Nalu", 1), ("Imp", 2), ("Imp 2", 3)]


def test_marks_are_letters_with_a_legend(reef):
    from runner.board import legend

    table, state, _ = reef
    field = state.field._replace(dodges=2, poisoned=True)
    field = field.with_foe(field.foe("nalu")._replace(stunned=True, rage=3))
    shown = spaces(field, table.library)
    assert shown[3].marks == ("p", "g2")
    assert shown[8].marks == ("s", "r3")
    assert legend(field, table.library) == "g dodge ready  p poisoned  r rage  s stunned"
    lines = texts(board_lines(shown, NO_LIGHTS, 10, 3, legend(field, table.library)))
    assert "s r3" in lines[7]
    assert lines[-1].startswith("╰─ g dodge ready")


@given(st.integers(1, 15), st.integers(4, 18), st.integers(2, 6), st.data())
def test_a_click_finds_the_space_it_falls_on(space, width, height, data):
    column, row = (space - 1) % 5, 2 - (space - 1) // 5
    x = data.draw(st.integers(1, width)) + column * (width + 1)
    y = data.draw(st.integers(1, height)) + row * (height + 1)
    assert space_at(x, y, width, height) == space
    assert space_at(5 * (width + 1) + 1, y, width, height) == 0


def test_the_second_of_a_kind_keeps_its_number():
    assert fit_name("Lamp moth 2", 8) == "Lamp m…2"
    assert fit_name("Lamp moth", 8) == "Lamp mo…"
    assert fit_name("Imp 2", 8) == "Imp 2"


def test_lines_of_attack_are_drawn_through_the_spaces_between():
    assert stroke(3, 13) == ((8, "│"),)
    assert stroke(1, 5) == ((2, "─"), (3, "─"), (4, "─"))
    assert stroke(3, 15) == ((9, "╱"),)
    assert stroke(3, 11) == ((7, "╲"),)
    assert stroke(3, 9) == ()
    assert stroke(3, 14) == ()


def test_every_light_leaves_the_playfield_its_size(reef):
    table, state, _ = reef
    lights = Lights(frozenset({8, 13, 15}), frozenset({13}), 13, (8,), ((8, "│"),), 8, ((8, "1"), (13, "2"), (15, "3")))
    for width, height in ((10, 3), (14, 5), (18, 6)):
        lines = board_lines(spaces(state.field, table.library), lights, width, height)
        assert {width_of(line) for line in lines} == {size(width, height)[0]}
        assert "lob" in "\n".join(texts(lines))
