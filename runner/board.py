"""The playfield drawn as lines: 11-15 at the top, 1-5 at the bottom (FIELD-1). Pure, like ``view``."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from runner.sentences import foe_name
from runner.terminal import clean
from runner.view import DIM, HEART, Line, Piece, fit, plain
from story.cards import Library
from story.playfield.field import Field, Foe

COLUMNS, ROWS = 5, 3
ORDER = "¹²³⁴⁵⁶⁷⁸⁹"

LEGEND = {
    "p": "poisoned",
    "s": "stunned",
    "r": "rage",
    "d": "dash",
    "b": "block used",
    "c": "calls another",
    "g": "dodge ready",
}
"""Marks on the playfield, by their letters."""


class Space(NamedTuple):
    """What one space shows."""

    number: int
    kind: str = ""
    """``hero foe terrain disc`` or empty."""
    name: str = ""
    who: str = ""
    """The name that answers use."""
    left: int = 0
    """Wounds left before it falls."""
    order: int = 0
    """Its place in the enemies' turns, 1 first (ENC-5); 0: none."""
    marks: tuple[str, ...] = ()
    ground: str = ""
    """Terrain, also under a character."""
    classes: tuple[str, ...] = ()
    cross: bool = False
    """Nothing may start here (FIELD-4)."""


class Lights(NamedTuple):
    """What is lit while an action is aimed."""

    targets: frozenset[int] = frozenset()
    lobbed: frozenset[int] = frozenset()
    cursor: int = 0
    chosen: tuple[int, ...] = ()
    lines: tuple[tuple[int, str], ...] = ()
    """Spaces on the line of attack to the cursor, with the stroke that runs through them."""
    looked_at: int = 0
    labels: tuple[tuple[int, str], ...] = ()
    """The digit that takes each target."""


NO_LIGHTS = Lights()


def foe_marks(foe: Foe) -> tuple[str, ...]:
    """An enemy's marks as letters, a number behind what adds up."""
    marks = ["p"] * foe.poisoned + ["s"] * foe.stunned
    if foe.rage:
        marks.append(f"r{foe.rage}")
    if foe.dash:
        marks.append(f"d{foe.dash}")
    return (*marks, *["b"] * foe.block_used, *["c"] * foe.recruits)


def hero_marks(field: Field) -> tuple[str, ...]:
    """Rangitaki's marks: poisoned, no step now or next, dodges ready."""
    marks = ["p"] * field.poisoned + ["s"] * (field.no_step or field.stunned)
    return (*marks, *([f"g{field.dodges}"] if field.dodges else []))


def spaces(field: Field, library: Library) -> dict[int, Space]:
    """Every space with who and what is on it."""
    order = {foe.name: place for place, foe in enumerate(field.by_space(), 1)}
    shown: dict[int, Space] = {}
    for number in range(1, COLUMNS * ROWS + 1):
        ground = field.board.ground_at.get(number)
        space = Space(number, cross=number in field.board.no_start)
        if ground is not None:
            title = clean(ground.card.name)
            classes = tuple(sorted(ground.card.classes))
            space = space._replace(kind="terrain", name=title, who=ground.name, ground=title, classes=classes)
        if number in field.board.blocked:
            space = space._replace(kind="disc", name="blocked")
        foe = field.foe_at(number)
        if foe is not None:
            card = library.enemies[foe.card]
            space = space._replace(
                kind="foe",
                name=clean(foe_name(foe, library)),
                who=foe.name,
                left=card.wounds - foe.wounds,
                order=order[foe.name],
                marks=foe_marks(foe),
            )
        elif number == field.hero:
            space = space._replace(kind="hero", name="YOU", who="", marks=hero_marks(field))
        shown[number] = space
    return shown


def legend(field: Field, library: Library) -> str:
    """The letters on the playfield now, in words; empty if there are none."""
    letters = dict.fromkeys(mark[0] for space in spaces(field, library).values() for mark in space.marks)
    parts = [f"{letter} {LEGEND[letter]}" for letter in sorted(letters)]
    return "  ".join(parts)


