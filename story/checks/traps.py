"""Cards from which no ending can be reached, whatever the player does and the dice show (NAV-2, NAV-3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from story.cards import (
    Campaign,
    Challenge,
    Chart,
    Choose,
    Discard,
    DrawCard,
    Ending,
    If,
    NextChapter,
    Pull,
    Reveal,
    Span,
    Steps,
    Tavern,
)
from story.checks.cyclic_pulls import circles
from story.checks.walk import Key, in_words
from story.effects import perfect_steps
from story.loading.draft import Draft

IDS = (ID := "no-way-out",)
SEVERITY = {ID: "warning"}
TITLE = "From every card an ending can be reached"
WHY = "A player who gets there can only stop playing: the story never ends."

OUT = ""
"""Stands for every way out."""


def check(draft: Draft) -> None:
    """Cards that lead only to each other are told once, together; circles without any choice are told elsewhere.

    A warning: whether the player can get there is for the search over states to find out.
    """
    if not isinstance(draft.loaded, Campaign) or draft.unread:
        return
    if not any(isinstance(step, Ending) for steps in draft.steps.values() for step in steps):
        return
    import networkx

    passage = _Passage(draft)
    graph = passage.living_graph()
    graph.add_edges_from([(key, OUT) for key in graph if passage.leads_out(key)])
    saved = networkx.ancestors(graph, OUT) if OUT in graph else set()
    starts = [f"{chapter.number}:{chapter.start}" for chapter in draft.loaded.chapters]
    met = set(starts).union(*(networkx.descendants(graph, start) for start in starts if start in graph))
    # A card that is only pulled and comes to its end gives way to the card below.
    lost = {key for key in met - saved - {OUT} if key in graph and (key in passage.turned or key not in passage.ended)}
    told = {key for circle in circles(draft) for key in circle}
    place = {key: number for number, key in enumerate(draft.cards)}
    inside = graph.subgraph(lost)
    for group in networkx.strongly_connected_components(inside):
        closed = all(target in group for key in group for target in inside[key])
        if closed and not group & told and (span := draft.place_of(min(group, key=place.__getitem__))):
            words = in_words(sorted(group, key=place.__getitem__))
            message = f"{words} lead only to each other: the game can never end from there"
            if len(group) == 1:
                message = f"{words} leads only to itself: the game can never end from there"
            draft.problem(span, ID, message, "add a way to another card, or ending:", "warning")


class _Passage:
    """Which steps of each card can be met at all, and which cards can come to their end.

    Conditions, costs and discards get the benefit of the doubt: the search over states judges them.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.graph = draft.graph
        self.turned = {
            target for _, target, verb in self.graph.edges(data="verb") if verb in ("reveal", "next_chapter")
        } | {key for key, start in self.graph.nodes(data="start") if start}
        self.discarded = {
            draft.cards[key].ref if step.card is None else step.card
            for key, steps in draft.steps.items()
            for step in steps
            if isinstance(step, Discard)
        }
        """Cards that may be gone, so that a step that names them is passed over (NAV-4)."""
        self.ended: set[Key] = set()
        """Cards that can come to their end."""
        self.met: dict[Key, set[Span | None]] = {}
        """The places of the steps of each card that can be met."""
        waiting = list(reversed(draft.cards))
        queued = set(waiting)
        while waiting:
            key = waiting.pop()
            queued.discard(key)
            self.met[key] = set()
            self.targets: dict[Span | None, list[Key]] = {}
            for target, links in self.graph[key].items():
                for data in links.values():
                    self.targets.setdefault(data["link"].span, []).append(target)
            if self._ends(key, draft.cards[key].steps) and key not in self.ended:
                self.ended.add(key)
                for source in self.graph.predecessors(key):
                    if source in draft.cards and source not in queued and self._pulls(source, key):
                        waiting.append(source)
                        queued.add(source)

    def _pulls(self, source: Key, key: Key) -> bool:
        return any(data["verb"] in ("pull", "draw") for data in self.graph[source][key].values())

    def living_graph(self) -> Any:
        """The links whose steps can be met."""
        import networkx

        living = networkx.DiGraph()
        living.add_nodes_from(key for key, kind in self.graph.nodes(data="kind"))
        living.add_edges_from(
            (source, target)
            for source, target, link in self.graph.edges(data="link")
            if source not in self.met or link.span in self.met[source]
        )
        return living

    def leads_out(self, key: Key) -> bool:
        """Endings, cards that may end where they stand (told as dead ends), and what is not understood."""
        return (
            key not in self.draft.cards
            or key in self.draft.damaged
            or (key in self.turned and key in self.ended)
            or None in self.met[key]
        )

    def _ends(self, key: Key, steps: Steps) -> bool:
        """Whether the steps can come to their end."""
        for step in steps:
            match step:
                case Reveal(card=card):
                    if self._meet(key, step.span) and card not in self.discarded:
                        return False
                case Pull(cards=cards):
                    met = self._meet(key, step.span)
                    if met and not self.ended.intersection(met) and not self.discarded.intersection(cards):
                        return False
                case NextChapter() | Ending():
                    self._meet(key, step.span)
                    return False
                case DrawCard():
                    self._meet(key, step.span)
                case Challenge(succeed=succeed, fail=fail):
                    if not self._any(key, (succeed or (), fail or (), perfect_steps(step))):
                        return False
                case Chart(rows=rows):
                    if not self._any(key, (row.steps for row in rows)):
                        return False
                case Choose(choices=choices):
                    passed_over = all(choice.hidden or choice.once for choice in choices)
                    if not self._any(key, (choice.steps for choice in choices)) and not passed_over:
                        return False
                case If(then=then, otherwise=otherwise):
                    if not self._any(key, (then, otherwise)):
                        return False
                case Tavern(then=then):
                    self._meet(key, step.span)
                    self._ends(key, then)
        return True

    def _meet(self, key: Key, span: Span | None) -> list[Key]:
        """A step is met; gives the cards it turns to, none if it names no card that is there."""
        targets = self.targets.get(span, [])
        self.met[key].add(span if targets else None)
        return targets

    def _any(self, key: Key, ways: Iterable[Steps]) -> bool:
        """Whether one of the ways comes to its end; all of them are looked through."""
        ends = [self._ends(key, way) for way in ways]
        return any(ends)
