"""The best play of a turn as a tree: what to do, and for each outcome of each roll what to do then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from story.playfield.table import FieldTable
from story.prompts import Decide, Roll
from story.state import State

MOST_ROWS = 5000
"""Lines of a plan that somebody may still want."""

Best = Callable[[State], str]
"""The best answer to the decision that a state asks for."""


class PlanError(Exception):
    """There is no plan; the text says why."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way a roll can go, and what follows."""

    faces: tuple[str, ...]
    """Empty where nothing was rolled."""
    answers: tuple[str, ...]
    """What to answer, one after the other, up to the next roll."""
    then: tuple[Branch, ...] = ()
    """After the next roll; empty when the turn is over."""

    def json(self) -> dict[str, Any]:
        """As ``solve --plan --json`` prints it."""
        return {
            "faces": list(self.faces),
            "answers": list(self.answers),
            "then": [branch.json() for branch in self.then],
        }


def plan(table: FieldTable, state: State, best: Best) -> tuple[Branch, ...]:
    """The best play from a state of her turn to the end of that turn.

    Raises PlanError where it is too long to be read, and whatever ``best`` raises.
    """
    planner = _Planner(table, best)
    branches = planner.branches(state)
    rows = planner.rows(branches)
    if rows > MOST_ROWS:
        raise PlanError(f"it would have {rows:,} lines")
    return branches


def plan_lines(branches: tuple[Branch, ...], indent: int = 0) -> Iterator[str]:
    """The tree, a line a branch, two blanks a level."""
    for branch in branches:
        faces = f"{faces_words(branch.faces)}: " if branch.faces else ""
        yield f"{'  ' * indent}{faces}{', then '.join(branch.answers) or 'nothing to decide'}"
        yield from plan_lines(branch.then, indent + 1)


def faces_words(faces: tuple[str, ...]) -> str:
    """``d20 6-19``; neighbouring numbers are drawn together."""
    die = faces[0].split(" ", 1)[0]
    names = [face.split(" ", 1)[-1] for face in faces]
    if not die.startswith("d") or not all(name.isdigit() for name in names):
        return f"{die} {', '.join(names)}"
    runs: list[list[int]] = []
    for number in map(int, names):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return f"{die} {', '.join(f'{low}-{high}' if high > low else f'{low}' for low, high in runs)}"


class _Planner:
    """What follows each state, worked out once; equal plans are one object."""

    def __init__(self, table: FieldTable, best: Best) -> None:
        self.table = table
        self.best = best
        self._known: dict[State, tuple[Branch, ...]] = {}
        self._made: dict[tuple[object, ...], tuple[Branch, ...]] = {}
        self._rows: dict[int, int] = {}

    def branches(self, state: State) -> tuple[Branch, ...]:
        """The ways from a state to the end of the turn."""
        found = self._known.get(state)
        if found is None:
            ways = self._ways(state)
            # What is equal is compared by its parts alone: whole plans are far larger than what they are made of.
            key = tuple((way.faces, way.answers, id(way.then)) for way in ways)
            found = self._known[state] = self._made.setdefault(key, ways)
        return found

    def _ways(self, state: State) -> tuple[Branch, ...]:
        prompt = self.table.prompt(state)
        if not isinstance(prompt, Roll):
            return (Branch((), *self._way(state)),)
        ways: dict[tuple[tuple[str, ...], int], list[str]] = {}
        thens: dict[int, tuple[Branch, ...]] = {}
        for face in prompt.faces:
            answers, then = self._way(self.table.answer(state, face.answer))
            thens[id(then)] = then
            # What leaves the field otherwise and asks for the same answers to the end of the turn reads alike.
            ways.setdefault((answers, id(then)), []).append(face.answer)
        return tuple(Branch(tuple(faces), answers, thens[then]) for (answers, then), faces in ways.items())

    def _way(self, state: State) -> tuple[tuple[str, ...], tuple[Branch, ...]]:
        answers, after, over = _decided(self.table, state, self.best)
        return answers, () if over else self.branches(after)

    def rows(self, branches: tuple[Branch, ...]) -> int:
        """How many lines they take."""
        found = self._rows.get(id(branches))
        if found is None:
            found = self._rows[id(branches)] = sum(1 + self.rows(branch.then) for branch in branches)
        return found


def _decided(table: FieldTable, state: State, best: Best) -> tuple[tuple[str, ...], State, bool]:
    """The best answers up to the next roll, the state then, and whether the turn ended on the way."""
    answers: list[str] = []
    while isinstance(table.prompt(state), Decide):
        answer = best(state)
        answers.append(answer)
        if answer == "end":
            return tuple(answers), state, True
        state = table.answer(state, answer)
    return tuple(answers), state, not isinstance(table.prompt(state), Roll)
