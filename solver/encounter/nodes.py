"""What can happen, as a graph of nodes: each gives its row for a purse, and where the best play leads from one lane.

Equal nodes are made once (``Nodes``), so whatever has the same future shares its rows. ``row(purse)`` is the value for
every lane before the node happens; ``follow(purse, lane)`` lists what may happen next from one lane: the probability
of each part, and the places that a best play may go on from, where it is hers to choose. The nodes here know on which
space she is; those of ``roaming`` serve for all of her spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from solver.encounter.lanes import AP, DODGE, DODGES, FOODS, Lanes, Row, Value, mean

Place = tuple["Future | None", int, int]
"""(node, purse, lane); ``None`` as the node: the game is lost."""
Follow = list[tuple[float, Iterable[Place]]]
Choices = tuple[tuple[int, int], ...]
"""(price, outcome) pairs, what the die is for nothing first, then the cheapest."""


class Dealt(NamedTuple):
    """The faces with an outcome of their own."""

    own: int
    total: int
    changeable: int
    """How many of them can be changed."""
    faces: list[tuple[int, dict[int, int]]]
    """(how many, price of each outcome within reach) of those that can be changed."""
    offers: dict[int, list[tuple[int, int]]]
    """For each outcome within reach (price, how many faces), cheapest first."""


class Faces:
    """The faces of a D20 in groups of equal choices: how many, and the choices (CHAL-10). Compared by identity."""

    def __init__(self, groups: tuple[tuple[int, Choices], ...]) -> None:
        self.groups = groups
        self._dealt: dict[int, list[Dealt]] = {}
        self._within: dict[int, list[tuple[int, Choices]]] = {}

    def within(self, ap: int) -> list[tuple[int, Choices]]:
        """The groups as far as AP go: how many faces, and the choices."""
        ap = min(ap, 20)
        found = self._within.get(ap)
        if found is None:
            merged: dict[Choices, int] = {}
            for count, choices in self.groups:
                reached = tuple(choice for choice in choices if choice[0] <= ap)
                merged[reached] = merged.get(reached, 0) + count
            found = self._within[ap] = [(count, choices) for choices, count in merged.items()]
        return found

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
            dealt = found.get(own, Dealt(own, 0, 0, [], {}))
            prices = {outcome: price for price, outcome in choices[1:] if price <= ap}
            if prices:
                dealt.faces.append((count, prices))
            for outcome, price in prices.items():
                dealt.offers.setdefault(outcome, []).append((price, count))
            changeable = dealt.changeable + (count if prices else 0)
            found[own] = dealt._replace(total=dealt.total + count, changeable=changeable)
        for dealt in found.values():
            for offers in dealt.offers.values():
                offers.sort()
        return list(found.values())


class Future:
    """Something that happens, with everything after it."""

    __slots__ = ("lanes",)

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes

    def at(self, purse: int, lane: int) -> Value:
        """The value of one lane."""
        raise NotImplementedError

    def lead(self, purse: int, lane: int) -> Place | None:
        """The one place that it leads to, if it is nothing but a way there."""
        return None

    def safe(self, lane: int) -> bool:
        """Whether the game surely is not lost any more; not for every node that is it."""
        return False

    def follow(self, purse: int, lane: int) -> Follow:
        """Where it leads under the best play."""
        place = self.lead(purse, lane)
        assert place is not None
        return [(1.0, [place])]


class Node(Future):
    """Something that happens with her on a space that is known."""

    __slots__ = ("memo",)

    def __init__(self, nodes: Nodes) -> None:
        super().__init__(nodes.lanes)
        self.memo: dict[int, Row] = {}

    def row(self, purse: int) -> Row:
        """The value for every lane; equal rows are one object."""
        row = self.memo.get(purse)
        if row is None:
            row = self.memo[purse] = self.lanes.interned(self.work(purse))
        return row

    def fed(self, purse: int) -> Row:
        """The row where food that heals may be eaten first (HEAL-4)."""
        return self.lanes.sated(self.row(purse))

    def at(self, purse: int, lane: int) -> Value:
        """The value of one lane."""
        value: Value = self.row(purse)[lane].item()
        return value

    def work(self, purse: int) -> Row:
        """Work the row out."""
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
        """The objective; AP are of no more use."""
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
        return self.lanes.hope(purse, self.ap)


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
        rows = [node.fed if self.lanes.bites else node.row for node in self.outcomes]
        row = answered(self.lanes, self.faces, rows, purse)
        assert row is not None
        return row

    def fed(self, purse: int) -> Row:
        """The row: whoever sees a die may eat."""
        return self.row(purse)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answers to every face."""
        return followed(self.lanes, self.faces, self.outcomes, purse, lane)


