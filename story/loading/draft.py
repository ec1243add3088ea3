"""A deck while it is being read: its files, what they define, what they name, and what is wrong so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from story.cards import Campaign, EncounterFile, Span, Step, StoryCard
from story.loading.shapes.steps import AMOUNTS, ASKED
from story.problems import Problem, Severity, at, did_you_mean
from story.source import ScalarNode, Source

if TYPE_CHECKING:
    import networkx

PlaceKind = Literal["chapter", "conversation", "special", "playfield", "campaign"]

MANY, SUGGESTIONS = 200, 100


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a step stands: whose numbers it speaks of and which card it is on.

    ``owner`` is the chapter's number or the deck's id; ``card`` is ``1:12`` or ``heads:otto``, empty elsewhere.
    """

    kind: PlaceKind
    owner: int | str = ""
    card: str = ""


class Reference(NamedTuple):
    """A name that stands for something defined elsewhere.

    ``kind``: ``card`` (``name`` a number), ``special`` (an unnumbered card that is read), ``event item action enemy
    terrain food amount asked deck conversation``. ``role`` says what is done with it (``reveal``, ``gain``, …), ``n``
    how much of an amount.
    """

    kind: str
    name: int | str
    span: Span
    scope: Scope
    role: str = ""
    n: int = 0


class Text(NamedTuple):
    """A text of a deck as it stands in its file; ``what`` names its key."""

    source: Source
    node: ScalarNode
    what: str


@dataclass
class Index:
    """Everything that may be named, each with the place where it is defined."""

    chapters: dict[int, dict[int, Span]] = field(default_factory=dict)
    conversations: dict[str, dict[int, Span]] = field(default_factory=dict)
    specials: dict[str, dict[str, Span]] = field(default_factory=dict)
    drinks: dict[str, dict[str, Span]] = field(default_factory=dict)
    cards: dict[str, dict[str, Span]] = field(
        default_factory=lambda: {kind: {} for kind in ("event", "item", "action", "enemy", "terrain")}
    )
    decks: dict[str, tuple[str, Span]] = field(default_factory=dict)
    """Deck id to its kind (``enemies``, ``special``, …) and where it begins."""
    foods: dict[str, Span] = field(default_factory=dict)
    counters: dict[str, Span] = field(default_factory=dict)

    def unnumbered(self) -> Iterator[tuple[str, str, str]]:
        """All unnumbered cards as (kind, deck id or empty, id)."""
        for kind, cards in self.cards.items():
            yield from ((kind, "", id) for id in cards)
        for kind, decks in (("special", self.specials), ("drink", self.drinks)):
            yield from ((kind, deck, id) for deck, ids in decks.items() for id in ids)

    def homes(self, id: str) -> list[str]:
        """The special decks that hold a card of this id."""
        return [deck for deck, ids in self.specials.items() if id in ids]


