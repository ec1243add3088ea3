"""``cardwalk fmt``: deck files in their canonical layout."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from runner.cli import FINE, PROBLEMS, Failure
from runner.terminal import clean, wants_color

EXAMPLES = ("cardwalk fmt my-deck", "cardwalk fmt my-deck/chapter-1.yaml", "cardwalk fmt my-deck --check")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        "Lay deck files out in the canonical way: keys in the order of the format, two spaces an indentation, a blank\n"
        "line between cards. Texts, comments and an author's line breaks are kept. A file is written only if it has\n"
        "been read again and is the same deck."
    )
    parser.add_argument("decks", nargs="+", metavar="DECK", help="a campaign's folder (all its files), or a deck file")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that would change")


def run(args: argparse.Namespace) -> int:
    """Lay out the files of all decks."""
    status = FINE
    seen = 0
    changed: dict[Path, dict[Path, str]] = {}
    for path in _files(args.decks, args.check):
        seen += 1
        try:
            text = _laid_out(path)
            if text is not None and not (args.check or os.access(path, os.W_OK)):
                raise _LeftAlone(f"{path}: left as it is: it is read-only")
        except _LeftAlone as left:
            print(clean(str(left)), file=sys.stderr)
            status = PROBLEMS
            continue
        if text is not None:
            changed.setdefault(_home(path), {})[path] = text
    written = 0
    for home, texts in changed.items():
        try:
            if not _is_same_deck(home, texts):
                raise _LeftAlone(f"{home}: left as it is: laid out anew it would be another deck")
        except _LeftAlone as left:
            print(clean(str(left)), file=sys.stderr)
            status = PROBLEMS
            continue
        written += len(texts)
        for path, text in texts.items():
            if args.check:
                status = PROBLEMS
            else:
                _write(path, text)
            print(clean(str(path)))
    done = "to be laid out anew" if args.check else "laid out anew"
    print(f"{written} of {seen} file{'s' * (seen != 1)} {done}.")
    return status


class _LeftAlone(Exception):
    """A file that stays as it is, and why."""


def _files(decks: list[str], check: bool) -> Iterator[Path]:
    """The deck files, each once. Raises Failure for a deck that is not there or may not be written."""
    from story.decks import resolve
    from story.loading.campaigns import listed
    from story.problems import DeckError
    from story.source import read_source

    seen: set[Path] = set()
    for name in decks:
        try:
            home = resolve(name)
        except DeckError as error:
            raise Failure(f"fmt: {error}") from None
        if not check and not Path(name).exists():
            raise Failure(f"fmt: {name} is a built-in deck and stays as it is; --check looks at it")
        paths = [home]
        if not Path(name).is_file():
            paths += [home.parent / file for file in listed(read_source(home)) if (home.parent / file).is_file()]
        for path in paths:
            if path.resolve() not in seen:
                seen.add(path.resolve())
                yield path


def _laid_out(path: Path) -> str | None:
    """The new text of a file, None if it is laid out already. Raises _LeftAlone."""
    from story.loading.layout import Unfit, canonical
    from story.source import read_source

    source = read_source(path, str(path))
    if source.problems:
        raise _LeftAlone("\n".join(problem.text(wants_color(sys.stderr)) for problem in source.problems))
    try:
        text = canonical(source)
    except Unfit as unfit:
        raise _LeftAlone(f"{path}: left as it is: {unfit}") from None
    return None if text.encode() == source.data else text


def _home(path: Path) -> Path:
    """The file by which a deck file is loaded: its campaign's, or itself."""
    from story.loading.campaigns import home_of

    return home_of(path) or path


def _is_same_deck(home: Path, texts: Mapping[Path, str]) -> bool:
    """Whether the deck loads to the same with new texts for some of its files, problems included.

    Raises _LeftAlone if that cannot be found out.
    """
    from story.loading.campaigns import read_deck

    before = read_deck(home)
    with tempfile.TemporaryDirectory() as folder:
        for file in before.manifest:
            _copy(home.parent / file, Path(folder, file))
        for path, text in texts.items():
            Path(folder, path.relative_to(home.parent)).write_text(text, encoding="utf-8", newline="\n")
        after = read_deck(Path(folder, home.name))
    problems = [sorted(problem.id for problem in draft.all_problems()) for draft in (before, after)]
    return _meaning(before.loaded) == _meaning(after.loaded) and problems[0] == problems[1]


def _copy(file: Path, copy: Path) -> None:
    """A file of the deck, or none where there is none. Raises _LeftAlone."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        if file.is_dir():
            copy.mkdir()
        elif file.exists():
            shutil.copyfile(file, copy)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no file"
        raise _LeftAlone(
            f"{file.parent}: left as it is: {file.name} is part of the deck and cannot be read: {why}"
        ) from None


def _meaning(deck: Any) -> Any:
    from dataclasses import replace

    return replace(deck, digest="") if deck is not None else None


def _write(path: Path, text: str) -> None:
    """Put the text in the place of the file, whole or not at all, with its permissions. Raises Failure."""
    target = path.resolve()
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(target, temporary)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise Failure(f"fmt: {path}: {error.strerror or error}; the file is as it was") from None
