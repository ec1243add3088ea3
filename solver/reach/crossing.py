"""Playing through an encounter with the dice one would like: to gain, lose, suffer or avoid what a way asks for."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from solver.reach.fights import gives
from story.campaign import encounter_alone
from story.cards import Library
from story.conditions import held
from story.hero import Hero
from story.playfield.table import FieldTable
from story.prompts import Decide, Over, Roll
from story.state import State

GLANCE = 1_200
"""Positions of a first, quick try."""
MOST_STATES = 2_500
TRIES = 4
LONGEST = 600
"""Answers in one encounter."""


class Goal(NamedTuple):
    """How things should stand once the playfield is cleared; amounts by name."""

    held: frozenset[tuple[str, str]] = frozenset()
    lost: frozenset[tuple[str, str]] = frozenset()
    least: tuple[tuple[str, int], ...] = ()
    most: tuple[tuple[str, int], ...] = ()


Crossed = tuple[State, list[str]]


def cross(
    library: Library, state: State, goal: Goal, over: Callable[[], bool], tries: int = TRIES, most: int = MOST_STATES
) -> list[str] | None:
    """Answers that cross the encounter and meet the goal, if a search with favourable dice finds them."""
    alone = encounter_alone(state)
    for seed in range(tries):
        found = _Crossing(FieldTable(library), goal, over, Random(seed)).run(alone, most)
        if found is not None or over():
            return found[1] if found else None
    return None


class _Crossing:
    def __init__(self, table: FieldTable, goal: Goal, over: Callable[[], bool], random: Random) -> None:
        self.table = table
        self.library = table.library
        self.goal = goal
        self.over = over
        self.random = random
        self.wounds = next((n for name, n in goal.least if name == "wounds"), 0)
        """As many wounds as are asked for."""
        self.wanted = [(name, n) for name, n in goal.least if name != "wounds"]

    def run(self, state: State, most: int) -> Crossed | None:
        begin = self._begin(state)
        if begin is None:
            return None
        order = count()
        heap = [(self._distance(begin[0]), next(order), begin[0])]
        chain: dict[State, tuple[State | None, list[str]]] = {begin[0]: (None, begin[1])}
        tried = 0
        while heap and tried < most:
            here = heapq.heappop(heap)[2]
            tried += 1
            if not tried & 15 and self.over():
                return None
            if not self._open(here):
                coasted = self._coast(here)
                if coasted is not None and self._met(coasted[0]):
                    return coasted[0], [*self._answers(chain, here), *coasted[1]]
            for answer, then in self._next(here):
                if then in chain or (then.over is not None):
                    continue
                chain[then] = (here, [answer])
                if then.field is None:
                    if self._met(then):
                        return then, self._answers(chain, then)
                    continue
                heapq.heappush(heap, (self._distance(then), next(order), then))
        return None

    def _begin(self, state: State) -> Crossed | None:
        """Past the placing of the pieces, on the fields that chance gives."""
        answers: list[str] = []
        for _ in range(LONGEST):
            if state.field is None or state.over is not None:
                return (state, answers) if state.over is None else None
            prompt = self.table.prompt(state)
            if isinstance(prompt, Decide) and prompt.topic == "turn":
                return state, answers
            if isinstance(prompt, Roll) and prompt.die in ("place", "pick", "draw"):
                answer = self.random.choice(prompt.faces).answer
            elif isinstance(prompt, Decide) and prompt.topic == "stand":
                answer = self.random.choice([option.answer for option in prompt.options if option.kind == "stand"])
            else:
                return state, answers
            state = self.table.answer(state, answer)
            answers.append(answer)
        return None

    def _answers(self, chain: dict[State, tuple[State | None, list[str]]], state: State) -> list[str]:
        parts: list[list[str]] = []
        here: State | None = state
        while here is not None:
            here, answers = chain[here]
            parts.append(answers)
        return [answer for part in reversed(parts) for answer in part]

    def _next(self, state: State) -> Iterator[tuple[str, State]]:
        prompt = self.table.prompt(state)
        match prompt:
            case Roll(die="d20"):
                faces: list[str] = ["d20 20", "d20 1", "d20 11"]
            case Roll():
                faces = [face.answer for face in prompt.faces]
                self.random.shuffle(faces)
                faces = faces[:4]
            case Decide():
                faces = [option.answer for option in prompt.options]
            case _:
                return
        for answer in faces:
            yield answer, self.table.answer(state, answer)

    def _coast(self, state: State) -> Crossed | None:
        """To the end of the encounter without doing any more, on dice that wound as much as is asked for."""
        answers: list[str] = []
        for _ in range(LONGEST):
            if state.over is not None:
                return None
            if state.field is None:
                return state, answers
            answer, state = self._carry(state)
            answers.append(answer)
        return None

    def _carry(self, state: State) -> tuple[str, State]:
        prompt = self.table.prompt(state)
        options: list[str]
        match prompt:
            case Roll(die="d20"):
                options = ["d20 20", "d20 11", "d20 1"] if state.hero.wounds < self.wounds else ["d20 1", "d20 20"]
            case Roll():
                options = [face.answer for face in prompt.faces]
            case Decide(topic="turn"):
                care = [option.answer for option in prompt.options if option.kind in ("heal", "eat")]
                options = [*(care if self._too_wounded(state.hero) else ()), "end"]
            case Decide(topic="bite"):
                options = [option.answer for option in prompt.options]
            case Decide(topic="dodge"):
                options = ["no dodge"]
            case Decide(topic="window"):
                options = ["keep"]
            case Decide():
                options = [option.answer for option in prompt.options]
            case Over():
                raise AssertionError("an encounter that is over has no field")
        for answer in options:
            then = self.table.answer(state, answer)
            if then.over is None:
                return answer, then
        return options[-1], then

    def _too_wounded(self, hero: Hero) -> bool:
        return any(name == "wounds" and hero.wounds > n for name, n in self.goal.most)

    def _open(self, state: State) -> int:
        """How much of the goal must still be won."""
        hero = state.hero
        left = sum(not held(hero, kind, id) for kind, id in self.goal.held)
        left += sum(held(hero, kind, id) for kind, id in self.goal.lost)
        left += sum(hero.amount(name, self.library) < n for name, n in self.wanted)
        return left + sum(
            hero.amount(name, self.library) > n for name, n in self.goal.most if name not in ("wounds", "ap")
        )

    def _met(self, state: State) -> bool:
        """Whether the goal is met where the encounter has ended."""
        hero = state.hero
        return (
            state.over is None
            and not self._open(state)
            and all(hero.amount(name, self.library) >= n for name, n in self.goal.least)
            and all(hero.amount(name, self.library) <= n for name, n in self.goal.most)
        )

    def _distance(self, state: State) -> tuple[int, int, int]:
        """What is still to be won, how much the enemies who pay for it can still bear, what it has cost."""
        field = state.field
        if field is None:
            return 0, 0, 0
        left = 0
        for foe in field.foes:
            card = self.library.enemies[foe.card]
            if self.wanted or self.goal.held & gives(card):
                left += card.wounds - foe.wounds
        cost = state.hero.wounds * 2 - state.hero.ap + field.round * 7
        return self._open(state), left * 3 + field.round, cost
