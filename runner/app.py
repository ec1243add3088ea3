"""The terminal interface: one app, its themes, and the way between its screens."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from runner.preferences import Preferences, load_preferences, save_preferences
from runner.theme import DEFAULT_VARIABLES, themes

if TYPE_CHECKING:
    from runner.rehearsal import Rehearsal
    from runner.screens.play import PlayScreen
    from runner.session import Session
    from solver.solution import Solution
    from story.cards import Library
    from story.state import State

EXIT_AFTER_FIRST_PAINT = "CARDWALK_EXIT_AFTER_FIRST_PAINT"
"""Set to 1, the app leaves right after its first paint: what the benchmark measures."""


class CardwalkApp(App[int]):
    """Cardwalk in the terminal."""

    TITLE = "Cardwalk"
    CSS_PATH = "styles/cardwalk.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (60, "-narrow"), (110, "-wide")]  # noqa: RUF012  (Textual's own declaration)
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (18, "-low"), (34, "-tall")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = []  # noqa: RUF012  (keys come from runner.keys)

    def __init__(
        self,
        session: Session | None = None,
        *,
        deck: str | None = None,
        screen: str | None = None,
        file: Path | None = None,
        preferences: Preferences | None = None,
        rehearsal: Rehearsal | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.rehearsal = rehearsal
        self.first_deck = deck
        self.first_screen = screen
        self.file = file
        self.preferences = preferences or load_preferences()
        if session is not None:
            self._sit_down(session)
        for theme in themes():
            self.register_theme(theme)
        self.theme = self.preferences.theme
        self._advisor: Any = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DEFAULT_VARIABLES

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(self._first())

    def _first(self) -> Screen[Any]:
        if self.session is not None:
            return self.play_screen()
        if self.first_screen == "table":
            from runner.screens.table import TableScreen

            return TableScreen(self.file)
        from runner.screens.title import TitleScreen

        return TitleScreen(self.first_deck)

    def on_ready(self) -> None:
        """Leave again if only the first paint was wanted."""
        if os.environ.get(EXIT_AFTER_FIRST_PAINT) == "1":
            self.exit(0)

    # ---------------------------------------------------------------- a game

    def play_screen(self) -> PlayScreen:
        """The screen that the session's state belongs on."""
        assert self.session is not None
        if self.session.state.field is not None or self.session.state.journey is None:
            from runner.screens.encounter import EncounterScreen

            return EncounterScreen(self.session)
        from runner.screens.story import StoryScreen

        return StoryScreen(self.session)

    def _sit_down(self, session: Session) -> None:
        """Whose dice are rolled: whoever rolls their own by the options does so in every game."""
        if self.preferences.dice == "mine":
            session.use_own_dice(True)

    def open_game(self, session: Session) -> PlayScreen:
        """Play a session; returns its screen."""
        self.close_game()
        self._sit_down(session)
        self.session = session
        screen = self.play_screen()
        self.push_screen(screen)
        return screen

    def change_screen(self, screen: PlayScreen) -> bool:
        """Change between story and encounter where the session has; returns whether it did."""
        from runner.screens.encounter import EncounterScreen

        state = screen.session.state
        wants_field = state.field is not None or state.journey is None
        if wants_field == isinstance(screen, EncounterScreen):
            return False
        following = self.play_screen()
        following.news = screen.news
        self.switch_screen(following)
        return True

    def leave_game(self) -> None:
        """From a game back to the table it was begun from, else to the title; the save is closed."""
        from runner.screens.table import TableScreen
        from runner.screens.title import TitleScreen

        self.close_game()
        if isinstance(self.screen_stack[-2], TableScreen):
            self.pop_screen()
        elif any(isinstance(screen, TitleScreen) for screen in self.screen_stack):
            while not isinstance(self.screen, TitleScreen):
                self.pop_screen()
        else:
            self.switch_screen(TitleScreen())

    async def action_quit(self) -> None:
        """Leave; a screen that has something to ask first asks it."""
        from runner.screens.play import CommandScreen

        if isinstance(self.screen, CommandScreen):
            self.screen.do_quit("")
        else:
            self.exit(0)

    def close_game(self) -> None:
        """Let go of the session and its save."""
        session, self.session, self.rehearsal = self.session, None, None
        if session is not None:
            session.close()

    def advise(self, library: Library, state: State, **limits: Any) -> Solution:
        """The best play from a state; what was worked out is kept for the next question at the same table."""
        from solver.advice import Advisor

        if self._advisor is None or self._advisor.table.library is not library:
            self._advisor = Advisor(library)
        solution: Solution = self._advisor.advise(state, **limits)
        return solution

    # ---------------------------------------------------------------- options, palette

    def set_preferences(self, preferences: Preferences) -> None:
        """Take over the options and keep them."""
        self.preferences = preferences
        self.theme = preferences.theme
        trouble = save_preferences(preferences)
        if trouble:
            self.notify(trouble, severity="warning", markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: every command that is open on this screen."""
        from runner.screens.play import CommandScreen

        if isinstance(screen, CommandScreen):
            for command in screen.commands():
                if len(command.keys) < 5:
                    yield SystemCommand(
                        f"{command.label} ({command.shown})", command.help, _doing(screen, command.id, command.keys[0])
                    )


def _doing(screen: Any, id: str, key: str) -> Callable[[], None]:
    def do() -> None:
        getattr(screen, f"do_{id}")(key)
        screen.show_keys()

    return do


@contextmanager
def screen_on_output() -> Iterator[None]:
    """The screen on standard output, known to be a terminal, where standard error is none (``2>log``).

    Textual draws on ``sys.__stderr__``, on Windows on ``sys.__stdout__``, and has no setting for it.
    """
    error = sys.__stderr__
    if error is None or not error.isatty():
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    try:
        yield
    finally:
        sys.__stderr__ = error  # type: ignore[misc]


def run(
    deck: str | None = None,
    session: Session | None = None,
    screen: str | None = None,
    file: Path | None = None,
    rehearsal: Rehearsal | None = None,
    **options: Any,
) -> int:
    """Run the interface and return its exit status: at the title, in a session, or at another first screen."""
    with screen_on_output():
        app = CardwalkApp(session, deck=deck, screen=screen, file=file, rehearsal=rehearsal)
        status = app.run()
    app.close_game()
    return status or app.return_code or 0
