"""The fast exact solver for playfields: an encounter compiled into a graph of shared nodes, solved to the end.

``nodes``, ``roaming`` and ``lanes`` are the arithmetic; ``her_turn`` and ``deeds``, ``enemy_turn``, ``rounds``,
``effects``, ``kinds`` and ``board`` are the rules in compiled form; ``solving`` puts a table's state in and takes the
answer out, ``bounds`` is what it knows before it is done. What makes it fast: a row holds the values of all wounds and
foods at once; a window is worked out in closed form; steps, heals and dodges come last in her turn where nothing can
tell the difference; what she can do is one node wherever she is; equal futures are one node and equal rows one object.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.encounter.errors import NotCovered
from solver.encounter.solving import EncounterSolver
from solver.solution import FoodPrice, Objective, Solution
from story.cards import EncounterFile
from story.playfield.table import EncounterTable
from story.state import State

__all__ = ["EncounterSolver", "NotCovered", "solve"]


def solve(
    file: EncounterFile,
    state: State | None = None,
    *,
    objective: Objective = "wounds",
    death: float | None = None,
    food: FoodPrice = "priced",
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Solution:
    """The best play from a state of an encounter file (``None``: its start), exact, or true bounds when cut off.

    Raises NotCovered, naming the feature, where the compiled form does not cover it; ``solver.exact`` does.
    """
    table = EncounterTable(file)
    if state is None:
        state = table.start()
    solver = EncounterSolver(table, state, objective=objective, death=death, food=food)
    return solver.solution(state, seconds=seconds, stop=stop, progress=progress)