def stroke(start: int, end: int) -> tuple[tuple[int, str], ...]:
    """The spaces strictly between two spaces of a straight line, with the stroke through them; empty off the lines."""
    (x0, y0), (x1, y1) = _place(start), _place(end)
    dx, dy = x1 - x0, y1 - y0
    if not (dx == 0 or dy == 0 or abs(dx) == abs(dy)) or (dx, dy) == (0, 0):
        return ()
    steps = max(abs(dx), abs(dy))
    sx, sy = dx // steps, dy // steps
    mark = "─" if sy == 0 else "│" if sx == 0 else "╱" if sx == sy else "╲"
    return tuple(((y0 + sy * i) * COLUMNS + x0 + sx * i + 1, mark) for i in range(1, steps))


def _place(space: int) -> tuple[int, int]:
    return (space - 1) % COLUMNS, (space - 1) // COLUMNS


# ---------------------------------------------------------------- drawing


def size(cell_width: int, cell_height: int) -> tuple[int, int]:
    """Columns and rows of the whole playfield, frames included."""
    return COLUMNS * (cell_width + 1) + 1, ROWS * (cell_height + 1) + 1


def space_at(x: int, y: int, cell_width: int, cell_height: int) -> int:
    """The space under a place in the drawing; 0 outside."""
    column, row = (x - 1) // (cell_width + 1), (y - 1) // (cell_height + 1)
    if x < 0 or y < 0 or not (0 <= column < COLUMNS and 0 <= row < ROWS):
        return 0
    return (ROWS - 1 - row) * COLUMNS + column + 1


def board_lines(
    shown: dict[int, Space], lights: Lights, cell_width: int, cell_height: int, legend: str = ""
) -> tuple[Line, ...]:
    """The playfield with its frames: the number of each space in the frame above it, the legend in the lowest."""
    lines: list[Line] = []
    for row in range(ROWS):
        numbers = range((ROWS - 1 - row) * COLUMNS + 1, (ROWS - row) * COLUMNS + 1)
        lines.append(_frame(row, numbers, shown, lights, cell_width))
        cells = [_cell(shown[number], lights, cell_width, cell_height) for number in numbers]
        for y in range(cell_height):
            line: list[Piece] = []
            for number, cell in zip(numbers, cells, strict=True):
                line += [_edge(number, numbers, lights), *cell[y]]
            lines.append((*line, ("│", "$frame")))
    foot = plain(_frame(ROWS, range(0), shown, lights, cell_width))
    text = fit(f" {legend} ", len(foot) - 4) if legend else ""
    lines.append(((foot[:2], "$frame"), (text, DIM), (foot[2 + cell_len(text) :], "$frame")))
    return tuple(lines)


def _edge(number: int, row: range, lights: Lights) -> Piece:
    return "│", "$frame"


def _frame(row: int, numbers: range, shown: dict[int, Space], lights: Lights, width: int) -> Line:
    left, middle, right = ("╭┬╮", "├┼┤", "├┼┤", "╰┴╯")[row]
    if not numbers:
        return ((left + middle.join(["─" * width] * COLUMNS) + right, "$frame"),)
    labels = dict(lights.labels)
    pieces: list[Piece] = []
    for i, number in enumerate(numbers):
        pieces.append((left if i == 0 else middle, "$frame"))
        text = f" {number} "
        style = _number_style(number, lights)
        label = f" {labels[number]} " if number in labels else ""
        cross = " ✕ " if shown[number].cross and not label else ""
        fill = width - cell_len(text) - cell_len(label) - cell_len(cross) - 1
        pieces += [
            (text, style),
            ("─" * fill, "$frame"),
            (label, "bold reverse $accent" if number == lights.cursor else "bold $accent"),
            (cross, DIM),
            ("─", "$frame"),
        ]
    pieces.append((right, "$frame"))
    return tuple(piece for piece in pieces if piece[0])


def _number_style(number: int, lights: Lights) -> str:
    if number == lights.cursor or number in lights.chosen:
        return "bold $accent"
    if number in lights.targets:
        return "$accent"
    return "bold" if number == lights.looked_at else DIM


