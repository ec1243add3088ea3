"""Encounters, the hero, and the cards of the playfield."""

from __future__ import annotations

from story.cards import ATTACK_TYPES, IMMUNITIES, RANGES, TALENTS, TERRAIN_CLASSES
from story.hero import MOST_WOUNDS, TALENT_CAP
from story.loading.shapes.steps import PLAYFIELD_VERB_KEYS
from story.loading.shapes.values import (
    ART,
    COPIES,
    CRIT,
    FLAG,
    MISS,
    NAME,
    PLAYFIELD_STEPS,
    SPACE,
    SPACES,
    TEXT,
    TITLE,
    TRUE,
    Each,
    Either,
    Id,
    In,
    Key,
    Many,
    Table,
    Text,
    Whole,
    Word,
)
from story.playfield.traits import TRAITS

LONGEST = 999
"""Rounds of the longest encounter."""

ROUNDS = Key(Whole(1, LONGEST), "How many rounds the encounter lasts.")

# ---------------------------------------------------------------- encounters

_HERO = {
    "name": Key(Text(), "The hero's name."),
    "crit": CRIT,
    "miss": MISS,
    "wounds": Key(Whole(), "Wounds taken already; 0 by default."),
    "wound_limit": Key(Whole(1, MOST_WOUNDS), "The wound that ends the game; 9 by default."),
    "ap": Key(Whole(), "Action Points to begin with; ap_reset by default."),
    "ap_reset": Key(Whole(), "What Action Points become after each round of an encounter; 7 by default."),
    "talents": Key(In("talents"), "Talent points to begin with."),
    "satchel": Key(Each("id", Whole()), "Foods to begin with."),
    "actions": Key(Many(Id()), "Action cards to begin with; dart-shot, step, heal and influence are always there."),
}

_HERO_SPACES = Key(Many(SPACE, 1), "The space she stands on, or a list that the player chooses from.")

HERO = Table("hero", '"hero"', _HERO)
HERO_PLACED = Table("hero-placed", '"hero"', {"space": _HERO_SPACES}, needed=("space",))
HERO_OF_FILE = Table("hero-of-file", '"hero"', {"space": _HERO_SPACES, **_HERO}, needed=("space",))

TALENT_POINTS = Table(
    "talents",
    '"talents"',
    {name: Key(Whole(0, TALENT_CAP), f"Points of the {name} talent, 5 at most.") for name in TALENTS},
)


def _placement(what: str) -> Table:
    return Table(
        f"{what}-placement",
        f"{'an' if what == 'enemy' else 'a'} {what} of an encounter",
        {
            "card": Key(Id(), f"The id of the {what}."),
            "draw": Key(Whole(1, 15), "How many are drawn from a deck instead."),
            "from": Key(Id(), "The deck that is drawn from."),
            "space": Key(SPACE, "A fixed space: 1 to 5 is the row nearest to the player, 11 to 15 the farthest."),
            "place": Key(Word(("die",)), "die: the placement die decides."),
        },
        rules={
            "oneOf": [
                {
                    "required": ["card"],
                    "oneOf": [{"required": ["space"]}, {"required": ["place"]}],
                    "properties": {"draw": False, "from": False},
                },
                {"required": ["draw", "from", "place"], "properties": {"card": False, "space": False}},
            ]
        },
    )


ENEMY_PLACEMENT = _placement("enemy")
TERRAIN_PLACEMENT = _placement("terrain")


def setup_keys(hero: str) -> dict[str, Key]:
    return {
        "title": TITLE,
        "text": TEXT,
        "rounds": ROUNDS,
        "hero": Key(In(hero), "Where she stands, and in a file of its own how she is."),
        "enemies": Key(Many(In("enemy-placement")), "Who is on the playfield, in the order of their turns."),
        "terrain": Key(Many(In("terrain-placement")), "What stands on the playfield."),
        "blocked": Key(SPACES, "Spaces that nobody enters."),
        "no_start": Key(SPACES, "Spaces where nothing that is rolled may start."),
        "until": Key(Word(("rounds", "cleared")), "cleared: it also ends when no enemy is left."),
    }


