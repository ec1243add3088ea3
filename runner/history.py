"""What has been answered, undone and restarted: the bookkeeping of a game without its table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

PLAYER = "player"
DICE = "dice"


class Record(NamedTuple):
    """One answer as a save keeps it."""

    answer: str
    say: str = ""
    """The option's words: what the answer was, should its place move (an edited deck)."""
    by: str = PLAYER
    """``player``, or ``dice`` for the program's dice."""


class Dropped(NamedTuple):
    """Answers taken back at once, oldest first, and the restarts that counted before."""

    records: tuple[Record, ...]
    restarts: tuple[int, ...]


@dataclass
class History:
    """The answers that hold and those that can be redone."""

    kept: list[Record] = field(default_factory=list)
    undone: list[Dropped] = field(default_factory=list)
    """The last one is redone first."""
    restarts: tuple[int, ...] = ()
    """The chapter of each restart that holds."""

    def add(self, record: Record) -> None:
        """A new answer; what was undone is gone."""
        self.kept.append(record)
        self.undone.clear()

    def undo(self, n: int = 1) -> int:
        """Take back up to ``n`` of the player's answers, each with the dice that followed; returns how many."""
        for done in range(n):
            last = next((i for i in reversed(range(len(self.kept))) if self.kept[i].by == PLAYER), None)
            if last is None:
                return done
            self._drop(last)
        return n

    def redo(self, n: int = 1) -> tuple[int, list[Record]]:
        """Give back up to ``n`` of what was undone: how many, and the answers to be given again."""
        records: list[Record] = []
        for done in range(n):
            if not self.undone:
                return done, records
            dropped = self.undone.pop()
            records += dropped.records
            self.kept += dropped.records
            self.restarts = dropped.restarts
        return n, records

    def restart(self, chapter: int, keep: int) -> None:
        """Drop all but the first ``keep`` answers, where ``chapter`` began (CHK-2); one redo brings them back."""
        self._drop(keep)
        self.restarts = (*self.restarts, chapter)

    def attempt(self, chapter: int) -> int:
        """How often the story was begun anew at this chapter or before: a retry has other dice."""
        return sum(1 for restarted in self.restarts if restarted <= chapter)

    def _drop(self, keep: int) -> None:
        self.undone.append(Dropped(tuple(self.kept[keep:]), self.restarts))
        del self.kept[keep:]
