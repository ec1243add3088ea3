"""Which cards can take part in what is left of an encounter: the fewer, the more the solver may take for granted."""

from __future__ import annotations

from dataclasses import replace

from story.cards import EnemyCard, Library
from story.playfield import placement, setup
from story.state import State

PLACING = (placement.__name__, setup.__name__)


def cast(library: Library, state: State) -> Library:
    """The library with those enemies and terrain alone that are, or can come, on the playfield.

    While pieces are still to be placed that is all of them.
    """
    field = state.field
    if field is None or any(_places(task) for task in state.agenda):
        return library
    enemies: dict[str, EnemyCard] = {}
    waiting = [foe.card for foe in field.foes]
    while waiting:
        id = waiting.pop()
        if id not in enemies:
            enemies[id] = card = library.enemies[id]
            for trait in card.traits:
                if trait.source is not None:
                    waiting += library.decks[trait.source]
    ordered = {id: card for id, card in library.enemies.items() if id in enemies}
    return replace(library, enemies=ordered, terrain={g.card.id: g.card for g in field.board.grounds})


def _places(task: object) -> bool:
    """Whether something on the agenda places a piece, or will when its roll is answered."""
    doing = task[0] if isinstance(task, tuple) else getattr(task, "then", type(task))
    return doing.__module__ in PLACING or type(task).__module__ in PLACING
