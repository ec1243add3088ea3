"""A Twine passage's text as a card's Markdown: its links taken out, code and HTML dropped, each with its place.

Twee says nothing of what a text means: that is the story format's. Links are read as Twine itself reads them; macros,
variables and comments as Harlowe, SugarCube, Chapbook and Snowman write them. Where no format is named, Harlowe's and
SugarCube's are looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from story.loading.reader import HTML
from story.source import CONTROL
from story.twee import shown


@dataclass(frozen=True, slots=True)
class Link:
    """``[[text->target]]``; ``place`` is where it begins in the passage's text."""

    text: str
    target: str
    place: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """Something that a card cannot hold."""

    id: str
    message: str
    place: int


@dataclass(frozen=True, slots=True)
class Prose:
    """What a card keeps of a passage."""

    text: str
    links: tuple[Link, ...]
    dropped: tuple[Dropped, ...]


_BRACKET = r"\\(?:\[|\](?=[^\]]|\]\]|$))"
_LINK = (
    rf"\[\[(?P<link>(?:[^\[\]\n\\]|{_BRACKET}|(?!{_BRACKET})\\|\[[^\[\]\n]*\])*)"
    r"\](?:\[(?P<setter>[^\]\n]*)\])?\]"
)
"""Brackets within are escaped or in pairs."""

_EVERY = {
    "comment": "<!--",
    "code": r"<(?:script|style)\b[^<>]*>",
    "template": "<%",
    "html": HTML.pattern,
    "image": r"\[[<>]?img\[[^\]\n]*\](?:\[[^\]\n]*\])*\]",
    "control": rf"{CONTROL.pattern}+",
}
_SUGARCUBE = {
    "javascript": "<<script>>",
    "macro": r"<<(?:[^<>]|>(?!>)|<(?!<)){0,2000}>>",
    "remark": r"/\*",
    "aside": "/%",
    "variable": r"\$[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*",
}
_UNTIL = {
    "comment": re.compile("-->"),
    "code": re.compile(r"</(?:script|style)\s*>", re.IGNORECASE),
    "template": re.compile("%>"),
    "javascript": re.compile("<</script>>"),
    "remark": re.compile(r"\*/"),
    "aside": re.compile("%/"),
}
"""What ends a thing that may hold anything; where the end is missing only its beginning is dropped."""
_HARLOWE = {"call": r"\([A-Za-z][\w-]*:", "variable": _SUGARCUBE["variable"], "braces": r"[{}]"}
_CHAPBOOK = {
    "variables": r"\A(?:.*\n)*?--[ \t]*$",
    "modifier": r"^\[[^\[\]\n]+\][ \t]*$",
    "insert": r"\{[^{}\n]*\}",
}
_DIALECTS = {
    "harlowe": _HARLOWE,
    "sugarcube": _SUGARCUBE,
    "chapbook": _CHAPBOOK,
    "snowman": {},
    "": {kind: _SUGARCUBE[kind] for kind in ("javascript", "macro", "variable")} | {"call": _HARLOWE["call"]},
}
_NAMES = {
    "html": "HTML",
    "template": "code",
    "javascript": "script",
    "call": "macro",
    "remark": "comment",
    "aside": "comment",
    "braces": "brace",
}
"""What a kind is called in a remark, where it is not called by its own word."""
_EMPHASIS = (
    (re.compile(r"''(?=\S)(.{1,500}?)(?<=\S)''"), r"**\1**"),
    (re.compile(r"(?<![:/\w])//(?=[^\s/])(.{1,500}?)(?<=[^\s:])//(?!/)"), r"*\1*"),
)
_NOTHING_ELSE = re.compile(r"[\s\-*+>•|,.;:\x02]*+(?:\d++[.)][\s\-*+>•|,.;:\x02]*+)?")
"""What may stand beside the links of a line that holds nothing but links: list marks and commas."""


_OPEN, _CLOSE, _GAP, _BREAK = "\x00", "\x01", "\x02", "\x03"
"""Marks, while a text is read, of a link's words, of what was dropped, and of macros that were dropped, which may stand
between two sentences; no text holds control characters by then."""
_MARKS = dict.fromkeys(map(ord, (_OPEN, _CLOSE, _GAP)))
_LINKED = re.compile(f"{_OPEN}[^{_CLOSE}]*{_CLOSE}")
_GAPS = re.compile(f" (?:{_GAP}+ )+")
_BREAKS = re.compile(rf"(?<=[\w.,;:!?…)\"'{_CLOSE}]){_GAP}*(?:{_BREAK}{_GAP}*)+(?=[\w{_OPEN}])")


def dialect(story_format: object) -> str:
    """The story format whose markup is looked for; empty for one that is not known."""
    name = str(story_format).lower() if isinstance(story_format, str) else ""
    return name if name in _DIALECTS else ""


def read_prose(text: str, story_format: str = "") -> Prose:
    """A passage's text as a card can hold it; ``story_format`` is a ``dialect``."""
    return _Reading(text, story_format).prose()


