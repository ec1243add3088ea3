"""Rangitaki's turn: every action open in a position and what it leads to (ENC-3, ACT, TERR-4, LINE-3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from solver.encounter.board import NEAR, NEAR_MASK, reaches
from solver.encounter.effects import Effects, Then, do_steps, ends_move, wound_enemy
from solver.encounter.kinds import challenge_faces
from solver.encounter.lanes import AP, DODGE, Row, best_of
from solver.encounter.nodes import EndOfTurn, Follow, Node, Nodes, Window
from solver.encounter.position import (
    BLOCK_USED,
    POISONED,
    STUNNED,
    TRIED,
    Enemy,
    Position,
    enemy_at,
    taken,
    with_enemy,
)
from story.cards import TALENTS, ActionCard, Challenge

if TYPE_CHECKING:
    from solver.encounter.game import Game


class Act:
    """One action: what it costs, where it leads, and how it is answered (enemies by their spaces)."""

    __slots__ = ("_made", "cost", "extras", "ground", "idle", "make", "needs", "targets", "to", "word")

    def __init__(
        self,
        cost: int,
        make: Callable[[], Node],
        word: str,
        targets: tuple[int, ...] = (),
        extras: tuple[str, ...] = (),
        to: int = 0,
        ground: str = "",
        idle: tuple[int, ...] = (),
    ) -> None:
        self.cost = cost
        self.make = make
        self.word = word
        self.targets = targets
        self.extras = extras
        self.to = to
        self.ground = ground
        self.idle = idle
        """The targets of an attack that does nothing but wound."""
        self.needs = 0
        """AP without which it is of no use."""
        self._made: Node | None = None

    @property
    def node(self) -> Node:
        """What it leads to, worked out when it is first asked for."""
        if self._made is None:
            self._made = self.make()
        return self._made


class Turn(Node):
    """Her turn in a position: the best of all actions and of ending it."""

    __slots__ = ("_cheap", "_dear", "_end", "dodge_cost", "game", "odds", "pos")

    def __init__(self, nodes: Nodes, game: Game, pos: Position) -> None:
        super().__init__(nodes)
        self.game = game
        self.pos = pos
        self._cheap: list[Act] | None = None
        self._dear: list[Act] | None = None
        self._end: Node | None = None
        self.odds = game.odds(pos[0], pos[2], pos[3])
        dodges = game.action_cards(game.sides[pos[3]], "skill", "dodge")
        self.dodge_cost = min([card.cost for card in dodges], default=0)

    def acts(self, ap: int) -> list[Act]:
        """All actions that AP may pay for, cheapest first, but healing, dodging, eating and ending the turn."""
        if self._cheap is None:
            self.game.tick()
            self._cheap = sorted(plain_acts(self.game, self.pos), key=_cost)
        if ap < self.game.card_cost:
            return self._cheap
        if self._dear is None:
            attacks = list(card_acts(self.game, self.pos))
            if self.odds is not None:
                for act in attacks:
                    act.needs = min([self.odds.needs[space] for space in act.idle], default=0)
            self._dear = sorted([*self._cheap, *attacks], key=_cost)
        return self._dear

    def ended(self) -> Node:
        """Ending the turn; where heals and dodges can be put last, with those before it."""
        if self._end is None:
            node = self.game.ending(self.pos)
            if self.game.heals_last:
                node = self.game.nodes.make(EndOfTurn, self.dodge_cost, node)
            self._end = node
        return self._end

    def spends(self, purse: int) -> Iterator[tuple[Node, int]]:
        """(node, purse) of queueing a dodge, where that cannot wait, and of eating food that gives AP."""
        if not self.game.heals_last and 0 < self.dodge_cost <= self.lanes.funds(purse):
            yield self, self.lanes.pay(purse, self.dodge_cost) + DODGE
        for snack in self.lanes.snacks(purse):
            yield self, snack

    def row(self, purse: int) -> Row:
        """The row of the position that stands for this one, as far as the purse goes."""
        row = self.memo.get(purse)
        if row is None:
            row = self.memo[purse] = self.standing(purse).own_row(purse)
        return row

    def standing(self, purse: int) -> Turn:
        """The turn in a simpler position that comes to the same."""
        odds = self.odds
        if odds is None or (ap := self.lanes.most_funds(purse)) >= odds.most:
            return self
        return her_turn(self.game, self.game.whole(self.pos, ap, odds))

    def own_row(self, purse: int) -> Row:
        """The row worked out for this very position."""
        return Node.row(self, purse)

    def work(self, purse: int) -> Row:
        """The best action."""
        game, lanes, odds = self.game, self.lanes, self.odds
        row = self.ended().row(purse)
        # Where nothing can be better the other actions need no look.
        hope = None if odds is None else odds.hope
        bound = None if hope is None else game.bound(purse, (purse & AP) + hope)
        if row is bound:
            return row
        funds, most = lanes.funds(purse), lanes.most_funds(purse)
        for act in self.acts(funds):
            if act.cost > funds:
                break
            if most < act.needs:
                continue
            other = act.node.row(lanes.pay(purse, act.cost))
            if other is not row:
                row = best_of(row, other)
                if row is bound:
                    return row
        for node, left in self.spends(purse):
            row = best_of(row, node.row(left))
        if not game.heals_last and funds:
            row = best_of(row, lanes.healed(self.row(lanes.pay(purse, 1)), 1))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best action from a lane."""
        turn = self.standing(purse)
        if turn is not self:
            return [(1.0, turn, purse, lane)]
        value = self.row(purse)[lane]
        for after in self.lanes.bites_from(lane):
            if self.row(purse)[after] == value:
                return self.follow(purse, after)
        if self.ended().row(purse)[lane] == value:
            return [(1.0, self.ended(), purse, lane)]
        lanes = self.lanes
        funds, most = lanes.funds(purse), lanes.most_funds(purse)
        for act in self.acts(funds):
            if act.needs <= most and act.cost <= funds:
                left = lanes.pay(purse, act.cost)
                if act.node.row(left)[lane] == value:
                    return [(1.0, act.node, left, lane)]
        for node, left in self.spends(purse):
            if node.row(left)[lane] == value:
                return [(1.0, node, left, lane)]
        return [(1.0, self, lanes.pay(purse, 1), lanes.heal_map(1)[lane])]


