"""The canonical layout of a deck file: keys in the order of the format, two spaces an indentation, a blank line between
cards. Texts and comments stay byte for byte, and an author's line breaks stay where they are.

The file is taken apart into the lines of its keys, which are put in order and indented anew. The result is read again:
it holds the same values and the same comments, or the file is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from story.loading.shapes.values import Table
from story.loading.shapes.walk import mappings
from story.source import ListNode, MapNode, Node, ScalarNode, Source, source_of_text

STEP = "  "

BLANKS = " \t"
"""What YAML takes for white space; a no-break space is part of a text."""


class Unfit(Exception):
    """A file that is left as it is, and why."""


class _Part(NamedTuple):
    """A key with its value, or an entry of a list: its lines, indented from 0, and the gap before it."""

    rank: int
    leading: list[str]
    lines: list[str]


def canonical(source: Source) -> str:
    """The text of a file that was parsed without a problem, laid out anew.

    Raises Unfit where something stands that has no canonical place, or if the result would not read the same.
    """
    if source.problems or not isinstance(source.root, MapNode):
        raise Unfit("it is not a mapping of keys" if source.root else "it cannot be read")
    text = _Layout(source).text()
    again = source_of_text(text, source.file)
    if again.problems or values(again) != values(source) or comments(again) != comments(source):
        raise Unfit("laid out anew it would not read the same")
    return text


def laid_out(text: str) -> str:
    """The text of a deck file that a program wrote, in its canonical layout where it has one."""
    try:
        return canonical(source_of_text(text))
    except Unfit:
        return text


# ---------------------------------------------------------------- taking apart and putting together


class _Layout:
    """Lines are numbered from 1; the gap between two keys is the comments and blank lines there."""

    def __init__(self, source: Source) -> None:
        self.lines = source.lines
        self.root = source.root
        self.tables = {id(node): table for node, table in mappings(source.root)}

    def text(self) -> str:
        assert isinstance(self.root, MapNode)
        first = self.root.pairs[0][0].line if self.root.pairs else self.root.line
        start = next((number + 1 for number in range(1, first) if self._line(number).rstrip(BLANKS) == "---"), 1)
        head = [*self._gap(1, start - 1), *["---"] * (start > 1), *self._gap(start, first)]
        lines = self._block(self.root, len(self.lines) + 1) if _is_block(self.root, self.lines) else self._flow_root()
        return "\n".join(_trimmed([*head, *lines])) + "\n"

    def _flow_root(self) -> list[str]:
        assert self.root is not None
        lines, after = self._value(self.root, "", self.root.column, len(self.lines) + 1)
        return [*lines, *self._gap(after, len(self.lines) + 1)]

    def _line(self, number: int) -> str:
        return self.lines[number - 1]

    def _gap(self, start: int, stop: int) -> list[str]:
        """The lines from ``start`` up to ``stop``, no two blank ones in a row."""
        gap: list[str] = []
        for number in range(start, stop):
            line = self._line(number).strip(BLANKS)
            if line and not line.startswith("#"):
                raise Unfit(f'"{line[:20]}" stands where only a comment may')
            if line or not gap or gap[-1]:
                gap.append(line)
        return gap

    # ------------------------------------------------------------ blocks

    def _block(self, node: Node, stop: int, opening: list[str] | None = None, *, apart: bool = False) -> list[str]:
        """A block mapping or list that ends before line ``stop``; ``opening`` leads its first part.

        ``apart``: parts of more than a line have a blank line on either side.
        """
        parts: list[_Part] = []
        leading = opening or []
        for part, following in self._pairs(node, stop) if isinstance(node, MapNode) else self._entries(node, stop):
            parts.append(part._replace(leading=leading))
            leading = following
        lines: list[str] = []
        before = 0
        for part in sorted(parts, key=lambda part: part.rank):
            if apart and lines and lines[-1] and max(before, len(part.lines)) > 1 and (part.leading or part.lines)[0]:
                lines.append("")
            lines += (part.leading if lines else _trimmed(part.leading)) + part.lines
            before = len(part.lines)
        return [*lines, *leading]

    def _pairs(self, node: MapNode, stop: int) -> Iterator[tuple[_Part, list[str]]]:
        table = self.tables.get(id(node))
        order = table.order if table is not None else {}
        for place, (key, value) in enumerate(node.pairs):
            after = node.pairs[place + 1][0].line if place + 1 < len(node.pairs) else stop
            lines, gap = self._pair(key, value, after)
            yield _Part(order.get(key.text, len(order)), [], lines), gap

    def _entries(self, node: Node, stop: int) -> Iterator[tuple[_Part, list[str]]]:
        assert isinstance(node, ListNode)
        dashes = [self._dash(item, node) for item in node.items]
        for place, item in enumerate(node.items):
            lines, gap = self._entry(item, dashes[place], dashes[place + 1] if place + 1 < len(dashes) else stop)
            yield _Part(0, [], lines), gap

    def _pair(self, key: ScalarNode, value: Node, stop: int) -> tuple[list[str], list[str]]:
        """The lines of a key that ends before line ``stop``, and the gap behind it that leads what follows."""
        before, name = self._line(key.line)[: key.column - 1], self._slice(key)
        rest = self._line(key.line)[key.end_column - 1 :].lstrip(BLANKS)
        if before.strip(" -") or key.line != key.end_line or not rest.startswith(":"):
            raise Unfit(f'the key "{key.text[:20]}" does not begin its line, or has no colon on it')
        if value.line == key.line and not _is_empty(value):
            lines, after = self._value(value, f"{name}: ", key.column, stop)
            return lines, self._gap(after, stop)
        lines = [f"{name}:{_comment(rest[1:])}"]
        if _is_empty(value):
            return lines, self._gap(key.line + 1, stop)
        inner, gap = self._below(value, self._gap(key.line + 1, value.line), key.column, stop, name.endswith("cards"))
        return lines + _indented(inner), gap

    def _entry(self, item: Node, dash: int, stop: int) -> tuple[list[str], list[str]]:
        """The lines of a list's entry, and the gap behind it."""
        if _is_empty(item):
            raise Unfit("an entry of a list is empty")
        opening = []
        if item.line > dash:
            note = _comment(self._line(dash)[self._line(dash).index("-") + 1 :]).strip(BLANKS)
            opening = [*([note] if note else []), *self._gap(dash + 1, item.line)]
        column = self._line(dash).index("-") + 1 if item.line > dash else item.column - 1
        lines, gap = self._below(item, opening, column, stop)
        return [f"- {lines[0]}", *_indented(lines[1:])], gap

    def _below(
        self, value: Node, opening: list[str], column: int, stop: int, apart: bool = False
    ) -> tuple[list[str], list[str]]:
        """A value that stands deeper than ``column``, led by ``opening``; comments behind it may be its own."""
        if not _is_block(value, self.lines):
            lines, after = self._value(value, "", value.column, stop)
            return _trimmed([*opening, *lines]), self._gap(after, stop)
        split = self._end(value) + 1
        for number in range(split, stop):
            if self._line(number).strip(BLANKS) and _indentation(self._line(number)) >= column:
                split = number + 1
        return _trimmed(self._block(value, split, opening, apart=apart)), self._gap(split, stop)

    def _dash(self, item: Node, node: ListNode) -> int:
        """The line of the dash before an entry."""
        for number in range(item.line, node.line - 1, -1):
            line = self._line(number)
            head, dash = line[: node.column - 1], line[node.column - 1 : node.column + 1]
            if dash.rstrip(BLANKS) == "-" and not head.strip(" -"):
                return number
        raise Unfit("the dashes of a list do not stand in one column")

    def _end(self, node: Node) -> int:
        """The last line with something of a node on it."""
        if _is_block(node, self.lines):
            inside = [pair[1] for pair in node.pairs] if isinstance(node, MapNode) else getattr(node, "items", [])
            return self._end(inside[-1])
        return self._end_of_text(node) if _is_block_text(node, self.lines) else node.end_line

    # ------------------------------------------------------------ scalars and flow collections

    def _value(self, value: Node, head: str, column: int, stop: int) -> tuple[list[str], int]:
        """A scalar or flow collection behind ``head``, which stood in ``column``; and the first line after it."""
        if _is_block_text(value, self.lines):
            header = self._line(value.line)[value.column - 1 :].rstrip(BLANKS)
            return [head + header, *self._block_text(value, header, head, column)], self._end_of_text(value) + 1
        rest = self._line(value.end_line)[value.end_column - 1 :]
        comment = _comment(rest).strip(BLANKS)
        if value.line != value.end_line:
            first = self._line(value.line)[value.column - 1 :].rstrip(BLANKS)
            return [head + first, *self._further_lines(value, column)], value.end_line + 1
        text = head + self._inline(value)
        if not comment:
            return [text], value.line + 1
        gap = rest.index("#")
        place = max(value.end_column - column + gap, len(text) + min(gap, 2))
        lines = [text.ljust(place) + comment]
        number = value.line + 1
        while number < stop and self._line(number).startswith("#", value.end_column - 1 + gap):
            if self._line(number)[: value.end_column - 1 + gap].strip(BLANKS):
                break
            lines.append(" " * place + self._line(number).strip(BLANKS))  # the comment goes on below itself
            number += 1
        return lines, number

    def _block_text(self, value: Node, header: str, head: str, column: int) -> list[str]:
        """The lines of a block text; only what they are indented by changes."""
        lines = self.lines[value.line : self._end_of_text(value)]
        if found := re.match(r"[|>][-+]?([1-9])", header):
            if not head:
                raise Unfit("the indentation of a text in a list is written as a number")
            margin = indent = int(found.group(1))
            margin += column - 1
        else:
            margin = next((_indentation(line) for line in lines if line.strip(BLANKS)), 0)
            indent = len(STEP)
        return [" " * indent + line[margin:] if line[margin:] else "" for line in lines]

    def _end_of_text(self, value: Node) -> int:
        """The last line of a block text, without the blank ones behind it unless it keeps them."""
        last = min(value.end_line - (value.end_column == 1), len(self.lines))
        keeps = re.match(r"[|>][1-9]?\+", self._line(value.line)[value.column - 1 :])
        while last > value.line and not keeps and not self._line(last).strip(BLANKS):
            last -= 1
        return last

    def _further_lines(self, value: Node, column: int) -> list[str]:
        """The further lines of a value, indented as before in relation to where it began."""
        made = []
        for line in self.lines[value.line : value.end_line]:
            indent = max(len(STEP), _indentation(line) - (column - 1))
            made.append(" " * indent + line.strip(BLANKS) if line.strip(BLANKS) else "")
        return made

    def _inline(self, node: Node) -> str:
        """A value of one line: a scalar as it is written, a collection with its keys in order."""
        if isinstance(node, MapNode):
            pairs = _in_order(node, self.tables.get(id(node)))
            return f"{{{', '.join(self._inline_pair(key, value) for key, value in pairs)}}}"
        if isinstance(node, ListNode):
            return f"[{', '.join(self._inline(item) for item in node.items)}]"
        return self._slice(node)

    def _inline_pair(self, key: ScalarNode, value: Node) -> str:
        return f"{self._slice(key)}: {'' if _is_empty(value) else self._inline(value)}"

    def _slice(self, node: Node) -> str:
        return self._line(node.line)[node.column - 1 : node.end_column - 1]


