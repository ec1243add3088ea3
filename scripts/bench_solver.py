"""The exact solver against its bars: whole cold processes of ``cardwalk solve``, and Storm on the same work.

Part of ``bench.py``; the encounters are made from the rulebook's example and from the built-in campaign.
"""

import importlib.util
import json
import statistics
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import _environment
from _measure import Run, whole_run

sys.path.insert(0, str(_environment.ROOT))

from story.cards import (
    Attack,
    Campaign,
    Count,
    Encounter,
    EncounterFile,
    EnemyCard,
    Gain,
    Goods,
    HeroCard,
    Lose,
    Placement,
    Trait,
)
from story.dump import encounter_text
from story.load import load_campaign, load_encounter
from story.prompts import Decide, Over, Roll
from story.state import State

EXAMPLE = _environment.ROOT / "tests" / "decks" / "rulebook-example.yaml"
GAMES = 101
"""Played by the careful player for the state in which an encounter of the campaign is met."""

SLOW = 10.0
"""Seconds above which ``FEWER`` runs are enough for a median."""
FEWER = 3

LIMIT = 60.0
"""Seconds after which a process is ended."""

STORM_LIMIT = 900.0
"""Seconds after which Storm is ended; what it had taken by then is the least that it takes."""

TWO_ROUNDS = "example, 2 rounds"
"""What Storm is asked as well."""


class Bar(NamedTuple):
    """An encounter, and what it may take at most: seconds, and MB if that matters."""

    name: str
    file: EncounterFile
    seconds: float
    memory: float | None = None


WOOPU = Placement("woopu", space=13)
KEA = Placement("kea", space=6)
KEA_CARD = EnemyCard("kea", "Kea", 2, Attack("adjacent", 2), 2, 17, 4, (Trait("fly"),), rewards=Goods((("ap", 2),)))


def example(rounds: int, *more: Placement) -> EncounterFile:
    """The rulebook's example over so many rounds, with some more enemies: a second woopu, a flyer that is not in it."""
    file = load_encounter(EXAMPLE)
    encounter = replace(file.encounter, rounds=rounds, enemies=(*file.encounter.enemies, *more))
    cards = {**file.library.enemies, **({KEA_CARD.id: KEA_CARD} if KEA in more else {})}
    return replace(file, encounter=encounter, library=replace(file.library, enemies=cards))


def well_equipped() -> EncounterFile:
    """The example over three rounds for somebody with food, Poison, Split and Fear besides."""
    file = example(3)
    held = {"breadfruit": 3, "uku": 2, "abehjerne": 1}
    satchel = tuple(held[food.id] for food in file.library.foods)
    actions = tuple(sorted({*file.hero.actions, "poison", "split", "fear"}))
    return replace(file, hero=replace(file.hero, satchel=satchel, actions=actions))