def _cost(act: Act) -> int:
    return act.cost


def her_turn(game: Game, pos: Position) -> Turn:
    """Her turn in a position."""
    turn = game.turns.get(pos)
    if turn is None:
        turn = game.turns[pos] = Turn(game.nodes, game, pos)
    return turn


def plain_acts(game: Game, pos: Position) -> Iterator[Act]:
    """Steps and challenges: what needs no action card (ACT-10, TERR-4)."""
    rnd, hero, enemies, number = pos
    side = game.sides[number]
    if not side.no_step:
        full = game.walls | taken(enemies)
        for space in NEAR[hero]:
            if not full >> space & 1:
                yield Act(1, partial(_step, game, pos, space), "step", (space,))
    near = NEAR_MASK[hero]
    for place, ground in enumerate(game.grounds):
        challenge = ground.card.challenge
        if challenge is not None and near >> ground.space & 1 and not side.tried >> place & 1:
            after = (rnd, hero, enemies, game.side_number(side._replace(tried=side.tried | 1 << place)))
            yield Act(0, partial(_challenge, game, after, challenge), "try", ground=ground.name)
    for enemy in enemies:
        challenge = game.kinds[enemy[1]].card.challenge
        if challenge is not None and near >> enemy[0] & 1 and not enemy[3] & TRIED:
            space, kind, wounds, marks = enemy
            tried = (rnd, hero, with_enemy(enemies, space, (space, kind, wounds, marks | TRIED)), number)
            yield Act(0, partial(_challenge, game, tried, challenge), "try", (space,))


def card_acts(game: Game, pos: Position) -> Iterator[Act]:
    """Attacks and fear: everything that action cards allow but dodges (ACT-1)."""
    _, _, enemies, number = pos
    side = game.sides[number]
    yield from shots(game, pos)
    for card in game.action_cards(side, "skill", "fear"):
        for enemy in enemies:
            if "fear" not in game.kinds[enemy[1]].card.immune:
                for space in NEAR[enemy[0]]:
                    if game.free(pos, space):
                        yield Act(
                            card.cost, partial(_fear, game, pos, enemy[0], space), card.word, (enemy[0],), to=space
                        )


# ---------------------------------------------------------------- attacks


class Shot(NamedTuple):
    """An attack as paid for, ready to be rolled."""

    damage: int
    roll: bool
    crits: bool
    effects: Effects


def shots(game: Game, pos: Position) -> Iterator[Act]:
    """Every attack with every augment and lob that makes sense (ACT-2 to ACT-5, ACT-11)."""
    _, hero, enemies, number = pos
    side = game.sides[number]
    lobs = game.action_cards(side, "skill", "lob")
    augments = game.action_cards(side, "augment")
    blind = taken(enemies) | game.no_sight
    for attack in game.action_cards(side, "attack"):
        plain = {e[0] for e in enemies if reaches(attack.range, hero, e[0], blind, game.no_lob)}
        lobbed: set[int] = set()
        if attack.augments and attack.range == "sight" and lobs:
            # LINE-3: over anything but No Lob terrain.
            lobbed = {e[0] for e in enemies if reaches("line", hero, e[0], -1, game.no_lob)}
        for augment in (None, *augments) if attack.augments else (None,):
            count = max(attack.targets, augment.targets if augment else 1)
            within = [e[0] for e in enemies if e[0] in plain | lobbed and _augmentable(game, e, augment)]
            for targets in permutations(within, count):
                ways = (None,) if plain.issuperset(targets) else lobs if lobbed.issuperset(targets) else ()
                for lob in ways:
                    yield _shot(game, pos, attack, augment, lob, targets)


