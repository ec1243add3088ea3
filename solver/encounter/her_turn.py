"""Rangitaki's turn: every action open in a position and what it leads to (ENC-3, ACT, TERR-4, LINE-3).

A ``Scene`` is her turn without her: what can be done with these enemies, and from which spaces. A ``Turn`` is a scene
with her on a space. Steps cost what they cost whenever they are taken, so she walks as late as she can: an action is
looked at from the spaces alone where it was not open, at that price, on the way there; and then at the end of her turn.
Where an action may cost her AP or wounds she walks one step at a time instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from solver.encounter.board import NEAR, NEAR_MASK, reach_mask, spaces_of
from solver.encounter.effects import Effects, Then, do_steps, ends_move, wound_enemy
from solver.encounter.kinds import challenge_faces
from solver.encounter.lanes import AP, DODGE, Row
from solver.encounter.nodes import EndOfTurn, Follow, Node, Nodes, Place, Points, Window
from solver.encounter.position import (
    BLOCK_USED,
    POISONED,
    STUNNED,
    TRIED,
    Enemies,
    Enemy,
    Position,
    enemy_at,
    taken,
    with_enemy,
)
from story.cards import TALENTS, ActionCard, Challenge

if TYPE_CHECKING:
    from solver.encounter.game import Game


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


class Act:
    """A deed with the way to where it is done."""

    __slots__ = ("_node", "cost", "deed", "left", "space")

    def __init__(self, cost: int, deed: Deed, space: int, left: int) -> None:
        self.cost = cost
        self.deed = deed
        self.space = space
        self.left = left
        """The most AP she can have after paying."""
        self._node: Node | None = None

    @property
    def node(self) -> Node:
        """What it leads to, worked out when it is first asked for."""
        if self._node is None:
            self._node = self.deed.node(self.space, self.left)
        return self._node


class Scene:
    """Her turn without her: round, enemies and side, and whatever follows from these alone."""

    __slots__ = (
        "_cheap",
        "_dear",
        "_ends",
        "_rest",
        "_steps",
        "_strikes",
        "_walks",
        "cheapest",
        "dodge_cost",
        "enemies",
        "game",
        "number",
        "odds",
        "rnd",
        "side",
        "taken",
        "turns",
    )

    def __init__(self, game: Game, rnd: int, enemies: Enemies, number: int) -> None:
        self.game = game
        self.rnd = rnd
        self.enemies = enemies
        self.number = number
        self.side = game.sides[number]
        self.taken = taken(enemies)
        self.odds = game.odds(rnd, enemies, number)
        dodges = game.action_cards(self.side, "skill", "dodge")
        self.dodge_cost = min([card.cost for card in dodges], default=0)
        self.cheapest = game.cheapest
        """The least AP for which there may be anything to do but walk."""
        self.turns: dict[int, Turn] = {}
        self._cheap: list[Deed] | None = None
        self._dear: list[Deed] | None = None
        self._steps: list[Deed] | None = None
        self._ends: dict[int, Node] = {}
        self._rest: Scene | None = None
        self._strikes: dict[tuple[Shot, tuple[int, ...]], Strike] | None = None
        self._walks: dict[int, list[int]] = {}

    def turn(self, space: int) -> Turn:
        """Her turn on a space."""
        turn = self.turns.get(space)
        if turn is None:
            turn = self.turns[space] = Turn(self.game.nodes, self, space)
        return turn

    def node(self, space: int, most: int) -> Node:
        """Her turn on a space, as what follows a roll."""
        return self.turn(space)

    def position(self, space: int) -> Position:
        """The position with her on a space."""
        return self.rnd, space, self.enemies, self.number

    def with_enemies(self, enemies: Enemies) -> Scene:
        """The scene with other enemies."""
        return self if enemies == self.enemies else self.game.scene(self.rnd, enemies, self.number)

    def steps(self) -> list[Deed]:
        """A step to each free space (ACT-10)."""
        if self._steps is None:
            self._steps = []
            if not self.side.no_step:
                full = self.game.walls | self.taken
                for space in range(1, len(NEAR_MASK)):
                    if not full >> space & 1:
                        step = partial(_step, self.game, self.rnd, self.enemies, self.number, space)
                        self._steps.append(Deed(1, NEAR_MASK[space], step, "step", (space,)))
        return self._steps

    def deeds(self, ap: int) -> list[Deed]:
        """All actions that AP may pay for but steps, healing, dodging, eating and ending the turn."""
        if self._cheap is None:
            self._cheap = list(challenges(self))
        if ap < self.game.card_cost:
            return self._cheap
        if self._dear is None:
            attacks = [*shots(self), *fears(self)]
            if self.odds is not None:
                for deed in attacks:
                    deed.needs = min([self.odds.needs[space] for space in deed.idle], default=0)
            self._dear = sorted([*self._cheap, *attacks], key=lambda deed: deed.cost)
        return self._dear

    def strike(self, shot: Shot, targets: tuple[int, ...]) -> Strike:
        """One roll per target in the order named, each settled before the next (ACT-4)."""
        if self._strikes is None:
            self._strikes = {}
        strike = self._strikes.get((shot, targets))
        if strike is None:
            strike = self._strikes[shot, targets] = Strike(self, shot, targets)
        return strike

    def walk(self, space: int) -> list[int]:
        """The spaces that she can go to from a space without anything happening, by the steps it takes, as masks."""
        layers = self._walks.get(space)
        if layers is None:
            layers = [1 << space]
            if self.game.walks and not self.side.no_step:
                full = self.taken | self.game.walls | self.game.traps | layers[0]
                while edge := near(layers[-1]) & ~full:
                    layers.append(edge)
                    full |= edge
            self._walks[space] = layers
        return layers

    def end(self, space: int) -> Node:
        """Ending the turn on a space; where heals and dodges can be put last, with those before it."""
        node = self._ends.get(space)
        if node is None:
            self.game.tick()
            node = self.game.ending(self.position(space))
            if self.game.heals_last:
                node = self.game.nodes.make(EndOfTurn, self.dodge_cost, node)
            self._ends[space] = node
        return node

    def rest(self) -> Scene:
        """The scene as far as the end of her turn can tell."""
        if self._rest is None:
            self._rest = self.with_enemies(self.game.at_rest(self.rnd, self.enemies))
        return self._rest

    def standing(self, ap: int) -> Scene:
        """A simpler scene that comes to the same with no more AP."""
        if self.odds is None or ap >= self.odds.most:
            return self
        return self.game.standing(self.rnd, self.enemies, self.number, ap)


def near(spaces: int) -> int:
    """The neighbours of some spaces, all as masks."""
    found = 0
    for space in spaces_of(spaces):
        found |= NEAR_MASK[space]
    return found


class Leaving(Node):
    """Ending her turn after a walk."""

    __slots__ = ("scene", "space")

    def __init__(self, nodes: Nodes, scene: Scene, space: int) -> None:
        super().__init__(nodes)
        self.scene = scene
        self.space = space

    def _ways(self, funds: int) -> Iterator[tuple[int, Node]]:
        seen: set[Node] = set()
        for steps, spaces in enumerate(self.scene.walk(self.space)[: funds + 1]):
            for space in spaces_of(spaces):
                node = self.scene.end(space)
                if node not in seen:
                    seen.add(node)
                    yield steps, node

    def work(self, purse: int) -> Row:
        """The best place to end it."""
        lanes = self.lanes
        best: Row | None = None
        for steps, node in self._ways(lanes.funds(purse)):
            row = node.row(lanes.pay(purse, steps))
            best = row if best is None else best if row is best else lanes.best_of(best, row)
        assert best is not None
        return best

    def follow(self, purse: int, lane: int) -> Follow:
        """The best places."""
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        lanes = self.lanes
        value = self.at(purse, lane)
        for steps, node in self._ways(lanes.funds(purse)):
            left = lanes.pay(purse, steps)
            if not lanes.better(value, node.at(left, lane)):
                yield node, left, lane


class Turn(Node):
    """Her turn in a position: the best of all actions and of ending it."""

    __slots__ = ("_acts", "_built", "_leaving", "_most", "scene", "space")

    def __init__(self, nodes: Nodes, scene: Scene, space: int) -> None:
        super().__init__(nodes)
        self.scene = scene
        self.space = space
        self._acts: Sequence[Act] = ()
        self._built = self._most = -1
        self._leaving: Node | None = None

    def acts(self, funds: int, most: int) -> Sequence[Act]:
        """All actions that AP may pay for, cheapest first, but healing, dodging, eating and ending the turn.

        ``most``: her AP with all that her food gives.
        """
        if funds < self.scene.cheapest:
            return ()
        if funds > self._built or most > self._most:
            self._built, self._most = max(funds, self._built), max(most, self._most)
            self._acts = sorted(self._found(self._built, self._most), key=lambda act: act.cost)
        return self._acts

    def _found(self, funds: int, most: int) -> Iterator[Act]:
        scene, here = self.scene, self.space
        walks, traps = scene.game.walks, scene.game.traps
        for deed in scene.steps() if traps or not walks else ():
            if not walks:
                if deed.open >> here & 1:
                    yield Act(1, deed, here, most - 1)
            elif traps >> deed.targets[0] & 1:
                yield from self._approached(deed, funds, most)
        for deed in scene.deeds(funds):
            if deed.cost <= funds and deed.needs <= most:
                if deed.avoids == 0 and deed.open >> here & 1:
                    yield Act(deed.cost, deed, here, most - deed.cost)
                else:
                    yield from self._approached(deed, funds, most)

    def _approached(self, deed: Deed, funds: int, most: int) -> Iterator[Act]:
        """A deed from where it is open and was not on the way."""
        covered = 0
        for steps, spaces in enumerate(self.scene.walk(self.space)[: funds - deed.cost + 1]):
            covered &= spaces
            for space in spaces_of(deed.open & spaces & ~covered):
                cost = deed.cost + steps
                yield Act(cost, deed, space, most - cost)
            if deed.avoids is not None:
                covered = near((covered | deed.open & spaces) & ~deed.avoids)

    def leaving(self) -> Node:
        """Ending the turn, after a walk."""
        if self._leaving is None:
            scene = self.scene.rest()
            self._leaving = scene.game.nodes.make(Leaving, scene, self.space)
        return self._leaving

    def spends(self, purse: int) -> Iterator[tuple[Node, int]]:
        """(node, purse) of queueing a dodge, where that cannot wait, and of eating food that gives AP."""
        cost = self.scene.dodge_cost
        if not self.scene.game.heals_last and 0 < cost <= self.lanes.funds(purse):
            yield self, self.lanes.pay(purse, cost) + DODGE
        for snack in self.lanes.snacks(purse):
            yield self, snack

    def row(self, purse: int) -> Row:
        """The row of the position that stands for this one, as far as the purse goes."""
        row = self.memo.get(purse)
        if row is None:
            turn = self.standing(purse)
            if turn is self:
                return Node.row(self, purse)
            row = self.memo[purse] = turn.row(purse)
        return row

    def standing(self, purse: int) -> Turn:
        """The turn in a simpler position that comes to the same."""
        scene = self.scene.standing(self.lanes.most_funds(purse))
        return self if scene is self.scene else scene.turn(self.space)

    def work(self, purse: int) -> Row:
        """The best action."""
        lanes, odds, game = self.lanes, self.scene.odds, self.scene.game
        game.tick()
        best_of = lanes.best_of
        row = self.leaving().row(purse)
        # Where nothing can be better the other actions need no look.
        hope = None if odds is None else odds.hope
        bound = None if hope is None else lanes.hope(purse, (purse & AP) + hope)
        if row is bound:
            return row
        funds, most = lanes.funds(purse), lanes.most_funds(purse)
        for act in self.acts(funds, most):
            if act.cost > funds:
                break
            deed = act.deed
            if most < deed.needs:
                continue
            node, left = act.node, lanes.pay(purse, act.cost)
            # Her points only dwindle by a miss: what no hit makes better is not worth the try.
            if deed.chancy and isinstance(node, Window):
                for outcome in node.outcomes[1:]:
                    if lanes.helps(outcome.row(left), row):
                        break
                else:
                    continue
            other = node.row(left)
            if other is not row:
                row = best_of(row, other)
                if bound is not None and not lanes.helps(bound, row):
                    return bound
        for node, left in self.spends(purse):
            row = best_of(row, node.row(left))
        if not game.heals_last and funds:
            row = best_of(row, lanes.healed(self.row(lanes.pay(purse, 1)), 1))
        return lanes.fed(row)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best actions from a lane."""
        turn = self.standing(purse)
        return [(1.0, [(turn, purse, lane)] if turn is not self else self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        lanes, better = self.lanes, self.lanes.better
        value = self.at(purse, lane)
        if not better(value, self.leaving().at(purse, lane)):
            yield self.leaving(), purse, lane
        funds, most = lanes.funds(purse), lanes.most_funds(purse)
        for act in self.acts(funds, most):
            if act.deed.needs <= most and act.cost <= funds:
                left, node = lanes.pay(purse, act.cost), act.node
                if not better(value, node.at(left, lane)):
                    yield node, left, lane
        for node, left in self.spends(purse):
            if not better(value, node.at(left, lane)):
                yield node, left, lane
        for after in lanes.bites_from(lane):
            if not better(value, self.at(purse, after)):
                yield self, purse, after
        if not self.scene.game.heals_last and funds:
            healed, to = lanes.pay(purse, 1), int(lanes.heal_map(1)[lane])
            if not better(value, self.at(healed, to)):
                yield self, healed, to


def her_turn(game: Game, pos: Position) -> Turn:
    """Her turn in a position."""
    rnd, space, enemies, number = pos
    return game.scene(rnd, enemies, number).turn(space)


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
            count = max(attack.targets, augment.targets if augment else 1)
            within = [e[0] for e in enemies if _augmentable(game, e, augment)]
            for targets in permutations(within, count):
                seen = _common(plain, targets)
                yield _shot(scene, attack, augment, None, targets, seen)
                over = _common(lobbed, targets) & ~seen if lobbed else 0
                if over:
                    for lob in lobs:
                        yield _shot(scene, attack, augment, lob, targets, over)


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


def _shot(
    scene: Scene,
    attack: ActionCard,
    augment: ActionCard | None,
    lob: ActionCard | None,
    targets: tuple[int, ...],
    seen: int,
) -> Deed:
    cards = [card for card in (attack, augment, lob) if card]
    shot = _paid(attack, augment)
    extras = tuple(f"+{card.word}" for card in (augment, lob) if card)
    strike = scene.strike(shot, targets)
    avoids = 0 if all(strike.anywhere(target) for target in targets) else None
    idle = () if shot.effects else targets
    cost = sum(card.cost for card in cards)
    chancy = shot.roll and len(targets) == 1
    return Deed(cost, seen, strike.node, attack.word, targets, extras, avoids=avoids, idle=idle, chancy=chancy)


@cache
def _paid(attack: ActionCard, augment: ActionCard | None) -> Shot:
    return Shot(
        attack.damage + (augment.damage if augment else 0),
        attack.roll,
        attack.crits and (augment is None or augment.crits),
        attack.effects + (augment.effects if augment else ()),
    )


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
    return ends_move(game, (rnd, to, enemies, side), True, to, partial(her_turn, game))


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
            moved = ends_move(game, pos, False, self.to, partial(her_turn, game))
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
    outcomes = tuple(
        do_steps(game, pos, steps, False, partial(her_turn, game)) for steps in (failed, succeeded, succeeded + perfect)
    )
    return game.nodes.make(Window, faces, outcomes)
