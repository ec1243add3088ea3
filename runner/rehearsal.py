"""Rehearsing a deck while it is being written: from any card, never saved, read again whenever it is saved."""

from __future__ import annotations

from typing import NamedTuple

from runner.dice import new_seed
from runner.games import GameError, open_table
from runner.session import Session
from runner.watch import Watch
from story.campaign import CampaignTable
from story.problems import DeckError

LINE = 80
"""Characters of a source line that are shown where there is little room."""

_AS_IT_WAS = "The game goes on with the deck as it was."


class Reloaded(NamedTuple):
    """What came of reading a deck again."""

    good: bool
    """Whether the game goes on with the deck as it is now, not with the one before."""
    text: str
    """A sentence, or the deck's first problem with its line and a caret."""
    short: str
    """The same where there is no room for a caret."""


class Rehearsal:
    """A game of a deck that its author has open in an editor.

    Raises DeckError and GameError as ``games.open_table`` does.
    """

    def __init__(self, deck: str, card: str = "", *, seed: int | None = None, mine: bool = False, watched: bool = True):
        self.deck = deck
        self.card = card
        self.watch = Watch([deck]) if watched else None
        table, title = open_table(deck, card)
        if isinstance(table, CampaignTable) and table.first is not None:
            chapter, ref = table.first
            self.card = ref if isinstance(ref, str) else f"{chapter}:{ref}"
        where = f" from card {self.card}" if card else ""
        seed = new_seed() if seed is None else seed
        self.session = Session(table, seed, title=f"{title}, rehearsed{where}", mine=mine)
        self.session.notes.append("This is a rehearsal: it is not saved.")

    def saved(self) -> bool:
        """Whether the deck was saved since it was last read."""
        return self.watch is not None and self.watch.saved()

    def reload(self) -> Reloaded:
        """Read the deck again and give the answers again as far as they fit; a broken deck changes nothing."""
        if self.watch is not None:
            self.watch.begin()
        try:
            table, _ = open_table(self.deck, self.card)
        except DeckError as error:
            errors = [problem for problem in error.problems if problem.severity == "error"]
            more = f"\nand {len(errors) - 1} more" if len(errors) > 1 else ""
            first = errors[0]
            short = "\n".join(filter(None, (first.headline(), first.excerpt.strip()[:LINE], first.hint)))
            return Reloaded(
                False, f"{first.text(folder=error.folder)}{more}\n{_AS_IT_WAS}", f"{short}{more}\n{_AS_IT_WAS}"
            )
        except GameError as error:
            told = f"{str(error)[:1].upper()}{str(error)[1:]}"
            return _told(False, f"{told}{'' if told.endswith('?') else '.'}\n{_AS_IT_WAS}")
        given = len(self.session.answers)
        stopped = self.session.change_table(table)
        if stopped is None:
            return _told(True, "The deck was read again.")
        return _told(True, f"The deck was read again; {stopped.place} of {given} answers still fit: {stopped.why}.")


def _told(good: bool, text: str) -> Reloaded:
    return Reloaded(good, text, text)
