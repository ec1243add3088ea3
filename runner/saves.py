"""The saves in the data folder: create, open, list, import, export, delete.

Every event is flushed and synced before the next question. A torn last line is cut off on opening; a damaged file is
kept aside and named; one process at a time may play a save.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from runner.history import History
from runner.locks import close, lock
from runner.savefile import FORMAT, DeckMark, Header, Reading, event_line, events_of, history_of, read
from runner.session import Event, Session

ENDING = ".jsonl"

LARGEST = 2**28
"""Bytes of a save that is imported: more than any game comes to."""


class SaveError(Exception):
    """A save that cannot be used, or a data folder that cannot be written; its text is one line for the player."""


def data_folder() -> Path:
    """Where saves live: ``CARDWALK_DATA_DIR``, or the platform's folder for data."""
    chosen = os.environ.get("CARDWALK_DATA_DIR")
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path  # imported late: it is needed only here

    return user_data_path("cardwalk", appauthor=False)


def saves_folder() -> Path:
    """The folder of the saves; it need not exist yet."""
    return data_folder() / "saves"


class Save:
    """An open, locked save that events are added to."""

    def __init__(self, path: Path, file: FileIO, end: int) -> None:
        self.path = path
        self.name = path.name.removesuffix(ENDING)
        self.trouble = ""
        """Why the last event could not be written; empty if all is well."""
        self._file = file
        self._end = end
        self._fresh = False
        self._waiting: list[bytes] = []

    def append(self, event: Event) -> None:
        """Write one event and wait until it is on the disk.

        If that fails ``trouble`` says why, and the event is written with the next one that can be.
        """
        self._fresh = False
        self._waiting.append(event_line(event))
        try:
            self._write(b"".join(self._waiting))
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            self.trouble = f"The game is not being saved: {error.strerror or error}."
        else:
            self._waiting.clear()
            self.trouble = ""

    def watch(self, session: Session, event: Event) -> None:
        """Keep each event of a session (a Session watcher)."""
        self.append(event)
        session.trouble = self.trouble

    def rewrite(self, header: Header, history: History) -> Path:
        """Begin the file anew with these answers; returns where everything it held is kept aside."""
        aside = _keep_aside(self.path)
        self._file.truncate(0)
        self._end = 0
        self._write(header.line() + b"".join(event_line(event) for event in events_of(history)))
        return aside

    def close(self) -> None:
        """Let go of the save; one in which nothing was ever answered is removed."""
        if self._file.closed:
            return
        close(self._file)
        if self._fresh:
            self.path.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        self._file.seek(self._end)
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) or 0 :]
        os.fsync(self._file.fileno())
        self._end += len(data)


class Opened(NamedTuple):
    """A save opened for playing on."""

    save: Save
    header: Header
    events: tuple[Event, ...]
    notes: tuple[str, ...]
    """What was repaired, a sentence each."""


def create(deck: DeckMark, title: str, seed: int, *, mine: bool = False) -> Save:
    """Begin a save; raises SaveError if the data folder cannot be written."""
    now = datetime.now(UTC)
    header = Header(deck, title, seed, now.strftime("%Y-%m-%dT%H:%M:%SZ"), mine)
    stem = f"{re.sub('[^a-z0-9]+', '-', deck.id.lower()).strip('-') or 'game'}-{now:%Y%m%d-%H%M%S}"
    folder = saves_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = _new_file(folder, stem)
        save = Save(path, _take(path), 0)
        save._write(header.line())
        _sync_folder(folder)
    except OSError as error:
        raise SaveError(
            f"cannot write a save in {folder}: {error.strerror or error}; name another folder in CARDWALK_DATA_DIR "
            "or play with --no-save"
        ) from error
    save._fresh = True
    return save


