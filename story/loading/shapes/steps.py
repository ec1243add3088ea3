"""Steps, amounts and conditions: what story cards, outcomes and instances are made of."""

from __future__ import annotations

from typing import Any

from story.cards import TALENTS
from story.loading.shapes.values import (
    BIG,
    FLAG,
    PLAYFIELD_STEPS,
    SPACE,
    STEPS,
    TRUE,
    Card,
    Each,
    Either,
    Id,
    In,
    Key,
    Many,
    Table,
    Text,
    Value,
    Whole,
    Word,
)

# ---------------------------------------------------------------- amounts and conditions

_AMOUNTS = {
    "ap": "Action Points.",
    "ap_reset": "What Action Points become after each round of an encounter.",
    "pp": "Persuasion points, while a tavern lasts.",
    **{name: f"Points of the {name} talent." for name in TALENTS},
}

AMOUNTS = tuple(_AMOUNTS)
"""Amounts of every campaign that are gained, lost and paid; its foods and counters come on top."""

ASKED = (*AMOUNTS, "wounds")
"""Amounts that conditions ask for."""

INVENTORIES = {"event": "events", "item": "items", "action": "actions"}

_INVENTORY_KEYS = {kind: Key(Many(Id()), f"Ids of {plural}.") for kind, plural in INVENTORIES.items()}


def _goods(name: str, what: str, value: Value, *, ids: bool = True) -> Table:
    keys = {amount: Key(value, about) for amount, about in _AMOUNTS.items()} | (_INVENTORY_KEYS if ids else {})
    return Table(name, what, keys, others=Each("id", value), rules={"minProperties": 1}, kept=True)


GAIN = _goods("gain", '"gain"', Whole(1))
LOSE = _goods("lose", '"lose"', Either((Whole(1), Word(("all",)))))
COST = _goods("cost", '"cost"', Whole(1))
REWARDS = _goods("rewards", '"rewards"', Whole(1))
INSTEAD = _goods("instead", '"instead"', Whole(1), ids=False)

_AT_LEAST = {name: Key(Whole(), f"At least so much: {about}") for name, about in _AMOUNTS.items()}

CONDITION = Table(
    "condition",
    "a condition",
    {
        **{kind: Key(Many(Id()), f"Each of these {plural} is held.") for kind, plural in INVENTORIES.items()},
        **_AT_LEAST,
        "wounds": Key(Whole(), "At least so many wounds taken."),
        "at_most": Key(In("at-most"), "Amounts that may not be exceeded."),
        "discarded": Key(Many(Card()), "These cards have been discarded."),
        "not": Key(In("condition"), "This does not hold."),
        "any": Key(Many(In("condition")), "At least one of these holds."),
    },
    others=Each("id", Whole()),
    rules={"minProperties": 1},
    kept=True,
)

AT_MOST = Table(
    "at-most",
    '"at_most"',
    {name: Key(Whole(), f"At most so much: {about}") for name, about in _AMOUNTS.items()}
    | {"wounds": Key(Whole(), "At most so many wounds taken.")},
    others=Each("id", Whole()),
    kept=True,
)

# ---------------------------------------------------------------- steps

DICE = {"d6": 6, "d12": 12, "d20": 20}

KINDS_OF_ENDING = ("victory", "defeat", "neutral")


def _challenge(name: str, steps: Value) -> Table:
    return Table(
        name,
        "a challenge",
        {
            "type": Key(Word(TALENTS), "Which talent's points are added to the d20."),
            "level": Key(Whole(1), "The roll that succeeds, or anything above it."),
            "succeed": Key(steps, "Done at the level or above."),
            "fail": Key(steps, "Done below the level."),
            "perfect": Key(steps, "Done in addition if the die itself shows 20."),
        },
        ("type", "level"),
        rules={"anyOf": [{"required": [outcome]} for outcome in ("succeed", "fail", "perfect")]},
    )


CHALLENGE = _challenge("challenge", STEPS)
PLAYFIELD_CHALLENGE = _challenge("playfield-challenge", PLAYFIELD_STEPS)

ROLL = Table(
    "roll",
    "a roll",
    {
        "die": Key(Word(tuple(DICE)), "The die that is rolled."),
        "influence": Key(Word(("no", "yes", True, False)), "Whether the hero may influence the roll; yes by default."),
        "chart": Key(Each("faces", STEPS), "What each face, or range of faces such as 3-5, brings; each once."),
    },
    ("die", "chart"),
)