def answered(
    lanes: Lanes,
    faces: Faces,
    rows: Sequence[Callable[..., Row]],
    purse: int,
    *where: int,
    instead: Row | None = None,
) -> Row | None:
    """The mean over the faces of the best answer to each.

    ``rows``: from a purse, and ``where``, to the row of each outcome, food that heals eaten first if that is better.
    ``instead``: what else she may do; ``None`` is the answer where nothing can be gained by this.
    """
    if lanes.snacking:
        return mean([(count / 20, _answer(lanes, choices, rows, purse, *where)) for count, choices in faces.groups])
    best_of, helps = lanes.best_of, lanes.helps
    base = [row(purse, *where) for row in rows]
    dealt = faces.dealt(purse & AP)
    counts: list[int] = []
    parts: list[Row] = []
    if instead is not None:
        # At best every face that can be changed is changed for nothing.
        for own, total, changeable, _, offers in dealt:
            row = base[own]
            if changeable:
                best = row
                for other in offers:
                    best = best_of(best, base[other])
                counts.append(changeable)
                parts.append(best)
            if total > changeable:
                counts.append(total - changeable)
                parts.append(row)
        if not helps(lanes.mixed(counts, parts), instead):
            return None
        counts, parts = [], []
    # More AP are never worse: an outcome that would be no better for nothing is never bought, and once a price is
    # too high for an outcome every higher one is.
    for own, rest, _, changes, offers in dealt:
        row = base[own]
        useful = [other for other in offers if helps(base[other], row)]
        if len(useful) == 1:
            wanted, unchanged = rows[useful[0]], row.tobytes()
            for price, count in offers[useful[0]]:
                part = best_of(row, wanted(purse - price, *where))
                if part.tobytes() == unchanged:
                    break
                counts.append(count)
                parts.append(part)
                rest -= count
        elif useful:
            for count, prices in changes:
                part = row
                for other in useful:
                    if other in prices:
                        part = best_of(part, rows[other](purse - prices[other], *where))
                counts.append(count)
                parts.append(part)
                rest -= count
        if rest:
            counts.append(rest)
            parts.append(row)
    return lanes.mixed(counts, parts)


def _answer(lanes: Lanes, choices: Choices, rows: Sequence[Callable[..., Row]], purse: int, *where: int) -> Row:
    """The best answer to a face where eating food that gives AP is an action of its own."""
    row = rows[choices[0][1]](purse, *where)
    for price, outcome in choices[1:]:
        if price > purse & AP:
            break
        row = lanes.best_of(row, rows[outcome](purse - price, *where))
    for snack in lanes.snacks(purse):
        row = lanes.best_of(row, _answer(lanes, choices, rows, snack, *where))
    return row


