"""The rulebook, searchable, and the keys."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from runner import keys
from runner.screens.log import ReaderScreen
from runner.view import BLANK, DIM, HEAD, Line, emphasis, wrap
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar


class RuleText(Drawn):
    """The rules that fit what was typed; without a word, all of them."""

    query_text = ""
    missing = ""
    found: tuple[object, ...] | None = None

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[tuple[str, int], tuple[list[Line], dict[str, int]]] = {}

    def set_query(self, text: str) -> None:
        """Show the rules that answer a query."""
        self.query_text = text
        self.redraw()

    def place_of(self, id: str, width: int) -> int:
        """The row on which a rule begins; 0 if it is not shown."""
        return self._page(width)[1].get(id, 0)

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return self._page(width)[0]

    def _page(self, width: int) -> tuple[list[Line], dict[str, int]]:
        key = (self.query_text, width)
        if key not in self._lines:
            self._lines = {key: self._set(width)}
        return self._lines[key]

    def _set(self, width: int) -> tuple[list[Line], dict[str, int]]:
        from story.rulebook import NoSuchRule, find, rules

        lines: list[Line] = []
        places: dict[str, int] = {}
        try:
            book = find(self.query_text) if self.query_text.strip() else rules()
        except NoSuchRule as error:
            return list(wrap(((str(error), "$warning"),), width)), places
        section = ""
        for rule in book:
            if rule.section != section:
                section = rule.section
                lines += [BLANK] * bool(lines) + [((section.upper(), HEAD),), BLANK]
            places[rule.id] = len(lines)
            lines.append(((f"{rule.id}  ", "bold $accent"), (rule.title, "bold")))
            text = rule.text.replace("`", "")
            lines += [(("  ", ""), *line) for line in wrap(emphasis(text), width - 2)]
            lines.append(BLANK)
        if not self.query_text.strip():
            places["keys"] = len(lines)
            lines += [BLANK, (("KEYS", HEAD),), BLANK]
            for shown, label, help in keys.help_rows():
                lines.append(((f"  {shown:10}", "bold $accent"), (f"{label:14}", ""), (help, DIM)))
        return lines, places


class RulesScreen(ReaderScreen):
    """The rules; typing after ``/`` finds."""

    context_name = "rules"

    def __init__(self, rule: str = "") -> None:
        super().__init__()
        self.rule = rule
        self.typing = False
        self.typed = ""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with VerticalScroll(id="page", classes="page", can_focus=False):
            yield RuleText()
        yield KeyBar()

    def page(self) -> str:
        return "#page"

    def opened(self) -> None:
        self._show_header()
        self.call_after_refresh(self._go_to_rule)

    def _go_to_rule(self) -> None:
        text = self.query_one(RuleText)
        place = text.place_of(self.rule, text.content_size.width) if self.rule else 0
        self.query_one("#page", VerticalScroll).scroll_to(y=max(0, place - 1), animate=False)

    def _show_header(self) -> None:
        find: Line = ()
        if self.typing:
            find = (("find: ", DIM), (f"{self.typed}▏", "bold $accent"))
        elif self.typed:
            find = ((f"found: {self.typed}", "$accent"), ("  esc shows all", DIM))
        self.query_one(Header).show((("The rules", "bold"), ("  every message names the rule it follows", DIM)), find)

    def press(self, event: events.Key) -> bool:
        """While finding, letters belong to the word; otherwise they are keys."""
        if not self.typing:
            if event.key == "escape" and self.typed:
                self._find("")
                return True
            return super().press(event)
        if event.key in ("enter", "escape", "down"):
            self.typing = False
            if event.key == "escape":
                self.typed = ""
            self._find(self.typed)
        elif event.key == "backspace":
            self._find(self.typed[:-1])
        elif event.is_printable and event.character:
            self._find(self.typed + event.character)
        return True

    def _find(self, text: str) -> None:
        self.typed = text
        self.query_one(RuleText).set_query(text)
        self.query_one("#page", VerticalScroll).scroll_home(animate=False)
        self._show_header()
        self.show_keys()

    def do_find(self, key: str) -> None:
        """Begin to type a word."""
        self.typing, self.typed = True, ""
        self._find("")

    def do_rules(self, key: str) -> None:
        """Close the rulebook again."""
        self.do_back(key)
