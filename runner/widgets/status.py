"""What she holds, always in view."""

from __future__ import annotations

from collections.abc import Sequence

from runner.view import Line, status, status_rows
from runner.widgets.drawn import Drawn
from story.cards import Library
from story.hero import Hero


class _Held(Drawn):
    hero: Hero | None = None
    library = Library()

    def show(self, hero: Hero, library: Library) -> None:
        """Show what she holds now."""
        if hero != self.hero or library is not self.library:
            self.hero, self.library = hero, library
            self.redraw()


class StatusColumn(_Held):
    """Health dice, Action Points, talents, satchel and inventories, one under the other."""

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return status(self.hero, self.library, width, height or 40) if self.hero else ()


class StatusRows(_Held):
    """Talents, satchel and inventories in two rows."""

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return status_rows(self.hero, self.library, width) if self.hero else ((), ())