def _in_order(node: MapNode, table: Table | None) -> list[tuple[ScalarNode, Node]]:
    """The pairs of a mapping in canonical order."""
    if table is None or table.kept is True:
        return node.pairs
    order, last = table.order, len(table.order)
    return sorted(node.pairs, key=lambda pair: order.get(pair[0].text, last))


def _is_block(node: Node, lines: list[str]) -> bool:
    return isinstance(node, MapNode | ListNode) and lines[node.line - 1][node.column - 1] not in "{["


def _is_block_text(node: Node, lines: list[str]) -> bool:
    quoted = isinstance(node, ScalarNode) and not node.plain
    return quoted and lines[node.line - 1][node.column - 1] in "|>"


def _is_empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.plain and not node.text


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _comment(rest: str) -> str:
    """What stands behind a value: nothing, or spaces and a comment."""
    if rest.strip(BLANKS) and not rest.lstrip(BLANKS).startswith("#"):
        raise Unfit(f'"{rest.strip(BLANKS)[:20]}" stands behind a value')
    return rest.rstrip(BLANKS)


def _indented(lines: list[str]) -> list[str]:
    return [STEP + line if line else "" for line in lines]


def _trimmed(lines: list[str]) -> list[str]:
    """Without blank lines at either end."""
    full = [place for place, line in enumerate(lines) if line]
    return lines[full[0] : full[-1] + 1] if full else []


