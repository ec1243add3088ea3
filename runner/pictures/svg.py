"""A sheet as SVG: a picture of its own, or the picture on the HTML page. Light or dark as the reader has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import hypot

from runner.pictures.layout import LINE, Box, Drawing, Point, cells, label_lines
from runner.pictures.sheet import OUTCOMES, VERBS, VERDICTS, Edge, Node, Sheet

LIGHT = {
    "paper": "#fbfaf7",
    "ink": "#1d2329",
    "dim": "#5c6873",
    "band": "#f1eee6",
    "frame": "#d2cec2",
    "card": "#ffffff",
    "reached": "#dcebf3",
    "reached-ink": "#1f5f80",
    "unreachable": "#f8dcd6",
    "unreachable-ink": "#a1302a",
    "unknown": "#f5e8c4",
    "unknown-ink": "#7d5c0c",
    "succeed": "#2a7548",
    "fail": "#a1302a",
}
DARK = {
    "paper": "#16191d",
    "ink": "#e6e3da",
    "dim": "#a3adb6",
    "band": "#1d2126",
    "frame": "#3a4149",
    "card": "#22272d",
    "reached": "#1c3443",
    "reached-ink": "#7cbfdf",
    "unreachable": "#45211e",
    "unreachable-ink": "#ef8d82",
    "unknown": "#3b3216",
    "unknown-ink": "#e0b458",
    "succeed": "#79c999",
    "fail": "#ef8d82",
}

DASHES = {"pull": "7 4", "draw": "2 4", "visit": "9 3 2 3"}
"""Verbs without an entry are drawn through."""

MARGIN = 24.0
RADIUS = 8.0


def styles() -> str:
    """The style sheet of the picture, in both schemes."""
    return f"{_rules()}{_colors(LIGHT)}@media (prefers-color-scheme: dark) {{\n{_colors(DARK)}}}\n"


def _rules() -> str:
    dashes = "".join(f".edge.{verb} .line {{ stroke-dasharray: {dash}; }}\n" for verb, dash in DASHES.items())
    return (
        "text { font: 13px system-ui, sans-serif; }\n"
        ".head { font-size: 20px; font-weight: 600; }\n"
        ".number { font-weight: 600; }\n"
        ".name { font-size: 14px; font-weight: 600; }\n"
        ".line { fill: none; stroke-width: 1.5; }\n"
        ".grip { fill: none; stroke: #000; stroke-opacity: 0; stroke-width: 11; pointer-events: stroke; }\n"
        ".edge.next .line { stroke-width: 3.5; }\n"
        f"{dashes}"
        ".edge.closed .line { stroke-opacity: .35; }\n"
        ".rows .line { stroke-opacity: .22; stroke-width: 1; }\n"
        ".rows .edge:not(.lit) .line { marker-end: none; }\n"
        ".shape { stroke-width: 1.5; }\n"
        ".start .shape, .ending .shape { stroke-width: 2.5; }\n"
        ".unreachable .shape { stroke-dasharray: 6 3; }\n"
        ".unknown .shape { stroke-dasharray: 2 3; }\n"
        ".mark { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }\n"
    )


def _colors(color: dict[str, str]) -> str:
    verdicts = "".join(
        f".{word} .fill {{ fill: {color[word]}; }}\n"
        f".{word} .shape, .{word} .mark {{ stroke: {color[f'{word}-ink']}; }}\n"
        f".{word}-line {{ stroke: {color[f'{word}-ink']}; }} .{word}-dot {{ fill: {color[f'{word}-ink']}; }}\n"
        for word in VERDICTS
    )
    return (
        f".paper {{ fill: {color['paper']}; }}\n"
        f"text {{ fill: {color['ink']}; }} .dim {{ fill: {color['dim']}; }}\n"
        f".band {{ fill: {color['band']}; stroke: {color['frame']}; }}\n"
        f".fill {{ fill: {color['card']}; }}\n"
        f".shape, .outline {{ fill: none; stroke: {color['dim']}; }}\n"
        f".line {{ stroke: {color['dim']}; }} .tip {{ fill: {color['dim']}; }}\n"
        f".edge.next .line {{ stroke: {color['ink']}; }} .tip.next {{ fill: {color['ink']}; }}\n"
        f".edge.succeed .line, .edge.perfect .line {{ stroke: {color['succeed']}; }}\n"
        f".edge.fail .line {{ stroke: {color['fail']}; }}\n"
        f".tip.succeed, .tip.perfect, .sign.succeed, .sign.perfect {{ fill: {color['succeed']}; }}\n"
        f".tip.fail, .sign.fail {{ fill: {color['fail']}; }}\n"
        f"{verdicts}"
    )


def svg(sheet: Sheet, drawing: Drawing) -> str:
    """The picture as a file of its own, with title, caption and legend."""
    key, tall = legend(sheet, max(drawing.width, 420.0))
    notes = [sheet.caption, *filter(None, (sheet.note,))]
    top = MARGIN + 44 + 18 * len(notes) + tall + 14
    widest = max(cells(line) * 7.0 for line in notes)
    width = max(drawing.width, widest, cells(sheet.title) * 11.5, 420.0) + 2 * MARGIN
    height = top + drawing.height + MARGIN
    head = [f'<text class="head" x="{MARGIN:g}" y="{MARGIN + 18:g}">{escape(sheet.title)}</text>']
    for number, line in enumerate(notes):
        head.append(f'<text class="dim" x="{MARGIN:g}" y="{MARGIN + 42 + 18 * number:g}">{escape(line)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-labelledby="title about">\n'
        f'<title id="title">{escape(sheet.title)}: its cards</title>\n<desc id="about">{escape(sheet.caption)}</desc>\n'
        f"<style>\n{styles()}</style>\n{definitions()}"
        f'<rect class="paper" width="100%" height="100%"/>\n{"".join(head)}\n'
        f'<g transform="translate({MARGIN:g} {MARGIN + 44 + 18 * len(notes):g})">\n{key}</g>\n'
        f'<g transform="translate({MARGIN:g} {top:g})">\n{picture(sheet, drawing)}</g>\n</svg>\n'
    )


def picture(sheet: Sheet, drawing: Drawing, *, live: bool = False) -> str:
    """Bands, edges and nodes; ``live``: nodes that can be focused, edges that are easily pointed at."""
    parts = [_band(sheet, group, box) for group, box in drawing.bands.items()]
    lines = zip(sheet.edges, drawing.lines, strict=True)
    edges = [_edge(sheet, edge, line, drawing.layered, live) for edge, line in lines]
    nodes = [
        _node(sheet, place, node, box, live)
        for place, (node, box) in enumerate(zip(sheet.nodes, drawing.nodes, strict=True))
    ]
    rows = "" if drawing.layered else ' class="rows"'
    return f"<g>\n{''.join(parts)}</g>\n<g{rows}>\n{''.join(edges)}</g>\n<g>\n{''.join(nodes)}</g>\n"


def definitions() -> str:
    """The tips of the lines and the patterns of the verdicts."""
    tips = "".join(
        f'<marker id="tip-{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="{size}" markerHeight="{size}" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="tip {name}" d="M0 1 10 5 0 9z"/></marker>\n'
        for name, size in (("plain", 9), ("next", 13), *((outcome, 9) for outcome in OUTCOMES))
    )
    return (
        f"<defs>\n{tips}"
        '<pattern id="unreachable" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="unreachable-line" stroke-opacity=".4" d="M1 0v7"/></pattern>\n'
        '<pattern id="unknown" width="7" height="7" patternUnits="userSpaceOnUse">'
        '<circle class="unknown-dot" fill-opacity=".45" cx="2" cy="2" r="1"/></pattern>\n</defs>\n'
    )


# ---------------------------------------------------------------- parts


def _band(sheet: Sheet, group: int, box: Box) -> str:
    return (
        f'<g data-g="{group}"><rect class="band" {_at(box)} rx="10"/>'
        f'<text class="name dim" x="{box.x + 14:.1f}" y="{box.y + 21:.1f}">{escape(sheet.groups[group])}</text></g>\n'
    )


def edge_words(sheet: Sheet, edge: Edge) -> str:
    """An edge in words, a line a way."""
    head = f"{sheet.nodes[edge.source].name} → {sheet.nodes[edge.target].name}: {edge.verb}"
    lines = [head + (", closed: it can never be taken" if edge.closed else "")]
    for way in edge.ways:
        parts = [way.words]
        parts += [f"needs {way.needs}"] if way.needs else []
        parts += [f"costs {way.cost}"] if way.cost else []
        if any(parts):
            lines.append("; ".join(filter(None, parts)))
    return "\n".join(lines)


def _edge(sheet: Sheet, edge: Edge, line: Sequence[Point], layered: bool, live: bool) -> str:
    path = _path(line)
    classes = ["edge", edge.verb.split()[0], *filter(None, (edge.outcome,)), *(["closed"] if edge.closed else [])]
    tip = "next" if edge.verb == "next chapter" else edge.outcome or "plain"
    parts = [f"<title>{escape(edge_words(sheet, edge))}</title>"]
    if live and layered:
        parts.append(f'<path class="grip" d="{path}"/>')
    parts.append(f'<path class="line" d="{path}" marker-end="url(#tip-{tip})"/>')
    if edge.outcome and layered:
        parts.append(_sign(edge.outcome, line))
    data = f' data-s="{edge.source}" data-t="{edge.target}"' if live else ""
    return f'<g class="{" ".join(classes)}"{data}>{"".join(parts)}</g>\n'


SIGNS = {"succeed": "+", "fail": "−", "perfect": "★"}


def _sign(outcome: str, line: Sequence[Point]) -> str:
    """The outcome beside the beginning of its line, for those who do not see its colour."""
    x, y = line[0]
    return f'<text class="sign {outcome}" x="{x + 4:.1f}" y="{y + 13:.1f}">{SIGNS[outcome]}</text>'


def _path(line: Sequence[Point]) -> str:
    """A line with rounded corners."""
    parts = [f"M{line[0][0]:.1f} {line[0][1]:.1f}"]
    for before, at, after in zip(line, line[1:], line[2:], strict=False):
        near, far = _short(at, before), _short(at, after)
        parts.append(f"L{near[0]:.1f} {near[1]:.1f}Q{at[0]:.1f} {at[1]:.1f} {far[0]:.1f} {far[1]:.1f}")
    parts.append(f"L{line[-1][0]:.1f} {line[-1][1]:.1f}")
    return "".join(parts)


def _short(at: Point, towards: Point) -> Point:
    """The point from which a corner is rounded."""
    dx, dy = towards[0] - at[0], towards[1] - at[1]
    length = hypot(dx, dy)
    share = min(RADIUS, length / 2) / length if length else 0.0
    return at[0] + dx * share, at[1] + dy * share


def node_words(sheet: Sheet, node: Node) -> str:
    """A node in words: for the pointer that rests on it, and for who hears the page."""
    kind = "" if node.kind == "deck" or node.name.startswith("end") else f"{node.kind} "
    parts = [f"{kind}{node.name}", *filter(None, (node.title,))]
    parts += ["start"] if node.start else []
    parts += [sheet.groups[node.group]] if node.group is not None and node.kind == "ending" else []
    return ", ".join([*parts, *filter(None, (node.verdict,))])


def _node(sheet: Sheet, place: int, node: Node, box: Box, live: bool) -> str:
    words = escape(node_words(sheet, node))
    attributes = f' id="n{place}" tabindex="0" role="button" aria-label="{words}"' if live else ""
    classes = " ".join(filter(None, ("node", node.kind, "start" if node.start else "", node.verdict)))
    return f'<g class="{classes}"{attributes}><title>{words}</title>{_shape(node, box)}{_words(node, box)}</g>\n'


def _shape(node: Node, box: Box) -> str:
    """Fill, pattern and outline: cards are boxes, starts are round at their ends, endings are cut, decks are stacks."""
    if node.kind == "ending":
        outline = f'<path class="{{}}" d="{_cut(box, 9)}"{{}}/>'
    else:
        radius = box.height / 2 if node.start else 5
        outline = f'<rect class="{{}}" {_at(box)} rx="{radius:g}"{{}}/>'
    stack = ""
    if node.kind == "deck":
        x, y, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
        stack = f'<path class="outline" d="M{x + 5:.1f} {bottom + 3:.1f}H{right + 3:.1f}V{y + 5:.1f}"/>'
        stack += f'<path class="outline" d="M{x + 9:.1f} {bottom + 6:.1f}H{right + 6:.1f}V{y + 9:.1f}"/>'
    # Colours are classes; a pattern lies over the fill, so that the colour is not all that tells the verdict.
    pattern = outline.format("pattern", f' fill="url(#{node.verdict})"') if node.verdict in VERDICTS[1:] else ""
    return f"{stack}{outline.format('fill', '')}{pattern}{outline.format('shape', '')}"


def _cut(box: Box, n: float) -> str:
    x, y, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    points = ((x + n, y), (right - n, y), (right, y + n), (right, bottom - n), (right - n, bottom), (x + n, bottom))
    rest = ((x, bottom - n), (x, y + n))
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in (*points, *rest)) + "z"


_MARKS = {"reached": "M0 5l3.5 3.5L9 0", "unreachable": "M0 0l8 8M8 0l-8 8"}


def _words(node: Node, box: Box) -> str:
    lines = label_lines(node)
    middle = box.x + box.width / 2
    first = box.y + box.height / 2 - LINE * (len(lines) - 1) / 2 + 4.5
    room = 7 if node.verdict and len(lines) == 1 else 0
    parts = [
        f'<text{"" if number else MAIN} x="{middle - room:.1f}" y="{first + LINE * number:.1f}" '
        f'text-anchor="middle">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    return "".join(parts) + _mark(node, box)


MAIN = ' class="number"'


def _mark(node: Node, box: Box) -> str:
    """The verdict's sign, in the upper right corner."""
    inset = 22 if node.start or node.kind == "ending" else 15
    x, y = box.x + box.width - inset, box.y + min(12.0, box.height / 2 - 4.5)
    if node.verdict in _MARKS:
        return f'<path class="mark" transform="translate({x:.1f} {y:.1f})" d="{_MARKS[node.verdict]}"/>'
    return f'<text class="number" x="{x + 1:.1f}" y="{y + 9:.1f}">?</text>' if node.verdict else ""


