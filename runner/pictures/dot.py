"""A sheet in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from runner.pictures.sheet import Edge, Node, Sheet
from runner.pictures.svg import LIGHT, edge_words, node_words

_LINES = {"pull": "dashed", "draw": "dotted", "visit": "dashed"}
_SHAPES = {"card": "box", "ending": "octagon", "deck": "folder"}
_FILLS = {"unreachable": "filled,dashed", "unknown": "filled,dotted"}


def dot(sheet: Sheet) -> str:
    """The picture for ``dot -Tsvg``."""
    lines = [
        f"digraph {quoted(sheet.title)} {{",
        f"  graph [label={quoted(f'{sheet.title}: {sheet.caption}')}, labelloc=t, fontname=sans, newrank=true];",
        f'  node [shape=box, style=filled, fillcolor="{LIGHT["card"]}", color="{LIGHT["dim"]}", fontname=sans];',
        f'  edge [color="{LIGHT["dim"]}", fontname=sans, fontsize=10];',
    ]
    outside = [node for node in sheet.nodes if node.group is None]
    for place, name in enumerate(sheet.groups):
        members = [node for node in sheet.nodes if node.group == place]
        if members:
            lines += [f"  subgraph cluster_{place} {{", f"    label={quoted(name)};"]
            lines += [f"    {_node(sheet, node)}" for node in members]
            lines.append("  }")
    lines += [f"  {_node(sheet, node)}" for node in outside]
    lines += [f"  {_edge(sheet, edge)}" for edge in sheet.edges]
    return "\n".join([*lines, "}", ""])


def quoted(text: str) -> str:
    """A string of DOT: in it a quotation mark, a backslash and an end of line are themselves."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inner}"'


def _list(pairs: Iterator[tuple[str, str]]) -> str:
    return ", ".join(f"{name}={quoted(value)}" for name, value in pairs)


def _node(sheet: Sheet, node: Node) -> str:
    def attributes() -> Iterator[tuple[str, str]]:
        words = f"{node.label} · start" if node.start else node.label
        mark = {"reached": " ✓", "unreachable": " ✕", "unknown": " ?"}.get(node.verdict, "")
        yield "label", "\n".join(filter(None, (words + mark, node.title)))
        yield "tooltip", node_words(sheet, node)
        if node.kind != "card":
            yield "shape", _SHAPES[node.kind]
        if node.start:
            yield "style", f"{_FILLS.get(node.verdict, 'filled')},rounded"
            yield "penwidth", "2.5"
        elif node.verdict in _FILLS:
            yield "style", _FILLS[node.verdict]
        if node.verdict:
            yield "fillcolor", LIGHT[node.verdict]
            yield "color", LIGHT[f"{node.verdict}-ink"]

    return f"{quoted(node.name)} [{_list(attributes())}];"


def _edge(sheet: Sheet, edge: Edge) -> str:
    def attributes() -> Iterator[tuple[str, str]]:
        yield "class", edge.verb.replace(" ", "-")
        yield "tooltip", edge_words(sheet, edge)
        if edge.verb in _LINES:
            yield "style", _LINES[edge.verb]
        if edge.verb == "next chapter":
            yield "penwidth", "3"
        if edge.outcome:
            yield "label", edge.outcome
            yield "color", LIGHT["fail" if edge.outcome == "fail" else "succeed"]

    source, target = sheet.nodes[edge.source], sheet.nodes[edge.target]
    return f"{quoted(source.name)} -> {quoted(target.name)} [{_list(attributes())}];"
