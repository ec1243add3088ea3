"""Two small questions over any screen: a line of text, and one entry of a list."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from runner.view import Row
from runner.widgets.choices import Choices


class AskText(ModalScreen[str | None]):
    """Asks for one line; enter takes it, escape takes nothing."""

    CSS = """
    AskText { align: center middle; background: $background 60%; }
    AskText Vertical { width: 64; height: auto; border: round $accent; background: $panel-ground; padding: 0 1; }
    AskText Input { border: none; padding: 0; margin: 1 0; }
    AskText .hint { color: $text-muted; }
    """

    def __init__(self, question: str, value: str = "", hint: str = "enter takes it, esc takes nothing") -> None:
        super().__init__()
        self.question, self.value, self.hint = question, value, hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.question, markup=False)
            field = Input(self.value)
            field.cursor_blink = False
            yield field
            yield Static(self.hint, classes="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line; an empty one counts as nothing."""
        self.dismiss(event.value.strip() or None)

    def on_key(self, event: events.Key) -> None:
        """Escape takes nothing."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)


class AskList(ModalScreen[str | None]):
    """Asks for one row of a list: arrows and enter, its key, or a click; escape takes nothing."""

    CSS = """
    AskList { align: center middle; background: $background 60%; }
    AskList Vertical { width: 64; height: auto; border: round $accent; background: $panel-ground; padding: 0 1; }
    AskList VerticalScroll { height: auto; max-height: 16; }
    """

    def __init__(self, question: str, rows: Sequence[Row]) -> None:
        super().__init__()
        self.question, self.rows = question, tuple(rows)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.question, markup=False)
            with VerticalScroll(can_focus=False):
                yield Choices(id="entries")

    def on_mount(self) -> None:
        """Show the rows."""
        self.query_one(Choices).show(self.rows)

    def on_key(self, event: events.Key) -> None:
        """Move, take or leave."""
        choices = self.query_one(Choices)
        event.stop()
        match event.key:
            case "escape":
                self.dismiss(None)
            case "up" | "down":
                choices.move(1 if event.key == "down" else -1)
                self.query_one(VerticalScroll).scroll_to(y=max(0, choices.marked - 8), animate=False)
            case "enter" if choices.current:
                self.dismiss(choices.current.answer)
            case _:
                row = choices.by_key(event.key)
                if row:
                    self.dismiss(row.answer)

    def on_choices_chosen(self, message: Choices.Chosen) -> None:
        """A row was clicked."""
        self.dismiss(message.row.answer)
