"""The compiled solver for playfields: the oracle's cases, the rulebook's example, windows, limits, refusals."""

import gc
import json
import sys
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from solver import encounter, exact
from solver.encounter import EncounterSolver, NotCovered, depth, game, solving
from solver.encounter.bounds import Bounds
from solver.encounter.kinds import TRAITS
from solver.solution import TIE
from story.cards import (
    STANDARD_ACTIONS,
    STANDARD_FOODS,
    ActionCard,
    Attack,
    Encounter,
    EncounterFile,
    EnemyCard,
    FoeMarks,
    Food,
    Goods,
    HeroCard,
    Instance,
    Library,
    Lose,
    Placement,
    Position,
    Trait,
    When,
)
from story.load import load_encounter
from story.playfield import traits
from story.playfield.table import EncounterTable
from story.prompts import Decide, Over, Roll, answers
from tests.solver import generate

CASES = Path(__file__).parents[1] / "cases" / "playfield"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))


def example(rounds):
    """The rulebook's example (section 16) with so many rounds."""
    penalty = Instance(When("retreats"), (Lose(Goods((("ap", 2),))),), later=True)
    early = Instance(When("defeated", (1,)), instead=Goods((("ap", 2),)))
    leaves = {"rewards": Goods((("ap", 1),)), "instances": (penalty,)}
    cards = (
        EnemyCard("nalu", "Nalu", 5, Attack("surrounding", 2), 1, 18, 4, rewards=Goods((("ap", 2),))),
        EnemyCard("bahooka", "Bahooka", 2, Attack("long", 1), 1, 19, 4, (), frozenset(), Goods((("ap", 3),)), (early,)),
        EnemyCard("woopu", "Woopu", 2, Attack("long", 1), 1, 15, 2, (Trait("cowardly"),), **leaves),
    )
    return file(
        cards,
        rounds=rounds,
        enemies=(("nalu", 8), ("bahooka", 11), ("woopu", 15)),
        hero=HeroCard(actions=("stun", "lob", "dodge")),
    )


def file(cards, *, enemies, rounds=1, hero=None, space=3, foods=STANDARD_FOODS, actions=STANDARD_ACTIONS):
    """An encounter file of some enemy cards."""
    return EncounterFile(
        "test",
        Encounter(rounds, (space,), tuple(Placement(card, space=at) for card, at in enemies)),
        hero or HeroCard(),
        Library(foods=foods, enemies={card.id: card for card in cards}, actions=actions),
    )


@pytest.mark.parametrize("name", EXPECTED)
def test_the_oracle_agrees_with_every_action(name):
    played = load_encounter(CASES / f"{name}.yaml")
    for mode, wanted in EXPECTED[name].items():
        objective, food, *death = mode.split("/")
        found = encounter.solve(
            played, objective=objective, food=food, death=float(death[0].split("=")[1]) if death else None
        )
        assert found.exact
        assert found.value == pytest.approx(wanted["value"], abs=TIE)
        assert found.p_defeat == pytest.approx(wanted["p_defeat"], abs=TIE)
        assert set(found.best) == set(wanted["best"])
        values = {action.answer: (action.value, action.p_defeat) for action in found.actions}
        assert values.keys() == {action["answer"] for action in wanted["actions"]}
        for action in wanted["actions"]:
            assert values[action["answer"]] == pytest.approx((action["value"], action["p_defeat"]), abs=TIE)
        assert sum(found.wounds.values()) == pytest.approx(1)
        assert found.wounds.get(played.hero.wound_limit, 0) == pytest.approx(found.p_defeat)


@pytest.mark.parametrize(("rounds", "value"), [(1, 0.8125), (2, 0.349867875), (3, 0.0)])
def test_the_rulebooks_example_has_its_known_value(rounds, value):
    assert encounter.solve(example(rounds)).value == pytest.approx(value, abs=TIE)


def test_the_rulebooks_example_knows_every_first_action():
    values = {action.answer: action.value for action in encounter.solve(example(3)).actions}
    assert values["end"] == pytest.approx(0.171141240625, abs=TIE)
    assert values["dart nalu +stun"] == pytest.approx(0.00238125, abs=TIE)


def test_every_trait_of_the_rules_is_compiled():
    assert TRAITS.keys() == traits.TRAITS.keys()


