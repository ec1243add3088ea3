"""The footer: every key that does something now."""

from __future__ import annotations

from collections.abc import Sequence

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

    def _parts(self, width: int) -> list[Line]:
        parts: list[Line] = [
            ((key, "bold $accent"), (f" {command.label}", DIM))
            for command, key in zip(self.commands, self.shown, strict=True)
        ]
        while parts and sum(width_of(part) for part in parts) + len(parts) - 1 > width - 2:
            parts.pop(-2 if len(parts) > 1 else 0)
        return parts

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
        shown = [c for c in self.commands]
        for command, part in zip(shown, parts, strict=False):
            if x <= event.x < x + width_of(part):
                self.post_message(self.Pressed(command))
                return
            x += width_of(part) + gap
