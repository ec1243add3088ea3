"""``cardwalk check``: every problem of a deck, with its place."""

from __future__ import annotations

import argparse
import json
import sys

from runner.cli import FINE, PROBLEMS
from runner.terminal import wants_color

EXAMPLES = ("cardwalk check my-deck", "cardwalk check my-deck/chapter-1.yaml --strict", "cardwalk check starter --json")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("decks", nargs="+", metavar="DECK", help="a campaign's folder, a built-in name, or a deck file")
    parser.add_argument("--json", action="store_true", help="print one JSON document (a list for several decks)")
    parser.add_argument("--strict", action="store_true", help="a warning is enough for exit status 1")


def run(args: argparse.Namespace) -> int:
    """Examine the decks."""
    import time

    from story.checks import examine

    documents = []
    status = FINE
    for name in args.decks:
        began = time.perf_counter()
        report = examine(name)
        if report.count("error") or (args.strict and report.count("warning")):
            status = PROBLEMS
        if args.json:
            documents.append(report.json() | {"seconds": round(time.perf_counter() - began, 3)})
        else:
            print(report.text(wants_color(sys.stdout)))
    if args.json:
        print(json.dumps(documents[0] if len(documents) == 1 else documents, ensure_ascii=False, indent=2))
    return status
