"""The enemies' turns: move, then attack (ENC-5, MOVE, FOE-2 to FOE-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.encounter.board import AROUND_MASK, EVERYWHERE, NEAR_MASK
from solver.encounter.effects import Effects, Then, ends_move, mark_hero, wound_enemy
from solver.encounter.kinds import Kind
from solver.encounter.nodes import Chance, Hit, Node, Window, Wounds
from solver.encounter.position import (
    DASH,
    RAGE,
    RAGE_SHIFT,
    STUNNED,
    TO_ACT,
    TRIED,
    WOUNDED,
    Enemy,
    Position,
    enemy_at,
    taken,
    with_enemy,
)
from solver.encounter.rounds import upkeep

if TYPE_CHECKING:
    from solver.encounter.game import Game


def enemies_act(game: Game, pos: Position, waiting: int = EVERYWHERE) -> Node:
    """Her turn is over: each enemy from the lowest space to the highest, then upkeep (ENC-5).

    ``waiting``: the spaces of those that are still to act.
    """
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    if side.no_step or side.tried or side.entered:
        number = game.side_number(side._replace(no_step=False, tried=0, entered=0))
    enemies = tuple(
        [
            (space, kind, wounds, marks & ~TRIED | TO_ACT if waiting >> space & 1 else marks & ~TRIED)
            for space, kind, wounds, marks in game.at_rest(rnd, enemies)
        ]
    )
    return next_enemy(game, (rnd, hero, enemies, number))


def next_enemy(game: Game, pos: Position) -> Node:
    """The next enemy that has not acted; one that was removed before its turn does not act."""
    last = game.quiet_end and pos[0] >= game.rounds
    if last and game.spares:
        # Whoever has acted is in the way and nothing more.
        rnd, hero, enemies, side = pos
        pos = rnd, hero, tuple([enemy if enemy[3] & TO_ACT else (enemy[0], 0, 0, 0) for enemy in enemies]), side
    node = game.phases.get(pos)
    if node is None:
        game.tick()
        for enemy in pos[2]:
            if enemy[3] & TO_ACT:
                node = _act(game, pos, enemy)
                break
        else:
            node = _acted(game, pos, last)
        game.phases[pos] = node
    return node


def _acted(game: Game, pos: Position, last: bool) -> Node:
    if last:
        return game.nodes.make(Wounds, 1, True, game.end) if game.sides[pos[3]].poisoned else game.end
    return upkeep(game, pos)


def _act(game: Game, pos: Position, enemy: Enemy) -> Node:
    """One enemy's turn; its stun and dash end with it (TRAIT-STUN, TRAIT-DASH)."""
    rnd, hero, enemies, side = pos
    space, number, wounds, marks = enemy
    kind = game.kinds[number]
    movement = 0 if marks & STUNNED or kind.still else kind.moves + bool(marks & DASH)
    marks &= ~(STUNNED | DASH | TO_ACT)
    others, acted = 0, []
    for other in enemies:
        if other[0] == space:
            acted.append((space, number, wounds, marks & ~WOUNDED))
        else:
            others |= 1 << other[0]
            acted.append(other if not other[3] & WOUNDED else (*other[:3], other[3] & ~WOUNDED))
    pos = (rnd, hero, tuple(acted), side)
    what, spaces = game.plan(number, space, hero, others, movement)
    if what == "stay":
        return next_enemy(game, pos)
    if what == "attack":
        return _attack(game, pos, space, kind)
    arrivals = [_arrive(game, pos, space, to, what == "charge") for to in spaces]
    if len(arrivals) == 1:
        return arrivals[0]
    shares: dict[Node, float] = {}
    for node in arrivals:
        shares[node] = shares.get(node, 0.0) + 1 / len(arrivals)
    if len(shares) == 1:
        return arrivals[0]
    return game.nodes.make(Chance, tuple((p, node) for node, p in shares.items()))


def _arrive(game: Game, pos: Position, space: int, to: int, charges: bool) -> Node:
    rnd, hero, enemies, side = pos
    enemy = enemy_at(enemies, space)
    assert enemy is not None
    kind = game.kinds[enemy[1]]

    def then(pos: Position) -> Node:
        if enemy_at(pos[2], to) is None:
            return next_enemy(game, pos)
        if charges:
            return _collide(game, pos, to, kind)
        if game.attacks_from(kind, to, pos[1], taken(pos[2]) & ~(1 << to)):
            return _attack(game, pos, to, kind)
        return next_enemy(game, pos)

    if to == space:
        return then(pos)
    return ends_move(game, (rnd, hero, with_enemy(enemies, space, (to, *enemy[1:])), side), False, to, then)