# ---------------------------------------------------------------- what may not change


def values(source: Source) -> Any:
    """All that the loader reads of a file: mappings with their keys in canonical order, scalars as they are meant."""
    tables = {id(node): table for node, table in mappings(source.root)}

    def read(node: Node) -> Any:
        if isinstance(node, MapNode):
            pairs = _in_order(node, tables.get(id(node)))
            return tuple((key.text, key.plain, read(value)) for key, value in pairs)
        if isinstance(node, ListNode):
            return [read(item) for item in node.items]
        return (node.text, node.plain) if isinstance(node, ScalarNode) else None

    return read(source.root) if source.root is not None else None


def comments(source: Source) -> Counter[str]:
    """The comments of a file: whatever follows a # outside its scalars."""
    lines = list(source.lines)

    def blank(line: int, start: int, stop: int) -> None:
        text = lines[line - 1]
        lines[line - 1] = text[:start].ljust(start) + " " * (min(stop, len(text)) - start) + text[stop:]

    def hide(node: Node) -> None:
        for key, value in getattr(node, "pairs", ()):
            hide(key)
            hide(value)
        for item in getattr(node, "items", ()):
            hide(item)
        if not isinstance(node, ScalarNode) or _is_empty(node):
            return
        if _is_block_text(node, source.lines):
            for line in range(node.line + 1, min(node.end_line + (node.end_column > 1), len(lines) + 1)):
                blank(line, 0, len(lines[line - 1]))
            return
        for line in range(node.line, node.end_line + 1):
            start = node.column - 1 if line == node.line else 0
            blank(line, start, node.end_column - 1 if line == node.end_line else len(lines[line - 1]))

    if source.root is not None:
        hide(source.root)
    return Counter(line[line.index("#") :].rstrip(BLANKS) for line in lines if "#" in line)
