"""Deck files as YAML nodes that know where they stand.

Nothing is interpreted here: a scalar is its text as written, and the schema (``story.loading``) says what it means.
The C parser reads when it is installed, the pure one otherwise; both give the same nodes. Nesting is measured while
the parser's events come in, so no depth of it can overflow anything. What the format refuses in any file (aliases,
anchors, tags, merge keys, several documents, other encodings, control characters) is refused here.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from story.cards import Span
from story.decks import LARGEST
from story.garbage import uncollected
from story.problems import Problem, Severity, at

DEEPEST = 64
"""Collections within collections at most."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\uffff]")
"""Characters that no deck needs and no terminal should see; tabs are looked at by themselves."""


class Node:
    """A YAML node; lines and columns count from 1, the end is exclusive."""

    __slots__ = ("column", "end_column", "end_line", "line")

    line: int
    column: int
    end_line: int
    end_column: int


class ScalarNode(Node):
    """A scalar's text as written; ``plain`` if neither quoted nor a block."""

    __slots__ = ("plain", "text")

    text: str
    plain: bool


class ListNode(Node):
    """A sequence."""

    __slots__ = ("items",)

    items: list[Node]


class MapNode(Node):
    """A mapping with its pairs in the order of the file, repeated keys included."""

    __slots__ = ("pairs",)

    pairs: list[tuple[ScalarNode, Node]]


class BrokenNode(Node):
    """Stands where something was refused; a problem has been noted already, so nobody complains again."""

    __slots__ = ()


@dataclass
class Source:
    """A file that was read: its lines, its root node (None if it could not be parsed) and the problems found."""

    file: str
    data: bytes = b""
    lines: list[str] = field(default_factory=list)
    root: Node | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """SHA-256 of the content."""
        return hashlib.sha256(self.data).hexdigest()

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        return Span(self.file, node.line, node.column, node.end_line, node.end_column)

    def problem(self, span: Span | Node, id: str, message: str, hint: str = "", severity: Severity = "error") -> None:
        """Note a problem at a place of this file."""
        place = span if isinstance(span, Span) else self.span(span)
        self.problems.append(at(place, id, severity, message, hint, self.lines))

    def _point(self, line: int, column: int, length: int = 1) -> Span:
        return Span(self.file, line, column, line, column + length)


def read_source(path: Path, file: str | None = None, *, pure: bool = False) -> Source:
    """Read and parse one deck file; never raises for what is in it or for a file that cannot be read.

    ``file`` is the name shown in problems; ``pure`` asks for the parser written in Python.
    """
    source = Source(file or path.name)
    if _read_bytes(source, path):
        parse(source, pure=pure)
    return source


def source_of_text(text: str, file: str = "deck.yaml", *, pure: bool = False) -> Source:
    """A deck file that exists only as text."""
    source = Source(file, text.encode("utf-8", "surrogatepass"))
    parse(source, pure=pure)
    return source


def _read_bytes(source: Source, path: Path) -> bool:
    start = Span(source.file, 0, 0, 0, 0)
    try:
        if path.is_dir():
            source.problem(start, "file-unreadable", "this is a folder, not a deck file", "name a file in it")
            return False
        if path.exists() and not path.is_file():
            source.problem(start, "file-unreadable", "this is a device or a pipe, not a deck file", "name a file")
            return False
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        source.problem(start, "file-missing", "there is no such file", "write it, or name another")
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        source.problem(start, "file-unreadable", f"the file cannot be read: {reason}", "look at its permissions")
        return False
    if len(data) > LARGEST:
        source.problem(
            start, "file-too-large", "the file is larger than 16 MiB", "split the deck: a campaign may list many files"
        )
        return False
    source.data = data
    return True


def parse(source: Source, *, pure: bool = False) -> None:
    """Fill ``lines``, ``root`` and ``problems`` from ``data``."""
    text = _decode(source)
    if text is None:
        return
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    source.lines = text.split("\n")
    text, tabs, crooked = _clean(source, text)
    if not text.endswith("\n"):
        text += "\n"
    with uncollected():
        noted = len(source.problems)
        error = _compose(source, text, tabs, pure=pure)
        if error is not None and not pure and "unexpected ':'" in str(error):
            # YAML 1.2 has `[heads:otto]`; only the parser written in Python knows it.
            del source.problems[noted:]
            error = _compose(source, text, tabs, pure=True)
        if error is not None and not crooked:
            _syntax_problem(source, error)
    if source.root is None and not source.problems:
        source.problem(source._point(1, 1), "empty-file", "the file holds nothing", "begin with: format: cardwalk/1")


