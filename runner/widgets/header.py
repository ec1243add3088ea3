"""The line above everything: where one is, and what must never be out of sight."""

from __future__ import annotations

from collections.abc import Sequence

from runner.view import BLANK, Line, spread
from runner.widgets.drawn import Drawn


class Header(Drawn):
    """One line above everything: where one is."""

    left: Line = BLANK
    right: Line = ()

    def show(self, left: Line, right: Line = ()) -> None:
        """Show these two parts."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.refresh()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return (spread(self.left, self.right, width),)
