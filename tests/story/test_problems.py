"""What a problem says to name instead."""

import pytest

from story.problems import near_card

KEYS = [*(f"1:{n}" for n in range(1, 20)), "2:1", "2:30", *(f"heads:{name}" for name in ("otto", "vena"))]


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("25", "did you mean 2:30?"),
        ("1:25", "did you mean 1:19?"),
        ("3:25", "did you mean 2:30?"),
        ("oto", "did you mean otto?"),
        ("heads:vina", "did you mean heads:vena?"),
        ("walrus", "its cards are 1:1 to 1:19, 2:1 to 2:30, heads:otto, heads:vena"),
    ],
)
def test_a_card_is_told_by_the_one_nearest_to_it(card, told):
    assert near_card(card, KEYS) == told


def test_a_long_list_of_cards_is_told_by_its_beginning():
    names = [f"heads:head-{letter}" for letter in "abcdefghijkl"]
    assert near_card("walrus", names) == f"its cards are {', '.join(names[:8])} and 4 more"
