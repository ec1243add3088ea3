"""The cards of a campaign as a graph: which card turns to which, by which verb, and where (NAV-1 to NAV-5, CHK-1).

``links_of`` lists it, ``graph_of`` makes a networkx multigraph of it. Conditions and costs are noted, not judged: a way
in the graph may be closed in play, and where the graph has no way there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from story.cards import (
    ALWAYS,
    NOTHING,
    AllOf,
    Campaign,
    CardRef,
    Challenge,
    Chart,
    ChartRow,
    Choose,
    DrawCard,
    Ending,
    Goods,
    If,
    NextChapter,
    Not,
    Pull,
    Reveal,
    Span,
    Steps,
    StoryCard,
    Tavern,
)
from story.checks.walk import Key, chapter_of, options, story_cards, walk

if TYPE_CHECKING:
    import networkx

Verb = Literal["reveal", "pull", "draw", "next_chapter", "tavern", "ending"]


class Fork(NamedTuple):
    """A place inside a card where its steps part, and the branch that is taken.

    ``kind`` is ``option``, an outcome of a challenge (``succeed fail perfect``), ``row`` of a chart, ``then`` or
    ``else`` of a condition, or ``tavern`` for what follows the visit. ``words`` are the option's own or the row's
    faces (``3-5``); ``number`` is the option's, as in ``CARD/N``.
    """

    kind: str
    words: str = ""
    number: int = 0
    needs: AllOf = ALWAYS
    cost: Goods = NOTHING


class Link(NamedTuple):
    """One card names another, or an ending. ``way`` are the forks before it, the outermost first."""

    source: Key
    target: Key
    verb: Verb
    way: tuple[Fork, ...] = ()
    span: Span | None = None

    @property
    def words(self) -> str:
        """The way in words: ``option 2 (Climb down), fail``; empty if the link is met whatever happens."""
        return ", ".join(map(_in_words, self.way))

    @property
    def needs(self) -> AllOf:
        """All conditions on the way; each is asked in its time, not all of them when the link is met."""
        return AllOf(tuple(clause for fork in self.way for clause in fork.needs.clauses))

    @property
    def cost(self) -> Goods:
        """Everything that is paid on the way."""
        costs = [fork.cost for fork in self.way if fork.cost]
        amounts: dict[str, int] = {}
        for cost in costs:
            for name, n in cost.amounts:
                amounts[name] = amounts.get(name, 0) + n
        return Goods(
            tuple(amounts.items()),
            tuple(id for cost in costs for id in cost.events),
            tuple(id for cost in costs for id in cost.items),
            tuple(id for cost in costs for id in cost.actions),
        )


def ending_key(id: str) -> Key:
    """The node of an ending; no card's key has a space in it."""
    return f"ending {id}"


def all_cards(campaign: Campaign) -> Iterator[tuple[Key, StoryCard]]:
    """All cards that are read: those of chapters, special decks and conversations (``vena:2``)."""
    yield from story_cards(campaign)
    for conversation in campaign.library.conversations.values():
        for number, card in conversation.cards.items():
            yield f"{conversation.id}:{number}", card


def links_of(campaign: Campaign) -> list[Link]:
    """Every link between cards that are there, in the order of the deck.

    A number on a special card is the number of each chapter in which that card can be read.
    """
    cards = dict(all_cards(campaign))
    turns = {key: list(_turns(card, card.steps, (), {})) for key, card in cards.items()}
    places = _Places(campaign, turns)
    return [
        Link(key, target, turn.verb, turn.way, turn.span)
        for key, card_turns in turns.items()
        for turn in card_turns
        for target in places.targets(key, turn)
        if target in cards or turn.verb == "ending"
    ]


def graph_of(campaign: Campaign) -> networkx.MultiDiGraph:
    """The graph of a campaign.

    A node is a card's key, ``CHAPTER:NUMBER`` or ``DECK:ID``, or ``ending ID``. A card's node has the attributes
    ``kind="card"``, ``chapter`` (a number) or ``deck`` (an id), the other being None, ``title``, ``start`` (whether a
    chapter begins here), ``span`` and ``card``. An ending's node has ``kind="ending"``, ``title``, ``span`` and
    ``ending`` (``victory``, ``defeat`` or ``neutral``). An edge has ``verb`` and ``link``. The graph has ``start``, the
    first card of all.
    """
    import networkx

    starts = [f"{chapter.number}:{chapter.start}" for chapter in campaign.chapters]
    graph = networkx.MultiDiGraph(start=next(iter(starts), None))
    for key, card in all_cards(campaign):
        chapter = chapter_of(key)
        deck = key.split(":")[0] if chapter is None else None
        start = key in starts
        graph.add_node(
            key, kind="card", chapter=chapter, deck=deck, title=card.title, start=start, span=card.span, card=card
        )
    for _, card in all_cards(campaign):
        for step in walk(card.steps):
            if isinstance(step, Ending) and (node := ending_key(step.id)) not in graph:
                graph.add_node(node, kind="ending", title=step.title, ending=step.kind, span=step.span)
    for link in links_of(campaign):
        graph.add_edge(link.source, link.target, verb=link.verb, link=link)
    return graph


