"""Everything that Rangitaki can do in her turn but heal, dodge, eat and end it (ACT, TERR-4, LINE-3).

A ``Deed`` says what an action costs, from which spaces it is open and where it leads. What a roll comes to is worked
out once for all spaces where it makes no difference where she stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from solver.encounter.board import NEAR, NEAR_MASK, reach_mask
from solver.encounter.effects import Effects, Then, do_steps, ends_move, wound_enemy
from solver.encounter.kinds import challenge_faces
from solver.encounter.lanes import AP
from solver.encounter.nodes import Node, Nodes, Points, Window
from solver.encounter.position import (
    BLOCK_USED,
    POISONED,
    STUNNED,
    TRIED,
    Enemies,
    Enemy,
    Position,
    enemy_at,
    with_enemy,
)
from story.cards import SPACES, TALENTS, ActionCard, Challenge

if TYPE_CHECKING:
    from solver.encounter.game import Game
    from solver.encounter.her_turn import Scene


ANY = AP
"""More AP than she ever has."""


class Deed:
    """One action: what it costs, from where it is open, where it leads, and how it is answered."""

    __slots__ = (
        "avoids",
        "chancy",
        "cost",
        "extras",
        "ground",
        "idle",
        "needs",
        "node",
        "open",
        "targets",
        "to",
        "word",
    )

    def __init__(
        self,
        cost: int,
        open: int,
        node: Callable[[int, int], Node],
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
        self.node = node
        """From her space, and the most AP she can have after paying, to what it leads to."""
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


def moves(scene: Scene) -> Iterator[Deed]:
    """A step to each free space (ACT-10)."""
    if not scene.side.no_step:
        full = scene.game.walls | scene.taken
        for space in SPACES:
            if not full >> space & 1:
                step = partial(_step, scene.game, scene.rnd, scene.enemies, scene.number, space)
                yield Deed(1, NEAR_MASK[space], step, "step", (space,))


def challenges(scene: Scene) -> Iterator[Deed]:
    """Challenges of terrain and of enemies (TERR-4)."""
    game, side = scene.game, scene.side
    for place, ground in enumerate(game.grounds):
        challenge = ground.card.challenge
        if challenge is not None and not side.tried >> place & 1:
            number = game.side_number(side._replace(tried=side.tried | 1 << place))
            make = partial(_challenge, game, scene.rnd, scene.enemies, number, challenge)
            yield Deed(0, NEAR_MASK[ground.space], make, "try", ground=ground.name)
    for enemy in scene.enemies:
        challenge = game.kinds[enemy[1]].card.challenge
        if challenge is not None and not enemy[3] & TRIED:
            space, kind, wounds, marks = enemy
            enemies = with_enemy(scene.enemies, space, (space, kind, wounds, marks | TRIED))
            make = partial(_challenge, game, scene.rnd, enemies, scene.number, challenge)
            yield Deed(0, NEAR_MASK[space], make, "try", (space,))


def fears(scene: Scene) -> Iterator[Deed]:
    """Fear: an enemy to a free space beside it (ACT-9)."""
    game = scene.game
    full = game.walls | scene.taken
    for card in game.action_cards(scene.side, "skill", "fear"):
        for enemy in scene.enemies:
            if "fear" not in game.kinds[enemy[1]].card.immune:
                for to in NEAR[enemy[0]]:
                    if not full >> to & 1:
                        scare = Scare(scene, enemy, to).node
                        yield Deed(
                            card.cost, ~(1 << to), scare, card.word, (enemy[0],), to=to, avoids=1 << to, chancy=True
                        )


# ---------------------------------------------------------------- attacks


class Shot(NamedTuple):
    """An attack as paid for, ready to be rolled."""

    damage: int
    roll: bool
    crits: bool
    effects: Effects


def _paid(attack: ActionCard, augment: ActionCard | None) -> Shot:
    if augment is None:
        return Shot(attack.damage, attack.roll, attack.crits, attack.effects)
    return Shot(
        attack.damage + augment.damage,
        attack.roll,
        attack.crits and augment.crits,
        attack.effects + augment.effects,
    )


def shots(scene: Scene) -> Iterator[Deed]:
    """Every attack with every augment and lob that makes sense (ACT-2 to ACT-5, ACT-11)."""
    game, enemies = scene.game, scene.enemies
    lobs = game.action_cards(scene.side, "skill", "lob")
    augments = game.action_cards(scene.side, "augment")
    blind = scene.taken | game.no_sight
    for attack in game.action_cards(scene.side, "attack"):
        plain = {e[0]: reach_mask(attack.range, e[0], blind, game.no_lob) for e in enemies}
        lobbed: dict[int, int] = {}
        if attack.augments and attack.range == "sight" and lobs:
            # LINE-3: over anything but No Lob terrain.
            lobbed = {e[0]: reach_mask("line", e[0], -1, game.no_lob) for e in enemies}
        for augment in (None, *augments) if attack.augments else (None,):
            shot = _paid(attack, augment)
            count = max(attack.targets, augment.targets if augment else 1)
            within = [e[0] for e in enemies if _augmentable(game, e, augment)]
            for targets in permutations(within, count):
                seen = _common(plain, targets)
                yield _shot(scene, shot, (attack, augment), targets, seen)
                over = _common(lobbed, targets) & ~seen if lobbed else 0
                if over:
                    for lob in lobs:
                        yield _shot(scene, shot, (attack, augment, lob), targets, over)


def _common(masks: dict[int, int], targets: tuple[int, ...]) -> int:
    """The spaces from which all targets are within reach."""
    found = -1
    for target in targets:
        found &= masks[target]
    return found


def _augmentable(game: Game, enemy: Enemy, augment: ActionCard | None) -> bool:
    """ACT-4: Stun is not offered on an immune or stunned target, Poison not on an immune or poisoned one."""
    if augment is None:
        return True
    immune = game.kinds[enemy[1]].card.immune
    return not (
        (augment.effect("stun") and ("stun" in immune or enemy[3] & STUNNED))
        or (augment.effect("poison") and ("poison" in immune or enemy[3] & POISONED))
    )


def _shot(scene: Scene, shot: Shot, paid: tuple[ActionCard | None, ...], targets: tuple[int, ...], seen: int) -> Deed:
    attack, *more = [card for card in paid if card]
    extras = tuple(f"+{card.word}" for card in more)
    cost = attack.cost + sum(card.cost for card in more)
    strike = scene.strike(shot, targets)
    avoids = 0 if all(strike.anywhere(target) for target in targets) else None
    idle = () if shot.effects else targets
    chancy = shot.roll and len(targets) == 1
    return Deed(cost, seen, strike.node, attack.word, targets, extras, avoids=avoids, idle=idle, chancy=chancy)


class Strike:
    """The rolls of a shot that are still to come in a scene."""

    __slots__ = ("_after", "_hits", "_made", "_rest", "_target", "scene", "shot")

    def __init__(self, scene: Scene, shot: Shot, targets: tuple[int, ...]) -> None:
        self.scene = scene
        self.shot = shot
        self._target, self._rest = targets[0], targets[1:]
        self._made: dict[int, Node] = {}
        self._hits: dict[int, Hits | None] = {}
        self._after: dict[int, Scene | Strike] = {}

    def anywhere(self, target: int) -> bool:
        """Whether it makes no difference to a target where she shoots from."""
        enemy = enemy_at(self.scene.enemies, target)
        squishy = enemy is not None and self.scene.game.kinds[enemy[1]].squishy
        return not squishy and not any(effect == "push" for effect, _ in self.shot.effects)

    def node(self, space: int, most: int) -> Node:
        """The rolls, shot from a space with so many AP left at most."""
        key = space << 10 | most
        node = self._made.get(key)
        if node is None:
            node = self._made[key] = self._node(space, most)
        return node

    def _node(self, space: int, most: int) -> Node:
        scene, shot = self.scene, self.shot
        missed = self._then(0, scene.enemies, scene.number, most).node(space, most)
        if enemy_at(scene.enemies, self._target) is None:
            return missed
        hit = self._hit(space, most, shot.damage)
        if not shot.roll:
            return hit
        game = scene.game
        faces = game.hero_faces(scene.side, shot.crits)
        if not shot.crits:
            return Window(game.nodes, faces, (missed, hit))
        return Window(game.nodes, faces, (missed, hit, self._hit(space, most, shot.damage + 1)))

    def _then(self, wounds: int, enemies: Enemies, number: int, most: int) -> Scene | Strike:
        """What follows when a hit for so many wounds is settled: her turn, or the next target's roll."""
        key = wounds << 10 | most
        then = self._after.get(key)
        if then is None:
            game, rnd = self.scene.game, self.scene.rnd
            if self._rest:
                then = game.scene(rnd, enemies, number).strike(self.shot, self._rest)
            else:
                then = game.standing(rnd, enemies, number, most)
            self._after[key] = then
        return then

    def _hit(self, space: int, most: int, wounds: int) -> Node:
        """The target is hit; what comes of it is worked out once for all spaces where that is simple."""
        game, target, effects = self.scene.game, self._target, self.shot.effects
        if wounds not in self._hits:
            self._hits[wounds] = None
            if self.anywhere(target):
                here, there = self.scene.position(space), partial(Somewhere, game.nodes)
                self._hits[wounds] = _simple(game.nodes, _shot_hit(game, here, target, wounds, effects, there))
        hit = self._hits[wounds]
        if hit is None:

            def then(pos: Position) -> Node:
                rnd, space, enemies, number = pos
                scene = game.scene(rnd, enemies, number)
                # Who knows what is gained on the way: any AP may be left.
                return scene.strike(self.shot, self._rest).node(space, ANY) if self._rest else scene.turn(space)

            return _shot_hit(game, self.scene.position(space), target, wounds, effects, then)
        points, (_, _, enemies, number) = hit
        for n in points:
            most = min(ANY, most + max(0, n))
        node = self._then(wounds, enemies, number, most).node(space, most)
        for n in points:
            node = game.nodes.make(Points, n, node)
        return node


