"""What a picture of a campaign shows. Everything that is a spoiler is left out here (NAV-6), before anything is drawn.

The writers of all formats read a ``Sheet`` alone.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from runner.terminal import clean, markdown_text
from story.cards import AllOf, Campaign, Goods
from story.checks.walk import Key, options
from story.conditions import clause_in_words
from story.effects import goods_in_words
from story.graph import Fork, Link, graph_of

if TYPE_CHECKING:
    import networkx

    from solver.reach import Verdicts

VERDICTS = ("reached", "unreachable", "unknown")
VERBS = {
    "reveal": "reveal",
    "pull": "pull",
    "draw": "draw",
    "next_chapter": "next chapter",
    "tavern": "visit",
    "ending": "ending",
}
"""The verbs of ``story.graph`` as they are shown."""

OUTCOMES = ("succeed", "fail", "perfect")


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways from a card to another: its words, what it needs and costs, and whether it is proven closed."""

    words: str = ""
    needs: str = ""
    cost: str = ""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """All ways by one verb from one node to another, each named by its place in ``Sheet.nodes``.

    ``outcome`` is the challenge's outcome that all of them end in, empty if they differ.
    """

    source: int
    target: int
    verb: str
    outcome: str = ""
    ways: tuple[Way, ...] = ()

    @property
    def closed(self) -> bool:
        """Every way is proven closed."""
        return bool(self.ways) and all(way.closed for way in self.ways)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a card as the card shows it; ``number`` is the N of ``CARD/N``."""

    number: int
    words: str
    needs: str
    cost: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Node:
    """A card, an ending, or a deck that is drawn from.

    ``name`` is unique and spoken, ``label`` short; ``group`` is the place of its band in ``Sheet.groups``, None if it
    stands outside all of them. Without spoilers ``title``, ``text``, ``ending`` and ``options`` are empty.
    """

    name: str
    label: str
    kind: Literal["card", "ending", "deck"]
    group: int | None
    start: bool = False
    verdict: str = ""
    title: str = ""
    text: str = ""
    ending: str = ""
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole picture: bands with their names, nodes in the order of the deck, and edges."""

    title: str
    groups: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    spoilers: bool
    judged: bool
    """Whether verdicts were asked for."""
    limit: str | None = None
    """What stopped the search, where a verdict is unknown."""

    @property
    def caption(self) -> str:
        """What is in the picture, in one line."""
        cards = sum(node.kind == "card" for node in self.nodes)
        endings = sum(node.kind == "ending" for node in self.nodes)
        parts = [_count(cards, "card"), _count(endings, "ending"), _count(len(self.edges), "link")]
        if self.judged:
            parts += [f"{n} {word}" for word in VERDICTS if (n := sum(node.verdict == word for node in self.nodes))]
        return ", ".join(parts) + (f" (the limit was: {self.limit})" if self.limit else "")

    @property
    def note(self) -> str:
        """What the reader of a picture without spoilers should know; empty with them."""
        return "" if self.spoilers else "Titles, texts and options are in a picture made with --spoilers."


_NO_CHARACTERS = {0xFFFE: None, 0xFFFF: None}
"""What no XML may hold and ``clean`` lets pass."""


def _line(text: str) -> str:
    return " ".join(clean(text).translate(_NO_CHARACTERS).split())


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'s' * (n != 1)}"


def sheet_of(campaign: Campaign, verdicts: Verdicts | None, *, spoilers: bool) -> Sheet:
    """The sheet of a campaign; ``verdicts`` None: nobody asked what can be reached."""
    return _Maker(campaign, verdicts, spoilers).sheet()


