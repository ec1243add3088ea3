"""Upkeep and the start of the next round (ENC-6 to ENC-9, TRAIT-RECRUIT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.encounter.board import DISTANCE, NEAR_MASK
from solver.encounter.effects import do_steps, instances, retreat, wound_enemy
from solver.encounter.nodes import Chance, Hope, Node, RoundStart, Wounds
from solver.encounter.position import (
    BLOCK_USED,
    POISONED,
    RECRUITS,
    SOURCE_SHIFT,
    TAG,
    TAG_SHIFT,
    WOUNDED,
    Position,
    enemy_at,
    taken,
    unmarked,
)
from story.cards import SPACES, Step, Wound
from story.playfield.placement import PLACEMENT_DIE

if TYPE_CHECKING:
    from solver.encounter.game import Game


def upkeep(game: Game, pos: Position) -> Node:
    """ENC-7: poison, instances, retreats, marks; then the encounter ends or goes on."""
    rnd, hero, enemies, side = pos
    enemies = unmarked(enemies, WOUNDED)
    poisoned = [enemy[0] for enemy in enemies if enemy[3] & POISONED]
    return _poison(game, (rnd, hero, enemies, side), poisoned)


def _poison(game: Game, pos: Position, spaces: list[int]) -> Node:
    if spaces:
        return wound_enemy(game, pos, spaces[0], 1, False, (), lambda pos: _poison(game, pos, spaces[1:]))
    node = _round_end(game, pos)
    return game.nodes.make(Wounds, 1, True, node) if game.sides[pos[3]].poisoned else node


def _round_end(game: Game, pos: Position) -> Node:
    order = everybody(game, pos, ("round_end", "adjacent_at_round_end"))
    return _instances(game, pos, order, "round_end", lambda pos: _retreats(game, pos))


def everybody(game: Game, pos: Position, events: tuple[str, ...]) -> list[tuple[int, bool]]:
    """(space, whether terrain) of the cards that events may concern; an enemy before the terrain it stands on."""
    order = [(enemy[0], False) for enemy in pos[2] if game.kinds[enemy[1]].events.intersection(events)]
    if game.ground_events.intersection(events):
        order += [(space, True) for space in game.ground_at]
    return sorted(order)


def _instances(game: Game, pos: Position, order: list[tuple[int, bool]], event: str, then) -> Node:  # type: ignore[no-untyped-def]
    if not order:
        node: Node = then(pos)
        return node
    (space, terrain), rest = order[0], order[1:]

    def go_on(pos: Position) -> Node:
        return _instances(game, pos, rest, event, then)

    if not terrain:
        enemy = enemy_at(pos[2], space)
        return go_on(pos) if enemy is None else instances(game, pos, game.kinds[enemy[1]].card, event, go_on)
    card = game.grounds[game.ground_at[space]].card

    def beside(pos: Position) -> Node:
        return instances(game, pos, card, "adjacent_at_round_end", go_on)

    near = event == "round_end" and NEAR_MASK[pos[1]] >> space & 1
    return instances(game, pos, card, event, beside if near else go_on)


def _retreats(game: Game, pos: Position) -> Node:
    coward = next((enemy[0] for enemy in pos[2] if game.kinds[enemy[1]].retreats), 0)
    if coward:
        return retreat(game, pos, coward, lambda pos: _retreats(game, pos))
    return _round_over(game, pos)


def _round_over(game: Game, pos: Position) -> Node:
    rnd, hero, enemies, number = pos
    if rnd >= game.rounds or (game.until_cleared and not enemies):
        return game.end
    callers = [enemy[0] for enemy in enemies if enemy[3] & RECRUITS]
    enemies = unmarked(enemies, POISONED | BLOCK_USED | RECRUITS)
    side = game.sides[number]
    later = [found for found in side.later if not isinstance(found[0], Wound)]
    later += [found for found in side.later if isinstance(found[0], Wound)]
    if side.poisoned or side.later or side.shocked:
        number = game.side_number(side._replace(poisoned=False, later=(), shocked=frozenset()))
    then = _announced(game, (rnd + 1, hero, enemies, number), later, callers)
    return start_of(game, rnd + 1, side.ap_reset, then)


def start_of(game: Game, rnd: int, reset: int, then: Node) -> Node:
    """The start of a round; starts worth the same in every lane are one node, so that what leads there is shared."""
    node = game.nodes.make(RoundStart, reset, then)
    if not game.sharing:
        return node
    rows = [node.row(purse) for purse in game.lanes.larders]
    same, _ = game.starts.setdefault((rnd, tuple(map(id, rows))), (node, rows))
    if same is not node and node not in same.twins:
        same.twins.append(node)
    return same


def _announced(game: Game, pos: Position, later: list[tuple[Step, int]], callers: list[int]) -> Node:
    """ENC-8: what was announced, wounds last; then ``round_start`` instances and recruits."""
    if later:
        (step, tag), rest = later[0], later[1:]

        def go_on(pos: Position) -> Node:
            return _announced(game, pos, rest, callers)

        if not tag:
            return do_steps(game, pos, (step,), True, go_on)
        space = next((enemy[0] for enemy in pos[2] if (enemy[3] & TAG) >> TAG_SHIFT == tag), 0)
        assert isinstance(step, Wound)
        rnd, hero, enemies, side = pos
        # TRAIT-DASH: the start of a round is no turn, so wounds there never add up.
        pos = (rnd, hero, unmarked(enemies, WOUNDED), side)
        return wound_enemy(game, pos, space, step.n, False, (), go_on)
    rnd, hero, enemies, side = pos
    pos = (rnd, hero, unmarked(enemies, TAG), side)

    def recruits(pos: Position) -> Node:
        return _recruit(game, pos, [(space, 0) for space in callers if enemy_at(pos[2], space)])

    return _instances(game, pos, everybody(game, pos, ("round_start",)), "round_start", recruits)


def _recruit(game: Game, pos: Position, callers: list[tuple[int, int]]) -> Node:
    """TRAIT-RECRUIT: one enemy is drawn and placed by the die for each caller and trait."""
    if not callers:
        return _begin_turn(game, pos)
    (space, nth), rest = callers[0], callers[1:]
    caller = enemy_at(pos[2], space)
    assert caller is not None
    sources = game.kinds[caller[1]].recruits_from
    if nth >= len(sources):
        return _recruit(game, pos, rest)
    rest = [(space, nth + 1), *rest]
    deck = sources[nth]
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    decks = dict(side.decks)
    left = decks.get(deck, game.library.decks[deck])
    if not left:
        return _recruit(game, pos, rest)
    shares: dict[Node, float] = {}
    for card in dict.fromkeys(left):
        share = left.count(card) / len(left)
        cards = sorted(left)
        cards.remove(card)
        drawn = game.side_number(side._replace(decks=tuple(sorted({**decks, deck: tuple(cards)}.items()))))
        for to, p in placements(game, pos).items():
            if to:
                new = (to, game.kind_numbers[card], 0, game.deck_names.index(deck) + 1 << SOURCE_SHIFT)
                after = (rnd, hero, tuple(sorted((*enemies, new))), drawn)
            else:
                after = (rnd, hero, enemies, game.put_back(drawn, deck, card))
            node = _recruit(game, after, rest)
            shares[node] = shares.get(node, 0.0) + share * p
    return game.nodes.make(Chance, tuple((p, node) for node, p in shares.items()))


def placements(game: Game, pos: Position) -> dict[int, float]:
    """Where the placement die brings a piece, with what probability; 0: no space is free (FIELD-6 to FIELD-8)."""
    _, hero, enemies, _ = pos
    full = game.no_place | taken(enemies) | 1 << hero
    free = [space for space in SPACES if not full >> space & 1]
    if not free:
        return {0: 1.0}
    found: dict[int, float] = {}
    for rolled in PLACEMENT_DIE:
        keys = {space: (DISTANCE[space][rolled], DISTANCE[space][hero]) for space in free}
        best = min(keys.values())
        nearest = [space for space in free if keys[space] == best]
        for space in nearest:
            found[space] = found.get(space, 0.0) + 1 / len(PLACEMENT_DIE) / len(nearest)
    return found


def _begin_turn(game: Game, pos: Position) -> Node:
    """What is counted by the turn starts anew (TRAIT-STUN, TRAIT-DASH)."""
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    if side.stunned:
        number = game.side_number(side._replace(no_step=True, stunned=False))
    pos = (rnd, hero, unmarked(enemies, WOUNDED), number)
    if game.horizon is None or rnd <= game.horizon.rounds:
        return game.turn(pos)
    turn = game.her_turn(rnd, pos[2], number)
    if game.horizon.hopeful:
        return game.nodes.make(Hope, turn.odds.hope if turn.odds else None)
    return turn.end(hero)
