"""What can happen, as a graph of nodes: each gives its row for a purse, and where the best play leads from one lane.

Equal nodes are made once (``Nodes``), so whatever has the same future shares its rows. ``row(purse)`` is the value for
every lane before the node happens; ``follow(purse, lane)`` lists (weight, node, purse, lane) after it, with ``None`` as
the node of a lost game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from solver.encounter.lanes import AP, DODGE, DODGES, FOODS, Lanes, Row, best_of, better, helps, mean

Follow = list[tuple[float, "Node | None", int, int]]
Choices = tuple[tuple[int, int], ...]
"""(price, outcome) pairs, what the die is for nothing first, then the cheapest."""
Dealt = list[tuple[int, int, list[tuple[int, dict[int, int]]], set[int]]]


class Faces:
    """The faces of a D20 in groups of equal choices: how many, and the choices (CHAL-10). Compared by identity."""

    def __init__(self, groups: tuple[tuple[int, Choices], ...]) -> None:
        self.groups = groups
        self._dealt: dict[int, Dealt] = {}

    def dealt(self, ap: int) -> Dealt:
        """The groups by their own outcome as far as AP go.

        Each is (outcome, how many faces cannot be changed, (how many, price of each outcome within reach) of the
        others, outcomes within reach of any).
        """
        ap = min(ap, 20)
        found = self._dealt.get(ap)
        if found is None:
            found = self._dealt[ap] = self._deal(ap)
        return found

    def _deal(self, ap: int) -> Dealt:
        found: dict[int, tuple[int, list[tuple[int, dict[int, int]]], set[int]]] = {}
        for count, choices in self.groups:
            own = choices[0][1]
            fixed, others, reached = found.get(own, (0, [], set()))
            prices = {outcome: price for price, outcome in choices[1:] if price <= ap}
            if prices:
                others.append((count, prices))
            found[own] = (fixed if prices else fixed + count, others, reached | prices.keys())
        return [(own, *rest) for own, rest in found.items()]


class Node:
    """Something that happens, with everything after it."""

    __slots__ = ("lanes", "memo", "rows")

    def __init__(self, nodes: Nodes) -> None:
        self.lanes = nodes.lanes
        self.rows = nodes.rows
        self.memo: dict[int, Row] = {}

    def row(self, purse: int) -> Row:
        """The value for every lane; equal rows are one object."""
        row = self.memo.get(purse)
        if row is None:
            row = self.work(purse)
            row = self.rows.setdefault(row, row)
            self.memo[purse] = row
        return row

    def work(self, purse: int) -> Row:
        """Work the row out."""
        raise NotImplementedError

    def follow(self, purse: int, lane: int) -> Follow:
        """Where it leads under the best play."""
        raise NotImplementedError


N = TypeVar("N", bound=Node)


class Nodes:
    """All nodes of one encounter; asks nobody twice."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.rows: dict[Row, Row] = {}
        self.made: dict[tuple[Any, ...], Node] = {}

    def make(self, kind: Callable[..., N], *args: Any) -> N:
        """The node of a kind with these parts, made the first time."""
        key = (kind, *args)
        node = self.made.get(key)
        if node is None:
            node = self.made[key] = kind(self, *args)
        return node  # type: ignore[return-value]


class End(Node):
    """The encounter is over (ENC-6)."""

    __slots__ = ()

    def row(self, purse: int) -> Row:
        """AP are of no more use."""
        return Node.row(self, purse & FOODS)

    def work(self, purse: int) -> Row:
        """The objective."""
        return self.lanes.final(purse)

    def follow(self, purse: int, lane: int) -> Follow:
        """Nothing follows."""
        return []


