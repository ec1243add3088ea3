"""Many games added up; the sums do not depend on who played which game, or when."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from solver.playtest.game import Game


class First(dict[str, int]):
    """The lowest number of a game, by what it is an example of."""

    def note(self, name: str, number: int) -> None:
        """A game that is one."""
        self[name] = min(number, self.get(name, number))


@dataclass
class Tally:
    """Counts of games, by id; a table of amounts is a Counter of how often each amount occurred."""

    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, str] = field(default_factory=dict)
    """The kind of each ending."""
    deaths: Counter[str] = field(default_factory=Counter)
    """By the card that was being read."""
    stops: Counter[str] = field(default_factory=Counter)
    """Games that stuck or did not end, by the card that was being read."""
    first: First = field(default_factory=First)
    """``ending ID``, ``death CARD`` and ``stop CARD``: the first game of each."""
    cards: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    wounds: dict[str, Counter[int]] = field(default_factory=dict)
    """At each checkpoint: the number of the chapter that begins, or ``end``."""
    ap: dict[str, Counter[int]] = field(default_factory=dict)
    turned: Counter[int] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    rolls: Counter[int] = field(default_factory=Counter)
    beyond: int = 0

    def merge(self, other: Tally) -> None:
        """Add what another tally holds."""
        for place in fields(self):
            mine, theirs = getattr(self, place.name), getattr(other, place.name)
            match mine:
                case int():
                    setattr(self, place.name, mine + theirs)
                case Counter():
                    mine.update(theirs)
                case First():
                    for name, number in theirs.items():
                        mine.note(name, number)
                case _ if place.name == "kinds":
                    mine.update(theirs)
                case _:
                    for name, counts in theirs.items():
                        mine.setdefault(name, Counter()).update(counts)


def add_game(tally: Tally, game: Game, number: int) -> None:
    """Add one game."""
    tally.games += 1
    tally.endings[game.ending] += 1
    tally.kinds[game.ending] = game.kind
    tally.first.note(f"ending {game.ending}", number)
    if game.kind == "death":
        tally.deaths[game.card] += 1
        tally.first.note(f"death {game.card}", number)
    elif game.kind in ("stuck", "endless"):
        tally.stops[game.card] += 1
        tally.first.note(f"stop {game.card}", number)
    tally.cards.update(game.cards)
    tally.open.update(game.open)
    tally.taken.update(game.taken)
    for chapter, (wounds, ap) in game.chapters.items():
        tally.wounds.setdefault(f"{chapter}", Counter())[wounds] += 1
        tally.ap.setdefault(f"{chapter}", Counter())[ap] += 1
    tally.wounds.setdefault("end", Counter())[game.wounds] += 1
    tally.turned[game.turned] += 1
    tally.answers[game.answers] += 1
    tally.rolls[game.rolls] += 1
    tally.beyond += game.beyond
