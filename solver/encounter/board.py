"""The board as bit masks: neighbours, lines of attack and sight, and where an enemy goes (FIELD, LINE, MOVE).

A space is a number from 1 to 15; a mask has bit ``1 << space`` for every space in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from story.cards import SPACES
from story.playfield import lines

NEAR = lines.ADJACENT
AROUND = lines.SURROUNDING


def mask(spaces: Iterable[int]) -> int:
    """The spaces as a mask."""
    return sum(1 << space for space in set(spaces))


EVERYWHERE = mask(SPACES)
NEAR_MASK = [0] + [mask(NEAR[space]) for space in SPACES]
AROUND_MASK = [0] + [mask(AROUND[space]) for space in SPACES]
DISTANCE = [[0] * 16] + [[0] + [lines.distance(a, b) for b in SPACES] for a in SPACES]
LINE = [[-1] * 16] + [
    [-1] + [-1 if (between := lines.BETWEEN[a, b]) is None else mask(between) for b in SPACES] for a in SPACES
]
"""The spaces between two spaces on a line of attack as a mask, -1 where there is no line (LINE-1)."""

FAR = 99


def reaches(range_: str, a: int, b: int, sight_blockers: int, lob_blockers: int) -> bool:
    """Whether an attack of that range or type reaches from one space to another (FOE-2, LINE-2 to LINE-5)."""
    if range_ in ("sight", "long"):
        return LINE[a][b] >= 0 and not LINE[a][b] & sight_blockers
    if range_ in ("line", "lob"):
        return LINE[a][b] >= 0 and not (LINE[a][b] & sight_blockers and LINE[a][b] & lob_blockers)
    if range_ == "adjacent":
        return bool(NEAR_MASK[a] >> b & 1)
    if range_ == "surrounding":
        return bool(AROUND_MASK[a] >> b & 1)
    return range_ == "full"


@cache
def reach_mask(range_: str, to: int, sight_blockers: int, lob_blockers: int) -> int:
    """The spaces from which such an attack reaches a space."""
    return mask(space for space in SPACES if reaches(range_, space, to, sight_blockers, lob_blockers))


@cache
def spaces_of(spaces: int) -> tuple[int, ...]:
    """The spaces of a mask, lowest first."""
    return tuple(space for space in SPACES if spaces >> space & 1)


def path_lengths(hero: int, taken: int) -> list[int]:
    """Steps of a shortest free path to her from each space, ``FAR`` where there is none (MOVE-6)."""
    lengths = [FAR] * 16
    lengths[hero] = 0
    edge = [hero]
    while edge:
        reached = []
        for space in edge:
            for near in NEAR[space]:
                if lengths[near] == FAR and not taken >> near & 1:
                    lengths[near] = lengths[space] + 1
                    reached.append(near)
        edge = reached
    return lengths


def layers_closer(start: int, hero: int, taken: int, flies: bool, movement: int) -> tuple[int, list[tuple[int, ...]]]:
    """dist and S(1) to S(movement) of MOVE-6; ``taken``: discs, Impassable terrain and the other characters."""
    lengths = DISTANCE[hero]
    dist = lengths[start]
    if not flies:
        paths = path_lengths(hero, taken)
        dist = paths[start]
        if dist < FAR:
            lengths = paths
    layers: list[tuple[int, ...]] = []
    edge = {start}
    for _ in range(movement):
        edge = {
            near
            for space in edge
            for near in NEAR[space]
            if lengths[near] == lengths[space] - 1 and near != hero and (flies or not taken >> near & 1)
        }
        if not edge:
            break
        # TRAIT-FLY: a flyer passes over objects but ends on a free space.
        layers.append(tuple(sorted(space for space in edge if not taken >> space & 1)))
    return dist, layers


def destinations(layers: list[tuple[int, ...]], attacks_from: Callable[[int], bool]) -> tuple[int, ...]:
    """Where an enemy may go, each equally likely; none: it stays (MOVE-6)."""
    for layer in layers:
        attacking = tuple(space for space in layer if attacks_from(space))
        if attacking:
            return attacking
    return next((layer for layer in reversed(layers) if layer), ())