class Chance(Node):
    """The 50/50 rule, a draw, the placement die (FIELD-6 to FIELD-8): no influence, no decision."""

    __slots__ = ("parts",)

    def __init__(self, nodes: Nodes, parts: tuple[tuple[float, Node], ...]) -> None:
        super().__init__(nodes)
        self.parts = parts

    def work(self, purse: int) -> Row:
        """The mean."""
        return mean([(p, node.row(purse)) for p, node in self.parts])

    def follow(self, purse: int, lane: int) -> Follow:
        """Every part."""
        return [(p, node, purse, lane) for p, node in self.parts]


class Window(Node):
    """A D20 and what may be done after it is seen: food, then influence (CHAL-5, CHAL-10)."""

    __slots__ = ("faces", "outcomes")

    def __init__(self, nodes: Nodes, faces: Faces, outcomes: tuple[Node, ...]) -> None:
        super().__init__(nodes)
        self.faces = faces
        self.outcomes = outcomes

    def work(self, purse: int) -> Row:
        """The mean over the faces of the best answer to each."""
        lanes = self.lanes
        if lanes.snacking:
            return mean([(count / 20, self._face(choices, purse)) for count, choices in self.faces.groups])
        # More AP are never worse: an outcome that would be no better for nothing is never bought, and once a price is
        # too high for an outcome every higher one is.
        base = [node.row(purse) for node in self.outcomes]
        parts: list[tuple[float, Row]] = []
        single: list[Row] = []
        for own, rest, faces, others in self.faces.dealt(lanes.funds(purse)):
            row = base[own]
            useful = [other for other in others if helps(base[other], row)]
            if not useful:
                rest = sum([face[0] for face in faces], rest)
            elif len(useful) == 1:
                wanted = self.outcomes[useful[0]]
                dear = 99
                for count, prices in faces:
                    price = prices.get(useful[0], dear)
                    if price >= dear:
                        rest += count
                        continue
                    bought = wanted.row(lanes.pay(purse, price))
                    chosen = best_of(row, bought)
                    if chosen is row:
                        dear = price
                        rest += count
                        continue
                    if lanes.bites and not (lanes.closed(row) and lanes.closed(bought)):
                        chosen = lanes.fed(chosen)
                    if count == 1:
                        single.append(chosen)
                    else:
                        parts.append((count / 20, chosen))
            else:
                for count, prices in faces:
                    chosen = row
                    for other in useful:
                        if other in prices:
                            chosen = best_of(chosen, self.outcomes[other].row(lanes.pay(purse, prices[other])))
                    if chosen is row:
                        rest += count
                    else:
                        parts.append((count / 20, lanes.fed(chosen)))
            if rest:
                if lanes.bites and not lanes.closed(row):
                    row = lanes.fed(row)
                parts.append((rest / 20, row))
        if len(single) > 2:
            parts.append((0.05, tuple([sum(values) for values in zip(*single, strict=True)])))
        else:
            parts += [(0.05, row) for row in single]
        return mean(parts)

    def _face(self, choices: Choices, purse: int) -> Row:
        ap = purse & AP
        row = self.outcomes[choices[0][1]].row(purse)
        for price, outcome in choices[1:]:
            if price > ap:
                break
            row = best_of(row, self.outcomes[outcome].row(purse - price))
        for snack in self.lanes.snacks(purse):
            row = best_of(row, self._face(choices, snack))
        return self.lanes.fed(row)

    def answers(self, choices: Choices, purse: int, lane: int) -> tuple[complex, int, int, int]:
        """The best answer to a face: (value, outcome, purse after, lane after)."""
        found = None
        funds = self.lanes.funds(purse)
        for price, outcome in choices:
            if price <= funds:
                left = self.lanes.pay(purse, price)
                value = self.outcomes[outcome].row(left)[lane]
                if found is None or better(value, found[0]):
                    found = (value, outcome, left, lane)
        assert found is not None
        for snack in self.lanes.snacks(purse):
            other = self.answers(choices, snack, lane)
            found = other if better(other[0], found[0]) else found
        for after in self.lanes.bites_from(lane):
            other = self.answers(choices, purse, after)
            found = other if better(other[0], found[0]) else found
        return found

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answer to every face."""
        out: Follow = []
        for count, choices in self.faces.groups:
            _, outcome, left, to = self.answers(choices, purse, lane)
            out.append((count / 20, self.outcomes[outcome], left, to))
        return out


class Wounds(Node):
    """Rangitaki takes wounds; ``bite``: a last bite may come before them (HEAL-1, HEAL-4)."""

    __slots__ = ("bite", "n", "then")

    def __init__(self, nodes: Nodes, n: int, bite: bool, then: Node) -> None:
        super().__init__(nodes)
        self.n = n
        self.bite = bite
        self.then = then

    def work(self, purse: int) -> Row:
        """The row moved by the wounds."""
        row = self.then.row(purse)
        return self.lanes.hurt_with_bite(row, self.n, purse) if self.bite else self.lanes.hurt(row, self.n, purse)

    def follow(self, purse: int, lane: int) -> Follow:
        """Take them, or eat first."""
        lanes = self.lanes
        if self.bite and lane % lanes.limit + self.n >= lanes.limit:
            row = lanes.hurt_with_bite(self.then.row(purse), self.n, purse)
            dead = lanes.dead(purse)[lane // lanes.limit]
            for after in lanes.bites_from(lane):
                if better(row[after], dead) and row[after] == row[lane]:
                    return self.follow(purse, after)
        to = lanes.hurt_map(self.n)[lane]
        return [(1.0, None if to >= lanes.size else self.then, purse, to)]


class Heals(Node):
    """Wounds heal (HEAL-5)."""

    __slots__ = ("n", "then")

    def __init__(self, nodes: Nodes, n: int, then: Node) -> None:
        super().__init__(nodes)
        self.n = min(n, nodes.lanes.limit)
        self.then = then

    def work(self, purse: int) -> Row:
        """The row moved by the healing."""
        return self.lanes.healed(self.then.row(purse), self.n)

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        return [(1.0, self.then, purse, self.lanes.heal_map(self.n)[lane])]


class Points(Node):
    """Action Points gained or lost, never below 0 (ENC-4, AP-4)."""

    __slots__ = ("n", "then")

    def __init__(self, nodes: Nodes, n: int, then: Node) -> None:
        super().__init__(nodes)
        self.n = n
        self.then = then

    def after(self, purse: int) -> int:
        """The purse after it."""
        return purse + max(self.n, -(purse & AP))

    def work(self, purse: int) -> Row:
        """The row of the other purse."""
        return self.then.row(self.after(purse))

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        return [(1.0, self.then, self.after(purse), lane)]


class Larder(Node):
    """A food gained or lost, within its bounds (HEAL-4)."""

    __slots__ = ("food", "n", "then")

    def __init__(self, nodes: Nodes, food: int, n: int, then: Node) -> None:
        super().__init__(nodes)
        self.food = food
        self.n = n
        self.then = then

    def after(self, purse: int) -> int:
        """The purse after it, for a food that gives AP."""
        at = self.lanes.shift[self.food]
        held = purse >> at & 255
        return purse + ((max(0, min(self.lanes.most[self.food], held + self.n)) - held) << at)

    def work(self, purse: int) -> Row:
        """The row of another purse or moved by the packs."""
        if self.food in self.lanes.shift:
            return self.then.row(self.after(purse))
        row = self.then.row(purse)
        return tuple([row[i] for i in self.lanes.pack_map(self.food, self.n)])

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        if self.food in self.lanes.shift:
            return [(1.0, self.then, self.after(purse), lane)]
        return [(1.0, self.then, purse, self.lanes.pack_map(self.food, self.n)[lane])]


class Hit(Node):
    """An enemy's attack has hit: dodges one at a time, then the wounds (FOE-3, ACT-6).

    ``tries``: dodges that may still be used on it; ``windowed``: its wounds had their window, no last bite (HEAL-4).
    ``then`` is what follows with no wound left, with wounds.
    """

    __slots__ = ("dodge", "n", "take", "tries", "windowed")

    def __init__(
        self, nodes: Nodes, faces: Faces, n: int, tries: int, windowed: bool, unhurt: Node, hurt: Node
    ) -> None:
        super().__init__(nodes)
        self.n = n
        self.tries = tries
        self.windowed = windowed
        self.take: Node = nodes.make(Wounds, n, not windowed, hurt) if n else unhurt
        self.dodge: Window | None = None
        if n and tries:
            failed = nodes.make(Hit, faces, n, tries - 1, True, unhurt, hurt)
            saved = nodes.make(Hit, faces, n - 1, tries - 1, True, unhurt, hurt)
            self.dodge = nodes.make(Window, faces, (failed, saved))

    def _refused(self, purse: int) -> Row:
        # Asked about a dodge she had a window; a bite comes only where there was none.
        if self.windowed or not isinstance(self.take, Wounds):
            return self.take.row(purse)
        return self.lanes.hurt(self.take.then.row(purse), self.n, purse)

    def work(self, purse: int) -> Row:
        """Use the next dodge or take the wounds; food may be eaten before the answer."""
        if self.dodge is None or not purse & DODGES:
            return self.take.row(purse)
        row = best_of(self._refused(purse), self.dodge.row(purse - DODGE))
        for snack in self.lanes.snacks(purse):
            row = best_of(row, self.row(snack))
        return self.lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answer."""
        if self.dodge is None or not purse & DODGES:
            return [(1.0, self.take, purse, lane)]
        value = self.row(purse)[lane]
        for after in self.lanes.bites_from(lane):
            if self.row(purse)[after] == value:
                return self.follow(purse, after)
        for snack in self.lanes.snacks(purse):
            if self.row(snack)[lane] == value:
                return self.follow(snack, lane)
        if self._refused(purse)[lane] != value:
            return [(1.0, self.dodge, purse - DODGE, lane)]
        if isinstance(self.take, Wounds):
            to = self.lanes.hurt_map(self.n)[lane]
            return [(1.0, None if to >= self.lanes.size else self.take.then, purse, to)]
        return [(1.0, self.take, purse, lane)]


