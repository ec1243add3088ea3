"""The card being read: a frame in the chapter's colour, number and title, text with air around it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from runner.terminal import clean
from runner.view import BLANK, DIM, Line, fit, prose, spread
from runner.widgets.drawn import Drawn, Page
from story.cards import StoryCard


class CardText(Drawn):
    """A card's number, title, art and text."""

    card: StoryCard | None = None
    colour = "$chapter-1"
    below = ""

    def lines(self, width: int, height: int) -> Sequence[Line]:
        card = self.card
        if card is None:
            return (BLANK,)
        number = str(card.ref) if isinstance(card.ref, int) else ""
        heading: list[tuple[str, str]] = []
        if number:
            heading.append((f"{number}  ", f"bold {self.colour}"))
        heading.append((clean(card.title), "bold"))
        lines: list[Line] = [spread(tuple(heading), ((self.below, DIM),) if self.below else (), width)]
        if card.art and "\n" in card.art:
            lines.append(BLANK)
            lines += [((fit(row, width), self.colour),) for row in clean(card.art).rstrip("\n").split("\n")]
        lines.append(BLANK)
        lines += prose(card.text, width)
        return lines


class Card(Page):
    """The framed card; scrolls when its text is longer than the screen."""

    def compose(self) -> ComposeResult:
        yield CardText()

    def watch_show_vertical_scrollbar(self) -> None:
        """Whether there is more to read is known only once the text is laid out."""
        from runner.screens.play import CommandScreen

        if isinstance(self.screen, CommandScreen):
            self.screen.show_keys()

    def show(self, card: StoryCard | None, chapter: int, below: str = "") -> None:
        """Turn to a card; ``below`` names what waits under a pulled card."""
        from runner.theme import CHAPTER_COLOURS

        text = self.query_one(CardText)
        if card is not text.card:
            self.scroll_home(animate=False)
        number = (chapter - 1) % CHAPTER_COLOURS + 1
        text.card, text.colour, text.below = card, f"$chapter-{number}", below
        for each in range(1, CHAPTER_COLOURS + 1):
            self.set_class(each == number, f"chapter-{each}")
        text.redraw()
