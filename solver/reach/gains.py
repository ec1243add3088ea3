"""Loops that gain without cost: the player comes back to where she was with more than she had and nothing less."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from solver.reach.decide import Judge
from solver.reach.guards import NO, judge
from solver.reach.places import Edge
from solver.reach.scout import after
from solver.reach.search import Way
from solver.reach.vocabulary import Stopped
from story.state import State

MOST_STATES = 1_200
"""States looked at in each knot of places that lead to each other."""
MOST_TRIES = 6
"""Loops of a knot that are walked on the table before it is left at that."""


class Gain(NamedTuple):
    """What can be had for nothing: amount names, where, by which answers again and again; ``luck``: a die decides."""

    card: str
    amounts: tuple[str, ...]
    loop: list[str]
    luck: bool
    before: list[str]
    """Answers from the start of the campaign to where the loop begins."""


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
    """Sets of places that lead to each other and gain something on the way."""
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
    """Whether an edge adds to an amount or heals, or an encounter may."""
    return any(
        (op[0] == "a" and (op[2] > 0) is (op[1] != 0)) or (op[0] == "h" and any(rise for at, _, rise in op[3] if at))
        for op in edge.ops
    )


def _useful(judge_: Judge, number: int) -> list[Edge]:
    judge_.program.poll()
    kinds = ("watch", "stuck", "death", "care", "waste")
    return [
        edge
        for edge in judge_.program.edges(number)
        if edge.kind not in kinds and edge.label[:1] != ("tavern",) and edge.dst in judge_.holds
    ]


def _loops(judge_: Judge, knot: set[int], start: Way) -> Iterator[Gain]:
    program = judge_.program
    queue = deque([start])
    seen = {(start.place, start.flags, start.amounts)}
    tried = 0
    while queue and len(seen) < MOST_STATES:
        program.poll()
        way = queue.popleft()
        for edge in _useful(judge_, way.place):
            if edge.dst not in knot or judge(edge.guard, way.flags, -1, way.amounts, (), ()) == NO:
                continue
            for flags, amounts in after(program, edge.ops, way.flags, way.amounts):  # type: ignore[arg-type]
                key = (edge.dst, flags, amounts)
                if key in seen:
                    continue
                seen.add(key)
                then = Way(edge.dst, (flags, 0, amounts), way, edge)
                loop = _loop(start, then)
                if loop is not None:
                    gain = _confirmed(judge_, *loop)
                    if gain is not None:
                        yield gain
                        return
                    tried += 1
                    if tried >= MOST_TRIES:
                        return
                queue.append(then)


def _loop(start: Way, end: Way) -> tuple[list[Way], list[int]] | None:
    """The steps of a way that come back to its end with more and nothing less, and the amounts that are more."""
    steps: list[Way] = []
    fought = False
    way: Way | None = end
    while way is not None and way is not start and way.before is not None:
        steps.append(way)
        fought |= way.edge is not None and way.edge.label == ("fight",)
        way = way.before
        if way.place == end.place and way.flags == end.flags:
            better = [_better(i, old, new) for i, (old, new) in enumerate(zip(way.amounts, end.amounts, strict=True))]
            if fought:
                # An encounter resets AP: to have more of them than before is no gain that goes on.
                better[1] = min(0, better[1])
            if min(better) == 0 and max(better) > 0:
                return steps[::-1], [i for i, sign in enumerate(better) if sign]
    return None


def _better(amount: int, old: int | None, new: int | None) -> int:
    """1 if an amount is better than before, -1 if it is worse; of wounds fewer are better."""
    change = (new or 0) - (old or 0)
    return (change < 0) - (change > 0) if amount == 0 else (change > 0) - (change < 0)


def _confirmed(judge_: Judge, steps: list[Way], more: list[int]) -> Gain | None:
    """The gain, if the table walks the loop and could walk it again from there."""
    replay, program = judge_.replay, judge_.program
    end, begin = steps[-1], steps[0].before
    assert begin is not None
    first, played = replay.play(begin), replay.play(end)
    if first is None or played is None:
        return None
    before = replay.answers(first)
    loop = replay.answers(played)[len(before) :]
    labels = {step.edge.label[:1] for step in steps if step.edge is not None}
    fought = ("fight",) in labels
    if not _again(judge_, steps):
        return None
    if not (_richer(judge_, first[0], played[0], more) if fought else replay.repeats(played[0], loop)):
        return None
    names = tuple(program.names[i] for i in more)
    luck = bool(labels & {("fight",), ("roll",), ("pick",)})
    return Gain(program.places[end.place].card, names, loop, luck, before)


def _again(judge_: Judge, steps: list[Way]) -> bool:
    """Whether a loop can be walked until nothing more can be told of what it gains, its encounters ending as before."""
    amounts = steps[-1].amounts
    while True:
        before = amounts
        for step in steps:
            assert step.edge is not None
            assert step.before is not None
            if judge(step.edge.guard, step.before.flags, -1, amounts, (), ()) == NO:
                return False
            changes = zip(amounts, step.before.amounts, step.amounts, judge_.program.caps, strict=True)
            amounts = tuple(max(0, min(cap, (n or 0) + (new or 0) - (old or 0))) for n, old, new, cap in changes)
        if amounts == before:
            return True


def _richer(judge_: Judge, old: State, new: State, more: list[int]) -> bool:
    """Whether two states of the table differ in nothing but what has been gained (and AP, which encounters reset)."""
    program, library = judge_.program, judge_.program.library
    if (old.agenda, old.journey) != (new.agenda, new.journey):
        return False
    kept = ("events", "items", "actions")
    if any(getattr(old.hero, name) != getattr(new.hero, name) for name in kept):
        return False
    for i, name in enumerate(program.names):
        sign = _better(i, old.hero.amount(name, library), new.hero.amount(name, library))
        if sign < 0 or (i in more and not sign):
            return False
    return True
