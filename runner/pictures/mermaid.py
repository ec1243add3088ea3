"""A sheet as a Mermaid flowchart."""

from __future__ import annotations

from runner.pictures.layout import shortened
from runner.pictures.sheet import VERDICTS, Edge, Node, Sheet
from runner.pictures.svg import LIGHT

MOST_EDGES, MOST_LETTERS = 500, 50_000
"""What Mermaid draws unless it is configured otherwise: ``maxEdges`` and ``maxTextSize``."""

_ARROWS = {"pull": "-.->", "draw": "-.->", "visit": "-.->", "next chapter": "==>"}
_FRAMES = {"card": ("[", "]"), "ending": ("{{", "}}"), "deck": ("[[", "]]")}
_DASHES = {"reached": "", "unreachable": ",stroke-dasharray:6 3", "unknown": ",stroke-dasharray:2 3"}


def mermaid(sheet: Sheet) -> str:
    """The picture for Mermaid; nodes are ``n0``, ``n1``, … so that no name can be a word of its language."""
    lines = ["flowchart TD", f"  %% {sheet.title}: {sheet.caption}"]
    for place, name in enumerate(sheet.groups):
        members = [number for number, node in enumerate(sheet.nodes) if node.group == place]
        if members:
            lines.append(f"  subgraph g{place} [{quoted(name)}]")
            lines += [f"    {_node(number, sheet.nodes[number])}" for number in members]
            lines.append("  end")
    lines += [f"  {_node(number, node)}" for number, node in enumerate(sheet.nodes) if node.group is None]
    lines += [f"  {_edge(edge)}" for edge in sheet.edges]
    for word in VERDICTS:
        if any(node.verdict == word for node in sheet.nodes):
            colors = f"fill:{LIGHT[word]},stroke:{LIGHT[f'{word}-ink']},color:{LIGHT['ink']}"
            lines.append(f"  classDef {word} {colors}{_DASHES[word]}")
    return "\n".join([*lines, ""])


def warnings(sheet: Sheet, text: str) -> list[str]:
    """Why Mermaid may refuse the picture."""
    found = []
    if len(sheet.edges) > MOST_EDGES:
        found.append(f"{len(sheet.edges)} links: Mermaid draws {MOST_EDGES} at most unless its maxEdges is raised")
    if len(text) > MOST_LETTERS:
        found.append(f"{len(text)} letters: Mermaid reads {MOST_LETTERS} at most unless its maxTextSize is raised")
    return found


def quoted(text: str) -> str:
    """A label of Mermaid: letters that could mean something to it or to HTML are written as entities."""
    plain = " ".join(text.split())
    return '"' + "".join(mark if mark.isalnum() or mark in " .,:!?·…✓✕" else f"#{ord(mark)};" for mark in plain) + '"'


def _node(number: int, node: Node) -> str:
    first, last = ("([", "])") if node.start else _FRAMES[node.kind]
    words = f"{node.label} · start" if node.start else node.label
    mark = {"reached": " ✓", "unreachable": " ✕", "unknown": " ?"}.get(node.verdict, "")
    title = f": {shortened(node.title, 40)}" if node.title else ""
    style = f":::{node.verdict}" if node.verdict else ""
    return f"n{number}{first}{quoted(words + mark + title)}{last}{style}"


def _edge(edge: Edge) -> str:
    words = [] if edge.verb in ("reveal", "next chapter", "ending") else [edge.verb]
    words += [edge.outcome] if edge.outcome else []
    label = f"|{quoted(', '.join(words))}|" if words else ""
    return f"n{edge.source} {_ARROWS.get(edge.verb, '-->')}{label} n{edge.target}"
