"""Cards from which no ending can be reached, whatever the player does and the dice show (NAV-2, NAV-3)."""

from __future__ import annotations

from collections.abc import Iterable

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
from story.graph import reached
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
    graph = passage.graph
    saved = networkx.ancestors(graph, OUT) if OUT in graph else set()
    met = reached(graph, (key for key, start in draft.graph.nodes(data="start") if start))
    # A card that is only pulled and comes to its end gives way to the card below.
    lost = {key for key in met - saved - {OUT} if (key in passage.turned or key not in passage.ended)}
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
        import networkx

        self.draft = draft
        self.targets: dict[Key, dict[int, list[Key]]] = {}
        """What the steps of each card turn to, by the identity of the step's place."""
        self.pulled_by: dict[Key, list[Key]] = {}
        self.turned: set[Key] = {key for key, start in draft.graph.nodes(data="start") if start}
        """Cards that are not only pulled."""
        for source, around in draft.graph.adjacency():
            places = self.targets[source] = {}
            for target, edges in around.items():
                for data in edges.values():
                    places.setdefault(id(data["link"].span), []).append(target)
                    if data["verb"] in ("pull", "draw"):
                        self.pulled_by.setdefault(target, []).append(source)
                    else:
                        self.turned.add(target)
        self.discarded = {
            draft.cards[key].ref if step.card is None else step.card
            for key, steps in draft.steps.items()
            for step in steps
            if isinstance(step, Discard)
        }
        """Cards that may be gone, so that a step that names them is passed over (NAV-4)."""
        self.ended: set[Key] = set()
        """Cards that can come to their end."""
        self.met: dict[Key, set[Key]] = {}
        """What each card can turn to."""
        waiting = list(reversed(draft.cards))
        while waiting:
            key = waiting.pop()
            self.met[key] = set()
            if self._ends(key, draft.cards[key].steps) and key not in self.ended:
                self.ended.add(key)
                waiting += [source for source in self.pulled_by.get(key, ()) if source in self.met]
        self.graph = networkx.DiGraph(self.met)
        self.graph.add_nodes_from(draft.graph)
        self.graph.add_edges_from((key, OUT) for key in draft.graph if self._leads_out(key))

    def _leads_out(self, key: Key) -> bool:
        """Endings, cards that may end where they stand (told as dead ends), and what is not understood."""
        return key not in self.met or key in self.draft.damaged or (key in self.turned and key in self.ended)

    def _ends(self, key: Key, steps: Steps) -> bool:
        """Whether the steps can come to their end."""
        for step in steps:
            match step:
                case Reveal(card=card):
                    if self._meet(key, step.span) and card not in self.discarded:
                        return False
                case Choose(choices=choices):
                    passed_over = all(choice.hidden or choice.once for choice in choices)
                    if not self._any(key, (choice.steps for choice in choices)) and not passed_over:
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
                case Challenge(succeed=succeed, fail=fail, perfect=perfect):
                    # CHAL-7: the perfect reward comes before anything of the success that may turn to another card.
                    ways = (succeed or (), fail or (), (*(perfect or ()), *(succeed or ())))
                    if not self._any(key, ways):
                        return False
                case Chart(rows=rows):
                    if not self._any(key, (row.steps for row in rows)):
                        return False
                case If(then=then, otherwise=otherwise):
                    if not self._any(key, (then, otherwise)):
                        return False
                case Tavern(then=then):
                    self._meet(key, step.span)
                    self._ends(key, then)
        return True

    def _any(self, key: Key, ways: Iterable[Steps]) -> bool:
        """Whether one of the ways comes to its end; all of them are looked through."""
        ends = [self._ends(key, way) for way in ways]
        return any(ends)

    def _meet(self, key: Key, span: Span | None) -> list[Key]:
        """A step is met; gives the cards it turns to, none if no card of that name is there (told elsewhere)."""
        targets = self.targets[key].get(id(span), [])
        self.met[key].update(targets or (OUT,))
        return targets
