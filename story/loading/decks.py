"""Decks that are read and decks that are kept: story, conversation, special, events, items, drinks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from story.cards import (
    TALENTS,
    ActionCard,
    CardRef,
    Chapter,
    Conversation,
    DrinkCard,
    EnemyCard,
    KeptCard,
    StoryCard,
    TerrainCard,
)
from story.loading.draft import Draft, Scope
from story.loading.pieces import read_action, read_art, read_copies, read_enemy, read_terrain
from story.loading.reader import NUMBER, Fields, Reader, nearest_id
from story.loading.shapes.decks import (
    ACCEPTS,
    CONVERSATION,
    CONVERSATION_CARD,
    DECKS,
    DRINK_CARD,
    FORMAT,
    KEPT_CARD,
    KINDS,
    MOODS,
    SPECIAL_CARD,
    STORY,
    STORY_CARD,
)
from story.loading.shapes.values import Table
from story.loading.steps import read_steps
from story.source import BrokenNode, MapNode, Node, ScalarNode, Source

SINGULAR = {"events": "event", "items": "item", "actions": "action", "enemies": "enemy", "terrain": "terrain"}
"""What a deck's kind calls one of its cards."""


def read_kind(source: Source) -> str | None:
    """The kind of a parsed file, after a look at its first two keys; None if the file cannot be read any further."""
    reader = Reader(source, Draft())
    root = source.root
    if root is None:
        return None
    if not isinstance(root, MapNode):
        reader.expected(root, "a deck file", "a mapping that begins with format: cardwalk/1")
        return None
    fields = {key.text: value for key, value in reversed(root.pairs)}
    if "format" not in fields:
        reader.problem(reader.start(root), "missing-key", 'a deck file needs "format"', f"begin with format: {FORMAT}")
    elif not isinstance(fields["format"], BrokenNode):
        node = fields["format"]
        if not isinstance(node, ScalarNode) or node.text != FORMAT:
            version = isinstance(node, ScalarNode) and node.text.startswith("cardwalk/")
            hint = f"write {FORMAT}, or read the deck with a newer Cardwalk" if version else ""
            reader.expected(node, '"format"', FORMAT, hint, "unknown-format")
    if "kind" not in fields:
        reader.problem(reader.start(root), "missing-key", 'a deck file needs "kind"', f"one of {', '.join(KINDS)}")
        return None
    return reader.word(fields["kind"], '"kind"', KINDS, "unknown-kind")


def deck_id(file: str) -> str:
    """A deck's id: its file name without the ending."""
    name = file.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


# ---------------------------------------------------------------- what is defined where


def index_deck(source: Source, kind: str, draft: Draft) -> None:
    """Note every card that a deck defines; a card that another deck defines too is a problem."""
    index = draft.index
    root = source.root
    assert isinstance(root, MapNode)
    keys = _card_keys(root)
    if kind == "story":
        number = _chapter_number(root)
        if number is not None:
            index.chapters.setdefault(number, {}).update(_numbers(source, keys))
        return
    deck = deck_id(source.file)
    index.decks[deck] = (kind, source.span(root))
    if kind == "conversation":
        index.conversations[deck] = _numbers(source, keys)
    elif kind == "special":
        index.specials[deck] = {nearest_id(key.text): source.span(key) for key in reversed(keys)}
    elif kind == "drinks":
        index.drinks[deck] = {nearest_id(key.text): source.span(key) for key in reversed(keys)}
    else:
        known = index.cards[SINGULAR[kind]]
        for key in keys:
            id = nearest_id(key.text)
            first = known.get(id)
            if not id:
                continue
            if first is None or not first.file:
                known[id] = source.span(key)  # a shipped action may be replaced once
            elif first.file != source.file:
                source.problem(
                    key,
                    "duplicate-card",
                    f'the {SINGULAR[kind]} "{id}" is defined twice: here and in {first.file}:{first.line}',
                    "rename one of the two: ids belong to the whole campaign",
                )


def _card_keys(root: MapNode) -> list[ScalarNode]:
    for key, value in root.pairs:
        if key.text == "cards" and isinstance(value, MapNode):
            return [card for card, _ in value.pairs]
    return []


def _numbers(source: Source, keys: list[ScalarNode]) -> dict[int, Any]:
    return {int(key.text): source.span(key) for key in reversed(keys) if NUMBER.match(key.text) and len(key.text) < 8}


def _chapter_number(root: MapNode) -> int | None:
    for key, value in root.pairs:
        if key.text == "chapter" and isinstance(value, ScalarNode) and NUMBER.match(value.text) and len(value.text) < 8:
            return int(value.text)
    return None


# ---------------------------------------------------------------- decks of numbered cards


def read_story(source: Source, draft: Draft) -> Chapter:
    """One chapter (NAV-1)."""
    reader = Reader(source, draft)
    assert source.root is not None
    fields = reader.table(source.root, STORY) or {}
    number = reader.integer(fields.get("chapter"), '"chapter"', 1)
    scope = Scope("chapter", number or 0)
    cards = {
        n: _read_card(reader, key, node, n, Scope("chapter", number or 0, f"{number}:{n}"))
        for n, key, node in _numbered(reader, fields.get("cards"))
    }
    start = _start(reader, fields, scope)
    return Chapter(number or 0, reader.text(fields.get("title"), '"title"'), start, cards, source.file)