def _ground_style(space: Space, lights: Lights) -> str:
    if space.number == lights.cursor:
        return " on $lit-strong"
    if space.number in lights.chosen:
        return " on $lit-strong"
    if space.number in lights.targets:
        return " on $lit"
    if space.kind == "terrain":
        return " on $ground"
    if space.kind == "hero":
        return " on $hero-ground"
    if space.number == lights.looked_at:
        return " on $row"
    return ""


def _cell(space: Space, lights: Lights, width: int, height: int) -> tuple[Line, ...]:
    back = _ground_style(space, lights)
    aiming = bool(lights.targets)
    strokes = dict(lights.lines)
    name_style = {"hero": "bold $hero", "foe": "bold $foe", "terrain": "$terrain", "disc": DIM}.get(space.kind, "")
    if aiming and space.kind == "foe" and space.number not in lights.targets:
        name_style = DIM
    rows: list[tuple[Line, Line]] = []
    match space.kind:
        case "foe":
            order = ORDER[space.order - 1] if 0 < space.order <= len(ORDER) else ""
            rows.append((((fit_name(space.name, width - 2), name_style),), ()))
            pips = HEART * space.left if space.left <= width - 4 else f"{HEART}×{space.left}"
            rows.append((((pips, "$wound"),), ((order, "bold"),)))
            marks = " ".join(space.marks)
            rows.append((((marks, "bold $accent"),), ((fit(space.ground, width - 3 - len(marks)), "$terrain"),)))
        case "hero":
            rows.append((((space.name, name_style),), ()))
            rows.append((((" ".join(space.marks), "bold $accent"),), ()))
            rows.append((((fit(space.ground, width - 2), "$terrain"),), ()))
        case "terrain":
            rows.append((((space.name, name_style),), ()))
            for text in _class_rows(space.classes, width):
                rows.append((((text, DIM),), ()))
        case "disc":
            rows += [(((text, DIM),), ()) for text in ("╲╱", "╱╲", "blocked")]
    if space.number in strokes and space.kind in ("", "terrain"):
        middle = (height - 1) // 2
        while len(rows) <= middle:
            rows.append(((), ()))
        left, right = rows[middle]
        if not left:
            rows[middle] = ((((" " * ((width - 3) // 2)) + strokes[space.number], "bold $accent"),), right)
        else:
            rows[middle] = (left, ((strokes[space.number], "bold $accent"),))
    if space.number in lights.lobbed:
        while len(rows) < height:
            rows.append(((), ()))
        rows[height - 1] = (rows[height - 1][0], (("lob", "bold $accent"),))
    cells: list[Line] = []
    for y in range(height):
        left, right = rows[y] if y < len(rows) else ((), ())
        right = tuple(piece for piece in right if piece[0])
        room = width - 2 - sum(cell_len(text) for text, _ in right)
        line: list[Piece] = [(" ", back.strip())]
        for text, style in left:
            text = fit(text, room)
            room -= cell_len(text)
            line.append((text, (style + back).strip()))
        line.append((" " * max(0, room), back.strip()))
        line += [(text, (style + back).strip()) for text, style in right]
        line.append((" ", back.strip()))
        cells.append(tuple(piece for piece in line if piece[0]))
    return tuple(cells)


def fit_name(name: str, width: int) -> str:
    """A name cut to a width; the number of the second of a kind stays."""
    head, _, number = name.rpartition(" ")
    if cell_len(name) > width and number.isdigit():
        return fit(head, width - len(number)) + number
    return fit(name, width)


CLASS_WORDS = {"impassable": "no entry", "no-los": "no sight", "no-lob": "no lob"}


def _class_rows(classes: tuple[str, ...], width: int) -> tuple[str, ...]:
    words = [CLASS_WORDS[name] for name in ("impassable", "no-los", "no-lob") if name in classes]
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + len(word) + 2 <= width - 2:
            rows[-1] += f", {word}"
        else:
            rows.append(word)
    return tuple(rows)