def _at(box: Box) -> str:
    return f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'


# ---------------------------------------------------------------- legend


def samples(sheet: Sheet) -> list[tuple[str, str]]:
    """What the picture uses, each as a drawing of 40 by 26 and its word."""
    nodes, edges = sheet.nodes, sheet.edges
    box = Box(3, 3, 34, 20)
    shown: list[tuple[Node, str]] = []
    if any(node.start for node in nodes):
        shown.append((Node("", "", "card", None, True), "start of a chapter"))
    if any(node.kind == "ending" for node in nodes):
        shown.append((Node("", "", "ending", None), "ending"))
    if any(node.kind == "deck" for node in nodes):
        shown.append((Node("", "", "deck", None), "deck that is drawn from"))
    found = {node.verdict for node in nodes}
    shown += [(Node("", "", "card", None, verdict=word), word) for word in VERDICTS if word in found]
    drawn = []
    for node, word in shown:
        classes = " ".join(filter(None, (node.kind, "start" if node.start else "", node.verdict)))
        drawn.append((f'<g class="{classes}">{_shape(node, box)}{_mark(node, box)}</g>', word))
    used = {edge.verb for edge in edges} - {"ending"} | {edge.outcome for edge in edges}
    return drawn + [(_line_sample(word), word) for word in (*VERBS.values(), *OUTCOMES) if word in used]