def followed(lanes: Lanes, faces: Faces, outcomes: Sequence[Future], purse: int, lane: int) -> Follow:
    """The best answers to every face of a D20."""
    better = lanes.better
    fed = [(left, to) for left in lanes.snacked(purse) for to in lanes.bitten(lane)]
    worth: dict[tuple[int, int], list[tuple[Value, Place]]] = {}
    follow: Follow = []
    for count, choices in faces.within(max(left & AP for left, _ in fed)):
        found: list[tuple[Value, Place]] = []
        for choice in choices:
            answers = worth.get(choice)
            if answers is None:
                price, outcome = choice
                node = outcomes[outcome]
                answers = worth[choice] = [
                    (node.at(left - price, to), (node, left - price, to)) for left, to in fed if price <= left & AP
                ]
            found += answers
        best = found[0][0]
        for value, _ in found:
            best = value if better(value, best) else best
        follow.append((count / 20, [place for value, place in found if not better(best, value)]))
    return follow


class Wounds(Node):
    """Rangitaki takes wounds; ``bite``: a last bite may come before them (HEAL-1, HEAL-4)."""

    __slots__ = ("bite", "n", "then")

    def __init__(self, nodes: Nodes, n: int, bite: bool, then: Node) -> None:
        super().__init__(nodes)
        self.n = n
        self.bite = bite
        self.then = then

    def row(self, purse: int) -> Row:
        """The row; where there is food it is the fed one that is asked for again."""
        return self.work(purse) if self.lanes.bites else Node.row(self, purse)

    def fed(self, purse: int) -> Row:
        """The row with food eaten before the wounds, worked out once."""
        if not self.lanes.bites:
            return self.row(purse)
        row = self.memo.get(purse)
        if row is None:
            row = self.memo[purse] = self.lanes.interned(self.lanes.fed(self.work(purse)))
        return row

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

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.then, purse, self.lanes.after_healing(lane, self.n)


class Points(Node):
    """Action Points gained or lost, never below 0 (ENC-4, AP-4)."""

    __slots__ = ("n", "then")

    def __init__(self, nodes: Nodes, n: int, then: Node) -> None:
        super().__init__(nodes)
        self.n = n
        self.then = then

    def work(self, purse: int) -> Row:
        """The row of the other purse."""
        return self.lanes.changed(self.then.row, purse, self.n)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.then, *self.lanes.change(purse, lane, self.n)


class Larder(Node):
    """A food gained or lost, within its bounds (HEAL-4)."""

    __slots__ = ("food", "n", "then")

    def __init__(self, nodes: Nodes, food: int, n: int, then: Node) -> None:
        super().__init__(nodes)
        self.food = food
        self.n = n
        self.then = then

    def work(self, purse: int) -> Row:
        """The row of another purse or moved by the packs."""
        return self.lanes.stocked(self.then.row, purse, self.food, self.n)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.then, *self.lanes.stock(purse, lane, self.food, self.n)


