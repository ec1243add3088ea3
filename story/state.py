"""The frozen state of a table, and the cursor that the rules move over it.

The state holds everything, what is still to be done included: ``agenda`` is a stack of calls, the next one
last. A call is a function of the rules with its arguments; it changes the cursor and may put further calls on
the agenda. When the next call is a question, the table waits for an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from story.cards import CardRef, Library
from story.hero import Hero
from story.playfield.field import Field
from story.prompts import Over, Prompt, Tell, Told

Call = tuple[Callable[..., None], tuple[Any, ...]]


class Question(Protocol):
    """Something on the agenda that waits for an answer; frozen and hashable."""

    def prompt(self, play: Play) -> Prompt:
        """What is asked."""

    def answer(self, play: Play, answer: str) -> None:
        """Carry on with an answer that the prompt offered."""


Task = Call | Question


class Journey(NamedTuple):
    """Where she is in the story."""

    chapter: int
    reading: tuple[CardRef, ...] = ()
    """The current card, and above it the pulled cards, the one being read last (NAV-3)."""
    discarded: frozenset[tuple[int, CardRef]] = frozenset()
    """(chapter, card); unnumbered cards belong to the campaign and stand under chapter 0 (NAV-4)."""
    drawn: frozenset[CardRef] = frozenset()
    """Unnumbered cards that a draw has already shown (NAV-5)."""
    chosen: frozenset[tuple[int, CardRef, str]] = frozenset()
    """``once`` choices taken: (chapter, card, what the choice says)."""


class State(NamedTuple):
    """Everything about a game in progress; hashable."""

    hero: Hero
    agenda: tuple[Task, ...] = ()
    field: Field | None = None
    """The playfield while an encounter lasts."""
    journey: Journey | None = None
    """``None`` on a table that is an encounter alone."""
    over: Over | None = None


class Play:
    """A cursor over one state: the rules read and move it; afterwards ``state()`` is the new state."""

    __slots__ = ("agenda", "campaign", "field_", "hero", "journey", "library", "over", "tell_")

    def __init__(self, state: State, library: Library, tell: Tell | None = None, campaign: Any = None) -> None:
        self.library = library
        self.campaign = campaign
        self.hero = state.hero
        self.agenda = list(state.agenda)
        self.field_ = state.field
        self.journey = state.journey
        self.over = state.over
        self.tell_ = tell

    @property
    def field(self) -> Field:
        """The playfield; only while an encounter lasts."""
        assert self.field_ is not None, "no encounter is being played"
        return self.field_

    @field.setter
    def field(self, field: Field) -> None:
        self.field_ = field

    def state(self) -> State:
        """The frozen state that the cursor has reached."""
        return State(self.hero, tuple(self.agenda), self.field_, self.journey, self.over)

    def tell(self, text: str, rule: str = "", kind: str = "") -> None:
        """Say what happens, to whoever listens."""
        if self.tell_ is not None:
            self.tell_(Told(text, rule, kind))

    def next(self, *tasks: Task) -> None:
        """Do these next, in the order given, before anything that is already on the agenda; nothing once it is over."""
        if self.over is not None:
            return
        self.agenda.extend(reversed(tasks))

    def end(self, over: Over) -> None:
        """The game is over: nothing more is done."""
        self.over = over
        self.agenda.clear()

    def settle(self) -> None:
        """Carry out the agenda up to the next question."""
        agenda = self.agenda
        while agenda:
            task = agenda[-1]
            if not isinstance(task, tuple):
                return
            agenda.pop()
            do, args = task
            do(self, *args)
