"""Rows of values over her wounds and her food, and the purse that says which row is meant.

A *row* is an array of one value for every (food, wounds) pair, its *lanes*; rows are shared and never changed. With the
objective ``wounds`` a value is the expected value alone, and the smallest probability of losing among equals is found
afterwards along the best play. With ``survive`` a value is complex: the real part, the probability of losing, is
minimised first, the imaginary part, the expected value, among equals. A *purse* is an int: Action Points, queued dodges
and food that is eaten for its AP.

*Rations*, food that is eaten only when its AP are needed, are in lanes, and the purse counts their AP as if they were
in hand, so that a price is the same for all lanes. A lane with more rations than the AP of a purse can hold stands for
the one with as many as it can: the others have been eaten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from story.cards import Food

Row = NDArray[np.inexact[Any]]
Value = float | complex
Map = NDArray[np.intp]

TIE = 1e-12
"""Values closer than this are equal."""

AP = 1023
"""Mask of the Action Points in a purse."""
DODGE = 1 << 10
"""One queued dodge."""
DODGES = 63 << 10
FOOD_SHIFT = 16
FOODS = -1 << FOOD_SHIFT
"""Mask of the foods that give AP: 8 bits each."""


def mean(weighted: list[tuple[float, Row]]) -> Row:
    """The weighted sum of rows."""
    p, row = weighted[0]
    if len(weighted) == 1 and p == 1.0:
        return row
    total = row * p
    for p, row in weighted[1:]:
        total += row * p
    return total


class Lanes:
    """How lanes and purses stand for wounds and foods, and what changes of both do to rows and lanes.

    ``most`` is how many of each food she can ever hold in this encounter; foods that play no part have 0. ``tick`` is
    called for every row that is worked out and may raise.
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
        tick: Callable[[], None],
    ) -> None:
        self.limit = limit
        self.foods = foods
        self.most = most
        self.prices = prices
        self.survive = survive
        self.death = death
        self._tick = tick
        self.start_price = sum(n * price for n, price in zip(start, prices, strict=True))
        self.healing = tuple(i for i, food in enumerate(foods) if food.heals and most[i])
        giving = tuple(i for i, food in enumerate(foods) if not food.heals and food.ap and most[i])
        self.snacking = bool(giving) and not (steady and len(giving) == 1)
        """Whether eating food that gives AP is an action of its own. Otherwise it is for rations: nothing adds to it or
        takes it, so nothing is lost by waiting until it is needed."""
        rations = () if self.snacking else giving
        self.shift = {i: FOOD_SHIFT + 8 * place for place, i in enumerate(giving)} if self.snacking else {}
        self.held = rations + self.healing
        """The foods in lanes."""
        self.packs = tuple(product(*(range(most[i] + 1) for i in self.held)))
        """What she may hold of them, in the order of the lanes."""
        self.pack_of = {pack: number for number, pack in enumerate(self.packs)}
        self.size = limit * len(self.packs)
        self.most_rations = most[giving[0]] if rations else 0
        self.gives = foods[giving[0]].ap if rations else 0
        """The AP that one ration gives."""
        self.block = self.size // (self.most_rations + 1)
        """Lanes with the same number of rations."""
        self.larders = tuple(
            self.most_rations * self.gives + sum(n << at for n, at in zip(held, self.shift.values(), strict=True))
            for held in product(*(range(most[i] + 1) for i in self.shift))
        )
        """Purses without AP in hand: what she may hold of the food that is in purses, and all the rations of lanes."""
        self.best_of = _safest if survive else np.minimum
        """The better value in every lane of two rows."""
        self.helps = _safer_anywhere if survive else _less_anywhere(self.size)
        """Whether the first of two rows is better in some lane."""
        self._interned: dict[int, Row] = {}
        self._collided: dict[bytes, Row] = {}
        self.kept = 0
        """Bytes of the rows in the table of equal ones."""
        self._sated: dict[int, tuple[Row, Row]] = {}
        """By id: the row itself, so that it stays, and fed."""
        self._dead: dict[int, Row] = {}
        self._bitten: dict[int, tuple[int, ...]] = {}
        self._weights: dict[tuple[int, ...], NDArray[np.float64]] = {}
        self._finals: dict[int, Row] = {}
        self._hopes: dict[tuple[int, int], Row] = {}
        self._meals_before: dict[int, list[Map]] = {}
        self._maps: dict[tuple[object, ...], Map] = {}
        self.bites = tuple(self._bite_map(i) for i in self.healing)
        """For each food that heals: where eating one leads from each lane, nowhere else where it cannot be eaten."""
        # Whatever is eaten, eating what heals least first leaves her wounded the longest, so nothing is ruled out.
        heals_most = sorted(zip(self.healing, self.bites, strict=True), key=lambda pair: -foods[pair[0]].heals)
        self._meals = tuple(bite for i, bite in heals_most for _ in range(most[i]))

    # ------------------------------------------------------------ values

    def value(self, value: float, p_defeat: float) -> Value:
        """A pair as the objective orders it."""
        return complex(p_defeat, value) if self.survive else float(value)

    def better(self, a: Value, b: Value) -> bool:
        """Whether ``a`` is better than ``b``."""
        if not self.survive:
            return a.real < b.real - TIE
        return a.real < b.real - TIE or (a.real <= b.real + TIE and a.imag < b.imag - TIE)

    def final(self, purse: int) -> Row:
        """The end of the encounter: the wounds on the dice and the price of food."""
        key = purse & FOODS | self.rations(purse)
        row = self._finals.get(key)
        if row is None:
            row = self.row(
                self.value(wounds + self.eaten(purse, pack), 0.0)
                for pack in range(len(self.packs))
                for wounds in range(self.limit)
            )
            self._finals[key] = row
        return row

    def dead(self, purse: int) -> Row:
        """The game lost, a value for each pack (HEAL-1)."""
        key = purse & FOODS | self.rations(purse)
        row = self._dead.get(key)
        if row is None:
            row = self.row(self.value(self.death + self.eaten(purse, pack), 1.0) for pack in range(len(self.packs)))
            self._dead[key] = row
        return row

    def hope(self, purse: int, more: int | None) -> Row:
        """The row that no play can beat: nothing wounds her any more, and all AP heal, with so many more.

        ``None``: nobody knows what may come, so all heals, and she holds all the food that she can ever hold.
        """
        key = (
            -1 if more is None else min((purse & AP) + more, self.limit + self.gives * self.most_rations),
            purse & FOODS,
        )
        row = self._hopes.get(key)
        if row is None:
            if more is None:
                full = sum(n * price for n, price in zip(self.most, self.prices, strict=True))
                row = self.row([self.value(min(0.0, self.death) + self.start_price - full, 0.0)] * self.size)
            else:
                final, ap = self.final(purse), (purse & AP) + more
                row = self.by_rations(lambda n: self.healed(final, ap - self.gives * n), self.rations(purse))
                row = self.interned(row)
            self._hopes[key] = row
        return row

    def eaten(self, purse: int, pack: int) -> int:
        """The price of what was eaten less that of what was earned."""
        counts = self.packs[pack]
        if self.gives:
            counts = (min(counts[0], self.rations(purse)), *counts[1:])
        held = sum(n * self.prices[i] for n, i in zip(counts, self.held, strict=True))
        held += sum((purse >> at & 255) * self.prices[i] for i, at in self.shift.items())
        return self.start_price - held

    def mixed(self, counts: list[int], rows: list[Row]) -> Row:
        """The mean of rows, each counted so many times; of 20 in all."""
        if len(rows) == 1:
            return rows[0]
        key = tuple(counts)
        weights = self._weights.get(key)
        if weights is None:
            weights = self._weights[key] = np.array(counts) / 20
        row: Row = weights.dot(np.concatenate(rows).reshape(len(rows), self.size))
        return row

    def row(self, values: Iterable[Value]) -> Row:
        """A row of these values."""
        return self.interned(np.array(list(values), dtype=np.complex128 if self.survive else np.float64))

    def interned(self, row: Row) -> Row:
        """The one object for all equal rows; a new row is where the search looks at the clock."""
        self._tick()
        data = row.tobytes()
        known = self._interned.setdefault(hash(data), row)
        if known is row:
            self.kept += row.nbytes
            return row
        return known if known.tobytes() == data else self._collided.setdefault(data, row)

    def forget(self) -> None:
        """Let go of rows that nothing but the table of equal rows holds."""
        self._sated.clear()
        self._collided.clear()
        held = [(key, ref(row)) for key, row in self._interned.items()]
        self._interned.clear()
        self._interned.update((key, row) for key, known in held if (row := known()) is not None)
        self.kept = sum([row.nbytes for row in self._interned.values()])

    # ------------------------------------------------------------ lanes

    def lane(self, wounds: int, satchel: tuple[int, ...]) -> int:
        """The lane of a hero."""
        return self.pack_of[tuple(satchel[i] for i in self.held)] * self.limit + wounds

    def purse(self, ap: int, dodges: int, satchel: tuple[int, ...]) -> int:
        """The purse of a hero."""
        if self.gives:
            ap += satchel[self.held[0]] * self.gives
        return ap + dodges * DODGE + sum(satchel[i] << at for i, at in self.shift.items())

    def most_funds(self, purse: int) -> int:
        """The AP of a purse with all that any food gives."""
        if not self.shift:
            return purse & AP
        return (purse & AP) + sum((purse >> at & 255) * self.foods[i].ap for i, at in self.shift.items())

    def rations(self, purse: int) -> int:
        """The most rations that the AP of a purse can hold."""
        return min(self.most_rations, (purse & AP) // self.gives) if self.gives else 0

    def settled(self, row: Row, purse: int) -> Row:
        """The row where lanes with more rations than a purse can hold are as those with as many as it can."""
        held = self.rations(purse)
        if held == self.most_rations:
            return row
        key = ("settled", held)
        if key not in self._maps:
            lanes = np.arange(self.size)
            self._maps[key] = lanes - np.maximum(0, lanes // self.block - held) * self.block
        return row.take(self._maps[key])

    def change(self, purse: int, lane: int, n: int) -> tuple[int, int]:
        """(purse, lane) after so many AP are gained or lost, those in hand to 0 at most (AP-4)."""
        if not self.gives:
            return purse + max(n, -(purse & AP)), lane
        lane = self.settle(purse, lane)
        return purse + max(n, -((purse & AP) - lane % self.size // self.block * self.gives)), lane

    def changed(self, row: Callable[[int], Row], purse: int, n: int) -> Row:
        """The row before so many AP are gained or lost; ``row``: from a purse to the row of what follows."""
        ap, held = purse & AP, self.rations(purse)
        if n >= self.gives * held - ap:
            return self.settled(row(purse + n), purse)
        return self.by_rations(lambda rations: row(purse + max(n, self.gives * rations - ap)), held)

    def by_rations(self, row: Callable[[int], Row], held: int) -> Row:
        """The lanes of each number of rations from a row of its own; with more than ``held`` as with so many."""
        blocks = [row(n)[n * self.block : (n + 1) * self.block] for n in range(held + 1)]
        return np.concatenate(blocks + blocks[-1:] * (self.most_rations - held))

    def stock(self, purse: int, lane: int, food: int, n: int) -> tuple[int, int]:
        """(purse, lane) after food that is no ration is gained or lost, within its bounds (HEAL-4)."""
        if food not in self.shift:
            first = lane - lane % self.size
            return purse, first + int(self.pack_map(food, n)[lane - first])
        held = purse >> self.shift[food] & 255
        return purse + ((max(0, min(self.most[food], held + n)) - held) << self.shift[food]), lane

    def stocked(self, row: Callable[[int], Row], purse: int, food: int, n: int) -> Row:
        """The row before food is gained or lost; ``row``: from a purse to the row of what follows."""
        if food in self.shift:
            return row(self.stock(purse, 0, food, n)[0])
        return row(purse).take(self.pack_map(food, n))

    def settle(self, purse: int, lane: int) -> int:
        """The lane that a lane stands for with a purse."""
        if self.gives:
            lane -= max(0, lane % self.size // self.block - self.rations(purse)) * self.block
        return lane

    def _bite_map(self, food: int) -> Map:
        place = self.held.index(food)
        to = []
        for number, pack in enumerate(self.packs):
            left = self.pack_of[pack[:place] + (pack[place] - 1,) + pack[place + 1 :]] if pack[place] else number
            for wounds in range(self.limit):
                eats = pack[place] and wounds
                to.append(
                    left * self.limit + max(0, wounds - self.foods[food].heals)
                    if eats
                    else number * self.limit + wounds
                )
        return np.array(to, dtype=np.intp)

    def bites_from(self, lane: int) -> Iterable[int]:
        """The lanes that eating one food leads to; those of a roaming node stay on their space."""
        if not self.bites:
            return ()
        lane, first = lane % self.size, lane - lane % self.size
        return [first + after for bite in self.bites if (after := int(bite[lane])) != lane]

    def bitten(self, lane: int) -> tuple[int, ...]:
        """The lanes that eating nothing, or any food that heals, leads to."""
        if not self.bites:
            return (lane,)
        found = self._bitten.get(lane)
        if found is None:
            reached = {lane: None}
            for to in self.bites_from(lane):
                reached.update(dict.fromkeys(self.bitten(to)))
            found = self._bitten[lane] = tuple(reached)
        return found

    def after_healing(self, lane: int, n: int) -> int:
        """The lane that healing leads to; that of a roaming node stays on its space."""
        return lane - min(n, lane % self.limit)

    def hurt_map(self, n: int) -> Map:
        """Where ``n`` wounds lead; ``size + pack`` stands for the game lost."""
        key = ("hurt", n)
        if key not in self._maps:
            self._maps[key] = np.array(
                [
                    pack * self.limit + wounds + n if wounds + n < self.limit else self.size + pack
                    for pack in range(len(self.packs))
                    for wounds in range(self.limit)
                ],
                dtype=np.intp,
            )
        return self._maps[key]

    def heal_map(self, n: int) -> Map:
        """Where healing leads (HEAL-5)."""
        key = ("heal", n)
        if key not in self._maps:
            self._maps[key] = np.array(
                [
                    pack * self.limit + max(0, wounds - n)
                    for pack in range(len(self.packs))
                    for wounds in range(self.limit)
                ],
                dtype=np.intp,
            )
        return self._maps[key]

    def pack_map(self, food: int, change: int) -> Map:
        """Where gaining or losing a healing food leads, within its bounds (HEAL-4)."""
        key = ("pack", food, change)
        if key not in self._maps:
            place = self.held.index(food)
            moved = []
            for pack in self.packs:
                held = max(0, min(self.most[food], pack[place] + change))
                moved.append(self.pack_of[pack[:place] + (held,) + pack[place + 1 :]])
            self._maps[key] = np.array(
                [pack * self.limit + wounds for pack in moved for wounds in range(self.limit)], dtype=np.intp
            )
        return self._maps[key]

    # ------------------------------------------------------------ rows

    def hurt(self, row: Row, n: int, purse: int) -> Row:
        """The row before ``n`` wounds."""
        if not n:
            return row
        return np.concatenate((row, self.dead(purse))).take(self.hurt_map(n))

    def hurt_with_bite(self, row: Row, n: int, purse: int) -> Row:
        """The row before ``n`` wounds that a last bite may come before (HEAL-4)."""
        out = self.hurt(row, n, purse)
        if n:
            for meal in self._last_meals(n):
                out = self.best_of(out, out.take(meal))
        return out

    def _last_meals(self, n: int) -> list[Map]:
        """What may be eaten before ``n`` wounds: only where they would lose the game."""
        found = self._meals_before.get(n)
        if found is None:
            lanes = np.arange(self.size)
            dying = lanes % self.limit + n >= self.limit
            found = self._meals_before[n] = [np.where(dying, meal, lanes) for meal in self._meals]
        return found

    def healed(self, row: Row, n: int) -> Row:
        """The row before ``n`` wounds heal."""
        return row.take(self.heal_map(min(n, self.limit)), axis=-1)

    def fed(self, row: Row) -> Row:
        """The row where any food that heals may be eaten first (HEAL-4)."""
        for meal in self._meals:
            row = self.best_of(row, row.take(meal, axis=-1))
        return row

    def sated(self, row: Row) -> Row:
        """The same as ``fed``, worked out once for each row; meant for rows that were interned."""
        if not self.bites:
            return row
        known = self._sated.get(id(row))
        if known is None:
            known = self._sated[id(row)] = row, self.interned(self.fed(row))
        return known[1]

    def snacks(self, purse: int) -> Iterable[int]:
        """The purses after eating one food that gives AP."""
        if not self.snacking:
            return ()
        return [purse - (1 << at) + self.foods[i].ap for i, at in self.shift.items() if purse >> at & 255]

    def snacked(self, purse: int) -> tuple[int, ...]:
        """The purses after eating nothing, or any food that gives AP."""
        reached = {purse: None}
        for after in self.snacks(purse):
            reached.update(dict.fromkeys(self.snacked(after)))
        return tuple(reached)


def _less_anywhere(size: int) -> Callable[[Row, Row], bool]:
    """Tells of rows of a size whether the first is less in some lane; not for two threads at once."""
    signs = bytearray(size)
    lanes = np.frombuffer(signs, dtype=np.bool_)
    less = np.less

    def helps(a: Row, b: Row) -> bool:
        if a is b:
            return False
        less(a, b, lanes)
        return 1 in signs

    return helps


def _safer_anywhere(a: Row, b: Row) -> bool:
    """Whether ``a`` is better in some lane."""
    return a is not b and b"\1" in _safer(a, b).tobytes()


def _safer(a: Row, b: Row) -> NDArray[np.bool_]:
    """Where ``a`` is better: a smaller real part, or among equals a smaller imaginary part."""
    d = a.real - b.real
    better: NDArray[np.bool_] = (d < -TIE) | ((d <= TIE) & (a.imag < b.imag))
    return better


def _safest(a: Row, b: Row) -> Row:
    """The better of complex values in every lane."""
    return a if a is b else np.where(_safer(b, a), b, a)
