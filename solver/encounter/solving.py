"""From a table's state to the best play: turns are looked up in compiled encounters, whatever is in between is asked.

A state in her turn is a position of a ``Game``. Any other state (a window, a dodge, enemies still to act, pieces still
to be placed) is played on over the table's own questions until her turn or the end comes, then looked up.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator

from solver.encounter.cast import cast, most_earned
from solver.encounter.errors import NotCovered, Stopped
from solver.encounter.game import MOST_AP, Game
from solver.encounter.her_turn import Act, Turn, her_turn
from solver.encounter.lanes import AP, DODGE, Lanes, better
from solver.encounter.nodes import End, Node
from solver.goods import goods_in, steps_in
from solver.solution import TIE, ActionValue, FoodPrice, Objective, Solution
from story.cards import Gain, Lose
from story.hero import Hero
from story.playfield.actions import HerTurn
from story.playfield.field import Board
from story.playfield.table import FieldTable
from story.prompts import Decide, Roll
from story.state import State

EQUAL = 1e-12
"""Probabilities closer than this are equal (cli.md)."""

Spread = tuple[float, ...]
"""Probability of 0, 1, … wounds on the dice at the end."""


class EncounterSolver:
    """Answers questions about one encounter; what one question has found serves the next.

    Raises NotCovered, naming the feature, where the compiled form does not cover the encounter.
    """

    def __init__(
        self,
        table: FieldTable,
        state: State,
        *,
        objective: Objective = "wounds",
        death: float | None = None,
        food: FoodPrice = "priced",
    ) -> None:
        self.table = table
        self.objective = objective
        self.food = food
        self.death = float(state.hero.wound_limit if death is None else death)
        self._deadline: float | None = None
        self._stop: Callable[[], bool] | None = None
        self._progress: Callable[[int], None] | None = None
        self._ticks = 0
        self._prepare(state)

    def _prepare(self, state: State) -> None:
        """Compile for what can take part from a state on."""
        food = self.food
        hero, foods = state.hero, self.table.library.foods
        self.library = cast(self.table.library, state)
        announced = state.field.later if state.field is not None else ()
        steps = [*steps_in(self.library), *(later.step for later in announced)]
        given = [*goods_in(self.library), *(step.goods for step in steps if isinstance(step, Gain))]
        taken = [step.goods for step in steps if isinstance(step, Lose)]
        self._earned = {name for goods in given for name, _ in goods.amounts}
        self._taken = {name for goods in taken for name, _ in goods.amounts}
        for place, kind in enumerate(foods):
            if kind.heals and kind.ap and food != "none" and (hero.satchel[place] or kind.id in self._earned):
                raise NotCovered(f"{kind.id}, which heals and gives AP")
        most = tuple(self._most(state, place) for place in range(len(foods)))
        self.lanes = Lanes(
            hero.wound_limit,
            foods,
            most,
            tuple(min(held, n) for held, n in zip(hero.satchel, most, strict=True)),
            tuple(kind.price if food == "priced" else 0 for kind in foods),
            survive=self.objective == "survive",
            death=self.death,
            steady=not any(food.id in self._earned | self._taken for food in foods if food.ap),
        )
        self.games: dict[Board, Game] = {}
        self.known: dict[State, complex] = {}
        self.spreads: dict[tuple[Node, int, int], Spread] = {}
        self.asked: dict[State, Spread] = {}

    def _most(self, state: State, place: int) -> int:
        """The most of a food that she can ever hold from a state on."""
        food, held = self.table.library.foods[place], state.hero.satchel[place]
        if self.food == "none":
            return 0
        if food.id not in self._earned:
            return held
        earned = most_earned(self.library, state, food.id)
        return max(held, food.holds if earned is None else min(food.holds, held + earned))

    def _prepared(self, state: State) -> bool:
        """Whether what was compiled holds a state: nobody and nothing has come that was not reckoned with."""
        if not cast(self.table.library, state).enemies.keys() <= self.library.enemies.keys():
            return False
        announced = [later.step for later in state.field.later] if state.field is not None else []
        given = {name for step in announced if isinstance(step, Gain) for name, _ in step.goods.amounts}
        taken = {name for step in announced if isinstance(step, Lose) for name, _ in step.goods.amounts}
        foods = {food.id for food in self.table.library.foods}
        if not (given & foods <= self._earned and taken & foods <= self._taken):
            return False
        return all(self._most(state, place) <= most for place, most in enumerate(self.lanes.most))

    # ------------------------------------------------------------ looking up

    def tick(self) -> None:
        """Stop if the time is over or the caller wants to."""
        self._ticks += 1
        if self._progress is not None and self._ticks % 64 == 0:
            self._progress(self.states)
        if self._stop is not None and self._stop():
            raise Stopped("stopped")
        if self._deadline is not None and time.perf_counter() > self._deadline:
            raise Stopped("time")

    @property
    def states(self) -> int:
        """How many things have been looked at: nodes and states of the table."""
        return len(self.known) + sum(len(game.nodes.made) + len(game.turns) for game in self.games.values())

    def turn(self, state: State) -> tuple[Turn, int, int]:
        """(node, purse, lane) of a state in her turn."""
        field, hero = state.field, state.hero
        assert field is not None
        game = self.games.get(field.board)
        if game is None:
            game = Game(field.board, hero, self.library, self.lanes, self.tick)
            self.games[field.board] = game
        if hero.ap > MOST_AP:
            raise NotCovered(f"{hero.ap} AP at once")
        game.dodging = game.dodging or field.dodges > 0
        purse = self.lanes.purse(hero.ap, field.dodges, hero.satchel)
        return her_turn(game, game.position(hero, field)), purse, self.lanes.lane(hero.wounds, hero.satchel)

    def value(self, state: State) -> complex:
        """The value of any state of the encounter."""
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = self._value(state)
        return found

    def _value(self, state: State) -> complex:
        if state.over is not None or state.field is None:
            return self._final(state.hero)
        if _in_her_turn(state):
            node, purse, lane = self.turn(state)
            return node.row(purse)[lane]
        self.tick()
        prompt = self.table.prompt(state)
        if isinstance(prompt, Roll):
            parts = [float(p) * self.value(self.table.answer(state, answer)) for answer, p in prompt.chances()]
            return sum(parts, 0j)
        values = [self.value(self.table.answer(state, answer)) for answer in self.options(state)]
        best = values[0]
        for value in values[1:]:
            best = value if better(value, best) else best
        return best

    def _final(self, hero: Hero) -> complex:
        lanes = self.lanes
        purse = lanes.purse(0, 0, hero.satchel)
        pack = lanes.pack_of[tuple(hero.satchel[i] for i in lanes.healing)]
        return lanes.dead(purse)[pack] if hero.lost else lanes.final(purse)[pack * lanes.limit + hero.wounds]

    def options(self, state: State) -> list[str]:
        """The answers of a decision; no food under ``none``."""
        prompt = self.table.prompt(state)
        assert isinstance(prompt, Decide)
        return [o.answer for o in prompt.options if self.food != "none" or not o.answer.startswith("eat ")]

    # ------------------------------------------------------------ every action

    def actions(self, state: State) -> Iterator[tuple[str, complex]]:
        """Every open action with its value, as they are worked out; none where a roll comes first."""
        if state.over is not None or state.field is None or not isinstance(self.table.prompt(state), Decide):
            return
        if _in_her_turn(state):
            yield from self._turn_actions(state)
            return
        for answer in self.options(state):
            yield answer, self.value(self.table.answer(state, answer))

    def _turn_actions(self, state: State) -> Iterator[tuple[str, complex]]:
        node, purse, lane = self.turn(state)
        lanes, field = self.lanes, state.field
        assert field is not None
        names = {foe.space: foe.name for foe in field.foes}
        yield "end", node.game.ending(node.pos).row(purse)[lane]
        ap = purse & AP
        for act in node.acts(ap):
            if act.cost <= ap:
                yield _answer(act, names), act.node.row(purse - act.cost)[lane]
        for card in node.game.action_cards(node.game.sides[node.pos[3]], "skill", "dodge"):
            if card.cost <= ap:
                yield card.word, node.row(purse - card.cost + DODGE)[lane]
        if ap and lane % lanes.limit:
            yield "heal", node.row(purse - 1)[lanes.heal_map(1)[lane]]
        for i in (*lanes.healing, *lanes.giving):
            food = lanes.foods[i]
            if state.hero.satchel[i] and (state.hero.wounds or not food.heals):
                hero = state.hero.ate(i, self.library)
                left = lanes.purse(hero.ap, field.dodges, hero.satchel)
                yield f"eat {food.id}", node.row(left)[lanes.lane(hero.wounds, hero.satchel)]

    # ------------------------------------------------------------ what the dice will show at the end

    def spread(self, state: State) -> Spread:
        """The wounds on the dice at the end under the best play, a lost game at the limit."""
        found = self.asked.get(state)
        if found is None:
            found = self.asked[state] = self._spread(state)
        return found

    def _spread(self, state: State) -> Spread:
        limit = self.lanes.limit
        if state.over is not None or state.field is None:
            return _surely(limit, limit if state.hero.lost else state.hero.wounds)
        if _in_her_turn(state):
            return self._node_spread(*self.turn(state))
        prompt = self.table.prompt(state)
        if isinstance(prompt, Roll):
            return _mix([(float(p), self.spread(self.table.answer(state, answer))) for answer, p in prompt.chances()])
        after = [self.table.answer(state, answer) for answer in self.options(state)]
        best = after[0]
        for other in after[1:]:
            best = other if better(self.value(other), self.value(best)) else best
        return self.spread(best)

    def _node_spread(self, node: Node, purse: int, lane: int) -> Spread:
        key = (node, purse, lane)
        found = self.spreads.get(key)
        if found is None:
            limit = self.lanes.limit
            if isinstance(node, End):
                found = _surely(limit, lane % limit)
            else:
                found = _mix(
                    [
                        (p, _surely(limit, limit) if then is None else self._node_spread(then, left, to))
                        for p, then, left, to in node.follow(purse, lane)
                    ]
                )
            self.spreads[key] = found
        return found

    # ------------------------------------------------------------ the answer

    def solution(
        self,
        state: State,
        *,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Solution:
        """The best play from a state; with ``seconds`` or ``stop`` true bounds where the search was cut off.

        ``progress`` is told how many things have been looked at.
        """
        began = time.perf_counter()
        self._deadline = began + seconds if seconds is not None else None
        self._stop, self._progress = stop, progress
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(max(depth, 200_000))
        # Nothing made here becomes garbage before the answer: looking for it costs a fifth of the time.
        collecting = gc.isenabled()
        gc.disable()
        found: list[tuple[str, complex]] = []
        try:
            if not self._prepared(state):
                self._prepare(state)
            for action in self.actions(state):
                found.append(action)
            value = self.value(state)
            spread = self.spread(state)
        except Stopped as stopped:
            why = "stopped" if stopped.args[0] == "stopped" else f"{seconds:g} s"
            return self._cut_off(state, found, time.perf_counter() - began, why)
        finally:
            sys.setrecursionlimit(depth)
            if collecting:
                gc.enable()
            self._deadline = self._stop = self._progress = None
        offset = self._offset(state)
        worth, p_defeat = self.lanes.parts(value)
        worth -= offset
        survive = self.objective == "survive"
        ranked = self._ranked(found, offset)
        best = tuple(
            answer
            for answer, own, p in ranked
            if abs(own - ranked[0][1]) <= TIE and (not survive or abs(p - ranked[0][2]) <= EQUAL)
        )
        wounds = {n: p for n, p in enumerate(spread) if p}
        dead = spread[self.lanes.limit]
        dice = sum(n * p for n, p in wounds.items())
        return Solution(
            objective=self.objective,
            food=self.food,
            exact=True,
            value=worth,
            lower=worth,
            upper=worth,
            p_defeat=p_defeat,
            expected_wounds=dice,
            wounds=wounds,
            food_price=worth - (dice + dead * (self.death - self.lanes.limit)),
            best=best,
            actions=tuple(ActionValue(answer, own, p) for answer, own, p in ranked),
            states=self.states,
            seconds=time.perf_counter() - began,
        )

    def _offset(self, state: State) -> int:
        """What was eaten between the state this solver was made for and this one: no part of the answer."""
        satchel = tuple(min(n, most) for n, most in zip(state.hero.satchel, self.lanes.most, strict=True))
        held = sum(n * price for n, price in zip(satchel, self.lanes.prices, strict=True))
        return self.lanes.start_price - held

    def _ranked(self, found: list[tuple[str, complex]], offset: int) -> list[tuple[str, float, float]]:
        """(action, value, probability of losing), best first, ties by name."""
        parts = [(answer, *self.lanes.parts(z)) for answer, z in found]
        ranked = [(answer, own - offset, p) for answer, own, p in parts]
        ranked.sort(key=lambda row: _rank(row, self.objective == "survive"))
        return ranked

    def _cut_off(self, state: State, found: list[tuple[str, complex]], took: float, why: str) -> Solution:
        """Bounds that hold for any play: all healed and the satchel full, or lost and the satchel gone.

        The actions worked out in time are exact, and no play needs to be worse than the best of them; with ``survive``
        that says nothing about the value of a safer play.
        """
        lanes = self.lanes
        held = sum(min(n, m) * p for n, m, p in zip(state.hero.satchel, lanes.most, lanes.prices, strict=True))
        full = sum(m * p for m, p in zip(lanes.most, lanes.prices, strict=True))
        lower = min(0.0, self.death) + held - full
        worst = max(self.death, float(lanes.limit - 1)) + held
        ranked = self._ranked(found, self._offset(state))
        actions = [ActionValue(answer, own, p, own, own) for answer, own, p in ranked]
        known = {answer for answer, _ in found}
        if state.field is not None and isinstance(self.table.prompt(state), Decide):
            others = sorted(set(self.options(state)) - known)
            actions += [ActionValue(answer, worst, 1.0, lower, worst) for answer in others]
        upper = ranked[0][1] if ranked and self.objective == "wounds" else worst
        return Solution(
            objective=self.objective,
            food=self.food,
            exact=False,
            value=upper,
            lower=lower,
            upper=upper,
            p_defeat=ranked[0][2] if ranked else 1.0,
            expected_wounds=upper,
            best=(ranked[0][0],) if ranked else (),
            actions=tuple(actions),
            states=self.states,
            seconds=took,
            limit=why,
        )


def _in_her_turn(state: State) -> bool:
    return state.over is None and bool(state.agenda) and isinstance(state.agenda[-1], HerTurn)


def _rank(row: tuple[str, float, float], survive: bool) -> tuple[float, float, str]:
    answer, value, p_defeat = row
    first, second = (p_defeat, value) if survive else (value, p_defeat)
    return round(first, 10), round(second, 10), answer


def _answer(act: Act, names: dict[int, str]) -> str:
    """The name of an action (cli.md)."""
    if act.word == "step":
        return f"step {act.targets[0]}"
    if act.ground:
        return f"{act.word} {act.ground}"
    if act.to:
        return f"{act.word} {names[act.targets[0]]} {act.to}"
    return " ".join([act.word, *(names[space] for space in act.targets), *act.extras])


def _surely(limit: int, wounds: int) -> Spread:
    return tuple(float(n == wounds) for n in range(limit + 1))


def _mix(parts: list[tuple[float, Spread]]) -> Spread:
    return tuple(sum(p * spread[n] for p, spread in parts) for n in range(len(parts[0][1])))
