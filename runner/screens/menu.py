"""What screens that are a list of rows have in common: a number, enter or a click takes a row, arrows move the mark."""

from __future__ import annotations

from runner.screens.play import CommandScreen
from runner.view import Row
from runner.widgets.choices import Choices


class MenuScreen(CommandScreen):
    """A screen that is one list of rows."""

    def choose_row(self, row: Row) -> None:
        """Do what a row says."""
        raise NotImplementedError

    def do_choose(self, key: str) -> None:
        """Take the row of that number."""
        row = self.query_one(Choices).by_key(key)
        if row is not None:
            self.choose_row(row)

    def do_accept(self, key: str) -> None:
        """Take the marked row."""
        row = self.query_one(Choices).current
        if row is not None:
            self.choose_row(row)

    def do_mark(self, key: str) -> None:
        """Move the mark."""
        self.query_one(Choices).move(-1 if key == "up" else 1)

    def on_choices_chosen(self, message: Choices.Chosen) -> None:
        """A row was clicked."""
        message.stop()
        self.click_row(message.row)

    def click_row(self, row: Row) -> None:
        """Do what a click on a row does."""
        self.choose_row(row)
