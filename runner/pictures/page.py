"""A sheet as one HTML page that needs nothing but itself: zoom, search, filters, and a click on a card to read it."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from runner.pictures.layout import Drawing
from runner.pictures.sheet import VERDICTS, Edge, Node, Sheet
from runner.pictures.svg import definitions, legend_items, picture, styles

MARGIN = 20


def page(sheet: Sheet, drawing: Drawing) -> str:
    """The page. Texts of the deck are data to it: nothing in them is ever run or fetched."""
    here = files("runner.pictures")
    style = styles() + (here / "page.css").read_text(encoding="utf-8")
    script = (here / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    title = escape(sheet.title)
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in (sheet.caption, sheet.note) if note)
    wide, tall = drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Only this one script runs, and nothing can be fetched.
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'\">\n"
        f"<title>{title}: its cards</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#legend">Skip the cards</a>\n<header>\n<h1>{title}</h1>\n{notes}'
        f'<div class="tools">\n{_tools(sheet)}</div>\n</header>\n<main>\n'
        f'<svg id="stage" class="stage" viewBox="{-MARGIN} {-MARGIN} {wide:.0f} {tall:.0f}" role="group" '
        f'aria-label="The cards and the ways between them">\n'
        f"{definitions()}{picture(sheet, drawing, live=True)}</svg>\n"
        '<aside id="panel" aria-label="The card" tabindex="-1" hidden></aside>\n</main>\n'
        f'<footer id="legend" tabindex="-1">\n{"".join(legend_items(sheet))}\n<p>{_HELP}</p>\n</footer>\n'
        f'<script type="application/json" id="data">{_data(sheet)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


_HELP = (
    "Drag to move, turn the wheel to zoom. <kbd>Tab</kbd> goes from card to card, <kbd>↓</kbd> <kbd>↑</kbd> along the "
    "links, <kbd>Enter</kbd> opens a card, <kbd>Esc</kbd> closes it, <kbd>/</kbd> searches, <kbd>+</kbd> <kbd>−</kbd> "
    "<kbd>0</kbd> zoom."
)


def _tools(sheet: Sheet) -> str:
    what = "number, title or text" if sheet.spoilers else "number"
    parts = [f'<label>Search <input id="search" type="search" placeholder="{what}" autocomplete="off"></label>\n']
    parts.append('<output id="found" for="search"></output>\n')
    used = sorted({node.group for node in sheet.nodes if node.group is not None})
    if len(used) > 1:
        choices = "".join(f'<option value="{group}">{escape(sheet.groups[group])}</option>' for group in used)
        parts.append(f'<label>Show <select id="group"><option value="">all of it</option>{choices}</select></label>\n')
    seen = [verdict for verdict in VERDICTS if any(node.verdict == verdict for node in sheet.nodes)]
    if seen:
        buttons = "".join(f'<button class="switch" aria-pressed="true">{verdict}</button>' for verdict in seen)
        parts.append(f'<span role="group" aria-label="Verdicts">{buttons}</span>\n')
        parts.append('<label><input id="colors" type="checkbox" checked> colour by verdict</label>\n')
    parts.append(
        '<span role="group" aria-label="Zoom"><button id="out" aria-label="smaller">−</button>'
        '<button id="fit">whole picture</button><button id="in" aria-label="larger">+</button></span>\n'
    )
    return "".join(parts)


def _data(sheet: Sheet) -> str:
    """What the script reads; a text that closes the script or opens a comment is written so that it does neither."""
    document = {
        "groups": sheet.groups,
        "nodes": [_node(node) for node in sheet.nodes],
        "edges": [_edge(edge) for edge in sheet.edges],
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _node(node: Node) -> dict[str, Any]:
    fields = {
        "name": node.name,
        "kind": node.kind,
        "group": node.group,
        "start": node.start,
        "verdict": node.verdict,
        "title": node.title,
        "text": node.text,
        "ending": node.ending,
        "options": [
            _full({"n": o.number, "words": o.words, "needs": o.needs, "cost": o.cost, "verdict": o.verdict})
            for o in node.options
        ],
    }
    return _full(fields)


def _edge(edge: Edge) -> dict[str, Any]:
    ways = [
        _full({"words": way.words, "needs": way.needs, "cost": way.cost, "closed": way.closed}) for way in edge.ways
    ]
    return _full({"s": edge.source, "t": edge.target, "verb": edge.verb, "ways": [way for way in ways if way]})


def _full(fields: dict[str, Any]) -> dict[str, Any]:
    """Without what is empty; 0 is a place, and stays."""
    return {name: value for name, value in fields.items() if value or (value == 0 and value is not False)}
