"""Where decks were last seen on this machine: a small file beside the saves, which themselves name no path."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from runner.saves import data_folder

REMEMBERED = 8
"""Folders remembered for one deck id."""


def remembered(deck: str) -> list[Path]:
    """Where decks of that id were played from, the latest first; they may be gone."""
    return [Path(path) for path in _read().get(deck, [])]


def remember(deck: str, path: Path) -> None:
    """Note where a deck lies; a note that cannot be written is only a convenience less."""
    place = str(path.resolve())
    notes = _read()
    notes[deck] = [place, *(old for old in notes.get(deck, []) if old != place)][:REMEMBERED]
    with suppress(OSError):
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / "decks.json.part"
        part.write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(folder / "decks.json")


def _read() -> dict[str, list[str]]:
    try:
        notes = json.loads((data_folder() / "decks.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(notes, dict):
        return {}
    return {
        str(deck): [path for path in paths if isinstance(path, str)]
        for deck, paths in notes.items()
        if isinstance(paths, list)
    }
