"""Cards and decks as frozen data: what ``load`` makes of a deck file and what the rules read.

A campaign is data alone: no card's name or number stands in the program. Where a card stands in its
file (``Span``) is carried for error messages and takes no part in equality.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

ALL = 10**9
"""The amount that ``all`` stands for in ``lose`` and ``heal``."""

TALENTS = ("physical", "mental", "critical")
"""The three talents, which are also the three challenge types (CHAL-1)."""

SPACES = range(1, 16)
"""The playfield's spaces (FIELD-1)."""

ATTACK_TYPES = ("adjacent", "surrounding", "long", "lob", "full", "collision")
RANGES = ("sight", "line", "adjacent", "surrounding", "full")
TERRAIN_CLASSES = ("impassable", "no-los", "no-lob")
IMMUNITIES = ("stun", "poison", "fear", "drain")

CardRef = int | str
"""A numbered story card of the chapter being played, or ``DECK:ID`` of an unnumbered card."""


class Span(NamedTuple):
    """A place in a deck file: 1-based line and column, and its end (exclusive)."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


# ---------------------------------------------------------------- amounts, conditions


@dataclass(frozen=True, slots=True)
class Goods:
    """What is gained or lost at once: amounts by name, and ids for the inventories.

    Amount names: ``ap ap_reset pp``, a talent, a food of the campaign, a counter. ``ALL`` takes all.
    """

    amounts: tuple[tuple[str, int], ...] = ()
    events: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()

    def amount(self, name: str) -> int:
        """The amount of one name, 0 if absent."""
        return next((n for key, n in self.amounts if key == name), 0)

    def __bool__(self) -> bool:
        return bool(self.amounts or self.events or self.items or self.actions)


@dataclass(frozen=True, slots=True)
class Holds:
    """The inventory of ``kind`` holds ``id`` (INV-1 to INV-3)."""

    kind: Literal["event", "item", "action"]
    id: str


@dataclass(frozen=True, slots=True)
class AtLeast:
    """An amount (``ap wounds ap_reset pp``, talent, food, counter) is ``n`` or more."""

    name: str
    n: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """An amount is ``n`` or less."""

    name: str
    n: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A card has left the game (NAV-4)."""

    card: CardRef


@dataclass(frozen=True, slots=True)
class Not:
    """The inner condition does not hold."""

    condition: AllOf


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the conditions holds."""

    conditions: tuple[AllOf, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every clause holds; no clauses: always."""

    clauses: tuple[Holds | AtLeast | AtMost | Discarded | Not | AnyOf, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)


NOTHING = Goods()
ALWAYS = AllOf()
"""What most options cost and need."""


# ---------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a card does; ``span`` is where it stands in the file."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Reveal(Step):
    """NAV-2."""

    card: CardRef


@dataclass(frozen=True, slots=True)
class Pull(Step):
    """NAV-3, one card after the other."""

    cards: tuple[CardRef, ...]


@dataclass(frozen=True, slots=True)
class DrawCard(Step):
    """Pull a random card of an unnumbered deck that was not drawn before (NAV-5)."""

    deck: str


@dataclass(frozen=True, slots=True)
class Discard(Step):
    """NAV-4; ``None`` is the card being read."""

    card: CardRef | None


@dataclass(frozen=True, slots=True)
class Gain(Step):
    """Amounts are added up to their caps, ids are placed in their inventories."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class Lose(Step):
    """The reverse of Gain (AP-4, INV-4)."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class Wound(Step):
    """Rangitaki takes wounds."""

    n: int


@dataclass(frozen=True, slots=True)
class Heal(Step):
    """Rangitaki is healed; ``ALL`` heals everything (HEAL-5)."""

    n: int


@dataclass(frozen=True, slots=True)
class Count(Step):
    """Add to a named counter of the campaign; it never goes below 0."""

    name: str
    n: int


