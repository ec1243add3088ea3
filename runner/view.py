"""What the screens show, as plain lines: pure functions from state and prompt to text with named styles.

Nothing here knows a screen. A line is a tuple of (text, style) pieces; a style is a name such as ``bold $physical``
that the theme gives its colour. Deck text is data all the way: it is cleaned of control characters and never read
as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from runner.terminal import clean
from story.cards import TALENTS, Library
from story.hero import TALENT_CAP, Hero
from story.prompts import Decide, Option, Over, Told

Piece = tuple[str, str]
Line = tuple[Piece, ...]

BLANK: Line = (("", ""),)
DIM = "$text-muted"
HEAD = "$text-muted bold"

HEART, LOST = "♥", "·"
DISC, HOLE = "●", "○"
POINT, NO_POINT = "◆", "·"

MOST_DICE = 4
"""Health dice that are drawn one by one: where she is always in view there is no room for more."""


# ---------------------------------------------------------------- text


def plain(line: Line) -> str:
    """A line's text alone."""
    return "".join(text for text, _ in line)


def width_of(line: Line) -> int:
    """Terminal cells that a line takes."""
    return sum(cell_len(text) for text, _ in line)


def fit(text: str, width: int) -> str:
    """Text cut to a width in cells, with an ellipsis where something is missing."""
    if cell_len(text) <= width:
        return text
    return head(text, width - 1).rstrip() + "…" if width > 0 else ""


def head(text: str, width: int) -> str:
    """As much of a text's beginning as a width in cells holds."""
    while text and cell_len(text) > width:
        text = text[:-1]
    return text


def spread(left: Line, right: Line, width: int) -> Line:
    """Left part at the left edge, right part at the right edge; the left part gives way."""
    room = width - width_of(right) - (1 if right else 0)
    pieces: list[Piece] = []
    for text, style in left:
        text = fit(text, room)
        room -= cell_len(text)
        if text:
            pieces.append((text, style))
    return (*pieces, (" " * (max(0, room) + (1 if right else 0)), ""), *right)


_EMPHASIS = re.compile(
    r"(?<!\w)(?:\*\*(?=\S)(.+?)(?<=\S)\*\*|\*(?=\S)(.+?)(?<=\S)\*|_(?=\S)(.+?)(?<=\S)_)(?!\w)", re.DOTALL
)
_BULLET = re.compile(r"(?:[-*+]|(\d+)[.)])\s+")


def emphasis(text: str, style: str = "") -> Line:
    """Markdown's ``*emphasis*`` and ``**strong**`` in one paragraph; everything else is taken literally."""
    pieces: list[Piece] = []
    end = 0
    for match in _EMPHASIS.finditer(text):
        if match.start() > end:
            pieces.append((text[end : match.start()], style))
        strong, *soft = match.groups()
        pieces.append((strong or soft[0] or soft[1], f"{style} {'bold' if strong else 'italic'}".strip()))
        end = match.end()
    if end < len(text):
        pieces.append((text[end:], style))
    return tuple(pieces)


def wrap(line: Line, width: int, first: str = "", rest: str = "") -> tuple[Line, ...]:
    """A line broken at spaces to ``width`` cells; ``first`` and ``rest`` are the indents of its rows."""
    rows: list[Line] = []
    row: list[Piece] = [(first, "")] if first else []
    used, empty, space = cell_len(first), True, ""
    words = [(word, style) for text, style in line for word in re.findall(r"\s+|[^\s]+", text)]
    for word, style in words:
        if word.isspace():
            space = " "
            continue
        while word:
            need = cell_len(word) + (len(space) if not empty else 0)
            if used + need <= width:
                break
            if not empty:
                rows.append(tuple(row))
                row, used, empty, space = ([(rest, "")] if rest else []), cell_len(rest), True, ""
                continue
            # A word longer than the row is cut.
            cut = head(word, width - used) or word[0]
            rows.append((*row, (cut, style)))
            word, row, used = word[len(cut) :], ([(rest, "")] if rest else []), cell_len(rest)
        if word:
            if not empty:
                row[-1] = (row[-1][0] + space, row[-1][1])
            if row and row[-1][1] == style:
                row[-1] = (row[-1][0] + word, style)
            else:
                row.append((word, style))
            used += need
            empty, space = False, ""
    if not empty or not rows:
        rows.append(tuple(row))
    return tuple(rows)


