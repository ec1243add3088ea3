"""The fast solver against the model checker Storm, which knows nothing of Cardwalk but the states that the rules give.

Collected only where Storm can be had (``tests/conftest.py``).
"""

from pathlib import Path

import pytest

from solver import encounter
from story.load import load_encounter
from tests.solver import generate, storm

CASES = Path(__file__).parents[1] / "cases" / "playfield"
LARGE = {"instances", "poison-loses-ap", "recruit"}
SMALL = sorted(file.stem for file in CASES.glob("*.yaml") if file.stem not in LARGE)

SEEDS = (300, 303, 306, 316, 317, 323, 337, 341, 346, 361, 393, 427, 507, 517, 524, 528, 564, 599)
"""Generated encounters that are small, and together have every trait, food and question and most actions in them."""

PRECISELY = 1e-12
"""Storm computes in fractions, the solver in floating point."""


def same(file, **asked):
    model = storm.Model(file, **asked)
    assert encounter.solve(file, **asked).value == pytest.approx(float(model.value()), rel=PRECISELY, abs=PRECISELY)
    safe = encounter.solve(file, objective="survive", **asked)
    p_defeat, value = map(float, model.safest())
    assert safe.p_defeat == pytest.approx(p_defeat, rel=PRECISELY, abs=PRECISELY)
    assert safe.value == pytest.approx(value, rel=PRECISELY, abs=PRECISELY)


@pytest.mark.parametrize("name", SMALL)
def test_storm_agrees_on_the_worked_positions(name):
    same(load_encounter(CASES / f"{name}.yaml"))


@pytest.mark.parametrize("seed", SEEDS)
def test_storm_agrees_on_generated_encounters(seed):
    same(generate.encounter(seed))


@pytest.mark.parametrize("asked", [{"food": "free"}, {"food": "none"}, {"death": 30}, {"food": "free", "death": 1}])
@pytest.mark.parametrize("seed", [303, 323, 346])
def test_storm_agrees_whatever_food_and_death_cost(seed, asked):
    same(generate.encounter(seed), **asked)


def test_storm_in_floating_point_is_close_enough_for_measuring():
    file = generate.encounter(303)
    assert storm.Model(file).value(float) == pytest.approx(encounter.solve(file).value, abs=1e-6)
