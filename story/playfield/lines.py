"""Spaces, distances, lines of attack and sight (FIELD-1, FIELD-2, LINE)."""

from __future__ import annotations

from story.cards import SPACES
from story.playfield.field import Field

COLUMNS, ROWS = 5, 3


def column(space: int) -> int:
    """0 to 4 from the left (FIELD-1)."""
    return (space - 1) % COLUMNS


def row(space: int) -> int:
    """0 to 2 from the player's side (FIELD-1)."""
    return (space - 1) // COLUMNS


def distance(a: int, b: int) -> int:
    """Orthogonal steps, obstacles ignored (FIELD-2)."""
    return abs(column(a) - column(b)) + abs(row(a) - row(b))


ADJACENT = {a: tuple(b for b in SPACES if distance(a, b) == 1) for a in SPACES}
"""The up to 4 orthogonal neighbours, lowest first (FIELD-2)."""

SURROUNDING = {
    a: tuple(b for b in SPACES if a != b and abs(column(a) - column(b)) <= 1 and abs(row(a) - row(b)) <= 1)
    for a in SPACES
}
"""The up to 8 neighbours, lowest first (FIELD-2)."""


def _between(a: int, b: int) -> tuple[int, ...] | None:
    across, up = column(b) - column(a), row(b) - row(a)
    if a == b or not (across == 0 or up == 0 or abs(across) == abs(up)):
        return None
    steps = max(abs(across), abs(up))
    stride = (across + COLUMNS * up) // steps
    return tuple(a + stride * i for i in range(1, steps))


BETWEEN = {(a, b): _between(a, b) for a in SPACES for b in SPACES}
"""The spaces strictly between two spaces on a line of attack; ``None`` where there is no such line (LINE-1)."""


def in_sight(field: Field, a: int, b: int) -> bool:
    """LINE-2: a line of attack without characters or No LOS terrain in between."""
    between = BETWEEN[a, b]
    if between is None:
        return False
    blind = field.board.no_sight
    return not any(space in blind or space == field.hero or field.foe_at(space) for space in between)


def in_lob(field: Field, a: int, b: int) -> bool:
    """LINE-3: a line of attack over anything but No Lob terrain."""
    between = BETWEEN[a, b]
    return between is not None and not any(space in field.board.no_lob for space in between)


def reaches(field: Field, range_: str, a: int, b: int) -> bool:
    """Whether an attack of that range or type reaches from one space to another (FOE-2, LINE-4, LINE-5)."""
    match range_:
        case "adjacent":
            return b in ADJACENT[a]
        case "surrounding":
            return b in SURROUNDING[a]
        case "sight" | "long":
            return in_sight(field, a, b)
        case "line" | "lob":
            return in_sight(field, a, b) or in_lob(field, a, b)
        case "full":
            return True
        case _:
            return False
