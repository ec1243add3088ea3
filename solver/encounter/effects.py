"""Effects, wounds of enemies, defeat, rewards, instances, marks (FOE-5, FOE-6, INV, TERR-5, section 13).

Each function gives the node of what it does, followed by what ``then`` makes of the position after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.encounter.board import NEAR_MASK
from solver.encounter.errors import NotCovered
from solver.encounter.nodes import Heals, Larder, Node, Points, Wounds
from solver.encounter.position import (
    DASH,
    POISONED,
    RAGE_SHIFT,
    RECRUITS,
    SOURCE,
    SOURCE_SHIFT,
    STUNNED,
    TAG,
    TAG_SHIFT,
    WOUNDED,
    WOUNDED_SHIFT,
    Position,
    enemy_at,
    with_enemy,
    without,
)
from story.cards import (
    LAST,
    TALENTS,
    Count,
    EnemyCard,
    Gain,
    Goods,
    Heal,
    Instance,
    Lose,
    Steps,
    TerrainCard,
    Wound,
)
from story.hero import TALENT_CAP
from story.playfield.lines import COLUMNS, column, row

if TYPE_CHECKING:
    from solver.encounter.game import Game

Then = Callable[[Position], Node]
Effects = tuple[tuple[str, int], ...]


def do_steps(game: Game, pos: Position, steps: Steps, bite: bool, then: Then) -> Node:
    """Simple steps in their order; ``bite``: wounds may be met by a last bite (HEAL-4)."""
    if not steps:
        return then(pos)
    step, rest = steps[0], steps[1:]

    def go_on(pos: Position) -> Node:
        return do_steps(game, pos, rest, bite, then)

    match step:
        case Gain(goods=goods):
            return trade(game, pos, goods, 1, go_on)
        case Lose(goods=goods):
            return trade(game, pos, goods, -1, go_on)
        case Wound(n=n):
            return game.nodes.make(Wounds, n, bite, go_on(pos)) if n > 0 else go_on(pos)
        case Heal(n=n):
            return game.nodes.make(Heals, n, go_on(pos)) if n > 0 else go_on(pos)
        case Count():
            return go_on(pos)
    raise NotCovered(f"the step {type(step).__name__} on the playfield")


def trade(game: Game, pos: Position, goods: Goods, sign: int, then: Then) -> Node:
    """Amounts gained or lost within their bounds; what no rule of the playfield reads is left out (CHAL-4, HEAL-4)."""
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    flows: list[tuple[str, int, int]] = []
    for name, n in goods.amounts:
        n *= sign
        if name == "ap":
            flows.append(("ap", 0, n))
        elif name == "ap_reset":
            side = side._replace(ap_reset=max(0, side.ap_reset + n))
        elif name in TALENTS:
            i = TALENTS.index(name)
            points = max(0, min(TALENT_CAP, side.talents[i] + n))
            side = side._replace(talents=side.talents[:i] + (points,) + side.talents[i + 1 :])  # type: ignore[arg-type]
        elif name in game.food_numbers and game.lanes.most[game.food_numbers[name]]:
            flows.append(("food", game.food_numbers[name], n))
    if goods.actions:
        change = side.actions.union if sign > 0 else side.actions.difference
        side = side._replace(actions=change(goods.actions))
    node = then((rnd, hero, enemies, game.side_number(side)))
    for what, food, n in reversed(flows):
        if what == "food":
            node = game.nodes.make(Larder, food, n, node)
        else:
            game.may_earn(n)
            node = game.nodes.make(Points, n, node)
    return node


# ---------------------------------------------------------------- instances


def matching(game: Game, rnd: int, card: EnemyCard | TerrainCard, event: str) -> list[Instance]:
    """The instances whose condition holds now; in the last round both its number and ``last`` hold (FOE-6)."""
    now = {rnd, LAST} if rnd >= game.rounds else {rnd}
    return [
        instance
        for instance in card.instances
        if instance.when.event == event and (instance.when.rounds is None or now & set(instance.when.rounds))
    ]


def do_parts(game: Game, pos: Position, parts: list[tuple[Steps, bool]], then: Then) -> Node:
    """(steps, whether they are postponed to the start of the next round) pairs, one after the other."""
    if not parts:
        return then(pos)
    steps, later = parts[0]
    if later:
        rnd, hero, enemies, number = pos
        side = game.sides[number]
        side = side._replace(later=side.later + tuple((step, 0) for step in steps))
        return do_parts(game, (rnd, hero, enemies, game.side_number(side)), parts[1:], then)
    return do_steps(game, pos, steps, True, lambda pos: do_parts(game, pos, parts[1:], then))


def instances(game: Game, pos: Position, card: EnemyCard | TerrainCard, event: str, then: Then) -> Node:
    """What the instances of an event do, in the order of the card (FOE-6)."""
    parts: list[tuple[Steps, bool]] = []
    for instance in matching(game, pos[0], card, event):
        if instance.instead is not None:
            parts.append(((Gain(instance.instead),), instance.later))
        parts.append((instance.steps, instance.later))
    return do_parts(game, pos, parts, then)


# ---------------------------------------------------------------- enemies wounded and defeated


def wound_enemy(game: Game, pos: Position, space: int, n: int, beside: bool, effects: Effects, then: Then) -> Node:
    """An enemy is wounded once by ``n`` wounds (FOE-5); ``beside``: by an adjacent character (TRAIT-SQUISHY)."""
    rnd, hero, enemies, side = pos
    enemy = enemy_at(enemies, space)
    if enemy is None:
        return then(pos)
    _, number, wounds, marks = enemy
    kind = game.kinds[number]
    if n and beside and kind.squishy:
        n += 1
    wounds = min(kind.limit, wounds + n)
    pos = (rnd, hero, with_enemy(enemies, space, (space, number, wounds, marks)), side)
    if n and "wounded" in kind.events:
        return instances(game, pos, kind.card, "wounded", lambda pos: _after_wound(game, pos, space, n, effects, then))
    return _after_wound(game, pos, space, n, effects, then)


def _after_wound(game: Game, pos: Position, space: int, n: int, effects: Effects, then: Then) -> Node:
    rnd, hero, enemies, side = pos
    enemy = enemy_at(enemies, space)
    assert enemy is not None
    _, number, wounds, marks = enemy
    kind = game.kinds[number]
    if wounds >= kind.limit:
        return _defeat(game, pos, space, then)
    if n:
        if kind.rages:  # TRAIT-RAGE
            marks += 1 << RAGE_SHIFT
        if kind.dashes:  # TRAIT-DASH
            count = min(2, ((marks & WOUNDED) >> WOUNDED_SHIFT) + 1)
            marks = marks & ~WOUNDED | count << WOUNDED_SHIFT | (DASH if count == 2 else 0)
        if kind.recruits:  # TRAIT-RECRUIT
            marks |= RECRUITS
        pos = (rnd, hero, with_enemy(enemies, space, (space, number, wounds, marks)), side)
    for effect, strength in effects:
        if effect == "push":
            pos, space = _push(game, pos, space, strength)
        elif effect != "no-block":
            pos = mark_enemy(game, pos, space, effect)
    return then(pos)


def _defeat(game: Game, pos: Position, space: int, then: Then) -> Node:
    """FOE-5: removed at once, rewards at once; instances add to them or replace them (FOE-6)."""
    enemy = enemy_at(pos[2], space)
    assert enemy is not None
    card = game.kinds[enemy[1]].card
    holding = matching(game, pos[0], card, "defeated")
    pos = removed(game, pos, space)
    instead = [((Gain(found.instead),), found.later) for found in holding if found.instead is not None]
    parts: list[tuple[Steps, bool]] = list(instead) or [((Gain(card.rewards),), False)]
    parts += [(found.steps, found.later) for found in holding]
    return do_parts(game, pos, parts, then)


def removed(game: Game, pos: Position, space: int) -> Position:
    """An enemy leaves; a card that was drawn goes back into its deck (TRAIT-RECRUIT)."""
    rnd, hero, enemies, side = pos
    enemy = enemy_at(enemies, space)
    assert enemy is not None
    if game.recruiting and enemy[3] & SOURCE:
        deck = game.deck_names[((enemy[3] & SOURCE) >> SOURCE_SHIFT) - 1]
        side = game.put_back(side, deck, game.kinds[enemy[1]].card.id)
    return rnd, hero, without(enemies, space), side


def retreat(game: Game, pos: Position, space: int, then: Then) -> Node:
    """TRAIT-COWARDLY: it leaves; no defeat, no reward."""
    enemy = enemy_at(pos[2], space)
    if enemy is None:
        return then(pos)
    card = game.kinds[enemy[1]].card
    return instances(game, removed(game, pos, space), card, "retreats", then)


def _push(game: Game, pos: Position, space: int, n: int) -> tuple[Position, int]:
    """``push: n``: straight away from her, up to the first space that is not free (ACT-11)."""
    rnd, hero, enemies, side = pos
    across, up = column(space) - column(hero), row(space) - row(hero)
    if not (across == 0 or up == 0 or abs(across) == abs(up)):
        return pos, space
    steps = max(abs(across), abs(up))
    across, up = across // steps, up // steps
    to = space
    for _ in range(n):
        if not (0 <= column(to) + across < COLUMNS and 0 <= row(to) + up < 3):
            break
        beyond = to + across + COLUMNS * up
        if not game.free(pos, beyond):
            break
        to = beyond
    if to == space:
        return pos, space
    enemy = enemy_at(enemies, space)
    assert enemy is not None
    return (rnd, hero, with_enemy(enemies, space, (to, *enemy[1:])), side), to


# ---------------------------------------------------------------- marks


def mark_enemy(game: Game, pos: Position, space: int, effect: str) -> Position:
    """Stun, poison or drain on an enemy, unless it is gone or immune (TRAIT-IMMUNE)."""
    rnd, hero, enemies, number = pos
    enemy = enemy_at(enemies, space)
    if enemy is None or effect in game.kinds[enemy[1]].card.immune:
        return pos
    marks = enemy[3]
    if effect == "stun":  # TRAIT-STUN
        marks |= STUNNED
    elif effect == "poison":  # TRAIT-POISON
        marks |= POISONED
    elif effect == "drain":  # TRAIT-DRAIN
        side = game.sides[number]
        tag = (marks & TAG) >> TAG_SHIFT
        if not tag:
            tag = 1 + max((used for _, used in side.later), default=0)
            marks |= tag << TAG_SHIFT
        number = game.side_number(side._replace(later=(*side.later, (Wound(1), tag))))
    else:
        raise NotCovered(f"the effect {effect} of an action")
    return rnd, hero, with_enemy(enemies, space, (space, enemy[1], enemy[2], marks)), number


def mark_hero(game: Game, pos: Position, hits: tuple[str, ...], wounds: int) -> Position:
    """What the traits of an attack that hit do to Rangitaki; all but Stun need a wound left after dodges."""
    if not hits:
        return pos
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    for trait in hits:
        if trait == "stun":  # TRAIT-STUN
            side = side._replace(stunned=True)
        elif not wounds:
            continue
        elif trait == "poison":  # TRAIT-POISON
            side = side._replace(poisoned=True)
        elif trait == "drain":  # TRAIT-DRAIN
            side = side._replace(later=(*side.later, (Wound(1), 0)))
        elif trait not in side.shocked:  # TRAIT-ELECTROCUTE, TRAIT-DISORIENTATION
            loss = (Lose(Goods((("ap", 1),))), 0)
            side = side._replace(shocked=side.shocked | {trait}, later=(*side.later, loss))
    return rnd, hero, enemies, game.side_number(side)


# ---------------------------------------------------------------- terrain


def ends_move(game: Game, pos: Position, hers: bool, space: int, then: Then) -> Node:
    """Somebody ends a move on a space: the traits of the terrain there, and for her its instances (TERR-5)."""
    place = game.ground_at.get(space)
    if place is None:
        return then(pos)
    card = game.grounds[place].card
    return _ground_traits(game, pos, hers, space, 0, lambda pos: _entered(game, pos, hers, place, card, then))


def _ground_traits(game: Game, pos: Position, hers: bool, space: int, at: int, then: Then) -> Node:
    card = game.grounds[game.ground_at[space]].card
    if at == len(card.traits):
        return then(pos)
    trait = card.traits[at].id

    def go_on(pos: Position) -> Node:
        return _ground_traits(game, pos, hers, space, at + 1, then)

    if trait == "bird-bomb":
        return _burst(game, pos, space, go_on)
    if trait in ("electrocute", "disorientation") and not hers:
        return go_on(pos)
    return go_on(mark_hero(game, pos, (trait,), 1) if hers else mark_enemy(game, pos, space, trait))


def _burst(game: Game, pos: Position, space: int, then: Then) -> Node:
    """TRAIT-BIRD-BOMB of terrain: 1 wound to everybody adjacent to it."""
    near = NEAR_MASK[space]
    targets = [enemy[0] for enemy in pos[2] if near >> enemy[0] & 1]
    node = wound_each(game, pos, targets, then)
    return game.nodes.make(Wounds, 1, True, node) if near >> pos[1] & 1 else node


def wound_each(game: Game, pos: Position, spaces: list[int], then: Then) -> Node:
    """One wound without an attack for each enemy on some spaces, in their order."""
    if not spaces:
        return then(pos)
    return wound_enemy(game, pos, spaces[0], 1, False, (), lambda pos: wound_each(game, pos, spaces[1:], then))


def _entered(game: Game, pos: Position, hers: bool, place: int, card: TerrainCard, then: Then) -> Node:
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    if not hers or side.entered >> place & 1 or not matching(game, rnd, card, "entered"):
        return then(pos)
    number = game.side_number(side._replace(entered=side.entered | 1 << place))
    return instances(game, (rnd, hero, enemies, number), card, "entered", then)
