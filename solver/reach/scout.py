"""A first, wide look: a breadth-first search in every detail that keeps what is new somewhere.

A state is followed only if some flag or amount has a value there that it never had at that place before. That is
incomplete, but it finds short ways to nearly everything in a number of states that grows with the sum, not the
product, of what can differ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from solver.reach.flow import Holds
from solver.reach.guards import NO, judge
from solver.reach.places import Op
from solver.reach.program import Program
from solver.reach.search import Limits, Way

Met = Callable[[str, Way], bool]
"""Told of a target that is met; True if it need not be met again."""


def scout(
    program: Program, holds: dict[int, Holds], wanted: set[str], met: Met, limits: Limits, keep: dict[int, list[Way]]
) -> None:
    """Search until everything wanted is met, nothing new is left or the limits are reached.

    ``keep`` receives the first few states of each place.
    """
    ops, hits, place = program.start
    flags, amounts = changed(program, ops, program.held, program.amounts)
    begin = Way(place, (flags, 0, amounts), None, None)
    on: dict[int, int] = {place: flags}
    off: dict[int, int] = {place: ~flags}
    seen: dict[int, list[int]] = {}
    width = range(len(amounts))
    read = program.read_flags

    def new(number: int, flags: int, amounts: tuple[int, ...]) -> bool:
        fresh = bool(flags & ~on.get(number, 0) or read & ~flags & ~off.get(number, 0))
        on[number] = on.get(number, 0) | flags
        off[number] = off.get(number, 0) | ~flags
        values = seen.get(number)
        if values is None:
            values = seen[number] = [0] * len(amounts)
            fresh = True
        for i in width:
            bit = 1 << amounts[i]
            if not values[i] & bit:
                values[i] |= bit
                fresh = True
        return fresh

    def meet(hits: tuple[str, ...], way: Way) -> None:
        for hit in hits:
            if hit in wanted and met(hit, way):
                wanted.discard(hit)

    new(place, flags, amounts)
    meet(hits, begin)
    queue = deque([begin])
    while queue and wanted and limits.take():
        way = queue.popleft()
        keep.setdefault(way.place, [])
        if len(keep[way.place]) < 3:
            keep[way.place].append(way)
        flags, amounts = way.flags, way.amounts  # type: ignore[assignment]
        for edge in program.places[way.place].edges:
            guard = edge.guard
            if guard[1] != () and judge(guard, flags, -1, amounts, (), ()) == NO:
                continue
            if edge.kind == "watch":
                meet(edge.hits, way)
                continue
            if edge.label[:1] == ("tavern",):
                continue
            for then_flags, then in after(program, edge.ops, flags, amounts):
                fresh = new(edge.dst, then_flags, then)
                if fresh or any(hit in wanted for hit in edge.hits):
                    further = Way(edge.dst, (then_flags, 0, then), way, edge)
                    meet(edge.hits, further)
                    if fresh:
                        queue.append(further)


def after(
    program: Program, ops: tuple[Op, ...], flags: int, amounts: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The states after some effects; of an encounter a few that it could leave behind."""
    if not ops:
        yield flags, amounts
        return
    place = next((i for i, op in enumerate(ops) if op[0] == "h"), None)
    if place is None:
        yield changed(program, ops, flags, amounts)
        return
    flags, amounts = changed(program, ops[:place], flags, amounts)
    for guess in dict.fromkeys(_guesses(program, ops[place], flags, amounts)):
        yield changed(program, ops[place + 1 :], *guess)


def _guesses(program: Program, op: Op, flags: int, amounts: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """A few things that an encounter could leave behind: nothing, each reward alone, all of them, wounds."""
    _, gains, losses, ranges = op
    yield flags, amounts
    changes = [gains, *(1 << i for i in range(gains.bit_length()) if gains >> i & 1)]
    for mask in changes:
        yield flags | mask, amounts
    for i in range(losses.bit_length()):
        if losses >> i & 1:
            yield flags & ~(1 << i), amounts
    for place, _, rises in ranges:
        most = program.caps[place] - (place == 0)
        most = min(most, amounts[place] + rises)
        if amounts[place] < most:
            for value in {amounts[place] + 1, most} if place == 0 else {amounts[place] + 1}:
                yield flags, (*amounts[:place], value, *amounts[place + 1 :])


def changed(program: Program, ops: tuple[Op, ...], flags: int, amounts: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The state after effects without an encounter among them."""
    if not ops:
        return flags, amounts
    listed = list(amounts)
    for op in ops:
        if op[0] == "s":
            flags = (flags | op[1]) & ~op[2]
        elif op[0] == "a":
            listed[op[1]] = max(0, min(program.caps[op[1]], listed[op[1]] + op[2]))
        elif op[0] == "=":
            listed[op[1]] = listed[op[2]]
    return flags, tuple(listed)