ENCOUNTER_STEP = Table("encounter-step", "an encounter", setup_keys("hero-placed"), ("rounds", "hero"))

# ---------------------------------------------------------------- cards of the playfield

ATTACK_EFFECTS = ("stun", "poison", "push", "drain", "no-block")
SKILL_EFFECTS = ("lob", "dodge", "fear")
ACTION_KINDS = ("attack", "augment", "skill")

ATTACK = Table(
    "attack",
    "an attack",
    {
        "type": Key(Word(ATTACK_TYPES), "Which spaces it reaches."),
        "wounds": Key(Whole(0, MOST_WOUNDS), "The printed wounds of a hit."),
    },
    ("type", "wounds"),
)

_RECRUITS = tuple(id for id, trait in TRAITS.items() if trait.recruits)


def _traits(terrain: bool) -> Key:
    words = tuple(id for id, rule in TRAITS.items() if id not in _RECRUITS and (rule.on_terrain or not terrain))
    values = (Word(words),) if terrain else (Word(words), In("recruit"))
    return Key(Many(Either(values)), "Ids of its traits; cardwalk rules TRAIT tells what they do.")


RECRUIT = Table(
    "recruit",
    "a trait",
    {id: Key(In("recruit-from"), "A trait that needs to be told where recruits come from.") for id in _RECRUITS},
    rules={"minProperties": 1, "maxProperties": 1},
)
RECRUIT_FROM = Table(
    "recruit-from", "the trait recruit", {"from": Key(Id(), "The deck that is drawn from.")}, ("from",)
)

_ROUND = Either((TRUE, Whole(1)))
_ENEMY_EVENTS = {
    "defeated_in_round": Key(Many(Either((Whole(1), Word(("last",))))), "It is defeated in this round."),
    "defeated": Key(TRUE, "It is defeated."),
    "retreats": Key(TRUE, "It leaves by itself."),
    "wounded": Key(TRUE, "It is wounded and survives."),
    "round_start": Key(_ROUND, "A round starts, from the second on; or the round of that number."),
    "round_end": Key(_ROUND, "A round ends; or the round of that number."),
}
_TERRAIN_EVENTS = {
    "entered": Key(TRUE, "Her Step ends on it."),
    "adjacent_at_round_end": Key(TRUE, "She stands beside it when the round ends."),
    **{event: _ENEMY_EVENTS[event] for event in ("round_start", "round_end")},
}
ENEMY_EVENTS, TERRAIN_EVENTS = tuple(_ENEMY_EVENTS), tuple(_TERRAIN_EVENTS)

_ONE_EVENT = {"minProperties": 1, "maxProperties": 1}
ENEMY_WHEN = Table("enemy-when", '"when"', _ENEMY_EVENTS, rules=_ONE_EVENT)
TERRAIN_WHEN = Table("terrain-when", '"when"', _TERRAIN_EVENTS, rules=_ONE_EVENT)


def _instance(whose: str) -> Table:
    effects = ("instead", *PLAYFIELD_VERB_KEYS)
    return Table(
        f"{whose}-instance",
        "an instance",
        {
            "when": Key(In(f"{whose}-when"), "What it waits for: one event."),
            "instead": Key(In("instead"), "Paid in place of the reward."),
            **PLAYFIELD_VERB_KEYS,
            "at": Key(Word(("next_round",)), "Its effects wait for the start of the next round."),
        },
        ("when",),
        rules={"anyOf": [{"required": [effect]} for effect in effects]},
        kept=tuple(PLAYFIELD_VERB_KEYS),
    )


ENEMY_INSTANCE = _instance("enemy")
TERRAIN_INSTANCE = _instance("terrain")

_TRIED = Key(In("playfield-challenge"), "What the hero may try from an adjacent space.")

