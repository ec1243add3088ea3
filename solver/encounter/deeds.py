"""Everything that Rangitaki can do in her turn but heal, dodge, eat and end it (ACT, TERR-4, LINE-3).

A ``Deed`` says what an action costs, from which spaces it is open and where it leads. What it comes to is one node for
all spaces where it makes no difference on which she stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from solver.encounter.board import EVERYWHERE, NEAR, NEAR_MASK, reach_mask, spaces_of
from solver.encounter.effects import Effects, Then, do_steps, ends_move, wound_enemy
from solver.encounter.kinds import challenge_faces
from solver.encounter.nodes import Larder, Node, Nodes, Points, Window
from solver.encounter.position import (
    BLOCK_USED,
    POISONED,
    STUNNED,
    TRIED,
    Enemies,
    Enemy,
    Position,
    Side,
    enemy_at,
    with_enemy,
    without,
)
from solver.encounter.roaming import Apart, Gained, Here, Roaming, Rolled, Stocked, There
from story.cards import SPACES, TALENTS, ActionCard, Challenge, Steps

if TYPE_CHECKING:
    from solver.encounter.game import Game
    from solver.encounter.her_turn import Turn


Gains = tuple[tuple[int, int], ...]
"""(food, how much) of what is gained or lost, last first; -1 as the food: Action Points."""
Settled = tuple[Gains, Enemies, int]
"""(gains, the enemies, the side) after something that leads to nothing else."""


class Deed:
    """One action: what it costs, from where it is open, where it leads, and how it is answered."""

    __slots__ = (
        "_make",
        "_node",
        "avoids",
        "chancy",
        "cost",
        "extras",
        "ground",
        "idle",
        "needs",
        "open",
        "targets",
        "to",
        "word",
    )

    def __init__(
        self,
        cost: int,
        open: int,
        make: Callable[[int], Roaming],
        word: str,
        targets: tuple[int, ...] = (),
        extras: tuple[str, ...] = (),
        to: int = 0,
        ground: str = "",
        avoids: int | None = 0,
        idle: tuple[int, ...] = (),
        chancy: bool = False,
    ) -> None:
        self.cost = cost
        self.open = open
        """The spaces it is open from, as a mask."""
        self._make = make
        self._node: Roaming | None = None
        self.word = word
        self.targets = targets
        """The spaces of enemies, or of a step."""
        self.extras = extras
        self.to = to
        self.ground = ground
        self.avoids = avoids
        """The spaces that it may close to her; ``None``: where she stands makes a difference to what it does."""
        self.idle = idle
        """The targets of an attack that does nothing but wound."""
        self.chancy = chancy
        """A single roll that changes nothing if it misses."""
        self.needs = 0
        """AP without which it is of no use."""

    @property
    def node(self) -> Roaming:
        """What it leads to once it is paid for, worked out when it is first asked for."""
        if self._node is None:
            self._node = self._make(self.open)
        return self._node


def moves(turn: Turn) -> Iterator[Deed]:
    """A step to each free space (ACT-10)."""
    if not turn.side.no_step:
        full = turn.game.walls | turn.taken
        for space in SPACES:
            if not full >> space & 1:
                yield Deed(1, NEAR_MASK[space], partial(_step, turn, space), "step", (space,))


def challenges(turn: Turn) -> Iterator[Deed]:
    """Challenges of terrain and of enemies (TERR-4)."""
    game, side = turn.game, turn.side
    for place, ground in enumerate(game.grounds):
        challenge = ground.card.challenge
        if challenge is not None and not side.tried >> place & 1:
            number = game.side_number(side._replace(tried=side.tried | 1 << place))
            make = partial(_challenge, turn, turn.enemies, number, challenge)
            yield Deed(0, NEAR_MASK[ground.space] & ~turn.taken, make, "try", ground=ground.name)
    for enemy in turn.enemies:
        challenge = game.kinds[enemy[1]].card.challenge
        if challenge is not None and not enemy[3] & TRIED:
            space, kind, wounds, marks = enemy
            enemies = with_enemy(turn.enemies, space, (space, kind, wounds, marks | TRIED))
            make = partial(_challenge, turn, enemies, turn.number, challenge)
            yield Deed(0, NEAR_MASK[space] & ~turn.taken, make, "try", (space,))


def fears(turn: Turn) -> Iterator[Deed]:
    """Fear: an enemy to a free space beside it (ACT-9)."""
    game = turn.game
    full = game.walls | turn.taken
    for card in game.action_cards(turn.side, "skill", "fear"):
        for enemy in turn.enemies:
            if "fear" not in game.kinds[enemy[1]].card.immune:
                for to in NEAR[enemy[0]]:
                    if not full >> to & 1:
                        make = partial(_scare, turn, enemy, to)
                        yield Deed(
                            card.cost,
                            EVERYWHERE & ~(full | 1 << to),
                            make,
                            card.word,
                            (enemy[0],),
                            to=to,
                            avoids=1 << to,
                            chancy=True,
                        )


# ---------------------------------------------------------------- attacks


class Shot(NamedTuple):
    """An attack as paid for, ready to be rolled."""

    damage: int
    roll: bool
    crits: bool
    effects: Effects


class Volley(NamedTuple):
    """An attack with its augment: what does not depend on the enemies."""

    attack: ActionCard
    augment: ActionCard | None
    shot: Shot
    targets: int
    """How many it must have."""
    cost: int
    extras: tuple[str, ...]
    lobs: tuple[tuple[int, tuple[str, ...]], ...]
    """(cost, extras) of every way to lob it (LINE-3)."""


def volleys(game: Game, side: Side) -> Iterator[Volley]:
    """Every attack with every augment (ACT-2 to ACT-5)."""
    augments = game.action_cards(side, "augment")
    for attack in game.action_cards(side, "attack"):
        lobs = game.action_cards(side, "skill", "lob") if attack.augments and attack.range == "sight" else ()
        for augment in (None, *augments) if attack.augments else (None,):
            cost, count = attack.cost, attack.targets
            extras: tuple[str, ...] = ()
            shot = Shot(attack.damage, attack.roll, attack.crits, attack.effects)
            if augment is not None:
                cost, extras, count = cost + augment.cost, (f"+{augment.word}",), max(count, augment.targets)
                shot = Shot(
                    shot.damage + augment.damage,
                    shot.roll,
                    shot.crits and augment.crits,
                    shot.effects + augment.effects,
                )
            lobbed = tuple((cost + lob.cost, (*extras, f"+{lob.word}")) for lob in lobs)
            yield Volley(attack, augment, shot, count, cost, extras, lobbed)


def shots(turn: Turn, *, plain: bool) -> Iterator[Deed]:
    """Every attack with every augment and lob that makes sense (ACT-2 to ACT-5, ACT-11); ``plain``: without those."""
    game, enemies = turn.game, turn.enemies
    blind, full = turn.taken | game.no_sight, turn.taken | game.walls
    reached: dict[str, dict[int, int]] = {}
    for attack, augment, shot, count, cost, extras, lobs in game.volleys(turn.side):
        if plain and augment is not None:
            continue
        masks = reached.get(attack.range)
        if masks is None:
            masks = {e[0]: reach_mask(attack.range, e[0], blind, game.no_lob) & ~full for e in enemies}
            reached[attack.range] = masks
        within = [e[0] for e in enemies if augment is None or _augmentable(game, e, augment)]
        for targets in permutations(within, count):
            seen = _common(masks, targets)
            if seen:
                yield _shot(turn, attack.word, shot, cost, extras, targets, seen)
            if lobs and not plain:
                # LINE-3: over anything but No Lob terrain.
                far = {target: reach_mask("line", target, -1, game.no_lob) for target in targets}
                over = _common(far, targets) & ~(seen | full)
                for price, more in lobs if over else ():
                    yield _shot(turn, attack.word, shot, price, more, targets, over)


def _common(masks: dict[int, int], targets: tuple[int, ...]) -> int:
    """The spaces from which all targets are within reach."""
    found = -1
    for target in targets:
        found &= masks[target]
    return found


def _augmentable(game: Game, enemy: Enemy, augment: ActionCard) -> bool:
    """ACT-4: Stun is not offered on an immune or stunned target, Poison not on an immune or poisoned one."""
    immune = game.kinds[enemy[1]].card.immune
    return not (
        (augment.effect("stun") and ("stun" in immune or enemy[3] & STUNNED))
        or (augment.effect("poison") and ("poison" in immune or enemy[3] & POISONED))
    )


def _shot(
    turn: Turn, word: str, shot: Shot, cost: int, extras: tuple[str, ...], targets: tuple[int, ...], seen: int
) -> Deed:
    make = partial(_rolled, turn, shot, targets)
    avoids = None if any(differs(turn, shot, target) for target in targets) else 0
    idle = () if shot.effects else targets
    return Deed(
        cost, seen, make, word, targets, extras, avoids=avoids, idle=idle, chancy=shot.roll and len(targets) == 1
    )


def differs(turn: Turn, shot: Shot, target: int) -> bool:
    """Whether it makes a difference to a target where she shoots from."""
    if turn.game.squishing:
        enemy = enemy_at(turn.enemies, target)
        if enemy is not None and turn.game.kinds[enemy[1]].squishy:
            return True
    return any(effect == "push" for effect, _ in shot.effects)


def _rolled(turn: Turn, shot: Shot, targets: tuple[int, ...], spaces: int) -> Roaming:
    return turn.strike(shot, targets).node(spaces)


class Strike:
    """The rolls of a shot that are still to come in a turn."""

    __slots__ = ("_made", "_rest", "_target", "shot", "turn")

    def __init__(self, turn: Turn, shot: Shot, targets: tuple[int, ...]) -> None:
        self.turn = turn
        self.shot = shot
        self._target, self._rest = targets[0], targets[1:]
        self._made: dict[int, Roaming] = {}

    def node(self, spaces: int) -> Roaming:
        """The rolls, shot from some spaces."""
        node = self._made.get(spaces)
        if node is None:
            node = self._made[spaces] = self._node(spaces)
        return node

    def _node(self, spaces: int) -> Roaming:
        turn, shot = self.turn, self.shot
        missed = self._then(turn.enemies, turn.number, spaces)
        if enemy_at(turn.enemies, self._target) is None:
            return missed
        hit = self._hit(spaces, shot.damage)
        if not shot.roll:
            return hit
        faces = turn.game.hero_faces(turn.side, shot.crits)
        if not shot.crits:
            return Rolled(faces, (missed, hit))
        return Rolled(faces, (missed, hit, self._hit(spaces, shot.damage + 1)))

    def _then(self, enemies: Enemies, number: int, spaces: int) -> Roaming:
        """What follows when a roll is settled: her turn, or the next target's roll."""
        game, rnd = self.turn.game, self.turn.rnd
        if self._rest:
            return game.her_turn(rnd, enemies, number).strike(self.shot, self._rest).node(spaces)
        return game.after(rnd, enemies, number)

    def _hit(self, spaces: int, wounds: int) -> Roaming:
        """The target is hit for so many wounds."""
        turn, target, effects = self.turn, self._target, self.shot.effects
        game, enemies = turn.game, turn.enemies
        enemy = enemy_at(enemies, target)
        assert enemy is not None
        if not (game.blocking or differs(turn, self.shot, target)):
            # What becomes of it depends on nobody else.
            settled = _fate(game, turn.rnd, enemy, turn.number, wounds, effects)
            if settled is not None:
                gains, left, number = settled
                rest = with_enemy(enemies, target, left[0]) if left else without(enemies, target)
                return _gaining(game, gains, self._then(rest, number, spaces))

        def hit(space: int, then: Then) -> Node:
            return _shot_hit(game, turn.position(space), target, wounds, effects, then)

        return apart(game, spaces, differs(turn, self.shot, target), hit, self._then)


