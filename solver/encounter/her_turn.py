"""Rangitaki's turn: the best of everything that she can do (ENC-3).

A ``Scene`` is her turn without her: what can be done with these enemies, and from which spaces. A ``Turn`` is a scene
with her on a space. Steps cost what they cost whenever they are taken, so she walks as late as she can: an action is
looked at from the spaces alone where it was not open, at that price, on the way there; and then at the end of her turn.
Where an action may cost her AP or wounds she walks one step at a time instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from solver.encounter.board import NEAR_MASK, spaces_of
from solver.encounter.deeds import Deed, Shot, Strike, challenges, fears, moves, shots
from solver.encounter.lanes import AP, DODGE, Row
from solver.encounter.nodes import EndOfTurn, Follow, Node, Nodes, Place, Window
from solver.encounter.position import Enemies, Position, taken

if TYPE_CHECKING:
    from solver.encounter.game import Game


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
            self._steps = list(moves(self))
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
        if funds < self.scene.game.cheapest:
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
