"""Rows of values over her wounds and her food that heals, and the purse that says which row is meant.

A *row* holds one value for every (food that heals, wounds) pair, its *lanes*. A value is a complex number: the real
part is minimised first, the imaginary part among equals, so one arithmetic serves both objectives: ``wounds`` keeps
(value, probability of losing), ``survive`` the reverse. A *purse* is an int: Action Points, queued dodges and food that
gives AP.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from story.cards import Food

Row = tuple[complex, ...]

TIE = 1e-12
"""Real parts closer than this are equal; then the imaginary part decides."""

AP = 1023
"""Mask of the Action Points in a purse."""
DODGE = 1 << 10
"""One queued dodge."""
DODGES = 63 << 10
FOOD_SHIFT = 16
FOODS = -1 << FOOD_SHIFT
"""Mask of the foods that give AP: 8 bits each."""


def better(a: complex, b: complex) -> bool:
    """Whether ``a`` is strictly better than ``b``: a smaller real part, or among equals a smaller imaginary part."""
    d = a.real - b.real
    return d < -TIE or (d <= TIE and a.imag < b.imag)


def best_of(a: Row, b: Row) -> Row:
    """The better value in every lane; ``a`` itself where nothing of ``b`` is better."""
    if a is b:
        return a
    row = tuple(
        [y if (d := y.real - x.real) < -TIE or (d <= TIE and y.imag < x.imag) else x for x, y in zip(a, b, strict=True)]
    )
    return a if row == a else row


def helps(a: Row, b: Row) -> bool:
    """Whether ``a`` is better than ``b`` in some lane."""
    if a is b:
        return False
    return any((d := x.real - y.real) < -TIE or (d <= TIE and x.imag < y.imag) for x, y in zip(a, b, strict=True))


def mean(weighted: list[tuple[float, Row]]) -> Row:
    """The weighted sum of rows."""
    match weighted:
        case [(1.0, row)]:
            return row
        case [(p, a), (q, b)]:
            return tuple([p * x + q * y for x, y in zip(a, b, strict=True)])
        case [(p, a), (q, b), (r, c)]:
            return tuple([p * x + q * y + r * z for x, y, z in zip(a, b, c, strict=True)])
        case [(p, a), (q, b), (r, c), (s, d)]:
            return tuple([p * x + q * y + r * z + s * u for x, y, z, u in zip(a, b, c, d, strict=True)])
    (p, a), *rest = weighted
    total = [p * x for x in a]
    for q, b in rest:
        total = [x + q * y for x, y in zip(total, b, strict=True)]
    return tuple(total)


class Lanes:
    """How lanes and purses stand for wounds and foods, and what changes of both do to rows and lanes.

    ``most`` is how many of each food she can ever hold in this encounter; foods that play no part have 0.
    """

    def __init__(
        self,
        limit: int,
        foods: tuple[Food, ...],
        most: tuple[int, ...],
        start: tuple[int, ...],
        prices: tuple[int, ...],
        *,
        survive: bool,
        death: float,
        steady: bool,
    ) -> None:
        self.limit = limit
        self.foods = foods
        self.most = most
        self.prices = prices
        self.survive = survive
        self.death = death
        self.start_price = sum(n * price for n, price in zip(start, prices, strict=True))
        self.healing = tuple(i for i, food in enumerate(foods) if food.heals and most[i])
        self.giving = tuple(i for i, food in enumerate(foods) if not food.heals and food.ap and most[i])
        self.shift = {i: FOOD_SHIFT + 8 * place for place, i in enumerate(self.giving)}
        self.packs = tuple(product(*(range(most[i] + 1) for i in self.healing)))
        """What she may hold of the healing foods, in the order of the lanes."""
        self.pack_of = {pack: number for number, pack in enumerate(self.packs)}
        self.size = limit * len(self.packs)
        self.plain = len(self.packs) == 1
        self.snacking = bool(self.giving) and not (steady and len(self.giving) == 1)
        """Whether eating food that gives AP is an action of its own. Otherwise it waits until the AP are needed:
        nothing adds to such food or takes it, so nothing is lost by waiting."""
        self._one, self._gives = 0, 0
        if self.giving and not self.snacking:
            self._one, self._gives = 1 << FOOD_SHIFT, foods[self.giving[0]].ap
        self._closed: dict[int, bool] = {}
        self._dead: dict[int, Row] = {}
        self._maps: dict[tuple[object, ...], tuple[int, ...]] = {}
        self.bites = self._bites()
        """(lane, lane after eating) pairs, fewer foods first: HEAL-4, food that heals only when wounded."""

    # ------------------------------------------------------------ values

    def value(self, value: float, p_defeat: float) -> complex:
        """A pair as the objective orders it."""
        return complex(p_defeat, value) if self.survive else complex(value, p_defeat)

    def parts(self, z: complex) -> tuple[float, float]:
        """(value, probability of losing)."""
        return (z.imag, z.real) if self.survive else (z.real, z.imag)

    def eaten(self, purse: int, pack: int) -> int:
        """The price of what was eaten less that of what was earned."""
        held = sum(n * self.prices[i] for n, i in zip(self.packs[pack], self.healing, strict=True))
        held += sum((purse >> at & 255) * self.prices[i] for i, at in self.shift.items())
        return self.start_price - held

    def final(self, purse: int) -> Row:
        """The end of the encounter: the wounds on the dice and the price of food."""
        return tuple(
            self.value(wounds + self.eaten(purse, pack), 0.0)
            for pack in range(len(self.packs))
            for wounds in range(self.limit)
        )

    def dead(self, purse: int) -> Row:
        """The game lost, a value for each pack (HEAL-1)."""
        row = self._dead.get(purse)
        if row is None:
            row = tuple(self.value(self.death + self.eaten(purse, pack), 1.0) for pack in range(len(self.packs)))
            self._dead[purse] = row
        return row

    # ------------------------------------------------------------ lanes

    def lane(self, wounds: int, satchel: tuple[int, ...]) -> int:
        """The lane of a hero."""
        return self.pack_of[tuple(satchel[i] for i in self.healing)] * self.limit + wounds

    def purse(self, ap: int, dodges: int, satchel: tuple[int, ...]) -> int:
        """The purse of a hero."""
        return ap + dodges * DODGE + sum(satchel[i] << at for i, at in self.shift.items())

    def funds(self, purse: int) -> int:
        """The AP of a purse, with those that its food gives where it is eaten as needed."""
        ap = purse & AP
        return ap + (purse >> FOOD_SHIFT & 255) * self._gives if self._one else ap

    def most_funds(self, purse: int) -> int:
        """The AP of a purse with all that its food gives."""
        return (purse & AP) + sum((purse >> at & 255) * self.foods[i].ap for i, at in self.shift.items())

    def pay(self, purse: int, cost: int) -> int:
        """The purse after a cost that its funds cover, food eaten as needed."""
        lack = cost - (purse & AP)
        if lack > 0:
            eaten = -(-lack // self._gives)
            purse += eaten * (self._gives - self._one)
        return purse - cost

    def _bites(self) -> tuple[tuple[int, int], ...]:
        pairs = []
        for number, pack in enumerate(self.packs):
            for place, i in enumerate(self.healing):
                if pack[place]:
                    left = self.pack_of[pack[:place] + (pack[place] - 1,) + pack[place + 1 :]]
                    for wounds in range(1, self.limit):
                        pairs.append(
                            (number * self.limit + wounds, left * self.limit + max(0, wounds - self.foods[i].heals))
                        )
        return tuple(pairs)

    def bites_from(self, lane: int) -> Iterable[int]:
        """The lanes that eating one food leads to."""
        return (after for before, after in self.bites if before == lane)

    def hurt_map(self, n: int) -> tuple[int, ...]:
        """Where ``n`` wounds lead; ``size + pack`` stands for the game lost."""
        key = ("hurt", n)
        if key not in self._maps:
            self._maps[key] = tuple(
                pack * self.limit + wounds + n if wounds + n < self.limit else self.size + pack
                for pack in range(len(self.packs))
                for wounds in range(self.limit)
            )
        return self._maps[key]

    def heal_map(self, n: int) -> tuple[int, ...]:
        """Where healing leads (HEAL-5)."""
        key = ("heal", n)
        if key not in self._maps:
            self._maps[key] = tuple(
                pack * self.limit + max(0, wounds - n)
                for pack in range(len(self.packs))
                for wounds in range(self.limit)
            )
        return self._maps[key]

    def pack_map(self, food: int, change: int) -> tuple[int, ...]:
        """Where gaining or losing a healing food leads, within its bounds (HEAL-4)."""
        key = ("pack", food, change)
        if key not in self._maps:
            place = self.healing.index(food)
            moved = []
            for pack in self.packs:
                held = max(0, min(self.most[food], pack[place] + change))
                moved.append(self.pack_of[pack[:place] + (held,) + pack[place + 1 :]])
            self._maps[key] = tuple(pack * self.limit + wounds for pack in moved for wounds in range(self.limit))
        return self._maps[key]

    # ------------------------------------------------------------ rows

    def hurt(self, row: Row, n: int, purse: int) -> Row:
        """The row before ``n`` wounds."""
        if not n:
            return row
        if self.plain:
            return row[n:] + self.dead(purse) * min(n, self.limit)
        whole = row + self.dead(purse)
        return tuple([whole[i] for i in self.hurt_map(n)])

    def hurt_with_bite(self, row: Row, n: int, purse: int) -> Row:
        """The row before ``n`` wounds that a last bite may come before (HEAL-4)."""
        hurt = self.hurt(row, n, purse)
        if not self.bites or not n:
            return hurt
        out = list(hurt)
        for lane, after in self.bites:
            if lane % self.limit + n >= self.limit and better(out[after], out[lane]):
                out[lane] = out[after]
        return tuple(out)

    def healed(self, row: Row, n: int) -> Row:
        """The row before ``n`` wounds heal."""
        if self.plain:
            n = min(n, self.limit - 1)
            return row[:1] * n + row[: self.limit - n]
        return tuple([row[i] for i in self.heal_map(n)])

    def fed(self, row: Row) -> Row:
        """The row where any food that heals may be eaten first (HEAL-4)."""
        if not self.bites:
            return row
        out = list(row)
        for lane, after in self.bites:
            x, y = out[lane], out[after]
            if (d := y.real - x.real) < -TIE or (d <= TIE and y.imag < x.imag):
                out[lane] = y
        return tuple(out)

    def closed(self, row: Row) -> bool:
        """Whether eating food that heals first is never better; only for rows that last as long as the lanes.

        Means and minima of such rows are such rows again.
        """
        found = self._closed.get(id(row))
        if found is None:
            found = self._closed[id(row)] = not any(better(row[after], row[lane]) for lane, after in self.bites)
        return found

    def snacks(self, purse: int) -> Iterable[int]:
        """The purses after eating one food that gives AP."""
        if not self.snacking:
            return ()
        return [purse - (1 << at) + self.foods[i].ap for i, at in self.shift.items() if purse >> at & 255]
