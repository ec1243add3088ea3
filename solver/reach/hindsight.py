"""Looking back from what is wanted: what a state must have at each place to get there, and what still matters.

Both are over-approximations: a state that lacks what is needed can be dropped, and so can differences that nothing
further on asks for.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from solver.reach.guards import Amounts, Guard, literals
from solver.reach.places import Edge, Op
from solver.reach.program import Program
from story.cards import ALL

Edges = dict[int, list[Edge]]


class Needs(NamedTuple):
    """Flags that must be on, flags that must be off, bounds of the amounts."""

    on: int
    off: int
    low: tuple[int, ...]
    high: tuple[int, ...]

    def lacking(self, flags: int, told: int, amounts: Amounts) -> bool:
        """Whether a state, of which the flags in ``told`` are known, cannot get there any more."""
        if self.on & told & ~flags or self.off & told & flags:
            return True
        for low, value, high in zip(self.low, amounts, self.high, strict=True):
            if value is not None and not low <= value <= high:
                return True
        return False


def needs(program: Program, edges: Edges, wanted: frozenset[str]) -> dict[int, Needs]:
    """For each place from which something wanted can follow, what it takes there."""
    width = len(program.amounts)
    free = Needs(0, 0, (0,) * width, (ALL,) * width)
    back: dict[int, list[int]] = {}
    for number, here in edges.items():
        for edge in here:
            if edge.dst != number:
                back.setdefault(edge.dst, []).append(number)
    found: dict[int, Needs] = {}
    waiting = deque(number for number, here in edges.items() if any(wanted.intersection(edge.hits) for edge in here))
    queued = set(waiting)
    while waiting:
        program.poll()
        number = waiting.popleft()
        queued.discard(number)
        old = found.get(number)
        new = old
        again = True
        while again:
            before = new
            for edge in edges[number]:
                after = free if wanted.intersection(edge.hits) else new if edge.dst == number else found.get(edge.dst)
                if after is None:
                    continue
                asked = _before(program, edge, after)
                if asked is not None:
                    new = asked if new is None else _joined(new, asked)
            again = new != before and any(edge.dst == number for edge in edges[number])
        if new != old and new is not None:
            found[number] = new
            for source in back.get(number, ()):
                if source not in queued:
                    queued.add(source)
                    waiting.append(source)
    return found


def _before(program: Program, edge: Edge, after: Needs) -> Needs | None:
    """What it takes before an edge; None if the edge cannot lead there."""
    on, off, low, high = after.on, after.off, list(after.low), list(after.high)
    for op in reversed(edge.ops):
        undone = _undone(program, op, on, off, low, high)
        if undone is None:
            return None
        on, off = undone
    for literal in _sure(edge.guard):
        if literal[0] == "f":
            on, off = (on | literal[1], off) if literal[2] else (on, off | literal[1])
        elif literal[0] == "g":
            low[literal[1]] = max(low[literal[1]], literal[2])
        else:
            high[literal[1]] = min(high[literal[1]], literal[2])
    if on & off or any(a > b for a, b in zip(low, high, strict=True)):
        return None
    return Needs(on, off, tuple(low), tuple(high))


def _sure(guard: Guard) -> tuple[Guard, ...]:
    """The literals that must hold for a guard to hold."""
    if guard[0] == "&":
        return tuple(literal for part in guard[1] for literal in _sure(part))
    return () if guard[0] == "|" else (guard,)


def _undone(program: Program, op: Op, on: int, off: int, low: list[int], high: list[int]) -> tuple[int, int] | None:
    match op:
        case ("s", gained, lost):
            if on & lost or off & gained & ~lost:
                return None
            return on & ~gained, off & ~lost
        case ("a", place, n):
            _unadded(program, place, n, low, high)
        case ("=", place, other):
            if place != other:
                low[other], high[other] = max(low[other], low[place]), min(high[other], high[place])
                low[place], high[place] = 0, ALL
        case _:
            for place, falls, rises in op[3]:
                low[place] = max(0, low[place] - rises)
                high[place] = min(ALL, high[place] + falls)
            return on & ~op[1], off & ~op[2]
    return on, off


def _unadded(program: Program, place: int, n: int, low: list[int], high: list[int]) -> None:
    cap = program.caps[place]
    if n > 0:
        low[place] = max(0, low[place] - n)
        high[place] = high[place] - n if high[place] < cap else ALL
    elif n < 0:
        if low[place] > 0:
            # An amount at its most stands for more where it is loose.
            most = cap if place in program.loose and n > -ALL else ALL
            low[place] = min(low[place] - n, most)
        high[place] = high[place] - n if high[place] - n < cap else ALL


def _joined(one: Needs, other: Needs) -> Needs:
    return Needs(
        one.on & other.on,
        one.off & other.off,
        tuple(map(min, one.low, other.low)),
        tuple(map(max, one.high, other.high)),
    )


def matters(program: Program, edges: Edges) -> dict[int, tuple[int, int]]:
    """For each place, masks of the flags and of the amounts that something from there on asks for."""
    back: dict[int, list[int]] = {}
    found: dict[int, tuple[int, int]] = {}
    for number, here in edges.items():
        program.poll()
        flags = amounts = 0
        for edge in here:
            back.setdefault(edge.dst, []).append(number)
            for literal in literals(edge.guard):
                if literal[0] == "f":
                    flags |= literal[1]
                else:
                    amounts |= 1 << literal[1]
            for op in edge.ops:
                if op[0] == "=":
                    amounts |= 1 << op[2]
        found[number] = flags, amounts
    waiting = list(edges)
    while waiting:
        program.poll()
        number = waiting.pop()
        flags, amounts = found[number]
        for source in back.get(number, ()):
            old = found[source]
            new = old[0] | flags, old[1] | amounts
            if new != old:
                found[source] = new
                waiting.append(source)
    return found
