"""What happens, in sentences: the last of them, or all of them to scroll through."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from runner.view import BLANK, Line, told_lines
from runner.widgets.drawn import Drawn, Page
from story.prompts import Told


class Narration(Drawn):
    """The end of what was told, the newest sentences last; older ones are dimmed."""

    told: tuple[Told, ...] = ()
    new = 0
    """How many of them, at the end, are new."""
    rules = True
    top: tuple[Line, ...] = ()
    """Shown instead of what was told."""

    def show(self, told: Sequence[Told], new: int, top: Sequence[Line] = ()) -> None:
        """Show the end of ``told``; ``top`` takes its place."""
        self.told, self.new, self.top = tuple(told), new, tuple(top)
        self.redraw()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        room = height or 6
        body: list[Line] = []
        if self.top:
            body = list(self.top[:room])
        else:
            for back, told in enumerate(reversed(self.told)):
                lines = told_lines(told, width, rules=self.rules, dim=back >= self.new)
                if len(body) + len(lines) > room:
                    break
                body = [*lines, *body]
        return (*body, *[BLANK] * (room - len(body)))


class LogText(Drawn):
    """All that was told."""

    told: tuple[Told, ...] = ()
    rules = True

    def lines(self, width: int, height: int) -> Sequence[Line]:
        lines: list[Line] = []
        for told in self.told:
            if told.kind == "round" or (told.kind == "card" and told.rule in ("CHK-1", "NAV-2")):
                lines += [BLANK] * bool(lines)
            lines += told_lines(told, width, rules=self.rules)
        return lines or ((("Nothing has happened yet.", "$text-muted"),),)


class Log(Page):
    """All that was told, scrolled to the end."""

    def compose(self) -> ComposeResult:
        yield LogText()

    def show(self, told: Sequence[Told], rules: bool) -> None:
        """Show everything and go to the end."""
        text = self.query_one(LogText)
        if tuple(told) != text.told or rules != text.rules:
            text.told, text.rules = tuple(told), rules
            text.redraw()
            self.call_after_refresh(self.scroll_end, animate=False)
