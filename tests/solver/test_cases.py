"""The worked positions with their exact answers: reference and fast solver must meet them all."""

import json
from pathlib import Path

import pytest

from solver import encounter, exact
from story.load import load_encounter
from story.playfield.table import EncounterTable

FOLDER = Path(__file__).parents[1] / "cases" / "playfield"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
QUESTIONS = [(name, key) for name, answers in sorted(EXPECTED.items()) for key in answers]

SLOW = {"instances", "recruit", "poison-loses-ap"}
"""Positions that take the reference solver seconds: there one question each is enough."""

BY_REFERENCE = [(name, key) for name, key in QUESTIONS if name not in SLOW or key == "wounds/priced"]


def asked(key):
    """``wounds/priced/death=30`` as arguments."""
    objective, food, *rest = key.split("/")
    death = float(rest[0].removeprefix("death=")) if rest else None
    return {"objective": objective, "food": food, "death": death}


def check(solution, expected):
    assert solution.exact
    assert solution.value == pytest.approx(expected["value"], abs=1e-9)
    assert solution.p_defeat == pytest.approx(expected["p_defeat"], abs=1e-9)
    found = {action.answer: (action.value, action.p_defeat) for action in solution.actions}
    wanted = {action["answer"]: (action["value"], action["p_defeat"]) for action in expected["actions"]}
    assert set(found) == set(wanted)
    for answer, values in wanted.items():
        assert found[answer] == pytest.approx(values, abs=1e-9), answer
    assert set(solution.best) == set(expected["best"])
    assert sum(solution.wounds.values()) == pytest.approx(1)


@pytest.mark.parametrize(("name", "key"), BY_REFERENCE)
def test_the_reference_meets_every_case(name, key):
    table = EncounterTable(load_encounter(FOLDER / f"{name}.yaml"))
    check(exact.solve(table, table.start(), **asked(key)), EXPECTED[name][key])


@pytest.mark.parametrize(("name", "key"), QUESTIONS)
def test_the_fast_solver_meets_every_case(name, key):
    check(encounter.solve(load_encounter(FOLDER / f"{name}.yaml"), **asked(key)), EXPECTED[name][key])


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for name, key in BY_REFERENCE if "value_exact" in EXPECTED[name][key] and name not in SLOW],
)
def test_exact_fractions(name, key):
    from fractions import Fraction

    table = EncounterTable(load_encounter(FOLDER / f"{name}.yaml"))
    answers = asked(key)
    death = answers.pop("death")
    aim = exact.Aim(answers["objective"], answers["food"], death)
    search = exact.Search(table, table.start(), aim, True, None, None, None)
    search.look(None)
    worth = search.worth(table.start())
    assert (worth.value, worth.p_defeat) == (
        Fraction(EXPECTED[name][key]["value_exact"]),
        Fraction(EXPECTED[name][key]["p_defeat_exact"]),
    )


@pytest.mark.parametrize(("rounds", "value"), [(1, 0.8125), (2, 0.349867875), (3, 0.0)])
def test_the_rulebooks_example(rounds, value):
    from dataclasses import replace

    file = load_encounter(Path(__file__).parents[1] / "decks" / "rulebook-example.yaml")
    file = replace(file, encounter=replace(file.encounter, rounds=rounds))
    assert encounter.solve(file).value == pytest.approx(value, abs=1e-9)
    table = EncounterTable(file)
    bounds = exact.solve(table, table.start(), seconds=0.5)
    assert bounds.lower - 1e-9 <= value <= bounds.upper + 1e-9
    assert bounds.exact or bounds.limit == "0.5 s"
