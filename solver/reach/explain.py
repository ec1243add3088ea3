"""Why a card can or cannot be reached, and what locks its options, in sentences for the author of a deck."""

from __future__ import annotations

from collections.abc import Iterator

from solver.reach import Verdicts
from solver.reach.decide import Judge
from solver.reach.fights import spoils
from solver.reach.problems import in_words
from story.cards import (
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Campaign,
    Choice,
    Choose,
    Count,
    Discard,
    Discarded,
    DrawCard,
    Fight,
    Gain,
    Holds,
    NextChapter,
    Not,
    Pull,
    Reveal,
    Step,
    StoryCard,
)
from story.checks.walk import inner_steps, story_cards, walk
from story.effects import amount_name

Thing = tuple[str, str]
"""What can be given: (``event item action amount``, name), or (``card``, the key of a card that can be discarded)."""


def explanation(campaign: Campaign, verdicts: Verdicts, card: str) -> list[str]:
    """Sentences about one card. Raises KeyError if there is no such card."""
    return _Explainer(campaign, verdicts).card(card)


class _Explainer:
    def __init__(self, campaign: Campaign, verdicts: Verdicts) -> None:
        self.campaign = campaign
        self.verdicts = verdicts
        self.cards = dict(story_cards(campaign))
        self.judge: Judge | None = verdicts.judge
        self.sources = self._sources()
        self.before = self._before()

    def card(self, key: str) -> list[str]:
        """Whether and why; then each option."""
        card = self.cards[key]
        verdict = self.verdicts.cards[key]
        if verdict == "reached":
            way = self.verdicts.witness.get(key, [])
            count = f"{len(way)} answer{'s' * (len(way) != 1)}"
            lines = [f"Card {key} can be reached, by {count}: {in_words(way)}."]
        elif verdict == "unknown":
            lines = [f"Whether card {key} can be reached is not known: {self.verdicts.limit} stopped the search."]
        else:
            lines = [f"Card {key} can never be reached."]
        if verdict != "reached":
            lines += list(self._ways_in(key))
        return [*lines, *self._options(key, card)]

    # ------------------------------------------------------------ ways in

    def _ways_in(self, key: str) -> Iterator[str]:
        found = False
        for source, card in self.cards.items():
            for step, choice in _with_choice(card.steps, None):
                if key not in self._targets(source, step):
                    continue
                found = True
                verb = {Reveal: "reveals", Pull: "pulls", DrawCard: "draws"}.get(type(step), "leads to")
                yield self._way_in(key, source, verb, choice)
        if not found:
            yield "No card reveals, pulls or draws it."

    def _way_in(self, key: str, source: str, verb: str, choice: Choice | None) -> str:
        if source == key:
            return "It leads to itself."
        verdict = self.verdicts.cards[source]
        if verdict == "unreachable":
            return f"Card {source} {verb} it, but can never be reached itself."
        if choice is not None and self.judge is not None:
            option = self.judge.program.option(choice)
            if self.verdicts.options.get(option) == "unreachable":
                why = "; ".join(self._locks(source, choice)) or "it never comes to it"
                return f"Option {option.split('/')[1]} of card {source} {verb} it, but is never open: {why}."
            return f"Option {option.split('/')[1]} of card {source} {verb} it."
        return f"Card {source} {verb} it, under conditions or outcomes that are never met there."

    def _targets(self, source: str, step: Step) -> set[str]:
        chapter = source.split(":")[0]
        chapters = [chapter] if chapter.isdecimal() else [str(deck.number) for deck in self.campaign.chapters]
        match step:
            case Reveal(card=ref):
                refs = [ref]
            case Pull(cards=pulled):
                refs = list(pulled)
            case DrawCard(deck=deck):
                return {key for key in self.cards if key.startswith(f"{deck}:")}
            case NextChapter():
                return {
                    f"{deck.number}:{deck.start}"
                    for deck in self.campaign.chapters
                    for number in chapters
                    if deck.number == int(number) + 1
                }
            case _:
                return set()
        return {key for ref in refs for key in ([ref] if isinstance(ref, str) else [f"{n}:{ref}" for n in chapters])}

    # ------------------------------------------------------------ locks

    def _options(self, key: str, card: StoryCard) -> Iterator[str]:
        number = 0
        for step in walk(card.steps):
            if not isinstance(step, Choose):
                continue
            for choice in step.choices:
                number += 1
                verdict = self.verdicts.options.get(f"{key}/{number}", "unknown")
                locks = "; ".join(self._locks(key, choice))
                word = {"reached": "can be open", "unreachable": "is never open"}.get(verdict, "may or may not open")
                if verdict == "unreachable" and self._had_apart(locks):
                    locks += "; each can be had, never all of it at this place"
                yield f'Option {number}, "{choice.say}", {word}{": " + locks if locks else ""}.'

    @staticmethod
    def _had_apart(locks: str) -> bool:
        """Whether nothing that is asked for is impossible by itself."""
        return bool(locks) and not any(word in locks for word in ("nowhere", "cannot be reached", "after this card"))

    def _locks(self, key: str, choice: Choice) -> Iterator[str]:
        for clause in choice.needs.clauses:
            yield f"needs {self._clause(key, clause)}"
        for name, n in choice.cost.amounts:
            yield f"costs {n} {amount_name(name, self.campaign.library)}"
        for kind, ids in (("event", choice.cost.events), ("item", choice.cost.items), ("action", choice.cost.actions)):
            for id in ids:
                yield f"costs {kind} {id}: {self._given(key, (kind, id))}"
        if choice.once:
            yield "once only"

    def _clause(self, key: str, clause: object) -> str:
        library = self.campaign.library
        match clause:
            case Holds(kind=kind, id=id):
                return f"{kind} {id}: {self._given(key, (kind, id))}"
            case AtLeast(name=name, n=n):
                more = "" if name in ("ap", "wounds") else f": {self._given(key, ('amount', name))}"
                return f"{n} {amount_name(name, library)}{more}"
            case AtMost(name=name, n=n):
                return f"at most {n} {amount_name(name, library)}"
            case Discarded(card=ref):
                return f"card {ref} discarded: {self._given(key, ('card', self._ref(key, ref)))}"
            case Not(condition=inner):
                return f"not ({self._condition(key, inner)})"
            case AnyOf(conditions=conditions):
                return " or ".join(f"({self._condition(key, inner)})" for inner in conditions)
            case _:
                return str(clause)

    def _condition(self, key: str, condition: AllOf) -> str:
        return " and ".join(self._clause(key, clause) for clause in condition.clauses) or "nothing"

    def _ref(self, key: str, ref: int | str) -> str:
        return ref if isinstance(ref, str) else f"{key.split(':')[0]}:{ref}"

    def _given(self, key: str, thing: Thing) -> str:
        """``given on 14 and 31, both after this card``."""
        places = self.sources.get(thing, [])
        word = "discarded" if thing[0] == "card" else "given"
        if not places:
            return f"{word} nowhere"
        chapter = key.split(":")[0]
        names = [place.split(":")[1] if place.split(":")[0] == chapter else place for place in places]
        told = f"{word} on {_listed(names)}"
        lost = [place for place in places if self.verdicts.cards.get(place) == "unreachable"]
        after = [place for place in places if place not in lost and place not in self.before.get(key, {place})]
        if len(lost) == len(places):
            return f"{told}, which cannot be reached"
        if after and len(after) + len(lost) == len(places):
            return f"{told}, {'both ' if len(places) == 2 else 'all ' if len(places) > 2 else ''}after this card"
        return told

    def _sources(self) -> dict[Thing, list[str]]:
        found: dict[Thing, list[str]] = {}

        def give(key: str, *things: Thing) -> None:
            for thing in things:
                if key not in found.setdefault(thing, []):
                    found[thing].append(key)

        for key, card in self.cards.items():
            for step in walk(card.steps):
                match step:
                    case Gain(goods=goods):
                        give(key, *(("amount", name) for name, _ in goods.amounts))
                        give(key, *(("event", id) for id in goods.events), *(("item", id) for id in goods.items))
                        give(key, *(("action", id) for id in goods.actions))
                    case Count(name=name, n=n) if n > 0:
                        give(key, ("amount", name))
                    case Fight(encounter=encounter):
                        spoil = spoils(encounter, self.campaign.library)
                        give(key, *spoil.gained, *(("amount", name) for name in spoil.rises))
                    case Discard(card=ref):
                        give(key, ("card", key if ref is None else self._ref(key, ref)))
                    case _:
                        pass
        return found

    def _before(self) -> dict[str, set[str]]:
        """For each card, the cards that can come before it."""
        import networkx as nx

        graph = nx.DiGraph()
        if self.judge is not None:
            program = self.judge.program
            for number in self.judge.holds:
                for edge in program.edges(number):
                    if edge.dst in self.judge.holds and edge.kind not in ("watch", "stuck", "death"):
                        here, there = program.places[number].card, program.places[edge.dst].card
                        graph.add_edge(here, there)
                        for hit in edge.hits:
                            if hit.startswith("card "):
                                graph.add_edge(here, hit[5:])
                                graph.add_edge(hit[5:], there)
        return {card: {card, *nx.ancestors(graph, card)} for card in graph}


def _with_choice(steps: tuple[Step, ...], choice: Choice | None) -> Iterator[tuple[Step, Choice | None]]:
    """Every step with the innermost option that it stands in."""
    for step in steps:
        yield step, choice
        if isinstance(step, Choose):
            for inner in step.choices:
                yield from _with_choice(inner.steps, inner)
        else:
            for part in inner_steps(step):
                yield from _with_choice(part, choice)


def _listed(names: list[str]) -> str:
    if len(names) > 6:
        return f"{', '.join(names[:5])} and {len(names) - 5} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
