"""Which deck to begin, and which save to go on with."""

from __future__ import annotations

import re
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from runner.screens.menu import MenuScreen
from runner.shown_saves import save_words
from runner.terminal import clean
from runner.view import BLANK, DIM, Row
from runner.widgets.choices import Choices
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar

_TITLE = re.compile(r"^title:\s*(.+?)\s*$", re.M)


class ListScreen(MenuScreen):
    """A list to choose one thing from; closes with what was chosen."""

    title_words = ""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with VerticalScroll(classes="page", can_focus=False):
            yield Choices(id="choices")
        yield KeyBar()

    def opened(self) -> None:
        """Show the list."""
        self.query_one(Header).show(((self.title_words, "bold"),))
        self.show_rows()

    def show_rows(self, marked: int | None = None) -> None:
        """Fill the list."""
        raise NotImplementedError

    def choose_row(self, row: Row) -> None:
        """A row was chosen."""
        self.dismiss(row.answer)

    def numbers(self) -> int:
        return sum(bool(row.key) for row in self.query_one(Choices).rows)

    def do_mark(self, key: str) -> None:
        """Move the mark, and the page with it."""
        super().do_mark(key)
        choices = self.query_one(Choices)
        page = self.query_one(VerticalScroll)
        top = choices.marked * (2 if choices.gap else 1)
        if not page.scroll_y <= top < page.scroll_y + page.size.height - 3:
            page.scroll_to(y=max(0, top - page.size.height // 2), animate=False)


class NewGameScreen(ListScreen):
    """The built-in decks, decks played before, or a path."""

    context_name = "new"
    title_words = "New game"
    typing = False
    typed = ""

    def show_rows(self, marked: int | None = None) -> None:
        from story.decks import built_in, resolve

        rows = [
            Row(str(i), deck_title(resolve(name)), f"built in: {name}", name) for i, name in enumerate(built_in(), 1)
        ]
        label = f"Deck: {self.typed}▏" if self.typing else "Another deck: type its folder or file"
        note = "enter begins it, esc forgets it" if self.typing else ""
        rows.append(Row(str(len(rows) + 1), label, note, "path"))
        choices = self.query_one(Choices)
        choices.gap = True
        choices.show(rows, ((("A deck is a folder with campaign.yaml, or an encounter file.", DIM),), BLANK), marked)
        self.show_keys()

    def choose_row(self, row: Row) -> None:
        if row.answer != "path":
            self.dismiss(row.answer)
        else:
            self.typing = True
            self.show_rows(len(self.query_one(Choices).rows) - 1)

    def press(self, event: events.Key) -> bool:
        """While a path is typed, keys are its characters."""
        if not self.typing:
            return super().press(event)
        if event.key == "enter" and self.typed.strip():
            self.dismiss(str(Path(self.typed.strip()).expanduser()))
            return True
        if event.key == "escape":
            self.typing, self.typed = False, ""
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
        elif event.is_printable and event.character:
            self.typed += event.character
        self.show_rows(len(self.query_one(Choices).rows) - 1)
        return True

    def on_paste(self, event: events.Paste) -> None:
        """A pasted path."""
        self.typing = True
        self.typed += clean(event.text).replace("\n", "")
        self.show_rows(len(self.query_one(Choices).rows) - 1)


def deck_title(path: Path) -> str:
    """A campaign's title from its file, without reading the whole deck; the folder's name if it has none."""
    try:
        match = _TITLE.search(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        match = None
    return clean(match.group(1).strip("'\"")) if match else path.parent.name


class LoadScreen(ListScreen):
    """All saves, the one played last first."""

    context_name = "load"
    title_words = "Load"
    doomed = ""
    """The save that is about to be deleted, if it is confirmed."""

    @property
    def context(self) -> str:
        return "confirm" if self.doomed else "load"

    def show_rows(self, marked: int | None = None) -> None:
        from runner.saves import SaveError, listing

        try:
            saves = listing()
        except SaveError as error:
            saves = []
            self.notify(str(error), severity="error", markup=False)
        rows = []
        for number, save in enumerate(saves, 1):
            title, where = save_words(save)
            rows.append(Row(str(number) if number < 10 else "", title, where, save.name))
        head = (
            ((f"Delete {self.doomed} for good?", "bold $warning"),)
            if self.doomed
            else ((f"{len(rows)} game{'s' * (len(rows) != 1)}", DIM),)
        )
        self.query_one(Choices).show(rows, (head, BLANK), marked)
        self.show_keys()

    def do_delete(self, key: str) -> None:
        """Ask whether the marked save may be deleted."""
        choices = self.query_one(Choices)
        if choices.current is not None:
            self.doomed = choices.current.answer
            self.show_rows(choices.marked)

    def do_yes(self, key: str) -> None:
        """Delete it."""
        from runner.saves import SaveError, delete

        try:
            delete(self.doomed)
        except SaveError as error:
            self.notify(str(error), severity="error", markup=False)
        self.doomed = ""
        self.show_rows()

    def do_no(self, key: str) -> None:
        """Keep it."""
        self.doomed = ""
        self.show_rows(self.query_one(Choices).marked)
