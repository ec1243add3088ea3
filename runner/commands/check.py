"""``cardwalk check``: every problem of a deck, with its place, and what of it can be reached."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from runner.arguments import seconds
from runner.cli import FINE, PROBLEMS, USAGE, Failure, installed_version
from runner.output import print_json
from runner.terminal import clean, wants_color

if TYPE_CHECKING:
    from runner.sarif import Examined
    from solver.reach import Verdicts
    from story.checks import Report
    from story.problems import Problem

EXAMPLES = (
    "cardwalk check my-deck",
    "cardwalk check my-deck/chapter-1.yaml --strict",
    "cardwalk check my-deck --explain 1:40",
    "cardwalk check starter --json --witness",
    "cardwalk check my-deck --sarif > problems.sarif",
    "cardwalk check my-deck --watch",
)

SECONDS = 10.0
"""How long a deck's states are searched unless the command line says otherwise."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("decks", nargs="+", metavar="DECK", help="a campaign's folder, a built-in name, or a deck file")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print one JSON document (a list for several decks)")
    shape.add_argument("--sarif", action="store_true", help="print one SARIF 2.1.0 log, for code hosts and editors")
    shape.add_argument("--watch", action="store_true", help="look again whenever a file is saved; Ctrl-C ends")
    parser.add_argument("--strict", action="store_true", help="a warning or an unknown is enough for exit status 1")
    parser.add_argument("--states", type=_states, metavar="N", help="look at N states at most (0: none, problems only)")
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=SECONDS,
        metavar="S",
        help=f"search for S seconds at most (default: {SECONDS:g})",
    )
    parser.add_argument("--witness", action="store_true", help="tell the answers that lead to each card")
    parser.add_argument(
        "--explain", metavar="CARD", help="tell why a card (40, 1:40, heads:otto) can or cannot be reached"
    )


