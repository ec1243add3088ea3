"""Which cards can take part in what is left of an encounter: the fewer, the more the solver may take for granted."""

from __future__ import annotations

from dataclasses import replace

from story.cards import EnemyCard, Gain, Library, TerrainCard
from story.dice import Pick
from story.playfield import placement, setup
from story.playfield.placement import PlaceByDie
from story.state import State

PLACING = (placement.__name__, setup.__name__)


def cast(library: Library, state: State) -> Library:
    """The library with those enemies and terrain alone that are, or can come, on the playfield.

    While it is not known which pieces are still to be placed that is all of them.
    """
    coming = arriving(state)
    if state.field is None or coming is None:
        return library
    enemies: dict[str, EnemyCard] = {}
    waiting = [foe.card for foe in state.field.foes] + [card for card, terrain in coming if not terrain]
    while waiting:
        id = waiting.pop()
        if id not in enemies:
            enemies[id] = card = library.enemies[id]
            for trait in card.traits:
                if trait.source is not None:
                    waiting += library.decks[trait.source]
    ordered = {id: card for id, card in library.enemies.items() if id in enemies}
    grounds = {ground.card.id: ground.card for ground in state.field.board.grounds}
    grounds.update({card: library.terrain[card] for card, terrain in coming if terrain})
    return replace(library, enemies=ordered, terrain=grounds)


def arriving(state: State) -> list[tuple[str, bool]] | None:
    """The pieces still to be placed, as (card, whether terrain); ``None`` if it is not known which."""
    found = []
    for task in state.agenda:
        doing = task[0] if isinstance(task, tuple) else getattr(task, "then", type(task))
        if isinstance(task, PlaceByDie):
            found.append((task.card, task.terrain))
        elif isinstance(task, Pick) and task.then is placement.put:
            card, _, _, terrain = task.args
            found.append((card, terrain))
        elif doing.__module__ in PLACING:
            return None
    return found


def most_earned(library: Library, state: State, food: str) -> int | None:
    """The most of a food that can still be earned; ``None`` where nothing bounds it but what the satchel holds."""
    coming = arriving(state)
    if state.field is None or coming is None:
        return None
    ids = [foe.card for foe in state.field.foes] + [card for card, terrain in coming if not terrain]
    cards: list[EnemyCard | TerrainCard] = [library.enemies[id] for id in ids]
    if any(trait.id == "recruit" for id in ids for trait in library.enemies[id].traits):
        return None
    cards += [ground.card for ground in state.field.board.grounds]
    cards += [library.terrain[card] for card, terrain in coming if terrain]
    total = 0
    for later in state.field.later:
        if isinstance(later.step, Gain):
            total += later.step.goods.amount(food)
    for card in cards:
        if card.challenge is not None:
            return None
        total += card.rewards.amount(food) if isinstance(card, EnemyCard) else 0
        for instance in card.instances:
            goods = [step.goods for step in instance.steps if isinstance(step, Gain)]
            goods += [instance.instead] if instance.instead is not None else []
            earned = sum(given.amount(food) for given in goods)
            if earned and instance.when.event not in ("defeated", "retreats"):
                return None
            total += earned
    return total