def _compose(source: Source, text: str, tabs: list[tuple[int, int]], *, pure: bool) -> Exception | None:
    """Parse the text; gives what stopped the parser, if something did."""
    try:
        source.root = _Composer(source, tabs).compose(_parser(text, pure=pure))
    except _Refused:
        source.root = None
    except RecursionError:
        source.problem(source._point(1, 1), "nesting", _TOO_DEEP, _TOO_DEEP_HINT)
    except Exception as error:
        # The parsers raise their own errors with a mark, and the pure one a few of Python's on odd input.
        return error
    return None


# ---------------------------------------------------------------- bytes to text


_BYTE_ORDER_MARKS = (
    (b"\x00\x00\xfe\xff", "UTF-32 (big-endian)"),
    (b"\xff\xfe\x00\x00", "UTF-32 (little-endian)"),
    (b"\xfe\xff", "UTF-16 (big-endian)"),
    (b"\xff\xfe", "UTF-16 (little-endian)"),
)

_AS_UTF8 = "save the file as UTF-8"


def _decode(source: Source) -> str | None:
    data = source.data
    start = source._point(1, 1)
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            source.problem(start, "encoding", f"the file is encoded as {name}, seen at byte 0", _AS_UTF8)
            return None
    if (zero := data.find(b"\x00", 0, 4096)) >= 0:
        source.problem(start, "encoding", f"the file is {_with_zeros(data)}: a zero byte at byte {zero}", _AS_UTF8)
        return None
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + len(source.data) - len(data)
        before = data[: error.start].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        source.lines = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        byte = data[error.start]
        source.problem(
            source._point(line, column),
            "encoding",
            f"the file is not UTF-8: byte 0x{byte:02X} at byte {offset} begins no character",
            f"{_AS_UTF8}; it may be in Latin-1 or Windows-1252 now",
        )
        return None


def _with_zeros(data: bytes) -> str:
    head = data[:4096]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if len(head) >= 4 and even + odd > len(head) * 0.6:
        return "UTF-32 without a byte-order mark"
    if odd > len(head) // 6 and even < odd // 4:
        return "UTF-16 (little-endian) without a byte-order mark"
    if even > len(head) // 6 and odd < even // 4:
        return "UTF-16 (big-endian) without a byte-order mark"
    return "binary, not text"


def _clean(source: Source, text: str) -> tuple[str, list[tuple[int, int]], bool]:
    """The text with what is refused replaced by as much white space, so that places stay and reading goes on.

    Also the places of tabs within lines, which are a problem inside a scalar only, and whether tabs made the
    indentation crooked, so that what the parser says of it is no news.
    """
    tabs: list[tuple[int, int]] = []
    crooked = False
    if CONTROL.search(text):
        for number, line in enumerate(source.lines, 1):
            for found in CONTROL.finditer(line):
                source.problem(
                    source._point(number, found.start() + 1),
                    "control-character",
                    f"the control character U+{ord(found.group()):04X} in a deck file",
                    "delete it",
                )
        text = CONTROL.sub(" ", text)
    if "\t" in text:
        for number, line in enumerate(source.lines, 1):
            if "\t" not in line or not line.strip():
                continue
            indent = len(line) - len(line.lstrip())
            tab = line.find("\t")
            if tab < indent:
                crooked = True
                source.problem(
                    source._point(number, tab + 1), "tab", "a tab in the indentation", "indent with spaces alone"
                )
            else:
                tabs += [(number, place + 1) for place, mark in enumerate(line) if mark == "\t"]
        text = text.replace("\t", " ")
    for number, line in enumerate(source.lines, 1):
        if line.startswith("%"):
            source.problem(
                source._point(number, 1, len(line)),
                "directive",
                "YAML directives are not used in decks",
                "delete the line",
            )
            parts = text.split("\n")
            parts[number - 1] = ""
            text = "\n".join(parts)
        elif line.strip() and not line.startswith("#"):
            break
    return text, tabs, crooked