def _states(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"'{text[:40]}': a number of states is needed")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Examine the decks, once or whenever they are saved."""
    if args.sarif and (args.explain or args.witness):
        raise Failure("check: --sarif tells problems alone, without --explain and --witness", USAGE)
    return _watch(args) if args.watch else _examine(args)


def _watch(args: argparse.Namespace) -> int:
    """Examine the decks after every save until Ctrl-C; the status is the last one."""
    from runner.terminal import clear
    from runner.watch import Watch

    watch = Watch(args.decks)
    status = FINE
    try:
        while True:
            clear(sys.stdout)
            try:
                status = _examine(args)
            except Failure as failure:
                status = failure.status
                print(clean(str(failure)), file=sys.stderr)
            print(f"Watching {watch.count} file{'s' * (watch.count != 1)}; Ctrl-C ends.", flush=True)
            watch.wait()
            watch.begin()
    except KeyboardInterrupt:
        print()
        return status


def _examine(args: argparse.Namespace) -> int:
    from story.checks import examine

    documents = []
    logged = []
    status = FINE
    for name in args.decks:
        began = time.perf_counter()
        report = examine(name)
        verdicts = _verdicts(report, args)
        if verdicts is not None:
            report = _with_problems(name, report, verdicts)
        if args.explain and not (report.sound or args.json or args.sarif):
            print(report.text(wants_color(sys.stdout)), flush=True)
        told = _explained(name, report, verdicts, args.explain)
        unknown = verdicts is not None and bool(verdicts.unknown)
        if report.count("error") or (args.strict and (report.count("warning") or unknown)):
            status = PROBLEMS
        if args.sarif:
            logged.append(_examined(name, report, verdicts))
        elif args.json:
            document = report.json() | (verdicts.json(args.witness) if verdicts is not None else _none(report))
            document |= {"explained": told} if args.explain else {}
            documents.append(document | {"seconds": round(time.perf_counter() - began, 3)})
        else:
            print(report.text(wants_color(sys.stdout)))
            for line in (*_summary(report, verdicts), *_ways(verdicts, args.witness), *told):
                print(line)
    if args.sarif:
        from runner.sarif import sarif

        print_json(sarif(logged, installed_version() or "0"))
    if args.json:
        print_json(documents[0] if len(documents) == 1 else documents)
    return status


def _verdicts(report: Report, args: argparse.Namespace) -> Verdicts | None:
    """The search over states, for a whole campaign without errors."""
    from story.cards import Campaign

    if not isinstance(report.loaded, Campaign) or not report.sound or args.states == 0 or _unplayable(report):
        return None
    from solver.reach import verdicts

    return verdicts(report.loaded, states=args.states, seconds=args.seconds)


def _unplayable(report: Report) -> str:
    """What keeps the deck from being played with this program, in words; empty if nothing does.

    There are no verdicts then: no way through the deck could be walked at the table.
    """
    from story.cards import Campaign
    from story.checks import playable
    from story.problems import printable

    found = playable(report.loaded) if isinstance(report.loaded, Campaign) and report.sound else ()
    return f"{found[0].message} ({printable(found[0].file)}:{found[0].line})" if found else ""


def _none(report: Report) -> dict[str, Any]:
    """What ``--json`` says of a search that there was not."""
    return {"limit": _unplayable(report) or None, "states": 0}


def _with_problems(name: str, report: Report, verdicts: Verdicts) -> Report:
    """The report with what the search has found, each with the line of the file that it is about."""
    from dataclasses import replace

    from story.decks import resolve

    folder = resolve(name).parent
    lines: dict[str, list[str]] = {}

    def shown(problem: Problem) -> Problem:
        if problem.file not in lines:
            try:
                lines[problem.file] = (folder / problem.file).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                lines[problem.file] = []
        text = lines[problem.file]
        return replace(problem, excerpt=text[problem.line - 1] if 0 < problem.line <= len(text) else "")

    found = _news(report, verdicts.problems)
    problems = (*report.problems, *(shown(problem) for problem in found if problem.line))
    problems += tuple(problem for problem in found if not problem.line)
    return replace(report, problems=tuple(sorted(problems, key=lambda problem: problem.order)))


def _news(report: Report, found: tuple[Problem, ...]) -> list[Problem]:
    """What the search has found, without the cards that no path leads to: those are told group by group."""
    from solver.reach.problems import UNREACHABLE_CARD
    from story.cards import Campaign
    from story.checks.islands import IDS, pathless

    if not isinstance(report.loaded, Campaign) or not any(problem.id in IDS for problem in report.problems):
        return list(found)
    told = {(span.file, span.line, span.column) for span in pathless(report.loaded)}
    return [
        problem
        for problem in found
        if problem.id != UNREACHABLE_CARD or (problem.file, problem.line, problem.column) not in told
    ]


def _examined(name: str, report: Report, verdicts: Verdicts | None) -> Examined:
    """What SARIF needs to know of a deck; what the search left unknown becomes a remark."""
    from pathlib import Path

    from runner.sarif import Examined
    from story.decks import resolve
    from story.problems import DeckError

    try:
        folder = resolve(name).parent
    except DeckError:
        folder = Path()
    return Examined(folder, report.problems, tuple(_unknown(verdicts)) if verdicts is not None else ())


def _summary(report: Report, verdicts: Verdicts | None) -> list[str]:
    """Counts alone: which cards there are is for the reader to find out."""
    if verdicts is None:
        why = _unplayable(report)
        return [f"no verdicts: {why}"] if why else []
    counts = [f"{verdicts.count('reached')} cards reached", f"{verdicts.count('unreachable')} unreachable"]
    counts.append(f"{verdicts.count('unknown')} unknown")
    states = f"{verdicts.states:,} state{'s' * (verdicts.states != 1)}"
    lines = [f"{', '.join(counts)}; {states}, {verdicts.seconds:.1f} s"]
    return [*lines, *_unknown(verdicts)]


def _unknown(verdicts: Verdicts) -> list[str]:
    if not verdicts.unknown:
        return []
    first = ", ".join(verdicts.unknown[:6])
    rest = len(verdicts.unknown) - 6
    more = f" and {rest} more" if rest > 0 else ""
    return [f"unknown: {first}{more}; the limit was: {verdicts.limit}"]


def _ways(verdicts: Verdicts | None, wanted: bool) -> list[str]:
    if verdicts is None or not wanted:
        return []
    return [f"{key}: {', '.join(way) or 'the first card'}" for key, way in verdicts.witness.items()]


def _explained(name: str, report: Report, verdicts: Verdicts | None, card: str | None) -> list[str]:
    """Sentences about a card. Raises Failure if nothing can be said about it."""
    if card is None:
        return []
    from solver.reach import explain
    from story.cards import Campaign
    from story.problems import near_card

    if verdicts is None or not isinstance(report.loaded, Campaign):
        mend = f"it has errors; 'cardwalk check {name}' lists them"
        why = mend if not report.sound else _unplayable(report) or "no states were searched or it is no whole campaign"
        raise Failure(f"check: card {card} of {report.deck} cannot be explained: {why}")
    keys = [key for key in verdicts.cards if card == key or card == key.split(":", 1)[1]]
    if not keys:
        raise Failure(f"check: there is no card {card} in {report.deck}; {near_card(card, verdicts.cards)}")
    return [line for key in keys for line in explain(report.loaded, verdicts, key)]