@dataclass(frozen=True, slots=True)
class Challenge(Step):
    """CHAL-1 to CHAL-8. A missing outcome (``None``) does nothing."""

    type: str
    level: int
    succeed: Steps | None = None
    fail: Steps | None = None
    perfect: Steps | None = None


@dataclass(frozen=True, slots=True)
class ChartRow:
    """The outcome of the faces ``low`` to ``high``."""

    low: int
    high: int
    steps: Steps


@dataclass(frozen=True, slots=True)
class Chart(Step):
    """A roll chart (CHAL-9); the rows cover the die exactly once, lowest first."""

    die: Literal["d6", "d12", "d20"]
    rows: tuple[ChartRow, ...]
    influence: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a card (NAV-7)."""

    say: str
    steps: Steps
    needs: AllOf = ALWAYS
    cost: Goods = NOTHING
    hidden: bool = False
    """Not shown at all until open; otherwise shown locked, with the reason."""
    once: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Choose(Step):
    """The card asks (NAV-7)."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class If(Step):
    """By condition, without a roll."""

    condition: AllOf
    then: Steps = ()
    otherwise: Steps = ()


@dataclass(frozen=True, slots=True)
class Fight(Step):
    """The story drops into an encounter (FIELD-4); what follows it in the list is done after it."""

    encounter: Encounter


@dataclass(frozen=True, slots=True)
class Tavern(Step):
    """The visit to the tavern (TAV-1 to TAV-9)."""

    turns: int
    hand: int
    drinks: str
    hero_space: int
    seats: tuple[tuple[int, str], ...]
    then: Steps


@dataclass(frozen=True, slots=True)
class NextChapter(Step):
    """The next chapter's start card; its checkpoint is taken (CHK-1)."""


@dataclass(frozen=True, slots=True)
class Ending(Step):
    """The game ends here."""

    id: str
    title: str
    kind: Literal["victory", "defeat", "neutral"]


# ---------------------------------------------------------------- the playfield's cards


@dataclass(frozen=True, slots=True)
class Attack:
    """FOE-2: a type of ``ATTACK_TYPES`` and the printed wounds."""

    type: str
    wounds: int


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait by its id (section 13 in lower case); ``source`` is the deck that Recruit draws from."""

    id: str
    source: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


LAST = -1
"""Stands for the last round in ``When.rounds``."""


@dataclass(frozen=True, slots=True)
class When:
    """The condition of an instance (FOE-6).

    ``event`` is ``defeated retreats wounded round_start round_end`` for enemies and also ``entered
    adjacent_at_round_end`` for terrain; ``rounds`` limits it to those rounds (``LAST`` among them), ``None`` means any.
    """

    event: str
    rounds: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A situational rule on a card (FOE-6): when it holds, ``instead`` replaces the reward, ``steps`` are done.

    ``later`` postpones all its effects, ``instead`` too, to the start of the next round.
    Steps are Gain, Lose, Wound, Heal and Count only.
    """

    when: When
    steps: Steps = ()
    instead: Goods | None = None
    later: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class EnemyCard:
    """FOE-1."""

    id: str
    name: str
    wounds: int
    attack: Attack | None = None
    moves: int = 0
    crit: int = 20
    miss: int = 5
    traits: tuple[Trait, ...] = ()
    immune: frozenset[str] = frozenset()
    rewards: Goods = Goods()
    instances: tuple[Instance, ...] = ()
    challenge: Challenge | None = None
    copies: int = 1
    text: str = ""
    art: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    @cached_property
    def trait_ids(self) -> frozenset[str]:
        """The ids of its traits."""
        return frozenset(trait.id for trait in self.traits)


@dataclass(frozen=True)
class TerrainCard:
    """TERR-1 to TERR-5; ``classes`` of ``TERRAIN_CLASSES``."""

    id: str
    name: str
    classes: frozenset[str] = frozenset()
    challenge: Challenge | None = None
    traits: tuple[Trait, ...] = ()
    instances: tuple[Instance, ...] = ()
    copies: int = 1
    text: str = ""
    art: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    @cached_property
    def trait_ids(self) -> frozenset[str]:
        """The ids of its traits."""
        return frozenset(trait.id for trait in self.traits)