def test_a_window_is_answered_from_the_same_tables():
    played = example(1)
    table = EncounterTable(played)
    solver = EncounterSolver(table, table.start())
    first = solver.solution(table.start())
    state = table.start()
    for answer in ("dart bahooka", "d20 18"):
        state = table.answer(state, answer)
    window = solver.solution(state)
    assert [action.answer for action in window.actions] == ["add 2", "keep"]
    faces = []
    for face in range(1, 21):
        after = table.answer(table.answer(table.start(), "dart bahooka"), f"d20 {face}")
        faces.append(solver.solution(after).value)
    told = {action.answer: action.value for action in first.actions}
    assert sum(faces) / 20 == pytest.approx(told["dart bahooka"], abs=TIE)


def test_a_later_question_takes_no_tenth_of_a_second():
    table = EncounterTable(example(2))
    state = table.start()
    solver = EncounterSolver(table, state)
    solver.solution(state)
    state = table.answer(state, "step 2")
    began = time.perf_counter()
    solver.solution(state)
    assert time.perf_counter() - began < 0.1


def test_what_was_eaten_before_the_question_is_not_charged():
    hero = HeroCard(wounds=2, ap=0, satchel=(2, 0, 0))
    played = file((EnemyCard("post", "Post", 9),), enemies=(("post", 13),), hero=hero)
    table = EncounterTable(played)
    solver = EncounterSolver(table, table.start())
    state = table.answer(table.start(), "eat breadfruit")
    assert solver.solution(state).value == pytest.approx(1.0)
    assert solver.solution(state).value == pytest.approx(exact.solve(table, state).value)


def test_the_best_play_as_followed_gives_the_value():
    """The distribution is worked out by following the best play, so its mean proves the value a second time."""
    for rounds in (1, 2, 3):
        found = encounter.solve(example(rounds))
        mean = sum(wounds * chance for wounds, chance in found.wounds.items())
        assert mean == pytest.approx(found.value, abs=TIE)
        assert found.food_price == pytest.approx(0, abs=TIE)


def test_death_at_a_price_shows_in_the_value_alone():
    hero = HeroCard(ap=0, wounds=8)
    imp = EnemyCard("imp", "Imp", 1, Attack("full", 1))
    played = file((imp,), enemies=(("imp", 13),), hero=hero)
    found = encounter.solve(played, death=30)
    assert found.value == pytest.approx(0.25 * 8 + 0.75 * 30)
    assert found.expected_wounds == pytest.approx(0.25 * 8 + 0.75 * 9)
    assert found.wounds == pytest.approx({8: 0.25, 9: 0.75})


def test_a_stop_gives_true_bounds_at_once():
    began = time.perf_counter()
    found = encounter.solve(example(3), stop=lambda: True)
    assert time.perf_counter() - began < 0.5
    assert not found.exact
    assert found.limit == "stopped"
    assert found.lower <= 0.0 <= found.upper


def test_a_limit_of_time_is_named():
    found = encounter.solve(example(3), seconds=0.01)
    assert (found.exact, found.limit) == (False, "0.01 s")


def test_progress_is_told():
    seen = []
    encounter.solve(example(2), progress=seen.append)
    assert seen == sorted(seen)
    assert seen


def refusals():
    imp = EnemyCard("imp", "Imp", 1, Attack("full", 1))
    at = (("imp", 13),)
    pie = Food("pie", "Pie", 3, heals=1, ap=1)
    poke = ActionCard("poke", "Poke", "attack", 0, damage=1, word="poke")
    rich = HeroCard(ap=500)
    yield "pie", file((imp,), enemies=at, foods=(pie,), hero=HeroCard(satchel=(1,)))
    yield "poke", file((imp,), enemies=at, actions={**STANDARD_ACTIONS, "poke": poke})
    yield "500 AP", file((imp,), enemies=at, hero=rich)


@pytest.mark.parametrize(("word", "played"), tuple(refusals()))
def test_what_is_not_covered_is_refused_by_name(word, played):
    with pytest.raises(NotCovered, match=word):
        encounter.solve(played)


def test_poison_that_no_longer_matters_is_not_offered_twice():
    """In the last round nobody asks whether an ant was poisoned before but the rule on what may be shot (ACT-4)."""
    ant = EnemyCard("ant", "Ant", 3, Attack("full", 1))
    played = file((ant,), enemies=(("ant", 13),), hero=HeroCard(ap=5, actions=("poison",)))
    poisoned = replace(played, position=Position(foes=(("ant", FoeMarks(poisoned=True)),)))
    for position, offered in ((played, True), (poisoned, False)):
        answers_found = {action.answer for action in encounter.solve(position).actions}
        assert ("dart ant +poison" in answers_found) is offered
        assert answers_found == set(answers(EncounterTable(position).prompt(EncounterTable(position).start())))


