"""Answers typed by a person, while a deck is watched: whichever comes first is read first."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TextIO

from runner.plain import SAVED, Line
from runner.watch import PAUSE


class Listener:
    """Lines of a stream, or ``plain.SAVED`` when ``saved()`` says so while nobody has typed one."""

    def __init__(self, stream: TextIO, saved: Callable[[], bool]) -> None:
        self.echoes = not stream.isatty()
        self._saved = saved
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        # A thread of its own, because no system can wait for a line and look at files; it reads the descriptor itself,
        # because a stream that is being read cannot be closed when the program ends.
        Thread(target=self._listen, args=(stream.fileno(), stream.encoding), daemon=True).start()

    def peek(self) -> Line | None:
        """Nobody knows what a person will say."""
        return None

    def read(self) -> Line | None:
        """The next line, ``SAVED``, or None at the end."""
        while True:
            if self._saved():
                return SAVED
            try:
                text = self._lines.get(timeout=PAUSE)
            except Empty:
                continue
            return Line(text.strip()) if text is not None else None

    def _listen(self, descriptor: int, encoding: str) -> None:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        rest = ""
        while data := _read(descriptor):
            *lines, rest = (rest + decoder.decode(data)).split("\n")
            for line in lines:
                self._lines.put(line)
        if rest:
            self._lines.put(rest)
        self._lines.put(None)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
