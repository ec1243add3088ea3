"""The words of the schema: reading a node as a number, a text, an id, a mapping; every misfit is a located problem.

A reader never raises: what does not fit is noted and read as None (or empty), and reading goes on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from story.cards import Span
from story.loading.draft import Draft, Reference, Scope, Text
from story.loading.shapes.values import BIG, Table
from story.problems import Severity, near
from story.source import CONTROL, BrokenNode, ListNode, MapNode, Node, ScalarNode, Source

ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
NUMBER = re.compile(r"(?:0|-?[1-9][0-9]*)\Z")
HTML = re.compile(r"<!--|</?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>")

Fields = dict[str, Node]
"""The known keys of a mapping with their values."""


class Reader:
    """Reads the nodes of one file into one draft."""

    def __init__(self, source: Source, draft: Draft) -> None:
        self.source = source
        self.draft = draft

    # ------------------------------------------------------------ places and problems

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        return self.source.span(node)

    def start(self, node: Node) -> Span:
        """Where a node begins, without its extent: for what is missing in it."""
        return Span(self.source.file, node.line, node.column, node.line, node.column + 1)

    def problem(self, node: Node | Span, id: str, message: str, hint: str = "", severity: Severity = "error") -> None:
        """Note a problem at a node."""
        self.source.problem(node, id, message, hint, severity)

    def refer(self, kind: str, name: int | str, node: Node, scope: Scope, role: str = "", n: int = 0) -> None:
        """Note that something is named here, to be looked up when everything is read."""
        self.draft.references.append(Reference(kind, name, self.span(node), scope, role, n))

    def spoil(self, scope: Scope) -> None:
        """A part of this card was refused."""
        if scope.card:
            self.draft.damaged.add(scope.card)

    # ------------------------------------------------------------ collections

    def pairs(self, node: Node, what: str, *, twice: str = "duplicate-key") -> Iterator[tuple[ScalarNode, Node]]:
        """The pairs of a mapping, each key once; a repeated one is a problem naming both places."""
        if not isinstance(node, MapNode):
            self.expected(node, what, "a mapping")
            return
        seen: dict[str, ScalarNode] = {}
        for key, value in node.pairs:
            first = seen.setdefault(key.text, key)
            if first is key:
                yield key, value
            else:
                name = f'card "{key.text}"' if twice == "duplicate-card" else f'the key "{key.text}"'
                self.problem(
                    key,
                    twice,
                    f"{name} stands twice: here and on line {first.line}, column {first.column}",
                    "give one of the two another number or id"
                    if twice == "duplicate-card"
                    else "delete one of the two",
                )

    def table(
        self, node: Node, table: Table, *, required: Sequence[str] | None = None, also: Collection[str] = ()
    ) -> Fields | None:
        """A mapping with the keys of a table; None if it is none.

        ``required`` overrides what the table demands; ``also`` are keys that the caller refuses itself.
        """
        what, keys = table.what, table.keys
        if isinstance(node, BrokenNode):
            return None
        if not isinstance(node, MapNode):
            self.expected(node, what, "a mapping")
            return None
        fields: Fields = {}
        strange: list[tuple[ScalarNode, Node]] = []
        for key, value in self.pairs(node, what):
            if key.text in keys or key.text in also:
                fields[key.text] = value
            else:
                strange.append((key, value))
        for key, value in strange:
            meant = self.unknown_key(key, what, [*keys, *also])
            if meant and meant not in fields:
                fields[meant] = (
                    value  # a slip of the pen is one problem, and what stands behind it is read all the same
                )
        missing = [key for key in (table.required if required is None else required) if key not in fields]
        if missing:
            names = " and ".join(f'"{key}"' for key in missing)
            place = node.pairs[0][0] if node.pairs else node
            self.problem(self.start(place), "missing-key", f"{what} needs {names}", f"add {names}")
        return fields

    def unknown_key(self, key: ScalarNode, what: str, known: Collection[str]) -> str:
        """A key that has no meaning at its place; gives the known key that was meant, as near as can be told."""
        best = near(key.text, known)
        hint = f"did you mean {best}?" if best else f"known here: {', '.join(sorted(known))}"
        self.problem(key, "unknown-key", f'{what} has no key "{key.text}"', hint)
        return best

    def items(self, node: Node | None, what: str) -> list[Node]:
        """A list; anything else is a list of one."""
        if node is None or isinstance(node, BrokenNode) or self.empty(node):
            if node is not None and not isinstance(node, BrokenNode):
                self.expected(node, what, "a value")
            return []
        return node.items if isinstance(node, ListNode) else [node]

    @staticmethod
    def empty(node: Node) -> bool:
        """A key with nothing behind it."""
        return isinstance(node, ScalarNode) and node.plain and not node.text

    # ------------------------------------------------------------ scalars

    def expected(self, node: Node, what: str, wanted: str, hint: str = "", id: str = "wrong-type") -> None:
        """``what`` should be ``wanted`` but is something else."""
        if not isinstance(node, BrokenNode):
            place = self.start(node) if isinstance(node, ListNode | MapNode) else self.span(node)
            example = ": {key: value}" if wanted == "a mapping" else ""
            self.problem(
                place, id, f"{what} should be {wanted}, found {found(node)}", hint or f"write {wanted}{example}"
            )

    def integer(
        self,
        node: Node | None,
        what: str,
        low: int = 0,
        high: int = BIG,
        *,
        signed: bool = False,
        id: str = "out-of-range",
    ) -> int | None:
        """A whole number: plain digits, no leading zeros, within bounds; ``signed`` allows a plus."""
        if node is None or isinstance(node, BrokenNode):
            return None
        wanted = "a whole number"
        if not isinstance(node, ScalarNode):
            self.expected(node, what, wanted)
            return None
        text = node.text[1:] if signed and node.text.startswith("+") else node.text
        if not NUMBER.match(text) or not node.plain:
            self.expected(node, what, wanted, _number_hint(node), "bad-number")
            return None
        number = int(text) if len(text) < 10 else BIG * 10 * (-1 if text[0] == "-" else 1)
        if not low <= number <= high:
            bounds = (
                f"{low} or more"
                if high == BIG and number < low
                else f"{high} or less"
                if low == -BIG
                else f"{low} to {high}"
            )
            self.problem(node, id, f"{what} should be {bounds}, found {text}", f"write a number: {bounds}")
            return None
        return number

    def text(self, node: Node | None, what: str, *, line: bool = True, empty: bool = False) -> str:
        """A text as written; ``line``: white space becomes single spaces. HTML and control characters are refused."""
        if node is None or isinstance(node, BrokenNode):
            return ""
        if not isinstance(node, ScalarNode):
            self.expected(node, what, "a text")
            return ""
        text = node.text
        if not text.strip() and not empty:
            self.problem(node, "empty-text", f"{what} is empty", "write the text, or delete the key")
            return ""
        self.draft.texts.append(Text(self.source, node, what))
        if "<" in text and (tag := HTML.search(text)):
            self.problem(
                self.within(node, tag.group()),
                "html",
                f"{what} holds the HTML {tag.group()}, which is not read",
                "use Markdown: *emphasis*, paragraphs, lists",
            )
        if CONTROL.search(text) or "\t" in text:
            self._escaped(node, text, what)
            text = CONTROL.sub(" ", text).replace("\t", " ")
        return " ".join(text.split()) if line else text.rstrip()

    def _escaped(self, node: ScalarNode, text: str, what: str) -> None:
        # Raw ones were noted when the file was read; here only what an escape in double quotes made.
        found = CONTROL.search(text)
        code = ord(found.group()) if found else 9
        self.problem(
            node,
            "control-character",
            f"{what} holds the control character U+{code:04X}, written as an escape",
            "delete it",
        )

    def within(self, node: ScalarNode, part: str) -> Span:
        """Where a part of a scalar stands in the file, as near as can be told."""
        for number in range(node.line, min(node.end_line, len(self.source.lines)) + 1):
            line = self.source.lines[number - 1]
            place = line.find(part, node.column - 1 if number == node.line else 0)
            if place >= 0:
                return Span(self.source.file, number, place + 1, number, place + 1 + len(part))
        return self.span(node)

    def flag(self, node: Node | None, what: str, default: bool) -> bool:
        """``true`` or ``false``, and nothing that YAML once took for it."""
        if node is None or isinstance(node, BrokenNode):
            return default
        if isinstance(node, ScalarNode) and node.plain and node.text in ("true", "false"):
            return node.text == "true"
        hint = ""
        if isinstance(node, ScalarNode):
            word = node.text.lower()
            hint = "write true" if word in ("yes", "on", "true", "1", "y") else ""
            hint = "write false" if word in ("no", "off", "false", "0", "n") else hint
        self.expected(node, what, "true or false", hint)
        return default

    def word(self, node: Node | None, what: str, words: Collection[str], id: str = "unknown-word") -> str | None:
        """One of a few words."""
        if node is None or isinstance(node, BrokenNode):
            return None
        if isinstance(node, ScalarNode) and node.text in words:
            return node.text
        if not isinstance(node, ScalarNode):
            self.expected(node, what, _one_of(words))
            return None
        best = near(node.text, words)
        hint = f"did you mean {best}?" if best else "write one of them"
        self.problem(node, id, f"{what} should be {_one_of(words)}, found {found(node)}", hint)
        return None

    def id(self, node: Node | None, what: str) -> str | None:
        """An id: lower-case words joined by hyphens."""
        if node is None or isinstance(node, BrokenNode):
            return None
        if isinstance(node, ScalarNode) and ID.match(node.text):
            return node.text
        if isinstance(node, ScalarNode) and node.text:
            better = nearest_id(node.text)
            hint = f"write {better}" if better else ""
            self.expected(node, what, "an id (lower-case words joined by hyphens)", hint, "bad-id")
        else:
            self.expected(node, what, "an id (lower-case words joined by hyphens)")
        return None

    def ids(self, node: Node | None, what: str, kind: str, scope: Scope, role: str) -> tuple[str, ...]:
        """Ids that refer to something."""
        names = []
        for item in self.items(node, what):
            if (name := self.id(item, what)) is not None:
                self.refer(kind, name, item, scope, role)
                names.append(name)
        return tuple(names)

    def space(self, node: Node | None, what: str) -> int | None:
        """A space of the playfield (FIELD-1)."""
        return self.integer(node, what, 1, 15, id="bad-space")

    def spaces(self, node: Node | None, what: str) -> tuple[int, ...]:
        """Spaces in the order of the file, each once."""
        seen: dict[int, None] = {}
        for item in self.items(node, what):
            space = self.space(item, what)
            if space in seen:
                self.problem(item, "duplicate-space", f"{what} names {space} twice", "delete one")
            elif space is not None:
                seen[space] = None
        return tuple(seen)


def nearest_id(text: str) -> str:
    """The id that was meant by a malformed one, empty if none."""
    better = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return better if ID.match(better) else ""


def found(node: Node) -> str:
    """What stands there, in words."""
    if isinstance(node, MapNode):
        return "a mapping"
    if isinstance(node, ListNode):
        return "a list"
    assert isinstance(node, ScalarNode)
    shown = " ".join(node.text.split())
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    if node.plain:
        return shown or "nothing"
    return f'the text "{shown}"'


def _one_of(words: Collection[str]) -> str:
    names = list(words)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _number_hint(node: ScalarNode) -> str:
    text = node.text.strip()
    if not node.plain:
        return f"write {text} without quotes" if NUMBER.match(text) else ""
    if text.startswith("+") and NUMBER.match(text[1:]):
        return f"write {text[1:]}"
    if re.fullmatch(r"-?0+[0-9]+", text):
        sign = "-" if text.startswith("-") else ""
        return f"write {sign}{text.lstrip('-').lstrip('0') or '0'}: no leading zeros"
    if re.fullmatch(r"-?[0-9][0-9_,']*[0-9]", text):
        return f"write {re.sub(r'[^0-9-]', '', text).lstrip('0')}: digits alone"
    if re.fullmatch(r"-?[0-9]+\.0+", text):
        return f"write {text.split('.')[0]}"
    return ""