class RoundStart(Node):
    """AP become the reset number, dodges are gone (AP-3, ENC-8); then the rest of the start and her turn."""

    __slots__ = ("reset", "then")

    def __init__(self, nodes: Nodes, reset: int, then: Node) -> None:
        super().__init__(nodes)
        self.reset = reset
        self.then = then

    def row(self, purse: int) -> Row:
        """Only food is left of the purse."""
        return self.then.row(purse & FOODS | self.reset)

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        return [(1.0, self.then, purse & FOODS | self.reset, lane)]


class EndOfTurn(Node):
    """Ending her turn, with any heals and dodges before it: nothing in her turn can tell when they were taken."""

    __slots__ = ("dodge_cost", "then")

    def __init__(self, nodes: Nodes, dodge_cost: int, then: Node) -> None:
        super().__init__(nodes)
        self.dodge_cost = dodge_cost
        self.then = then

    def work(self, purse: int) -> Row:
        """End, or heal or dodge once more."""
        row = self.then.row(purse)
        lanes = self.lanes
        funds = lanes.funds(purse)
        if funds:
            row = best_of(row, lanes.healed(self.row(lanes.pay(purse, 1)), 1))
            if 0 < self.dodge_cost <= funds:
                row = best_of(row, self.row(lanes.pay(purse, self.dodge_cost) + DODGE))
        return row

    def follow(self, purse: int, lane: int) -> Follow:
        """The best of the three."""
        lanes = self.lanes
        value = self.row(purse)[lane]
        if self.then.row(purse)[lane] == value:
            return [(1.0, self.then, purse, lane)]
        healed, to = lanes.pay(purse, 1), lanes.heal_map(1)[lane]
        if self.row(healed)[to] == value:
            return self.follow(healed, to)
        return self.follow(lanes.pay(purse, self.dodge_cost) + DODGE, lane)