def open_save(name: str = "") -> Opened:
    """Open a save to play on, by default the newest, repairing what a crash left behind.

    Raises SaveError if there is none of that name, if another process plays it, or if its first line is damaged; the
    file is then kept aside and named.
    """
    path = find(name)
    try:
        file = _take(path)
        data = file.readall()
    except OSError as error:
        raise SaveError(f"cannot open the save {path.name}: {error.strerror or error}") from error
    reading = read(data)
    try:
        return _repaired(path, file, reading)
    except OSError as error:
        close(file)
        raise SaveError(f"cannot repair the save {path.name}: {error.strerror or error}") from error
    except SaveError:
        close(file)
        raise


def find(name: str = "") -> Path:
    """The save's file by name or by a beginning that only one has; the newest without a name. Raises SaveError."""
    infos = [info for info in listing() if name or info.state != "damaged"]
    if not infos:
        raise SaveError("there is no save yet: 'cardwalk play' begins a game")
    if not name:
        return saves_folder() / (infos[0].name + ENDING)
    names = [info.name for info in infos]
    wanted = name.removesuffix(ENDING)
    matches = [known for known in names if known == wanted] or [known for known in names if known.startswith(wanted)]
    if len(matches) == 1:
        return saves_folder() / (matches[0] + ENDING)
    if matches:
        raise SaveError(f"several saves begin with '{name}': {', '.join(matches[:5])}{', …' * (len(matches) > 5)}")
    near = difflib.get_close_matches(wanted, names, 1)
    hint = f"did you mean '{near[0]}'?" if near else "'cardwalk saves' lists them"
    raise SaveError(f"there is no save '{name}'; {hint}")


@dataclass(frozen=True, slots=True)
class SaveInfo:
    """A save as lists show it."""

    name: str
    title: str
    deck: str
    kind: str
    seed: int
    created: str
    played: str
    """When it was last written, UTC, ISO 8601."""
    answers: int
    chapter: int | None
    card: int | str | None
    """The card being read; None before the first answer and for an encounter alone."""
    over: str
    """The kind of its end (``victory``, ``death`` …); empty while it goes on."""
    state: str
    """``ok``, ``damaged`` (from some line on, or whole) or ``newer`` (written by a later version)."""

    def json(self) -> dict[str, Any]:
        """As ``saves --json`` prints it."""
        return asdict(self)


