"""Advice: the best moves, worked out beside the game by a worker that only sends messages."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message

from runner.advice_view import table_head, table_rows, verdict_lines, wounds_plot
from runner.screens.games import ListScreen
from runner.view import BLANK, DIM, Line, Row
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from story.prompts import Decide

if TYPE_CHECKING:
    from runner.session import Session
    from solver.solution import Solution
    from story.state import State

PATIENCE = 10.0
"""Seconds before bounds are shown instead of an exact answer; ``+`` doubles them."""

REPORT_EVERY = 0.2
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

        def __init__(self, states: int, seconds: float) -> None:
            super().__init__()
            self.states, self.seconds = states, seconds

    class Solved(Message):
        """The solver has an answer, or what it has found until its time was up."""

        def __init__(self, solution: Solution) -> None:
            super().__init__()
            self.solution = solution

    class SoFar(Message):
        """What is known before the solver is done."""

        def __init__(self, solution: Solution) -> None:
            super().__init__()
            self.solution = solution

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
        self._stop = threading.Event()
        self._so_far = ""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with VerticalScroll(classes="page", can_focus=False):
            yield Choices(id="choices")
            yield Plot(id="plot")
        yield KeyBar()

    def opened(self) -> None:
        """Set the solver to work."""
        self.query_one(Header).show((("Advice", "bold"), ("  fewest wounds, food at its price", DIM)))
        self._begin()

    def _begin(self) -> None:
        self._say("Working it out …")
        self._so_far = ""
        self._stop.clear()
        state, seconds = self.session.state, self.patience
        self.run_worker(lambda: self._work(state, seconds), thread=True, exclusive=True, exit_on_error=False)

    def _work(self, state: State, seconds: float) -> None:
        began = last = time.monotonic()

        def progress(states: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= REPORT_EVERY:
                last = now
                self.post_message(self.Progress(states, now - began))

        def interim(solution: Solution) -> None:
            self.post_message(self.SoFar(solution))

        try:
            solution = self.cardwalk.advise(
                self.session.library,
                state,
                seconds=seconds,
                stop=self._stop.is_set,
                progress=progress,
                interim=interim,
            )
        except ValueError as error:
            self.post_message(self.Failed(str(error)))
        else:
            if not self._stop.is_set():
                self.post_message(self.Solved(solution))

    def _say(self, *lines: str) -> None:
        self.query_one(Choices).show((), [((line, ""),) for line in lines if line])
        self.show_keys()

    def on_advice_screen_progress(self, message: Progress) -> None:
        """Say how far it is."""
        working = f"Working it out: {message.states:,} positions in {message.seconds:.0f} s; esc stops it."
        self._say(working, self._so_far)

    def on_advice_screen_so_far(self, message: SoFar) -> None:
        """Keep the bounds, to be told with the next progress."""
        known = message.solution
        self._so_far = f"So far it is worth {known.lower:.2f} to {known.upper:.2f}"
        if known.best:
            self._so_far += f"; best known: {known.best[0]}"
        self._so_far += "."

    def on_advice_screen_failed(self, message: Failed) -> None:
        """Say why there is no advice."""
        self._say(f"No advice here: {message.why}")

    def on_advice_screen_solved(self, message: Solved) -> None:
        """Show the ranked table and the plot."""
        self.solution = message.solution
        self.show_rows()

    def show_rows(self, marked: int | None = None) -> None:
        solution, prompt = self.solution, self.session.prompt
        if solution is None:
            return
        words = {option.answer: option.say for option in prompt.options} if isinstance(prompt, Decide) else {}
        choices = self.query_one(Choices)
        width = max(40, choices.content_size.width)
        rows = table_rows(solution, words)
        more = len(solution.actions) - len(rows)
        head: list[Line] = [*verdict_lines(solution, width, words), BLANK, table_head(width)]
        choices.show(rows, head, marked)
        plot = self.query_one(Plot)
        plot.wounds, plot.limit = solution.wounds, self.session.state.hero.wound_limit
        plot.redraw()
        work = f"{solution.states:,} positions, {solution.seconds:.1f} s"
        left = f"{more} more worse · " if more > 0 else ""
        exact = "exact" if solution.exact else "bounds"
        self.query_one(Header).show(
            (("Advice", "bold"), (f"  {exact}; fewest wounds, food at its price", DIM)), ((left + work, DIM),)
        )
        self.show_keys()

    def can(self, command: str) -> bool:
        match command:
            case "accept" | "choose":
                return bool(self.query_one(Choices).rows)
            case "longer":
                return self.solution is not None and not self.solution.exact
            case _:
                return True

    def do_choose(self, key: str) -> None:
        """Put the mark on that action; on the marked one: play it."""
        choices = self.query_one(Choices)
        row = choices.by_key(key)
        if row is not None and choices.current == row:
            self.choose_row(row)
        elif row is not None:
            choices.marked = choices.rows.index(row)
            choices.redraw()

    def choose_row(self, row: Row) -> None:
        self.dismiss(row.answer)

    def do_longer(self, key: str) -> None:
        """Give the solver twice the time."""
        self.patience *= 2
        self.solution = None
        self._begin()

    def on_unmount(self) -> None:
        """Whoever leaves needs no answer."""
        self._stop.set()
