"""Where the nodes of a sheet stand and which way its edges run, by the layered layout of the library graphlay.

Coordinates are pixels from the upper left corner. The same sheet is always laid out in the same way.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import ceil, sqrt

from runner.pictures.sheet import Node, Sheet

Point = tuple[float, float]

MOST_WAYPOINTS = 6000
"""More points at which edges pass other layers make layering slow (seconds), and its result a tangle."""

CELL = 7.3
"""Width of a letter of 13 pixels, on the safe side."""
MOST_CELLS = 22
"""Letters of a title that are shown on its card."""
LINE = 17.0
"""Height of a line of text on a card."""

HEADER = 26.0
"""Height of a band's name."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def center(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes of nodes and lines of edges in the order of the sheet; bands by the place of their group.

    Where ``layered`` is false the cards stand in rows by their order, and the lines run straight across.
    """

    width: float
    height: float
    nodes: tuple[Box, ...]
    lines: tuple[tuple[Point, ...], ...]
    bands: dict[int, Box]
    layered: bool = True


def cells(text: str) -> int:
    """How many letters wide a text is."""
    return sum(
        0 if unicodedata.combining(mark) else 2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text
    )


def shortened(text: str, most: int = MOST_CELLS) -> str:
    """The text in one line of so many letters at most."""
    text = " ".join(text.split())
    if cells(text) <= most:
        return text
    kept = ""
    for mark in text:
        if cells(kept + mark) > most - 1:
            break
        kept += mark
    return f"{kept.rstrip()}…"


def label_lines(node: Node) -> tuple[str, ...]:
    """What is written on a node: its label, and its title if that is shown."""
    first = f"{node.label} · start" if node.start else node.label
    return (shortened(first), *((shortened(node.title),) if node.title else ()))


def size_of(node: Node) -> tuple[float, float]:
    """Width and height of a node: its lines, room for the verdict's mark, and its shape."""
    lines = label_lines(node)
    first = cells(lines[0]) * CELL + (16 if node.verdict else 0) * len(lines)
    wide = max(first, *(cells(line) * CELL for line in lines)) + (34 if node.kind == "ending" or node.start else 22)
    return max(52.0, float(round(wide))), LINE * len(lines) + 15


def lay_out(sheet: Sheet) -> Drawing:
    """The drawing of a sheet: in layers where that can be read, else in rows."""
    from graphlay import GraphlayError

    try:
        return _layered(sheet)
    except GraphlayError:
        return _rows(sheet)


# ---------------------------------------------------------------- layers


_OPTIONS = {
    "direction": "topbottom",
    "effort": "fast",
    "routing": {"style": "orthogonal"},
    "spacing": {
        "layer_gap": 46.0,
        "node_gap": 24.0,
        "dummy_gap": 16.0,
        "port_gap": 9.0,
        "compound_padding": 18.0,
        "compound_header": HEADER,
    },
    "limits": {"max_dummies": MOST_WAYPOINTS},
}


def _layered(sheet: Sheet) -> Drawing:
    import graphlay

    used = sorted({node.group for node in sheet.nodes if node.group is not None})
    graph = graphlay.Graph()
    for group in used:
        graph.node(("band", group))
    for place, node in enumerate(sheet.nodes):
        width, height = size_of(node)
        parent = None if node.group is None else used.index(node.group)
        graph.node(place, width=width, height=height, parent=parent)
    for edge in sheet.edges:
        graph.edge(edge.source, edge.target)
    raw = graphlay.layout(graph, options=_OPTIONS).raw
    left, top = raw["bounds"]["min"]["x"], raw["bounds"]["min"]["y"]
    boxes = []
    for node in raw["nodes"]:
        size, center = node["size"], node["center"]
        x, y = center["x"] - size["width"] / 2 - left, center["y"] - size["height"] / 2 - top
        boxes.append(Box(x, y, size["width"], size["height"]))
    lines = tuple(tuple((p["x"] - left, p["y"] - top) for p in edge["points"]) for edge in raw["edges"])
    right, bottom = raw["bounds"]["max"]["x"], raw["bounds"]["max"]["y"]
    bands = dict(zip(used, boxes, strict=False))
    return Drawing(right - left, bottom - top, tuple(boxes[len(used) :]), lines, bands)


# ---------------------------------------------------------------- rows


GAP, PADDING = 26.0, 18.0


def _rows(sheet: Sheet) -> Drawing:
    """Bands below each other, in each the nodes in their order; the picture about as wide as it is high."""
    sizes = [size_of(node) for node in sheet.nodes]
    wide = max((width for width, _ in sizes), default=0.0) + GAP
    tall = max((height for _, height in sizes), default=0.0) + GAP
    columns = max(1, ceil(sqrt(len(sizes) * 1.4 * tall / wide)))
    boxes: dict[int, Box] = {}
    bands: dict[int, Box] = {}
    y = 0.0
    for group in sorted({node.group for node in sheet.nodes}, key=lambda group: (group is None, group or 0)):
        members = [place for place, node in enumerate(sheet.nodes) if node.group == group]
        top = y + (HEADER if group is not None else 0) + PADDING
        for number, place in enumerate(members):
            row, column = divmod(number, columns)
            width, height = sizes[place]
            boxes[place] = Box(PADDING + column * wide, top + row * tall, width, height)
        bottom = top + ceil(len(members) / columns) * tall - GAP + PADDING
        if group is not None:
            bands[group] = Box(0.0, y, columns * wide - GAP + 2 * PADDING, bottom - y)
        y = bottom + GAP
    nodes = tuple(boxes[place] for place in range(len(sizes)))
    lines = tuple(_straight(nodes[edge.source], nodes[edge.target]) for edge in sheet.edges)
    return Drawing(columns * wide - GAP + 2 * PADDING, y - GAP, nodes, lines, bands, layered=False)


def _straight(a: Box, b: Box) -> tuple[Point, ...]:
    """From border to border; a loop at the right side for a card that turns to itself."""
    if a == b:
        right, middle = a.x + a.width, a.y + a.height / 2
        return (right, middle - 6), (right + 12, middle - 6), (right + 12, middle + 6), (right, middle + 6)
    return _border(a, b.center), _border(b, a.center)


def _border(box: Box, towards: Point) -> Point:
    """Where the line from the middle of a box to a point leaves the box."""
    x, y = box.center
    dx, dy = towards[0] - x, towards[1] - y
    share = min(box.width / 2 / abs(dx) if dx else 1.0, box.height / 2 / abs(dy) if dy else 1.0, 1.0)
    return x + dx * share, y + dy * share