def listing() -> list[SaveInfo]:
    """All saves, the one played last first; damaged ones included. Raises SaveError if the folder cannot be read."""
    try:
        found = [entry for entry in os.scandir(saves_folder()) if entry.name.endswith(ENDING)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SaveError(f"cannot read the saves in {saves_folder()}: {error.strerror or error}") from error
    entries = []
    for entry in found:
        # A link that leads nowhere, or in a circle, hides itself alone.
        with suppress(OSError):
            if entry.is_file():
                entries.append((entry.stat().st_mtime_ns, Path(entry.path)))
    return [_info(path, modified) for modified, path in sorted(entries, reverse=True)]


def export(name: str) -> bytes:
    """The whole content of a save. Raises SaveError if there is none of that name."""
    path = find(name)
    try:
        return path.read_bytes()
    except OSError as error:
        raise SaveError(f"cannot read the save {path.name}: {error.strerror or error}") from error


def import_file(source: Path) -> str:
    """Copy a save from outside into the data folder, beside what is there; returns its name. Raises SaveError."""
    try:
        with source.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SaveError(f"cannot read {source}: {error.strerror or error}") from error
    if len(data) > LARGEST:
        raise SaveError(f"{source} is no save of Cardwalk: it is larger than {LARGEST >> 20} MiB")
    reading = read(data)
    if reading.header is None:
        later = reading.format.startswith("save/") and reading.format != FORMAT
        raise SaveError(f"{source} is a save of a later version" if later else f"{source} is no save of Cardwalk")
    if reading.bad_line:
        raise SaveError(f"{source}:{reading.bad_line}: the line is damaged; nothing was imported")
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", source.name.removesuffix(ENDING)).strip("-.") or "game"
    try:
        saves_folder().mkdir(parents=True, exist_ok=True)
        path = _new_file(saves_folder(), stem)
        path.write_bytes(data[: reading.good] + b"\n" * reading.unended)
    except OSError as error:
        raise SaveError(f"cannot write a save in {saves_folder()}: {error.strerror or error}") from error
    return path.name.removesuffix(ENDING)


def delete(name: str) -> str:
    """Remove a save for good; returns its full name. Raises SaveError if it is being played or there is none."""
    path = find(name)
    try:
        close(_take(path))
        path.unlink()
    except OSError as error:
        raise SaveError(f"cannot delete the save {path.name}: {error.strerror or error}") from error
    return path.name.removesuffix(ENDING)


# -------------------------------------------------------------------- inside


def _repaired(path: Path, file: FileIO, reading: Reading) -> Opened:
    notes = []
    if reading.header is None:
        if reading.format.startswith("save/") and reading.format != FORMAT:
            raise SaveError(f"the save {path.name} was written by a later version of Cardwalk ({reading.format})")
        aside = _keep_aside(path)
        close(file)
        path.unlink()
        raise SaveError(f"the save {path.name} is damaged from its first line on; it is kept as {_shown(aside)}")
    save = Save(path, file, reading.good)
    if reading.bad_line:
        aside = _keep_aside(path)
        file.truncate(reading.good)
        os.fsync(file.fileno())
        notes.append(
            f"Line {reading.bad_line} of the save {path.name} is damaged: the game goes on from before it, "
            f"and the whole file is kept as {_shown(aside)}."
        )
    elif reading.torn:
        file.truncate(reading.good)
        os.fsync(file.fileno())
        notes.append("The last answer was cut off while it was being saved; the game goes on from before it.")
    elif reading.unended:
        save._write(b"\n")
    return Opened(save, reading.header, reading.events, tuple(notes))


def _info(path: Path, modified: int) -> SaveInfo:
    played = datetime.fromtimestamp(modified / 1e9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = path.name.removesuffix(ENDING)
    try:
        reading = read(path.read_bytes())
    except OSError:
        reading = read(b"")
    header = reading.header
    if header is None:
        newer = reading.format.startswith("save/") and reading.format != FORMAT
        return SaveInfo(name, "", "", "", 0, "", played, 0, None, None, "", "newer" if newer else "damaged")
    at, over, answers = _stand(reading.events)
    return SaveInfo(
        name,
        header.title,
        header.deck.id,
        header.deck.kind,
        header.seed,
        header.created,
        played,
        answers,
        at[0] if at else None,
        at[1] if at else None,
        over,
        "damaged" if reading.bad_line else "ok",
    )


def _stand(events: Iterable[Event]) -> tuple[tuple[int, int | str] | None, str, int]:
    """Where the events end: (chapter, card), how the game ended, how many answers hold."""
    events = tuple(events)
    kept = len(history_of(events).kept)
    last = next((event for event in reversed(events) if "deck" not in event and "mine" not in event), {})
    at, over = last.get("at"), last.get("over")
    stand = None
    if isinstance(at, list) and len(at) == 2 and isinstance(at[0], int) and isinstance(at[1], int | str):
        stand = at[0], at[1]
    return stand, over if isinstance(over, str) else "", kept


def _new_file(folder: Path, stem: str) -> Path:
    """An empty new file, numbered if the name is taken: nothing is ever overwritten."""
    number = 1
    while True:
        path = folder / f"{stem}{f'-{number}' if number > 1 else ''}{ENDING}"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return path


def _take(path: Path) -> FileIO:
    file = FileIO(path, "r+")
    if not lock(file):
        file.close()
        raise SaveError(f"the save {path.name.removesuffix(ENDING)} is being played by another process: close it first")
    return file


def _keep_aside(path: Path) -> Path:
    folder = path.parent / "aside"
    folder.mkdir(exist_ok=True)
    copy = _new_file(folder, path.name.removesuffix(ENDING))
    shutil.copyfile(path, copy)
    with copy.open("rb+") as file:
        os.fsync(file.fileno())
    return copy


def _shown(aside: Path) -> str:
    return str(Path("saves", "aside", aside.name))


def _sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut, where folders can be synced."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
