"""What terrain does to whoever ends a move on it (TERR-5)."""

from __future__ import annotations

from story.care import wound_hero
from story.playfield.field import Ground
from story.playfield.foes import instance_calls, wound_foe
from story.playfield.lines import ADJACENT
from story.playfield.traits import traits_of
from story.state import Call, Play


def ends_move(play: Play, who: str, space: int) -> None:
    """Somebody (a foe's name, empty: Rangitaki) ends a move there: a Step, a feared space, an enemy's whole move."""
    ground = play.field.board.ground_at.get(space)
    if ground is None:
        return
    calls: list[Call] = []
    for trait in traits_of(ground.card):
        if trait.hits:
            # Terrain acts as if it had hit for a wound.
            calls.append((trait.hits, (who, 1)))
        if trait.bombs:
            calls.append((_burst, (ground,)))
    if not who and ground.name not in play.field.entered:
        entered = instance_calls(play, ground.card, "entered", ground.card.name)
        if entered:
            play.field = play.field._replace(entered=play.field.entered | {ground.name})
            calls.extend(entered)
    play.next(*calls)


def _burst(play: Play, ground: Ground) -> None:
    near = ADJACENT[ground.space]
    calls: list[Call] = []
    if play.field.hero in near:
        calls.append((wound_hero, (1, ground.card.name, "TRAIT-BIRD-BOMB", True)))
    calls.extend((wound_foe, (foe.name, 1)) for foe in play.field.by_space() if foe.space in near)
    play.next(*calls)
