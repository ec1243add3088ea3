"""Enemy cards as the compiled form reads them; every trait is named here once, with what it changes (section 13).

What a trait does is found by its attribute: ``grep`` for it in this package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from solver.encounter.errors import NotCovered
from solver.encounter.nodes import Faces
from story.cards import ALL, EnemyCard, TerrainCard, Trait
from story.dice import Scale, crit_miss_scale, influences, read_scale

TRAITS = {
    "bird-bomb": "bombs",
    "block": "blocks",
    "bolster": "bolster",
    "cowardly": "retreats",
    "dash": "dashes",
    "disorientation": "hits",
    "drain": "hits",
    "electrocute": "hits",
    "fly": "flies",
    "poison": "hits",
    "rage": "rages",
    "recruit": "recruits",
    "squishy": "squishy",
    "stun": "hits",
    "unwavered": "still",
}
"""Trait ids, and the attribute of ``Kind`` that they set; ``hits``: it acts on whoever the attack hits."""


def hits_of(traits: tuple[Trait, ...]) -> tuple[str, ...]:
    """The traits that act on whoever an attack, or terrain, hits, in the order of the card."""
    for trait in traits:
        if trait.id not in TRAITS:
            raise NotCovered(f"trait {trait.id}")
    return tuple(trait.id for trait in traits if TRAITS[trait.id] == "hits")


@dataclass(slots=True)
class Kind:
    """An enemy card, ready to be played."""

    index: int
    card: EnemyCard
    limit: int = 0
    type: str = ""
    printed: int = 0
    moves: int = 0
    faces: Faces = field(init=False)
    block_faces: Faces = field(init=False)
    hits: tuple[str, ...] = ()
    passes_on: tuple[tuple[str, int], ...] = ()
    """What its bomb or collision does to other enemies besides wounds."""
    recruits_from: tuple[str, ...] = ()
    bombs: bool = False
    blocks: bool = False
    bolster: bool = False
    retreats: bool = False
    dashes: bool = False
    flies: bool = False
    rages: bool = False
    recruits: bool = False
    squishy: bool = False
    still: bool = False
    events: frozenset[str] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        card = self.card
        self.limit = card.wounds
        self.moves = card.moves
        if card.attack is not None:
            self.type, self.printed = card.attack.type, card.attack.wounds
        self.hits = hits_of(card.traits)
        ids = card.trait_ids
        for trait in ids:
            if TRAITS[trait] != "hits":
                setattr(self, TRAITS[trait], True)
        self.passes_on = tuple((effect, 1) for effect in ("poison", "stun", "drain") if effect in ids)
        self.recruits_from = tuple(trait.source for trait in card.traits if trait.id == "recruit" and trait.source)
        self.faces = crit_miss_faces(card.crit, card.miss, 0, True)
        self.block_faces = crit_miss_faces(card.crit, card.miss, 0, False)
        self.events = events_of(card)

    @property
    def collides(self) -> bool:
        """FOE-4; a bird bomb replaces the collision."""
        return self.type == "collision" and not self.bombs

    @property
    def reach(self) -> str:
        """The attack type that reaches from where it stands."""
        return "" if self.type == "collision" else self.type


def events_of(card: EnemyCard | TerrainCard) -> frozenset[str]:
    """The events that instances of a card wait for."""
    return frozenset(instance.when.event for instance in card.instances)


def faces_of(scale: Scale, bonus: int, outcomes: tuple[str, ...], natural_one: int, perfect: int | None) -> Faces:
    """The faces of a D20 on a scale, grouped by what they are and what influence can make of them (CHAL-3 to CHAL-10).

    ``natural_one``: the outcome of a die that shows 1; ``perfect``: of one that shows 20, if that is fixed (CHAL-7).
    """
    groups: dict[tuple[tuple[int, int], ...], int] = {}
    for face in range(1, 21):
        choices: tuple[tuple[int, int], ...]
        if face == 1:
            choices = ((0, natural_one),)
        elif face == 20 and perfect is not None:
            choices = ((0, perfect),)
        else:
            total = face + bonus
            choices = ((0, outcomes.index(read_scale(scale, total))),)
            choices += tuple(
                (abs(change), outcomes.index(outcome)) for change, outcome in influences(scale, total, ALL)
            )
        groups[choices] = groups.get(choices, 0) + 1
    return Faces(tuple((count, choices) for choices, count in groups.items()))


@cache
def crit_miss_faces(crit: int, miss: int, bonus: int, crits: bool) -> Faces:
    """ACT-3: outcomes 0 miss, 1 hit, 2 critical."""
    return faces_of(crit_miss_scale(crit, miss, crits=crits), bonus, ("miss", "hit", "crit"), 0, None)


@cache
def challenge_faces(level: int, bonus: int) -> Faces:
    """CHAL-2, CHAL-6, CHAL-7: outcomes 0 fail, 1 succeed, 2 perfect."""
    return faces_of(((-ALL, "fail"), (level, "succeed")), bonus, ("fail", "succeed"), 0, 2)
