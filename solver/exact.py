"""The reference solver: expectimax over the prompts of an encounter, with a memo over its frozen states.

It asks the rules themselves, so it cannot disagree with the game. The objective depends on the last state alone: the
wounds on the dice (a lost game counts as the wound limit or as ``death``) plus the price of the satchel at the start
less its price at the end, so a food eaten or lost costs its price and a food earned is worth it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from solver.goods import goods_in
from solver.solution import DEEP, ENDLESS, EQUAL, STOPPED, TIE, ActionValue, FoodPrice, Objective, Solution
from story.playfield.table import FieldTable
from story.prompts import Decide, Roll
from story.state import State

DEEPEST = 50_000
"""Python calls within each other that the search may come to."""


class Stopped(Exception):
    """The time is up or the caller wants an end."""


class Endless(Exception):
    """A state follows from itself."""


class Worth(NamedTuple):
    """What the best play from a state comes to, in expectation; numbers are floats or Fractions.

    ``lower`` and ``upper`` bound ``value``; where nothing was cut off all three are equal.
    """

    value: Any
    p_defeat: Any
    suffered: Any
    """Wounds taken on the way: a tie-breaker."""
    lower: Any
    upper: Any


@dataclass(frozen=True, slots=True)
class Aim:
    """What is minimised."""

    objective: Objective = "wounds"
    food: FoodPrice = "priced"
    death: float | None = None
    """What a lost game counts; ``None``: the wound limit."""


def solve(
    table: FieldTable,
    state: State,
    *,
    objective: Objective = "wounds",
    food: FoodPrice = "priced",
    death: float | None = None,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int], None] | None = None,
    exact_fractions: bool = False,
) -> Solution:
    """The best play from an encounter's state, exact; with ``seconds`` true bounds if the time does not suffice.

    ``stop`` is polled and ends the search early; ``progress`` is told the number of states seen. With
    ``exact_fractions`` the arithmetic is exact and only the result is rounded.
    """
    began = time.perf_counter()
    deadline = began + seconds if seconds is not None else None
    aim = Aim(objective, food, death)
    search = Search(table, state, aim, exact_fractions, deadline, stop, progress)
    left = (state.field.board.rounds - state.field.round) if state.field else 0
    horizons = [*range(left), None] if deadline or stop else [None]
    done: tuple[Worth, list[tuple[str, Worth]]] | None = None
    exact = False
    why = ""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        for horizon in horizons:
            search.look(horizon)
            done = (search.worth(state), search.actions(state))
            exact = horizon is None
        spread = search.spread(state) if exact else {}
    except Stopped:
        spread, exact = {}, False
        why = f"{seconds:g} s" if deadline and time.perf_counter() >= deadline else STOPPED
    except (Endless, RecursionError) as error:
        spread, exact = {}, False
        why = ENDLESS if isinstance(error, Endless) else DEEP
    finally:
        sys.setrecursionlimit(limit)
    took = time.perf_counter() - began
    if done is None:
        unknown = search.unknown(state)
        options = search.options(state) if isinstance(table.prompt(state), Decide) else []
        done = (unknown, [(answer, unknown) for answer in options])
    return _solution(state, aim, done, spread, exact, search.seen, took, why)


def _solution(
    state: State,
    aim: Aim,
    done: tuple[Worth, list[tuple[str, Worth]]],
    spread: dict[tuple[int, float], Any],
    exact: bool,
    seen: int,
    took: float,
    limit: str,
) -> Solution:
    worth, actions = done

    def key(item: tuple[str, Worth]) -> tuple[float, ...]:
        rank = (item[1].upper, item[1].p_defeat) if aim.objective == "wounds" else (item[1].p_defeat, item[1].upper)
        return tuple(round(float(n), 10) for n in rank)

    ranked = sorted(actions, key=lambda item: (*key(item), round(float(item[1].suffered), 10), item[0]))
    if exact:
        best = tuple(
            answer
            for answer, own in ranked
            if abs(own.value - ranked[0][1].value) <= TIE
            and (aim.objective == "wounds" or abs(own.p_defeat - ranked[0][1].p_defeat) <= EQUAL)
        )
    else:
        best = (ranked[0][0],) if ranked and key(ranked[0]) < key(ranked[-1]) else ()
    wounds: dict[int, float] = {}
    for (n, _), chance in spread.items():
        wounds[n] = wounds.get(n, 0.0) + float(chance)
    bounds = [(None, None) if exact else (float(own.lower), float(own.upper)) for _, own in ranked]
    return Solution(
        objective=aim.objective,
        food=aim.food,
        exact=exact,
        value=float(worth.value if exact else worth.upper),
        lower=float(worth.lower),
        upper=float(worth.upper),
        p_defeat=float(worth.p_defeat),
        expected_wounds=sum(n * chance for n, chance in wounds.items())
        if exact
        else min(float(worth.upper), float(state.hero.wound_limit)),
        wounds=dict(sorted(wounds.items())),
        food_price=float(sum(price * float(chance) for (_, price), chance in spread.items())),
        best=best,
        actions=tuple(
            ActionValue(answer, float(own.value), float(own.p_defeat), *bound)
            for (answer, own), bound in zip(ranked, bounds, strict=True)
        ),
        states=seen,
        seconds=took,
        limit=limit,
    )


class Search:
    """The recursion and its memo, for one start state and one aim."""

    def __init__(
        self,
        table: FieldTable,
        start: State,
        aim: Aim,
        fractions: bool,
        deadline: float | None,
        stop: Callable[[], bool] | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.table = table
        self.aim = aim
        self.number: Callable[[Any], Any] = Fraction if fractions else float
        self.deadline = deadline
        self.stop = stop
        self.progress = progress
        self.seen = 0
        self.memo: dict[State, Worth | None] = {}
        """``None``: being worked out."""
        self.first_round = start.field.round if start.field else 1
        self.horizon: int | None = None
        foods = table.library.foods
        self.prices = tuple(food.price if aim.food == "priced" else 0 for food in foods)
        self.satchel = start.hero.satchel
        self.death = self.number(start.hero.wound_limit if aim.death is None else aim.death)
        self.earnable = any(
            amount in {food.id for food in foods} for goods in goods_in(table.library) for amount, _ in goods.amounts
        )

    def look(self, horizon: int | None) -> None:
        """Forget everything and look ``horizon`` rounds beyond the present one; ``None``: to the end."""
        self.horizon = horizon
        self.memo = {}

    def price(self, satchel: tuple[int, ...]) -> int:
        """Price of the foods gone since the start; negative if more was earned."""
        return sum(p * (a - b) for p, a, b in zip(self.prices, self.satchel, satchel, strict=True))

    def options(self, state: State) -> list[str]:
        """The answers looked at; foods are never eaten under ``none``."""
        prompt = self.table.prompt(state)
        assert isinstance(prompt, Decide)
        frugal = self.aim.food == "none"
        return [option.answer for option in prompt.options if not (frugal and option.answer.startswith("eat "))]

    def unknown(self, state: State) -> Worth:
        """Bounds that hold for any play: all healed and the satchel full, or lost and the satchel taken."""
        foods = self.table.library.foods
        full = tuple(food.holds for food in foods) if self.earnable else state.hero.satchel
        lower = min(self.number(0), self.death) + self.number(self.price(full))
        upper = max(self.death, self.number(state.hero.wound_limit)) + self.number(self.price((0,) * len(foods)))
        return Worth(upper, self.number(1), self.number(0), lower, upper)

    def actions(self, state: State) -> list[tuple[str, Worth]]:
        """Every open action with its worth; none where a roll comes first."""
        if not isinstance(self.table.prompt(state), Decide):
            return []
        return [(answer, self.worth(self.table.answer(state, answer))) for answer in self.options(state)]

    def worth(self, state: State) -> Worth:
        """The memo, or the recursion; raises Endless if the state follows from itself."""
        if state not in self.memo:
            self.memo[state] = None
            self.memo[state] = self._worth(state)
        found = self.memo[state]
        if found is None:
            raise Endless
        return found

    def _worth(self, state: State) -> Worth:
        if state.over is not None or state.field is None:
            lost = state.hero.lost
            wounds = self.death if lost else self.number(state.hero.wounds)
            value = wounds + self.number(self.price(state.hero.satchel))
            return Worth(value, self.number(int(lost)), self.number(0), value, value)
        if self.horizon is not None and state.field.round - self.first_round > self.horizon:
            return self.unknown(state)
        self.seen += 1
        if self.seen % 256 == 0:
            self._poll()
        prompt = self.table.prompt(state)
        match prompt:
            case Roll():
                faces, chances = zip(*prompt.chances(), strict=True)
                parts = list(zip(map(self.number, chances), self._after(state, faces), strict=True))
                zero = self.number(0)
                mean = [sum((p * worth[i] for p, worth in parts), zero) for i in range(5)]
                return Worth(*mean)
            case Decide():
                after = self._after(state, self.options(state))
                best = after[0]
                for worth in after[1:]:
                    if self.better(worth, best):
                        best = worth
                if self.horizon is None:
                    return best
                # What is safest may be any of them as long as the end is not looked at.
                most = min if self.aim.objective == "wounds" else max
                return best._replace(
                    lower=min(worth.lower for worth in after), upper=most(worth.upper for worth in after)
                )
        raise AssertionError("an encounter in progress asks something")

    def _after(self, state: State, answers: Sequence[str]) -> list[Worth]:
        """What each answer comes to. All are given before any is followed, so that the question is put only once."""
        worths = []
        for after in [self.table.answer(state, answer) for answer in answers]:
            worth = self.worth(after)
            taken = after.hero.wounds - state.hero.wounds
            worths.append(worth._replace(suffered=worth.suffered + taken) if taken > 0 else worth)
        return worths

    def better(self, one: Worth, other: Worth) -> bool:
        """Whether the first is preferred: by the objective, then safer, then fewer wounds on the way (``cli.md``)."""
        value, defeat = one.value - other.value, one.p_defeat - other.p_defeat
        order = (value, defeat) if self.aim.objective == "wounds" else (defeat, value)
        for difference in (*order, one.suffered - other.suffered):
            if abs(difference) > EQUAL:
                return bool(difference < 0)
        return False

    def _poll(self) -> None:
        if self.progress:
            self.progress(self.seen)
        if (self.deadline and time.perf_counter() > self.deadline) or (self.stop and self.stop()):
            raise Stopped

    def spread(self, state: State) -> dict[tuple[int, float], Any]:
        """Probability of each (wounds on the dice, price of foods) at the end, under the best play."""
        memo: dict[State, dict[tuple[int, float], Any]] = {}

        def walk(here: State) -> dict[tuple[int, float], Any]:
            if here in memo:
                return memo[here]
            if here.over is not None or here.field is None:
                return {(here.hero.wounds, self.price(here.hero.satchel)): self.number(1)}
            prompt = self.table.prompt(here)
            total: dict[tuple[int, float], Any] = {}
            if isinstance(prompt, Roll):
                for answer, chance in prompt.chances():
                    for key, p in walk(self.table.answer(here, answer)).items():
                        total[key] = total.get(key, self.number(0)) + self.number(chance) * p
            else:
                total = walk(self.table.answer(here, self.choice(here)))
            memo[here] = total
            return total

        return walk(state)

    def choice(self, state: State) -> str:
        """The answer that the best play gives, ties broken as ``cli.md`` says."""
        answers = sorted(self.options(state))
        (best, worth), *others = zip(answers, self._after(state, answers), strict=True)
        for answer, other in others:
            if self.better(other, worth):
                best, worth = answer, other
        return best
