"""Advice for whoever sits at the table: from the fast solver, or from the reference where that does not cover."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from solver.solution import EQUAL, FoodPrice, Objective, Solution
from story.cards import Library
from story.playfield.field import Board
from story.playfield.table import FieldTable
from story.state import State

if TYPE_CHECKING:
    from solver.encounter import EncounterSolver


class Advisor:
    """Answers one question after another; within one encounter what was worked out before is kept."""

    def __init__(
        self,
        library: Library,
        *,
        objective: Objective = "wounds",
        death: float | None = None,
        food: FoodPrice = "priced",
    ) -> None:
        self.table = FieldTable(library)
        self.objective = objective
        self.death = death
        self.food = food
        self._board: Board | None = None
        self._lock = threading.Lock()
        self._solver: EncounterSolver | None = None
        self._slowly: dict[State, Solution] = {}
        """What the reference has found."""

    def advise(
        self,
        state: State,
        *,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
        interim: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The best play from any question of an encounter, or true bounds when ``seconds`` or ``stop`` end it early.

        Where the fast solver does not cover the encounter, ``reference`` of the solution says why.
        ``interim`` is told what is known so far whenever that has become more. The encounter is looked at alone,
        without the story around it. A question from another thread waits until this one is answered or stopped. Raises
        ValueError outside encounters.
        """
        from solver.encounter import NotCovered

        limits: dict[str, Any] = {"seconds": seconds, "stop": stop, "progress": progress}
        with self._lock:
            if state.journey is not None or state.field is None:
                from story.campaign import encounter_alone  # what has no story does without its rules

                state = encounter_alone(state)
            try:
                return self._solver_for(state).solution(state, interim=interim, **limits)
            except NotCovered as uncovered:
                return self._referred(state, str(uncovered), **limits)

    def _referred(self, state: State, why: str, **limits: Any) -> Solution:
        """The reference's answer, or what it has found before if that says more."""
        from solver.exact import solve

        known = self._slowly.get(state)
        if known is None or not (known.exact or known.hopeless):
            found = solve(self.table, state, objective=self.objective, death=self.death, food=self.food, **limits)
            if known is None or found.exact or found.upper - found.lower < known.upper - known.lower:
                known = self._slowly[state] = replace(found, reference=why)
            else:
                known = replace(known, seconds=found.seconds, limit=found.limit)
        return known

    def choice(self, state: State) -> str:
        """The answer that the best play gives to a decision, ties broken as ``cli.md`` says."""
        return self.advise(state).actions[0].answer

    def thrifty_choice(self, state: State, seconds: float | None = None) -> str:
        """As ``choice``, but with no enemies about she heals or ends her turn rather than spend AP for nothing.

        Before enemies an end that is worth no less might mean wounds on the way (cli.md), which ``choice`` may spare.
        Raises TimeoutError if it is not known in so many seconds.
        """
        solution = self.advise(state, seconds=seconds)
        if not solution.exact:
            raise TimeoutError
        first = solution.actions[0]
        if state.field is None or state.field.foes:
            return first.answer
        equal = [
            action.answer
            for action in solution.actions
            if action.answer in solution.best and action.p_defeat - first.p_defeat <= EQUAL
        ]
        return next((answer for answer in ("end", "heal") if answer in equal), first.answer)

    def _solver_for(self, state: State) -> EncounterSolver:
        """The solver of this encounter: the one that answered before, if it can hold what she has now."""
        from solver.encounter import EncounterSolver

        assert state.field is not None
        solver = self._solver
        if solver is None or self._board != state.field.board or not self._holds(solver, state):
            solver = EncounterSolver(self.table, state, objective=self.objective, death=self.death, food=self.food)
            self._solver, self._board = solver, state.field.board
        return solver

    def _holds(self, solver: EncounterSolver, state: State) -> bool:
        most = solver.lanes.most
        return self.food == "none" or all(n <= cap for n, cap in zip(state.hero.satchel, most, strict=True))