@dataclass
class Draft:
    """What has been read of a deck, complete or not."""

    sources: dict[str, Source] = field(default_factory=dict)
    index: Index = field(default_factory=Index)
    references: list[Reference] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    damaged: set[str] = field(default_factory=set)
    """Cards (``1:12``, ``heads:otto``) of which a part was refused: nothing is concluded from what they lack."""
    unread: bool = False
    """A file could not be read or parsed, so that a missing name proves nothing."""
    loose: bool = False
    """One deck of a campaign read by itself: what other decks define is unknown."""
    open_inventories: bool = False
    """Events and items need no definition (a file of its own with ``kind: encounter``)."""
    loaded: Campaign | EncounterFile | None = None
    folder: Path | None = None
    """Where the deck's files lie."""
    name: str = ""
    """What the deck is called in reports."""
    suggested: int = 0
    manifest: dict[str, str | None] = field(default_factory=dict)
    """Every file asked for, relative to the deck's folder, with the SHA-256 of its content (None: not there)."""

    @cached_property
    def cards(self) -> dict[str, StoryCard]:
        """The cards of chapters and special decks by their keys; empty if the deck is no campaign."""
        from story.checks.walk import story_cards

        return dict(story_cards(self.loaded)) if isinstance(self.loaded, Campaign) else {}

    @cached_property
    def steps(self) -> dict[str, tuple[Step, ...]]:
        """Every step of each card, those of outcomes, options and branches included."""
        from story.checks.walk import walk

        return {key: tuple(walk(card.steps)) for key, card in self.cards.items()}

    @cached_property
    def graph(self) -> networkx.MultiDiGraph:
        """The graph of the cards (``story.graph``). Raises ValueError if the deck is no campaign."""
        from story.graph import graph_of

        if not isinstance(self.loaded, Campaign):
            raise ValueError("only a campaign has a graph of cards")
        return graph_of(self.loaded)

    @cached_property
    def _by_kind(self) -> dict[str, list[Reference]]:
        kinds: dict[str, list[Reference]] = {}
        for reference in self.references:
            kinds.setdefault(reference.kind, []).append(reference)
        return kinds

    def named(self, *kinds: str) -> list[Reference]:
        """The references of some kinds, each kind in the order of the deck; to be asked once everything is read."""
        return [reference for kind in kinds for reference in self._by_kind.get(kind, ())]

    def certain(self) -> bool:
        """Whether every card and every name in it was understood: only then does the lack of a way prove anything."""
        return not (
            self.unread
            or self.damaged
            or any(problem.id in ("missing-target", "ambiguous-id") for problem in self.problems)
        )

    def place_of(self, key: str) -> Span | None:
        """Where a card's number or id stands; None if there is no such card."""
        deck, _, id = key.partition(":")
        if deck.isdecimal():
            return self.index.chapters.get(int(deck), {}).get(int(id))
        if deck in self.index.conversations:
            return self.index.conversations[deck].get(int(id))
        return self.index.specials.get(deck, {}).get(id)

    def problem(self, span: Span, id: str, message: str, hint: str = "", severity: Severity = "error") -> None:
        """Note a problem."""
        source = self.sources.get(span.file)
        self.problems.append(at(span, id, severity, message, hint, source.lines if source else ()))

    def known(self, kind: str) -> Iterable[str]:
        """The names that a reference of this kind may use."""
        index = self.index
        if kind in ("amount", "asked"):
            return [*(ASKED if kind == "asked" else AMOUNTS), *index.foods, *index.counters]
        if kind == "special":
            return {id for ids in index.specials.values() for id in ids}
        tables: Mapping[str, Iterable[str]] = {
            "food": index.foods,
            "counter": index.counters,
            "deck": index.decks,
            "conversation": index.conversations,
        }
        return tables[kind] if kind in tables else index.cards[kind]

    def suggest(self, name: str, known: Collection[str]) -> str:
        """``did_you_mean``, but no more than ``SUGGESTIONS`` times among many names: each look takes milliseconds."""
        if len(known) > MANY:
            self.suggested += 1
            if self.suggested > SUGGESTIONS:
                return f"mend the name, or define it: {len(known)} are known"
        return did_you_mean(name, known)

    def unresolved(self) -> set[str]:
        """The kinds of which some name is not defined: a misspelt name uses nothing, so lack of use proves nothing."""
        kinds = set()
        for reference in self.named("special", "deck", "conversation", *self.index.cards):
            name = str(reference.name)
            if reference.kind == "special":
                known = self.index.homes(name.rpartition(":")[2])
            elif reference.kind in ("deck", "conversation"):
                known = [name] if name in self.index.decks else []
            else:
                known = [name] if name in self.index.cards[reference.kind] else []
            if not known:
                kinds.add("deck" if reference.kind == "conversation" else reference.kind)
        return kinds

    def all_problems(self) -> list[Problem]:
        """Of the files and of what is in them, sorted by file and line."""
        found = [*self.problems, *(problem for source in self.sources.values() for problem in source.problems)]
        return sorted(set(found), key=lambda problem: problem.order)
