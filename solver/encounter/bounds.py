"""What is known of a position before it is solved: true bounds that narrow while the search runs.

The first rounds are played in full, whatever comes after them is replaced by something that is surely better for
Rangitaki (nothing wounds her any more and everything heals) and by something that is surely no better than the best
play (she only heals, dodges and ends her turns). Each further round played in full brings the two closer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.solution import ActionValue, Solution
from story.prompts import Decide
from story.state import State

if TYPE_CHECKING:
    from solver.encounter.solving import EncounterSolver, Found


class Bounds:
    """The bounds of a position and of each action open in it."""

    def __init__(self, solver: EncounterSolver, state: State) -> None:
        self.solver = solver
        self.state = state
        lanes = solver.lanes
        held = sum(min(n, m) * p for n, m, p in zip(state.hero.satchel, lanes.most, lanes.prices, strict=True))
        full = sum(m * p for m, p in zip(lanes.most, lanes.prices, strict=True))
        self.lower = min(0.0, solver.death) + held - full
        self.upper = self._worst = max(solver.death, float(lanes.limit - 1)) + held
        answers: list[str] = []
        if state.field is not None and isinstance(solver.table.prompt(state), Decide):
            answers = solver.options(state)
        self.actions = dict.fromkeys(answers, (self.lower, self.upper))
        self.horizon = state.field.round if state.field is not None else 0
        """The last round that the next narrowing plays in full."""

    @property
    def narrowest(self) -> bool:
        """Whether there is nothing between these bounds and the solution; for safety alone there are no others."""
        field = self.state.field
        return self.solver.objective == "survive" or field is None or self.horizon >= field.board.rounds

    def narrow(self) -> None:
        """Play one round more in full; raises Stopped as the search does."""
        lower, upper = (self.solver.limited(self.state, self.horizon, hopeful) for hopeful in (True, False))
        if self.actions:
            for (answer, low), (_, high) in zip(lower.values(self.state), upper.values(self.state), strict=True):
                known = self.actions[answer]
                self.actions[answer] = (max(known[0], low.real), min(known[1], high.real))
            self.lower = max(self.lower, min(low for low, _ in self.actions.values()))
            self.upper = min(self.upper, min(high for _, high in self.actions.values()))
        else:
            self.lower = max(self.lower, lower.value(self.state).real)
            self.upper = min(self.upper, upper.value(self.state).real)
        self.horizon += 1

    def solution(self, found: list[Found], seconds: float, limit: str) -> Solution:
        """What is known: the actions already worked out are exact, and no play needs to be worse than the best bound.

        With ``survive`` an action that is worked out says nothing about the value of a safer one.
        """
        solver = self.solver
        ranked = solver.ranked(found, solver.offset(self.state))
        known = {answer for answer, *_ in ranked}
        actions = [ActionValue(answer, own, p, own, own) for answer, own, p in ranked]
        open_ones = [
            ActionValue(answer, high, 1.0, low, high)
            for answer, (low, high) in self.actions.items()
            if answer not in known
        ]
        lower, upper = self.lower, self.upper
        if solver.objective == "wounds":
            actions = sorted([*actions, *open_ones], key=lambda action: (round(action.value, 10), action.answer))
            if actions:
                upper = min(upper, actions[0].value)
                lower = max(lower, min(action.lower for action in actions if action.lower is not None))
        else:
            actions += sorted(open_ones, key=lambda action: action.answer)
        return Solution(
            objective=solver.objective,
            food=solver.food,
            exact=False,
            value=upper,
            lower=lower,
            upper=upper,
            p_defeat=actions[0].p_defeat if actions else 1.0,
            expected_wounds=upper,
            best=(actions[0].answer,) if ranked or (actions and actions[0].value < self._worst) else (),
            actions=tuple(actions),
            states=solver.states,
            seconds=seconds,
            limit=limit,
        )
