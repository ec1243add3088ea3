"""What is known of a position before it is solved: true bounds that narrow while the search runs.

The first rounds are played in full, whatever comes after them is replaced by something that is surely better for
Rangitaki (nothing wounds her any more and everything heals) or by something that is surely no better than the best
play (she only heals, dodges and ends her turns). Each further round played in full brings the two closer. As she may
always do less than she could, play without food, or with plain attacks from one space, bounds the value from above as
well, and is known much sooner.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from solver.encounter.errors import Paused
from solver.encounter.game import Horizon
from solver.solution import TIE, ActionValue, FoodPrice, Solution
from story.prompts import Decide
from story.state import State

if TYPE_CHECKING:
    from solver.encounter.solving import EncounterSolver, Found


class Ladder:
    """Bounds of one kind, a rung for each further round that is played in full."""

    def __init__(self, solver: EncounterSolver, state: State, food: FoodPrice, *, hopeful: bool, plain: bool) -> None:
        assert state.field is not None
        self.solver = solver
        self.state = state
        self.food = food
        self.hopeful = hopeful
        self.plain = plain
        full = food == solver.food and not plain
        self._last = state.field.board.rounds - full
        """The last round to be played in full; with every action and every food that would be the solution itself."""
        self._round = state.field.round
        self._done = 0
        self._limited: EncounterSolver | None = None

    @property
    def left(self) -> bool:
        """Whether there is a rung left."""
        return self._round <= self._last

    def climb(self, answers: list[str], until: float) -> dict[str, float]:
        """The bounds of some answers on the next rung, of the position itself as that of "".

        Raises Paused at ``until``, to be asked again, and Stopped as the search does.
        """
        limited = self._limited
        if limited is None:
            limited = self.solver.limited(self.state, Horizon(self._round, self.hopeful, self.plain), self.food)
            self._limited = limited
        limited.hurry(self.solver, until)
        found = {answer: value.real for answer, value in limited.values(self.state, answers)}
        if self.food != self.solver.food:
            found = {answer: value + _eaten(self.solver, answer) for answer, value in found.items()}
        found[""] = min(found.values()) if found else limited.value(self.state).real
        self.rest()
        self._round += 1
        return found

    def rest(self) -> None:
        """Let go of what the search for a rung has come to."""
        self._done = self.states
        self._limited = None

    @property
    def states(self) -> int:
        """How many things have been looked at."""
        return self._done + (0 if self._limited is None else self._limited.states)

    @property
    def kept(self) -> int:
        """Bytes of rows that are kept for the next rung."""
        return 0 if self._limited is None else self._limited.lanes.kept


def _eaten(solver: EncounterSolver, answer: str) -> int:
    """The price of food that is eaten with an answer."""
    word, _, name = answer.partition(" ")
    if word != "eat":
        return 0
    foods = solver.table.library.foods
    return next(price for food, price in zip(foods, solver.lanes.prices, strict=True) if food.id == name)


class Bounds:
    """The bounds of a position and of each action open in it."""

    def __init__(self, solver: EncounterSolver, state: State) -> None:
        self.solver = solver
        self.state = state
        lanes = solver.lanes
        held = sum(min(n, m) * p for n, m, p in zip(state.hero.satchel, lanes.most, lanes.prices, strict=True))
        full = sum(m * p for m, p in zip(lanes.most, lanes.prices, strict=True))
        self.lower = min(0.0, solver.death) + held - full
        self.upper = self._worst = max(solver.death, float(lanes.limit - 1))
        if solver.loses_food or solver.objective == "survive":
            self.upper = self._worst = self._worst + held  # otherwise she need not eat
        self.answers: list[str] = []
        if state.field is not None and isinstance(solver.table.prompt(state), Decide):
            self.answers = solver.options(state)
        self.actions = {answer: (self.lower, self.upper + _eaten(solver, answer)) for answer in self.answers}
        self._solved: dict[str, ActionValue] = {}
        self._ladders = self._all_ladders()
        self._first = True
        """Whether nothing is known but what is true of any position."""
        self._done = 0

    def _all_ladders(self) -> list[Ladder]:
        """Those that are climbed sooner first; there are none for safety alone."""
        solver, state = self.solver, self.state
        if solver.objective == "survive" or state.field is None:
            return []
        foods: list[FoodPrice] = [solver.food]
        # Food that may be lost has its price without having been eaten.
        if any(solver.lanes.most) and not solver.loses_food:
            foods = ["none", solver.food]
        found = [Ladder(solver, state, foods[0], hopeful=False, plain=True)]
        found += [Ladder(solver, state, food, hopeful=False, plain=False) for food in foods]
        found.insert(1, Ladder(solver, state, solver.food, hopeful=True, plain=False))
        return [ladder for ladder in found if ladder.left]

    @property
    def narrowest(self) -> bool:
        """Whether there is nothing between these bounds and the solution."""
        return not self._ladders

    @property
    def states(self) -> int:
        """How many things have been looked at."""
        return self._done + sum(ladder.states for ladder in self._ladders)

    @property
    def kept(self) -> int:
        """Bytes of rows that are kept to narrow them further."""
        return sum(ladder.kept for ladder in self._ladders)

    def rest(self) -> None:
        """Keep the bounds alone: another position is asked for."""
        for ladder in self._ladders:
            ladder.rest()

    def narrow(self, seconds: float) -> bool:
        """Bring the bounds closer for so long; whether they have come closer. Raises Stopped as the search does.

        For the first that say anything it takes up to four times as long, and does no more than find them.
        """
        until = time.perf_counter() + (4 * seconds if self._first else seconds)
        closer, enough = False, self._first
        while self._ladders and time.perf_counter() < until and not (closer and enough):
            ladder = self._ladders[0]
            try:
                found = ladder.climb(self.answers, until)
            except Paused:
                if not self._first:
                    self._ladders = [*self._ladders[1:], ladder]
                break
            self._first = False
            closer |= self._know(found, ladder.hopeful)
            self._ladders = [*self._ladders[1:], ladder]
            if not ladder.left:
                self._done += self._ladders.pop().states
        return closer

    def _know(self, found: dict[str, float], below: bool) -> bool:
        """Take in bounds from below or above; whether they say more than what was known."""
        before = self.lower, self.upper, dict(self.actions)
        for answer, (low, high) in self.actions.items():
            bound = found[answer]
            self.actions[answer] = (max(low, bound), high) if below else (low, min(high, bound))
        if below:
            self.lower = max(self.lower, found[""])
        else:
            self.upper = min(self.upper, found[""])
        return before != (self.lower, self.upper, self.actions)

    def learn(self, found: list[Found]) -> None:
        """Take in actions that were worked out."""
        for answer, own, p in self.solver.ranked(found, self.solver.offset(self.state)):
            self._solved[answer] = ActionValue(answer, own, p)

    def solution(self, seconds: float, limit: str) -> Solution:
        """What is known: the actions already worked out are exact, and no play needs to be worse than the best bound.

        With ``survive`` an action that is worked out says nothing about the value of a safer one.
        """
        solver = self.solver
        actions = [
            self._solved.get(answer) or ActionValue(answer, high, 1.0, low, high)
            for answer, (low, high) in self.actions.items()
        ]
        lower, upper = self.lower, self.upper
        told = bool(self._solved)
        if solver.objective == "wounds":
            actions.sort(key=lambda action: (round(action.value, 10), action.answer))
            if actions:
                upper = min(upper, actions[0].value)
                lower = max(lower, min(action.value if action.lower is None else action.lower for action in actions))
                # What is eaten at once has its price whatever comes; that tells nothing.
                apart = {round(action.value - _eaten(solver, action.answer), 10) for action in actions}
                told = upper <= lower + TIE or (upper < self._worst and len(apart) > 1)
        else:
            actions.sort(
                key=lambda action: (
                    action.answer not in self._solved,
                    round(action.p_defeat, 10),
                    round(action.value, 10),
                    action.answer,
                )
            )
        return Solution(
            objective=solver.objective,
            food=solver.food,
            exact=False,
            value=upper,
            lower=lower,
            upper=upper,
            p_defeat=actions[0].p_defeat if actions else 1.0,
            expected_wounds=min(upper, float(solver.lanes.limit)),
            best=(actions[0].answer,) if told and actions else (),
            actions=tuple(actions),
            states=solver.looked,
            seconds=seconds,
            limit=limit,
        )