def reached(graph: networkx.DiGraph, starts: Iterable[Key]) -> set[Key]:
    """The nodes that a path leads to from one of the starts, these included; starts that are not there lead nowhere."""
    import networkx

    there = [start for start in starts if start in graph]
    return {key for layer in networkx.bfs_layers(graph, there) for key in layer}


class _Turn(NamedTuple):
    """A step that turns somewhere: ``name`` is a card, a deck, an ending's or a conversation's id, by its verb."""

    verb: Verb
    name: CardRef
    way: tuple[Fork, ...]
    span: Span | None


def _turns(card: StoryCard, steps: Steps, way: tuple[Fork, ...], numbers: dict[int, int]) -> Iterator[_Turn]:
    """What some steps of a card turn to; ``numbers`` are those of its options, filled in where there are any."""
    for step in steps:
        inner: list[tuple[Steps, Fork]] = []
        match step:
            case Reveal(card=ref):
                yield _Turn("reveal", ref, way, step.span)
            case Choose(choices=choices):
                if not numbers:
                    numbers.update((id(choice), number) for number, choice in options(card))
                inner = [
                    (choice.steps, Fork("option", choice.say, numbers[id(choice)], choice.needs, choice.cost))
                    for choice in choices
                ]
            case Pull(cards=refs):
                yield from (_Turn("pull", ref, way, step.span) for ref in refs)
            case DrawCard(deck=deck):
                yield _Turn("draw", deck, way, step.span)
            case NextChapter():
                yield _Turn("next_chapter", "", way, step.span)
            case Ending(id=name):
                yield _Turn("ending", name, way, step.span)
            case Challenge(succeed=succeed, fail=fail, perfect=perfect):
                parts = (("succeed", succeed), ("fail", fail), ("perfect", perfect))
                inner = [(part, Fork(kind)) for kind, part in parts if part]
            case Chart(rows=rows):
                inner = [(row.steps, Fork("row", _faces(row))) for row in rows]
            case If(condition=condition, then=then, otherwise=otherwise):
                negated = AllOf((Not(condition),), condition.span)
                inner = [(then, Fork("then", needs=condition)), (otherwise, Fork("else", needs=negated))]
            case Tavern(seats=seats, then=then):
                yield from (_Turn("tavern", seat, way, step.span) for _, seat in seats)
                inner = [(then, Fork("tavern"))]
        for part, fork in inner:
            yield from _turns(card, part, (*way, fork), numbers)


def _faces(row: ChartRow) -> str:
    return f"{row.low}" if row.low == row.high else f"{row.low}-{row.high}"


class _Places:
    """What the names of cards mean on each card."""

    def __init__(self, campaign: Campaign, turns: dict[Key, list[_Turn]]) -> None:
        self.library = campaign.library
        self.starts = {chapter.number: f"{chapter.number}:{chapter.start}" for chapter in campaign.chapters}
        self.chapters: dict[Key, set[int]] = {
            key: set() if (chapter := chapter_of(key)) is None else {chapter} for key in turns
        }
        """The chapters in which a card can be read: its own, or those of the cards that turn to it (NAV-5)."""
        waiting = list(turns)
        while waiting:
            key = waiting.pop()
            for turn in turns[key]:
                if isinstance(turn.name, int) or turn.verb in ("next_chapter", "ending"):
                    continue
                for target in self.targets(key, turn):
                    known = self.chapters.get(target)
                    if known is not None and not known >= self.chapters[key]:
                        known |= self.chapters[key]
                        waiting.append(target)

    def targets(self, key: Key, turn: _Turn) -> list[Key]:
        """The keys that a step on a card may turn to, those of cards that are not there too."""
        name = turn.name
        match turn.verb:
            case "ending":
                return [ending_key(str(name))]
            case "next_chapter":
                return [start for chapter in sorted(self.chapters[key]) if (start := self.starts.get(chapter + 1))]
            case "draw":
                return [f"{name}:{card}" for card in dict.fromkeys(self.library.decks.get(str(name), ()))]
            case "tavern":
                conversation = self.library.conversations.get(str(name))
                return [f"{name}:{conversation.start}"] if conversation else []
        if isinstance(name, str):
            return [name]
        chapters = self.chapters[key]
        return [f"{chapter}:{name}" for chapter in (sorted(chapters) if len(chapters) > 1 else chapters)]


def _in_words(fork: Fork) -> str:
    if fork.kind == "option":
        return f"option {fork.number} ({fork.words})"
    return f"{fork.kind} {fork.words}".rstrip()
