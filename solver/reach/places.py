"""The pieces of the graph: places where the game can stand, edges between them; and forgetting what nobody reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from solver.reach.guards import FALSE, TRUE, Guard, both, literals
from story.cards import CardRef, Span

Op = tuple[Any, ...]
"""``("s", set, clear)`` flags, ``("a", amount, n)`` added within bounds, ``("=", amount, other)``, and
``("h", may set, may clear, ((amount, may fall by, may rise by), …))``: what an encounter or a tavern leaves behind."""

Context = tuple[int, tuple[tuple[CardRef, tuple[int, ...]], ...], CardRef]
"""Chapter, the cards that wait below with what is left of them, the card being read."""

Flow = tuple[tuple[Op, ...], tuple[str, ...], int]
"""Effects, targets met, and the place where the game then stands."""


@dataclass(slots=True, eq=False)
class Edge:
    """One way on. ``label`` says how the table is answered; ``kind`` is ``care death stuck watch`` or empty."""

    src: int
    dst: int
    guard: Guard = TRUE
    ops: tuple[Op, ...] = ()
    label: tuple[Any, ...] = ()
    hits: tuple[str, ...] = ()
    kind: str = ""


@dataclass(slots=True, eq=False)
class Place:
    """Where the game can stand: on a card, with certain steps left to do.

    ``kind`` is ``ack choose roll window draw bite fight test wound tavern over``.
    """

    number: int
    kind: str
    card: str
    key: tuple[Any, ...]
    span: Span | None = None
    edges: list[Edge] = field(default_factory=list)


def slice_away(places: list[Place], poll: Callable[[], None]) -> tuple[int, frozenset[int]]:
    """Forget what no guard reads, and care that changes nothing that is read; what is read: flags and amounts.

    ``poll`` is called again and again, and may raise. Points wasted on a die are forgotten too unless having fewer of
    them can open something.
    """
    if not _asks_for_less(places, 1, poll):
        for place in places:
            poll()
            place.edges = [edge for edge in place.edges if edge.kind != "waste"]
    edges = [edge for place in places for edge in place.edges]
    flags = 0
    amounts: set[int] = set()
    for edge in edges:
        poll()
        if edge.kind != "care":
            for literal in literals(edge.guard):
                if literal[0] == "f":
                    flags |= literal[1]
                else:
                    amounts.add(literal[1])
    while True:
        more = set(amounts)
        for edge in edges:
            poll()
            if edge.kind == "care":
                if any(op[0] == "a" and op[1] in more for op in edge.ops):
                    more |= {literal[1] for literal in literals(edge.guard)}
            else:
                more |= {op[2] for op in edge.ops if op[0] == "=" and op[1] in more}
        if more == amounts:
            break
        amounts = more
    known: dict[tuple[Op, ...], tuple[Op, ...]] = {}
    for edge in edges:
        poll()
        if edge.ops not in known:
            known[edge.ops] = tuple(kept for op in edge.ops if (kept := _kept(op, flags, amounts)))
        edge.ops = known[edge.ops]
    for place in places:
        poll()
        place.edges = [edge for edge in place.edges if edge.kind != "care" or edge.ops]
    return flags, frozenset(amounts)


def _kept(op: Op, flags: int, amounts: set[int]) -> Op | None:
    match op:
        case ("s", on, off):
            return ("s", on & flags, off & flags) if (on | off) & flags else None
        case ("a", amount, _) | ("=", amount, _):
            return op if amount in amounts else None
        case _:
            kept = tuple(part for part in op[3] if part[0] in amounts)
            return ("h", op[1] & flags, op[2] & flags, kept) if (op[1] | op[2]) & flags or kept else None


def _asks_for_less(places: list[Place], amount: int, poll: Callable[[], None]) -> bool:
    """Whether having less of an amount can open something."""
    for place in places:
        poll()
        for edge in place.edges:
            if any(literal[0] == "l" and literal[1] == amount for literal in literals(edge.guard)):
                return True
    return False


def tidy(guard: Guard, most: int) -> Guard:
    """Without what always holds of an amount from 0 to ``most``; FALSE if it never can."""
    parts = []
    for literal in literals(guard):
        low, high = (literal[2], most) if literal[0] == "g" else (0, literal[2])
        if low > most or high < 0:
            return FALSE
        if low > 0 or high < most:
            parts.append(literal)
    return both(*parts)
