"""``cardwalk import``: a deck out of a story that was written elsewhere."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli import FINE, Failure
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
    from story.problems import DeckError
    from story.twee import read_twee

    folder = empty_folder(args.output)
    try:
        with Path(args.file).open("rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise Failure(f"import: {args.file}: {_why(error)}") from None
    try:
        made = import_twee(read_twee(data, args.file), Path(args.file).stem)
    except DeckError as error:
        raise Failure("\n".join(problem.headline() for problem in error.problems)) from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in made.files.items():
            with (folder / name).open("x", encoding="utf-8", newline="\n") as new:
                new.write(text)
    except OSError as error:
        raise Failure(f"import: {folder}: {_why(error)}") from None
    if args.json:
        print(json.dumps(_document(args, made), ensure_ascii=False, indent=2))
        return FINE
    for problem in made.notes:
        print(clean(problem.headline()), file=sys.stderr)
    counts = ((made.cards, "card"), (made.options, "option"), (made.endings, "ending"))
    told = ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in counts)
    print(clean(f"Written: {', '.join(made.files)} in {folder}: {told}; {len(made.notes)} remarks."))
    print(clean(f"'cardwalk check {folder}' looks it over, 'cardwalk play {folder}' plays it."))
    return FINE


def empty_folder(name: str) -> Path:
    """The folder for a new deck; raises Failure unless it is empty or not there yet."""
    folder = Path(name)
    try:
        if folder.exists() and not folder.is_dir():
            raise Failure(f"import: {folder} is a file; a folder is needed")
        if folder.is_dir() and any(folder.iterdir()):
            raise Failure(f"import: {folder} is not empty; nothing was written")
    except (OSError, ValueError) as error:
        raise Failure(f"import: {folder}: {_why(error)}") from None
    return folder


def _why(error: Exception) -> object:
    return error.strerror if isinstance(error, OSError) and error.strerror else error


def _document(args: argparse.Namespace, made: Imported) -> dict[str, object]:
    counts = {"cards": made.cards, "options": made.options, "endings": made.endings}
    remarks = [problem.json() for problem in made.notes]
    return {"file": args.file, "deck": args.output, "files": list(made.files), **counts, "remarks": remarks}
