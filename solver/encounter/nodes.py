"""What can happen, as a graph of nodes: each gives its row for a purse, and where the best play leads from one lane.

Equal nodes are made once (``Nodes``), so whatever has the same future shares its rows. ``row(purse)`` is the value for
every lane before the node happens; ``follow(purse, lane)`` lists what may happen next from one lane: the probability
of each part, and the places that a best play may go on from, where it is hers to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from solver.encounter.lanes import AP, DODGE, DODGES, FOODS, Lanes, Row, Value, mean

Place = tuple["Node | None", int, int]
"""(node, purse, lane); ``None`` as the node: the game is lost."""
Follow = list[tuple[float, Iterable[Place]]]
Choices = tuple[tuple[int, int], ...]
"""(price, outcome) pairs, what the die is for nothing first, then the cheapest."""


class Dealt(NamedTuple):
    """The faces with an outcome of their own."""

    own: int
    total: int
    faces: list[tuple[int, dict[int, int]]]
    """(how many, price of each outcome within reach) of those that can be changed."""
    offers: dict[int, list[tuple[int, int]]]
    """For each outcome within reach (price, how many faces), cheapest first."""


class Faces:
    """The faces of a D20 in groups of equal choices: how many, and the choices (CHAL-10). Compared by identity."""

    def __init__(self, groups: tuple[tuple[int, Choices], ...]) -> None:
        self.groups = groups
        self._dealt: dict[int, list[Dealt]] = {}

    def dealt(self, ap: int) -> list[Dealt]:
        """The faces by their own outcome, as far as AP go."""
        ap = min(ap, 20)
        found = self._dealt.get(ap)
        if found is None:
            found = self._dealt[ap] = self._deal(ap)
        return found

    def _deal(self, ap: int) -> list[Dealt]:
        found: dict[int, Dealt] = {}
        for count, choices in self.groups:
            own = choices[0][1]
            dealt = found.get(own, Dealt(own, 0, [], {}))
            prices = {outcome: price for price, outcome in choices[1:] if price <= ap}
            if prices:
                dealt.faces.append((count, prices))
            for outcome, price in prices.items():
                dealt.offers.setdefault(outcome, []).append((price, count))
            found[own] = dealt._replace(total=dealt.total + count)
        for dealt in found.values():
            for offers in dealt.offers.values():
                offers.sort()
        return list(found.values())


class Node:
    """Something that happens, with everything after it."""

    __slots__ = ("lanes", "memo")

    def __init__(self, nodes: Nodes) -> None:
        self.lanes = nodes.lanes
        self.memo: dict[int, Row] = {}

    def row(self, purse: int) -> Row:
        """The value for every lane; equal rows are one object."""
        row = self.memo.get(purse)
        if row is None:
            row = self.memo[purse] = self.lanes.interned(self.work(purse))
        return row

    def at(self, purse: int, lane: int) -> Value:
        """The value of one lane."""
        value: Value = self.row(purse)[lane].item()
        return value

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
        self.made: dict[tuple[Any, ...], Node] = {}

    def make(self, kind: Callable[..., N], *args: Any) -> N:
        """The node of a kind with these parts, made the first time."""
        key = (kind, *args)
        node = self.made.get(key)
        if node is None:
            node = self.made[key] = kind(self, *args)
        return node  # type: ignore[return-value]

    def forget(self, kind: Callable[..., N], *args: Any) -> None:
        """Take back a node that nothing leads to."""
        self.made.pop((kind, *args), None)


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


class Hope(Node):
    """Nothing but good comes from here on, at most so many AP: a bound that no play can beat."""

    __slots__ = ("ap",)

    def __init__(self, nodes: Nodes, ap: int | None) -> None:
        super().__init__(nodes)
        self.ap = ap

    def row(self, purse: int) -> Row:
        """All AP heal."""
        return self.lanes.hope(purse, None if self.ap is None else self.ap + (purse & AP))


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
        return [(p, [(node, purse, lane)]) for p, node in self.parts]


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
        best_of, pay, fed = lanes.best_of, lanes.pay, self._fed if lanes.bites else None
        total: Row | None = None
        for own, rest, faces, offers in self.faces.dealt(lanes.funds(purse)):
            row = base[own]
            useful = [other for other in offers if lanes.helps(base[other], row)]
            if len(useful) == 1:
                wanted, unchanged = self.outcomes[useful[0]], row.tobytes()
                for price, count in offers[useful[0]]:
                    bought = wanted.row(pay(purse, price))
                    part = best_of(row, bought)
                    if part.tobytes() == unchanged:
                        break
                    if fed is not None:
                        part = fed(part, row, bought)
                    if count > 1:
                        part = part * count
                    rest -= count
                    total = part if total is None else total + part
            elif useful:
                for count, prices in faces:
                    part = row
                    for other in useful:
                        if other in prices:
                            part = best_of(part, self.outcomes[other].row(pay(purse, prices[other])))
                    part = lanes.fed(part) * count
                    rest -= count
                    total = part if total is None else total + part
            if rest:
                if fed is not None:
                    row = fed(row, row)
                if rest == 20:
                    return row
                total = row * rest if total is None else total + row * rest
        assert total is not None
        return total * 0.05

    def _fed(self, row: Row, *parts: Row) -> Row:
        """With food eaten first where that helps; not if the rows it was made of, which were interned, are closed."""
        return row if all(map(self.lanes.closed, parts)) else self.lanes.fed(row)

    def _face(self, choices: Choices, purse: int) -> Row:
        lanes, ap = self.lanes, purse & AP
        row = self.outcomes[choices[0][1]].row(purse)
        for price, outcome in choices[1:]:
            if price > ap:
                break
            row = lanes.best_of(row, self.outcomes[outcome].row(purse - price))
        for snack in lanes.snacks(purse):
            row = lanes.best_of(row, self._face(choices, snack))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answers to every face."""
        return [(count / 20, self._best(choices, purse, lane)) for count, choices in self.faces.groups]

    def _best(self, choices: Choices, purse: int, lane: int) -> list[Place]:
        found = list(self._answers(choices, purse, lane))
        best = found[0][0]
        for value, *_ in found:
            best = value if self.lanes.better(value, best) else best
        return [(node, left, to) for value, node, left, to in found if not self.lanes.better(best, value)]

    def _answers(self, choices: Choices, purse: int, lane: int) -> Iterator[tuple[Value, Node, int, int]]:
        """Everything that may be done about a face, with its value."""
        funds = self.lanes.funds(purse)
        for price, outcome in choices:
            if price <= funds:
                left, node = self.lanes.pay(purse, price), self.outcomes[outcome]
                yield node.at(left, lane), node, left, lane
        for snack in self.lanes.snacks(purse):
            yield from self._answers(choices, snack, lane)
        for after in self.lanes.bites_from(lane):
            yield from self._answers(choices, purse, after)


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
        to = int(lanes.hurt_map(self.n)[lane])
        if to < lanes.size:
            return [(1.0, [(self.then, purse, to)])]
        places: list[Place] = [(None, purse, to)]
        if self.bite and (meals := lanes.bites_from(lane)):
            row = self.row(purse)
            dead = lanes.dead(purse)[to - lanes.size].item()
            if lanes.better(row[lane].item(), dead):
                places = []
            for after in meals:
                if not lanes.better(row[lane].item(), row[after].item()):
                    places += self.follow(purse, after)[0][1]
        return [(1.0, places)]


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
        return [(1.0, [(self.then, purse, int(self.lanes.heal_map(self.n)[lane]))])]


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
        return [(1.0, [(self.then, self.after(purse), lane)])]


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
        return self.then.row(purse).take(self.lanes.pack_map(self.food, self.n))

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        if self.food in self.lanes.shift:
            return [(1.0, [(self.then, self.after(purse), lane)])]
        return [(1.0, [(self.then, purse, int(self.lanes.pack_map(self.food, self.n)[lane]))])]


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
        lanes = self.lanes
        row = lanes.best_of(self._refused(purse), self.dodge.row(purse - DODGE))
        for snack in lanes.snacks(purse):
            row = lanes.best_of(row, self.row(snack))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answers."""
        if self.dodge is None or not purse & DODGES:
            return [(1.0, [(self.take, purse, lane)])]
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        assert self.dodge is not None
        lanes = self.lanes
        value = self.at(purse, lane)
        if not lanes.better(value, self._refused(purse)[lane].item()):
            if isinstance(self.take, Wounds):
                to = int(lanes.hurt_map(self.n)[lane])
                yield None if to >= lanes.size else self.take.then, purse, to
            else:
                yield self.take, purse, lane
        if not lanes.better(value, self.dodge.at(purse - DODGE, lane)):
            yield self.dodge, purse - DODGE, lane
        for after in lanes.bites_from(lane):
            if not lanes.better(value, self.at(purse, after)):
                yield self, purse, after
        for snack in lanes.snacks(purse):
            if not lanes.better(value, self.at(snack, lane)):
                yield self, snack, lane


class RoundStart(Node):
    """AP become the reset number, dodges are gone (AP-3, ENC-8); then the rest of the start and her turn."""

    __slots__ = ("reset", "then", "twins")

    def __init__(self, nodes: Nodes, reset: int, then: Node) -> None:
        super().__init__(nodes)
        self.reset = reset
        self.then = then
        self.twins: list[RoundStart] = []
        """Other starts with the same values."""

    def row(self, purse: int) -> Row:
        """Only food is left of the purse."""
        return self.then.row(purse & FOODS | self.reset)

    def follow(self, purse: int, lane: int) -> Follow:
        """One place."""
        return [(1.0, [(self.then, purse & FOODS | self.reset, lane)])]


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
            row = lanes.best_of(row, lanes.healed(self.row(lanes.pay(purse, 1)), 1))
            if 0 < self.dodge_cost <= funds:
                row = lanes.best_of(row, self.row(lanes.pay(purse, self.dodge_cost) + DODGE))
        return row

    def follow(self, purse: int, lane: int) -> Follow:
        """The best of the three."""
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        lanes = self.lanes
        value, funds = self.at(purse, lane), lanes.funds(purse)
        if not lanes.better(value, self.then.at(purse, lane)):
            yield self.then, purse, lane
        if not funds:
            return
        healed, to = lanes.pay(purse, 1), int(lanes.heal_map(1)[lane])
        if not lanes.better(value, self.at(healed, to)):
            yield self, healed, to
        if 0 < self.dodge_cost <= funds:
            dodged = lanes.pay(purse, self.dodge_cost) + DODGE
            if not lanes.better(value, self.at(dodged, lane)):
                yield self, dodged, lane