def _fate(game: Game, rnd: int, enemy: Enemy, number: int, wounds: int, effects: Effects) -> Settled | None:
    """What becomes of an enemy that is hit, as if it were alone."""
    key = (rnd, enemy, number, wounds, effects)
    if key not in game.fates:
        pos = (rnd, 0, (enemy,), number)
        node = _shot_hit(game, pos, enemy[0], wounds, effects, partial(Somewhere, game.nodes))
        game.fates[key] = _settled(game.nodes, node)
    return game.fates[key]


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


def _step(turn: Turn, to: int, spaces: int) -> Roaming:
    """ACT-10."""
    game = turn.game
    return There(ends_move(game, turn.position(to), True, to, game.turn))


def _scare(turn: Turn, enemy: Enemy, to: int, spaces: int) -> Roaming:
    """ACT-9: the enemy moves one space unless the roll misses."""
    game = turn.game
    enemies = with_enemy(turn.enemies, enemy[0], (to, *enemy[1:]))

    def moved(space: int, then: Then) -> Node:
        return ends_move(game, (turn.rnd, space, enemies, turn.number), False, to, then)

    after = partial(_her_turn, turn)
    moves = apart(game, spaces, True, moved, after) if to in game.ground_at else after(enemies, turn.number, spaces)
    return Rolled(game.hero_faces(turn.side, False), (turn, moves))


