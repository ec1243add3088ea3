"""Looking for ways through the graph of places: in every detail, or with some flags and amounts left open.

What is left open is taken as anything that the invariants of the place allow, so whatever a complete search does not
meet cannot be met. Where a flag or amount is only ever asked for in one direction, states that are worse than another
one at the same place are dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from solver.reach.flow import Holds
from solver.reach.guards import NO, Amounts, failing, judge, literals
from solver.reach.hindsight import matters, needs
from solver.reach.places import Edge, Op
from solver.reach.program import Program
from story.cards import ALL

MOST_SPOILS = 192
"""Different outcomes of one encounter that are told apart; beyond them what differs is left open."""

Values = tuple[int, int, Amounts]
"""Flags that are on, flags that are left open, amounts (``None``: left open)."""


class Way:
    """A state that a search has met, and how: the last edge of a way from the start."""

    __slots__ = ("amounts", "before", "edge", "flags", "open", "place", "real")

    def __init__(self, place: int, values: Values, before: Way | None, edge: Edge | None) -> None:
        self.place = place
        self.flags, self.open, self.amounts = values
        self.before = before
        self.edge = edge
        self.real: Any = None
        """The state of the real table after the same answers, once somebody has asked for it."""

    def steps(self) -> list[Way]:
        """From the first edge to this one."""
        found = []
        way: Way | None = self
        while way is not None and way.edge is not None:
            found.append(way)
            way = way.before
        return found[::-1]


class Limits:
    """How much may still be spent: states, a deadline, a caller who wants an end."""

    def __init__(self, states: int | None, over: Callable[[], bool]) -> None:
        self.left = states
        self.spent = 0
        self.over = over

    def take(self) -> bool:
        """Account for a state; False if nothing more may be spent."""
        if self.left is not None and self.spent >= self.left:
            return False
        self.spent += 1
        return bool(self.spent & 15) or not self.over()

    def done(self) -> bool:
        """Whether nothing more may be spent."""
        return (self.left is not None and self.spent >= self.left) or self.over()


def outcomes(program: Program, ops: tuple[Op, ...], values: Values, told: frozenset[int]) -> Iterator[Values]:
    """The states after some effects; ``told``: the amounts that are told apart."""
    flags, opened, amounts = values
    for at, op in enumerate(ops):
        kind = op[0]
        if kind == "s":
            on, off = op[1], op[2]
            flags = (flags | on) & ~off
            opened &= ~(on | off)
        elif kind == "a":
            place, n = op[1], op[2]
            value = amounts[place]
            if value is None:
                continue
            cap = program.caps[place]
            if value >= cap and -ALL < n < 0 and place in program.loose:
                for less in range(max(0, cap + n), cap + 1):
                    changed = (*amounts[:place], less, *amounts[place + 1 :])
                    yield from outcomes(program, ops[at + 1 :], (flags, opened, changed), told)
                return
            amounts = (*amounts[:place], max(0, min(cap, value + n)), *amounts[place + 1 :])
        elif kind == "=":
            place, other = op[1], op[2]
            if place in told:
                amounts = (*amounts[:place], amounts[other], *amounts[place + 1 :])
        else:
            for left in _spoils(program, op, (flags, opened, amounts)):
                yield from outcomes(program, ops[at + 1 :], left, told)
            return
    yield flags, opened, amounts


def _spoils(program: Program, op: Op, values: Values) -> Iterator[Values]:
    """What an encounter may leave behind, of all that is told apart."""
    flags, opened, amounts = values
    gains, losses = op[1] & ~flags & ~opened, op[2] & (flags | op[1]) & ~opened
    bits = [1 << i for i in range((gains | losses).bit_length()) if (gains | losses) >> i & 1]
    ranges: list[tuple[int, range]] = []
    count = 1 << len(bits)
    for place, falls, rises in op[3]:
        value = amounts[place]
        if value is not None:
            span = range(max(0, value - falls), max(value, min(program.caps[place] - (place == 0), value + rises)) + 1)
            ranges.append((place, span))
            count *= len(span)
    if count > MOST_SPOILS:
        for bit in bits:
            opened, flags = opened | bit, flags & ~bit
        listed = list(amounts)
        for place, span in ranges:
            if len(span) > 1:
                listed[place] = None
        yield flags, opened, tuple(listed)
        return
    for chosen in product((False, True), repeat=len(bits)):
        changed = flags
        for bit, on in zip(bits, chosen, strict=True):
            changed = changed | bit if on else changed & ~bit
        for picked in product(*(span for _, span in ranges)):
            listed = list(amounts)
            for (place, _), value in zip(ranges, picked, strict=True):
                listed[place] = value
            yield changed, opened, tuple(listed)


class Towards:
    """What of the graph matters for certain targets, whatever is told apart on the way there. Raises Stopped."""

    def __init__(self, program: Program, holds: dict[int, Holds], wanted: Iterable[str]) -> None:
        self.wanted = frozenset(wanted)
        self.edges = relevant(program, holds, self.wanted)
        self.needs = needs(program, self.edges, self.wanted)
        self.matters = matters(program, self.edges)


class Search:
    """A breadth-first search with certain flags and amounts told apart, the others left open."""

    def __init__(
        self, program: Program, holds: dict[int, Holds], flags: int, amounts: frozenset[int], towards: Towards
    ) -> None:
        self.program = program
        self.holds = holds
        self.flags = flags
        self.amounts = amounts
        self.wanted = set(towards.wanted)
        self.found: dict[str, Way] = {}
        self.complete = False
        self._edges = towards.edges
        self._needs = towards.needs
        self._matters = towards.matters
        self._directions()

    def _directions(self) -> None:
        """Which flags and amounts are asked for in one direction only; what nothing asks for is not compared."""
        up = down = 0
        more: set[int] = set()
        less: set[int] = set()
        resets: set[tuple[int, int]] = set()
        healing: list[Edge] = []
        for edges in self._edges.values():
            for edge in edges:
                heals = edge.kind == "care" and not any(op[0] == "a" and op[2] > 0 for op in edge.ops)
                healing += [edge] * heals
                resets |= {(op[1], op[2]) for op in edge.ops if op[0] == "="}
                for kind, name, n in literals(edge.guard):
                    if kind == "f":
                        up, down = (up | name, down) if n else (up, down | name)
                    elif kind == "l":
                        less.add(name)
                    elif not (heals and name == 0):
                        more.add(name)
        for amount, source in resets:
            if amount in more:
                more.add(source)
            if amount in less:
                less.add(source)
        # A hero with fewer wounds needs no healing: that care asks for wounds is no use of them, unless what it costs
        # is better spent.
        if any(op[1] in less for edge in healing for op in edge.ops if op[1]):
            more.add(0)
        self._up, self._down = up & ~down & self.flags, down & ~up & self.flags
        self._mixed = up & down & self.flags
        self._exact = tuple(sorted(self.amounts & more & less))
        self._rising = tuple(sorted(self.amounts & (more - less)))
        self._falling = tuple(sorted(self.amounts & (less - more)))

    def begin(self) -> Way:
        """Where the campaign starts."""
        ops, _, place = self.program.start
        amounts = tuple(value if i in self.amounts else None for i, value in enumerate(self.program.amounts))
        flags, opened, amounts = next(outcomes(self.program, ops, (self.program.held, 0, amounts), self.amounts))
        return Way(place, (flags & self.flags, opened, amounts), None, None)

    def run(self, limits: Limits) -> bool:
        """Search until everything wanted is found or nothing is left; whether it was complete."""
        begin = self.begin()
        for hit in self.program.start[1]:
            self._hit(hit, begin)
        queue = deque([begin])
        seen: dict[Any, list[Any]] = {}
        self._fresh(begin, seen)
        while queue and self.wanted:
            if not limits.take():
                return False
            way = queue.popleft()
            for edge, values in self._on(way):
                then = Way(edge.dst, values, way, edge)
                for hit in edge.hits:
                    self._hit(hit, then)
                if self._fresh(then, seen):
                    queue.append(then)
        self.complete = not queue
        return self.complete

    def _on(self, way: Way) -> Iterator[tuple[Edge, Values]]:
        mine = self.flags
        inside = self.holds[way.place]
        sure = ~(inside.on & inside.off)
        known = (mine & ~way.open) | (sure & ~mine)
        flags = way.flags | (inside.on & ~mine)
        for edge in self._edges.get(way.place, ()):
            if edge.guard[1] != () and judge(edge.guard, flags, known, way.amounts, inside.low, inside.high) == NO:
                continue
            if not edge.ops:
                yield edge, (way.flags, way.open, way.amounts)
                continue
            for new, opened, amounts in self._after(edge, way):
                yield edge, (new & mine, opened & mine, amounts)

    def _after(self, edge: Edge, way: Way) -> Iterator[Values]:
        reset = next((op for op in edge.ops if op[0] == "=" and op[1] in self.amounts), None)
        before = way.flags, way.open, way.amounts
        for flags, opened, amounts in outcomes(self.program, edge.ops, before, self.amounts):
            if reset is not None and amounts[reset[1]] is None:
                # What it was reset to is not told apart: anything within bounds.
                there = self.holds[edge.dst]
                for value in range(there.low[reset[1]], there.high[reset[1]] + 1):
                    yield flags, opened, (*amounts[: reset[1]], value, *amounts[reset[1] + 1 :])
            else:
                yield flags, opened, amounts

    def _hit(self, hit: str, way: Way) -> None:
        if hit in self.wanted:
            self.wanted.discard(hit)
            self.found[hit] = way

    def _fresh(self, way: Way, seen: dict[Any, list[Any]]) -> bool:
        """Whether no state met before is at least as good; worse ones are forgotten."""
        need = self._needs.get(way.place)
        if need is None or need.lacking(way.flags, self.flags & ~way.open, way.amounts):
            return False
        live, counted = self._matters[way.place]
        flags = way.flags & live
        amounts = [value if counted >> i & 1 else 0 for i, value in enumerate(way.amounts)]
        holes = tuple([i for i in (*self._rising, *self._falling) if amounts[i] is None])
        key = (way.place, flags & self._mixed, way.open & live, tuple([amounts[i] for i in self._exact]), holes)
        up, down = flags & self._up, flags & self._down
        better = [(amounts[i] or 0) for i in self._rising] + [-(amounts[i] or 0) for i in self._falling]
        kept = seen.get(key)
        if kept is None:
            seen[key] = [(up, down, better)]
            return True
        for other_up, other_down, other in kept:
            if not (up & ~other_up or other_down & ~down) and all(a >= b for a, b in zip(other, better, strict=True)):
                return False
        kept[:] = [
            entry
            for entry in kept
            if (entry[0] & ~up or down & ~entry[1]) or any(a > b for a, b in zip(entry[2], better, strict=True))
        ]
        kept.append((up, down, better))
        return True


def relevant(program: Program, holds: dict[int, Holds], wanted: Iterable[str]) -> dict[int, list[Edge]]:
    """The edges from which something wanted can still follow, by place."""
    targets = set(wanted)
    back: dict[int, list[int]] = {}
    ends: list[int] = []
    for number in holds:
        program.poll()
        for edge in program.places[number].edges:
            if targets.intersection(edge.hits):
                ends.append(number)
            elif edge.kind not in ("watch", "stuck") and edge.dst in holds and edge.dst != number:
                back.setdefault(edge.dst, []).append(number)
    near = set(ends)
    while ends:
        for source in back.get(ends.pop(), ()):
            if source not in near:
                near.add(source)
                ends.append(source)
    return {
        number: [
            edge
            for edge in program.places[number].edges
            if (edge.kind not in ("watch", "stuck") and edge.dst in near) or targets.intersection(edge.hits)
        ]
        for number in near
    }


def missing_in(program: Program, way: Way) -> tuple[int, frozenset[int]] | None:
    """Walk a way in every detail: the flags and amounts for want of which it cannot be walked, None if it can."""
    found = walked(program, way)
    return found if isinstance(found[1], frozenset) else None


def walked(program: Program, way: Way) -> tuple[int, tuple[int, ...]] | tuple[int, frozenset[int]]:
    """The flags and amounts at the end of a way; a set of amounts instead: what it lacks, as in ``missing_in``."""
    ops, _, _ = program.start
    flags, amounts = program.held, program.amounts
    flags, amounts = _first(program, ops, flags, amounts, None)
    for step in way.steps():
        edge = step.edge
        assert edge is not None
        if judge(edge.guard, flags, -1, amounts, (), ()) == NO:
            lacking, short = 0, set()
            for literal in failing(edge.guard, flags, amounts):
                if literal[0] == "f":
                    lacking |= literal[1]
                else:
                    short.add(literal[1])
            return lacking, frozenset(short)
        flags, amounts = _first(program, edge.ops, flags, amounts, step)
    return flags, amounts


def _first(program: Program, ops: tuple[Op, ...], flags: int, amounts: Any, step: Way | None) -> tuple[int, Any]:
    """One state after some effects; an encounter leaves behind what the way says, and nothing else changes."""
    for op in ops:
        kind = op[0]
        if kind == "s":
            flags = (flags | op[1]) & ~op[2]
        elif kind == "a":
            value = max(0, min(program.caps[op[1]], amounts[op[1]] + op[2]))
            amounts = (*amounts[: op[1]], value, *amounts[op[1] + 1 :])
        elif kind == "=":
            amounts = (*amounts[: op[1]], amounts[op[2]], *amounts[op[1] + 1 :])
        elif step is not None:
            told = (op[1] | op[2]) & ~step.open
            flags = (flags & ~(told & op[2] & ~step.flags)) | (step.flags & told & op[1])
            listed = list(amounts)
            for place, _, _ in op[3]:
                value = step.amounts[place]
                if value is not None:
                    listed[place] = value
            amounts = tuple(listed)
    return flags, amounts
