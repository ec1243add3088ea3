"""The playfield: five columns, three rows, 11-15 at the top; a click on a space says which."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.message import Message

from runner.board import NO_LIGHTS, Lights, Space, board_lines, size, space_at
from runner.view import Line
from runner.widgets.drawn import Drawn


class Playfield(Drawn):
    """The drawn board; its spaces grow with the room it is given."""

    class Clicked(Message):
        """A space was clicked."""

        def __init__(self, space: int) -> None:
            super().__init__()
            self.space = space

    spaces: dict[int, Space] | None = None
    lights: Lights = NO_LIGHTS
    legend = ""
    cell = (10, 3)
    """Columns and rows inside each space."""

    def show(self, spaces: dict[int, Space], lights: Lights, legend: str = "") -> None:
        """Show a position, what is lit on it, and what its letters mean."""
        if (spaces, lights, legend) != (self.spaces, self.lights, self.legend):
            self.spaces, self.lights, self.legend = spaces, lights, legend
            self.refresh()

    def set_cell(self, width: int, height: int) -> None:
        """Set how large a space is."""
        if (width, height) != self.cell:
            self.cell = (width, height)
            columns, rows = size(width, height)
            self.styles.width, self.styles.height = columns, rows

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return board_lines(self.spaces, self.lights, *self.cell, self.legend) if self.spaces else ()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return size(*self.cell)[1]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return size(*self.cell)[0]

    def on_click(self, event: events.Click) -> None:
        """Say which space is under the pointer."""
        space = space_at(event.x, event.y, *self.cell)
        if space:
            self.post_message(self.Clicked(space))
