"""From a table's state to the best play: turns are looked up in compiled encounters, whatever is in between is asked.

A state in her turn is a position of a ``Game``. Any other state (a window, a dodge, enemies still to act, pieces still
to be placed) is played on over the table's own questions until her turn or the end comes, then looked up.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from solver.encounter.board import mask
from solver.encounter.bounds import Bounds
from solver.encounter.cast import cast, most_earned
from solver.encounter.deeds import Deed
from solver.encounter.depth import deeply
from solver.encounter.enemy_turn import enemies_act
from solver.encounter.errors import Full, NotCovered, Paused, Stopped
from solver.encounter.game import MOST_AP, Game, Horizon
from solver.encounter.her_turn import Turn
from solver.encounter.lanes import DODGE, Lanes, Value
from solver.encounter.nodes import End, Place, RoundStart
from solver.goods import goods_in, steps_in
from solver.solution import EQUAL, STOPPED, TIE, ActionValue, FoodPrice, Objective, Solution
from story.cards import Gain, Lose
from story.garbage import uncollected
from story.hero import Hero
from story.playfield.actions import HerTurn
from story.playfield.enemy_turn import enemy_turn
from story.playfield.field import Board
from story.playfield.rounds import upkeep
from story.playfield.table import FieldTable
from story.prompts import Decide, Prompt, Roll
from story.state import Play, State

FIRST_SLICE = 0.5
"""Seconds of search before as many are spent on bounds; each further slice is twice as long."""

LAST_SLICE = 20.0
"""Seconds for bounds where the memory did not suffice."""

TICKS = 8
"""How many ticks go by before the clock is looked at."""

MOST_MEMORY = 2 << 30
"""Bytes that the search may come to, about; then it forgets what other questions needed, or stops with bounds."""

BLOCK = 96
"""Bytes of a block of CPython's memory, on average at most."""

WEIGHED = 8192
"""How many ticks go by before the memory is looked at."""

Spread = tuple[float, ...]
"""Probability of 0, 1, … wounds on the dice at the end."""
Found = tuple[str, Value, float]
"""An action, its value, and the probability of losing."""


