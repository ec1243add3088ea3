"""A position between two decisions, without her wounds, points and food: small tuples that are cheap to compare.

A position is (round, her space, enemies, side). An enemy is (space, kind, wounds, marks), enemies by space; ``side`` is
the number of a ``Side``, everything that rarely changes. Enemies have no names here: equal ones are interchangeable,
and a defeated one leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from story.cards import Step
from story.playfield.field import Foe

Enemy = tuple[int, int, int, int]
Enemies = tuple[Enemy, ...]
Position = tuple[int, int, Enemies, int]

POISONED = 1
STUNNED = 2
BLOCK_USED = 4
RECRUITS = 8
DASH = 16
TRIED = 32
"""Its challenge was tried in this turn (TERR-4)."""
TO_ACT = 64
"""Its turn of this round is still to come (ENC-5)."""
WOUNDED_SHIFT = 7
WOUNDED = 3 << WOUNDED_SHIFT
"""Wounded once or twice in this turn (TRAIT-DASH)."""
TAG_SHIFT = 9
TAG = 63 << TAG_SHIFT
"""By which an announced wound knows the enemy again (TRAIT-DRAIN)."""
SOURCE_SHIFT = 15
SOURCE = 255 << SOURCE_SHIFT
"""The deck it was drawn from, counted from 1 (TRAIT-RECRUIT)."""
RAGE_SHIFT = 23
RAGE = -1 << RAGE_SHIFT


class Side(NamedTuple):
    """What else a position holds."""

    talents: tuple[int, int, int]
    ap_reset: int
    actions: frozenset[str]
    no_step: bool = False
    """She may not step in this turn (TRAIT-STUN)."""
    stunned: bool = False
    """She may not step in her next turn."""
    poisoned: bool = False
    tried: int = 0
    """Terrain whose challenge was tried in this turn: a bit for each."""
    entered: int = 0
    """Terrain whose ``entered`` instances worked in this turn."""
    later: tuple[tuple[Step, int], ...] = ()
    """What is announced for the start of the next round, with the tag of the enemy it is for, 0: Rangitaki (ENC-8)."""
    shocked: frozenset[str] = frozenset()
    decks: tuple[tuple[str, tuple[str, ...]], ...] = ()


def enemy_at(enemies: Enemies, space: int) -> Enemy | None:
    """The enemy on a space."""
    for enemy in enemies:
        if enemy[0] == space:
            return enemy
    return None


def with_enemy(enemies: Enemies, space: int, enemy: Enemy) -> Enemies:
    """With the enemy on a space changed, or moved."""
    changed = [enemy if old[0] == space else old for old in enemies]
    if enemy[0] != space:
        changed.sort()
    return tuple(changed)


def without(enemies: Enemies, space: int) -> Enemies:
    """With the enemy on a space removed."""
    return tuple([enemy for enemy in enemies if enemy[0] != space])


def unmarked(enemies: Enemies, marks: int) -> Enemies:
    """With some marks taken off everybody."""
    for enemy in enemies:
        if enemy[3] & marks:
            return tuple([(space, kind, wounds, old & ~marks) for space, kind, wounds, old in enemies])
    return enemies


def taken(enemies: Enemies) -> int:
    """The enemies' spaces as a mask."""
    spaces = 0
    for enemy in enemies:
        spaces |= 1 << enemy[0]
    return spaces


def marks_of(foe: Foe, tag: int, tried: bool, source: Callable[[str], int]) -> int:
    """The marks of an enemy of the table."""
    return (
        foe.poisoned * POISONED
        | foe.stunned * STUNNED
        | foe.block_used * BLOCK_USED
        | foe.recruits * RECRUITS
        | bool(foe.dash) * DASH
        | tried * TRIED
        | min(2, foe.wounded_this_turn) << WOUNDED_SHIFT
        | tag << TAG_SHIFT
        | source(foe.source) << SOURCE_SHIFT
        | foe.rage << RAGE_SHIFT
    )