def test_an_unknown_trait_is_refused_by_name():
    ghost = EnemyCard("ghost", "Ghost", 1, traits=(Trait("haunt"),))
    played = file((replace(ghost, traits=()),), enemies=(("ghost", 13),))
    table = EncounterTable(played)
    state = table.start()
    table.library.enemies["ghost"] = ghost
    with pytest.raises(NotCovered, match="haunt"):
        EncounterSolver(table, state).solution(state)


def test_following_the_advice_step_by_step_never_loses_value():
    """At every decision the best action is worth what the position was; at every roll the mean is."""
    played = generate.encounter(11)
    table = EncounterTable(played)
    state = table.start()
    solver = EncounterSolver(table, state)
    for _ in range(200):
        prompt = table.prompt(state)
        if isinstance(prompt, Over):
            break
        here = solver.value(state)
        if isinstance(prompt, Roll):
            after = [(float(p), table.answer(state, answer)) for answer, p in prompt.chances()]
            assert sum(p * solver.value(then) for p, then in after) == pytest.approx(here)
            state = after[-1][1]
        else:
            assert isinstance(prompt, Decide)
            state = min((table.answer(state, answer) for answer in answers(prompt)), key=lambda s: solver.value(s).real)
            assert solver.value(state).real == pytest.approx(here.real)
    else:
        pytest.fail("the encounter does not end")


def limits(action):
    """The bounds of an action; those of one that was worked out are its value."""
    return (action.value, action.value) if action.lower is None else (action.lower, action.upper)


def test_what_was_worked_out_in_time_bounds_the_rest():
    polls = 0

    def never():
        nonlocal polls
        polls += 1
        return False

    full = encounter.solve(example(2), stop=never)
    values = {action.answer: action.value for action in full.actions}
    worked_out = 0
    for share in range(1, 8):
        left = polls * share // 8

        def stop():
            nonlocal left
            left -= 1
            return left < 0

        found = encounter.solve(example(2), stop=stop)
        assert not found.exact
        assert values.keys() == {action.answer for action in found.actions}
        assert found.lower <= full.value <= found.upper
        for action in found.actions:
            lower, upper = limits(action)
            assert lower - TIE <= values[action.answer] <= upper + TIE
        if any(action.lower is None for action in found.actions):
            worked_out += 1
            assert found.best == (found.actions[0].answer,)
            assert found.upper == found.actions[0].value
    assert worked_out


def test_bounds_narrow_while_the_search_runs(monkeypatch):
    """Paused again and again, the search tells true bounds that only come closer, and ends exact all the same."""
    played = example(3)
    full = encounter.solve(played)
    values = {action.answer: action.value for action in full.actions}
    monkeypatch.setattr(solving, "FIRST_SLICE", 1e-3)
    told = []
    table = EncounterTable(played)
    found = EncounterSolver(table, table.start()).solution(table.start(), interim=told.append)
    assert found.exact
    assert found.value == full.value
    assert told
    assert all(not earlier.exact and earlier.best for earlier in told)
    for earlier, later in pairwise([*told, found]):
        assert earlier.lower <= later.lower + TIE
        assert later.upper <= earlier.upper + TIE
    for earlier in told:
        assert {action.answer for action in earlier.actions} == values.keys()
        for action in earlier.actions:
            lower, upper = limits(action)
            assert lower - TIE <= values[action.answer] <= upper + TIE
    assert told[-1].upper < encounter.solve(played, stop=lambda: True).upper


@pytest.mark.parametrize("objective", ["wounds", "survive"])
@pytest.mark.parametrize("seed", range(40))
def test_bounds_hold_in_any_encounter(seed, objective):
    """The bounds of every kind, interrupted and taken up again, only come closer to the values."""
    played = generate.encounter(seed)
    full = encounter.solve(played, objective=objective, death=1.5)
    values = {action.answer: action.value for action in full.actions}
    table = EncounterTable(played)
    bounds = Bounds(EncounterSolver(table, table.start(), objective=objective, death=1.5), table.start())
    told = [bounds.solution(0.0, "")]
    while not bounds.narrowest:
        bounds.narrow(1e-3)
        told.append(bounds.solution(0.0, ""))
    for earlier, later in pairwise([*told, full]):
        assert earlier.lower <= later.lower + TIE
        assert later.upper <= earlier.upper + TIE
        for action in earlier.actions:
            assert action.lower - TIE <= values[action.answer] <= action.upper + TIE


