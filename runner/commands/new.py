"""``cardwalk new``: a small deck to begin writing from."""

from __future__ import annotations

import argparse
from importlib import resources

from runner.cli import FINE
from runner.commands.schema import with_schema
from runner.output import NewFolder, what_next

EXAMPLES = ("cardwalk new my-deck", "cardwalk check my-deck", "cardwalk play my-deck")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("folder", metavar="DIR", help="the new deck's folder: not there yet, or empty")


def run(args: argparse.Namespace) -> int:
    """Write the template into the folder."""
    folder = NewFolder(args.folder, "new")
    template = resources.files("story").joinpath("decks", "template")
    decks = sorted((file for file in template.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    files = with_schema({file.name: file.read_text(encoding="utf-8") for file in decks})
    folder.write(files)
    print(f"Written: {', '.join(files)} in {args.folder}.")
    print(what_next(args.folder))
    return FINE
