"""Parsed campaigns and encounters kept between runs, so that a deck of a thousand cards opens at once.

An entry is found by the deck's place and the content of its first file, and is good only while every file it was made
from has the content it had. It is data alone: nothing but cards and problems is ever built from it. A broken,
foreign or unwritable cache is as good as none.
"""

from __future__ import annotations

import contextlib
import copyreg
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import story.cards
from story.cards import Campaign, EncounterFile, Span
from story.decks import LARGEST
from story.problems import Problem

KEPT = 40
"""Entries kept; the oldest go first."""

VARIABLE = "CARDWALK_CACHE_DIR"


@dataclass(frozen=True)
class Entry:
    """What examining a campaign gave, with the content (SHA-256) of every file it was made from.

    A deck with a file that is missing or cannot be read is not kept: why, may change without a change of content.
    """

    manifest: Mapping[str, str]
    name: str
    problems: tuple[Problem, ...]
    loaded: Campaign | EncounterFile | None


def folder() -> Path:
    """The platform's cache folder for decks, or what ``CARDWALK_CACHE_DIR`` names."""
    if named := os.environ.get(VARIABLE):
        return Path(named) / "decks"
    from platformdirs import user_cache_path

    return user_cache_path("cardwalk", appauthor=False) / "decks"


def fetch(path: Path) -> Entry | None:
    """The entry of the campaign whose file is at ``path``, if it is still true."""
    try:
        data = _content(path)
        if data is None:
            return None
        entry = _Unpickler(io.BytesIO((folder() / _key(path, data)).read_bytes())).load()
        if not (isinstance(entry, Entry) and isinstance(entry.loaded, Campaign | EncounterFile | None)):
            return None
        for file, digest in entry.manifest.items():
            content = data if file == path.name else _content(path.parent / file)
            if content is None or hashlib.sha256(content).hexdigest() != digest:
                return None
        return entry
    except Exception:
        # Whatever a damaged entry does to the unpickler, the deck is read anew.
        return None


def store(path: Path, entry: Entry) -> None:
    """Keep an entry; a cache that cannot be written is no problem of the reader's."""
    import tempfile

    with contextlib.suppress(Exception):
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        target = place / _key(path, path.read_bytes())
        data = _pickled(entry)
        handle, temporary = tempfile.mkstemp(dir=place, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).replace(target)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
        _prune(place)


def _pickled(entry: Entry) -> bytes:
    """What ``pickle`` makes of it; telling it how cards are taken apart halves the time."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, protocol=5)
    pickler.dispatch_table = {Span: lambda span: (Span, tuple(span))}
    for kind in vars(story.cards).values():
        if isinstance(kind, type) and is_dataclass(kind) and "__slots__" in vars(kind) and len(fields(kind)) > 1:
            pickler.dispatch_table[kind] = _taking_apart(kind)
    pickler.dump(entry)
    return stream.getvalue()


def _taking_apart(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda card: (copyreg.__newobj__, (kind,), list(values(card)))  # type: ignore[attr-defined]


def _content(path: Path) -> bytes | None:
    # A device or a pipe is no deck, and reading it might never end.
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else None
    except OSError:
        return None


def _key(path: Path, data: bytes) -> str:
    whole = hashlib.sha256(f"{_program()}\0{path.resolve()}\0".encode("utf-8", "surrogatepass"))
    whole.update(data)
    return whole.hexdigest() + ".deck"


@cache
def _program() -> str:
    """What the entries were made by: the reading part of the program and its Python."""
    here = Path(__file__).parent
    whole = hashlib.sha256(sys.version.encode())
    for file in sorted(
        [
            *here.glob("*.py"),
            *here.glob("loading/**/*.py"),
            *here.glob("checks/*.py"),
            *here.glob("playfield/traits.py"),
        ]
    ):
        whole.update(file.read_bytes())
    return whole.hexdigest()


def _prune(place: Path) -> None:
    entries = sorted(place.glob("*.deck"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in entries[KEPT:]:
        file.unlink(missing_ok=True)


class _Unpickler(pickle.Unpickler):
    """Builds cards, problems and frozen sets, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module in ("story.cards", "story.problems", "story.cache") and "." not in name:
            found = getattr(sys.modules[module], name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        if (module, name) == ("builtins", "frozenset"):
            return frozenset
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a cache")
