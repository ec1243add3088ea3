"""What a solver says of a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Objective = Literal["wounds", "survive"]
FoodPrice = Literal["priced", "free", "none"]

TIE = 1e-9
"""Values closer than this count as equal among the best actions."""

EQUAL = 1e-12
"""Probabilities, and prices, closer than this are equal."""

STOPPED = "stopped"
"""The limit of a search that was ended by its caller."""

ENDLESS = "an action that costs nothing can be repeated without end"
DEEP = "more answers in a row than can be followed"


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An open action and what the best play after it is worth."""

    answer: str
    value: float
    """Expected objective: wounds on the dice plus the price of food; with ``survive`` among the safest policies."""
    p_defeat: float
    lower: float | None = None
    """True bounds of ``value`` where the search was stopped; ``None`` where exact."""
    upper: float | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The best play from a position, or bounds where a limit stopped the search (``exact`` false)."""

    objective: Objective
    food: FoodPrice
    exact: bool
    value: float
    lower: float
    upper: float
    p_defeat: float
    """Where not exact, that of the best play known (its value is ``upper``): 1 as long as nothing is known of it."""
    expected_wounds: float
    """Where not exact, ``upper`` or the wound limit, and ``wounds`` is empty."""
    wounds: dict[int, float] = field(default_factory=dict)
    """Distribution of the wounds on the dice at the end; a lost game counts as the wound limit."""
    food_price: float = 0.0
    """Expected price of foods eaten less that of foods earned."""
    best: tuple[str, ...] = ()
    """Where not exact, the first action if that is known to be better than another."""
    actions: tuple[ActionValue, ...] = ()
    """Every action open now, best first, ties by name; empty where a roll comes first."""
    states: int = 0
    seconds: float = 0.0
    limit: str = ""
    """What stopped the search (``30 s``, ``memory``, ``ENDLESS``); empty when exact."""
    reference: str = ""
    """Why the slow reference solver answered (``121 AP at once``); empty where the fast one did."""

    @property
    def hopeless(self) -> bool:
        """Whether more time would not make it exact."""
        return self.limit in (ENDLESS, DEEP)

    def __post_init__(self) -> None:
        if abs(self.food_price) < EQUAL:  # a difference of sums
            object.__setattr__(self, "food_price", 0.0)
