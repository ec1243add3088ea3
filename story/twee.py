"""Twee 3, the text notation of Twine stories: bytes to passages, and passages to text.

By the Twee 3 Specification 3.0.2 (iftechfoundation/twine-specs). Where it is silent: blanks around a name count only
when they are escaped; a line of a passage's text that begins with ``::`` is written ``\\::``, as Twine does it, and one
that already looks so gets one more backslash; byte-order marks are nothing, wherever files were joined.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from story.cards import Span
from story.problems import DeckError, Problem, Severity, at, printable

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read."""

TITLE, DATA = "StoryTitle", "StoryData"
"""The two passages that speak of the story as a whole."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_TO_ESCAPE = re.compile(r"[\\\[\]{}]")
_LOOKS_LIKE_A_HEADER = re.compile(r"^(?=\\*::)", re.MULTILINE)
_ESCAPED_HEADER = re.compile(r"\\+::")


@dataclass(frozen=True)
class Passage:
    """One passage: its name, tags and metadata, and its text without blank lines at the end."""

    name: str
    text: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    """Of its header, from 1."""


@dataclass(frozen=True)
class Twee:
    """A story: its passages in the order of the file, ``StoryTitle`` and ``StoryData`` among them."""

    passages: tuple[Passage, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    """What ``StoryData`` says; empty if there is none or it could not be read."""
    notes: tuple[Problem, ...] = ()
    """What was odd and left out: nothing that keeps the story from being read."""
    file: str = ""

    @property
    def title(self) -> str:
        """In one line; empty if the story has none."""
        return next((" ".join(passage.text.split()) for passage in self.passages if passage.name == TITLE), "")


def note(file: str, line: int, column: int, id: str, severity: Severity, message: str, length: int = 1) -> Problem:
    """A problem at a place of a Twee file."""
    return at(Span(file, line, column, line, column + length), id, severity, message)


# ---------------------------------------------------------------- reading


def read_twee(data: bytes, file: str) -> Twee:
    """The story in a file's bytes; ``file`` is its name in problems.

    Raises DeckError with every passage that is nameless or stands twice, or if the bytes are no UTF-8 or no story.
    """
    return parse_twee(_decoded(data, file), file)


def _decoded(data: bytes, file: str) -> str:
    if len(data) > LARGEST:
        raise DeckError([note(file, 0, 0, "too-large", "error", f"larger than {LARGEST // 2**20} MB")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = _LINE_END.split(data[: error.start].decode("utf-8"))
        found = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else f"the byte 0x{data[error.start]:02x}"
        message = f"the file is not UTF-8: found {found}; save it as UTF-8"
        raise DeckError([note(file, len(before), len(before[-1]) + 1, "not-utf-8", "error", message)]) from None


def parse_twee(text: str, file: str) -> Twee:
    """The story in a text; raises DeckError as ``read_twee`` does."""
    lines = _LINE_END.split(text.replace("\ufeff", ""))
    starts = [number for number, line in enumerate(lines) if line.startswith("::")]
    if not starts:
        message = "there is no passage: no line begins with :: and a name"
        raise DeckError([note(file, 1, 1, "no-passages", "error", message)])
    found: list[Problem] = []
    for number, line in enumerate(lines[: starts[0]], 1):
        if line.strip():
            found.append(note(file, number, 1, "stray-text", "warning", "text before the first passage is dropped"))
            break
    passages: dict[str, Passage] = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        header = _Header(lines[start], file, start + 1)
        found += header.found
        passage = Passage(header.name, _body(lines[start + 1 : end]), header.tags, header.metadata, start + 1)
        first = passages.setdefault(passage.name, passage)
        if first is not passage and passage.name:
            message = f"two passages are called {shown(passage.name)}: here and on line {first.line}; rename one"
            found.append(note(file, start + 1, 3, "duplicate-passage", "error", message))
    if any(problem.severity == "error" for problem in found):
        raise DeckError(problem for problem in found if problem.severity == "error")
    data = _story_data(passages.get(DATA), file, found)
    return Twee(tuple(passages.values()), data, tuple(found), file)


def shown(text: str, most: int = 40) -> str:
    """A part of the file in a message: in quotes, in one line, not too long."""
    line = printable(" ".join(text.split()) or text)
    return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'


def _body(lines: list[str]) -> str:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return "\n".join(line[1:] if _ESCAPED_HEADER.match(line) else line for line in lines[:end])


class _Header:
    """``:: name [tags] {metadata}``, read from left to right."""

    def __init__(self, line: str, file: str, number: int) -> None:
        self.line, self.file, self.number = line, file, number
        self.found: list[Problem] = []
        self.metadata: Mapping[str, Any] = {}
        marks, place = _until(line, 2, "[{")
        self.name = "".join(mark for mark, _ in _trimmed(marks))
        if not self.name:
            self._note(3, "unnamed-passage", "error", "a passage without a name; write one after ::")
        self.tags: tuple[str, ...] = ()
        if line[place : place + 1] == "[":
            marks, end = _until(line, place + 1, "]")
            self.tags = tuple(_words(marks))
            if end == len(line):
                self._note(place + 1, "bad-tags", "warning", "the tags are not closed; ] is missing")
            place = end + 1
        self._rest(place)

    def _rest(self, place: int) -> None:
        rest = self.line[place:].strip()
        if rest.startswith("{"):
            try:
                value, end = json.JSONDecoder().raw_decode(rest)
            except (ValueError, RecursionError):
                self._note(
                    self.line.find("{", place) + 1, "bad-metadata", "warning", "metadata that is no JSON is dropped"
                )
                return
            self.metadata = value
            rest = rest[end:].strip()
        if rest:
            message = f"{shown(rest)} after the passage's name is dropped"
            self._note(self.line.rfind(rest) + 1, "stray-text", "warning", message)

    def _note(self, column: int, id: str, severity: Severity, message: str) -> None:
        self.found.append(note(self.file, self.number, column, id, severity, message))


_Marks = list[tuple[str, bool]]
"""Characters, each with whether it was escaped."""


def _until(line: str, place: int, ends: str) -> tuple[_Marks, int]:
    """The characters up to the first unescaped one of ``ends``, and where that is (the line's length: nowhere)."""
    marks: _Marks = []
    while place < len(line) and line[place] not in ends:
        escaped = line[place] == "\\" and place + 1 < len(line)
        place += escaped
        marks.append((line[place], escaped))
        place += 1
    return marks, place


def _trimmed(marks: _Marks) -> _Marks:
    first, last = 0, len(marks)
    while first < last and marks[first][0].isspace() and not marks[first][1]:
        first += 1
    while last > first and marks[last - 1][0].isspace() and not marks[last - 1][1]:
        last -= 1
    return marks[first:last]


def _words(marks: _Marks) -> list[str]:
    words = [""]
    for mark, escaped in marks:
        if mark.isspace() and not escaped:
            words.append("")
        else:
            words[-1] += mark
    return [word for word in words if word]


def _story_data(passage: Passage | None, file: str, found: list[Problem]) -> Mapping[str, Any]:
    if passage is None:
        return {}
    try:
        data = json.loads(passage.text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return data
    found.append(note(file, passage.line, 1, "bad-metadata", "warning", f"{DATA} is no JSON object; it is dropped"))
    return {}


# ---------------------------------------------------------------- writing


def twee_text(passages: Iterable[Passage]) -> str:
    """The text of a Twee file; reading it gives equal passages.

    Raises ValueError for what the notation cannot hold: an empty name, line ends in a name, blanks in a tag, line ends
    other than line feeds, blank lines at the end of a text.
    """
    return "\n\n".join(_passage_text(passage) for passage in passages)


def _passage_text(passage: Passage) -> str:
    if not passage.name or _LINE_END.search(passage.name):
        raise ValueError(f"no name of a passage: {passage.name!r}")
    if any(not tag or tag.split() != [tag] for tag in passage.tags):
        raise ValueError(f"no tags: {passage.tags!r}")
    if "\r" in passage.text or (passage.text and not passage.text.rsplit("\n", 1)[-1].strip()):
        raise ValueError("a text ends with a blank line, or its lines end with more than a line feed")
    header = f":: {_escaped(passage.name)}"
    if passage.tags:
        header += f" [{' '.join(map(_escaped, passage.tags))}]"
    if passage.metadata:
        header += f" {json.dumps(passage.metadata, ensure_ascii=False, separators=(',', ':'))}"
    return f"{header}\n{_LOOKS_LIKE_A_HEADER.sub(_BACKSLASH, passage.text)}\n"


_BACKSLASH = r"\\"


def _escaped(name: str) -> str:
    """A name or tag as a header writes it."""
    marks = [f"\\{mark}" if _TO_ESCAPE.match(mark) else mark for mark in name]
    for edge in (0, -1):
        if marks[edge].isspace():
            marks[edge] = f"\\{marks[edge]}"
    return "".join(marks)
