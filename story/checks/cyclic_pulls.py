"""Cards that turn to each other for ever, with no choice, roll or encounter in between (NAV-2, NAV-3)."""

from __future__ import annotations

from story.cards import (
    Challenge,
    Chart,
    Choose,
    Discard,
    DrawCard,
    Ending,
    Fight,
    NextChapter,
    Pull,
    Reveal,
    Span,
    StoryCard,
    Tavern,
)
from story.checks.walk import Key, chapter_of
from story.loading.draft import Draft

IDS = (ID := "cyclic-pull", REVEALS := "cyclic-reveal")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "No chain of pulls or reveals comes back by itself"
WHY = "Such a chain is read for ever."

_STOPS = (Challenge, Chart, Choose, DrawCard, Ending, Fight, NextChapter, Tavern)

Edges = dict[Key, dict[Key, tuple[Span | None, bool]]]
"""From card to card: where the step stands and whether it is a pull."""


def check(draft: Draft) -> None:
    """Each circle is told once, at the card of it that comes first in the deck."""
    edges = _certain_edges(draft.cards)
    for circle in _circles(edges):
        place, pulls = None, False
        for here, there in zip(circle, [*circle[1:], circle[0]], strict=True):
            span, pull = edges[here][there]
            place, pulls = place or span, pulls or pull
        if place is None:
            continue
        names = [key.split(":")[1] for key in circle]
        way = ", then ".join([*names[1:], names[0]]) if len(names) > 1 else "itself"
        if len(names) > 6:
            way = ", then ".join([*names[1:4], "…", names[0]])
        verb = "pulls" if edges[circle[0]][circle[1 % len(circle)]][1] else "reveals"
        message = f"card {names[0]} {verb} {way}, and nothing in between lets the player do otherwise"
        hint = (
            "let one of them pull another card, or none" if pulls else "put a choice, a roll or a condition in between"
        )
        draft.problem(place, ID if pulls else REVEALS, message, hint)


def circles(draft: Draft) -> list[list[Key]]:
    """The circles of cards that nobody can leave, each in the order in which it is read."""
    return _circles(_certain_edges(draft.cards))


def _certain_edges(cards: dict[Key, StoryCard]) -> Edges:
    edges: Edges = {}
    for key, card in cards.items():
        home = chapter_of(key)
        for step in card.steps:
            if isinstance(step, _STOPS):
                break
            if isinstance(step, Discard):
                edges.pop(key, None)  # what is discarded stops a circle (NAV-4)
                break
            refs = step.cards if isinstance(step, Pull) else (step.card,) if isinstance(step, Reveal) else ()
            for ref in refs:
                target = ref if isinstance(ref, str) else f"{home}:{ref}"
                if target in cards:
                    edges.setdefault(key, {}).setdefault(target, (step.span, isinstance(step, Pull)))
            if isinstance(step, Reveal):
                break
    return edges


def _circles(edges: Edges) -> list[list[Key]]:
    """Disjoint circles, in the order of the deck."""
    left = {key: dict(targets) for key, targets in edges.items()}
    come_from: dict[Key, set[Key]] = {}
    for key, targets in left.items():
        for target in targets:
            come_from.setdefault(target, set()).add(key)

    def drop(key: Key) -> None:
        """Take a card out, and every card that then leads nowhere."""
        waiting = [key]
        while waiting:
            gone = waiting.pop()
            left.pop(gone, None)
            for source in come_from.pop(gone, ()):
                if source in left:
                    left[source].pop(gone, None)
                    if not left[source]:
                        waiting.append(source)

    for target in [target for targets in edges.values() for target in targets if target not in edges]:
        drop(target)
    circles = []
    for start in list(edges):
        if start not in left:
            continue
        way: dict[Key, int] = {}
        key = start
        while key not in way:
            way[key] = len(way)
            key = next(iter(left[key]))
        circle = list(way)[way[key] :]
        first = min(circle, key=list(edges).index) if len(circle) < 50 else circle[0]
        place = circle.index(first)
        circles.append(circle[place:] + circle[:place])
        for member in circle:
            drop(member)
    return circles
