"""The best play of a turn as a tree: what to do, and for each outcome of each roll what to do then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from story.playfield.table import FieldTable
from story.prompts import Decide, Roll
from story.state import State

Best = Callable[[State], str]
"""The best answer to the decision that a state asks for."""


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
    """The best play from a state of her turn to the end of that turn."""
    return _branches(table, state, best)


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


def _branches(table: FieldTable, state: State, best: Best) -> tuple[Branch, ...]:
    prompt = table.prompt(state)
    if not isinstance(prompt, Roll):
        answers, after, over = _decided(table, state, best)
        return (Branch((), answers, () if over else _branches(table, after, best)),)
    later: dict[State, tuple[Branch, ...]] = {}
    ways: dict[tuple[tuple[str, ...], tuple[Branch, ...]], list[str]] = {}
    for face in prompt.faces:
        answers, after, over = _decided(table, table.answer(state, face.answer), best)
        if not over and after not in later:
            later[after] = _branches(table, after, best)
        # What leaves the field otherwise and asks for the same answers to the end of the turn is one way to a reader.
        ways.setdefault((answers, () if over else later[after]), []).append(face.answer)
    return tuple(Branch(tuple(faces), answers, then) for (answers, then), faces in ways.items())


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
