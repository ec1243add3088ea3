"""``cardwalk saves``: list, export, import and delete saved games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from runner.cli import FINE, USAGE, Failure
from runner.output import print_json, reason
from runner.terminal import clean

EXAMPLES = (
    "cardwalk saves",
    "cardwalk saves --json",
    "cardwalk saves export starter-20260101-101500 -o game.jsonl",
    "cardwalk saves import game.jsonl",
    "cardwalk saves delete starter-20260101-101500 --yes",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "action", nargs="?", choices=("list", "export", "import", "delete"), default="list", help="default: list"
    )
    parser.add_argument("names", nargs="*", metavar="SAVE", help="saves; for import: files")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("-o", "--output", metavar="FILE", help="export: the file to write (default: standard output)")
    parser.add_argument("--yes", action="store_true", help="delete: do not ask")


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    if args.action == "list" and args.names:
        raise Failure("saves: list takes no names; export, import or delete?", USAGE)
    if args.action != "list" and not args.names:
        raise Failure(f"saves: {args.action} what? 'cardwalk saves' lists them", USAGE)
    if args.action == "export" and len(args.names) > 1:
        raise Failure("saves: export takes one save at a time", USAGE)
    if args.output is not None and args.action != "export":
        raise Failure("saves: -o belongs to export", USAGE)
    from runner.saves import SaveError

    try:
        match args.action:
            case "export":
                return _export(args)
            case "import":
                return _import(args)
            case "delete":
                return _delete(args)
        return _list(args)
    except SaveError as error:
        raise Failure(f"saves: {error}") from None


def _list(args: argparse.Namespace) -> int:
    from runner.saves import listing

    infos = listing()
    if args.json:
        print_json({"saves": [info.json() for info in infos]})
        return FINE
    if not infos:
        print("No saves yet: 'cardwalk play' begins a game.")
    for info in infos:
        if info.state != "ok":
            print(f"{info.name}  ({'written by a later version' if info.state == 'newer' else 'damaged'})")
            continue
        where = f"chapter {info.chapter}, " * (info.chapter is not None) + f"card {info.card}" * (info.card is not None)
        stand = f"over: {info.over}" if info.over else where or ("encounter" if info.kind == "encounter" else "begun")
        played = info.played.replace("T", " ").rstrip("Z")
        answers = f"{info.answers} answer{'s' * (info.answers != 1)}"
        print(clean(f"{info.name}  {info.title}; {stand}; {answers}; last played {played} UTC"))
    return FINE


def _export(args: argparse.Namespace) -> int:
    from runner.saves import export

    data = export(args.names[0])
    if args.output is None or args.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return FINE
    try:
        with Path(args.output).open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise Failure(f"saves: {args.output} is there already; nothing was written") from None
    except (OSError, ValueError) as error:
        raise Failure(f"saves: {args.output}: {reason(error)}") from None
    if args.json:
        print_json({"exported": args.output})
    else:
        print(f"Written: {args.output}")
    return FINE


def _import(args: argparse.Namespace) -> int:
    from runner.saves import import_file

    names = [import_file(Path(name)) for name in args.names]
    if args.json:
        print_json({"imported": names})
    else:
        for name in names:
            print(f"Imported as {name}; 'cardwalk resume {name}' goes on.")
    return FINE


def _delete(args: argparse.Namespace) -> int:
    from runner.saves import delete, find

    names = [find(name).stem for name in args.names]
    if not args.yes:
        if args.json or not sys.stdin.isatty():
            raise Failure("saves: delete needs --yes where nobody can be asked", USAGE)
        print(f"Delete {', '.join(names)} for good? (yes/no) ", end="", flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            print("Nothing was deleted.")
            return FINE
    deleted = [delete(name) for name in names]
    if args.json:
        print_json({"deleted": deleted})
    else:
        print(f"Deleted: {', '.join(deleted)}")
    return FINE
