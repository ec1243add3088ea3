"""Rangitaki: wounds, Action Points, talents, satchel, inventories (AP, HEAL, INV, CHAL-4)."""

from __future__ import annotations

from typing import NamedTuple

from story.cards import TALENTS, HeroCard, Library

TALENT_CAP = 5
"""CHAL-4."""

MOST_WOUNDS = 99
"""What a deck may make of the nine of HEAL-1, and of the wounds of an attack, at most: they are counted one by one."""


class Hero(NamedTuple):
    """What she is and holds; a frozen value, every change gives a new one.

    ``satchel`` and ``counts`` follow the order of the library's foods and counters.
    """

    wounds: int
    wound_limit: int
    ap: int
    ap_reset: int
    crit: int
    miss: int
    talents: tuple[int, int, int]
    satchel: tuple[int, ...]
    events: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    counts: tuple[int, ...] = ()
    pp: int = 0
    """Persuasion points, while a tavern lasts (TAV-4)."""

    @property
    def lost(self) -> bool:
        """HEAL-1: the last wound ends the game."""
        return self.wounds >= self.wound_limit

    @property
    def health_dice(self) -> tuple[int, ...]:
        """Wounds on each health die from left to right, 0 to 3 (HEAL-2: the rightmost empties first)."""
        dice = -(-self.wound_limit // 3)
        return tuple(min(3, max(0, self.wounds - 3 * (dice - 1 - i))) for i in range(dice))

    def talent(self, name: str) -> int:
        """Points of a talent (CHAL-3)."""
        return self.talents[TALENTS.index(name)]

    def with_wounds(self, n: int) -> Hero:
        """``n`` more wounds, up to the limit (HEAL-1)."""
        return self._replace(wounds=min(self.wound_limit, self.wounds + n))

    def healed(self, n: int) -> Hero:
        """``n`` wounds healed, never below 0 (HEAL-5)."""
        return self._replace(wounds=max(0, self.wounds - n))

    def with_ap(self, n: int) -> Hero:
        """``n`` Action Points more (or fewer), never below 0 (AP-2, AP-4)."""
        return self._replace(ap=max(0, self.ap + n))

    def amount(self, name: str, library: Library) -> int:
        """Any amount that conditions and costs speak of.

        Raises KeyError for a name that is none.
        """
        if name in ("ap", "ap_reset", "wounds", "pp"):
            return int(getattr(self, name))
        if name in TALENTS:
            return self.talent(name)
        for i, food in enumerate(library.foods):
            if food.id == name:
                return self.satchel[i]
        return self.counts[list(library.counters).index(name)]

    def with_amount(self, name: str, change: int, library: Library) -> Hero:
        """An amount changed within its bounds: what is above a cap is lost (CHAL-4, HEAL-4), nothing falls below 0.

        Raises KeyError or ValueError for a name that is none.
        """
        if name == "ap":
            return self.with_ap(change)
        if name in ("ap_reset", "pp"):
            return self._replace(**{name: max(0, getattr(self, name) + change)})
        if name in TALENTS:
            i = TALENTS.index(name)
            points = max(0, min(TALENT_CAP, self.talents[i] + change))
            a, b, c = (points if j == i else old for j, old in enumerate(self.talents))
            return self._replace(talents=(a, b, c))
        for i, food in enumerate(library.foods):
            if food.id == name:
                held = max(0, min(food.holds, self.satchel[i] + change))
                return self._replace(satchel=self.satchel[:i] + (held,) + self.satchel[i + 1 :])
        i = list(library.counters).index(name)
        return self._replace(counts=self.counts[:i] + (max(0, self.counts[i] + change),) + self.counts[i + 1 :])

    def edible(self, library: Library, *, healing_only: bool = False) -> tuple[int, ...]:
        """Places of the foods that may be eaten now: food that heals only when wounded (HEAL-4)."""
        return tuple(
            i
            for i, food in enumerate(library.foods)
            if self.satchel[i] and (self.wounds > 0 if food.heals else not healing_only)
        )

    def ate(self, place: int, library: Library) -> Hero:
        """One food eaten: it heals or gives AP (HEAL-4)."""
        food = library.foods[place]
        held = self.satchel[:place] + (self.satchel[place] - 1,) + self.satchel[place + 1 :]
        return self._replace(satchel=held).healed(food.heals).with_ap(food.ap)


def starting_hero(card: HeroCard, library: Library) -> Hero:
    """The hero as her character card says."""
    satchel = card.satchel or (0,) * len(library.foods)
    return Hero(
        wounds=card.wounds,
        wound_limit=card.wound_limit,
        ap=card.ap,
        ap_reset=card.ap_reset,
        crit=card.crit,
        miss=card.miss,
        talents=card.talents,
        satchel=satchel,
        actions=frozenset(card.actions),
        counts=(0,) * len(library.counters),
    )
