"""Noticing that a deck was saved: its files are looked at a few times a second, which every system can."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

PAUSE = 0.25
"""Seconds between two looks."""

Look = tuple[tuple[int, int, int] | None, ...]


class Watch:
    """The files of some decks, as they were when last looked at. A deck need not be sound, or there at all."""

    def __init__(self, decks: Iterable[str]) -> None:
        self.decks = tuple(decks)
        self._files: tuple[Path, ...] = ()
        self._seen: Look = ()
        self._moving: Look | None = None
        self.begin()

    def begin(self) -> None:
        """Look anew: what is saved from now on counts. The files are those that the decks list at the moment."""
        self._files = tuple(dict.fromkeys(path for deck in self.decks for path in files_of(deck)))
        self._seen = self._look()
        self._moving = None

    @property
    def count(self) -> int:
        """How many files are watched."""
        return len(self._files)

    def saved(self) -> bool:
        """Whether a file was saved since, and none changed between the last two looks: editors write in steps."""
        look = self._look()
        if look == self._seen:
            self._moving = None
            return False
        settled = look == self._moving
        self._moving = look
        return settled

    def wait(self) -> None:
        """Wait until a file was saved."""
        while not self.saved():
            time.sleep(PAUSE)

    def _look(self) -> Look:
        return tuple(map(_mark, self._files))


def files_of(deck: str) -> list[Path]:
    """The files that a deck may be made of: its own, those it lists, and what lies beside a campaign, such as art."""
    from story.decks import CAMPAIGN_FILE, resolve
    from story.loading.campaigns import home_of, listed
    from story.problems import DeckError
    from story.source import read_source

    try:
        path = resolve(deck)
    except DeckError:
        return [Path(deck), Path(deck, CAMPAIGN_FILE)]
    home = home_of(path) or path
    if home.name != CAMPAIGN_FILE:
        return [home]
    files = [home, *(home.parent / name for name in listed(read_source(home)))]
    beside = {path for folder in {file.parent for file in files} for path in folder.glob("[!.]*") if path.is_file()}
    return [*files, *sorted(beside)]


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