def met_in_campaign() -> Iterator[tuple[str, EncounterFile]]:
    """Each encounter of the built-in campaign at her first decision in it, in the median state of some games.

    The median is the game in the middle when they are put in the order of her wounds, then of her Action Points.
    """
    from solver.playtest import route
    from solver.playtest.game import roll
    from solver.policies import policy

    campaign = load_campaign("starter")
    table = route(campaign).table
    met: dict[str, list[State]] = {}
    for game in range(GAMES):
        dice, mind, careful = Random(f"dice {game}"), Random(f"mind {game}"), policy("careful", campaign.library)
        careful.begin()
        state, seen = table.start(), set()
        while not isinstance(prompt := table.prompt(state), Over):
            if state.field is not None and state.journey is not None and isinstance(prompt, Decide):
                name = f"{campaign.id}, chapter {state.journey.chapter}, card {state.journey.reading[-1]}"
                if name not in seen and prompt.topic == "turn":
                    seen.add(name)
                    met.setdefault(name, []).append(state)
            answer = roll(prompt, dice) if isinstance(prompt, Roll) else careful.choose(table, state, prompt, mind)
            state = table.answer(state, answer)
    for name, states in sorted(met.items()):
        states.sort(key=lambda state: (state.hero.wounds, -state.hero.ap))
        yield name, laid_out(states[len(states) // 2], campaign)


def laid_out(state: State, campaign: Campaign) -> EncounterFile:
    """A file of a state at her first decision in an encounter."""
    field, hero, library = state.field, state.hero, campaign.library
    assert field is not None
    board = field.board
    cards = {foe.card: _alone(library.enemies[foe.card]) for foe in field.foes}
    return EncounterFile(
        board.title,
        Encounter(
            board.rounds,
            (field.hero,),
            tuple(Placement(foe.card, space=foe.space) for foe in field.foes),
            tuple(Placement(ground.card.id, space=ground.space) for ground in board.grounds),
            board.blocked,
            board.no_start,
            board.until_cleared,
        ),
        HeroCard(
            crit=hero.crit,
            miss=hero.miss,
            wounds=hero.wounds,
            wound_limit=hero.wound_limit,
            ap=hero.ap,
            ap_reset=hero.ap_reset,
            talents=hero.talents,
            satchel=hero.satchel,
            actions=tuple(sorted(hero.actions)),
        ),
        replace(library, enemies=cards, terrain={ground.card.id: ground.card for ground in board.grounds}, decks={}),
    )


def _alone(card: EnemyCard) -> EnemyCard:
    """The card without what it does to the story: an encounter file knows no events and items."""
    instances = []
    for instance in card.instances:
        steps = [replace(s, goods=Goods(s.goods.amounts)) if isinstance(s, Gain | Lose) else s for s in instance.steps]
        kept = tuple(s for s in steps if not isinstance(s, Count) and getattr(s, "goods", True))
        if kept or instance.instead is not None:
            instances.append(replace(instance, steps=kept))
    return replace(card, instances=tuple(instances), rewards=Goods(card.rewards.amounts))


def bars() -> Iterator[Bar]:
    """Everything that is measured, and what it may take."""
    yield Bar("example, 1 round", example(1), 0.35, 64)
    yield Bar(TWO_ROUNDS, example(2), 0.4, 64)
    yield Bar("example, 3 rounds", example(3), 0.6, 64)
    yield Bar("4 enemies (another woopu), 3 rounds", example(3, WOOPU), 3, 160)
    yield Bar("4 enemies (a flyer), 3 rounds", example(3, KEA), 3, 160)
    yield Bar("5 enemies (both), 3 rounds", example(3, WOOPU, KEA), 10, 500)
    yield Bar("example, 6 foods, 6 actions, 3 rounds", well_equipped(), 10, 500)
    for name, file in met_in_campaign():
        yield Bar(name, file, 5)


def measure(folder: Path, environment: dict[str, str], runs: int) -> str:
    """Measure and print everything, a line for each bar; how many were met."""
    verdicts: list[bool] = []

    def tell(name: str, told: str, met: bool) -> None:
        verdicts.append(met)
        print(f"  {'met   ' if met else 'MISSED'}  {name:38} {told}", flush=True)

    print("solver   whole cold processes, medians", flush=True)
    storm_asked, ours = folder / "two-rounds.yaml", Run("", 0, 0, 0)
    for bar in bars():
        file = folder / "encounter.yaml"
        file.write_text(encounter_text(bar.file), encoding="utf-8")
        command = [sys.executable, "-m", "runner", "solve", str(file), "--json"]
        taken = [whole_run(command, environment, LIMIT)]
        while len(taken) < (min(runs, FEWER) if taken[0].seconds > SLOW else runs):
            taken.append(whole_run(command, environment, LIMIT))
        median = Run(
            taken[0].output,
            statistics.median(run.seconds for run in taken),
            statistics.median(run.processor for run in taken),
            statistics.median(run.memory for run in taken),
            any(run.ended for run in taken),
        )
        if bar.name == TWO_ROUNDS:
            file.rename(storm_asked)
            ours = median
        answer = {"exact": False} if median.ended else json.loads(median.output)
        parts = [
            f"{median.seconds:6.2f} s of at most {bar.seconds:g}, {median.processor:.2f} of the processor",
            f"{median.memory:.0f} MB" + (f" of at most {bar.memory:g}" if bar.memory else ""),
            f"{len(taken)} run{'s' * (len(taken) > 1)}",
            f"value {answer['value']:.6g}" if answer["exact"] else "not worked out",
        ]
        met = answer["exact"] and median.seconds <= bar.seconds and median.memory <= (bar.memory or median.memory)
        tell(bar.name, "; ".join(parts), met)
    if importlib.util.find_spec("stormpy") is None:
        print("  Storm is not installed: nothing to compare with", flush=True)
    else:
        storm = whole_run([sys.executable, "-m", "tests.solver.storm", str(storm_asked)], environment, STORM_LIMIT)
        found = None if storm.ended else json.loads(storm.output)["value"]
        told = "ended before it was done" if storm.ended else f"value {found:.6g}"
        print(f"          Storm: {TWO_ROUNDS:31} {storm.seconds:6.1f} s; {storm.memory:.0f} MB; 1 run; {told}")
        least = "at least " if storm.ended else ""
        if found is not None and not ours.ended:
            apart = abs(found - json.loads(ours.output)["value"])
            tell("value, beside Storm", f"{apart:.1e} apart, of at most 1e-06", apart <= 1e-6)
        faster, leaner = storm.seconds / ours.seconds, storm.memory / ours.memory
        tell("time, beside Storm", f"{least}{faster:.0f} times less, of at least 50", faster >= 50)
        tell("memory, beside Storm", f"{least}{leaner:.0f} times less, of at least 10", leaner >= 10)
    return f"{sum(verdicts)} of {len(verdicts)} bars met"