class Somewhere(Node):
    """Stands for her turn in a position, wherever she is."""

    __slots__ = ("pos",)

    def __init__(self, nodes: Nodes, pos: Position) -> None:
        super().__init__(nodes)
        self.pos = pos


Hits = tuple[tuple[int, ...], Position]
"""(points gained, last first, the position after it, wherever she is)."""


def _simple(nodes: Nodes, node: Node) -> Hits | None:
    """What is gained and where it leads, if that is all."""
    points: list[int] = []
    while isinstance(node, Points):
        points.append(node.n)
        nodes.forget(Points, node.n, node.then)
        node = node.then
    return (tuple(reversed(points)), node.pos) if isinstance(node, Somewhere) else None


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


def _step(game: Game, rnd: int, enemies: Enemies, side: int, to: int, space: int, most: int) -> Node:
    """ACT-10."""
    return ends_move(game, (rnd, to, enemies, side), True, to, game.turn)


class Scare:
    """ACT-9: an enemy moves one space unless the roll misses."""

    __slots__ = ("_after", "enemies", "scene", "to")

    def __init__(self, scene: Scene, enemy: Enemy, to: int) -> None:
        self.scene = scene
        self.enemies = with_enemy(scene.enemies, enemy[0], (to, *enemy[1:]))
        self.to = to
        self._after: dict[int, tuple[Scene, Scene]] = {}

    def node(self, space: int, most: int) -> Node:
        """The roll, with her on a space and so many AP left at most."""
        scene, game = self.scene, self.scene.game
        missed, feared = self._settled(most)
        moved: Node = feared.turn(space)
        if self.to in game.ground_at:
            pos = (scene.rnd, space, self.enemies, scene.number)
            moved = ends_move(game, pos, False, self.to, game.turn)
        return Window(game.nodes, game.hero_faces(scene.side, False), (missed.turn(space), moved))

    def _settled(self, most: int) -> tuple[Scene, Scene]:
        """Her turn after a miss and after a success."""
        after = self._after.get(most)
        if after is None:
            scene = self.scene
            feared = scene.game.standing(scene.rnd, self.enemies, scene.number, most)
            after = self._after[most] = scene.standing(most), feared
        return after


def _challenge(game: Game, rnd: int, enemies: Enemies, side: int, challenge: Challenge, space: int, most: int) -> Node:
    """TERR-4; its wounds had their window (HEAL-4), the perfect reward comes after the success (CHAL-7)."""
    pos = (rnd, space, enemies, side)
    faces = challenge_faces(challenge.level, game.sides[side].talents[TALENTS.index(challenge.type)])
    failed, succeeded, perfect = challenge.fail or (), challenge.succeed or (), challenge.perfect or ()
    outcomes = tuple(do_steps(game, pos, steps, False, game.turn) for steps in (failed, succeeded, succeeded + perfect))
    return game.nodes.make(Window, faces, outcomes)
