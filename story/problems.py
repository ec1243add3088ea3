"""What is wrong with a deck, where, and how to mend it: problems, their text and their JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from story.cards import Span

Severity = Literal["error", "warning", "info"]

EXCERPT = 100
"""Terminal cells of a source line that are shown at most."""

LISTED = 8
"""Words of a long list that are shown."""

_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1"}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a deck.

    ``line`` and ``column`` count from 1 and are 0 where there is no file to point into; the end is exclusive.
    ``excerpt`` is the source line. Severities: ``error`` cannot be played as written, ``warning`` is surely not what
    the author wants, ``info`` is worth knowing.
    """

    id: str
    severity: Severity
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    hint: str = ""
    excerpt: str = ""

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sorts by file and place."""
        return (self.file, self.line, self.column, self.id, self.message)

    def headline(self, folder: str = "") -> str:
        """``file:line:column: severity: message [id]`` in one line; ``folder`` is where the file lies."""
        file = str(Path(folder, self.file)) if folder else self.file
        place = f"{file}:{self.line}:{self.column}" if self.line else file
        return printable(f"{place}: {self.severity}: {_short(self.message)} [{self.id}]")

    def text(self, color: bool = False, folder: str = "") -> str:
        """The headline, the source line with a caret, and how to mend it."""
        lines = [self.headline(folder)]
        if color:
            word = f"{self.severity}:"
            lines[0] = lines[0].replace(word, f"\x1b[{_COLOURS[self.severity]}m{word}\x1b[0m", 1)
        if self.line and self.excerpt.strip():
            end = self.end_column if self.end_line == self.line else len(self.excerpt) + 1
            shown, before, marked = _clip(self.excerpt, self.column - 1, max(self.column, end - 1))
            gutter = f"{self.line:>5} | "
            caret = "^" * max(1, marked)
            if color:
                caret = f"\x1b[{_COLOURS[self.severity]}m{caret}\x1b[0m"
            lines.append(gutter + shown)
            lines.append(" " * (len(gutter) - 2) + "| " + " " * before + caret)
        if self.hint:
            lines.append(f"      = {printable(_short(self.hint))}")
        return "\n".join(lines)

    def json(self) -> dict[str, Any]:
        """As in ``check --json``."""
        return {
            "id": self.id,
            "severity": self.severity,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
            "message": self.message,
            "hint": self.hint,
        }


class DeckError(Exception):
    """A deck that cannot be used: all its problems, sorted by file and line; ``folder`` is where its files lie."""

    def __init__(self, problems: Iterable[Problem], folder: str = "") -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.order))
        self.folder = folder
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(problem.text(folder=self.folder) for problem in self.problems)


def at(
    span: Span, id: str, severity: Severity, message: str, hint: str = "", lines: tuple[str, ...] | list[str] = ()
) -> Problem:
    """A problem at a place in a file; ``lines`` are the lines of that file."""
    excerpt = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
    return Problem(
        id, severity, span.file, span.line, span.column, span.end_line, span.end_column, message, hint, excerpt
    )


def _short(text: str) -> str:
    """The text with the beginnings alone of words that no author would write."""
    return re.sub(r"(\S{40})\S{60,}", r"\1…", text)


def near(name: str, known: Iterable[str]) -> str:
    """The known name most like ``name``, empty if none is like it."""
    import difflib

    names = [word for word in known if abs(len(word) - len(name)) <= max(2, len(name) // 2)]
    folded = {word.lower().replace("_", "-"): word for word in sorted(names, reverse=True)}
    found = difflib.get_close_matches(name.lower().replace("_", "-"), folded, 1, 0.65)
    return folded[found[0]] if found else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``did you mean X?``, or the names there are if none is near and they are few."""
    names = sorted(set(known))
    if best := near(name, names):
        return f"did you mean {best}?"
    if not names:
        return ""
    if len(names) <= 14:
        return f"known: {', '.join(names)}"
    return f"mend the name, or define it: none of the {len(names)} known is like it"


def near_number(n: int, known: Iterable[int]) -> str:
    """``did you mean 12?`` with the nearest number of a card, empty if there is none."""
    numbers = sorted(known)
    if not numbers:
        return ""
    best = min(numbers, key=lambda number: (abs(number - n), number))
    return f"did you mean {best}? If not, write card {n}"


def near_card(card: str, keys: Iterable[str]) -> str:
    """What to name instead of a card that is not there, ``2:99`` or ``heads:oto``, among those like ``2:14``.

    Of a number the nearest, in its chapter if there is such a one; of a name the one most like it; else which cards
    there are.
    """
    numbers: dict[str, list[int]] = {}
    named: list[str] = []
    for key in keys:
        deck, _, name = key.rpartition(":")
        if name.isdigit():
            numbers.setdefault(deck, []).append(int(name))
        else:
            named.append(key)
    deck, _, name = card.rpartition(":")
    if name.isascii() and name.isdigit() and len(name) < 8 and numbers:
        there = {deck: numbers[deck]} if deck in numbers else numbers
        pairs = [(number, chapter) for chapter, known in there.items() for number in known]
        number, chapter = min(pairs, key=lambda pair: abs(pair[0] - int(name)))
        return f"did you mean {chapter}:{number}?"
    if best := near(card, [*named, *(key.rpartition(":")[2] for key in named)]):
        return f"did you mean {best}?"
    ranges = [f"{chapter}:{min(known)} to {chapter}:{max(known)}" for chapter, known in numbers.items()]
    return f"its cards are {_listed([*ranges, *named])}"


def _listed(words: list[str]) -> str:
    """The first of the words, and how many more there are."""
    shown = ", ".join(words[:LISTED])
    return f"{shown} and {len(words) - LISTED} more" if len(words) > LISTED else shown


def printable(text: str) -> str:
    """The text in one line with nothing in it that a terminal would obey."""
    return "".join(_harmless(mark) for mark in text)


def _harmless(mark: str) -> str:
    if mark in "\t\n\r":
        return " "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") else mark


def _cells(mark: str) -> int:
    if unicodedata.combining(mark):
        return 0
    return 2 if unicodedata.east_asian_width(mark) in "WF" else 1


def _clip(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a line worth showing, cells before the mark, cells of the mark."""
    line = printable(line)
    first = 0
    if sum(map(_cells, line[:end])) > EXCERPT - 4:
        first = max(0, start - EXCERPT // 2)
    shown = line[first:]
    head = "…" if first else ""
    kept, cells = "", len(head)
    for mark in shown:
        cells += _cells(mark)
        if cells > EXCERPT - 1:
            kept += "…"
            break
        kept += mark
    before = len(head) + sum(map(_cells, line[first:start]))
    marked = min(sum(map(_cells, line[start:end])), EXCERPT - before)
    return head + kept, before, marked
