"""The traits, one entry each (section 13 of the rules).

An entry says at which moments of the game its trait speaks; the rules of the round ask those moments of every trait and
know none by name. A new trait is one entry here, its rule text, a test and an example deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from story.cards import EnemyCard, TerrainCard
from story.playfield import marks
from story.playfield.field import Field, Foe
from story.state import Play


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitRule:
    """What a trait changes; what it leaves alone has its default."""

    id: str
    rule: str
    power: Callable[[Field, Foe], int] | None = None
    """Wounds added to its attack."""
    spent: Callable[[Foe], Foe] | None = None
    """What an attack uses up, hit or miss."""
    survived: Callable[[Foe], Foe] | None = None
    """The marks of a wounding that it survived (FOE-5)."""
    frailty: int = 0
    """Wounds added when an orthogonally adjacent character's attack wounds it."""
    hits: Callable[[Play, str, int], None] | None = None
    """Acts on whoever its attack hits (a foe's name, empty: Rangitaki), with the wounds left after dodges; on terrain,
    on whoever ends a move there."""
    still: bool = False
    """It never moves by itself."""
    flies: bool = False
    bombs: bool = False
    """Beside Rangitaki it wounds everybody beside it instead of its printed attack."""
    retreats: bool = False
    """It leaves in upkeep."""
    recruits: bool = False
    blocks: bool = False
    on_terrain: bool = False
    """Terrain may bear it (TERR-5)."""


def _wounded_again(foe: Foe) -> Foe:
    count = min(2, foe.wounded_this_turn + 1)
    return foe._replace(wounded_this_turn=count, dash=1 if count == 2 else foe.dash)


def _poisons(play: Play, who: str, wounds: int) -> None:
    if wounds:
        marks.poison(play, who)


def _drains(play: Play, who: str, wounds: int) -> None:
    if wounds:
        marks.drain(play, who)


def _shocks(name: str) -> Callable[[Play, str, int], None]:
    def shock(play: Play, who: str, wounds: int) -> None:
        if wounds and not who:
            marks.shock(play, name)

    return shock


TRAITS: dict[str, TraitRule] = {
    rule.id: rule
    for rule in (
        TraitRule(id="bird-bomb", rule="TRAIT-BIRD-BOMB", bombs=True, on_terrain=True),
        TraitRule(id="block", rule="TRAIT-BLOCK", blocks=True),
        TraitRule(id="bolster", rule="TRAIT-BOLSTER", power=lambda field, foe: field.round - 1),
        TraitRule(id="cowardly", rule="TRAIT-COWARDLY", retreats=True),
        TraitRule(id="dash", rule="TRAIT-DASH", survived=_wounded_again),
        TraitRule(id="disorientation", rule="TRAIT-DISORIENTATION", hits=_shocks("disorientation"), on_terrain=True),
        TraitRule(id="drain", rule="TRAIT-DRAIN", hits=_drains, on_terrain=True),
        TraitRule(id="electrocute", rule="TRAIT-ELECTROCUTE", hits=_shocks("electrocute"), on_terrain=True),
        TraitRule(id="fly", rule="TRAIT-FLY", flies=True),
        TraitRule(id="poison", rule="TRAIT-POISON", hits=_poisons, on_terrain=True),
        TraitRule(
            id="rage",
            rule="TRAIT-RAGE",
            power=lambda field, foe: foe.rage,
            spent=lambda foe: foe._replace(rage=0),
            survived=lambda foe: foe._replace(rage=foe.rage + 1),
        ),
        TraitRule(id="recruit", rule="TRAIT-RECRUIT", recruits=True, survived=lambda foe: foe._replace(recruits=True)),
        TraitRule(id="squishy", rule="TRAIT-SQUISHY", frailty=1),
        TraitRule(id="stun", rule="TRAIT-STUN", hits=lambda play, who, wounds: marks.stun(play, who), on_terrain=True),
        TraitRule(id="unwavered", rule="TRAIT-UNWAVERED", still=True),
    )
}
"""Every trait by its id."""


def traits_of(card: EnemyCard | TerrainCard) -> Iterator[TraitRule]:
    """The rules of a card's traits, in the order of the card (TRAIT-STACK)."""
    return (TRAITS[trait.id] for trait in card.traits)


def has(card: EnemyCard | TerrainCard, moment: str) -> bool:
    """Whether one of a card's traits says yes to a moment that is a yes or no (``still flies bombs …``)."""
    return any(getattr(trait, moment) for trait in traits_of(card))
