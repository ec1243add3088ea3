"""``cardwalk export``: a deck in the notation of another program."""

from __future__ import annotations

import argparse
import sys

from runner.cli import FINE, Failure
from runner.commands.play import failures
from runner.output import OutputFile
from runner.terminal import clean

EXAMPLES = ("cardwalk export twee my-deck -o story.twee", "cardwalk export twee starter -o starter.twee --force")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        "Write a campaign as a Twine story in Twee 3: every card is a passage, every way on a plain link. Rolls,\n"
        "prices, conditions and encounters stand there in words and are listed on standard error: Twine does not\n"
        "carry them out. The file holds the whole text, endings and all: it is for the deck's author."
    )
    parser.add_argument("notation", choices=("twee",), metavar="twee", help="what to write: Twee 3")
    parser.add_argument("deck", metavar="DECK", help="a folder with campaign.yaml or a built-in campaign's name")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there already")


def run(args: argparse.Namespace) -> int:
    """Write the story."""
    from runner.twee_export import export_twee
    from story.decks import resolve
    from story.load import load_campaign
    from story.twee import twee_text

    with failures("export"):
        folder = str(resolve(args.deck).parent)
        campaign = load_campaign(args.deck)
    made = export_twee(campaign)
    text = twee_text(made.passages)
    file = OutputFile(args.output, "export")
    if not (file.new or args.force):
        raise Failure(f"export: {args.output} is there already; --force replaces it")
    file.write(text)
    for problem in made.notes:
        print(clean(problem.headline(folder)), file=sys.stderr)
    print(clean(f"Written: {len(made.passages)} passages to {args.output}; {len(made.notes)} remarks."))
    return FINE
