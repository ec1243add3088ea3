"""``cardwalk graph``: a picture of the cards and the ways between them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runner.arguments import seconds
from runner.cli import FINE, PROBLEMS, USAGE, Failure
from runner.commands.check import SECONDS
from runner.output import OutputFile
from runner.terminal import wants_color

if TYPE_CHECKING:
    from runner.pictures.sheet import Sheet
    from solver.reach import Verdicts
    from story.cards import Campaign

EXAMPLES = (
    "cardwalk graph my-deck -o my-deck.svg",
    "cardwalk graph my-deck --spoilers -o my-deck.html",
    "cardwalk graph my-deck --to dot | dot -Tpdf -o my-deck.pdf",
    "cardwalk graph my-deck --to mermaid --no-verdicts",
)

FORMATS = ("svg", "dot", "mermaid", "html")
SUFFIXES = {
    ".svg": "svg",
    ".html": "html",
    ".htm": "html",
    ".dot": "dot",
    ".gv": "dot",
    ".mmd": "mermaid",
    ".mermaid": "mermaid",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("deck", metavar="DECK", help="a folder with campaign.yaml, or a built-in campaign's name")
    parser.add_argument("--to", choices=FORMATS, help="the format (default: by the ending of FILE; svg without one)")
    parser.add_argument(
        "-o", "--output", "--out", dest="out", metavar="FILE", help="write to FILE (default: standard output)"
    )
    parser.add_argument("--spoilers", action="store_true", help="show titles, texts, options, outcomes and conditions")
    parser.add_argument("--no-verdicts", action="store_true", help="do not work out which cards can be reached")
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=SECONDS,
        metavar="S",
        help=f"work out what can be reached for S seconds at most (default: {SECONDS:g})",
    )


def run(args: argparse.Namespace) -> int:
    """Draw the deck."""
    from story.cards import Campaign
    from story.checks import examine

    to = args.to or _by_ending(args.out or "")
    report = examine(args.deck)
    if not report.sound:
        print(report.text(wants_color(sys.stderr)), file=sys.stderr)
        return PROBLEMS
    if not isinstance(report.loaded, Campaign):
        raise Failure(f"graph: {report.deck} is no whole campaign: name the folder of one")
    file = OutputFile(args.out, "graph") if args.out is not None else None
    from runner.pictures.sheet import sheet_of

    sheet = sheet_of(report.loaded, _verdicts(report.loaded, args), spoilers=args.spoilers)
    text = _picture(sheet, to)
    if file is not None:
        file.write(text)
    else:
        # The formats are UTF-8, whatever the terminal's own encoding is.
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
    return FINE


def _by_ending(name: str) -> str:
    """The format of a file; raises Failure if its ending is that of something else."""
    ending = Path(name).suffix.lower()
    if ending and ending not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise Failure(f"graph: {name}: the ending {ending} tells no format: {known} do, or --to", USAGE)
    return SUFFIXES.get(ending, "svg")


def _verdicts(campaign: Campaign, args: argparse.Namespace) -> Verdicts | None:
    if args.no_verdicts:
        return None
    from story.checks import playable

    if playable(campaign):
        print("graph: steps of this deck cannot be played yet: its picture is drawn without verdicts", file=sys.stderr)
        return None
    from solver.reach import verdicts

    return verdicts(campaign, seconds=args.seconds)


def _picture(sheet: Sheet, to: str) -> str:
    if to == "dot":
        from runner.pictures.dot import dot

        return dot(sheet)
    if to == "mermaid":
        from runner.pictures.mermaid import mermaid, warnings

        text = mermaid(sheet)
        for warning in warnings(sheet, text):
            print(f"graph: {warning}; --to svg and --to html have no such limit", file=sys.stderr)
        return text
    from runner.pictures.layout import lay_out
    from runner.pictures.svg import svg

    drawing = lay_out(sheet)
    if not drawing.layered:
        print("graph: too large or too tangled for layers: the cards stand in rows, by number", file=sys.stderr)
    if to == "svg":
        return svg(sheet, drawing)
    from runner.pictures.page import page

    return page(sheet, drawing)
