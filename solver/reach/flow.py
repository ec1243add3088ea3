"""What holds at each place whenever the game stands there: flags that may be on or off, bounds of each amount.

A fixpoint over the graph. It is an over-approximation: a place that it does not meet cannot be met in play.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from solver.reach.guards import NO, Guard, judge
from solver.reach.places import Op
from solver.reach.program import Program
from story.cards import ALL


class Holds(NamedTuple):
    """At a place: masks of flags that may be on and that may be off, least and most of each amount."""

    on: int
    off: int
    low: tuple[int, ...]
    high: tuple[int, ...]


def invariants(program: Program) -> dict[int, Holds]:
    """For each place that can be met, what holds there. Raises Stopped."""
    ops, _, first = program.start
    begin = after(program, ops, Holds(program.held, ~program.held, program.amounts, program.amounts))
    found = {first: begin}
    queue = deque([first])
    queued = {first}
    while queue:
        program.poll()
        here = queue.popleft()
        queued.discard(here)
        holds = found[here]
        for edge in program.edges(here):
            if edge.kind == "watch":
                continue
            inside = assume(edge.guard, holds)
            if inside is None:
                continue
            then = after(program, edge.ops, inside)
            old = found.get(edge.dst)
            new = then if old is None else _joined(old, then)
            if new != old:
                found[edge.dst] = new
                if edge.dst not in queued:
                    queued.add(edge.dst)
                    queue.append(edge.dst)
    return found


def may(guard: Guard, holds: Holds) -> int:
    """The verdict of a guard over everything that may be."""
    known = ~(holds.on & holds.off)
    return judge(guard, holds.on, known, (None,) * len(holds.low), holds.low, holds.high)


def assume(guard: Guard, holds: Holds) -> Holds | None:
    """What holds beyond a guard; None if it never does."""
    kind = guard[0]
    if kind == "f":
        bit = guard[1]
        if guard[2]:
            return holds._replace(off=holds.off & ~bit) if holds.on & bit else None
        return holds._replace(on=holds.on & ~bit) if holds.off & bit else None
    if kind in "gl":
        place, n = guard[1], guard[2]
        low, high = holds.low[place], holds.high[place]
        if kind == "g":
            if high < n:
                return None
            return holds if low >= n else holds._replace(low=(*holds.low[:place], n, *holds.low[place + 1 :]))
        if low > n:
            return None
        return holds if high <= n else holds._replace(high=(*holds.high[:place], n, *holds.high[place + 1 :]))
    if kind == "&":
        inside: Holds | None = holds
        for part in guard[1]:
            inside = assume(part, inside)  # type: ignore[arg-type]
            if inside is None:
                return None
        return inside
    left = [part for part in guard[1] if may(part, holds) != NO]
    if not left:
        return None
    return assume(left[0], holds) if len(left) == 1 else holds


def after(program: Program, ops: tuple[Op, ...], holds: Holds) -> Holds:
    """What holds after some effects."""
    if not ops:
        return holds
    on, off, low, high = holds.on, holds.off, list(holds.low), list(holds.high)
    for op in ops:
        match op:
            case ("s", gained, lost):
                on, off = (on | gained) & ~lost, (off & ~gained) | lost
            case ("a", place, n):
                cap = program.caps[place]
                full = place in program.loose and high[place] >= cap and -ALL < n < 0
                low[place] = max(0, min(cap, low[place] + n))
                high[place] = cap if full else max(0, min(cap, high[place] + n))
            case ("=", place, other):
                low[place], high[place] = low[other], high[other]
            case _:
                on, off = on | op[1], off | op[2]
                for place, falls, rises in op[3]:
                    low[place] = max(0, low[place] - falls)
                    high[place] = max(high[place], min(program.caps[place] - (place == 0), high[place] + rises))
    return Holds(on, off, tuple(low), tuple(high))


def _joined(one: Holds, other: Holds) -> Holds:
    return Holds(
        one.on | other.on,
        one.off | other.off,
        tuple(map(min, one.low, other.low)),
        tuple(map(max, one.high, other.high)),
    )
