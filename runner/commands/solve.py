"""``cardwalk solve``: the best play of an encounter file, exact."""

from __future__ import annotations

import argparse
import gc
import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from runner.arguments import seconds
from runner.cli import FINE, INTERRUPTED, STARTED, Failure
from runner.interrupts import interruptible
from runner.output import print_json
from runner.terminal import clean
from solver.solution import STOPPED, Solution

if TYPE_CHECKING:
    from runner.plan import Branch
    from solver.advice import Advisor
    from story.playfield.table import EncounterTable
    from story.state import State

EXAMPLES = (
    "cardwalk solve position.yaml",
    "cardwalk solve position.yaml --objective survive --food none",
    "cardwalk solve position.yaml --seconds 10 --json",
)

MOST_DEATH = 1_000_000
"""More than that a lost game cannot count: the wounds would be lost in the rounding."""

SUMMING_UP = 1.0
"""Seconds in which an interrupted search looks for bounds."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a file with kind: encounter")
    parser.add_argument(
        "--objective",
        choices=("wounds", "survive"),
        default="wounds",
        help="fewest wounds expected, or first the smallest chance of losing (default: wounds)",
    )
    parser.add_argument("--death", type=_death, metavar="N", help="what a lost game counts (default: the wound limit)")
    parser.add_argument(
        "--food", choices=("priced", "free", "none"), default="priced", help="what a food eaten costs (default: priced)"
    )
    parser.add_argument("--plan", action="store_true", help="tell the best play through this turn, roll by roll")
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="S",
        help="stop after S seconds with bounds, the plan included (default: never; Ctrl-C stops too)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON document; seconds is the search alone, cold_seconds the whole process up to its answer. "
        "Where exact is false, lower and upper bound the value; value is then upper, expected_wounds too (or the wound "
        "limit), p_defeat is "
        "that of the best play known (1: not known), and wounds is empty",
    )


def _death(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST_DEATH:
        raise argparse.ArgumentTypeError(f"'{text[:40]}': a number from -{MOST_DEATH} to {MOST_DEATH} is needed")
    return value


def run(args: argparse.Namespace) -> int:
    """Solve the file and print what was found."""
    # The process ends with the answer: looking for garbage on the way, or at the end, would be time lost.
    gc.disable()
    from solver.advice import Advisor
    from story.load import load_encounter
    from story.playfield.table import EncounterTable
    from story.problems import DeckError

    try:
        file = load_encounter(args.file)
    except DeckError as error:
        raise Failure(str(error)) from None
    table = EncounterTable(file)
    state = table.start()
    advisor = Advisor(table.library, objective=args.objective, food=args.food, death=args.death)
    solution = _advise(advisor, state, args.seconds)
    gc.freeze()
    _tell(args, table, state, advisor, solution)
    if solution.limit == STOPPED:
        raise Failure("interrupted", INTERRUPTED)
    return FINE


class _Interrupted(Exception):
    """Ctrl-C was pressed."""


def _advise(advisor: Advisor, state: State, seconds: float | None) -> Solution:
    """The best play, or bounds when the seconds are over or Ctrl-C is pressed.

    A search without a limit looks for no bounds on its way, which would cost up to a third of its time: they are looked
    for when it is interrupted.
    """
    began = time.perf_counter()
    with interruptible() as pressed:
        if seconds is not None:
            return advisor.advise(state, seconds=seconds, stop=pressed)

        def watch(_: int) -> None:
            if pressed():
                raise _Interrupted

        try:
            return advisor.advise(state, progress=watch)
        except _Interrupted:
            known = advisor.advise(state, seconds=SUMMING_UP)
            took = time.perf_counter() - began
            return replace(known, limit="" if known.exact else STOPPED, seconds=took)


def _tell(args: argparse.Namespace, table: EncounterTable, state: State, advisor: Advisor, solution: Solution) -> None:
    """Print what was found."""
    from runner.advice import advice_lines, solution_json
    from story.prompts import Decide

    if args.json:
        document = solution_json(solution, args.file, time.perf_counter() - STARTED)
        try:
            if args.plan:
                document["plan"] = None
                branches, why = plan_in_time(args.seconds, advisor, table, state, solution)
                document |= {"plan_limit": why} if why else {"plan": [branch.json() for branch in branches]}
        finally:  # Ctrl-C ends the plan alone
            print_json(document)
        return
    prompt = table.prompt(state)
    words = {option.answer: option.say for option in prompt.options} if isinstance(prompt, Decide) else {}
    print(clean("\n".join(advice_lines(solution, words))))
    if args.plan:
        from runner.plan import plan_lines

        branches, why = plan_in_time(args.seconds, advisor, table, state, solution)
        print(f"\nNo plan: {why}." if why else "\nThe best play of this turn:")
        for line in plan_lines(branches, 1):
            print(clean(line))
    print(f"{solution.states} states, {solution.seconds:.2f} s")


def plan_in_time(
    seconds: float | None, advisor: Advisor, table: EncounterTable, state: State, solution: Solution
) -> tuple[tuple[Branch, ...], str]:
    """The plan, worked out in what the search has left of the seconds, or why there is none."""
    from runner.plan import PlanError, plan

    if not solution.exact:
        return (), "the search was not finished"
    until = None if seconds is None else time.perf_counter() + seconds - solution.seconds

    def best(state: State) -> str:
        left = None if until is None else until - time.perf_counter()
        if left is not None and left <= 0:
            raise TimeoutError
        return advisor.thrifty_choice(state, left)

    try:
        return plan(table, state, best), ""
    except TimeoutError:
        return (), "the time was over"
    except PlanError as error:
        return (), str(error)