def test_a_position_asked_for_again_keeps_its_bounds(monkeypatch):
    played = example(3)
    table = EncounterTable(played)
    monkeypatch.setattr(solving, "FIRST_SLICE", 1e-3)
    solver = EncounterSolver(table, table.start())
    told = []

    def stop():
        return bool(told)

    first = solver.solution(table.start(), stop=stop, interim=told.append)
    at_once = []
    again = solver.solution(table.start(), stop=lambda: True, interim=at_once.append)
    assert [known.upper for known in at_once] == [first.upper]
    assert not first.exact
    assert not again.exact
    assert (again.lower, again.upper) == (first.lower, first.upper)
    assert again.best
    assert [action.upper for action in again.actions] == [action.upper for action in first.actions]


def test_the_price_of_a_bite_is_no_reason_to_recommend_anything_else():
    pie, stew = Food("pie", "Pie", 3, heals=1), Food("stew", "Stew", 3, heals=3)
    imp = EnemyCard("imp", "Imp", 1, Attack("full", 1))
    hungry = HeroCard(wounds=3, satchel=(1, 1))
    played = file((imp,), enemies=(("imp", 13),), foods=(pie, stew), hero=hungry)
    found = encounter.solve(played, stop=lambda: True)
    assert {"eat pie", "eat stew", "end"} <= {action.answer for action in found.actions}
    assert found.best == ()


def test_a_search_without_room_ends_in_true_bounds(monkeypatch):
    played = example(3)
    full = encounter.solve(played)
    monkeypatch.setattr(solving, "MOST_MEMORY", 0)
    monkeypatch.setattr(solving, "WEIGHED", 1)
    monkeypatch.setattr(solving, "LAST_SLICE", 0.0)
    found = encounter.solve(played)
    assert (found.exact, found.limit) == (False, "memory")
    assert found.lower <= full.value <= found.upper


def test_what_other_questions_needed_is_forgotten_for_room(monkeypatch):
    played = example(2)
    table = EncounterTable(played)
    start = table.start()
    solver = EncounterSolver(table, start)
    full = solver.solution(start)
    looks = iter([False, True, True])
    monkeypatch.setattr(solving, "WEIGHED", 1)
    monkeypatch.setattr(EncounterSolver, "heavy", property(lambda self: next(looks, False)))
    other = solver.solution(table.answer(start, "step 2"))
    again = solver.solution(start)
    assert next(looks, None) is None
    assert other.exact
    assert (again.exact, again.value) == (True, full.value)


def test_an_undo_to_before_a_defeat_is_answered():
    """A solver first asked after a defeat is asked again about the position before it."""
    played = example(1)
    table = EncounterTable(played)
    start = state = table.start()
    for answer in ("dart bahooka", "d20 20", "keep"):
        state = table.answer(state, answer)
    assert state.field.foe("bahooka") is None
    solver = EncounterSolver(table, state)
    assert solver.solution(state).exact
    assert solver.solution(start).value == pytest.approx(0.8125, abs=TIE)


def test_food_that_can_be_earned_again_after_an_undo_is_reckoned_with():
    """Asked first after one of two rewards was earned and eaten, then again before: both rewards count."""
    imp = EnemyCard("imp", "Imp", 1, Attack("full", 1), rewards=Goods((("breadfruit", 1),)))
    hero = HeroCard(ap=6, wounds=2)
    played = file((imp,), enemies=(("imp", 11), ("imp", 13)), hero=hero)
    table = EncounterTable(played)
    start = state = table.start()
    for answer in ("dart imp", "d20 20", "keep", "eat breadfruit"):
        state = table.answer(state, answer)
    solver = EncounterSolver(table, state)
    solver.solution(state)
    assert solver.solution(start).value == pytest.approx(exact.solve(table, start).value, abs=TIE)


def test_announced_losses_do_not_throw_away_what_was_worked_out():
    eel = EnemyCard("eel", "Eel", 3, Attack("full", 1), traits=(Trait("electrocute"),))
    played = file((eel,), enemies=(("eel", 13),), rounds=2, hero=HeroCard(ap=1, ap_reset=2))
    table = EncounterTable(played)
    start = state = table.start()
    solver = EncounterSolver(table, start)
    solver.solution(start)
    games = solver.games
    for answer in ("end", "d20 12"):
        state = table.answer(state, answer)
    solver.solution(state)
    assert solver.games is games


