"""What the keys of decks take, and the keys that stand in many tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

BIG = 1_000_000
"""No number of a deck is larger."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds."""

    low: int = 0
    high: int = BIG


@dataclass(frozen=True, slots=True)
class Text:
    """A text, a line of it or paragraphs."""


@dataclass(frozen=True, slots=True)
class Id:
    """Lower-case words joined by hyphens."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card by its number, its id or ``DECK:ID``."""


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words; True and False are YAML's."""

    words: tuple[str | bool, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A list of ``least`` values or more, or one value as a list of one."""

    value: Value
    least: int = 0


@dataclass(frozen=True, slots=True)
class Either:
    """One of several things."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class In:
    """A mapping with the keys of a table, named because tables hold each other."""

    table: str


@dataclass(frozen=True, slots=True)
class Each:
    """A mapping of which the author chooses the keys, all of one kind: ``card``, ``id``, ``piece``, ``space`` or
    ``faces``."""

    names: str
    value: Value
    least: int = 0


Value = Whole | Text | Id | Card | Word | Many | Either | In | Each

NAMES = {
    "card": "[1-9][0-9]*",
    "id": "[a-z][a-z0-9]*(-[a-z0-9]+)*",
    "piece": "[a-z][a-z0-9]*(-[a-z0-9]+)*",
    "space": "([1-9]|1[0-5])",
    "faces": "[1-9][0-9]*(-[1-9][0-9]*)?",
}
"""What the keys of an ``Each`` look like, as regular expressions of a whole key."""


@dataclass(frozen=True, slots=True)
class Key:
    """What a key takes, and what it is for: one sentence, shown by editors."""

    value: Value
    about: str


@dataclass(frozen=True)
class Table:
    """A mapping with known keys.

    ``what`` names it in the loader's sentences. ``required`` are keys that the loader demands with the usual words,
    ``needed`` such as it demands with words of their own. ``others`` is what further keys take, if there may be any.
    ``rules`` are parts of a JSON Schema for what the keys have to do with each other. ``kept`` are keys whose order
    among themselves means something; True: all of them.
    """

    name: str
    what: str
    keys: Mapping[str, Key]
    required: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    others: Each | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    kept: tuple[str, ...] | bool = ()

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of each key in the usual order; keys whose own order means something share one."""
        if self.kept is True:
            return {}
        kept = self.kept or ()
        first = min((place for place, key in enumerate(self.keys) if key in kept), default=0)
        return {key: first if key in kept else place for place, key in enumerate(self.keys)}


# ---------------------------------------------------------------- keys that stand in many tables

FLAG = Word((True, False))
TRUE = Word((True,))
STEPS = Many(In("step"))
PLAYFIELD_STEPS = Many(In("playfield-step"))

NAME = Key(Text(), "What the player sees it called.")
TITLE = Key(Text(), "The headline that the player sees.")
TEXT = Key(Text(), "Markdown: paragraphs, *emphasis*, lists. Write | behind the key and the text indented below it.")
ART = Key(Text(), "A text art file beside the deck, 64 KiB of plain characters at most.")
COPIES = Key(Whole(1, 1000), "How many of it lie in a deck that is drawn from; 1 unless said otherwise.")
CRIT = Key(Whole(1), "An attack roll at or above it is a critical: one more wound. 20 unless said otherwise.")
MISS = Key(Whole(), "An attack roll at or below it misses. 5 unless said otherwise.")
SPACE = Whole(1, 15)
SPACES = Many(SPACE)
