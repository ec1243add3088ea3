"""The options: theme, animation, dice, how much is told. They take effect at once and are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.app import ComposeResult
from textual.containers import Container

from runner.preferences import ALLOWED
from runner.screens.menu import MenuScreen
from runner.view import BLANK, DIM, Row
from runner.widgets.choices import Choices
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar

TITLES: dict[str, tuple[str, dict[Any, str]]] = {
    "theme": ("Theme", {"lagoon": "lagoon, dark", "paper": "paper, light", "contrast": "high contrast"}),
    "dice": ("Dice", {"app": "the program rolls", "mine": "I roll my own and type the face"}),
    "animation": ("A rolling die", {True: "tumbles for a moment", False: "lies still"}),
    "detail": ("Enemy turns", {"steps": "told step by step", "turns": "told at once"}),
    "rules": ("Rule beside each sentence", {True: "shown", False: "hidden"}),
}


class OptionsScreen(MenuScreen):
    """What the player likes."""

    context_name = "options"

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Container(classes="page"):
            yield Choices(id="choices")
        yield KeyBar()

    def opened(self) -> None:
        """Show the options as they are."""
        self.query_one(Header).show((("Options", "bold"),))
        self._show(0)

    def _show(self, marked: int) -> None:
        rows = []
        for number, (name, (title, values)) in enumerate(TITLES.items(), 1):
            value = self._value(name)
            rows.append(Row(str(number), title, values[value], name))
        choices = self.query_one(Choices)
        choices.gap = True
        choices.show(rows, ((("enter or a number changes an option; it is kept", DIM),), BLANK), marked)
        self.show_keys()

    def _value(self, name: str) -> Any:
        session = self.cardwalk.session
        if name == "dice" and session is not None:
            return "mine" if session.mine else "app"
        return getattr(self.cardwalk.preferences, name)

    def numbers(self) -> int:
        return len(TITLES)

    def choose_row(self, row: Row) -> None:
        """Set an option to its next value."""
        preferences = self.cardwalk.preferences
        values = ALLOWED[row.answer]
        following = values[(values.index(self._value(row.answer)) + 1) % len(values)]
        self.cardwalk.set_preferences(replace(preferences, **{row.answer: following}))
        if row.answer == "dice" and self.cardwalk.session is not None:
            self.cardwalk.session.use_own_dice(following == "mine")
        self._show(list(TITLES).index(row.answer))
