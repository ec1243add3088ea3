"""Rangitaki's turn: the best of everything that she can do (ENC-3).

A ``Turn`` is her turn with these enemies, wherever she is. Steps cost what they cost whenever they are taken, so she
walks as late as she can: an action is looked at from the spaces alone where it was not open, at that price, on the way
there; and then at the end of her turn. Where an action may cost her AP or wounds she walks one step at a time instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from solver.encounter.board import NEAR_MASK, spaces_of
from solver.encounter.deeds import Deed, Shot, Strike, challenges, fears, moves, shots
from solver.encounter.lanes import AP, DODGE, Row
from solver.encounter.nodes import EndOfTurn, Follow, Node, Place
from solver.encounter.position import Enemies, Position, taken
from solver.encounter.roaming import Kept, Roaming, Rolled

if TYPE_CHECKING:
    from solver.encounter.game import Game


class Turn(Kept):
    """Her turn with these enemies: the best of all actions and of ending it."""

    __slots__ = (
        "_cheap",
        "_dear",
        "_ends",
        "_leaving",
        "_most_wounds",
        "_steps",
        "_strikes",
        "dodge_cost",
        "enemies",
        "full",
        "game",
        "number",
        "odds",
        "rnd",
        "side",
        "taken",
    )

    closed = True

    def __init__(self, game: Game, rnd: int, enemies: Enemies, number: int) -> None:
        super().__init__(game.lanes)
        self.game = game
        self.rnd = rnd
        self.enemies = enemies
        self.number = number
        self.side = game.sides[number]
        self.taken = taken(enemies)
        stays = self.side.no_step or not game.walks or game.plain
        self.full = -1 if stays else self.taken | game.walls | game.traps
        """The spaces that she cannot walk over without more ado."""
        self.odds = game.odds(rnd, enemies, number)
        dodges = game.action_cards(self.side, "skill", "dodge")
        self.dodge_cost = min([card.cost for card in dodges], default=0)
        self._cheap: list[Deed] | None = None
        self._dear: list[Deed] | None = None
        self._steps: list[Deed] | None = None
        self._ends: dict[int, Node] = {}
        self._leaving: Leaving | None = None
        self._strikes: dict[tuple[Shot, tuple[int, ...]], Strike] | None = None
        self._most_wounds: int | None = -1
        """-1: not asked for yet."""

    def position(self, space: int) -> Position:
        """The position with her on a space."""
        return self.rnd, space, self.enemies, self.number

    # ------------------------------------------------------------ what she can do

    def steps(self) -> list[Deed]:
        """A step to each free space (ACT-10)."""
        if self._steps is None:
            self._steps = list(moves(self))
        return self._steps

    def deeds(self, ap: int) -> list[Deed]:
        """All actions that AP may pay for but steps, healing, dodging, eating and ending the turn; cheapest first."""
        if self._cheap is None:
            self._cheap = list(challenges(self))
        if ap < self.game.card_cost:
            return self._cheap
        if self._dear is None:
            attacks = self.attacks(plain=self.game.plain)
            if self.odds is not None:
                needs = {enemy[0]: need for enemy, need in zip(self.enemies, self.odds.needs, strict=True)}
                for deed in attacks:
                    deed.needs = min([needs[space] for space in deed.idle], default=0)
            self._dear = sorted([*self._cheap, *attacks], key=lambda deed: deed.cost)
        return self._dear

    def attacks(self, *, plain: bool) -> list[Deed]:
        """Every attack and fear; ``plain``: no more than attacks without augment and lob."""
        return list(shots(self, plain=True)) if plain else [*shots(self, plain=False), *fears(self)]

    def first_deeds(self, ap: int) -> list[Deed]:
        """As ``deeds``, also what a bound leaves out after the first action."""
        return [*self.deeds(0), *self.attacks(plain=False)] if self.game.plain else self.deeds(ap)

    def strike(self, shot: Shot, targets: tuple[int, ...]) -> Strike:
        """One roll per target in the order named, each settled before the next (ACT-4)."""
        if self._strikes is None:
            self._strikes = {}
        strike = self._strikes.get((shot, targets))
        if strike is None:
            strike = self._strikes[shot, targets] = Strike(self, shot, targets)
        return strike

    def end(self, space: int) -> Node:
        """Ending the turn on a space, with what can wait for it before it."""
        node = self._ends.get(space)
        if node is None:
            game = self.game
            game.tick()
            game.spare_memory()
            node = game.ending(self.position(space))
            if game.heals_last or self.lanes.bites:
                dodge_cost = self.dodge_cost if game.heals_last else 0
                node = game.nodes.make(EndOfTurn, game.heals_last, dodge_cost, node)
            self._ends[space] = node
        return node

    def leaving(self) -> Leaving:
        """Ending the turn, after a walk."""
        if self._leaving is None:
            game = self.game
            enemies = game.at_rest(self.rnd, self.enemies)
            rest = self if enemies == self.enemies else game.her_turn(self.rnd, enemies, self.number)
            self._leaving = Leaving(game, rest) if rest is self else rest.leaving()
        return self._leaving

    def standing(self, purse: int) -> Turn:
        """The turn in a simpler position that comes to the same with no more than a purse."""
        if self.odds is None or not self.odds.most:
            return self
        most = self.lanes.most_funds(purse)
        if most >= self.odds.most:
            return self
        return self.game.standing(self.rnd, self.enemies, self.number, most)

    def acts(self, funds: int, most: int, space: int) -> Iterator[tuple[Deed, int, int]]:
        """(deed, cost with the way there, where it is done) of all actions with a use but those at the end of her turn.

        ``funds``: what may be paid; ``most``: with all that any food gives.
        """
        game, full = self.game, self.full
        if funds < game.cheapest:
            return
        if funds and (game.traps or not game.walks) and not game.plain:
            for deed in self.steps():
                if not game.walks:
                    if deed.open >> space & 1:
                        yield deed, 1, space
                elif game.traps >> deed.targets[0] & 1:
                    for steps, there in ways(deed.open, 0, full, space):
                        if steps < funds:
                            yield deed, 1 + steps, there
        for deed in self.deeds(funds):
            cost = deed.cost
            if cost > funds:
                break
            if deed.needs <= most:
                if deed.avoids == 0 and deed.open >> space & 1:
                    yield deed, cost, space
                else:
                    for steps, there in ways(deed.open, deed.avoids, full, space):
                        if cost + steps <= funds:
                            yield deed, cost + steps, there

    # ------------------------------------------------------------ rows

    def row(self, purse: int, space: int) -> Row:
        """The row of the position that stands for this one, as far as the purse goes."""
        key = purse << 4 | space
        row = self.memo.get(key)
        if row is None:
            turn = self.standing(purse)
            row = self.lanes.interned(self.work(purse, space)) if turn is self else turn.row(purse, space)
            self.memo[key] = row
        return row

    def work(self, purse: int, space: int) -> Row:
        """The best action."""
        lanes, odds, game = self.lanes, self.odds, self.game
        best_of, helps = lanes.best_of, lanes.helps
        row = self.leaving().row(purse, space)
        # Where nothing can be better the other actions need no look.
        hope = None if odds is None else odds.hope
        bound = None if hope is None else lanes.hope(purse, hope)
        if row is bound:
            return row
        useless: dict[int, Row] = {}
        for deed, cost, there in self.acts(purse & AP, lanes.most_funds(purse), space):
            node, left = deed.node, purse - cost
            # Her points only dwindle by a miss: what no hit makes better is not worth the try.
            if deed.chancy and isinstance(node, Rolled):
                for outcome in node.outcomes[1:]:
                    other = outcome.row(left, there)
                    if id(other) not in useless:
                        if helps(other, row):
                            break
                        useless[id(other)] = other
                else:
                    continue
            done = node.improving(left, there, row) if isinstance(node, Rolled) else node.fed(left, there)
            if done is not None and done is not row:
                row = best_of(row, done)
                if bound is not None and not helps(bound, row):
                    return bound
        for turn, left in self._spends(purse):
            row = best_of(row, turn.row(left, space))
        if not game.heals_last and purse & AP:
            row = lanes.fed(best_of(row, lanes.healed(self.row(purse - 1, space), 1)))
        return row

    def _spends(self, purse: int) -> Iterator[tuple[Turn, int]]:
        """(turn, purse) of queueing a dodge, where that cannot wait, and of eating food that gives AP."""
        if not self.game.heals_last and 0 < self.dodge_cost <= purse & AP:
            yield self, purse - self.dodge_cost + DODGE
        for snack in self.lanes.snacks(purse):
            yield self, snack

    # ------------------------------------------------------------ the best play

    def lead(self, purse: int, lane: int) -> Place | None:
        """The position that stands for this one, if another does."""
        turn = self.standing(purse)
        return None if turn is self else (turn, purse, lane)

    def safe(self, lane: int) -> bool:
        """Whether all the wounds that may still come are too few."""
        if self._most_wounds == -1:
            self._most_wounds = self.game.most_wounds(self.rnd, self.enemies, self.number)
        return self._most_wounds is not None and lane % self.lanes.limit + self._most_wounds < self.lanes.limit

    def follow(self, purse: int, lane: int) -> Follow:
        """The best actions from a lane."""
        if self.standing(purse) is not self:
            return super().follow(purse, lane)
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        better, value = self.lanes.better, self.at(purse, lane)
        for node, left, to in self._places(purse, lane):
            if not better(value, node.at(left, to)):
                yield node, left, to

    def _places(self, purse: int, lane: int) -> Iterator[tuple[Roaming, int, int]]:
        """Where everything that she can do from a lane leads."""
        lanes = self.lanes
        space, here = divmod(lane, lanes.size)
        yield self.leaving(), purse, lane
        for deed, cost, there in self.acts(purse & AP, lanes.most_funds(purse), space):
            yield deed.node, purse - cost, there * lanes.size + here
        for turn, left in self._spends(purse):
            yield turn, left, lane
        for after in lanes.bites_from(lane):
            yield self, purse, after
        if not self.game.heals_last and purse & AP:
            yield self, purse - 1, lanes.after_healing(lane, 1)


class After(Roaming):
    """Her turn with some enemies, as what follows an action: with few AP a simpler position may stand for it."""

    __slots__ = ("_turns", "enemies", "game", "number", "rnd")

    closed = True

    def __init__(self, game: Game, rnd: int, enemies: Enemies, number: int) -> None:
        super().__init__(game.lanes)
        self.game = game
        self.rnd = rnd
        self.enemies = enemies
        self.number = number
        self._turns: dict[int, Turn] = {}

    def turn(self, purse: int) -> Turn:
        """The position that stands for this one."""
        ap = self.lanes.most_funds(purse)
        turn = self._turns.get(ap)
        if turn is None:
            turn = self._turns[ap] = self.game.standing(self.rnd, self.enemies, self.number, ap)
        return turn

    def row(self, purse: int, space: int) -> Row:
        """Its row."""
        # The shortest way, as this is asked most often.
        turn = self._turns.get(purse & AP)
        if turn is None or self.lanes.shift:
            turn = self.turn(purse)
        row = turn.memo.get(purse << 4 | space)
        return turn.row(purse, space) if row is None else row

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.turn(purse), purse, lane


class Leaving(Kept):
    """Ending her turn after a walk."""

    __slots__ = ("turn",)

    closed = True

    def __init__(self, game: Game, turn: Turn) -> None:
        super().__init__(game.lanes)
        self.turn = turn

    def _ways(self, ap: int, space: int) -> Iterator[tuple[int, Node]]:
        seen: set[Node] = set()
        for steps, there in ways(-1, None, self.turn.full, space):
            if steps > ap:
                return
            node = self.turn.end(there)
            if node not in seen:
                seen.add(node)
                yield steps, node

    def work(self, purse: int, space: int) -> Row:
        """The best place to end it."""
        lanes = self.lanes
        best: Row | None = None
        for steps, node in self._ways(purse & AP, space):
            row = node.row(purse - steps)
            best = row if best is None else best if row is best else lanes.best_of(best, row)
        assert best is not None
        return best

    def follow(self, purse: int, lane: int) -> Follow:
        """The best places."""
        return [(1.0, self._best(purse, lane))]

    def _best(self, purse: int, lane: int) -> Iterator[Place]:
        lanes = self.lanes
        value = self.at(purse, lane)
        space, here = divmod(lane, lanes.size)
        for steps, node in self._ways(purse & AP, space):
            if not lanes.better(value, node.at(purse - steps, here)):
                yield node, purse - steps, here


@cache
def ways(open: int, avoids: int | None, full: int, space: int) -> tuple[tuple[int, int], ...]:
    """(steps, where it is done) of a deed from where it is open and was not on the way, nearest first.

    ``full``: the spaces that she cannot walk over; ``avoids``: see ``Deed``.
    """
    found: list[tuple[int, int]] = []
    layer, covered = 1 << space, 0
    full |= layer
    steps = 0
    while layer:
        covered &= layer
        found += [(steps, there) for there in spaces_of(open & layer & ~covered)]
        if avoids is not None:
            covered = near((covered | open & layer) & ~avoids)
        layer = near(layer) & ~full
        full |= layer
        steps += 1
    return tuple(found)


def near(spaces: int) -> int:
    """The neighbours of some spaces, all as masks."""
    found = 0
    for space in spaces_of(spaces):
        found |= NEAR_MASK[space]
    return found
