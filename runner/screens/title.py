"""The title: what one would most likely do stands first, and says where one stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from runner.screens.menu import MenuScreen
from runner.shown_saves import save_words
from runner.view import DIM, Line, Row
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn
from runner.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from runner.session import Session

CARDS = (
    ("╭─────╮", "│ 1   │", "│  ♥  │", "│     │", "╰─────╯"),
    ("╭─────╮", "│ 12  │", "│  ◆  │", "│     │", "╰─────╯"),
    ("╭─────╮", "│ ?   │", "│  ●  │", "│     │", "╰─────╯"),
)
COLOURS = ("$chapter-3", "$chapter-4", "$chapter-2")


class Wordmark(Drawn):
    """Three cards and the name."""

    def lines(self, width: int, height: int) -> Sequence[Line]:
        beside = ("", "C A R D W A L K", "solo card adventures", "", "")
        lines: list[Line] = []
        for y in range(5):
            row: list[tuple[str, str]] = []
            for card, colour in zip(CARDS, COLOURS, strict=True):
                row += [(card[y], colour), (" ", "")]
            row += [("   ", ""), (beside[y], "bold" if y == 1 else DIM)]
            lines.append(tuple(row))
        return lines


class TitleScreen(MenuScreen):
    """The first screen."""

    context_name = "title"

    def __init__(self, deck: str | None = None) -> None:
        super().__init__()
        self.deck = deck

    def compose(self) -> ComposeResult:
        with Vertical(id="title"):
            yield Wordmark()
            choices = Choices(id="choices")
            choices.gap = True
            yield choices
        yield KeyBar()

    def opened(self) -> None:
        """Show what can be done; begin the deck that the command line names."""
        self.refresh_rows()
        if self.deck is not None:
            deck, self.deck = self.deck, None
            self.call_after_refresh(self.begin, deck)

    def on_screen_resume(self) -> None:
        """Coming back from a game, its save has moved on."""
        self.refresh_rows()

    def refresh_rows(self) -> None:
        """Read the saves and show the menu."""
        from runner.saves import SaveError, listing

        try:
            saves = listing()
        except SaveError as error:
            saves = []
            self.notify(str(error), severity="warning", markup=False)
        entries: list[tuple[str, str, str]] = []
        latest = next((save for save in saves if save.state != "newer" and save.title), None)
        self._latest = latest.name if latest is not None else ""
        if latest is not None:
            title, where = save_words(latest)
            entries.append(("continue", f"Continue  {title}", where))
        entries.append(("new", "New game", ""))
        if saves:
            entries.append(("load", "Load", f"{len(saves)} game{'s' * (len(saves) != 1)}"))
        entries += [
            ("table", "Table", "lay out a position"),
            ("rules", "Rules", ""),
            ("options", "Options", ""),
            ("quit", "Quit", ""),
        ]
        rows = [Row(str(i), say, note, id, "menu") for i, (id, say, note) in enumerate(entries, 1)]
        choices = self.query_one(Choices)
        # The wordmark, the footer and the air around them take 10 lines, a long first row takes two.
        choices.gap = self.app.size.height >= 2 * len(rows) + 11
        choices.show(rows)
        self.show_keys()

    def numbers(self) -> int:
        return len(self.query_one(Choices).rows)

    # ---------------------------------------------------------------- games

    def open(self, make: Callable[[], Session]) -> None:
        """Open a game, or say why it cannot be opened."""
        from runner.games import GameError
        from runner.saves import SaveError
        from story.problems import DeckError

        try:
            session = make()
        except (GameError, SaveError, DeckError) as error:
            self.notify(str(error), severity="error", timeout=12, markup=False)
            return
        self.cardwalk.open_game(session)

    def begin(self, deck: str) -> None:
        """Begin a game of a deck."""
        from runner.games import new_game

        mine = self.cardwalk.preferences.dice == "mine"
        self.open(lambda: new_game(deck, mine=mine))

    def resume(self, name: str) -> None:
        """Go on with a save."""
        from runner.games import resume_game

        self.open(lambda: resume_game(name))

    # ---------------------------------------------------------------- keys

    def choose_row(self, row: Row) -> None:
        """Do what a row of the menu says."""
        match row.answer:
            case "continue":
                self.resume(self._latest)
            case "new":
                from runner.screens.games import NewGameScreen

                self.app.push_screen(NewGameScreen(), lambda deck: self.begin(deck) if deck else None)
            case "load":
                from runner.screens.games import LoadScreen

                self.app.push_screen(LoadScreen(), lambda name: self.resume(name) if name else None)
            case "table":
                from runner.screens.table import TableScreen

                self.app.push_screen(TableScreen())
            case "options":
                self.do_options("")
            case "rules":
                self.do_rules("")
            case "quit":
                self.do_quit("")
