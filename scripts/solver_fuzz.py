#!/usr/bin/env python3
"""Hold the fast solver against the reference on random small encounters, for as many seeds or as long as one likes.

``python scripts/solver_fuzz.py --seeds 2000 --from 1`` ends with exit status 1 if anything differed; each difference is
written as an encounter file, its question in a comment.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
import importlib
import time
import traceback
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

STEP = 10
"""Seconds between two lines of progress."""

EPILOG = """\
A seed is an encounter over all traits, foods, actions, terrain, draws and die placements, some answers given before the
question, and what is minimised. Example: python scripts/solver_fuzz.py --seconds 600 --from 100000
"""


def reproduction(seed: int, question: Any, said: tuple[str, ...]) -> str:
    """An encounter file, with what was asked about it and what came out."""
    from story.dump import encounter_text

    notes = [
        f"scripts/solver_fuzz.py --from {seed} --seeds 1",
        f"given first: {'; '.join(question.given) or 'nothing'}",
        f"asked: {', '.join(f'{name} {value}' for name, value in question.asked.items())}",
        *said,
    ]
    lines = [line for note in notes for line in note.splitlines()]
    return "".join(f"# {line}\n" for line in lines) + encounter_text(question.file)


def table(counts: Counter[str]) -> str:
    """What occurred, a line for each kind: ``trait   rage 12, stun 9``."""
    kinds: dict[str, list[str]] = {}
    for name, n in sorted(counts.items()):
        kind, _, what = name.partition(" ")
        kinds.setdefault(kind, []).append(f"{what} {n}")
    return "\n".join(f"  {kind:7} {', '.join(told)}" for kind, told in kinds.items())


def main() -> int:
    """Compare until the seeds or the time are used up."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seeds", type=int, metavar="N", help="how many (default: 200, with --seconds no end)")
    parser.add_argument("--from", type=int, default=0, metavar="S", dest="first", help="the first seed (default: 0)")
    parser.add_argument("--seconds", type=float, metavar="T", help="stop after so long")
    parser.add_argument(
        "--states", type=int, default=20_000, metavar="N", help="leave out what the reference needs more for"
    )
    parser.add_argument("--into", type=Path, default=Path(), metavar="DIR", help="where files go (default: here)")
    args = parser.parse_args()
    compare = importlib.import_module("tests.solver.compare")
    seeds = args.seeds if args.seeds is not None else None if args.seconds is not None else 200
    began = told = time.monotonic()
    outcomes: Counter[str] = Counter()
    occurred: Counter[str] = Counter()
    worst, states, done = 0.0, 0, 0
    for seed in count(args.first):
        if done == seeds or (args.seconds is not None and time.monotonic() - began > args.seconds):
            break
        question = compare.question(seed)
        try:
            found = compare.compare(question, args.states)
        except Exception:
            # A solver that falls over is as wrong as one that miscounts; the seeds after it are still of interest.
            found = compare.Comparison("different", (traceback.format_exc(limit=-6),))
        done += 1
        outcomes[found.outcome] += 1
        states += found.states
        if found.outcome == "same":
            worst = max(worst, found.worst)
            occurred.update(found.occurred)
        elif found.outcome == "different":
            args.into.mkdir(parents=True, exist_ok=True)
            file = args.into / f"solver-fuzz-{seed}.yaml"
            file.write_text(reproduction(seed, question, found.differences), encoding="utf-8")
            print(f"seed {seed}: {len(found.differences)} differences, the first: {found.differences[0]}")
            print(f"  written to {file}", flush=True)
        if time.monotonic() - told > STEP:
            told = time.monotonic()
            print(f"{done:,} encounters, {told - began:.0f} s, worst difference {worst:.1e}", flush=True)
    print(f"seeds {args.first} to {args.first + done - 1}: {states:,} states, worst agreed difference {worst:.1e}")
    for outcome, n in sorted(outcomes.items()):
        print(f"  {outcome}: {n:,}")
    print("Encounters compared in which each thing occurred:")
    print(table(occurred))
    return 1 if outcomes["different"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
