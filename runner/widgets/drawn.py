"""A widget that shows lines of styled pieces; the base of all that is drawn here."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widget import Widget

from runner.view import Line


def content(lines: Sequence[Line]) -> Content:
    """Lines as Textual content; text is text, never markup."""
    parts: list[str | tuple[str, str]] = []
    for i, line in enumerate(lines):
        if i:
            parts.append("\n")
        parts += [(text, style) if style else text for text, style in line if text]
    return Content.assemble(*parts)


class Drawn(Widget):
    """Draws ``lines(width, height)``; call ``redraw`` when what they show has changed."""

    DEFAULT_CSS = """
    Drawn { height: auto; text-wrap: nowrap; text-overflow: clip; }
    """

    virtual_size = Reactive(Size(0, 0), repaint=False)
    """Nothing is laid out inside what is drawn, so another size asks for no second layout and no second repaint."""

    def lines(self, width: int, height: int) -> Sequence[Line]:
        """The lines for a width; ``height`` is 0 while the height is being measured."""
        raise NotImplementedError

    def render(self) -> Content:
        return content(self.lines(self.content_size.width, self.content_size.height))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.lines(width, 0))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def redraw(self) -> None:
        """Draw anew; the layout follows where the height is automatic."""
        height = self.styles.height
        self.refresh(layout=height is not None and height.is_auto)


class Page(VerticalScroll):
    """Scrolls what is drawn; arrow keys are the screen's."""

    can_focus = False
    virtual_size = Reactive(Size(0, 0), repaint=False)
    """Scrollbars ask for a layout by themselves when they come and go, and what is drawn inside repaints itself."""
