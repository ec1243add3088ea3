"""A game's log: answers as a script takes them, and what was told as comments; it can be played again."""

from __future__ import annotations

from pathlib import Path

from runner.session import Event, Session, told_lines


class Log:
    """Writes a session's transcript to a file, answer by answer, so that a crash loses none of it."""

    def __init__(self, path: Path, session: Session) -> None:
        """Begin the file with what has happened so far; raises OSError if it cannot be written."""
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._write(session.transcript())

    def watch(self, session: Session, event: Event) -> None:
        """Add an event (a Session watcher)."""
        try:
            if "answer" in event:
                self._write([event["answer"], *told_lines(session.told(len(session.answers)))])
            else:
                self._write([f"{verb} {event[verb]}" for verb in ("undo", "redo", "restart") if verb in event])
        except OSError as error:
            session.watchers.remove(self.watch)
            session.notes.append(f"The log is not being written any more: {error.strerror or error}.")

    def _write(self, lines: list[str]) -> None:
        self._file.write("".join(f"{line}\n" for line in lines))
        self._file.flush()
