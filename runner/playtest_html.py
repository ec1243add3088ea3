"""A playtest's report as one page: no script, no network, plots as inline SVG, light or dark as the reader has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from runner.playtest_text import KIND_WORDS, Names, amount, deck_endings, middle
from runner.terminal import clean
from story.cards import Campaign, EncounterFile

Document = dict[str, Any]
Counts = dict[str, int]

STYLE = """\
:root { color-scheme: light dark; --ink: #1d2329; --dim: #5c6873; --paper: #fbfaf7; --line: #d9d6cd; --bar: #2f6f8f;
  --victory: #2f7d4f; --neutral: #5d7186; --defeat: #a8741a; --death: #a63a32; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e3da; --dim: #9aa5ae; --paper: #16191d; --line: #353b42;
  --bar: #6fb3d2; --victory: #6fbf8d; --neutral: #9fb0c1; --defeat: #dba94f; --death: #e27a70; } }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 56rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .2rem; }
p { margin: .3rem 0; } .dim { color: var(--dim); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--dim); } td.n, th.n { text-align: right; }
.scroll { overflow-x: auto; }
.plots { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
figure { margin: 0; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .dim { fill: var(--dim); }
svg rect { fill: var(--bar); } svg .axis { stroke: var(--line); }
svg .whisker { stroke: var(--ink); stroke-width: 1.5; }
svg .victory { fill: var(--victory); } svg .neutral, svg .done { fill: var(--neutral); }
svg .defeat { fill: var(--defeat); } svg .death, svg .stuck, svg .endless { fill: var(--death); }
svg .median { stroke: var(--ink); stroke-dasharray: 4 3; }
"""


def html_page(document: Document, deck: Campaign | EncounterFile, *, spoilers: bool) -> str:
    """The page; without ``spoilers`` it names no card, option or ending (NAV-6)."""
    names = Names(deck)
    title = f"{_text(deck.title)}: a playtest"
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="dim">{document["runs"]} games, policy {document["policy"]}, seed {document["seed"]}.</p>',
        "<h2>Endings</h2>",
        '<p class="dim">Shares with their intervals of 95 % (Wilson).</p>',
        share_bars([(KIND_WORDS[kind], kind, n) for kind, n in document["kinds"].items()], "Games by kind of ending"),
    ]
    if spoilers and deck_endings(document):
        rows = [(names.ending(id), n["kind"], n) for id, n in document["endings"].items()]
        parts += ["<h3>By name</h3>", share_bars(rows, "Games by ending")]
        parts.append(
            _table(
                ("ending", "kind", "games", "first game"),
                [
                    (names.ending(id), KIND_WORDS[n["kind"]], n["count"], _first(n))
                    for id, n in document["endings"].items()
                ],
            )
        )
    parts += ["<h2>Wounds and Action Points on the way</h2>", *_checkpoints(document)]
    parts += ["<h2>Length of a game</h2>", '<div class="plots">']
    for key, words in (("cards", "cards turned"), ("answers", "decisions"), ("rolls", "rolls")):
        spread = document["routes"][key]
        parts.append(_figure(histogram(spread["counts"], spread["median"], words), f"{words}: {middle(spread)}"))
    parts.append("</div>")
    parts += _coverage(document, names, spoilers)
    parts += _faults(document, names, spoilers)
    if not spoilers:
        parts.append('<p class="dim">Cards, options and endings are named on a page made with --spoilers.</p>')
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a deck's texts hold, the page fetches and runs nothing.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


# ---------------------------------------------------------------- parts


def _checkpoints(document: Document) -> list[str]:
    points = {
        "the end" if name == "end" else f"chapter {name}": point for name, point in document["checkpoints"].items()
    }
    rows = [
        (name, point["games"], middle(point["wounds"]), middle(point["ap"]) if "ap" in point else "")
        for name, point in points.items()
    ]
    plots = []
    for name, point in points.items():
        for key, words in (("wounds", "wounds"), ("ap", "Action Points")):
            if key in point:
                spread = point[key]
                where = f"{words} at {name}" if name == "the end" else f"{words} where {name} begins"
                plots.append(_figure(histogram(spread["counts"], spread["median"], where), where))
    return [
        _table(("where", "games", "wounds: median (quartiles)", "AP: median (quartiles)"), rows),
        '<div class="plots">',
        *plots,
        "</div>",
    ]


def _coverage(document: Document, names: Names, spoilers: bool) -> list[str]:
    cards, options = len(document["cards"]), len(document["options"])
    if not cards:
        return []
    missed, closed, untaken = document["never_met"], document["never_open"], document["never_taken"]
    deaths = document["deaths"]
    count = sum(n["count"] for n in deaths.values())
    parts = [
        "<h2>What was met</h2>",
        f"<p>{cards - len(missed)} of {cards} cards were met, {len(missed)} never.</p>",
        f"<p>{options - len(closed) - len(untaken)} of {options} options were taken.</p>",
        f"<p>{len(untaken)} were open but never taken, {len(closed)} were never open.</p>",
    ]
    if count:
        parts.append(f"<p>{count} deaths on {len(deaths)} {'card' if len(deaths) == 1 else 'cards'}.</p>")
    if not spoilers:
        return parts
    if deaths:
        parts += ["<h3>Deaths by card</h3>"]
        parts.append(share_bars([(names.card(id), "death", n) for id, n in deaths.items()], "Deaths by card"))
        rows = [(names.card(id), n["count"], _first(n)) for id, n in deaths.items()]
        parts.append(_table(("card", "deaths", "first game"), rows))
    for title, ids, called in (
        ("Cards never met", missed, names.cards),
        ("Options never open", closed, names.options),
        ("Options open but never taken", untaken, names.options),
    ):
        if ids:
            parts += [f"<h3>{title}</h3>", _table(("id", "words"), [(id, called.get(id, "")) for id in ids])]
    return parts


def _faults(document: Document, names: Names, spoilers: bool) -> list[str]:
    stops = document["stops"]
    parts = []
    if stops:
        count = sum(n["count"] for n in stops.values())
        first = min(n["first_run"] for n in stops.values())
        parts += [
            "<h2>Games without an end</h2>",
            f"<p>{count} games found no way on or did not end within {document['answers_limit']} answers.</p>",
            f"<p>The first is game {first}.</p>",
        ]
        if spoilers:
            rows = [(names.card(id), n["count"], _first(n)) for id, n in stops.items()]
            parts.append(_table(("card", "games", "first game"), rows))
    if document["not_worked_out"]:
        parts.append(
            f"<p>{document['not_worked_out']} encounters were too large to be worked out and were played carefully.</p>"
        )
    return parts


def _first(n: Document) -> str:
    return "" if n["first_run"] is None else f"--run {n['first_run']}"


def _text(text: str) -> str:
    return escape(clean(text).replace("\n", " "))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    every = list(rows)
    numeric = [bool(every) and all(isinstance(row[i], int) for row in every) for i in range(len(heads))]
    marks = [' class="n"' if is_number else "" for is_number in numeric]
    head = "".join(f"<th{mark}>{_text(word)}</th>" for mark, word in zip(marks, heads, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{mark}>{_text(str(cell))}</td>" for mark, cell in zip(marks, row, strict=True)) + "</tr>"
        for row in every
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption class='dim'>{_text(caption)}</figcaption></figure>"


# ---------------------------------------------------------------- plots


def share_bars(rows: Sequence[tuple[str, str, Document]], label: str) -> str:
    """Bars of shares, a row each as (name, kind, share), with a whisker over the interval."""
    left, right, step, width = 190, 150, 28, 760
    room = width - left - right
    longest = max((n["high"] for _, _, n in rows), default=0) or 1
    parts = []
    for place, (name, kind, n) in enumerate(rows):
        y = place * step + 5
        x = [left + room * part / longest for part in (n["share"], n["low"], n["high"])]
        told = f"{n['share'] * 100:.1f} % ({n['low'] * 100:.1f}–{n['high'] * 100:.1f})"
        parts.append(
            f"<g><title>{_text(name)}: {n['count']} games, {told}</title>"
            f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{_text(_short(name, 28))}</text>'
            f'<rect class="{_text(kind)}" x="{left}" y="{y}" width="{x[0] - left:.1f}" height="18" rx="2"/>'
            f'<line class="whisker" x1="{x[1]:.1f}" x2="{x[2]:.1f}" y1="{y + 9}" y2="{y + 9}"/>'
            f'<text class="dim" x="{width}" y="{y + 13}" text-anchor="end">{told}</text></g>'
        )
    height = len(rows) * step + 6
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{_text(label)}">'
        f'<line class="axis" x1="{left}" x2="{left}" y1="0" y2="{height}"/>{"".join(parts)}</svg>'
    )


def histogram(counts: Counts, median: float, label: str) -> str:
    """How often each amount occurred; wide ranges are gathered in classes of equal width."""
    bins = classes(counts)
    width, height, bottom, top = 360, 170, 22, 16
    room = height - bottom - top
    most = max(n for _, _, n in bins)
    step = min(48.0, width / len(bins))
    parts = []
    for place, (low, high, n) in enumerate(bins):
        name = f"{low}" if low == high else f"{low}–{high}"
        tall = room * n / most
        x = place * step
        parts.append(
            f"<g><title>{name}: {n} games</title>"
            f'<rect x="{x + step * 0.08:.1f}" y="{height - bottom - tall:.1f}" width="{step * 0.84:.1f}" '
            f'height="{tall:.1f}" rx="1"/>'
        )
        # As many numbers below the axis as have room.
        if place % max(1, -(-len(bins) // 10)) == 0:
            parts.append(f'<text x="{x + step / 2:.1f}" y="{height - 6}" text-anchor="middle">{low}</text>')
        parts.append("</g>")
    first, wide = bins[0][0], bins[0][1] - bins[0][0] + 1
    at = min(float(width), max(0.0, ((median - first) / wide + 0.5 / wide) * step))
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{_text(label)}, median {amount(median)}">'
        f'<line class="axis" x1="0" x2="{width}" y1="{height - bottom}" y2="{height - bottom}"/>{"".join(parts)}'
        f'<line class="median" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{height - bottom}"/>'
        f'<text class="dim" x="0" y="11">highest bar: {most} game{"s" * (most != 1)}</text></svg>'
    )


MOST_BARS = 40


def classes(counts: Counts) -> list[tuple[int, int, int]]:
    """(lowest, highest, games) of up to ``MOST_BARS`` neighbouring classes, empty ones included."""
    amounts = {int(amount): n for amount, n in counts.items()}
    low, high = min(amounts), max(amounts)
    wide = -(-(high - low + 1) // MOST_BARS)
    return [
        (start, start + wide - 1, sum(amounts.get(amount, 0) for amount in range(start, start + wide)))
        for start in range(low, high + 1, wide)
    ]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
