"""Advice: the best moves, worked out beside the game by a worker that only sends messages."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message

from runner.advice import failure, told_apart
from runner.advice_view import table_head, table_rows, verdict_lines, wounds_plot
from runner.screens.games import ListScreen
from runner.view import BLANK, DIM, Line, Row
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from solver.solution import STOPPED
from story.prompts import Decide

if TYPE_CHECKING:
    from runner.session import Session
    from solver.solution import Solution
    from story.state import State

PATIENCE = 10.0
"""Seconds before bounds are shown instead of an exact answer; ``+`` doubles them."""

REPORT_EVERY = 0.25
"""Seconds between two reports of progress."""


class Plot(Drawn):
    """The distribution of the wounds."""

    plot: tuple[Line, ...] = ()
    wounds: dict[int, float] | None = None
    limit = 9

    def lines(self, width: int, height: int) -> tuple[Line, ...]:
        return wounds_plot(self.wounds or {}, self.limit, width)


class AdviceScreen(ListScreen):
    """The best moves from where the session stands; closes with the answer to play, if any."""

    context_name = "advice"

    class Progress(Message):
        """The solver is still at work."""

        def __init__(self, states: int) -> None:
            super().__init__()
            self.states = states

    class Found(Message):
        """What the solver knows; ``done``: it is exact, or its time was up."""

        def __init__(self, solution: Solution, *, done: bool) -> None:
            super().__init__()
            self.solution, self.done = solution, done

    class Failed(Message):
        """The solver cannot answer here."""

        def __init__(self, why: str) -> None:
            super().__init__()
            self.why = why

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.patience = PATIENCE
        self.solution: Solution | None = None
        """The best that is known."""
        self.working = False
        self._began = 0.0
        self._states = 0
        self._word = ""
        """How far the solver is, or why it cannot answer."""
        self._mark = ""
        """The action that the player has marked: the mark stays on it while the list changes."""
        self._stop = threading.Event()
        self._left = False

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with VerticalScroll(classes="page", can_focus=False):
            yield Choices(id="choices")
            yield Plot(id="plot")
        yield KeyBar()

    # ---------------------------------------------------------------- the solver

    def opened(self) -> None:
        """Set the solver to work."""
        self._begin()
        self.set_interval(REPORT_EVERY, self._tell_progress)
        # Whether there is more to scroll to is known once it is laid out.
        self.watch(self.query_one(VerticalScroll), "show_vertical_scrollbar", self.show_keys, init=False)

    def _begin(self) -> None:
        self.working = True
        self._began, self._states = time.monotonic(), 0
        self._word = f"Working it out, in {self.patience:.0f} s at most …"
        self._stop.clear()
        state, seconds = self.session.state, self.patience
        self.run_worker(lambda: self._work(state, seconds), thread=True, exclusive=True, exit_on_error=False)
        self.show_rows()

    def _work(self, state: State, seconds: float) -> None:
        last = time.monotonic()

        def progress(states: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= REPORT_EVERY:
                last = now
                self._post(self.Progress(states))

        def interim(solution: Solution) -> None:
            self._post(self.Found(solution, done=False))

        try:
            solution = self.cardwalk.advise(
                self.session.library,
                state,
                seconds=seconds,
                stop=self._stop.is_set,
                progress=progress,
                interim=interim,
            )
        except Exception as error:  # whatever it is, the player is told: a worker's end is seen nowhere else
            self._post(self.Failed(failure(error)))
        else:
            self._post(self.Found(solution, done=True))

    def _post(self, message: Message) -> None:
        """Whoever has left needs no answer."""
        if not self._left:
            self.post_message(message)

    def on_advice_screen_progress(self, message: Progress) -> None:
        """Remember how far it is."""
        self._states = message.states

    def _tell_progress(self) -> None:
        """Say how far it is: by this screen's clock, which goes on whatever the solver is at."""
        seconds = time.monotonic() - self._began
        if not self.searching or seconds < 1:
            return
        self._word = (
            f"Working it out: {self._states:,} positions in {seconds:.0f} s, "
            f"{self.patience:.0f} s at most; esc stops it."
        )
        self.show_rows()

    def on_advice_screen_found(self, message: Found) -> None:
        """Show what is known; what was known better from a longer search stays."""
        known, new = self.solution, message.solution
        if known is None or new.exact or new.upper - new.lower <= known.upper - known.lower:
            self.solution = new
        elif message.done:
            self.solution = replace(known, states=new.states, seconds=new.seconds, limit=new.limit)
        if message.done:
            self.working, self._word = False, ""
        self.show_rows()

    def on_advice_screen_failed(self, message: Failed) -> None:
        """Say why there is no advice."""
        self.working, self._word = False, f"No advice here: {message.why}"
        self.show_rows()

    # ---------------------------------------------------------------- what is shown

    @property
    def searching(self) -> bool:
        """Whether the solver is at work and was not told to stop."""
        return self.working and not self._stop.is_set()

    @property
    def context(self) -> str:
        return "searching" if self.searching else "advice"

    def show_rows(self, marked: int | None = None) -> None:
        solution, prompt, working, word = self.solution, self.session.prompt, self.working, self._word
        words = {option.answer: option.say for option in prompt.options} if isinstance(prompt, Decide) else {}
        rows: tuple[Row, ...] = ()
        if solution is not None:
            # While the list may change under the finger, no digit plays what it did not show.
            rows = table_rows(solution, words, keys=not working, mark=self._mark) if told_apart(solution) else ()
            plot = self.query_one(Plot)
            plot.wounds, plot.limit = solution.wounds, self.session.state.hero.wound_limit
            plot.redraw()

        def heading(width: int) -> list[Line]:
            lines: list[Line] = [((word, ""),)] if word else []
            if solution is not None:
                lines += verdict_lines(solution, width, words, working=working)
            return [*lines, BLANK, table_head(width, rows)] if rows else lines

        held = next((i for i, row in enumerate(rows) if row.answer and row.answer == self._mark), None)
        self.query_one(Choices).show(rows, heading, marked if held is None else held)
        self._show_header()
        self.show_keys()

    def _show_header(self) -> None:
        solution, known, work = self.solution, "", ""
        if solution is not None and not self.working:
            known = "exact; " if solution.exact else "stopped; " if solution.limit == STOPPED else "bounds; "
            work = f"{solution.states:,} positions, {solution.seconds:.1f} s"
        left: Line = (("Advice", "bold"), (f"  {known}fewest wounds, food at its price", DIM))
        self.query_one(Header).show(left, ((work, DIM),) if work else ())

    def can(self, command: str) -> bool:
        match command:
            case "accept":
                row = self.query_one(Choices).current
                # While the list may change, enter plays nothing but what was marked by hand.
                return row is not None and (not self.working or row.answer == self._mark)
            case "choose":
                return self.numbers() > 0
            case "longer":
                known = self.solution
                return not (known is None or known.exact or known.hopeless or self.working)
            case "mark":
                return self.query_one(Choices).current is not None
            case "scroll":
                return self.query_one(VerticalScroll).show_vertical_scrollbar
            case _:
                return True

    # ---------------------------------------------------------------- commands

    def do_mark(self, key: str) -> None:
        """Move the mark, and let it stay on that action."""
        super().do_mark(key)
        row = self.query_one(Choices).current
        self._mark = row.answer if row is not None else ""

    def click_row(self, row: Row) -> None:
        """Play a row; while the list may change under the pointer, a click only marks it, and the next one plays it."""
        if not self.working or row.answer == self._mark:
            self.choose_row(row)
        else:
            self._mark = row.answer
            self.show_rows()

    def do_scroll(self, key: str) -> None:
        """Scroll to the plot and back."""
        page = self.query_one(VerticalScroll)
        if key == "pageup":
            page.scroll_page_up(animate=False)
        else:
            page.scroll_page_down(animate=False)

    def do_longer(self, key: str) -> None:
        """Let the solver go on, with twice the time where its time was up; what is known stays on the screen."""
        if self.solution is None or self.solution.limit != STOPPED:
            self.patience *= 2
        self._begin()

    def do_stop(self, key: str) -> None:
        """Stop the search; what is known by then is shown."""
        self._stop.set()
        self._word = "Stopping …"
        self.show_rows()

    def on_unmount(self) -> None:
        """No answer is needed any more."""
        self._left = True
        self._stop.set()
