"""What may reach a terminal, and how wide: control characters out, colour only where wanted, text wrapped."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
import unicodedata
from typing import TextIO

WIDTH = 76
"""Columns of plain text: narrow enough to read, also where the terminal is wider."""

_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)
_ITEM = re.compile(r"^\s*([-*+]|\d+[.)])\s+")


def clean(text: str) -> str:
    """The text without control and direction characters; line feeds stay, tabs become spaces."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return "".join(mark for mark in text if mark == "\n" or unicodedata.category(mark) not in ("Cc", "Cf", "Co", "Cs"))


def wants_color(stream: TextIO) -> bool:
    """Whether colour is welcome there: a terminal that is not dumb, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def clear(stream: TextIO) -> None:
    """A clean terminal for what comes next; a line of dashes where it goes into a file or pipe."""
    if stream.isatty() and os.environ.get("TERM") != "dumb":
        stream.write("\x1b[2J\x1b[3J\x1b[H")
    else:
        stream.write("-" * WIDTH + "\n")


def text_width(stream: TextIO) -> int:
    """Columns to wrap at: the terminal's up to WIDTH; WIDTH where it goes into a file or pipe."""
    return min(WIDTH, max(20, shutil.get_terminal_size((WIDTH, 24)).columns - 1)) if stream.isatty() else WIDTH


def wrap(text: str, width: int, indent: str = "") -> str:
    """Clean paragraphs wrapped to ``width``; continued lines begin with ``indent``."""
    return "\n".join(
        textwrap.fill(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
        )
        for line in clean(text).splitlines()
    )


def markdown_text(text: str, width: int) -> str:
    """A card's Markdown for the ear as well as the eye: emphasis marks gone, paragraphs and lists kept."""
    blocks = []
    for block in re.split(r"\n\s*\n", clean(text).strip()):
        lines: list[str] = []
        for line in block.splitlines():
            if lines and not _ITEM.match(line):
                lines[-1] += " " + line.strip()
            else:
                lines.append(line.strip())
        plain = (_EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", line.lstrip("# "))) for line in lines)
        blocks.append("\n".join(wrap(line, width, "  " if _ITEM.match(line) else "") for line in plain))
    return "\n\n".join(blocks)
