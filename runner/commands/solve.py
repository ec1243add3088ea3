"""``cardwalk solve``: the best play of an encounter file, exact."""

from __future__ import annotations

import argparse
import gc
import math
import time
from typing import TYPE_CHECKING

from runner.arguments import seconds
from runner.cli import FINE, STARTED, Failure
from runner.output import print_json
from runner.terminal import clean

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
        "--seconds", type=seconds, metavar="S", help="stop after S seconds with bounds (default: never)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


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
    from runner.advice import advice_lines, solution_json
    from solver.advice import Advisor
    from story.load import load_encounter
    from story.playfield.table import EncounterTable
    from story.problems import DeckError
    from story.prompts import Decide

    try:
        file = load_encounter(args.file)
    except DeckError as error:
        raise Failure(str(error)) from None
    table = EncounterTable(file)
    state = table.start()
    advisor = Advisor(table.library, objective=args.objective, food=args.food, death=args.death)
    solution = advisor.advise(state, seconds=args.seconds)
    gc.freeze()
    if args.json:
        document = solution_json(solution, args.file, time.perf_counter() - STARTED)
        if args.plan:
            document["plan"] = [branch.json() for branch in _plan(advisor, table, state)] if solution.exact else None
        print_json(document)
        return FINE
    prompt = table.prompt(state)
    words = {option.answer: option.say for option in prompt.options} if isinstance(prompt, Decide) else {}
    print(clean("\n".join(advice_lines(solution, words))))
    if args.plan:
        from runner.plan import plan_lines

        print("\nThe best play of this turn:" if solution.exact else "\nNo plan: the search was not finished.")
        if solution.exact:
            print(clean("\n".join(plan_lines(_plan(advisor, table, state), 1))))
    print(f"{solution.states} states, {solution.seconds:.2f} s")
    return FINE


def _plan(advisor: Advisor, table: EncounterTable, state: State) -> tuple[Branch, ...]:
    from runner.plan import plan

    return plan(table, state, advisor.choice)
