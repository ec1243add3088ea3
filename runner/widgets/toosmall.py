"""Stands in for a screen that its terminal has no room for."""

from __future__ import annotations

from collections.abc import Sequence

from runner.view import Line, wrap
from runner.widgets.drawn import Drawn


class TooSmall(Drawn):
    """Says how large the terminal must be."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.needed = (columns, rows)

    def lines(self, width: int, height: int) -> Sequence[Line]:
        columns, rows = self.needed
        here = self.app.size
        text = (
            f"This needs {columns} columns by {rows} rows, and the window has {here.width} by {here.height}. "
            "Make it larger, or q and play by lines: cardwalk resume --plain."
        )
        return wrap(((text, ""),), max(10, width))