def _challenge(turn: Turn, enemies: Enemies, number: int, challenge: Challenge, spaces: int) -> Roaming:
    """TERR-4; its wounds had their window (HEAL-4), the perfect reward comes after the success (CHAL-7)."""
    game = turn.game
    faces = challenge_faces(challenge.level, game.sides[number].talents[TALENTS.index(challenge.type)])
    failed, succeeded, perfect = challenge.fail or (), challenge.succeed or (), challenge.perfect or ()

    def outcome(steps: Steps) -> Roaming:
        def done(space: int, then: Then) -> Node:
            return do_steps(game, (turn.rnd, space, enemies, number), steps, False, then)

        return apart(game, spaces, False, done, partial(_her_turn, turn))

    return Rolled(faces, tuple(map(outcome, (failed, succeeded, succeeded + perfect))))


def _her_turn(turn: Turn, enemies: Enemies, number: int, spaces: int) -> Roaming:
    return turn.game.after(turn.rnd, enemies, number)


# ---------------------------------------------------------------- all of her spaces at once


class Somewhere(Node):
    """Stands for whatever follows in a position."""

    __slots__ = ("pos",)

    def __init__(self, nodes: Nodes, pos: Position) -> None:
        super().__init__(nodes)
        self.pos = pos


def apart(
    game: Game,
    spaces: int,
    differs: bool,
    happens: Callable[[int, Then], Node],
    then: Callable[[Enemies, int, int], Roaming],
) -> Roaming:
    """What happens with her on each of some spaces, as one node; spaces where it comes to the same are taken together.

    ``differs``: whether it matters on which space she is. ``happens`` makes the node for a space, ``then`` what follows
    with some enemies and a side on some spaces.
    """

    def go_on(pos: Position) -> Node:
        return game.nodes.make(Here, then(pos[2], pos[3], 1 << pos[1]), pos[1])

    groups: dict[Settled, int] = {}
    parts: list[tuple[int, Roaming]] = []
    for space in spaces_of(spaces):
        settled = _settled(game.nodes, happens(space, partial(Somewhere, game.nodes)))
        if settled is not None:
            groups[settled] = groups.get(settled, 0) | 1 << space
            if not differs:
                groups[settled] = spaces
                break
        else:
            parts.append((1 << space, There(happens(space, go_on))))
    for (gains, enemies, number), mask in groups.items():
        parts.append((mask, _gaining(game, gains, then(enemies, number, mask))))
    return parts[0][1] if len(parts) == 1 else Apart(game.lanes, tuple(parts))


def _gaining(game: Game, gains: Gains, then: Roaming) -> Roaming:
    """What follows, after something is gained: the same node for the same things."""
    if not gains:
        return then
    node = game.gaining.get((gains, then))
    if node is None:
        node = then
        for food, n in gains:
            node = Gained(n, node) if food < 0 else Stocked(food, n, node)
        game.gaining[gains, then] = node
    return node


def _settled(nodes: Nodes, node: Node) -> Settled | None:
    """What is gained and what is left, if that is all."""
    gains: list[tuple[int, int]] = []
    while isinstance(node, Points | Larder):
        if isinstance(node, Points):
            gains.append((-1, node.n))
            nodes.forget(Points, node.n, node.then)
        else:
            gains.append((node.food, node.n))
            nodes.forget(Larder, node.food, node.n, node.then)
        node = node.then
    return (tuple(reversed(gains)), node.pos[2], node.pos[3]) if isinstance(node, Somewhere) else None
