"""The footer: every key that does something now."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from runner.keys import Command
from runner.view import DIM, Line, width_of
from runner.widgets.drawn import Drawn


class KeyBar(Drawn):
    """Keys with their labels in one row; a click does the same as the key."""

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, command: Command) -> None:
            super().__init__()
            self.command = command

    commands: tuple[Command, ...] = ()
    shown: tuple[str, ...] = ()

    def show(self, commands: Sequence[Command], numbers: int = 0) -> None:
        """Show these commands; ``numbers`` is how many choices the digits reach."""
        shown = tuple(self._key(command, numbers) for command in commands)
        if (tuple(commands), shown) != (self.commands, self.shown):
            self.commands, self.shown = tuple(commands), shown
            self.refresh()

    @staticmethod
    def _key(command: Command, numbers: int) -> str:
        if command.shown == "1-9" and numbers:
            return "1" if numbers == 1 else f"1-{min(9, numbers)}"
        return command.shown

    def _fitting(self, width: int) -> list[Command]:
        """The commands that there is room for: of the less needed ones before the last, the later give way."""
        commands = list(self.commands)
        lengths = [cell_len(f"{key} {c.label}") + 1 for c, key in zip(commands, self.shown, strict=True)]
        while len(commands) > 1 and sum(lengths) - 1 > width - 2:
            commands.pop(-2)
            lengths.pop(-2)
        return commands

    def _parts(self, width: int) -> list[Line]:
        shown = dict(zip(self.commands, self.shown, strict=True))
        return [((shown[c], "bold $accent"), (f" {c.label}", DIM)) for c in self._fitting(width)]

    def _gap(self, parts: list[Line], width: int) -> int:
        room = width - 2 - sum(width_of(part) for part in parts)
        return 1 if len(parts) < 2 else max(1, min(3, room // (len(parts) - 1)))

    def lines(self, width: int, height: int) -> Sequence[Line]:
        parts = self._parts(width)
        gap = self._gap(parts, width)
        line: list[tuple[str, str]] = [(" ", "")]
        for i, part in enumerate(parts):
            line += [(" " * gap, "")] * bool(i) + [*part]
        return (tuple(line),)

    def on_click(self, event: events.Click) -> None:
        """Do what the key under the pointer does."""
        width = self.content_size.width
        parts = self._parts(width)
        gap, x = self._gap(parts, width), 1
        for command, part in zip(self._fitting(width), parts, strict=True):
            if x <= event.x < x + width_of(part):
                self.post_message(self.Pressed(command))
                return
            x += width_of(part) + gap
