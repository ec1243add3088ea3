"""Where the nodes of a sheet stand and which way its edges run, by the layered layout of the library graphlay.

Coordinates are pixels from the upper left corner. The same sheet is always laid out in the same way.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import ceil, sqrt

from runner.pictures.sheet import Edge, Node, Sheet

Point = tuple[float, float]

MOST_NODES, MOST_WAYPOINTS = 4000, 8000
"""More nodes, or more points at which the edges of a band pass its layers, take longer than some ten seconds to place.

A tangle has the most points: 200 cards that lead anywhere have more of them than 1,000 that lead mostly on.
"""

MOST_LANES = 200
"""More lines from band to band cannot be followed."""

CELL = 7.3
"""Width of a letter of 13 pixels, on the safe side."""
MOST_CELLS = 22
"""Letters of a title that are shown on its card."""
LINE = 17.0
"""Height of a line of text on a card."""

HEADER = 26.0
"""Height of a band's name."""
GAP, PADDING = 26.0, 18.0
"""Between bands, and between a band's frame and what is in it."""


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

    if len(sheet.nodes) > MOST_NODES:
        return _rows(sheet)
    columns = _Columns(sheet)
    if sum(columns.used) > MOST_LANES:
        return _rows(sheet)
    try:
        return columns.drawing()
    except GraphlayError:
        return _rows(sheet)


# ---------------------------------------------------------------- layers


_OPTIONS = {
    "direction": "topbottom",
    "effort": "fast",
    "routing": {"style": "orthogonal"},
    "spacing": {"layer_gap": 46.0, "node_gap": 24.0, "dummy_gap": 16.0, "port_gap": 9.0},
    "limits": {"max_dummies": MOST_WAYPOINTS},
}

LANE = 7.0
"""Distance of lines that run side by side from band to band."""

End = tuple[str, int]
"""``from`` or ``to`` a node: the lines with that end share a lane."""