@dataclass(frozen=True)
class ActionCard:
    """ACT-1, ACT-4, ACT-11.

    ``kind`` is ``attack``, ``augment`` (added to an attack that takes augments; adds its damage and effects, and its
    targets replace the attack's where above 1) or ``skill``. ``effects`` are (name, n) pairs: on attacks and augments
    ``stun poison push drain no-block``, on skills ``lob dodge fear``. ``word`` is how answers name it.
    """

    id: str
    name: str
    kind: Literal["attack", "augment", "skill"]
    cost: int
    damage: int = 0
    targets: int = 1
    range: str = "sight"
    roll: bool = True
    crits: bool = True
    effects: tuple[tuple[str, int], ...] = ()
    augments: bool = False
    word: str = ""
    copies: int = 1
    text: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    def effect(self, name: str) -> int:
        """The strength of an effect, 0 if it has none."""
        return next((n for key, n in self.effects if key == name), 0)


@dataclass(frozen=True, slots=True)
class Placement:
    """One entry of an encounter's ``enemies`` or ``terrain`` (FIELD-4).

    Either ``card`` or ``draw`` cards from ``source``; ``space`` is fixed, ``None`` asks the placement die.
    """

    card: str | None = None
    draw: int = 0
    source: str | None = None
    space: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter's set-up (FIELD-4)."""

    rounds: int
    hero_spaces: tuple[int, ...]
    """More than one: the player chooses (FIELD-9)."""
    enemies: tuple[Placement, ...] = ()
    terrain: tuple[Placement, ...] = ()
    blocked: frozenset[int] = frozenset()
    no_start: frozenset[int] = frozenset()
    until_cleared: bool = False
    title: str = ""
    text: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)
    hero_span: Span | None = field(default=None, compare=False, repr=False)
    """Where ``hero_spaces`` stands."""


# ---------------------------------------------------------------- other cards, decks


@dataclass(frozen=True, slots=True)
class KeptCard:
    """An event or item card: kept in its inventory under its name (INV-1, INV-2)."""

    id: str
    name: str
    text: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DrinkCard:
    """TAV-5: the drink's colour is a challenge type; ``strong`` and ``weak`` are persuasion points."""

    id: str
    name: str
    type: str
    level: int
    cost: int
    strong: int
    weak: int
    copies: int = 1
    text: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class StoryCard:
    """A card that is read: numbered, of a conversation, or special (``ref`` is then ``DECK:ID``)."""

    ref: CardRef
    title: str
    text: str
    steps: Steps
    art: str = ""
    """Text art: the content of the file that the deck names."""
    copies: int = 1
    mood: str = ""
    accepts: tuple[tuple[str, int], ...] | None = None
    """Conversation cards: the drink icon's modifiers by colour (TAV-6); ``None``: does not drink."""
    span: Span | None = field(default=None, compare=False, repr=False)
    """Where its number or id stands."""


@dataclass(frozen=True)
class Chapter:
    """One story deck (NAV-1)."""

    number: int
    title: str
    start: int
    cards: Mapping[int, StoryCard]
    file: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One character of the tavern (TAV-4)."""

    id: str
    name: str
    start: int
    cards: Mapping[int, StoryCard]


@dataclass(frozen=True, slots=True)
class Food:
    """A food of the satchel (HEAL-4): eaten, it heals or gives AP; ``holds`` is the cap."""

    id: str
    name: str
    holds: int
    heals: int = 0
    ap: int = 0

    @property
    def price(self) -> int:
        """What it gives at best: the solver's default price."""
        return self.heals + self.ap


