"""A file that a command is asked to write: found out before the work whether it can be, written after it."""

from __future__ import annotations

from pathlib import Path

from runner.cli import Failure


class OutputFile:
    """The file of ``--html`` or ``-o``; raises Failure in the name of ``command`` if it cannot be written."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self.command = command
        self.path = Path(name)
        try:
            new = not self.path.exists()
            with self.path.open("a", encoding="utf-8"):
                pass
            if new:
                self.path.unlink()
        except (OSError, ValueError) as error:
            raise self._failure(error) from None

    def write(self, text: str) -> None:
        """Write it all; raises Failure."""
        try:
            self.path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> Failure:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        return Failure(f"{self.command}: {self.name}: {why}")