def _augmentable(game: Game, enemy: Enemy, augment: ActionCard | None) -> bool:
    """ACT-4: Stun is not offered on an immune or stunned target, Poison not on an immune or poisoned one."""
    if augment is None:
        return True
    immune = game.kinds[enemy[1]].card.immune
    return not (
        (augment.effect("stun") and ("stun" in immune or enemy[3] & STUNNED))
        or (augment.effect("poison") and ("poison" in immune or enemy[3] & POISONED))
    )


def _shot(
    game: Game,
    pos: Position,
    attack: ActionCard,
    augment: ActionCard | None,
    lob: ActionCard | None,
    targets: tuple[int, ...],
) -> Act:
    cards = [card for card in (attack, augment, lob) if card]
    shot = Shot(
        attack.damage + (augment.damage if augment else 0),
        attack.roll,
        attack.crits and (augment is None or augment.crits),
        attack.effects + (augment.effects if augment else ()),
    )
    extras = tuple(f"+{card.word}" for card in (augment, lob) if card)
    cost = sum(card.cost for card in cards)
    idle = () if shot.effects else targets
    return Act(cost, partial(_shoot, game, pos, shot, targets), attack.word, targets, extras, idle=idle)


def _shoot(game: Game, pos: Position, shot: Shot, targets: tuple[int, ...]) -> Node:
    """One roll per target in the order named, each settled before the next (ACT-4)."""
    if not targets:
        return her_turn(game, pos)
    target, rest = targets[0], targets[1:]

    def then(pos: Position) -> Node:
        return _shoot(game, pos, shot, rest)

    if enemy_at(pos[2], target) is None:
        return then(pos)
    hit = _shot_hit(game, pos, target, shot.damage, shot.effects, then)
    if not shot.roll:
        return hit
    faces = game.hero_faces(game.sides[pos[3]], shot.crits)
    if not shot.crits:
        return game.nodes.make(Window, faces, (then(pos), hit))
    critical = _shot_hit(game, pos, target, shot.damage + 1, shot.effects, then)
    return game.nodes.make(Window, faces, (then(pos), hit, critical))


def _shot_hit(game: Game, pos: Position, target: int, wounds: int, effects: Effects, then: Then) -> Node:
    blockers: tuple[int, ...] = ()
    if not any(effect == "no-block" for effect, _ in effects):
        blockers = tuple(
            space
            for space, kind, _, marks in pos[2]
            if game.kinds[kind].blocks
            and not marks & BLOCK_USED
            and (space == target or NEAR_MASK[target] >> space & 1)
        )
    return _block(game, pos, blockers, target, wounds, effects, then)


def _block(
    game: Game, pos: Position, blockers: tuple[int, ...], target: int, wounds: int, effects: Effects, then: Then
) -> Node:
    """TRAIT-BLOCK: from the lowest space on, each blocker tries until one stops the attack."""
    rnd, hero, enemies, side = pos
    if not blockers:
        return wound_enemy(game, pos, target, wounds, bool(NEAR_MASK[hero] >> target & 1), effects, then)
    blocker = enemy_at(enemies, blockers[0])
    assert blocker is not None
    space, kind, hurt, marks = blocker
    pos = (rnd, hero, with_enemy(enemies, space, (space, kind, hurt, marks | BLOCK_USED)), side)
    failed = _block(game, pos, blockers[1:], target, wounds, effects, then)
    return game.nodes.make(Window, game.kinds[kind].block_faces, (failed, then(pos)))


# ---------------------------------------------------------------- step, fear, challenge


def _step(game: Game, pos: Position, space: int) -> Node:
    """ACT-10."""
    rnd, _, enemies, side = pos
    return ends_move(game, (rnd, space, enemies, side), True, space, lambda pos: her_turn(game, pos))


def _fear(game: Game, pos: Position, space: int, to: int) -> Node:
    """ACT-9: an enemy moves one space unless the roll misses."""
    rnd, hero, enemies, side = pos
    enemy = enemy_at(enemies, space)
    assert enemy is not None
    moved = (rnd, hero, with_enemy(enemies, space, (to, *enemy[1:])), side)
    feared = ends_move(game, moved, False, to, lambda pos: her_turn(game, pos))
    return game.nodes.make(Window, game.hero_faces(game.sides[side], False), (her_turn(game, pos), feared))


def _challenge(game: Game, pos: Position, challenge: Challenge) -> Node:
    """TERR-4; its wounds had their window (HEAL-4), the perfect reward comes after the success (CHAL-7)."""
    faces = challenge_faces(challenge.level, game.sides[pos[3]].talents[TALENTS.index(challenge.type)])
    failed, succeeded, perfect = challenge.fail or (), challenge.succeed or (), challenge.perfect or ()
    outcomes = tuple(
        do_steps(game, pos, steps, False, lambda pos: her_turn(game, pos))
        for steps in (failed, succeeded, succeeded + perfect)
    )
    return game.nodes.make(Window, faces, outcomes)