def _power(game: Game, pos: Position, space: int, kind: Kind, printed: int) -> tuple[int, Position]:
    """The wounds of its attack; Rage is spent by it, hit or miss (TRAIT-BOLSTER, TRAIT-RAGE)."""
    rnd, hero, enemies, side = pos
    if kind.bolster:
        printed += rnd - 1
    if kind.rages:
        enemy = enemy_at(enemies, space)
        assert enemy is not None
        marks = enemy[3]
        printed += marks >> RAGE_SHIFT
        if marks & RAGE:
            enemies = with_enemy(enemies, space, (space, enemy[1], enemy[2], marks & ~RAGE))
    return printed, (rnd, hero, enemies, side)


def _attack(game: Game, pos: Position, space: int, kind: Kind) -> Node:
    """A Crit/Miss roll with its own numbers, influence, dodges, wounds (FOE-3); or its bomb (TRAIT-BIRD-BOMB)."""
    if kind.bombs and NEAR_MASK[space] >> pos[1] & 1:
        wounds, pos = _power(game, pos, space, kind, 1)
        return _hit(
            game,
            pos,
            kind,
            wounds,
            lambda pos: _hit_others(game, pos, space, kind.passes_on, wounds, NEAR_MASK[space]),
        )
    wounds, pos = _power(game, pos, space, kind, kind.printed)

    missed = unhurt = hurt = next_enemy(game, pos)
    if kind.hits:
        unhurt = next_enemy(game, mark_hero(game, pos, kind.hits, 0))
        hurt = next_enemy(game, mark_hero(game, pos, kind.hits, 1))
    hit = _suffered(game, pos, wounds, True, unhurt, hurt)
    critical = _suffered(game, pos, wounds + 1, True, unhurt, hurt)
    return game.nodes.make(Window, kind.faces, (missed, hit, critical))


def _hit(game: Game, pos: Position, kind: Kind, wounds: int, then: Then) -> Node:
    """What has hit her without a roll: dodges, wounds, then the traits of the attacker."""
    unhurt, hurt = (then(mark_hero(game, pos, kind.hits, n)) for n in (0, 1))
    return _suffered(game, pos, wounds, False, unhurt, hurt)


def _suffered(game: Game, pos: Position, wounds: int, windowed: bool, unhurt: Node, hurt: Node) -> Node:
    """Wounds that dodges may turn aside; ``windowed``: they had their window, no last bite (HEAL-4)."""
    if not wounds:
        return unhurt
    faces = game.dodge_faces(pos[3])
    if faces is not None:
        return game.nodes.make(Hit, faces, wounds, wounds, windowed, unhurt, hurt)
    return game.nodes.make(Wounds, wounds, not windowed, hurt)


def _hit_others(
    game: Game, pos: Position, space: int, effects: Effects, wounds: int, within: int, skip: int = 0
) -> Node:
    """A bomb or a collision wounds the other enemies on some spaces, in space order (FOE-4)."""
    target = next((e[0] for e in pos[2] if e[0] > skip and e[0] != space and within >> e[0] & 1), 0)
    if not target:
        return next_enemy(game, pos)
    beside = bool(NEAR_MASK[space] >> target & 1)
    return wound_enemy(
        game,
        pos,
        target,
        wounds,
        beside,
        effects,
        lambda pos: _hit_others(game, pos, space, effects, wounds, within, target),
    )


def _collide(game: Game, pos: Position, space: int, kind: Kind) -> Node:
    """FOE-4: wounds for her (dodges count), then for the mover, then for the others around her; no roll."""
    wounds, pos = _power(game, pos, space, kind, kind.printed)
    around = AROUND_MASK[pos[1]]

    def others(pos: Position) -> Node:
        return _hit_others(game, pos, space, kind.passes_on, wounds, around)

    def mover(pos: Position) -> Node:
        return wound_enemy(game, pos, space, wounds, False, kind.passes_on, others)

    return _hit(game, pos, kind, wounds, mover)
