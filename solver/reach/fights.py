"""What an encounter can leave behind, taken in the large: everything that its cards could ever give, take or wound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from story.cards import (
    Challenge,
    Count,
    Encounter,
    EnemyCard,
    Gain,
    Goods,
    Instance,
    Library,
    Lose,
    Placement,
    Step,
    Steps,
    TerrainCard,
    Wound,
)

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Spoils:
    """What may be different afterwards; AP are reset at the end whatever happens (AP-3).

    Flags are (``event item action``, id); ``falls`` and ``rises`` name amounts; ``wounds``: she can be wounded.
    Food may always be eaten, and wounds healed, on top of it.
    """

    gained: frozenset[Name]
    lost: frozenset[Name]
    falls: frozenset[str]
    rises: frozenset[str]
    wounds: bool


def spoils(encounter: Encounter, library: Library) -> Spoils:
    """Collected from every card that can come to stand on the playfield."""
    gained: set[Name] = set()
    lost: set[Name] = set()
    falls: set[str] = set()
    rises: set[str] = set()
    wounds = False
    for card in pieces(encounter, library):
        wounds |= isinstance(card, EnemyCard) and card.attack is not None
        wounds |= bool(card.traits)
        if isinstance(card, EnemyCard):
            _count(card.rewards, gained, rises)
        for step in _steps_of(card):
            match step:
                case Gain(goods=goods):
                    _count(goods, gained, rises)
                case Lose(goods=goods):
                    _count(goods, lost, falls)
                case Count(name=name, n=n):
                    (rises if n > 0 else falls).add(name)
                case Wound():
                    wounds = True
                case _:
                    pass
    return Spoils(frozenset(gained), frozenset(lost), frozenset(falls), frozenset(rises), wounds)


def pieces(encounter: Encounter, library: Library) -> Iterator[EnemyCard | TerrainCard]:
    """Every card that can come into an encounter: placed, drawn or recruited."""
    decks: set[str] = set()
    found: dict[tuple[bool, str], EnemyCard | TerrainCard] = {}
    waiting: list[tuple[bool, str]] = []

    def meet(placements: tuple[Placement, ...], ground: bool) -> None:
        for placement in placements:
            if placement.card is not None:
                waiting.append((ground, placement.card))
            elif placement.source is not None:
                waiting.extend((ground, id) for id in library.decks.get(placement.source, ()))

    meet(encounter.enemies, False)
    meet(encounter.terrain, True)
    while waiting:
        ground, id = waiting.pop()
        card: EnemyCard | TerrainCard | None = library.terrain.get(id) if ground else library.enemies.get(id)
        if card is None or (ground, id) in found:
            continue
        found[ground, id] = card
        for trait in card.traits:
            if trait.source and trait.source not in decks:
                decks.add(trait.source)
                waiting.extend((False, id) for id in library.decks.get(trait.source, ()))
    yield from found.values()


def gives(card: EnemyCard | TerrainCard) -> frozenset[Name]:
    """The flags that a card can give."""
    return _gives(card.rewards if isinstance(card, EnemyCard) else Goods(), card.instances, card.challenge)


@lru_cache(maxsize=512)
def _gives(rewards: Goods, instances: tuple[Instance, ...], challenge: Challenge | None) -> frozenset[Name]:
    found: set[Name] = set()
    _count(rewards, found, set())
    for instance in instances:
        if instance.instead:
            _count(instance.instead, found, set())
        for step in instance.steps:
            if isinstance(step, Gain):
                _count(step.goods, found, set())
    for step in _outcomes(challenge):
        if isinstance(step, Gain):
            _count(step.goods, found, set())
    return frozenset(found)


def _steps_of(card: EnemyCard | TerrainCard) -> Iterator[Step]:
    for instance in card.instances:
        if instance.instead:
            yield Gain(instance.instead)
        yield from instance.steps
    yield from _outcomes(card.challenge)


def _outcomes(challenge: Challenge | None) -> Iterator[Step]:
    if challenge:
        steps: Steps | None
        for steps in (challenge.succeed, challenge.fail, challenge.perfect):
            yield from steps or ()


def _count(goods: Goods, names: set[Name], amounts: set[str]) -> None:
    amounts |= {name for name, _ in goods.amounts}
    for kind, ids in (("event", goods.events), ("item", goods.items), ("action", goods.actions)):
        names |= {(kind, id) for id in ids}