def prose(text: str, width: int, style: str = "") -> tuple[Line, ...]:
    """A card's text set to a width: paragraphs, emphasis and lists, a blank line between paragraphs."""
    lines: list[Line] = []
    for block in re.split(r"\n\s*\n", clean(text).strip("\n")):
        if not block.strip():
            continue
        if lines:
            lines.append(BLANK)
        items: list[tuple[str, str]] = []
        for source in block.split("\n"):
            stripped = source.strip()
            bullet = _BULLET.match(stripped)
            if bullet:
                mark = f"{bullet.group(1)}. " if bullet.group(1) else "• "
                items.append((mark, stripped[bullet.end() :]))
            elif items:
                items[-1] = (items[-1][0], f"{items[-1][1]} {stripped}")
            else:
                items.append(("", stripped))
        for mark, item in items:
            lines += wrap(emphasis(item, style), width, mark, " " * cell_len(mark))
    return tuple(lines)


# ---------------------------------------------------------------- what she holds


def health_dice(hero: Hero) -> Line:
    """The health dice from left to right: hearts left on each, a dot for a wound (HEAL-1, HEAL-2); many are counted."""
    if len(hero.health_dice) > MOST_DICE:
        left = hero.wound_limit - hero.wounds
        return ("[", DIM), (f"{HEART}×{left}", "$wound"), (f" {LOST}×{hero.wounds}", DIM), ("]", DIM)
    pieces: list[Piece] = []
    room = hero.wound_limit % 3 or 3  # of the leftmost; the others hold three
    for wounds in hero.health_dice:
        pieces += [("[", DIM), (HEART * (room - wounds), "$wound"), (LOST * wounds, DIM), ("]", DIM)]
        room = 3
    return tuple(piece for piece in pieces if piece[0])


def ap_discs(hero: Hero, most: int = 12) -> Line:
    """A full disc for each Action Point, an empty one up to the reset number (AP-1)."""
    full = min(hero.ap, most)
    empty = max(0, min(hero.ap_reset, most) - full)
    more = "+" if hero.ap > most else ""
    return ((DISC * full + more, "$ap"), (HOLE * empty, DIM))


def talent_points(hero: Hero, name: str) -> Line:
    """Five places, a diamond for each point (CHAL-4)."""
    points = hero.talent(name)
    return ((POINT * points, f"${name}"), (NO_POINT * (TALENT_CAP - points), DIM))


def satchel(hero: Hero, library: Library) -> tuple[tuple[str, int, int], ...]:
    """Each food's name, how many are held, how many can be."""
    return tuple((food.name, hero.satchel[i], food.holds) for i, food in enumerate(library.foods))


def names_of(ids: Iterable[str], cards: dict[str, str]) -> tuple[str, ...]:
    """Names of inventory cards, sorted; an id stands for itself if no card names it."""
    return tuple(sorted(clean(cards.get(id, id)) for id in ids))


