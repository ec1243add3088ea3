"""A list of choices: numbered, with a mark that arrows move, cost or need at the right edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.message import Message

from runner.view import BLANK, DIM, Line, Row, row_lines, width_of, wrap
from runner.widgets.drawn import Drawn

Heading = Sequence[Line] | Callable[[int], Sequence[Line]]
"""Lines above the rows, or what sets them to a width."""


class Choices(Drawn):
    """Rows to choose from; a click on a row chooses it."""

    class Chosen(Message):
        """A row was clicked."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    rows: tuple[Row, ...] = ()
    heading: Heading = ()
    marked = 0
    gap = False
    """A blank line between rows."""

    def show(self, rows: Sequence[Row], heading: Heading = (), marked: int | None = None) -> None:
        """Show other rows with the mark on the first open one."""
        self.rows, self.heading = tuple(rows), heading
        first = next((i for i, row in enumerate(self.rows) if row.answer), 0)
        self.marked = first if marked is None else min(marked, max(0, len(self.rows) - 1))
        self.redraw()

    def move(self, step: int) -> None:
        """Move the mark over the open rows, around the ends."""
        open_ = [i for i, row in enumerate(self.rows) if row.answer]
        if open_:
            here = open_.index(self.marked) if self.marked in open_ else 0
            self.marked = open_[(here + step) % len(open_)]
            self.redraw()

    @property
    def current(self) -> Row | None:
        """The marked row, if it is open."""
        row = self.rows[self.marked] if self.rows else None
        return row if row is not None and row.answer else None

    def by_key(self, key: str) -> Row | None:
        """The open row that a key chooses."""
        return next((row for row in self.rows if row.key == key and row.answer), None)

    def _headed(self, width: int) -> list[Line]:
        """The heading; what is longer than a line is wrapped."""
        heading = self.heading(width) if callable(self.heading) else self.heading
        return [part for line in heading for part in (wrap(line, width) if width_of(line) > width else (line,))]

    def _drawn(self, width: int) -> list[tuple[int, Line]]:
        """Every line with the place of its row; -1 for the heading, and the blank lines between rows."""
        lines = [(-1, line) for line in self._headed(width)]
        for i, row in enumerate(self.rows):
            if self.gap and i:
                lines.append((-1, BLANK))
            lines += [(i, line) for line in row_lines(row, width, i == self.marked and bool(row.answer))]
        return lines

    def _in_view(self, width: int, height: int) -> list[tuple[int, Line]]:
        """The lines that there is room for: around the mark, with a sign where more stands above or below."""
        lines = self._drawn(width)
        if not 0 < height < len(lines):
            return lines
        marked = [y for y, (place, _) in enumerate(lines) if place == self.marked] or [0]
        top = max(0, min(marked[-1] + 2 - height, len(lines) - height, marked[0]))
        view = lines[top : top + height]
        if top and view[0][0] != self.marked:
            view[0] = (-1, (("   ▴ more", DIM),))
        if top + height < len(lines) and view[-1][0] != self.marked:
            view[-1] = (-1, (("   ▾ more", DIM),))
        return view

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return [line for _, line in self._in_view(width, height)]

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the pointer."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        view = self._in_view(self.content_size.width, self.content_size.height)
        place = view[offset.y][0] if offset.y < len(view) else -1
        if place >= 0 and self.rows[place].answer:
            self.post_message(self.Chosen(self.rows[place]))
