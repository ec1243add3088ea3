"""The fast solver's floating point against the reference in exact fractions: rounding never adds up."""

from pathlib import Path

import pytest

from solver import encounter, exact
from solver.advice import Advisor
from solver.solution import ENDLESS, TIE
from story.load import load_encounter
from story.playfield.table import EncounterTable
from tests.solver import compare, generate

EXAMPLE = Path(__file__).parent.parent / "decks" / "rulebook-example.yaml"
SEEDS = range(7000, 7096)
FREE = """\
format: cardwalk/1
kind: encounter
title: T
rounds: 1
hero: {space: 3, actions: [zap]}
enemies: [{card: eel, space: 8}]
enemy_cards:
  eel: {name: Eel, wounds: 2, attack: {type: adjacent, wounds: 1}, moves: 1}
action_cards:
  zap: {name: Zap, kind: attack, cost: 0, damage: 1, range: full}
"""
POLLS = 1
"""For the reference, a seed: encounters of more than 500 states are left out."""


def close(found, known):
    return found == pytest.approx(known, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("start", SEEDS[::24])
def test_fractions_agree_with_floating_point(start):
    compared = 0
    for seed in range(start, start + 24):
        question = compare.question(seed)
        known = exact.solve(
            EncounterTable(question.file),
            question.state,
            stop=compare.after(POLLS),
            exact_fractions=True,
            **question.asked,
        )
        if not known.exact:
            continue
        found = encounter.solve(question.file, question.state, **question.asked)
        where = f"seed {seed} {question.asked}"
        assert close(found.value, known.value), where
        assert close(found.p_defeat, known.p_defeat), where
        values = {action.answer: (action.value, action.p_defeat) for action in found.actions}
        assert values.keys() == {action.answer for action in known.actions}, where
        for action in known.actions:
            assert close(values[action.answer], (action.value, action.p_defeat)), where
        compared += 1
    assert compared >= 13


def test_plays_that_are_too_long_to_follow_end_in_bounds(monkeypatch):
    monkeypatch.setattr(exact, "DEEPEST", 0)
    table = EncounterTable(load_encounter(EXAMPLE))
    start = table.start()
    found = exact.solve(table, start._replace(hero=start.hero._replace(ap=30_000)))
    assert (found.exact, found.limit) == (False, "more answers in a row than can be followed")
    assert (found.lower, found.upper) == (0, 9)
    assert "end" in [action.answer for action in found.actions]


def test_an_action_that_can_be_repeated_without_end_is_named(tmp_path):
    file = tmp_path / "free.yaml"
    file.write_text(FREE, encoding="utf-8")
    found = Advisor((table := EncounterTable(load_encounter(file))).library).advise(table.start())
    assert (found.exact, found.limit, found.hopeless) == (False, ENDLESS, True)
    assert found.reference == "zap, an action that costs nothing"


@pytest.mark.parametrize(
    ("seed", "objective", "death"),
    [(70_022, "wounds", -1.0), (70_024, "wounds", -1.0), (70_026, "survive", None), (70_053, "survive", -1.0)],
)
def test_bounds_of_the_reference_are_true(seed, objective, death):
    """Stopped after any number of looks; of encounters in which losing is worth something, or safety costs wounds."""
    table = EncounterTable(generate.encounter(seed))
    asked = {"objective": objective, "death": death, "food": "none"}
    known = exact.solve(table, table.start(), **asked)
    values = {action.answer: action.value for action in known.actions}
    for polls in range(3):
        found = exact.solve(table, table.start(), stop=compare.after(polls), **asked)
        assert not found.exact or polls
        assert found.lower - TIE <= known.value <= found.upper + TIE
        for action in found.actions:
            lower, upper = (action.value,) * 2 if action.lower is None else (action.lower, action.upper)
            assert lower - TIE <= values[action.answer] <= upper + TIE
        assert found.exact or found.best in ((), (found.actions[0].answer,))


def test_the_advisor_keeps_what_the_reference_found(tmp_path):
    table = EncounterTable(load_encounter(EXAMPLE))
    start = table.start()
    rich = start._replace(hero=start.hero._replace(ap=121), field=start.field._replace(round=3))
    advisor = Advisor(table.library)
    known = advisor.advise(rich, stop=compare.after(2))
    again = advisor.advise(rich, stop=lambda: True)
    assert known.reference == again.reference == "121 AP at once"
    assert (again.lower, again.upper) == (known.lower, known.upper)
    assert [action.upper for action in again.actions] == [action.upper for action in known.actions]
