#!/usr/bin/env python3
"""Hold the verdicts over states against plain enumeration, on random small stories and encounters.

``python scripts/reach_fuzz.py --seconds 600 --seed 1`` ends with exit status 1 at the first verdict that is wrong.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

EACH = 8
"""Stories for every encounter that is compared."""


def main() -> int:
    """Compare until the time is over."""
    import importlib

    crossings = importlib.import_module("tests.solver.crossings")
    encounters = importlib.import_module("tests.solver.generate")
    stories = importlib.import_module("tests.solver.stories")

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first story's seed (default: 0)")
    parser.add_argument("--states", type=int, default=2_000, metavar="N", help="states enumerated in each story")
    args = parser.parse_args()
    end = time.monotonic() + args.seconds
    counts: Counter[str] = Counter()
    seed = args.seed
    while time.monotonic() < end:
        wrong, found = stories.compare(stories.random_story(Random(seed)), args.states)
        counts += Counter(found)
        counts["stories"] += 1
        if not wrong and not seed % EACH:
            encounter = replace(encounters.encounter(seed), position=None)
            wrong, found = crossings.compare_crossing(encounter, min(args.states, 600))
            counts += Counter(found)
        if wrong:
            print(f"seed {seed}: {'; '.join(wrong)}")
            return 1
        seed += 1
    print(f"seeds {args.seed} to {seed - 1}: nothing wrong")
    for name, n in sorted(counts.items()):
        print(f"  {name}: {n:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
