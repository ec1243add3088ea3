"""A playtest's report in lines; without spoilers it counts cards, options and endings and names none (NAV-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solver.playtest.game import choices
from story.cards import Campaign, EncounterFile, Ending
from story.checks.walk import story_cards, walk

Document = dict[str, Any]

KIND_WORDS = {
    "victory": "victory",
    "neutral": "neutral",
    "defeat": "defeat",
    "done": "played to the end",
    "death": "death",
    "stuck": "no way on",
    "endless": "without end",
}


class Names:
    """What cards, options and endings are called."""

    def __init__(self, deck: Campaign | EncounterFile) -> None:
        campaign = deck if isinstance(deck, Campaign) else None
        every = list(story_cards(campaign)) if campaign else []
        self.cards = {key: card.title for key, card in every}
        self.options = {option: choice.say for _, option, choice in choices(campaign)} if campaign else {}
        self.endings = {
            step.id: step.title for _, card in every for step in walk(card.steps) if isinstance(step, Ending)
        }

    def ending(self, id: str) -> str:
        """An ending's title; for those that are no ending of the story, what happened."""
        return self.endings.get(id) or KIND_WORDS.get(id, id)

    def card(self, id: str) -> str:
        """``1:12 The Reef``."""
        return f"{id} {self.cards.get(id, '')}".strip()


def percent(share: Document) -> str:
    """``20.3 % (18.0–22.9)``: a share and its interval."""
    return f"{share['share'] * 100:5.1f} % ({share['low'] * 100:.1f}–{share['high'] * 100:.1f})"


def amount(number: float) -> str:
    """``4`` or ``4.5``."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def middle(spread: Document) -> str:
    """``4 (2–5)``: the median and the quartiles."""
    return f"{amount(spread['median'])} ({amount(spread['lower_quartile'])}–{amount(spread['upper_quartile'])})"


def report_lines(document: Document, deck: Campaign | EncounterFile, *, spoilers: bool) -> Iterator[str]:
    """The report."""
    names = Names(deck)
    yield f"{deck.title}: {document['runs']} games, {document['policy']}, seed {document['seed']}"
    yield ""
    yield "Endings, with 95 % intervals"
    yield from table((KIND_WORDS[kind], f"{n['count']}", percent(n)) for kind, n in document["kinds"].items())
    if spoilers and deck_endings(document):
        yield ""
        yield "Endings by name"
        yield from table(
            (names.ending(id), KIND_WORDS[n["kind"]], f"{n['count']}", percent(n), _example(n))
            for id, n in document["endings"].items()
        )
    yield ""
    yield "Checkpoints: median and quartiles"
    yield from table(
        (
            "the end" if name == "end" else f"chapter {name}",
            f"{point['games']} games",
            f"wounds {middle(point['wounds'])}",
            f"AP {middle(point['ap'])}" if "ap" in point else "",
        )
        for name, point in document["checkpoints"].items()
    )
    yield ""
    routes = document["routes"]
    yield "Length of a game: median and quartiles"
    yield from table(
        (
            ("cards turned", middle(routes["cards"])),
            ("decisions", middle(routes["answers"])),
            ("rolls", middle(routes["rolls"])),
        )
    )
    if document["cards"]:
        yield ""
        yield from _coverage(document, names, spoilers)
    yield from _faults(document, names, spoilers)
    if not spoilers and document["cards"]:
        yield ""
        yield "Cards, options and endings are named with --spoilers."


def deck_endings(document: Document) -> bool:
    """Whether there are endings beside an encounter's own."""
    return any(n["kind"] in ("victory", "neutral", "defeat") for n in document["endings"].values())


def _coverage(document: Document, names: Names, spoilers: bool) -> Iterator[str]:
    cards, options = len(document["cards"]), len(document["options"])
    missed, closed, untaken = document["never_met"], document["never_open"], document["never_taken"]
    yield f"Cards: {cards - len(missed)} of {cards} met, {len(missed)} never."
    yield (
        f"Options: {options - len(closed) - len(untaken)} of {options} taken, {len(untaken)} open but never taken, "
        f"{len(closed)} never open."
    )
    deaths = document["deaths"]
    count = sum(n["count"] for n in deaths.values())
    if count:
        yield f"Deaths: {count} on {len(deaths)} {'cards' if len(deaths) != 1 else 'card'}."
    if not spoilers:
        return
    if deaths:
        yield ""
        yield "Deaths by card"
        yield from table((names.card(id), f"{n['count']}", percent(n), _example(n)) for id, n in deaths.items())
    for title, ids, called in (
        ("Cards never met", missed, names.cards),
        ("Options never open", closed, names.options),
        ("Options open but never taken", untaken, names.options),
    ):
        if ids:
            yield ""
            yield title
            yield from table((id, called.get(id, "")) for id in ids)


def _faults(document: Document, names: Names, spoilers: bool) -> Iterator[str]:
    stops = document["stops"]
    if stops:
        first = min(n["first_run"] for n in stops.values())
        yield ""
        yield (
            f"{sum(n['count'] for n in stops.values())} games found no way on or did not end within "
            f"{document['answers_limit']} answers; see --run {first}."
        )
        if spoilers:
            yield from table((names.card(id), f"{n['count']}", _example(n)) for id, n in stops.items())
    if document["not_worked_out"]:
        yield ""
        yield f"{document['not_worked_out']} encounters were too large to be worked out and were played carefully."


def _example(n: Document) -> str:
    return f"--run {n['first_run']}" if n["first_run"] is not None else ""


def table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows in columns; numbers to the right."""
    every = list(rows)
    widths = [max((len(row[i]) for row in every), default=0) for i in range(max(map(len, every), default=0))]
    for row in every:
        cells = (
            cell.rjust(width) if cell.isdigit() else cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        )
        yield f"  {'  '.join(cells)}".rstrip()