def inventory(hero: Hero, library: Library) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Items, events and actions by their headings (INV-1 to INV-3)."""
    return (
        ("items", names_of(hero.items, {id: card.name for id, card in library.items.items()})),
        ("events", names_of(hero.events, {id: card.name for id, card in library.events.items()})),
        ("actions", names_of(hero.actions, {id: card.name for id, card in library.actions.items()})),
    )


def status(hero: Hero, library: Library, width: int, height: int) -> tuple[Line, ...]:
    """The column that is always in view: health, Action Points, talents, satchel, then inventories while room lasts."""

    def head(title: str, value: str = "") -> Line:
        return spread(((title, HEAD),), ((value, "bold"),) if value else (), width)

    lines: list[Line] = [
        head("HEALTH", f"{hero.wounds}/{hero.wound_limit} wounds"),
        health_dice(hero),
        head("ACTION POINTS", str(hero.ap)),
        ap_discs(hero, width - 1),
        head("TALENTS"),
        *(spread(((name, f"${name}"),), talent_points(hero, name), width) for name in TALENTS),
    ]
    foods = satchel(hero, library)
    if foods:
        lines.append(head("SATCHEL"))
    for name, held, holds in foods:
        boxes: Line = (("■" * held, "$food"), ("□" * (holds - held), DIM)) if holds <= 6 else ((f"{held}/{holds}", ""),)
        lines.append(spread(((clean(name).lower(), "" if held else DIM),), boxes, width))
    for name, held in zip(library.counters.values(), hero.counts, strict=True):
        lines.append(spread(((clean(name), ""),), ((str(held), "bold"),), width))
    roomy = height >= len(lines) + 14
    if roomy:
        lines = [row for i, line in enumerate(lines) for row in ((BLANK, line) if i and _is_head(line) else (line,))]
    for title, names in inventory(hero, library)[: 3 if roomy else 2]:
        if not names:
            continue
        room = height - len(lines) - 1
        if room < 1:
            break
        if roomy:
            lines.append(BLANK)
        rows = [row for name in names for row in wrap(((name, ""),), width, "", "  ")]
        if room < len(rows) and (roomy or title == "events"):
            rows = [*wrap(((", ".join(names), ""),), width)]
        lines.append(head(title.upper()))
        if len(rows) > room:
            rows = [*rows[: room - 1], (("… more: press i", DIM),)] if room > 0 else []
        lines += rows
    return tuple(lines[:height])


def _is_head(line: Line) -> bool:
    return bool(line) and line[0][1] == HEAD


def status_rows(hero: Hero, library: Library, width: int) -> tuple[Line, ...]:
    """Talents, foods and inventories in two rows, where there is no room for a column."""
    talents: list[Piece] = []
    for name in TALENTS:
        talents += [(name + " ", f"${name}"), *talent_points(hero, name), ("  ", "")]
    foods: list[Piece] = []
    for name, held, _ in satchel(hero, library):
        foods += [(f" {clean(name).lower()} ", "" if held else DIM), (str(held), "bold" if held else DIM), (" ", "")]
    kept = " · ".join(f"{title}: {', '.join(names)}" for title, names in inventory(hero, library)[:2] if names)
    first = tuple(talents)
    if width_of(first) + width_of(tuple(foods)) <= width:
        return spread(first, tuple(foods), width), ((fit(kept or "no items, no events", width), DIM),)
    return first, spread(((kept, DIM),), tuple(foods), width)


# ---------------------------------------------------------------- choices


class Row(NamedTuple):
    """One line of a list of choices."""

    key: str
    """What to press; empty if it is locked."""
    say: str
    note: str
    """Cost, need or consequence, at the right edge."""
    answer: str
    """Empty if it is locked."""
    kind: str = ""


CARE = ("heal", "eat")


def is_care(option: Option) -> bool:
    """Healing and eating have their own keys and stand in the status column."""
    return option.kind in CARE


def choice_rows(prompt: Decide) -> tuple[Row, ...]:
    """A card's choices in the card's order, open ones numbered from 1, locked ones with their reason (NAV-7)."""
    entries: list[tuple[int, Option | None, str, str]] = []
    for place, offered in enumerate(prompt.options):
        if not is_care(offered):
            words = offered.answer.split()
            at = int(words[1]) if words[0] == "choose" else place
            note = " · ".join(part for part in (offered.cost, offered.detail) if part)
            entries.append((at, offered, offered.say, note))
    entries += [(locked.place, None, locked.say, locked.reason) for locked in prompt.locked]
    rows, number = [], 0
    for _, option, say, note in sorted(entries, key=lambda entry: entry[0]):
        number += option is not None
        key = str(number) if option is not None and number <= 9 else ""
        answer = option.answer if option is not None else ""
        rows.append(Row(key, clean(say), clean(note), answer, option.kind if option is not None else "locked"))
    return tuple(rows)


def row_lines(row: Row, width: int, selected: bool) -> tuple[Line, ...]:
    """One choice set to a width: number, text wrapped beside it, note at the right edge of its first row."""
    open_ = bool(row.answer)
    ground = " on $row" if selected else ""
    say_style = (("bold" if selected else "") if open_ else DIM) + ground
    note_style = (("$ap" if "AP" in row.note else "$accent") if open_ else DIM) + ground
    note = f"locked: {row.note}" if row.kind == "locked" else row.note
    key = {"enter": "⏎"}.get(row.key, row.key) or "·"
    room = width - 4
    note_width = cell_len(note) + 2 if row.note else 0
    beside = note_width <= width // 2
    body = wrap(((row.say, say_style),), max(12, room - (note_width if beside else 0)))
    lines: list[Line] = []
    for i, line in enumerate(body):
        mark: Line = (
            (f" {key} ", ("bold $accent" if open_ else DIM) + ground) if i == 0 else ("   ", ground.strip()),
            (" ", ground.strip()),
        )
        end: Line = ((note + " ", note_style),) if i == 0 and beside and row.note else ()
        gap = width - width_of((*mark, *line, *end))
        lines.append((*mark, *line, (" " * max(0, gap), ground.strip()), *end))
    if row.note and not beside:
        for line in wrap(((note, note_style),), room):
            gap = width - 4 - width_of(line)
            lines.append((("    ", ground.strip()), *line, (" " * max(0, gap), ground.strip())))
    return tuple(lines)


def window_rows(prompt: Decide) -> tuple[Row, ...]:
    """The rows of an influence, dodge or last-bite window: the plain way on answers to enter, the others to numbers."""
    plain_way = default_answer(prompt)
    rows: list[Row] = []
    number = 0
    for option in prompt.options:
        note = " · ".join(part for part in (option.cost, option.detail if option.kind == "eat" else "") if part)
        if option.answer == plain_way:
            rows.insert(0, Row("enter", clean(option.say), clean(note), option.answer, option.kind))
        else:
            number += 1
            rows.append(Row(str(number), clean(option.say), clean(note), option.answer, option.kind))
    return tuple(rows)


def default_answer(prompt: Decide) -> str:
    """What enter means: the way on that spends nothing; empty if there is no such answer."""
    for answer in ("keep", "no dodge"):
        if any(option.answer == answer for option in prompt.options):
            return answer
    ways = [option for option in prompt.options if not is_care(option)]
    return ways[0].answer if len(ways) == 1 else ""


# ---------------------------------------------------------------- what is told

TOLD_STYLES = {
    "roll": "$accent",
    "wound": "$wound",
    "heal": "$success",
    "gain": "$success",
    "lose": "$warning",
    "defeat": "bold",
    "round": "bold",
    "move": "",
    "card": DIM,
    "effect": "",
}


def told_lines(told: Told, width: int, *, rules: bool = True, dim: bool = False) -> tuple[Line, ...]:
    """One sentence of what happened, the rule that decides it at the right edge."""
    style = DIM if dim else TOLD_STYLES.get(told.kind, "")
    rule = told.rule if rules else ""
    room = width - (cell_len(rule) + 2 if rule else 0)
    body = wrap(((clean(told.text), style),), max(20, room))
    end: Line = ((rule, DIM),) if rule else ()
    return (spread(body[0], end, width), *body[1:])


def story_news(told: Sequence[Told]) -> tuple[Told, ...]:
    """Of what was told since the last question, what a reader of cards wants to see: not which card was turned."""
    return tuple(one for one in told if one.kind not in ("card", "round"))


# ---------------------------------------------------------------- endings


def ending_words(over: Over) -> tuple[str, str]:
    """A heading and a sentence for the end of a game."""
    match over.kind:
        case "victory":
            return "Victory", over.title
        case "defeat":
            return "Defeat", over.title
        case "death":
            return "The ninth wound", "Rangitaki falls. The chapter remembers how it began, and so does undo."
        case "done":
            return "The encounter is over", over.title
        case "stuck":
            return "No way on", over.title
        case _:
            return "The end", over.title


def ending_rows(chapter: int, can_undo: bool) -> tuple[Row, ...]:
    """What can be done when nothing more is asked."""
    rows = [("restart", f"Begin chapter {chapter} again", "as it was then"), ("back", "Back to the title", "")]
    if can_undo:
        rows.insert(0, ("undo", "Take back the last answer", ""))
    return tuple(Row(str(i), say, note, command, "ending") for i, (command, say, note) in enumerate(rows, 1))


DICE_NAMES = {"d6": "D6", "d12": "D12", "d20": "D20", "place": "placement die", "pick": "50/50", "draw": "draw"}

PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def die_lines(die: str, shown: str, style: str = "") -> tuple[Line, ...]:
    """A die of five rows: a D6 with pips, the others with their number in the middle."""
    if die == "d6" and shown.isdigit() and int(shown) in PIPS:
        rows = [f"│ {pips} │" for pips in PIPS[int(shown)]]
        frame = ("╭───────╮", *rows, "╰───────╯")
    elif die in ("d20", "d12"):
        frame = ("  ╭───╮  ", " ╱     ╲ ", f"│{shown:^7}│", " ╲     ╱ ", "  ╰───╯  ")
    else:
        frame = ("╭───────╮", "│       │", f"│{shown:^7}│", "│       │", "╰───────╯")
    tail = DICE_NAMES.get(die, die)
    return (*(((row, style),) for row in frame), ((f"{tail:^9}", DIM),))