def read_conversation(source: Source, draft: Draft) -> Conversation:
    """One character of the tavern (TAV-4); its cards are ``DECK:NUMBER``."""
    reader = Reader(source, draft)
    assert source.root is not None
    id = deck_id(source.file)
    fields = reader.table(source.root, CONVERSATION) or {}
    cards = {
        n: _read_card(reader, key, node, f"{id}:{n}", Scope("conversation", id, f"{id}:{n}"), CONVERSATION_CARD)
        for n, key, node in _numbered(reader, fields.get("cards"))
    }
    start = _start(reader, fields, Scope("conversation", id))
    return Conversation(id, reader.text(fields.get("name"), '"name"'), start, cards)


def _start(reader: Reader, fields: Fields, scope: Scope) -> int:
    if "start" not in fields:
        node = fields.get("cards")
        if isinstance(node, MapNode) and not any(key.text == "1" for key, _ in node.pairs) and node.pairs:
            reader.problem(
                node.pairs[0][0],
                "missing-key",
                'a deck without card 1 needs "start"',
                "add start: and the first card's number",
            )
        return 1
    start = reader.integer(fields["start"], '"start"', 1)
    if start is not None:
        reader.refer("card", start, fields["start"], scope, "start")
    return start or 1


def _numbered(reader: Reader, node: Node | None) -> Iterator[tuple[int, ScalarNode, Node]]:
    if node is None:
        return
    if isinstance(node, MapNode) and not node.pairs:
        reader.problem(
            reader.start(node), "empty-mapping", "a deck without cards", "add a card: 1: {text: …, steps: […]}"
        )
    for key, value in reader.pairs(node, '"cards"', twice="duplicate-card"):
        if (number := reader.integer(key, "the number of a card", 1)) is not None:
            yield number, key, value


def _read_card(
    reader: Reader, key: ScalarNode, node: Node, ref: CardRef, scope: Scope, table: Table = STORY_CARD
) -> StoryCard:
    before = len(reader.source.problems)
    fields = reader.table(node, table) or {}
    accepts = None
    if "accepts" in fields and (named := reader.table(fields["accepts"], ACCEPTS)) is not None:
        values = [(name, reader.integer(value, f'"{name}"', -20, 20, signed=True)) for name, value in named.items()]
        accepts = tuple((name, n) for name, n in values if n is not None)
    card = StoryCard(
        ref,
        reader.text(fields.get("title", fields.get("name")), '"title"'),
        reader.text(fields.get("text"), '"text"', line=False),
        read_steps(reader, fields.get("steps"), '"steps"', scope),
        read_art(reader, fields),
        read_copies(reader, fields),
        reader.word(fields.get("mood"), '"mood"', MOODS) or "",
        accepts,
        reader.span(key),
    )
    if len(reader.source.problems) > before:
        reader.spoil(scope)
    return card


# ---------------------------------------------------------------- decks of unnumbered cards


def read_cards(source: Source, kind: str, draft: Draft, library: dict[str, dict[str, Any]]) -> None:
    """A deck of unnumbered cards; its cards go into ``library`` by kind, and the deck itself into ``decks``."""
    reader = Reader(source, draft)
    assert source.root is not None
    fields = reader.table(source.root, DECKS[kind]) or {}
    deck = deck_id(source.file)
    read = _READERS[kind]
    pile: list[str] = []
    node = fields.get("cards")
    if isinstance(node, MapNode) and not node.pairs:
        reader.problem(
            reader.start(node), "empty-mapping", "a deck without cards", "add a card: its id and what it says"
        )
    for key, value in reader.pairs(node, '"cards"', twice="duplicate-card") if node is not None else ():
        id = reader.id(key, "the id of a card")
        if id is None:
            continue
        card = read(reader, key, id, value, deck)
        pile += [id] * getattr(card, "copies", 1)
        if card is None:
            continue
        if kind == "special":
            library["specials"][f"{deck}:{id}"] = card
        elif kind == "drinks":
            library["drinks"].setdefault(deck, {})[id] = card
        else:
            library[kind].setdefault(id, card)
    library["decks"][deck] = tuple(pile)


def _kept(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> KeptCard | None:
    fields = reader.table(node, KEPT_CARD)
    if fields is None:
        return None
    text = reader.text(fields.get("text"), '"text"', line=False)
    return KeptCard(id, reader.text(fields.get("name"), '"name"'), text, reader.span(key))


def _drink(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> DrinkCard | None:
    fields = reader.table(node, DRINK_CARD)
    if fields is None:
        return None
    numbers = {key: reader.integer(fields.get(key), f'"{key}"') or 0 for key in ("level", "cost", "strong", "weak")}
    return DrinkCard(
        id,
        reader.text(fields.get("name"), '"name"'),
        reader.word(fields.get("type"), "the type of a drink", TALENTS) or "physical",
        numbers["level"],
        numbers["cost"],
        numbers["strong"],
        numbers["weak"],
        read_copies(reader, fields),
        reader.text(fields.get("text"), '"text"', line=False),
        reader.span(key),
    )


def _special(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> StoryCard | None:
    return _read_card(reader, key, node, f"{deck}:{id}", Scope("special", deck, f"{deck}:{id}"), SPECIAL_CARD)


def _enemy(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> EnemyCard | None:
    return read_enemy(reader, id, node)


def _terrain(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> TerrainCard | None:
    return read_terrain(reader, id, node)


def _action(reader: Reader, key: ScalarNode, id: str, node: Node, deck: str) -> ActionCard | None:
    return read_action(reader, id, node)


_READERS: Mapping[str, Callable[[Reader, ScalarNode, str, Node, str], Any]] = {
    "events": _kept,
    "items": _kept,
    "drinks": _drink,
    "special": _special,
    "enemies": _enemy,
    "terrain": _terrain,
    "actions": _action,
}