class Hit(Node):
    """An enemy's attack has hit: dodges one at a time, then the wounds (FOE-3, ACT-6).

    ``tries``: dodges that may still be used on it; ``windowed``: its wounds had their window, no last bite (HEAL-4).
    ``then`` is what follows with no wound left, with wounds.
    """

    __slots__ = ("_dodge", "faces", "hurt", "n", "nodes", "take", "tries", "unhurt", "windowed")

    def __init__(
        self, nodes: Nodes, faces: Faces, n: int, tries: int, windowed: bool, unhurt: Node, hurt: Node
    ) -> None:
        super().__init__(nodes)
        self.nodes = nodes
        self.faces = faces
        self.n = n
        self.tries = tries
        self.windowed = windowed
        self.unhurt = unhurt
        self.hurt = hurt
        self.take: Node = nodes.make(Wounds, n, not windowed, hurt) if n else unhurt
        self._dodge: Window | None = None

    @property
    def dodge(self) -> Window:
        """The roll for a dodge."""
        if self._dodge is None:
            make, faces, tries = self.nodes.make, self.faces, self.tries - 1
            failed = make(Hit, faces, self.n, tries, True, self.unhurt, self.hurt)
            saved = make(Hit, faces, self.n - 1, tries, True, self.unhurt, self.hurt)
            self._dodge = make(Window, faces, (failed, saved))
        return self._dodge

    def _dodges(self, purse: int) -> bool:
        """Whether a dodge may be used on it."""
        return bool(self.n and self.tries and purse & DODGES)

    def row(self, purse: int) -> Row:
        """Without a dodge as the wounds."""
        return Node.row(self, purse) if self._dodges(purse) else self.take.row(purse)

    def fed(self, purse: int) -> Row:
        """The row: whoever is asked about a dodge may eat."""
        return Node.row(self, purse) if self._dodges(purse) else self.take.fed(purse)

    def _refused(self, purse: int) -> Row:
        # Asked about a dodge she had a window; a bite comes only where there was none.
        if self.windowed or not isinstance(self.take, Wounds):
            return self.take.row(purse)
        return self.lanes.hurt(self.take.then.row(purse), self.n, purse)

    def work(self, purse: int) -> Row:
        """Use the next dodge or take the wounds; food may be eaten before the answer."""
        lanes = self.lanes
        row = lanes.best_of(self._refused(purse), self.dodge.row(purse - DODGE))
        for snack in lanes.snacks(purse):
            row = lanes.best_of(row, self.row(snack))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answers."""
        return [(1.0, self._best(purse, lane) if self._dodges(purse) else [(self.take, purse, lane)])]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
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
        lanes = self.lanes
        if not lanes.gives:
            return self.then.row(purse & FOODS | self.reset)
        return Node.row(self, lanes.rations(purse) * lanes.gives)

    def work(self, purse: int) -> Row:
        """The rows of all numbers of rations together."""
        lanes = self.lanes
        held = lanes.rations(purse)
        if held < lanes.most_rations:
            return lanes.settled(self.row(lanes.most_rations * lanes.gives), purse)
        return lanes.by_rations(lambda n: self.then.row(self.reset + n * lanes.gives), held)

    def begun(self, purse: int, lane: int) -> tuple[int, int]:
        """(purse, lane) at the start of the round."""
        lane = self.lanes.settle(purse, lane)
        return purse & FOODS | self.reset + lane % self.lanes.size // self.lanes.block * self.lanes.gives, lane

    def follow(self, purse: int, lane: int) -> Follow:
        """One place; what leads there may be asked whether other starts agree with it."""
        return [(1.0, [(self.then, *self.begun(purse, lane))])]


class EndOfTurn(Node):
    """Ending her turn, with what can wait for it: eating, and heals and dodges if nothing can tell when they came."""

    __slots__ = ("dodge_cost", "heals", "then")

    def __init__(self, nodes: Nodes, heals: bool, dodge_cost: int, then: Node) -> None:
        super().__init__(nodes)
        self.heals = heals
        self.dodge_cost = dodge_cost
        """0: dodges do not wait, or cannot be queued."""
        self.then = then

    def fed(self, purse: int) -> Row:
        """The row: eating comes before."""
        return self.row(purse)

    def work(self, purse: int) -> Row:
        """End, or heal or dodge once more."""
        row = self.then.row(purse)
        lanes, ap = self.lanes, purse & AP
        if ap and self.heals:
            row = lanes.best_of(row, lanes.healed(self.row(purse - 1), 1))
        if 0 < self.dodge_cost <= ap:
            row = lanes.best_of(row, self.row(purse - self.dodge_cost + DODGE))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best of all that."""
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        value = self.at(purse, lane)
        for node, left, to in self._places(purse, lane):
            if not self.lanes.better(value, node.at(left, to)):
                yield node, left, to

    def _places(self, purse: int, lane: int) -> Iterator[tuple[Node, int, int]]:
        lanes, ap = self.lanes, purse & AP
        yield self.then, purse, lane
        for after in lanes.bites_from(lane):
            yield self, purse, after
        if ap and self.heals:
            yield self, purse - 1, lanes.after_healing(lane, 1)
        if 0 < self.dodge_cost <= ap:
            yield self, purse - self.dodge_cost + DODGE, lane