class _Columns:
    """Each band laid out in layers by itself, the bands side by side, and the edges from band to band between them.

    Such an edge runs in the free space between two layers to the gutter beside its band, and from a gutter again
    between two layers to its target; above all bands where the two do not stand side by side.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.groups = sorted({node.group for node in sheet.nodes}, key=_last_without)
        self.column = [self.groups.index(node.group) for node in sheet.nodes]
        self.lanes: dict[tuple[int, End], int] = {}
        self.used = [0] * (len(self.groups) + 2)
        """Lanes of each gutter, the one left of column 0 first; the last are those above the bands."""
        for edge in sheet.edges:
            if self.column[edge.source] != self.column[edge.target]:
                for gutter, end in self._gutters(edge):
                    self._lane(gutter, end)

    def drawing(self) -> Drawing:
        """Raises GraphlayError where a band is too large or too tangled."""
        boxes: dict[int, Box] = {}
        lines: dict[int, tuple[Point, ...]] = {}
        bands: dict[int, Box] = {}
        self.top = LANE * self.used[-1] + (LANE if self.used[-1] else 0)
        self.left = [0.0]
        for column, group in enumerate(self.groups):
            frame = 0 if group is None else PADDING
            x = self.left[-1] + self._width(column) + frame
            y = self.top + frame + (HEADER if group is not None else 0)
            wide, tall = self._band(column, (x, y), boxes, lines)
            if group is not None:
                bands[group] = Box(x - frame, self.top, wide + 2 * frame, tall + HEADER + 2 * frame)
            self.left.append(x + wide + frame)
        for number, edge in enumerate(self.sheet.edges):
            if number not in lines:
                lines[number] = self._across(edge, boxes)
        bottom = max((box.y + box.height for box in (*boxes.values(), *bands.values())), default=0.0)
        return Drawing(
            self.left[-1] + self._width(len(self.groups)),
            bottom + PADDING,
            tuple(boxes[place] for place in range(len(boxes))),
            tuple(lines[number] for number in range(len(lines))),
            bands,
        )

    # ------------------------------------------------------------ one band

    def _band(
        self, column: int, corner: Point, boxes: dict[int, Box], lines: dict[int, tuple[Point, ...]]
    ) -> tuple[float, float]:
        """Lay out a band with its upper left corner there; its width and height."""
        import graphlay

        members = [place for place, home in enumerate(self.column) if home == column]
        inner = [
            (number, edge)
            for number, edge in enumerate(self.sheet.edges)
            if self.column[edge.source] == self.column[edge.target] == column
        ]
        back = _back_edges(self.sheet, members, [edge for _, edge in inner])
        graph = graphlay.Graph()
        for place in members:
            width, height = size_of(self.sheet.nodes[place])
            graph.node(place, width=width, height=height)
        for _, edge in inner:
            graph.edge(edge.source, edge.target, reverse_for_ranking=edge in back)
        raw = graphlay.layout(graph, options=_OPTIONS).raw
        low, high = raw["bounds"]["min"], raw["bounds"]["max"]
        dx, dy = corner[0] - low["x"], corner[1] - low["y"]
        for place, node in zip(members, raw["nodes"], strict=True):
            size, center = node["size"], node["center"]
            x, y = center["x"] - size["width"] / 2 + dx, center["y"] - size["height"] / 2 + dy
            boxes[place] = Box(x, y, size["width"], size["height"])
        for (number, _), route in zip(inner, raw["edges"], strict=True):
            lines[number] = tuple((point["x"] + dx, point["y"] + dy) for point in route["points"])
        return high["x"] - low["x"], high["y"] - low["y"]

    # ------------------------------------------------------------ from band to band

    def _gutters(self, edge: Edge) -> list[tuple[int, End]]:
        """The gutters that an edge runs through; those with one end in common share a lane."""
        out, into = self.column[edge.source] + 1, self.column[edge.target]
        target = ("to", edge.target)
        if out == into:
            return [(out, target)]
        return [(out, ("from", edge.source)), (len(self.used) - 1, target), (into, target)]

    def _lane(self, gutter: int, end: End) -> int:
        if (gutter, end) not in self.lanes:
            self.lanes[gutter, end] = self.used[gutter]
            self.used[gutter] += 1
        return self.lanes[gutter, end]

    def _width(self, gutter: int) -> float:
        """Room for its lanes and a gap on both sides; without lanes one gap between bands, none at the margins."""
        if lanes := self.used[gutter]:
            return lanes * LANE + 2 * GAP
        return GAP if 0 < gutter < len(self.groups) else 0.0

    def _across(self, edge: Edge, boxes: dict[int, Box]) -> tuple[Point, ...]:
        source, target = boxes[edge.source], boxes[edge.target]
        start = source.x + source.width - min(24.0, source.width / 4)
        end = target.x + min(24.0, target.width / 4)
        below = max(box.y + box.height for box in self._layer(edge.source, boxes)) + 10
        above = min(box.y for box in self._layer(edge.target, boxes)) - 16
        first, *rest = self._gutters(edge)
        points = [(start, source.y + source.height), (start, below), (self._x(*first), below)]
        if rest:
            ceiling, last = rest
            high = self.top - LANE * (1 + self._lane(*ceiling))
            points += [(self._x(*first), high), (self._x(*last), high)]
        lane = self._x(*(rest[-1] if rest else first))
        return (*points, (lane, above), (end, above), (end, target.y))

    def _x(self, gutter: int, end: End) -> float:
        """Where a lane runs in the gutter left of a column."""
        return self.left[gutter] + GAP + LANE * self._lane(gutter, end)

    def _layer(self, place: int, boxes: dict[int, Box]) -> list[Box]:
        """The nodes beside a node."""
        at = boxes[place]
        others = (box for other, box in boxes.items() if self.column[other] == self.column[place])
        return [box for box in others if box.y < at.y + at.height and at.y < box.y + box.height]


def _last_without(group: int | None) -> tuple[bool, int]:
    return group is None, group or 0


def _back_edges(sheet: Sheet, members: list[int], edges: list[Edge]) -> set[Edge]:
    """The edges that close a cycle, seen from the starts in the order of the deck: they run upwards."""
    leaving: dict[int, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    found: set[Edge] = set()
    open_: set[int] = set()
    done: set[int] = set()
    for root in sorted(members, key=lambda place: not sheet.nodes[place].start):
        if root in done:
            continue
        open_.add(root)
        path = [(root, iter(leaving.get(root, ())))]
        while path:
            place, rest = path[-1]
            step = next(rest, None)
            if step is None:
                open_.discard(place)
                done.add(place)
                path.pop()
            elif step.target in open_:
                found.add(step)
            elif step.target not in done:
                open_.add(step.target)
                path.append((step.target, iter(leaving.get(step.target, ()))))
    return found


# ---------------------------------------------------------------- rows


def _rows(sheet: Sheet) -> Drawing:
    """Bands below each other, in each the nodes in their order; the picture about as wide as it is high."""
    sizes = [size_of(node) for node in sheet.nodes]
    wide = max((width for width, _ in sizes), default=0.0) + GAP
    tall = max((height for _, height in sizes), default=0.0) + GAP
    columns = max(1, ceil(sqrt(len(sizes) * 1.4 * tall / wide)))
    boxes: dict[int, Box] = {}
    bands: dict[int, Box] = {}
    y = 0.0
    for group in sorted({node.group for node in sheet.nodes}, key=_last_without):
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
