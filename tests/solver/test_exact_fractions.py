"""The fast solver's floating point against the reference in exact fractions: rounding never adds up."""

from pathlib import Path

import pytest

from solver import encounter, exact
from story.load import load_encounter
from story.playfield.table import EncounterTable
from tests.solver import compare

EXAMPLE = Path(__file__).parent.parent / "decks" / "rulebook-example.yaml"
SEEDS = range(7000, 7096)
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
