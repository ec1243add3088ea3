"""The compiled solver against the rules themselves, on generated encounters, with a fixed budget."""

from random import Random

import pytest

from solver import encounter, exact
from solver.encounter import NotCovered
from solver.solution import TIE
from story.playfield.table import EncounterTable
from tests.solver import generate

SEEDS = range(5000, 5120)
POLLS = 20
"""For the reference, a seed (it asks every 256 states): larger encounters are left out, and not many may be."""


def question(seed):
    """(file, state, options) of a seed: from the start, or after some random answers."""
    played = generate.encounter(seed)
    random = Random(-seed)
    asked = {
        "objective": random.choice(("wounds", "survive")),
        "food": random.choice(("priced", "priced", "free", "none")),
        "death": random.choice((None, None, None, 20.0, 1.5)),
    }
    length = random.choice((0, 0, 1, 3, 6))
    return played, generate.walk(played, seed, length), asked


@pytest.mark.parametrize("start", SEEDS[::20])
def test_both_solvers_agree_on_every_action(start):
    compared = 0
    for seed in range(start, start + 20):
        played, state, asked = question(seed)
        polls = iter(range(POLLS))
        known = exact.solve(EncounterTable(played), state, stop=lambda polls=polls: next(polls, None) is None, **asked)
        if not known.exact:
            continue
        try:
            found = encounter.solve(played, state, **asked)
        except NotCovered as refused:
            pytest.fail(f"seed {seed}: {refused}")
        compared += 1
        where = f"seed {seed} {asked}"
        assert found.value == pytest.approx(known.value, abs=TIE), where
        assert found.p_defeat == pytest.approx(known.p_defeat, abs=TIE), where
        assert set(found.best) == set(known.best), where
        values = {action.answer: (action.value, action.p_defeat) for action in found.actions}
        assert values.keys() == {action.answer for action in known.actions}, where
        for action in known.actions:
            assert values[action.answer] == pytest.approx((action.value, action.p_defeat), abs=TIE), where
        assert sum(found.wounds.values()) == pytest.approx(1), where
        assert found.wounds.get(state.hero.wound_limit, 0) == pytest.approx(found.p_defeat, abs=TIE), where
        price = known.value - sum(n * p for n, p in found.wounds.items())
        if asked["death"] is None:
            assert found.food_price == pytest.approx(price, abs=1e-7), where
    assert compared >= 14
