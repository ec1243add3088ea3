"""What the cards of the playfield can give: what a solver must reckon with before it looks at any position."""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import EnemyCard, Gain, Goods, Library, Step, TerrainCard


def goods_in(library: Library) -> Iterator[Goods]:
    """Everything that cards of the playfield can give: rewards, what replaces them, gains of their steps."""
    yield from (card.rewards for card in library.enemies.values())
    for card in _cards(library):
        yield from (instance.instead for instance in card.instances if instance.instead is not None)
    yield from (step.goods for step in steps_in(library) if isinstance(step, Gain))


def steps_in(library: Library) -> Iterator[Step]:
    """Every step of the instances and challenges of the playfield's cards."""
    for card in _cards(library):
        for instance in card.instances:
            yield from instance.steps
        if card.challenge is not None:
            for outcome in (card.challenge.succeed, card.challenge.fail, card.challenge.perfect):
                yield from outcome or ()


def _cards(library: Library) -> tuple[EnemyCard | TerrainCard, ...]:
    return (*library.enemies.values(), *library.terrain.values())