def _line_sample(word: str) -> str:
    outcome = word if word in OUTCOMES else ""
    sign = f'<text class="sign {outcome}" x="3" y="10">{SIGNS[outcome]}</text>' if outcome else ""
    tip = "next" if word == "next chapter" else outcome or "plain"
    line = f'<path class="line" d="M2 14H38" marker-end="url(#tip-{tip})"/>'
    return f'<g class="edge {word.split()[0]}">{line}{sign}</g>'


def legend(sheet: Sheet, room: float) -> tuple[str, float]:
    """The legend within a width, and its height."""
    x = y = 0.0
    parts: list[str] = []
    for drawn, word in samples(sheet):
        wide = 50 + cells(word) * 7.0 + 18
        if x and x + wide > room:
            x, y = 0.0, y + 30
        parts.append(f'<g transform="translate({x:g} {y:g})">{drawn}<text x="50" y="18">{escape(word)}</text></g>\n')
        x += wide
    return "".join(parts), y + 30


def legend_items(sheet: Sheet) -> Iterable[str]:
    """The legend as small pictures with their words, for the page."""
    for drawn, word in samples(sheet):
        image = f'<svg viewBox="0 0 44 28" width="44" height="28" aria-hidden="true">{drawn}</svg>'
        yield f"<span>{image}{escape(word)}</span>"