def test_what_the_first_target_gives_counts_for_the_second():
    """The AP for the first may be spent on the other's roll."""
    ant = EnemyCard("ant", "Ant", 1, Attack("full", 2), rewards=Goods((("ap", 2),)))
    bee = EnemyCard("bee", "Bee", 1, Attack("full", 1))
    played = file((ant, bee), enemies=(("ant", 9), ("bee", 13)), hero=HeroCard(ap=5, actions=("split",)))
    table = EncounterTable(played)
    found = {action.answer: action.value for action in encounter.solve(played).actions}
    for action in exact.solve(table, table.start()).actions:
        assert found[action.answer] == pytest.approx(action.value, abs=TIE)


def test_a_refusal_leaves_collector_and_recursion_as_they_were(monkeypatch):
    """A position that turns out not to be covered when it is compiled anew."""
    table = EncounterTable(example(1))
    solver = EncounterSolver(table, table.start())

    def refuse(state, **how):
        raise NotCovered("everything")

    monkeypatch.setattr(solver, "_prepared", lambda state: False)
    monkeypatch.setattr(solver, "_prepare", refuse)
    before = gc.isenabled(), sys.getrecursionlimit()
    with pytest.raises(NotCovered):
        solver.solution(table.start())
    assert (gc.isenabled(), sys.getrecursionlimit()) == before
    assert before[0]


@pytest.mark.parametrize("food", ["none", "priced"])
def test_forgetting_rows_changes_no_answer(food, monkeypatch):
    """Rows of the middle of the enemies' turns may be let go of at any time: they are worked out again."""
    played = example(2)
    satchel = tuple(1 for _ in played.library.foods)
    played = replace(played, hero=replace(played.hero, satchel=satchel))
    whole = encounter.solve(played, food=food)
    forgotten = []
    forget = game.Game.spare_memory

    def counted(self):
        before = self.lanes.kept
        forget(self)
        forgotten.append(before - self.lanes.kept)

    monkeypatch.setattr(game, "ROOM", 1)
    monkeypatch.setattr(game.Game, "spare_memory", counted)
    told = encounter.solve(played, food=food)
    assert sum(forgotten) > 0
    assert [action.answer for action in told.actions] == [action.answer for action in whole.actions]
    for ours, theirs in zip(told.actions, whole.actions, strict=True):
        assert (ours.value, ours.p_defeat) == pytest.approx((theirs.value, theirs.p_defeat), abs=1e-12)


def test_a_question_in_the_middle_of_the_enemies_turns_is_looked_up():
    """What follows the turn of an enemy is held by the compiled encounter: hardly a state of the table is looked at."""
    table = EncounterTable(example(3))
    state = table.start()
    solver = EncounterSolver(table, state)
    solver.solution(state)
    state = table.answer(state, "end")
    while not (isinstance(table.prompt(state), Decide) and len(state.agenda) > 2):
        state = table.answer(state, answers(table.prompt(state))[-1])
    known = len(solver.known)
    assert solver.solution(state).exact
    assert len(solver.known) - known < 20


def test_the_search_has_room_and_leaves_the_recursion_limit_alone():
    limit = sys.getrecursionlimit()

    def sunk(calls):
        return calls if calls == 0 else 1 + sunk(calls - 1)

    assert depth.deeply(sunk, 50_000) == 50_000
    assert sys.getrecursionlimit() == limit
    with pytest.raises(ZeroDivisionError):
        depth.deeply(lambda: 1 / 0)
    assert sys.getrecursionlimit() == limit


def test_a_search_that_ends_leaves_another_threads_search_its_depth():
    limit = sys.getrecursionlimit()
    inside, over = threading.Event(), threading.Event()

    def waits():
        inside.set()
        over.wait(10)

    def sunk(calls):
        return calls if calls == 0 else 1 + sunk(calls - 1)

    other = threading.Thread(target=depth.deeply, args=(waits,))
    other.start()
    assert inside.wait(10)
    raised = sys.getrecursionlimit()
    assert depth.deeply(sunk, 5_000) == 5_000
    assert sys.getrecursionlimit() == raised > limit
    over.set()
    other.join()
    assert sys.getrecursionlimit() == limit