# ---------------------------------------------------------------- text to nodes


class _Refused(Exception):
    """The file is not read any further; the problem is noted."""


_TOO_DEEP = f"more than {DEEPEST} lists and mappings within each other"
_TOO_DEEP_HINT = "no deck needs that depth: give the inner steps a card of their own"


def _parser(text: str, *, pure: bool) -> Any:
    from ruamel.yaml import YAML

    _, parser = YAML(typ="safe", pure=pure).get_constructor_parser(text)
    return parser


class _Composer:
    """Builds nodes from a parser's events."""

    def __init__(self, source: Source, tabs: list[tuple[int, int]]) -> None:
        self.source = source
        self.tabs = tabs

    def compose(self, parser: Any) -> Node | None:
        from ruamel.yaml import events as kinds

        scalar, alias, last = kinds.ScalarEvent, kinds.AliasEvent, kinds.StreamEndEvent
        starts = {kinds.MappingStartEvent: MapNode, kinds.SequenceStartEvent: ListNode}
        ends = (kinds.MappingEndEvent, kinds.SequenceEndEvent)
        next_event = parser.get_event
        root: Node | None = None
        documents = 0
        open_nodes: list[ListNode | MapNode] = []
        keys: list[Node | None] = []
        while True:
            event = next_event()
            kind = type(event)
            opened: ListNode | MapNode | None = None
            node: Node
            if kind is scalar:
                node = self._scalar(event)
            elif kind in starts:
                node = opened = self._place(starts[kind](), event)
                if isinstance(opened, MapNode):
                    opened.pairs = []
                else:
                    opened.items = []
                self._refuse_marks(node, event)
                if len(open_nodes) >= DEEPEST:
                    self.source.problem(node, "nesting", _TOO_DEEP, _TOO_DEEP_HINT)
                    raise _Refused
            elif kind in ends:
                closed = open_nodes.pop()
                keys.pop()
                self._close(closed, event)
                continue
            elif kind is alias:
                node = self._place(BrokenNode(), event)
                self.source.problem(
                    node,
                    "alias",
                    f"the alias *{event.anchor} is not used in decks",
                    "write the thing out where it is needed",
                )
            elif kind is kinds.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    mark = event.start_mark
                    self.source.problem(
                        self.source._point(mark.line + 1, mark.column + 1, 3),
                        "multiple-documents",
                        "a second document begins here",
                        "one file is one deck: put it into a file of its own",
                    )
                    break
                continue
            elif kind is last:
                break
            else:
                continue
            if not open_nodes:
                root = node
            else:
                parent = open_nodes[-1]
                if isinstance(parent, ListNode):
                    parent.items.append(node)
                elif keys[-1] is None:
                    keys[-1] = node
                else:
                    self._pair(parent, keys[-1], node)
                    keys[-1] = None
            if opened is not None:
                open_nodes.append(opened)
                keys.append(None)
        if isinstance(root, ScalarNode) and not root.text and root.plain:
            return None
        return root

    def _place(self, node: Any, event: Any) -> Any:
        start, end = event.start_mark, event.end_mark
        node.line, node.column = start.line + 1, start.column + 1
        node.end_line, node.end_column = end.line + 1, end.column + 1
        return node

    def _scalar(self, event: Any) -> ScalarNode:
        node = ScalarNode()
        start, end = event.start_mark, event.end_mark  # written out: most nodes are scalars
        node.line, node.column = start.line + 1, start.column + 1
        node.end_line, node.end_column = end.line + 1, end.column + 1
        node.text = event.value
        node.plain = event.implicit[0]
        if event.anchor is not None or event.tag is not None:
            node.plain = not event.style
            self._refuse_marks(node, event)
        if self.tabs:
            inside = [
                place for place in self.tabs if (node.line, node.column) <= place < (node.end_line, node.end_column)
            ]
            if inside:
                line, column = inside[0]
                self.source.problem(self.source._point(line, column), "tab", "a tab in a text", "write spaces")
        return node

    def _refuse_marks(self, node: Node, event: Any) -> None:
        if event.anchor is not None:
            self.source.problem(
                Span(self.source.file, node.line, node.column, node.line, node.column + len(event.anchor) + 1),
                "anchor",
                f"the anchor &{event.anchor} is not used in decks",
                "delete it, and write the thing out where it is needed",
            )
        if event.tag is not None:
            self.source.problem(
                Span(self.source.file, node.line, node.column, node.line, node.column + 1),
                "tag",
                "YAML tags are not used in decks",
                "delete it: the format says what each value means",
            )

    def _pair(self, parent: MapNode, key: Node, value: Node) -> None:
        if not isinstance(key, ScalarNode):
            if not isinstance(key, BrokenNode):
                self.source.problem(
                    key, "bad-key", "a list or mapping used as a key", "write a word or a number for the key"
                )
        elif key.text == "<<" and key.plain:
            self.source.problem(key, "merge-key", "the merge key << is not used in decks", "write the keys out")
        else:
            if isinstance(value, ScalarNode) and value.plain and not value.text:
                # The parsers differ in where nothing stands: it stands behind the colon.
                value.line = value.end_line = key.end_line
                value.column = value.end_column = key.end_column + 1
            parent.pairs.append((key, value))

    def _close(self, node: ListNode | MapNode, event: Any) -> None:
        last: Node | None
        if isinstance(node, MapNode):
            last = node.pairs[-1][1] if node.pairs else None
        else:
            last = node.items[-1] if node.items else None
        end = event.end_mark
        if event.start_mark.line == end.line and event.start_mark.column != end.column:
            node.end_line, node.end_column = end.line + 1, end.column + 1  # the closing bracket
        elif last is not None:
            node.end_line, node.end_column = last.end_line, last.end_column


