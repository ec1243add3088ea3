"""Cards that no path reaches, and chapters that no path leaves (NAV-1, CHK-1)."""

from __future__ import annotations

from typing import Any

from story.cards import Campaign, Span
from story.checks.walk import Key, in_words
from story.graph import graph_of, reached
from story.loading.draft import Draft

IDS = (ID := "no-path", CHAPTER := "no-way-on")
SEVERITY = {ID: "warning", CHAPTER: "warning"}
TITLE = "From the first card a path leads to every other"
WHY = "What no path reaches is never read, however well it is written."


def check(draft: Draft) -> None:
    """Cards that are only named by each other are told once, together."""
    if not isinstance(draft.loaded, Campaign) or not draft.loaded.chapters or not draft.certain():
        return
    import networkx

    graph = draft.graph
    starts = [f"{chapter.number}:{chapter.start}" for chapter in draft.loaded.chapters]
    if not all(start in graph for start in starts):
        return
    _chapters(draft, graph)
    met = reached(graph, starts)
    # What nothing names at all in the other decks is an unused card already.
    lost = [
        key
        for key, card in graph.nodes(data=True)
        if key not in met and card["kind"] == "card" and (card["chapter"] or graph.in_degree(key))
    ]
    place = {key: number for number, key in enumerate(graph)}
    groups = networkx.weakly_connected_components(graph.subgraph(lost))
    for group in sorted((sorted(group, key=place.__getitem__) for group in groups), key=lambda group: place[group[0]]):
        span = draft.place_of(group[0])
        if span is not None:
            _tell(draft, group, any(graph.in_degree(key) for key in group))


def pathless(campaign: Campaign) -> list[Span]:
    """Where the cards stand that no path from the first card leads to."""
    graph = graph_of(campaign)
    met = reached(graph, [graph.graph["start"]])
    return [span for key, span in graph.nodes(data="span") if span is not None and key not in met]


def _tell(draft: Draft, group: list[Key], linked: bool) -> None:
    span = draft.place_of(group[0])
    assert span is not None
    message = f"no path leads to {in_words(group)}"
    if linked:
        message += ": only itself names it" if len(group) == 1 else ": they are named by each other alone"
    hint = "reveal: or pull: it on a card that can be reached, or delete it"
    if len(group) > 1:
        hint = "reveal: or pull: one of them on a card that can be reached, or delete them"
    draft.problem(span, ID, message, hint, "warning")


def _chapters(draft: Draft, graph: Any) -> None:
    assert isinstance(draft.loaded, Campaign)
    for chapter, following in zip(draft.loaded.chapters, draft.loaded.chapters[1:], strict=False):
        start = f"{chapter.number}:{chapter.start}"
        on = f"{following.number}:{following.start}"
        if on in reached(graph, [start]):
            continue
        span = draft.place_of(start)
        if span is not None:
            message = f"no path leads from chapter {chapter.number} on to chapter {following.number}"
            draft.problem(span, CHAPTER, message, "add next_chapter: true to a card that can be reached", "warning")
