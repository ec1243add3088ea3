"""Texts with something left in them that no reader should see: notes to oneself, double spaces, stray emphasis."""

from __future__ import annotations

import re

from story.cards import Span
from story.loading.draft import Draft, Text
from story.loading.reader import Reader
from story.problems import Severity

IDS = (NOTE := "unfinished-text", SPACES := "double-space", EMPHASIS := "open-emphasis")
SEVERITY = {NOTE: "warning", SPACES: "info", EMPHASIS: "warning"}
TITLE = "Texts are finished"
WHY = "Players read the text as it stands, its slips of the pen included."

_NOTE = re.compile(r"\b(?:TODO|FIXME|TBD)\b|\b[Ll]orem ipsum\b")
_SPACES = re.compile(r"\S+( {2,})\S+")
_ITEM = re.compile(r"[ ]*(?:[-*+]|\d+[.)])[ ]+")
_CLOSED = re.compile(
    r"(?<![\w*\\])(\*{1,3})(?=[^\s*])[^*]*(?<=[^\s*])\1(?![\w*])|(?<![\w\\])_(?=[^\s_])[^_]*(?<=[^\s_])_(?!\w)"
)
_OPEN = re.compile(
    r"(?<![\w*\\])\*+(?=[^\W_])[^\s*]*|[^\s*]*[\w.,;:!?…]\*+(?![\w*])"
    r"|(?<![\w\\])_(?=[^\W_])[^\s_]*|[^\s_]*(?:[^\W_]|[.,;:!?…])_(?!\w)"
)
"""A mark that touches a word on one side, with that word."""


def check(draft: Draft) -> None:
    """Each text once, at the first slip of each sort."""
    for text in draft.texts:
        raw = text.node.text
        if ("TODO" in raw or "FIXME" in raw or "TBD" in raw or "orem ipsum" in raw) and (note := _NOTE.search(raw)):
            message = f'{text.what} still says "{note.group()}"'
            _tell(draft, text, note.group(), NOTE, message, "finish the text, or delete the note")
        if "  " in raw:
            _spaces(draft, text)
        if ("*" in raw or "_" in raw) and (mark := stray_mark(raw)):
            sign = "*" if "*" in mark else "_"
            message = f"the {sign} of {mark} has no partner: it is shown as it stands"
            _tell(draft, text, mark, EMPHASIS, message, f"close the emphasis, or delete the {sign}")


def stray_mark(text: str) -> str:
    """The first mark of emphasis without its partner in the paragraph, with the word that it touches; empty if none."""
    for paragraph in re.split(r"\n\s*\n", text):
        lines = "\n".join(_ITEM.sub("", line, count=1) if _ITEM.match(line) else line for line in paragraph.split("\n"))
        if found := _OPEN.search(_CLOSED.sub("", _CLOSED.sub("x", lines))):
            return found.group()
    return ""


def _spaces(draft: Draft, text: Text) -> None:
    lines = text.source.lines[text.node.line - 1 : text.node.end_line]
    for line in text.node.text.split("\n"):
        item = _ITEM.match(line)
        found = _SPACES.search(line, item.end() if item else 0)
        if found and any(found.group() in written for written in lines):  # an escape may stand for a space
            message = f"{text.what} has {len(found.group(1))} spaces in a row"
            _tell(draft, text, found.group(), SPACES, message, "delete all but one", "info")
            return


def _tell(
    draft: Draft, text: Text, part: str, id: str, message: str, hint: str, severity: Severity = "warning"
) -> None:
    span = Reader(text.source, draft).within(text.node, part)
    if span.line != span.end_line:
        span = Span(span.file, span.line, span.column, span.line, span.column + 1)
    draft.problem(span, id, message, hint, severity)