class _Maker:
    def __init__(self, campaign: Campaign, verdicts: Verdicts | None, spoilers: bool) -> None:
        self.campaign = campaign
        self.library = campaign.library
        self.verdicts = verdicts
        self.spoilers = spoilers
        self.graph: networkx.MultiDiGraph = graph_of(campaign)
        self.links: list[Link] = [data["link"] for _, _, data in self.graph.edges(data=True)]
        self.decks = {key: deck for key, data in self.graph.nodes(data=True) if (deck := data.get("deck")) is not None}
        """The unnumbered cards, each with its deck."""
        self.letters = dict(zip(dict.fromkeys(self.decks.values()), _letters(), strict=False))
        self.hubs = self._hubs()

    def sheet(self) -> Sheet:
        titles, places = self._groups()
        nodes = dict(self._nodes(places))
        numbers = {key: number for number, key in enumerate(nodes)}
        return Sheet(
            _line(self.campaign.title),
            titles,
            tuple(nodes.values()),
            tuple(self._edges(numbers)),
            self.spoilers,
            self.verdicts is not None,
            self.verdicts.limit if self.verdicts is not None else None,
        )

    # ------------------------------------------------------------ bands

    def _hubs(self) -> dict[str, list[Key]]:
        """Decks of several cards that are drawn from: one node stands for the draw, else each drawer links to each."""
        drawn = {self.decks[link.target]: None for link in self.links if link.verb == "draw"}
        cards = {deck: [key for key, home in self.decks.items() if home == deck] for deck in drawn}
        return {deck: keys for deck, keys in cards.items() if len(keys) > 1}

    def _homes(self) -> dict[Key, set[int]]:
        """The chapters from which a node is turned to without a numbered card between."""
        chapters = {key: data.get("chapter") for key, data in self.graph.nodes(data=True)}
        homes = {key: set() if chapter is None else {chapter} for key, chapter in chapters.items()}
        waiting = list(homes)
        while waiting:
            key = waiting.pop()
            for target in self.graph.successors(key):
                if chapters[target] is None and not homes[target] >= homes[key]:
                    homes[target] |= homes[key]
                    waiting.append(target)
        return homes

    def _groups(self) -> tuple[tuple[str, ...], dict[Key, int]]:
        """The bands, and each node's: a node read in one chapter alone stands there, other cards with their deck."""
        names: dict[str, int] = {}
        for chapter in self.campaign.chapters:
            title = f": {_line(chapter.title)}" if self.spoilers and chapter.title else ""
            names[f"chapter {chapter.number}{title}"] = chapter.number
        bands = {number: place for place, number in enumerate(names.values())}
        titles = list(names)
        places: dict[Key, int] = {}
        homes = self._homes()
        for deck, cards in self.hubs.items():
            homes[_hub(deck)] = set().union(*(homes[card] for card in cards))
        for key, chapters in homes.items():
            if len(chapters) == 1:
                places[key] = bands[min(chapters)]
            elif (deck := self.decks.get(key, key.removeprefix("deck "))) in self.letters:
                name = self._deck_name(deck)
                if name not in titles:
                    titles.append(name)
                places[key] = titles.index(name)
        return tuple(titles), places

    def _deck_name(self, deck: str) -> str:
        return f"deck {deck if self.spoilers else self.letters[deck]}"

    # ------------------------------------------------------------ nodes

    def _nodes(self, places: dict[Key, int]) -> Iterator[tuple[Key, Node]]:
        counts = dict.fromkeys(self.letters, 0)
        endings = 0
        for key, data in self.graph.nodes(data=True):
            if data["kind"] == "ending":
                endings += 1
                yield key, self._ending(key, data, endings, places.get(key))
                continue
            deck = data["deck"]
            name = key
            if deck is not None:
                if not counts[deck] and deck in self.hubs:
                    label = self._deck_name(deck)
                    yield _hub(deck), Node(label, label, "deck", places.get(_hub(deck)))
                counts[deck] += 1
                name = key if self.spoilers else f"{self.letters[deck]}:{counts[deck]}"
            card = data["card"]
            yield (
                key,
                Node(
                    name,
                    name if deck is not None and not self.spoilers else name.split(":")[1],
                    "card",
                    places.get(key),
                    data["start"],
                    self._verdict("cards", key),
                    _line(card.title) if self.spoilers else "",
                    markdown_text(card.text, 10**6).translate(_NO_CHARACTERS) if self.spoilers else "",
                    "",
                    tuple(self._options(key)) if self.spoilers else (),
                ),
            )

    def _ending(self, key: Key, data: dict[str, str], number: int, place: int | None) -> Node:
        id = key.removeprefix("ending ")
        verdict = self._verdict("endings", id)
        if not self.spoilers:
            return Node(f"end {number}", f"end {number}", "ending", place, verdict=verdict)
        return Node(
            key, f"end · {data['ending']}", "ending", place, False, verdict, _line(data["title"]), "", data["ending"]
        )

    def _verdict(self, table: str, key: str) -> str:
        return getattr(self.verdicts, table).get(key, "") if self.verdicts is not None else ""

    def _options(self, key: Key) -> Iterator[Option]:
        for number, choice in options(self.graph.nodes[key]["card"]):
            verdict = self._verdict("options", f"{key}/{number}")
            yield Option(number, _line(choice.say), self._needs(choice.needs), self._cost(choice.cost), verdict)

    # ------------------------------------------------------------ edges

    def _edges(self, numbers: dict[Key, int]) -> Iterator[Edge]:
        """Links with one source, target and verb are one edge."""
        found: dict[tuple[Key, Key, str], dict[Link, None]] = {}
        for link in self.links:
            target = link.target
            if link.verb == "draw" and self.decks[target] in self.hubs:
                target = _hub(self.decks[target])
                link = link._replace(target=target)  # the draw is one way, however many cards there are
            found.setdefault((link.source, target, link.verb), {})[link] = None
        for (source, target, verb), links in found.items():
            outcomes = {self._outcome(link) for link in links}
            outcome = outcomes.pop() if len(outcomes) == 1 else ""
            ways = tuple(dict.fromkeys(self._way(link) for link in links))
            yield Edge(numbers[source], numbers[target], VERBS[verb], outcome, ways)
        for deck, cards in self.hubs.items():
            for card in cards:
                yield Edge(numbers[_hub(deck)], numbers[card], VERBS["draw"])

    def _outcome(self, link: Link) -> str:
        """The outcome of the innermost challenge: a consequence, so a spoiler."""
        if not self.spoilers:
            return ""
        return next((fork.kind for fork in reversed(link.way) if fork.kind in OUTCOMES), "")

    def _way(self, link: Link) -> Way:
        closed = any(
            self._verdict("options", f"{link.source}/{fork.number}") == "unreachable"
            for fork in link.way
            if fork.kind == "option"
        )
        if not self.spoilers:
            return Way(closed=closed)
        words = ", ".join(_fork_words(fork) for fork in link.way)
        return Way(_line(words), self._needs(link.needs), self._cost(link.cost), closed)

    def _needs(self, condition: AllOf) -> str:
        return _line(" and ".join(clause_in_words(clause, self.library) for clause in condition.clauses))

    def _cost(self, goods: Goods) -> str:
        return _line(goods_in_words(goods, self.library)) if goods else ""


def _fork_words(fork: Fork) -> str:
    match fork.kind:
        case "option":
            return f"option {fork.number} ({fork.words})"
        case "then":
            return "if the condition holds"
        case "else":
            return "otherwise"
        case "tavern":
            return "after the visit"
        case _:
            return f"{fork.kind} {fork.words}".rstrip()


def _hub(deck: str) -> Key:
    """The node of a draw; no card's key has a space in it."""
    return f"deck {deck}"


def _letters() -> Iterator[str]:
    """A, B, … Z, AA, AB, …: what decks are called where their names would tell something."""
    for length in range(1, 4):
        yield from _words(length)


def _words(length: int) -> Iterable[str]:
    if length == 1:
        return string.ascii_uppercase
    return (head + tail for head in _words(length - 1) for tail in string.ascii_uppercase)
