"""The log: everything told so far, to scroll through."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from runner.screens.play import CommandScreen
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.widgets.narration import Log
from story.prompts import Told


class ReaderScreen(CommandScreen):
    """A page to scroll, over whatever was there."""

    def page(self) -> str:
        """The selector of what scrolls."""
        raise NotImplementedError

    def do_scroll(self, key: str) -> None:
        """Scroll the page."""
        scroll = {
            "up": "scroll_up",
            "down": "scroll_down",
            "pageup": "scroll_page_up",
            "pagedown": "scroll_page_down",
            "home": "scroll_home",
            "end": "scroll_end",
        }[key]
        getattr(self.query_one(self.page()), scroll)(animate=False)


class LogScreen(ReaderScreen):
    """What has happened so far."""

    context_name = "log"

    def __init__(self, told: Sequence[Told], rules: bool) -> None:
        super().__init__()
        self.told, self.rules = tuple(told), rules

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        yield Log(id="page", classes="page")
        yield KeyBar()

    def page(self) -> str:
        return "#page"

    def opened(self) -> None:
        self.query_one(Header).show((("What has happened", "bold"),), ((f"{len(self.told)} sentences", "$text-muted"),))
        self.query_one(Log).show(self.told, self.rules)

    def rule_at_hand(self) -> str:
        return next((told.rule.split(",")[0].split(" ")[0] for told in reversed(self.told) if told.rule), "")
