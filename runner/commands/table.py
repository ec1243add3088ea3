"""``cardwalk table``: lay out a position on the playfield in the interface."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner.cli import FINE, Failure, need_terminal
from runner.output import reason

EXAMPLES = ("cardwalk table", "cardwalk table position.yaml")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="an encounter file to open; it may be a new one")


def run(args: argparse.Namespace) -> int:
    """Open the table editor."""
    file = Path(args.file) if args.file is not None else None
    try:
        if file is not None and file.is_dir():
            raise Failure(f"table: {args.file} is a folder; an encounter file is needed")
    except OSError as error:
        raise Failure(f"table: {args.file}: {reason(error)}") from None
    need_terminal("table", "'cardwalk solve FILE' and 'cardwalk play FILE --plain' need none")
    from runner.app import run

    return run(screen="table", file=file) or FINE