class TwinsDiffer(Exception):
    """Two starts of a round are worth the same and differ in the probability of losing."""


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
        horizon: Horizon | None = None,
    ) -> None:
        self.table = table
        self.horizon = horizon
        self.objective = objective
        self.food = food
        self.death = float(state.hero.wound_limit if death is None else death)
        self._deadline: float | None = None
        self._stop: Callable[[], bool] | None = None
        self._progress: Callable[[int], None] | None = None
        self._ticks = 0
        self._pause: float | None = None
        self._forgotten = 0
        self._whole = self
        """The solver that this one looks for bounds for."""
        self.bounds: dict[State, Bounds] = {}
        """What is known of states that could not be solved in the time given."""
        self._prepare(state)

    def _prepare(self, state: State, *, sharing: bool = True) -> None:
        """Compile for what can take part from a state on; ``sharing``: rounds that begin with equal values are one."""
        gc.unfreeze()  # what was worked out for another encounter may go
        self.sharing = sharing
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
            tick=self.tick,
        )
        self.games: dict[Board, Game] = {}
        self.known: dict[State, Value] = {}
        self.losses: dict[Place, float] = {}
        self.asked_losses: dict[State, float] = {}
        self.spreads: dict[Place, Spread] = {}
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

    def tick(self, every: int = TICKS) -> None:
        """Stop if the time or the memory is over or the caller wants to; looked at once in so many ticks."""
        self._ticks += 1
        if self._ticks % every:
            return
        if self._ticks % WEIGHED == 0 and self._whole.heavy:
            raise Full("memory")
        if self._progress is not None and self._ticks % 64 == 0:
            self._progress(self.looked)
        if self._stop is not None and self._stop():
            raise Stopped(STOPPED)
        now = time.perf_counter()
        if self._deadline is not None and now > self._deadline:
            raise Stopped("time")
        if self._pause is not None and now > self._pause:
            raise Paused

    @property
    def states(self) -> int:
        """How many things have been looked at: nodes and states of the table."""
        return len(self.known) + sum(len(game.nodes.made) + len(game.turns) for game in self.games.values())

    @property
    def heavy(self) -> bool:
        """Whether the memory is used up; rows are no blocks of CPython's own."""
        kept = self.lanes.kept + sum(bounds.kept for bounds in self.bounds.values())
        return sys.getallocatedblocks() * BLOCK + kept > MOST_MEMORY

    @property
    def looked(self) -> int:
        """As ``states``, with those that were looked at for bounds or were forgotten for room."""
        return self._forgotten + self.states + sum(bounds.states for bounds in self.bounds.values())

    def turn(self, state: State) -> tuple[Turn, int, int]:
        """(node, purse, lane of a roaming node) of a state in her turn."""
        field, hero = state.field, state.hero
        assert field is not None
        game = self.games.get(field.board)
        if game is None or (field.dodges and not game.dodging):
            game = Game(
                field.board,
                hero,
                self.library,
                self.lanes,
                self.tick,
                dodging=field.dodges > 0,
                sharing=self.sharing,
                horizon=self.horizon,
            )
            self.games[field.board] = game
        if hero.ap > MOST_AP:
            raise NotCovered(f"{hero.ap} AP at once")
        purse = self.lanes.purse(hero.ap, field.dodges, hero.satchel)
        rnd, space, enemies, number = game.position(hero, field)
        lane = space * self.lanes.size + self.lanes.lane(hero.wounds, hero.satchel)
        return game.her_turn(rnd, enemies, number), purse, lane

    def _place(self, state: State) -> Place | None:
        """Where the compiled encounter holds a state, if it does."""
        if _in_her_turn(state):
            return self.turn(state)
        if not isinstance(state.agenda[-1], Waiting):
            return None
        turn, purse, lane = self.turn(state)
        field = state.field
        assert field is not None
        space, lane = divmod(lane, self.lanes.size)
        waiting = mask(foe.space for foe in field.foes if foe.name in state.agenda[-1].enemies)
        return enemies_act(turn.game, turn.position(space), waiting), purse, lane

    def value(self, state: State) -> Value:
        """The value of any state of the encounter."""
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = self._value(state)
        return found

    def _value(self, state: State) -> Value:
        if state.over is not None or state.field is None:
            return self._final(state.hero)
        place = self._place(state)
        if place is not None:
            return self._place_value(place)
        self.tick()
        prompt = self.table.prompt(state)
        if isinstance(prompt, Roll):
            return sum(float(p) * self.value(self.table.answer(state, answer)) for answer, p in prompt.chances())
        values = [self.value(self.table.answer(state, answer)) for answer in self.options(state)]
        best = values[0]
        for value in values[1:]:
            best = value if self.lanes.better(value, best) else best
        return best

    def _final(self, hero: Hero) -> Value:
        lanes = self.lanes
        purse = lanes.purse(0, 0, hero.satchel)
        pack = lanes.pack_of[tuple(hero.satchel[i] for i in lanes.held)]
        row, lane = (lanes.dead(purse), pack) if hero.lost else (lanes.final(purse), pack * lanes.limit + hero.wounds)
        value: Value = row[lane].item()
        return value

    def options(self, state: State) -> list[str]:
        """The answers of a decision; no food under ``none``."""
        prompt = self.table.prompt(state)
        assert isinstance(prompt, Decide)
        return [o.answer for o in prompt.options if self.food != "none" or not o.answer.startswith("eat ")]

    # ------------------------------------------------------------ every action

    def actions(self, state: State) -> Iterator[Found]:
        """Every open action as it is worked out; none where a roll comes first."""
        if state.over is not None or state.field is None or not isinstance(self.table.prompt(state), Decide):
            return
        if _in_her_turn(state):
            for answer, place in self._turn_actions(state):
                yield answer, self._place_value(place), self._place_losing(place)
            return
        for answer in self.options(state):
            after = self.table.answer(state, answer)
            yield answer, self.value(after), self.losing(after)

    def values(self, state: State, answers: list[str]) -> Iterator[tuple[str, Value]]:
        """Some open actions with their values alone."""
        places = dict(self._turn_actions(state)) if _in_her_turn(state) else {}
        for answer in answers:
            if answer in places:
                yield answer, self._place_value(places[answer])
            else:
                yield answer, self.value(self.table.answer(state, answer))

    def _place_value(self, place: Place) -> Value:
        node, purse, lane = place
        assert node is not None
        return node.at(purse, lane)

    def limited(self, state: State, horizon: Horizon, food: FoodPrice) -> EncounterSolver:
        """A solver that plays some rounds in full and takes what comes after them for better or for worse."""
        return EncounterSolver(
            self.table, state, objective=self.objective, death=self.death, food=food, horizon=horizon
        )

    def hurry(self, other: EncounterSolver, until: float) -> None:
        """Stop when another solver would, and pause at a time."""
        self._deadline, self._stop, self._pause, self._whole = other._deadline, other._stop, until, other
        tell = other._progress
        self._progress = None if tell is None else lambda _: tell(other.looked)

    def _turn_actions(self, state: State) -> Iterator[tuple[str, Place]]:
        turn, purse, roaming = self.turn(state)
        lanes, field, game = self.lanes, state.field, turn.game
        assert field is not None
        space, lane = divmod(roaming, lanes.size)
        names = {foe.space: foe.name for foe in field.foes}
        yield "end", (game.ending(turn.position(space)), purse, lane)
        ap = state.hero.ap
        # A position may have lost marks that no longer matter, and with them what the rules do not offer (ACT-4).
        offered = set(self.options(state))
        for deed in (*turn.steps(), *turn.first_deeds(ap)):
            if deed.cost <= ap and deed.open >> space & 1 and (answer := _answer(deed, names)) in offered:
                yield answer, (deed.node, purse - deed.cost, roaming)
        for card in game.action_cards(turn.side, "skill", "dodge"):
            if card.cost <= ap:
                yield card.word, (turn, purse - card.cost + DODGE, roaming)
        if ap and lane % lanes.limit:
            yield "heal", (turn, purse - 1, lanes.after_healing(roaming, 1))
        for i in (*lanes.held, *lanes.shift):
            food = lanes.foods[i]
            if state.hero.satchel[i] and (state.hero.wounds or not food.heals):
                hero = state.hero.ate(i, self.library)
                left = lanes.purse(hero.ap, field.dodges, hero.satchel)
                yield f"eat {food.id}", (turn, left, space * lanes.size + lanes.lane(hero.wounds, hero.satchel))

    # ------------------------------------------------------------ losing, and what the dice will show at the end

    def losing(self, state: State) -> float:
        """The smallest probability of losing under the best play."""
        found = self.asked_losses.get(state)
        if found is None:
            found = self.asked_losses[state] = self._losing(state)
        return found

    def _losing(self, state: State) -> float:
        if self.lanes.survive:
            return self.value(state).real
        if state.over is not None or state.field is None:
            return float(state.hero.lost)
        place = self._place(state)
        if place is not None:
            return self._place_losing(place)
        prompt = self.table.prompt(state)
        if isinstance(prompt, Roll):
            return sum(float(p) * self.losing(self.table.answer(state, answer)) for answer, p in prompt.chances())
        return min(self.losing(after) for after in self._best_after(state))

    def _best_after(self, state: State) -> list[State]:
        """The states after the best answers to a decision."""
        value = self.value(state)
        after = [self.table.answer(state, answer) for answer in self.options(state)]
        return [other for other in after if not self.lanes.better(value, self.value(other))]

    def _place_losing(self, place: Place) -> float:
        node, purse, lane = place = _arrived(place)
        if node is None:
            return 1.0
        if self.lanes.survive:
            return node.at(purse, lane).real
        if isinstance(node, End) or node.safe(lane):
            return 0.0
        found = self.losses.get(place)
        if found is None:
            self.tick()
            found = 0.0
            for p, places in node.follow(purse, lane):
                least = 1.0
                for other in places:
                    least = min(least, self._place_losing(other))
                    if not least:
                        break
                found += p * least
            if isinstance(node, RoundStart):
                self._check_twins(node, purse, lane, found)
            self.losses[place] = found
        return found

    def _check_twins(self, node: RoundStart, purse: int, lane: int, losing: float) -> None:
        """Starts of the same value stand for each other; see that they agree on losing too."""
        for twin in node.twins:
            if abs(self._place_losing((twin.then, *twin.begun(purse, lane))) - losing) > EQUAL:
                raise TwinsDiffer

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
        place = self._place(state)
        if place is not None:
            return self._place_spread(place)
        prompt = self.table.prompt(state)
        if isinstance(prompt, Roll):
            return _mix([(float(p), self.spread(self.table.answer(state, answer))) for answer, p in prompt.chances()])
        return self.spread(min(self._best_after(state), key=self.losing))

    def _place_spread(self, place: Place) -> Spread:
        node, purse, lane = place = _arrived(place)
        limit = self.lanes.limit
        if node is None:
            return _surely(limit, limit)
        if isinstance(node, End):
            return _surely(limit, lane % limit)
        found = self.spreads.get(place)
        if found is None:
            found = self.spreads[place] = _mix(
                [(p, self._place_spread(self._safest(places))) for p, places in node.follow(purse, lane)]
            )
        return found

    def _safest(self, places: Iterable[Place]) -> Place:
        """The first of some places with the smallest probability of losing."""
        best, least = None, 2.0
        for place in places:
            losing = self._place_losing(place)
            if losing < least - EQUAL:
                best, least = place, losing
            if not least:
                break
        assert best is not None
        return best

    # ------------------------------------------------------------ the answer

    def solution(
        self,
        state: State,
        *,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
        interim: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The best play from a state; with ``seconds`` or ``stop`` true bounds where the search was cut off.

        ``progress`` is told how many things have been looked at, ``interim`` what is known whenever that has become
        more.
        """
        return deeply(self._solution, state, seconds, stop, progress, interim)

    def _solution(
        self,
        state: State,
        seconds: float | None,
        stop: Callable[[], bool] | None,
        progress: Callable[[int], None] | None,
        interim: Callable[[Solution], None] | None,
    ) -> Solution:
        began = time.perf_counter()
        self._deadline = began + seconds if seconds is not None else None
        self._stop, self._progress = stop, progress
        found: list[Found] = []
        try:
            # Nothing made here becomes garbage before the answer: looking for it costs a fifth of the time.
            with uncollected(frozen=True):
                state = _compact(state)
                if not self._prepared(state):
                    self._prepare(state)
                endless = seconds is None and stop is None and interim is None
                slice_ = min(FIRST_SLICE, seconds / 4) if seconds is not None else FIRST_SLICE
                fresh, paused, pausing = not self.games, False, not endless
                if interim is not None and state in self.bounds:
                    interim(self.bounds[state].solution(0.0, "so far"))
                while True:
                    try:
                        if paused:
                            paused = False
                            bounds = self._bounds(state)
                            closer = bounds.narrow(slice_)
                            pausing = not bounds.narrowest
                            slice_ *= 2
                            bounds.learn(found)
                            if interim is not None and closer:
                                interim(bounds.solution(time.perf_counter() - began, "so far"))
                        self._pause = time.perf_counter() + slice_ if pausing else None
                        found.clear()
                        for action in self.actions(state):
                            found.append(action)
                        value, p_defeat, spread = self.value(state), self.losing(state), self.spread(state)
                        break
                    except TwinsDiffer:
                        self._prepare(state, sharing=False)
                    except Paused:
                        paused = True
                    except Full:
                        self._bounds(state).learn(found)
                        found.clear()
                        self._make_room(state)
                        if fresh and not self.games:
                            if endless:
                                self._narrow_on(self._bounds(state), time.perf_counter() + LAST_SLICE)
                            raise
                        fresh = fresh or not self.games
                        pausing = False  # the room there is serves the search itself
        except Stopped as stopped:
            why = f"{seconds:g} s" if stopped.args[0] == "time" else stopped.args[0]
            bounds = self._bounds(state)
            bounds.learn(found)
            return bounds.solution(time.perf_counter() - began, why)
        finally:
            self._deadline = self._stop = self._progress = self._pause = None
        states = self.looked
        self.bounds.pop(state, None)
        offset = self.offset(state)
        worth = self._worth(value) - offset
        survive = self.objective == "survive"
        ranked = self.ranked(found, offset)
        best = tuple(
            answer
            for answer, own, p in ranked
            if abs(own - ranked[0][1]) <= TIE and (not survive or abs(p - ranked[0][2]) <= EQUAL)
        )
        wounds = {n: min(p, 1.0) for n, p in enumerate(spread) if p}
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
            states=states,
            seconds=time.perf_counter() - began,
        )

    def _bounds(self, state: State) -> Bounds:
        """What is known of a state; only the bounds of the last one asked for are still worked on."""
        bounds = self.bounds.get(state)
        if bounds is None:
            for other in self.bounds.values():
                other.rest()
            bounds = self.bounds[state] = Bounds(self, state)
        return bounds

    def _narrow_on(self, bounds: Bounds, until: float) -> None:
        """Look for bounds, and nothing else, up to a time."""
        while not bounds.narrowest and (left := until - time.perf_counter()) > 0:
            bounds.narrow(left / 4)

    def _make_room(self, state: State) -> None:
        """Let go of what the search for bounds has left, and if that is not enough of everything."""
        for bounds in self.bounds.values():
            bounds.rest()
        gc.unfreeze()
        gc.collect()
        if self.heavy:
            self._forgotten += self.states
            self._prepare(state, sharing=self.sharing)
            gc.collect()

    @property
    def loses_food(self) -> bool:
        """Whether anything may take food from her."""
        return any(food.id in self._taken for food in self.table.library.foods)

    def offset(self, state: State) -> int:
        """What was eaten between the state this solver was made for and this one: no part of the answer."""
        satchel = tuple(min(n, most) for n, most in zip(state.hero.satchel, self.lanes.most, strict=True))
        held = sum(n * price for n, price in zip(satchel, self.lanes.prices, strict=True))
        return self.lanes.start_price - held

    def _worth(self, value: Value) -> float:
        return value.imag if self.lanes.survive else value.real

    def ranked(self, found: list[Found], offset: int) -> list[tuple[str, float, float]]:
        """(action, value, probability of losing), best first, ties by name."""
        ranked = [(answer, self._worth(value) - offset, p) for answer, value, p in found]
        ranked.sort(key=lambda row: _rank(row, self.objective == "survive"))
        return ranked


@dataclass(frozen=True)
class Waiting:
    """Stands on the agenda for the turns of enemies that are still to act, and all that comes after them."""

    enemies: tuple[str, ...]

    def prompt(self, play: Play) -> Prompt:
        """Nothing is asked: the state is looked up."""
        raise NotImplementedError

    def answer(self, play: Play, answer: str) -> None:
        """Nothing is answered."""
        raise NotImplementedError


def _compact(state: State) -> State:
    """The state with ``Waiting`` where enemies are still to act, so that what follows is looked up."""
    agenda = state.agenda
    if not agenda or agenda[0] != (upkeep, ()):
        return state
    acting = [task[1][0] for task in agenda if isinstance(task, tuple) and task[0] is enemy_turn]
    return state._replace(agenda=(Waiting(tuple(acting)), *agenda[1 + len(acting) :]))


def _in_her_turn(state: State) -> bool:
    return state.over is None and bool(state.agenda) and isinstance(state.agenda[-1], HerTurn)


def _rank(row: tuple[str, float, float], survive: bool) -> tuple[float, float, str]:
    answer, value, p_defeat = row
    first, second = (p_defeat, value) if survive else (value, p_defeat)
    return round(first, 10), round(second, 10), answer


def _answer(act: Deed, names: dict[int, str]) -> str:
    """The name of an action (cli.md)."""
    if act.word == "step":
        return f"step {act.targets[0]}"
    if act.ground:
        return f"{act.word} {act.ground}"
    if act.to:
        return f"{act.word} {names[act.targets[0]]} {act.to}"
    return " ".join([act.word, *(names[space] for space in act.targets), *act.extras])


def _arrived(place: Place) -> Place:
    """The place behind those that are nothing but a way to it."""
    while place[0] is not None and (onward := place[0].lead(place[1], place[2])) is not None:
        place = onward
    return place


def _surely(limit: int, wounds: int) -> Spread:
    return tuple(float(n == wounds) for n in range(limit + 1))


def _mix(parts: list[tuple[float, Spread]]) -> Spread:
    return tuple(sum(p * spread[n] for p, spread in parts) for n in range(len(parts[0][1])))
