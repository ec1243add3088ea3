"""Which table each mapping of a deck file is read by."""

from __future__ import annotations

from collections.abc import Iterator

from story.loading.shapes.decks import DECKS, TABLES
from story.loading.shapes.values import Each, Either, In, Many, Table, Value
from story.source import ListNode, MapNode, Node, ScalarNode


def mappings(root: Node | None) -> Iterator[tuple[MapNode, Table | None]]:
    """Every mapping of known place in a file, the outer before the inner; None where the author chooses the keys."""
    if not isinstance(root, MapNode):
        return
    kind = next((value for key, value in root.pairs if key.text == "kind"), None)
    table = DECKS.get(kind.text) if isinstance(kind, ScalarNode) else None
    if table is not None:
        yield from _table(root, table)


def _table(node: MapNode, table: Table) -> Iterator[tuple[MapNode, Table | None]]:
    yield node, table
    for key, value in node.pairs:
        if (known := table.keys.get(key.text)) is not None:
            yield from _value(value, known.value)


def _value(node: Node, value: Value) -> Iterator[tuple[MapNode, Table | None]]:
    match value:
        case Many(single, _):
            for item in node.items if isinstance(node, ListNode) else [node]:
                yield from _value(item, single)
        case Either(values):
            for each in values:
                yield from _value(node, each)
        case In(name) if isinstance(node, MapNode):
            yield from _table(node, TABLES[name])
        case Each(_, each, _) if isinstance(node, MapNode):
            yield node, None
            for _, inner in node.pairs:
                yield from _value(inner, each)
