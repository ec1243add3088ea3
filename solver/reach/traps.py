"""Traps: states that the player can be in and from which no ending can be reached any more.

Wounds are taken to be survivable here: a hero about to die is no fault of the deck. Soft locks are told apart: a state
is a trap only if the game can go on for ever in it.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from solver.reach.decide import Judge
from solver.reach.guards import NO, YES, judge, literals
from solver.reach.places import Edge
from solver.reach.scout import changed
from solver.reach.search import Limits, Search, Towards, Way, walked
from solver.reach.vocabulary import Stopped

MOST_STATES = 60_000
MOST_DETAILS = 5_000
ROUNDS = 5


class Trap(NamedTuple):
    """A card on which the player is trapped, and answers that lead there."""

    card: str
    answers: list[str]


Node = tuple[int, int, int, tuple[int | None, ...]]
Detail = tuple[int, int, tuple[int, ...]]
"""A place, the flags that are on, all amounts."""


class _Graph(Search):
    """Every state of an abstraction, with every way on."""

    def __init__(self, judge_: Judge, flags: int, amounts: frozenset[int]) -> None:
        super().__init__(judge_.program, judge_.holds, flags, amounts, Towards(judge_.program, judge_.holds, ()))
        self._edges = {
            number: [
                edge
                for edge in judge_.program.edges(number)
                if edge.kind not in ("watch", "stuck") and edge.dst in judge_.holds
            ]
            for number in judge_.holds
        }
        self.ways: dict[Node, Way] = {}
        self.on: dict[Node, list[tuple[Edge, bool, list[Node]]]] = {}

    def explore(self, limits: Limits) -> bool:
        """Whether everything was built within the limits."""
        first = self.begin()
        queue = deque([first])
        self.ways[_node(first)] = first
        while queue:
            if not limits.take():
                return False
            way = queue.popleft()
            here: dict[int, tuple[Edge, bool, list[Node]]] = {}
            for edge, values in self._on(way):
                if edge.kind == "death":
                    continue
                then = Way(edge.dst, values, way, edge)
                node = _node(then)
                if node not in self.ways:
                    self.ways[node] = then
                    queue.append(then)
                here.setdefault(id(edge), (edge, self._sure(edge, way), []))[2].append(node)
            self.on[_node(way)] = list(here.values())
        return True

    def _sure(self, edge: Edge, way: Way) -> bool:
        inside = self.holds[way.place]
        mine = self.flags
        known = (mine & ~way.open) | (~(inside.on & inside.off) & ~mine)
        flags = way.flags | (inside.on & ~mine)
        return judge(edge.guard, flags, known, way.amounts, inside.low, inside.high) == YES


def _node(way: Way) -> Node:
    return way.place, way.flags, way.open, way.amounts


def find_traps(judge_: Judge) -> tuple[list[Trap], str]:
    """The traps that can be shown, and what kept it from being proven that there is no other; empty if it is."""
    try:
        return _found(judge_)
    except Stopped:
        return [], judge_.stopped_by()


def _found(judge_: Judge) -> tuple[list[Trap], str]:
    program = judge_.program
    if program.cut:
        return [], program.cut
    flags, amounts = 0, frozenset[int]()
    for _ in range(ROUNDS):
        graph = _Graph(judge_, flags, amounts)
        left = MOST_STATES if judge_.limits.left is None else judge_.limits.left - judge_.limits.spent
        limits = Limits(max(0, min(MOST_STATES, left)), judge_.limits.over)
        whole = graph.explore(limits)
        judge_.limits.spent += limits.spent
        if not whole:
            most = MOST_STATES if left >= MOST_STATES else judge_.limits.left
            return [], judge_.stopped_by() or f"{most:,} state{'s' * (most != 1)}"
        safe = _safe(judge_, graph)
        # Whoever is trapped goes on for ever where no ending is certain.
        if not _going_on(graph, set(graph.on) - safe):
            return [], ""
        doomed = _doomed(judge_, graph)
        traps, lacking, short = _shown(judge_, graph, doomed)
        if traps:
            return traps, "the search ends where it finds one"
        for node in graph.on.keys() - safe:
            program.poll()
            for edge in program.edges(node[0]):
                inside = judge_.holds[node[0]]
                known = ~(inside.on & inside.off)
                if edge.kind in ("watch", "care", "death") or program.places[node[0]].kind == "wound":
                    continue
                if judge(edge.guard, inside.on, known, (None,) * len(inside.low), inside.low, inside.high) == YES:
                    continue
                for literal in literals(edge.guard):
                    if literal[0] == "f":
                        lacking |= literal[1]
                    elif literal[1]:
                        short.add(literal[1])
        if not lacking & ~flags and not short - amounts:
            return [], "what cannot be told apart any further"
        flags |= lacking
        amounts = frozenset(amounts | short | ({2} if 1 in short else set()))
    return [], f"{ROUNDS} rounds of looking closer"


def _before(judge_: Judge, graph: _Graph) -> dict[Node, list[Node]]:
    """The states from which each state can come next."""
    before: dict[Node, list[Node]] = {}
    for node, ways in graph.on.items():
        judge_.program.poll()
        for _, _, then in ways:
            for new in then:
                before.setdefault(new, []).append(node)
    return before


def _safe(judge_: Judge, graph: _Graph) -> set[Node]:
    """States from which an ending can be reached for certain, whatever is left open."""
    program = judge_.program
    before = _before(judge_, graph)
    safe = {node for node in graph.on if _ends(judge_, node)}
    waiting = list(safe)
    while waiting:
        program.poll()
        for node in before.get(waiting.pop(), ()):
            if node not in safe and _is_safe(program.places[node[0]].kind, judge_, node, graph.on[node], safe):
                safe.add(node)
                waiting.append(node)
    return safe


def _ends(judge_: Judge, node: Node) -> bool:
    place = judge_.program.places[node[0]]
    return place.kind == "over" and place.key[1] == "ending"


def _is_safe(kind: str, judge_: Judge, node: Node, ways: list[tuple[Edge, bool, list[Node]]], safe: set[Node]) -> bool:
    if kind in ("wound", "test", "fight"):
        on = [then for edge, _, then in ways if edge.kind != "care"]
        return bool(on) and all(new in safe for then in on for new in then)
    if any(sure and all(new in safe for new in then) for _, sure, then in ways):
        return True
    card = judge_.program.places[node[0]].card
    if kind == "choose" and judge_.verdicts.get(f"stuck {card}", "unreachable") == "unreachable":
        on = [then for edge, _, then in ways if edge.kind != "care"]
        return bool(on) and all(new in safe for then in on for new in then)
    return False


def _doomed(judge_: Judge, graph: _Graph) -> set[Node]:
    """States from which no ending can be reached for certain."""
    before = _before(judge_, graph)
    hopeful = {node for node in graph.on if _ends(judge_, node)}
    waiting = list(hopeful)
    while waiting:
        for node in before.get(waiting.pop(), ()):
            if node not in hopeful:
                hopeful.add(node)
                waiting.append(node)
    return set(graph.on) - hopeful


def _shown(judge_: Judge, graph: _Graph, doomed: set[Node]) -> tuple[list[Trap], int, set[int]]:
    """Traps that the real table shows; else the flags and amounts that the ways to them lack."""
    going = _going_on(graph, doomed)
    entrances = [
        node
        for node, way in graph.ways.items()
        if node in going and (way.before is None or _node(way.before) not in doomed)
    ]
    traps: dict[str, Trap] = {}
    lacking, short = 0, set[int]()
    for node in entrances[:40]:
        way = graph.ways[node]
        card = judge_.program.places[node[0]].card
        if card in traps:
            continue
        flags, rest = walked(judge_.program, way)
        if isinstance(rest, frozenset):
            lacking |= flags
            short |= rest - {0}
        elif not _endless(judge_, way.place, flags, rest):
            continue
        elif (played := judge_.replay.play(way)) is not None:
            traps[card] = Trap(card, judge_.replay.answers(played))
    return list(traps.values()), lacking, short


def _endless(judge_: Judge, place: int, flags: int, amounts: tuple[int, ...]) -> bool:
    """Whether a state that comes back to itself follows: a search in every detail, without encounters."""
    program = judge_.program

    def on(state: Detail) -> list[Detail]:
        place, flags, amounts = state
        return [
            (edge.dst, *changed(program, edge.ops, flags, amounts))
            for edge in program.edges(place)
            if edge.kind not in ("watch", "stuck", "death", "care")
            and edge.label[:1] != ("fight",)
            and judge(edge.guard, flags, -1, amounts, (), ()) != NO
        ]

    first: Detail = (place, flags, amounts)
    path = [(first, on(first))]
    open_, seen = {first}, {first}
    while path:
        state, left = path[-1]
        if not left:
            path.pop()
            open_.discard(state)
            continue
        then = left.pop()
        if then in open_:
            return True
        if then not in seen and len(seen) < MOST_DETAILS:
            seen.add(then)
            open_.add(then)
            path.append((then, on(then)))
    return False


def _going_on(graph: _Graph, inside: set[Node]) -> set[Node]:
    """The states of a set within which the game may go on for ever; care that changes nothing told apart cannot."""
    on = {
        node: [
            new
            for edge, _, then in graph.on[node]
            for new in then
            if new in inside and (edge.kind != "care" or new != node)
        ]
        for node in inside
    }
    count = {node: len(then) for node, then in on.items()}
    before: dict[Node, list[Node]] = {}
    for node, then in on.items():
        for new in then:
            before.setdefault(new, []).append(node)
    waiting = [node for node, n in count.items() if not n]
    gone = set(waiting)
    while waiting:
        for node in before.get(waiting.pop(), ()):
            count[node] -= 1
            if not count[node] and node not in gone:
                gone.add(node)
                waiting.append(node)
    return inside - gone
