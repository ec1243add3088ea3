"""Loops that gain without cost: the player comes back to where she was with more than she had and nothing less."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from solver.reach.decide import Judge
from solver.reach.guards import NO, judge
from solver.reach.places import Edge
from solver.reach.scout import changed
from solver.reach.search import Way
from solver.reach.vocabulary import Stopped

MOST_STATES = 1_200
"""States looked at in each knot of places that lead to each other."""


class Gain(NamedTuple):
    """What can be had for nothing: amount names, where, by which answers again and again; ``luck``: a die decides."""

    card: str
    amounts: tuple[str, ...]
    loop: list[str]
    luck: bool


def find_gains(judge_: Judge) -> list[Gain]:
    """The loops that the real table confirms by walking them twice."""
    found: dict[tuple[str, tuple[str, ...]], Gain] = {}
    try:
        for knot in _knots(judge_):
            start = min((number for number in knot if judge_.kept.get(number)), default=None)
            for way in judge_.kept[start] if start is not None else ():
                for gain in _loops(judge_, knot, way):
                    found.setdefault((gain.card, gain.amounts), gain)
    except Stopped:
        pass
    cards: dict[tuple[str, ...], Gain] = {}
    for gain in sorted(found.values(), key=lambda gain: (gain.luck, len(gain.loop))):
        if not any(set(gain.amounts) & set(amounts) and other.card == gain.card for amounts, other in cards.items()):
            cards.setdefault((gain.card, *gain.amounts), gain)
    return list(cards.values())


def _knots(judge_: Judge) -> Iterator[set[int]]:
    """Sets of places that lead to each other without an encounter, and gain something on the way."""
    import networkx as nx

    useful = {number: _useful(judge_, number) for number in judge_.holds}
    if not any(_gives(edge) for edges in useful.values() for edge in edges):
        return
    graph = nx.DiGraph()
    for number, edges in useful.items():
        graph.add_edges_from((number, edge.dst) for edge in edges)
    for knot in nx.strongly_connected_components(graph):
        if any(edge.dst in knot and _gives(edge) for number in knot for edge in useful[number]):
            yield knot


def _gives(edge: Edge) -> bool:
    """Whether an edge adds to an amount or heals."""
    return any(op[0] == "a" and (op[2] > 0) is (op[1] != 0) for op in edge.ops)


def _useful(judge_: Judge, number: int) -> list[Edge]:
    judge_.program.poll()
    kinds = ("watch", "stuck", "death", "care", "waste")
    return [
        edge
        for edge in judge_.program.edges(number)
        if edge.kind not in kinds and edge.label[:1] not in (("fight",), ("tavern",)) and edge.dst in judge_.holds
    ]


def _loops(judge_: Judge, knot: set[int], start: Way) -> Iterator[Gain]:
    program = judge_.program
    queue = deque([start])
    seen = {(start.place, start.flags, start.amounts)}
    while queue and len(seen) < MOST_STATES:
        program.poll()
        way = queue.popleft()
        for edge in _useful(judge_, way.place):
            if edge.dst not in knot or judge(edge.guard, way.flags, -1, way.amounts, (), ()) == NO:
                continue
            flags, amounts = changed(program, edge.ops, way.flags, way.amounts)  # type: ignore[arg-type]
            key = (edge.dst, flags, amounts)
            if key in seen:
                continue
            seen.add(key)
            then = Way(edge.dst, (flags, 0, amounts), way, edge)
            gain = _gain(judge_, start, then)
            if gain is not None:
                yield gain
                return
            queue.append(then)


def _gain(judge_: Judge, start: Way, end: Way) -> Gain | None:
    way = end.before
    luck = end.edge is not None and end.edge.label[:1] == ("roll",)
    while way is not None:
        if way.place == end.place and way.flags == end.flags:
            more = [
                i
                for i, (old, new) in enumerate(zip(way.amounts, end.amounts, strict=True))
                if old is not None and new is not None and (new < old if i == 0 else new > old)
            ]
            rest = [i for i in range(len(end.amounts)) if i not in more]
            if more and all(way.amounts[i] == end.amounts[i] for i in rest):
                return _confirmed(judge_, way, end, more, luck)
        if way is start:
            return None
        luck |= way.edge is not None and way.edge.label[:1] == ("roll",)
        way = way.before
    return None


def _confirmed(judge_: Judge, way: Way, end: Way, more: list[int], luck: bool) -> Gain | None:
    replay = judge_.replay
    played = replay.play(end)
    first = replay.play(way)
    if played is None or first is None:
        return None
    loop = replay.answers(played)[len(replay.answers(first)) :]
    state = played[0]
    if not replay.repeats(state, loop):
        return None
    names = tuple(judge_.program.names[i] for i in more)
    return Gain(judge_.program.places[end.place].card, names, loop, luck)