ENEMY = Table(
    "enemy",
    "an enemy card",
    {
        "name": NAME,
        "text": TEXT,
        "art": ART,
        "wounds": Key(Whole(1), "As many wounds defeat it."),
        "attack": Key(In("attack"), "What it does to her; without an attack it only moves."),
        "moves": Key(Whole(), "Spaces in a turn, if it cannot attack from where it stands; 0 by default."),
        "crit": CRIT,
        "miss": MISS,
        "traits": _traits(terrain=False),
        "immune": Key(Many(Word(IMMUNITIES)), "What does nothing to it."),
        "rewards": Key(In("rewards"), "Earned at once by whoever defeats it."),
        "instances": Key(Many(In("enemy-instance")), "What happens on its account."),
        "challenge": _TRIED,
        "copies": COPIES,
    },
    ("name", "wounds"),
)

TERRAIN = Table(
    "terrain",
    "a terrain card",
    {
        "name": NAME,
        "text": TEXT,
        "art": ART,
        "classes": Key(Many(Word(TERRAIN_CLASSES)), "What it stops: whoever moves, lines of sight, lobs."),
        "challenge": _TRIED,
        "traits": _traits(terrain=True),
        "instances": Key(Many(In("terrain-instance")), "What happens on its account."),
        "copies": COPIES,
    },
    ("name",),
)

_EFFECTS = (*ATTACK_EFFECTS, *SKILL_EFFECTS)

ACTION = Table(
    "action",
    "an action card",
    {
        "name": NAME,
        "kind": Key(Word(ACTION_KINDS), "An attack, what an attack may be augmented by, or a skill."),
        "cost": Key(Whole(), "Action Points it costs."),
        "damage": Key(Whole(), "Wounds of a hit; 1 for an attack, 0 for the rest."),
        "targets": Key(Whole(1, 14), "How many are attacked, one roll each; 1 by default."),
        "range": Key(Word(RANGES), "Which spaces it reaches."),
        "roll": Key(FLAG, "Whether an attack roll is made."),
        "crits": Key(FLAG, "Whether a high roll is a critical."),
        "effects": Key(Many(Either((Word(_EFFECTS), In("effect")))), "What it does besides wounding."),
        "augments": Key(FLAG, "Whether augments and lob may be added to it."),
        "text": TEXT,
        "copies": COPIES,
    },
)

EFFECT = Table(
    "effect",
    "an effect",
    {effect: Key(Whole(1, 14), "How strong it is.") for effect in _EFFECTS},
    rules={"minProperties": 1, "maxProperties": 1},
)

# ---------------------------------------------------------------- a position in mid-game

MARKS = Table(
    "marks",
    "the marks of an enemy",
    {
        "wounds": Key(Whole(), "Wounds it has taken."),
        "poisoned": Key(FLAG, "Whether it is poisoned."),
        "stunned": Key(FLAG, "Whether it is stunned."),
        "rage": Key(Whole(), "Wounds its rage adds to its next attack."),
        "dash": Key(Whole(0, 1), "Spaces added to its next move."),
        "wounded_this_turn": Key(Whole(), "How often it was wounded in this turn."),
        "block_used": Key(FLAG, "Whether it has blocked in this round."),
        "recruits": Key(FLAG, "Whether it recruits at the end of the round."),
    },
)

STATE = Table(
    "state",
    '"state"',
    {
        "round": Key(Whole(1), "The round being played."),
        "dodges": Key(Whole(), "Dodges at hand."),
        "no_step": Key(FLAG, "She may not step in this round."),
        "poisoned": Key(FLAG, "She is poisoned."),
        "tried": Key(Many(Id()), "Challenges tried already in this round, by the name of the piece."),
        "next_round": Key(PLAYFIELD_STEPS, "What waits for the start of the next round."),
        "enemies": Key(Each("piece", In("marks")), "Marks by the name of the piece: woopu-2 is the second woopu."),
    },
)
