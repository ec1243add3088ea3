"""A roll as a moment: the die, what it is for, what each further Action Point would buy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events

from runner.terminal import clean
from runner.view import BLANK, DIM, Line, Row, die_lines, emphasis, row_lines, wrap
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn

TUMBLES = 5
TUMBLE_SECONDS = 0.05
"""The die tumbles for a quarter of a second."""


class Moment(NamedTuple):
    """What the panel shows."""

    title: str
    die: str = ""
    shown: str = ""
    """What the die shows; ``?`` while it is asked for."""
    lines: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    foot: str = ""


class RollPanel(Drawn):
    """The panel over the card or below the playfield; hidden when there is no moment."""

    moment: Moment | None = None
    marked = 0
    _tumbling = 0

    def show(self, moment: Moment | None, *, tumble: bool = False) -> None:
        """Show a moment, or nothing; ``tumble`` lets the die roll first."""
        self.moment = moment
        self.marked = 0
        self.display = moment is not None
        self._tumbling = TUMBLES if tumble and moment is not None and moment.shown.isdigit() else 0
        if self._tumbling:
            self.set_timer(TUMBLE_SECONDS, self._tumble)
        self.redraw()

    def _tumble(self) -> None:
        if self._tumbling:
            self._tumbling -= 1
            self.refresh()
            if self._tumbling:
                self.set_timer(TUMBLE_SECONDS, self._tumble)

    def move(self, step: int) -> None:
        """Move the mark over the rows."""
        if self.moment is not None and self.moment.rows:
            self.marked = (self.marked + step) % len(self.moment.rows)
            self.redraw()

    @property
    def current(self) -> Row | None:
        """The marked row."""
        return self.moment.rows[self.marked] if self.moment is not None and self.moment.rows else None

    def by_key(self, key: str) -> Row | None:
        """The row that a key takes."""
        rows = self.moment.rows if self.moment is not None else ()
        return next((row for row in rows if row.key == key), None)

    def _face(self, moment: Moment) -> tuple[Line, ...]:
        if not moment.die:
            return ()
        shown, style = moment.shown, "bold"
        if self._tumbling:
            sides = {"d6": 6, "d12": 12, "place": 15}.get(moment.die, 20)
            shown, style = str((int(shown) * 7 + self._tumbling * 5) % sides + 1), DIM
        elif shown == "20" and moment.die == "d20":
            style = "bold $accent"
        elif shown == "1" and moment.die == "d20":
            style = "bold $wound"
        return die_lines(moment.die, shown, style)

    def _parts(self, width: int) -> tuple[list[Line], list[tuple[Row | None, Line]]]:
        moment = self.moment
        assert moment is not None
        left = self._face(moment)
        indent = 12 if left else 0
        room = width - indent
        right: list[tuple[Row | None, Line]] = [(None, line) for line in wrap(((clean(moment.title), "bold"),), room)]
        if not self._tumbling:
            for text in moment.lines:
                right += [(None, line) for line in wrap(emphasis(clean(text)), room)]
            for i, row in enumerate(moment.rows):
                right += [(row, line) for line in row_lines(row, room, i == self.marked)]
            if moment.foot:
                right.append((None, ((moment.foot, DIM),)))
        return list(left), right

    def lines(self, width: int, height: int) -> Sequence[Line]:
        if self.moment is None:
            return ()
        left, right = self._parts(width)
        rows = max(len(left), len(right), height)
        if self._tumbling and not height:
            tumbling, self._tumbling = self._tumbling, 0
            rows = max(rows, len(self._parts(width)[1]))
            self._tumbling = tumbling
        lines: list[Line] = []
        for y in range(rows):
            face: Line = (
                ((left[y][0][0] + "   ", left[y][0][1]),) if y < len(left) else ((" " * 12, ""),) if left else ()
            )
            lines.append((*face, *(right[y][1] if y < len(right) else BLANK)))
        return lines

    def on_click(self, event: events.Click) -> None:
        """Take the row under the pointer."""
        offset = event.get_content_offset(self)
        if self.moment is None or offset is None:
            return
        right = self._parts(self.content_size.width)[1]
        if offset.y < len(right) and (row := right[offset.y][0]) is not None:
            self.post_message(Choices.Chosen(row))
