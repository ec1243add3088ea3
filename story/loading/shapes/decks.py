"""Whole files, the cards of decks, and all tables by name."""

from __future__ import annotations

from story.cards import TALENTS
from story.loading.shapes import playfield, steps
from story.loading.shapes.values import (
    ART,
    COPIES,
    NAME,
    STEPS,
    TEXT,
    TITLE,
    Each,
    Id,
    In,
    Key,
    Many,
    Table,
    Text,
    Whole,
    Word,
)

FORMAT = "cardwalk/1"


def _deck(kind: str) -> dict[str, Key]:
    return {
        "format": Key(Word((FORMAT,)), "The version of the deck format."),
        "kind": Key(Word((kind,)), "What sort of deck this file is."),
    }


def _cards(table: str, names: str = "id") -> Key:
    which = "number" if names == "card" else "id"
    return Key(Each(names, In(table), 1), f"The cards of the deck by their {which}.")


# ---------------------------------------------------------------- decks

_WORDS = {"title": TITLE, "text": TEXT, "art": ART}

STORY_CARD = Table(
    "story-card",
    "a card",
    {
        **_WORDS,
        "steps": Key(STEPS, "Done in order. A card that is turned to leads on, or ends the game."),
    },
    ("text",),
)

MOODS = ("happy", "neutral", "serious")

ACCEPTS = Table(
    "accepts",
    '"accepts"',
    {name: Key(Whole(-20, 20), f"The modifier of a {name} drink.") for name in TALENTS},
    kept=True,
)

CONVERSATION_CARD = Table(
    "conversation-card",
    "a card",
    {
        **_WORDS,
        "mood": Key(Word(MOODS), "How the speaker feels."),
        "accepts": Key(In("accepts"), "Which drinks are accepted; without it none is."),
        "steps": STORY_CARD.keys["steps"],
    },
    ("text",),
)

SPECIAL_CARD = Table("special-card", "a card", {"name": NAME, **STORY_CARD.keys, "copies": COPIES}, ("text",))

KEPT_CARD = Table("kept-card", "a card that is kept", {"name": NAME, "text": TEXT}, ("name",))

DRINK_CARD = Table(
    "drink-card",
    "a drink card",
    {
        "name": NAME,
        "type": Key(Word(TALENTS), "physical is light talk, mental direct, critical serious."),
        "level": Key(Whole(), "The roll that succeeds, or anything above it."),
        "cost": Key(Whole(), "What it costs."),
        "strong": Key(Whole(), "What it gives if it goes well."),
        "weak": Key(Whole(), "What it gives if it does not."),
        "text": TEXT,
        "copies": COPIES,
    },
    ("name", "type", "level", "cost", "strong", "weak"),
)

FOOD = Table(
    "food",
    "a food",
    {
        "name": NAME,
        "holds": Key(Whole(1), "How many the hero can carry."),
        "heals": Key(Whole(1), "Wounds that eating one heals."),
        "ap": Key(Whole(1), "Action Points that eating one gives."),
    },
    ("name", "holds"),
    rules={"anyOf": [{"required": ["heals"]}, {"required": ["ap"]}]},
)

COUNTER = Table("counter", "a counter", {"name": NAME}, ("name",))

CAMPAIGN = Table(
    "campaign",
    "a campaign",
    {
        **_deck("campaign"),
        "id": Key(Id(), "What saves know the campaign by."),
        "title": TITLE,
        "author": Key(Text(), "Who wrote it."),
        "language": Key(Text(), "The language of its texts, such as en."),
        "text": TEXT,
        "chapters": Key(Many(Text(), 1), "Story decks in the order of play, by file name; each is a checkpoint."),
        "decks": Key(Many(Text()), "All other decks, by file name; ids are looked up in these."),
        "counters": Key(Each("id", In("counter")), "Numbers that the story keeps, by id."),
        "hero": Key(In("hero"), "The character card."),
        "satchel": Key(Each("id", In("food")), "The foods of the campaign, by id."),
    },
    ("id", "title", "chapters"),
)

_START = Key(Whole(1), "The card it opens with; 1 by default.")

STORY = Table(
    "story",
    "a story deck",
    {
        **_deck("story"),
        "chapter": Key(Whole(1), "The number of the chapter."),
        "title": TITLE,
        "start": _START,
        "cards": _cards("story-card", "card"),
    },
    ("chapter", "title", "cards"),
)

CONVERSATION = Table(
    "conversation",
    "a conversation deck",
    {**_deck("conversation"), "name": NAME, "start": _START, "cards": _cards("conversation-card", "card")},
    ("name", "cards"),
)


def _pile(kind: str, card: str) -> Table:
    return Table(kind, f"a deck of kind {kind}", {**_deck(kind), "cards": _cards(card)}, ("cards",))


_PILES = {
    "enemies": _pile("enemies", "enemy"),
    "terrain": _pile("terrain", "terrain"),
    "actions": _pile("actions", "action"),
    "items": _pile("items", "kept-card"),
    "events": _pile("events", "kept-card"),
    "drinks": _pile("drinks", "drink-card"),
    "special": _pile("special", "special-card"),
}

ENCOUNTER = Table(
    "encounter",
    "an encounter",
    {
        **_deck("encounter"),
        **playfield.setup_keys("hero-of-file"),
        "enemy_cards": Key(Each("id", In("enemy")), "The enemies used here, by id."),
        "terrain_cards": Key(Each("id", In("terrain")), "The terrain used here, by id."),
        "action_cards": Key(Each("id", In("action")), "More actions, by id."),
        "decks": Key(Each("id", Many(Id())), "Decks to draw and recruit from: the ids of their cards."),
        "state": Key(In("state"), "A position in the middle of her turn."),
    },
    ("rounds", "hero"),
)

DECKS = {
    "campaign": CAMPAIGN,
    "story": STORY,
    **_PILES,
    "conversation": CONVERSATION,
    "encounter": ENCOUNTER,
}
"""The table of a whole file by its ``kind``."""

KINDS = (
    "campaign", "story", "enemies", "terrain", "actions", "items", "events", "drinks", "conversation", "special",
    "encounter",
)  # fmt: skip
"""The kinds of decks as errors list them."""

TABLES = {
    table.name: table for module in (steps, playfield) for table in vars(module).values() if isinstance(table, Table)
} | {
    table.name: table
    for table in (STORY_CARD, CONVERSATION_CARD, SPECIAL_CARD, KEPT_CARD, DRINK_CARD, ACCEPTS, FOOD, COUNTER)
}
"""The tables within decks, by name."""
