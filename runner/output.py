"""What a command writes: one file, a folder of files, or a JSON document."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from runner.cli import Failure

_DECK_FILES = (".yaml", ".yml")


class OutputFile:
    """The file of ``--html`` or ``-o``: found out before the work whether it can be written, written after it.

    Raises Failure in the name of ``command`` if it cannot be written, or if a deck file would be lost by it.
    """

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self.command = command
        self.path = Path(name)
        try:
            self.new = not self.path.exists()
            if not self.new and self.path.suffix.lower() in _DECK_FILES and self.path.is_file():
                raise Failure(f"{command}: {name} is there already and may be a deck file; name another")
            with self.path.open("a", encoding="utf-8"):
                pass
            if self.new:
                self.path.unlink()
        except (OSError, ValueError) as error:
            raise Failure(f"{command}: {name}: {reason(error)}") from None

    def write(self, text: str) -> None:
        """Write it all; raises Failure."""
        try:
            self.path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            if self.new:
                self.path.unlink(missing_ok=True)
            raise Failure(f"{self.command}: {self.name}: {reason(error)}") from None


class NewFolder:
    """The folder of a new deck; raises Failure in the name of ``command`` unless it is empty or not there yet."""

    def __init__(self, name: str, command: str) -> None:
        self.path = Path(name)
        self.command = command
        try:
            if self.path.exists() and not self.path.is_dir():
                raise Failure(f"{command}: {name} is a file; a folder is needed")
            if self.path.is_dir() and any(self.path.iterdir()):
                raise Failure(f"{command}: {name} is not empty; nothing was written")
        except (OSError, ValueError) as error:
            raise Failure(f"{command}: {name}: {reason(error)}") from None

    def write(self, files: Mapping[str, str]) -> None:
        """Write all files or, if that fails, none; raises Failure."""
        written: list[Path] = []
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                with (self.path / name).open("x", encoding="utf-8", newline="\n") as file:
                    written.append(self.path / name)
                    file.write(text)
        except OSError as error:
            for path in written:
                path.unlink(missing_ok=True)
            raise Failure(f"{self.command}: {self.path}: {reason(error)}; nothing was written") from None


def what_next(folder: str) -> str:
    """What an author does with a new deck, in a line that can be copied to a shell."""
    import shlex

    name = shlex.quote(f"./{folder}" if folder.startswith("-") else folder)
    mark = "`" if "'" in name else "'"
    return f"{mark}cardwalk check {name}{mark} looks it over, {mark}cardwalk play {name}{mark} plays it."


def reason(error: Exception) -> object:
    """Why something cannot be read or written, in the system's words."""
    return error.strerror if isinstance(error, OSError) and error.strerror else error


def print_json(document: object) -> None:
    """Print a JSON document; where standard output is not UTF-8, letters beyond ASCII are escaped, not lost."""
    import json

    whole = sys.stdout.encoding.lower().replace("-", "").startswith("utf")
    print(json.dumps(document, ensure_ascii=not whole, indent=2))
