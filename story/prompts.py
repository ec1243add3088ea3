"""The one interface of everything that can be played.

A table asks one question at a time (``prompt``) and takes one answer (``answer``), giving a new frozen
state. Whoever runs the table supplies the answers: a person, a seeded generator, a script, the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from fractions import Fraction


class Option(NamedTuple):
    """One thing the player may answer now."""

    answer: str
    """Stable name: what saves, scripts and the solver write (``dart nalu +stun``)."""
    say: str
    """What the player reads."""
    cost: str = ""
    """What it costs, in words (``3 AP``); empty if nothing."""
    kind: str = "choice"
    """``choice turn stand attack step dodge heal fear eat try end keep add subtract use no``."""
    detail: str = ""
    """What follows surely or probably, for the player's eyes (``critical``, ``succeeds``)."""


class Locked(NamedTuple):
    """A choice that is shown but not open (NAV-7)."""

    place: int
    """1-based place among the card's choices, where it stands when unlocked."""
    say: str
    reason: str


class Decide(NamedTuple):
    """The player decides between options."""

    topic: str
    """``card`` (story), ``stand``, ``turn``, ``window`` (influence), ``dodge``, ``bite`` (last bite)."""
    title: str
    """What is asked, in one line."""
    options: tuple[Option, ...]
    locked: tuple[Locked, ...] = ()
    lines: tuple[str, ...] = ()
    """What the player should know to decide, a sentence each."""


class Face(NamedTuple):
    """One outcome of a roll."""

    answer: str
    weight: int
    say: str = ""


class Roll(NamedTuple):
    """A die is to be rolled by whoever runs the table."""

    die: str
    """``d6 d12 d20``, ``place`` (the placement die, FIELD-6), ``pick`` (the 50/50 rule, FIELD-8), ``draw`` (a shuffled
    deck, FOE-7)."""
    title: str
    """Whose roll it is and what for."""
    faces: tuple[Face, ...]
    lines: tuple[str, ...] = ()

    def chances(self) -> tuple[tuple[str, Fraction], ...]:
        """Every answer with its probability; they add up to 1."""
        from fractions import Fraction

        total = sum(face.weight for face in self.faces)
        return tuple((face.answer, Fraction(face.weight, total)) for face in self.faces)


class Over(NamedTuple):
    """Nothing more is asked."""

    kind: str
    """``victory defeat neutral`` (an ending of the story), ``death`` (HEAL-1), ``done`` (an encounter
    file played to its end) or ``stuck`` (no way on: a fault of the deck)."""
    id: str
    title: str


Prompt = Decide | Roll | Over


class Told(NamedTuple):
    """One sentence of what just happened, with the rule that decides it."""

    text: str
    rule: str = ""
    kind: str = ""
    """``roll wound heal gain lose move defeat round card effect`` or empty; for colour, never for meaning."""


Tell = Callable[[Told], None]
"""Receives what happens while an answer is worked out; the rules never read it back."""


class AnswerError(ValueError):
    """The answer does not fit the question. The state is as before. Its text is one line for the player."""


S = TypeVar("S", bound=Hashable)


class Table(Protocol[S]):
    """A game: whose question, which answers, what follows."""

    def start(self, tell: Tell | None = None) -> S:
        """The state before the first question."""

    def prompt(self, state: S) -> Prompt:
        """The question that ``state`` asks; the same state always asks the same question."""

    def answer(self, state: S, answer: str, tell: Tell | None = None) -> S:
        """The state after ``answer``; ``state`` itself stays as it was.

        Raises AnswerError if the answer is not among the offered ones.
        """


def answers(prompt: Prompt) -> tuple[str, ...]:
    """All answers that a prompt takes."""
    match prompt:
        case Decide(options=options):
            return tuple(option.answer for option in options)
        case Roll(faces=faces):
            return tuple(face.answer for face in faces)
        case _:
            return ()
