"""Stands in for a screen that its terminal has no room for."""

from __future__ import annotations

from collections.abc import Sequence

from runner.view import Line, wrap
from runner.widgets.drawn import Drawn


class TooSmall(Drawn):
    """Says how large the terminal must be, and what else can be done."""

    def __init__(self, columns: int, rows: int, way_out: str) -> None:
        super().__init__()
        self.needed = (columns, rows)
        self.way_out = way_out

    def lines(self, width: int, height: int) -> Sequence[Line]:
        columns, rows = self.needed
        here = self.app.size
        text = f"This needs {columns} columns by {rows} rows, and the window has {here.width} by {here.height}."
        return wrap(((f"{text} {self.way_out}", ""),), max(10, width))
