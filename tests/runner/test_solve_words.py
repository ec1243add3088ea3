"""What ``solve`` and the advice of plain mode say of bounds."""

from dataclasses import replace

import pytest

from runner.advice import advice_lines, between
from solver.solution import ActionValue, Solution


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (0.0, 9.0, "between 0.0000 and 9.0000"),
        (0.0, 1.2e-6, "between 0.000000 and 0.000001"),
        (0.25, 0.25 + 3e-9, "between 0.250000000 and 0.250000003"),
        (-4e-17, 1e-10, "0.0000"),
        (1.5, 1.5, "1.5000"),
    ],
)
def test_bounds_are_told_with_the_digits_that_tell_them_apart(lower, upper, words):
    assert between(lower, upper) == words


def test_bounds_in_words_tell_no_probability_and_no_best_play_as_if_it_were_known():
    bounded = ActionValue("dodge", 0.9, 1.0, 0.1, 0.9)
    found = Solution("wounds", "priced", False, 0.9, 0.1, 0.9, 1.0, 0.9, best=("dodge",), actions=(bounded,))
    assert advice_lines(replace(found, limit="5 s")) == [
        "Not exact, stopped by its limit (5 s): the value is between 0.1000 and 0.9000.",
        "best so far: dodge: between 0.1000 and 0.9000",
    ]


def test_a_price_of_food_that_is_nothing_but_rounding_is_none():
    priced = Solution("wounds", "priced", True, 0.5, 0.5, 0.5, 0.0, 0.5, food_price=-2.2e-16)
    assert str(priced.food_price) == "0.0"
    assert replace(priced, food_price=-1e-9).food_price == -1e-9
