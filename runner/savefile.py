"""The format of a save, ``save/1``: JSON lines, a header and then one event a line, only ever added to.

A line counts once its line feed is written: what follows the last one was torn off in mid-writing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

from runner.history import DICE, PLAYER, History, Record
from runner.session import Event

FORMAT = "save/1"


class DeckMark(NamedTuple):
    """Which deck a save belongs to; never where on a machine it lies."""

    kind: str
    """``campaign`` or ``encounter``."""
    id: str
    digest: str
    """SHA-256 of its content when the game was begun, or last followed after an edit."""
    folder: str = ""
    """Name of the folder or file it was read from."""
    builtin: bool = False
    content: str = ""
    """The whole text of an encounter file, so that it can be resumed without the file."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a save."""

    deck: DeckMark
    title: str
    seed: int
    created: str
    """UTC, ISO 8601."""
    mine: bool = False
    """Begun with the player's own dice."""

    def line(self) -> bytes:
        """The header as the save writes it."""
        deck = {key: value for key, value in self.deck._asdict().items() if value}
        start = {"cardwalk": FORMAT, "deck": deck, "title": self.title, "seed": self.seed, "created": self.created}
        return event_line(start | ({"mine": True} if self.mine else {}))


class Reading(NamedTuple):
    """What a save's bytes say."""

    header: Header | None
    events: tuple[Event, ...]
    good: int
    """Bytes up to the end of the last usable line."""
    torn: bool = False
    """The last line was not finished; it starts at ``good``."""
    bad_line: int = 0
    """1-based number of the first damaged line; 0 if there is none."""
    unended: bool = False
    """The last usable line lacks only its line feed."""
    format: str = ""
    """The format the header names."""


def event_line(event: Event) -> bytes:
    """One line of a save."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read(data: bytes) -> Reading:
    """Read a save's bytes as far as they are good; nothing is raised, the Reading says what is wrong."""
    header: Header | None = None
    format_ = ""
    events: list[Event] = []
    good = 0
    number = 0
    while good < len(data):
        number += 1
        end = data.find(b"\n", good)
        whole = end >= 0
        line = data[good:end] if whole else data[good:]
        value = _json(line)
        if number == 1:
            header = _header(value)
            format_ = str(value.get("cardwalk", "")) if value is not None else ""
            fits = header is not None
        else:
            fits = value is not None and _is_event(value)
            if value is not None and fits:
                events.append(value)
        if not fits:
            bad = number if whole or number == 1 else 0
            return Reading(header, tuple(events), good, torn=not whole, bad_line=bad, format=format_)
        good += len(line) + whole
        if not whole:
            return Reading(header, tuple(events), good, unended=True, format=format_)
    return Reading(header, tuple(events), good, bad_line=0 if header else 1, format=format_)


def history_of(events: Iterable[Event]) -> History:
    """The answers that hold after all events, and what can be redone."""
    history = History()
    for event in events:
        if "answer" in event:
            history.add(Record(event["answer"], event.get("say", ""), event.get("by", PLAYER)))
        elif "undo" in event:
            history.undo(event["undo"])
        elif "redo" in event:
            history.redo(event["redo"])
        elif "restart" in event:
            history.restart(event["restart"], min(event["keep"], len(history.kept)))
    return history


def events_of(history: History) -> list[Event]:
    """Events that lead to the answers of ``history`` and to the same dice; what was undone is left out."""
    events: list[Event] = [{"restart": chapter, "keep": 0} for chapter in history.restarts]
    for record in history.kept:
        event: Event = {"answer": record.answer}
        if record.say:
            event["say"] = record.say
        if record.by != PLAYER:
            event["by"] = record.by
        events.append(event)
    return events


def digest_now(header: Header, events: Iterable[Event]) -> str:
    """The digest of the deck when the save was last in use."""
    digest = header.deck.digest
    for event in events:
        digest = event.get("deck", digest)
    return digest


def mine_now(header: Header, events: Iterable[Event]) -> bool:
    """Whether the player's own dice were in use last."""
    mine = header.mine
    for event in events:
        mine = event.get("mine", mine)
    return mine


def _json(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _header(value: dict[str, Any] | None) -> Header | None:
    if value is None or value.get("cardwalk") != FORMAT:
        return None
    deck, title, seed, created = (value.get(key) for key in ("deck", "title", "seed", "created"))
    mine = value.get("mine", False)
    if not (isinstance(deck, dict) and isinstance(title, str) and isinstance(created, str) and isinstance(mine, bool)):
        return None
    if not _whole(seed) or not set(deck) <= set(DeckMark._fields):
        return None
    if not all(isinstance(deck.get(key), str) for key in ("kind", "id", "digest")):
        return None
    if not all(isinstance(deck.get(key, ""), str) for key in ("folder", "content")):
        return None
    return Header(DeckMark(**deck), title, seed, created, mine)


def _is_event(value: dict[str, Any]) -> bool:
    match value:
        case {"answer": str()}:
            return isinstance(value.get("say", ""), str) and value.get("by", PLAYER) in (PLAYER, DICE)
        case {"undo": n} | {"redo": n}:
            return _whole(n)
        case {"restart": chapter, "keep": keep}:
            return _whole(chapter) and _whole(keep)
        case {"deck": str()} | {"mine": bool()}:
            return True
    return False


def _whole(n: object) -> TypeGuard[int]:
    return isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**63
