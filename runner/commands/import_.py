"""``cardwalk import``: a deck out of a story that was written elsewhere."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli import FINE, Failure
from runner.commands.schema import with_schema
from runner.output import NewFolder, print_json, reason, what_next
from runner.terminal import clean

if TYPE_CHECKING:
    from runner.twee_import import Imported

EXAMPLES = ("cardwalk import twee story.twee -o my-deck", "cardwalk check my-deck", "cardwalk play my-deck")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        "Make a skeleton of a deck out of a Twine story in Twee 3: passages become cards, plain links options, and a\n"
        "passage that leads nowhere an ending. Macros, variables, HTML, scripts and style sheets are dropped; each is\n"
        "listed on standard error with its line."
    )
    parser.add_argument("notation", choices=("twee",), metavar="twee", help="what the file is written in: Twee 3")
    parser.add_argument("file", metavar="FILE", help="the story (.twee, .tw)")
    parser.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="the deck's folder: not there yet, or empty"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document, what was dropped included")


def run(args: argparse.Namespace) -> int:
    """Read the story and write the deck."""
    from runner.twee_import import import_twee
    from story.problems import DeckError, printable
    from story.twee import LARGEST, read_twee

    folder = NewFolder(args.output, "import")
    try:
        with Path(args.file).open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Failure(f"import: {printable(args.file)}: {reason(error)}") from None
    try:
        made = import_twee(read_twee(data, args.file), Path(args.file).stem)
    except DeckError as error:
        raise Failure("\n".join(problem.headline() for problem in error.problems)) from None
    files = with_schema(made.files)
    folder.write(files)
    if args.json:
        print_json(_document(args, made, files))
        return FINE
    for problem in made.notes:
        print(clean(problem.headline()), file=sys.stderr)
    counts = ((made.cards, "card"), (made.options, "option"), (made.endings, "ending"))
    told = ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in counts)
    print(clean(f"Written: {', '.join(files)} in {args.output}: {told}; {len(made.notes)} remarks."))
    print(clean(what_next(args.output)))
    return FINE


def _document(args: argparse.Namespace, made: Imported, files: dict[str, str]) -> dict[str, object]:
    counts = {"cards": made.cards, "options": made.options, "endings": made.endings}
    remarks = [problem.json() for problem in made.notes]
    return {"file": args.file, "deck": args.output, "files": list(files), **counts, "remarks": remarks}
