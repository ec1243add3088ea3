"""Where an enemy goes (MOVE-1 to MOVE-6, TRAIT-FLY)."""

from __future__ import annotations

from collections.abc import Callable

from story.playfield.field import Field, Foe
from story.playfield.lines import ADJACENT, distance

FAR = 99
"""The distance where no free path leads (MOVE-5)."""


def path_lengths(field: Field, foe: Foe) -> dict[int, int]:
    """Steps of a shortest free path to Rangitaki from each space that has one (MOVE-6); a flyer ignores all objects."""
    others = {other.space for other in field.foes if other.name != foe.name}
    lengths = {field.hero: 0}
    edge = [field.hero]
    while edge:
        reached = []
        for space in edge:
            for near in ADJACENT[space]:
                if near not in lengths and near not in others and near not in field.board.walls:
                    lengths[near] = lengths[space] + 1
                    reached.append(near)
        edge = reached
    return lengths


def way_lengths(field: Field, foe: Foe, flies: bool) -> dict[int, int]:
    """The lengths that must fall with each step: of free paths, or plain distances for a flyer or without any path."""
    if not flies:
        lengths = path_lengths(field, foe)
        if foe.space in lengths:
            return lengths
    return {space: distance(space, field.hero) for space in ADJACENT}


def path_length(field: Field, foe: Foe, flies: bool) -> int:
    """dist of MOVE-6, FAR if no path is free."""
    if flies:
        return distance(foe.space, field.hero)
    return path_lengths(field, foe).get(foe.space, FAR)


def steps_closer(field: Field, foe: Foe, flies: bool) -> list[tuple[int, ...]]:
    """S(1), S(2), … of MOVE-6: the free spaces at exactly k falling steps, lowest first."""
    lengths = way_lengths(field, foe, flies)
    layers = []
    edge = {foe.space}
    while edge:
        reached = {
            near
            for space in edge
            for near in ADJACENT[space]
            if lengths.get(near, FAR) == lengths[space] - 1 and near != field.hero and (flies or field.free(near))
        }
        # A flyer passes over objects but ends on a free space.
        layers.append(tuple(sorted(space for space in reached if field.free(space))))
        edge = reached
    return layers[:-1]


def destinations(
    field: Field, foe: Foe, flies: bool, movement: int, attacks_from: Callable[[int], bool]
) -> tuple[int, ...]:
    """Where the enemy may go with its movement; several are equally likely, none means that it stays (MOVE-6)."""
    layers = steps_closer(field, foe, flies)[:movement]
    for layer in layers:
        attacking = tuple(space for space in layer if attacks_from(space))
        if attacking:
            return attacking
    return next((layer for layer in reversed(layers) if layer), ())
