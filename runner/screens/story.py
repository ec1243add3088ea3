"""The story: the card being read, what she holds, and the choices below."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical

from runner.screens.play import PlayScreen
from runner.terminal import clean
from runner.view import BLANK, DIM, Line, Row, choice_rows, ending_rows, ending_words, story_news, told_lines
from runner.widgets.card import Card
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.widgets.rollpanel import Moment, RollPanel
from runner.widgets.status import StatusColumn
from story.prompts import Decide, Over, Roll, Told

SLIM = 60
"""Below this width what she holds gives way to the card."""

NEWS_SHOWN = 3
"""Sentences about what just happened that stand between the card and the choices."""


class News(Drawn):
    """What just happened."""

    told: tuple[Told, ...] = ()
    rules = True

    def lines(self, width: int, height: int) -> Sequence[Line]:
        lines: list[Line] = []
        for told in self.told[-NEWS_SHOWN:]:
            lines += told_lines(told, width, rules=self.rules)
        return lines[-height:]


class StoryScreen(PlayScreen):
    """A campaign between its encounters."""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Horizontal(id="body"):
            with Container(id="table"):
                with Vertical(id="reading"):
                    yield Card(id="card")
                    yield News(id="news")
                    yield Choices(id="choices")
                yield RollPanel(id="panel")
            yield StatusColumn(id="status")
        yield KeyBar()

    @property
    def choices(self) -> Choices:
        """The choices below the card."""
        return self.query_one("#choices", Choices)

    def numbers(self) -> int:
        if self.mode:
            return super().numbers()
        return sum(row.key.isdigit() for row in self.choices.rows)

    def show_moment(self, moment: Moment, *, tumble: bool = False) -> None:
        self.choices.visible = False
        super().show_moment(moment, tumble=tumble)

    def show_view(self) -> None:
        session = self.session
        self.choices.visible = not self.mode
        self.query_one("#header", Header).show(*self._where())
        reading = session.state.journey.reading if session.state.journey else ()
        below = f"pulled by {reading[-2]}" if len(reading) > 1 else ""
        self.query_one(Card).show(session.card, session.chapter, below)
        self.query_one("#status", StatusColumn).show(session.state.hero, session.library)
        news = self.query_one("#news", News)
        news.told, news.rules = story_news(self.news), self.cardwalk.preferences.rules
        news.display = bool(news.told)
        news.redraw()
        self._show_choices()
        self.call_after_refresh(self.show_keys)

    def _where(self) -> tuple[Line, Line]:
        session = self.session
        chapter = session.chapter_card
        title: Line = ((clean(session.title), "bold"),)
        if chapter is not None:
            colour = f"$chapter-{(chapter.number - 1) % 6 + 1}"
            title = (*title, (f" · {chapter.number} {clean(chapter.title)}", colour))
        hero = session.state.hero
        if self.app.size.width < SLIM:
            return title, ((f"{hero.wounds}/{hero.wound_limit} wounds  ", ""), (f"{hero.ap} AP", "bold $ap"))
        return title, ((clean(session.name), DIM),) if session.name else ()

    def on_resize(self, event: events.Resize) -> None:
        """Where there is no room for what she holds, the header says what matters most of it."""
        if self.is_mounted and self.is_current:
            self.query_one("#header", Header).show(*self._where())

    def _show_choices(self) -> None:
        prompt = self.session.prompt
        if isinstance(prompt, Over):
            heading, sentence = ending_words(prompt)
            lines: tuple[Line, ...] = (((heading, "bold $accent"), (f"  {clean(sentence)}", "")),)
            self.choices.show(ending_rows(self.session.chapter, self.session.can_undo), (*lines, BLANK))
        elif isinstance(prompt, Decide):
            same = self.choices.rows == choice_rows(prompt)
            self.choices.show(choice_rows(prompt), marked=self.choices.marked if same else None)
        elif isinstance(prompt, Roll):
            self.choices.show(())

    def give_row(self, row: Row) -> None:
        if row.kind == "ending":
            getattr(self, f"do_{row.answer}")("")
        else:
            super().give_row(row)

    def do_choose(self, key: str) -> None:
        row = self.chooser.by_key(key)
        if row is not None:
            self.give_row(row)

    def do_accept(self, key: str) -> None:
        """Take the marked choice."""
        row = self.chooser.current
        if row is not None:
            self.give_row(row)

    @property
    def chooser(self) -> RollPanel | Choices:
        return self.panel if self.mode else self.choices

    def can(self, command: str) -> bool:
        if command == "scroll":
            return self.query_one(Card).max_scroll_y > 0
        return super().can(command)

    def do_scroll(self, key: str) -> None:
        """Scroll the card."""
        card = self.query_one(Card)
        if key == "pageup":
            card.scroll_page_up(animate=False)
        else:
            card.scroll_page_down(animate=False)