_UNCLOSED = "a quote that is never closed"
_MISFIT = "a line that does not fit its surroundings"
_ONE_COLUMN = "mend the indentation: the keys of one mapping and the dashes of one list stand in one column"

_SYNTAX = (
    ("mapping values", "a colon that YAML cannot place", 'quote a text that holds ": ", or mend the indentation'),
    ("end of stream", _UNCLOSED, "close the quotation mark"),
    ("document indicator", _UNCLOSED, "close the quotation mark"),
    ("cannot start any token", "a character that cannot begin a value", "put the text into quotes"),
    (
        "unknown escape",
        "an unknown escape in a double-quoted text",
        "write two backslashes for one, or use single quotes",
    ),
    ("could not find expected", "a key without a colon", "write key: value, or mend the indentation"),
    ("sequence entries", "a dash that YAML cannot place", "put the list on its own lines, or write [one, two]"),
    (
        "expected ',' or",
        "brackets or braces that are not closed or lack a comma",
        "close them, or add the comma, here or on a line before",
    ),
    ("node content", "brackets or braces with nothing where a value belongs", "close them, or write the value"),
    ("expected key", _MISFIT, _ONE_COLUMN),
    ("expected <block end>", _MISFIT, _ONE_COLUMN),
    ("'-' indicator", _MISFIT, _ONE_COLUMN),
)
"""Part of a parser's words (either parser's), ours, and how to mend it."""


def _syntax_problem(source: Source, error: Exception) -> None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    words = str(getattr(error, "problem", None) or error).splitlines()[0] if str(error) else type(error).__name__
    start = getattr(error, "context_mark", None)
    message, hint = f"not YAML: {words}", "look for a colon, quote, bracket or dash amiss here or on the line before"
    for part, ours, mend in _SYNTAX:
        if part in words:
            message, hint = f"not YAML: {ours}", mend
            break
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    if message.endswith(_UNCLOSED) and start is not None:
        line, column = start.line + 1, start.column + 1
    line = min(line, len(source.lines))
    if not source.lines[line - 1] and line > 1:
        # At the end of the file: the last line with something on it says more.
        while line > 1 and not source.lines[line - 1].strip():
            line -= 1
        column = len(source.lines[line - 1]) + 1
    source.problem(source._point(line, column), "yaml-syntax", message, hint)