class _Reading:
    """One pass from left to right; links leave a mark that is taken out line by line at the end."""

    def __init__(self, text: str, story_format: str) -> None:
        self.text = text
        self.link = re.compile(_LINK, re.MULTILINE)
        self.wiki = story_format not in ("chapbook", "snowman")
        patterns = _EVERY | _DIALECTS[story_format]
        named = [_LINK, *(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())]
        self.tokens = re.compile("|".join(named), re.MULTILINE)
        self.closing = _closing(text) if "call" in patterns and re.search(patterns["call"], text) else {}
        self.hooks: set[int] = set()
        self.unclosed: set[str] = set()
        self.links: list[Link] = []
        self.dropped: list[Dropped] = []
        self.pieces: list[str] = []

    def prose(self) -> Prose:
        place = 0
        while found := self.tokens.search(self.text, place):
            self._keep(place, found.start())
            place = self._link(found) if found["link"] is not None else self._drop(found)
        self._keep(place, len(self.text))
        return Prose(self._tidied("".join(self.pieces)), tuple(self.links), tuple(self.dropped))

    def _keep(self, start: int, end: int) -> None:
        part = self.text[start:end]
        if self.hooks:
            part = "".join(mark for place, mark in enumerate(part, start) if place not in self.hooks)
        self.pieces.append(part.replace("\t", " "))

    def _note(self, id: str, message: str, place: int) -> None:
        self.dropped.append(Dropped(id, message, place))

    def _link(self, found: re.Match[str], before: int = 0) -> int:
        """Note a link; ``before`` is where the text begins in which it was found."""
        place = before + found.start()
        text, target = _text_and_target(found["link"])
        if not target.strip():
            self._note("empty-link", "a link without a target is dropped", place)
            self.pieces.append(text)
            return found.end()
        if found["setter"] is not None:
            what = f"what a link sets is dropped: {shown(found['setter'])}"
            self._note("dropped-code", what, before + found.start("setter"))
        self.links.append(Link(text, target, place))
        self.pieces.append(f"{_OPEN}{text}{_CLOSE}")
        return found.end()

    def _drop(self, found: re.Match[str]) -> int:
        kind = found.lastgroup or ""
        start, end = found.span()
        if kind in _UNTIL and kind not in self.unclosed:
            if closing := _UNTIL[kind].search(self.text, end):
                end = closing.end()
            else:
                self.unclosed.add(kind)
        if kind == "call":
            end = self.closing.get(start, end - 1) + 1
            hook = self.closing.get(end)
            if hook is not None and self.text[end : end + 2] != "[[":
                self.hooks |= {end, hook}
        dropped = self.text[start:end]
        if kind == "html" and re.match(r"<br\b", dropped, re.IGNORECASE):
            self.pieces.append("\n")
            return end
        if kind == "control":
            self._note("dropped-character", f"the control character U+{ord(dropped[0]):04X} is dropped", start)
        else:
            id = "dropped-html" if kind == "html" else "dropped-code"
            self._note(id, f"{_NAMES.get(kind, kind)} {shown(dropped)} is dropped", start)
        self.pieces.append(_BREAK if kind in ("macro", "call", "javascript") else _GAP)
        if kind == "macro" and (link := self.link.search(dropped)):
            self._link(link, start)  # SugarCube's <<link [[text->target]]>> is a plain link all the same
        return end

    def _tidied(self, text: str) -> str:
        if self.wiki:
            for pattern, markdown in _EMPHASIS:
                text = pattern.sub(markdown, text)
        text = _BREAKS.sub(" ", text).replace(_BREAK, _GAP)
        lines = []
        for line in text.split("\n"):
            rest = _LINKED.sub("", line)
            if rest != line and _NOTHING_ELSE.fullmatch(rest):
                continue  # links alone: the card's options say it all
            kept = _GAPS.sub(" ", line.lstrip(f"{_GAP} ") if line[:1] == _GAP else line)
            kept = kept.translate(_MARKS).rstrip()
            if kept or _GAP not in line:
                lines.append(kept)
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
        return text.replace("<", "‹") if HTML.search(text) else text


def _text_and_target(inside: str) -> tuple[str, str]:
    """As Twine divides a link: at the last ``->``, else the first ``<-``, else the last ``|``."""
    if "->" in inside:
        text, _, target = inside.rpartition("->")
    elif "<-" in inside:
        target, _, text = inside.partition("<-")
    elif "|" in inside:
        text, _, target = inside.rpartition("|")
    else:
        text = target = inside
    text = " ".join(CONTROL.sub(" ", text).split())
    return text or " ".join(target.split()), target


def _closing(text: str) -> dict[int, int]:
    """For each bracket or parenthesis where its partner is; those without one are left out."""
    partners: dict[int, int] = {}
    open_marks: dict[str, list[int]] = {")": [], "]": []}
    for found in re.finditer(r"[()\[\]]", text):
        mark, place = found.group(), found.start()
        if mark in "([":
            open_marks[")" if mark == "(" else "]"].append(place)
        elif open_marks[mark]:
            partners[open_marks[mark].pop()] = place
    return partners