@dataclass(frozen=True, slots=True)
class HeroCard:
    """Rangitaki's character card and what she starts with."""

    name: str = "Rangitaki"
    crit: int = 20
    miss: int = 5
    wounds: int = 0
    wound_limit: int = 9
    ap: int = 7
    ap_reset: int = 7
    talents: tuple[int, int, int] = (0, 0, 0)
    satchel: tuple[int, ...] = ()
    """In the order of the library's foods."""
    actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """Everything that ids name: what the rules look up while a table is played."""

    foods: tuple[Food, ...] = ()
    enemies: Mapping[str, EnemyCard] = field(default_factory=dict)
    terrain: Mapping[str, TerrainCard] = field(default_factory=dict)
    actions: Mapping[str, ActionCard] = field(default_factory=dict)
    """The shipped ones included (``STANDARD_ACTIONS``)."""
    events: Mapping[str, KeptCard] = field(default_factory=dict)
    items: Mapping[str, KeptCard] = field(default_factory=dict)
    drinks: Mapping[str, Mapping[str, DrinkCard]] = field(default_factory=dict)
    """By deck id, then card id."""
    specials: Mapping[str, StoryCard] = field(default_factory=dict)
    """By ``DECK:ID``."""
    conversations: Mapping[str, Conversation] = field(default_factory=dict)
    decks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What a draw draws from: deck id to card ids, each as often as it has copies."""
    counters: Mapping[str, str] = field(default_factory=dict)
    """Counter id to its name."""


@dataclass(frozen=True)
class Campaign:
    """A whole campaign; ``files`` is every file read, relative to its folder."""

    id: str
    title: str
    author: str
    language: str
    hero: HeroCard
    chapters: tuple[Chapter, ...]
    library: Library
    digest: str = ""
    """SHA-256 over the content of its files: the deck's identity in a save."""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoeMarks:
    """An enemy's marks in a position in mid-game (``state.enemies``)."""

    wounds: int = 0
    poisoned: bool = False
    stunned: bool = False
    rage: int = 0
    dash: int = 0
    wounded_this_turn: int = 0
    block_used: bool = False
    recruits: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """``state`` of an encounter file: the middle of her turn."""

    round: int = 1
    dodges: int = 0
    no_step: bool = False
    poisoned: bool = False
    tried: tuple[str, ...] = ()
    next_round: Steps = ()
    foes: tuple[tuple[str, FoeMarks], ...] = ()


@dataclass(frozen=True)
class EncounterFile:
    """A file with ``kind: encounter``: complete in itself."""

    title: str
    encounter: Encounter
    hero: HeroCard
    library: Library
    position: Position | None = None
    file: str = ""
    digest: str = ""
    """SHA-256 of the file: its identity in a save."""


STANDARD_FOODS = (
    Food("breadfruit", "Breadfruit", 5, heals=1),
    Food("uku", "Uku", 4, ap=1),
    Food("abehjerne", "Abehjerne", 3, heals=3),
)
"""The rulebook's foods (HEAL-4), for encounter files."""

STANDARD_ACTIONS: Mapping[str, ActionCard] = {
    card.id: card
    for card in (
        ActionCard("dart-shot", "Dart Shot", "attack", 3, damage=1, augments=True, word="dart"),
        ActionCard("stun", "Stun", "augment", 2, effects=(("stun", 1),), word="stun"),
        ActionCard("poison", "Poison", "augment", 2, effects=(("poison", 1),), word="poison"),
        ActionCard("split", "Split", "augment", 2, targets=2, crits=False, word="split"),
        ActionCard("lob", "Lob", "skill", 1, effects=(("lob", 1),), word="lob"),
        ActionCard("dodge", "Dodge", "skill", 2, effects=(("dodge", 1),), word="dodge"),
        ActionCard("fear", "Fear", "skill", 2, effects=(("fear", 1),), word="fear"),
    )
}
"""The actions shipped with the program (ACT-2, ACT-4 to ACT-6, ACT-9); Dart Shot is always there."""

ALWAYS_ACTIONS = ("dart-shot",)
"""Actions that need no card in the inventory, as Step, Heal and Influence need none (ACT-7, ACT-8, ACT-10)."""