TAVERN = Table(
    "tavern",
    "a tavern",
    {
        "turns": Key(Whole(1), "How many turns are spent there."),
        "hand": Key(Whole(1), "How many drinks are held."),
        "drinks": Key(Id(), "The deck of drinks."),
        "hero": Key(In("hero-space"), "Where the hero begins."),
        "seats": Key(Each("space", Id()), "Spaces, and the conversation deck of who sits there."),
        "then": Key(STEPS, "Done when the turns are over."),
    },
    ("drinks", "seats", "then"),
)

HERO_SPACE = Table("hero-space", '"hero"', {"space": Key(SPACE, "The space the hero stands on.")}, ("space",))

ENDING = Table(
    "ending",
    "an ending",
    {
        "id": Key(Id(), "What saves and reports call it."),
        "title": Key(Text(), "What the player reads at the end."),
        "kind": Key(Word(KINDS_OF_ENDING), "How it counts."),
    },
    ("id", "title", "kind"),
)

PLAYFIELD_VERB_KEYS = {
    "gain": Key(In("gain"), "Amounts are added up to their caps, ids put into their inventory."),
    "lose": Key(In("lose"), "The reverse of gain; all takes everything."),
    "wound": Key(Whole(1), "The hero takes so many wounds."),
    "heal": Key(Either((Whole(1), Word(("all",)))), "The hero heals so many wounds, or all."),
    "count": Key(Each("id", Whole(-BIG)), "A counter of the campaign goes up, or down."),
}

PLAYFIELD_VERBS = tuple(PLAYFIELD_VERB_KEYS)
"""The steps that make sense on a playfield."""

VERB_KEYS = {
    "reveal": Key(Card(), "Turn to this card; the rest of the card is not done."),
    "pull": Key(Many(Card()), "Do these cards one after the other, then go on here."),
    "draw": Key(Id(), "Pull a random card of this deck that was not drawn before."),
    "discard": Key(Either((Word(("this",)), Card())), "The card is out of the game."),
    **PLAYFIELD_VERB_KEYS,
    "challenge": Key(In("challenge"), "A d20 and a talent against a level."),
    "roll": Key(In("roll"), "A die and a chart of what its faces bring."),
    "choose": Key(Many(In("option"), 1), "The player picks one of these."),
    "if": Key(In("condition"), "Done by condition, without a roll; then: and else: stand beside it."),
    "encounter": Key(In("encounter-step"), "A fight on the playfield; what follows is done after it."),
    "tavern": Key(In("tavern"), "An evening of drinks and conversations."),
    "next_chapter": Key(TRUE, "Go to the start card of the next chapter; a checkpoint is taken."),
    "ending": Key(In("ending"), "The game ends here."),
}

BRANCHES = {
    "then": Key(STEPS, "Done if the condition beside it holds."),
    "else": Key(STEPS, "Done if the condition beside it does not hold."),
}

VERBS = tuple(VERB_KEYS)

_BRANCH_RULES: dict[str, Any] = {
    "dependencies": {"then": ["if"], "else": ["if"]},
    "if": {"required": ["if"]},
    "then": {"anyOf": [{"required": ["then"]}, {"required": ["else"]}]},
}

STEP = Table(
    "step",
    "a step",
    {**VERB_KEYS, **BRANCHES},
    rules={
        **_BRANCH_RULES,
        "minProperties": 1,
        "then": {
            **_BRANCH_RULES["then"],
            "properties": dict.fromkeys([verb for verb in VERB_KEYS if verb != "if"], False),
        },
        "else": {"maxProperties": 1},
    },
    kept=VERBS,
)

PLAYFIELD_STEP = Table(
    "playfield-step", "a step", PLAYFIELD_VERB_KEYS, rules={"minProperties": 1, "maxProperties": 1}, kept=True
)

OPTION = Table(
    "option",
    "an option",
    {
        "say": Key(Text(), "The words of the choice."),
        "needs": Key(In("condition"), "The option is locked unless this holds."),
        "cost": Key(In("cost"), "Must be affordable, and is paid when the option is taken."),
        "locked": Key(Word(("shown", "hidden")), "How the option looks while it is locked; shown by default."),
        "once": Key(FLAG, "Offered until it has been taken; false by default."),
        "steps": Key(STEPS, "Done in order. A few verbs may stand directly in the option instead."),
        **VERB_KEYS,
        **BRANCHES,
    },
    needed=("say",),
    rules={
        **_BRANCH_RULES,
        "allOf": [{"if": {"required": ["steps"]}, "then": {"properties": dict.fromkeys(VERB_KEYS, False)}}],
    },
    kept=VERBS,
)
