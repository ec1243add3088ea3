"""Conditions in negation normal form, judged in three values: they hold, they do not, it depends.

A guard is a nested tuple: ``("f", bit, wanted)`` a flag, ``("g", amount, n)`` at least, ``("l", amount, n)`` at most,
``("&", guards)`` and ``("|", guards)``. ``bit`` is a bit of a flag mask, ``amount`` a place in the tuple of amounts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Guard = tuple[Any, ...]
Amounts = tuple[int | None, ...]

TRUE: Guard = ("&", ())
FALSE: Guard = ("|", ())

NO, YES, MAYBE = 0, 1, 2


def both(*guards: Guard) -> Guard:
    """All of them."""
    parts: list[Guard] = []
    for guard in guards:
        if guard == FALSE:
            return FALSE
        parts += guard[1] if guard[0] == "&" else (guard,)
    return parts[0] if len(parts) == 1 else ("&", tuple(parts))


def either(*guards: Guard) -> Guard:
    """At least one of them."""
    parts: list[Guard] = []
    for guard in guards:
        if guard == TRUE:
            return TRUE
        parts += guard[1] if guard[0] == "|" else (guard,)
    return parts[0] if len(parts) == 1 else ("|", tuple(parts))


def negated(guard: Guard) -> Guard:
    """The guard that holds exactly where this one does not."""
    match guard:
        case ("f", bit, wanted):
            return ("f", bit, not wanted)
        case ("g", amount, n):
            return ("l", amount, n - 1)
        case ("l", amount, n):
            return ("g", amount, n + 1)
        case ("&", parts):
            return either(*map(negated, parts))
        case _:
            return both(*map(negated, guard[1]))


def literals(guard: Guard) -> Iterator[Guard]:
    """The flags and amounts that a guard reads."""
    if guard[0] in "&|":
        for part in guard[1]:
            yield from literals(part)
    else:
        yield guard


def judge(guard: Guard, flags: int, known: int, amounts: Amounts, low: tuple[int, ...], high: tuple[int, ...]) -> int:
    """``NO``, ``YES`` or ``MAYBE``; ``known`` masks the flags that are known, unknown amounts lie within bounds."""
    kind = guard[0]
    if kind == "f":
        if known & guard[1]:
            return int(bool(flags & guard[1]) is guard[2])
        return MAYBE
    if kind == "g":
        n, value = guard[2], amounts[guard[1]]
        if value is not None:
            return int(value >= n)
        return YES if low[guard[1]] >= n else NO if high[guard[1]] < n else MAYBE
    if kind == "l":
        n, value = guard[2], amounts[guard[1]]
        if value is not None:
            return int(value <= n)
        return YES if high[guard[1]] <= n else NO if low[guard[1]] > n else MAYBE
    if kind == "&":
        found = YES
        for part in guard[1]:
            verdict = judge(part, flags, known, amounts, low, high)
            if verdict == NO:
                return NO
            if verdict == MAYBE:
                found = MAYBE
        return found
    found = NO
    for part in guard[1]:
        verdict = judge(part, flags, known, amounts, low, high)
        if verdict == YES:
            return YES
        if verdict == MAYBE:
            found = MAYBE
    return found


def failing(guard: Guard, flags: int, amounts: tuple[int, ...]) -> Iterator[Guard]:
    """The flags and amounts because of which a guard does not hold in a state that is wholly known."""
    if guard[0] in "&|":
        for part in guard[1]:
            yield from failing(part, flags, amounts)
    elif not judge(guard, flags, -1, amounts, (), ()):
        yield guard
