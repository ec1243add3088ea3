"""``cardwalk playtest``: thousands of seeded games, and what they say of a deck."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from runner.arguments import whole
from runner.cli import FINE, PROBLEMS, USAGE, Failure
from runner.commands.play import failures, seed
from runner.output import OutputFile, print_json
from runner.terminal import clean

if TYPE_CHECKING:
    from solver.playtest import Job, Tally

EXAMPLES = (
    "cardwalk playtest my-deck",
    "cardwalk playtest my-deck --runs 20000 --policy random --html report.html",
    "cardwalk playtest my-deck --run 17 --spoilers",
    "cardwalk playtest my-deck --policy best --scheduler tcp://10.0.0.5:8786",
)

MOST_RUNS = 10**8
MOST_WORKERS = 512


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "deck", metavar="DECK", help="a folder with campaign.yaml, a built-in campaign's name, or an encounter file"
    )
    parser.add_argument("--runs", type=_runs, metavar="N", help="how many games (default: 1000)")
    parser.add_argument(
        "--policy",
        choices=("random", "careful", "best"),
        default="careful",
        help="who plays: any open answer, a sensible player, or the solver in encounters (default: careful)",
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="other dice; a seed's games are always the same (default: 1)"
    )
    parser.add_argument("--workers", type=_workers, metavar="N", help="processes side by side (default: every core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on the Dask cluster there instead")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots to FILE as well")
    parser.add_argument("--json", action="store_true", help="print one JSON document, keyed by ids")
    parser.add_argument("--run", type=_number, metavar="K", help="play game K alone and print its answers as a script")
    parser.add_argument("--spoilers", action="store_true", help="name cards, options and endings; tell what happens")


def _runs(text: str) -> int:
    return whole(text, 1, MOST_RUNS, "a number of games")


def _workers(text: str) -> int:
    return whole(text, 1, MOST_WORKERS, "a number of processes")


def _number(text: str) -> int:
    return whole(text, 0, MOST_RUNS, "the number of a game")


def run(args: argparse.Namespace) -> int:
    """Play the games and report."""
    if args.run is not None:
        for name in ("runs", "workers", "scheduler", "html"):
            if getattr(args, name) is not None:
                raise Failure(f"playtest: --run plays one game alone: it does not go with --{name}", USAGE)
    if args.workers is not None and args.scheduler is not None:
        raise Failure("playtest: with --scheduler the cluster has the workers: --workers does not go with it", USAGE)
    job = _job(args)
    return _one(job, args) if args.run is not None else _many(job, args)


def _job(args: argparse.Namespace) -> Job:
    from solver.playtest import Job
    from story.checks import playable
    from story.load import load_deck

    with failures("playtest"):
        deck = load_deck(args.deck)
    problems = playable(deck)
    if problems:
        raise Failure("\n".join(["playtest: the deck cannot be played yet:", *(p.text() for p in problems)]))
    return Job(deck, args.policy, args.runs or 1000, args.seed)


# ---------------------------------------------------------------- one game


def _one(job: Job, args: argparse.Namespace) -> int:
    from runner.session import told_lines
    from solver.playtest import play_game, route
    from solver.policies import policy
    from story.prompts import Told

    on = route(job.deck)
    told: list[list[Told]] = [[]]
    script: list[str] = []

    def heard(sentence: Told) -> None:
        while len(told) <= len(script):
            told.append([])
        told[len(script)].append(sentence)

    player = policy(job.policy, on.table.library)
    game = play_game(on, player, job.seed, args.run, answers=job.answers, heard=heard, script=script)
    told += [[] for _ in range(len(script) + 1 - len(told))]
    status = PROBLEMS if game.kind == "stuck" else FINE
    if args.json:
        document = {
            "deck": getattr(job.deck, "id", job.deck.title),
            "policy": job.policy,
            "seed": job.seed,
            "run": args.run,
            "ending": game.ending,
            "kind": game.kind,
            "card": game.card,
            "wounds": game.wounds,
            "answers": script,
            "told": [[[sentence.text, sentence.rule] for sentence in part] for part in told],
        }
        print_json(document)
        return status
    lines = [f"# {job.deck.title}, run {args.run} of seed {job.seed}, {job.policy}"]
    for answer, part in zip(["", *script], told, strict=True):
        lines += [answer] * bool(answer)
        lines += told_lines(part) if args.spoilers else []
    lines.append(f"# the end: {game.ending if args.spoilers else game.kind}")
    print(clean("\n".join(lines)))
    return status


# ---------------------------------------------------------------- many games


def _many(job: Job, args: argparse.Namespace) -> int:
    from solver.playtest import CrewError, play_all, summary

    page = OutputFile(args.html, "playtest") if args.html is not None else None
    bar = Bar(job.runs)
    try:
        tally: Tally = play_all(job, workers=args.workers, scheduler=args.scheduler, progress=bar.show)
    except CrewError as error:
        bar.clear()
        raise Failure(f"playtest: {error}") from None
    except BaseException:
        bar.clear()
        raise
    bar.clear()
    document = summary(job, tally)
    if page is not None:
        from runner.playtest_html import html_page

        page.write(html_page(document, job.deck, spoilers=args.spoilers))
    if args.json:
        print_json(document | {"seconds": round(bar.seconds, 3)})
    else:
        from runner.playtest_text import report_lines

        print(clean("\n".join(report_lines(document, job.deck, spoilers=args.spoilers))))
        if page is not None:
            print(clean(f"\nThe page is {args.html}."))
        print(f"\n{bar.seconds:.1f} s, {job.runs / max(bar.seconds, 1e-9) * 60:,.0f} games a minute.")
    return PROBLEMS if document["kinds"].get("stuck", {}).get("count") else FINE


class Bar:
    """How far the games have come, on standard error while that is a terminal."""

    WIDTH = 30
    PAUSE = 0.1

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.shown = sys.stderr.isatty()
        self._began = time.perf_counter()
        self._last = 0.0
        self._length = 0
        if self.shown:
            self._draw(0)

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self._began

    def show(self, games: int) -> None:
        """Draw it anew, not too often."""
        if self.shown and (self.seconds - self._last >= self.PAUSE or games == self.runs):
            self._draw(games)

    def _draw(self, games: int) -> None:
        self._last = self.seconds
        full = self.WIDTH * games // self.runs
        left = f", {self._last * (self.runs - games) / games:.0f} s left" if games else ""
        line = f"[{'#' * full}{'.' * (self.WIDTH - full)}] {games}/{self.runs} games{left}"
        print(f"\r{line:{self._length}}", end="", file=sys.stderr, flush=True)
        self._length = len(line)

    def clear(self) -> None:
        """Leave the line empty for what follows."""
        if self.shown:
            print(f"\r{'':{self._length}}\r", end="", file=sys.stderr, flush=True)
            self.shown = False
