"""``cardwalk new``: a small deck to begin writing from."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from runner.cli import FINE, Failure
from runner.commands.schema import LINE, SCHEMA_FILE, schema_text

EXAMPLES = ("cardwalk new my-deck", "cardwalk check my-deck", "cardwalk play my-deck")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("folder", metavar="DIR", help="the new deck's folder: not there yet, or empty")


def run(args: argparse.Namespace) -> int:
    """Write the template into the folder."""
    folder = Path(args.folder)
    try:
        if folder.exists() and not folder.is_dir():
            raise Failure(f"new: {folder} is a file; a folder is needed")
        if folder.is_dir() and any(folder.iterdir()):
            raise Failure(f"new: {folder} is not empty; nothing was written")
        folder.mkdir(parents=True, exist_ok=True)
        for file in resources.files("story").joinpath("decks", "template").iterdir():
            if file.name.endswith(".yaml"):
                text = f"{LINE}\n{file.read_text(encoding='utf-8')}"
                (folder / file.name).write_text(text, encoding="utf-8", newline="\n")
        (folder / SCHEMA_FILE).write_text(schema_text(), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"new: {folder}: {error.strerror or error}") from None
    print(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {folder}.")
    print(f"'cardwalk check {folder}' looks it over, 'cardwalk play {folder}' plays it.")
    return FINE
