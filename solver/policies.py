"""Players that need no person: one at random, one careful, one that knows the best play of every encounter."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from random import Random
from typing import Protocol

from solver import careful
from solver.advice import Advisor
from story.campaign import encounter_alone
from story.cards import Library
from story.playfield.field import Board
from story.prompts import Decide, Table
from story.state import State

POLICIES = ("random", "careful", "best")

SEARCH = 40_000
"""How many things ``best`` looks at in an encounter before it gives up: some seconds. Counted in looks and not in
seconds, so that a game does not depend on the machine it is played on."""

REMEMBERED = 48
"""How many encounters ``best`` keeps in mind for the games that come to the same one."""


class Policy(Protocol):
    """Whoever decides. What it answers depends on its questions of this game alone."""

    beyond: int
    """Encounters of this game that were too large to be worked out."""

    def begin(self) -> None:
        """A new game begins."""

    def choose(self, table: Table[State], state: State, prompt: Decide, rng: Random) -> str:
        """The answer to a decision: one of the offered ones."""


def policy(name: str, library: Library) -> Policy:
    """The policy of that name; raises KeyError for a name not in ``POLICIES``."""
    kinds: dict[str, Callable[[Library], Policy]] = {"random": AtRandom, "careful": Careful, "best": Best}
    return kinds[name](library)


class AtRandom:
    """Every offered answer is equally likely, ending the turn included."""

    def __init__(self, library: Library) -> None:
        self.beyond = 0

    def begin(self) -> None:
        """Nothing is kept in mind."""

    def choose(self, table: Table[State], state: State, prompt: Decide, rng: Random) -> str:
        """Any option."""
        return prompt.options[int(rng.random() * len(prompt.options))].answer


class Careful:
    """Sensible, and looks no further than the round (``solver.careful``)."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.beyond = 0

    def begin(self) -> None:
        """Nothing is kept in mind."""

    def choose(self, table: Table[State], state: State, prompt: Decide, rng: Random) -> str:
        """What seems best at a glance."""
        return careful.choose(table, self.library, state, prompt, rng)


class Best:
    """The exact solver in encounters, careful elsewhere and where an encounter is too large for it.

    An encounter is worked out at its first decision, or not at all; later questions are looked up in what was found.
    """

    def __init__(self, library: Library, search: int = SEARCH) -> None:
        self.library = library
        self.search = search
        self.beyond = 0
        self._known: OrderedDict[State, Advisor | None] = OrderedDict()
        self._board: Board | None = None
        self._advisor: Advisor | None = None

    def begin(self) -> None:
        """The encounters of other games stay in mind: they are the same whoever comes to them."""
        self.beyond = 0
        self._board = None

    def choose(self, table: Table[State], state: State, prompt: Decide, rng: Random) -> str:
        """The best answer, ties broken by name."""
        if state.field is not None and prompt.topic != "stand":
            advisor = self._advised(state)
            if advisor is not None:
                return advisor.choice(state)
        return careful.choose(table, self.library, state, prompt, rng)

    def _advised(self, state: State) -> Advisor | None:
        assert state.field is not None
        # Every encounter lays out a board of its own, be it equal to the last: the object says which one it is.
        if self._board is not state.field.board:
            self._board = state.field.board
            self._advisor = self._worked_out(state)
            self.beyond += self._advisor is None
        return self._advisor

    def _worked_out(self, state: State) -> Advisor | None:
        """An advisor that knows the encounter; None if it is too large."""
        opening = encounter_alone(state)
        # What cannot matter in the encounter is left out, so that other games find it again; no wound is the one
        # state from which every number of wounds is worked out with it.
        hero = opening.hero._replace(events=frozenset(), items=frozenset(), wounds=0)
        opening = opening._replace(hero=hero)
        if opening in self._known:
            self._known.move_to_end(opening)
            return self._known[opening]
        advisor: Advisor | None = Advisor(self.library)
        assert advisor is not None
        looks = 0

        def enough() -> bool:
            nonlocal looks
            looks += 1
            return looks > self.search

        if not advisor.advise(opening, stop=enough).exact:
            advisor = None
        self._known[opening] = advisor
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return advisor
