"""Why a card can or cannot be reached, and what locks its options, in sentences for the author of a deck."""

from __future__ import annotations

from collections.abc import Iterator

from solver.reach import Verdicts
from solver.reach.decide import Judge
from solver.reach.fights import spoils
from solver.reach.problems import LONGEST, in_words
from solver.reach.vocabulary import condition_name
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
    Goods,
    Holds,
    If,
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


Inside = Choice | tuple[AllOf, bool] | None
"""What a step stands in: an option, or a branch of a condition (whether it is the one where it holds)."""

HOPELESS = ("nowhere", "cannot be reached", "after this card", "nobody can earn")
"""Words that tell why a thing cannot be had at all."""


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
            lines = [self._reached(key, self.verdicts.witness.get(key, []))]
        elif verdict == "unknown":
            lines = [f"Whether card {key} can be reached is not known: {self.verdicts.limit} stopped the search."]
        else:
            lines = [f"Card {key} can never be reached."]
        if verdict != "reached":
            lines += list(self._ways_in(key))
        return [*lines, *self._options(key, card)]

    def _reached(self, key: str, way: list[str]) -> str:
        if not way:
            return f"Card {key} is where the campaign begins."
        cards = self._cards_on(way)
        half = LONGEST // 2
        through = cards if len(cards) <= LONGEST else [*cards[:half], "…", *cards[-half:]]
        by = f" through {_listed(through, LONGEST + 1)}" if cards else ""
        return f"Card {key} can be reached, by {len(way)} answer{'s' * (len(way) != 1)}{by}: {in_words(way)}."

    def _cards_on(self, way: list[str]) -> list[str]:
        """The cards that a way leads through, the last one left out."""
        from story.campaign import CampaignTable

        table = CampaignTable(self.campaign)
        state = table.start()
        found: list[str] = []
        for answer in way:
            journey = state.journey
            if journey is not None:
                ref = journey.reading[-1]
                name = ref if isinstance(ref, str) else f"{journey.chapter}:{ref}"
                if found[-1:] != [name]:
                    found.append(name)
            state = table.answer(state, answer)
        return found

    # ------------------------------------------------------------ ways in

    def _ways_in(self, key: str) -> Iterator[str]:
        told: dict[str, None] = {}
        for source, card in self.cards.items():
            for step, inside in _with_place(card.steps, None):
                if key in self._targets(source, step):
                    verb = {Reveal: "reveals", Pull: "pulls", DrawCard: "draws"}.get(type(step), "leads to")
                    told[self._way_in(key, source, verb, inside)] = None
        yield from told or ["No card reveals, pulls or draws it."]

    def _way_in(self, key: str, source: str, verb: str, inside: Inside) -> str:
        if source == key:
            return "It leads to itself."
        if self.verdicts.cards[source] == "unreachable":
            return f"Card {source} {verb} it, but can never be reached itself."
        if isinstance(inside, Choice) and self.judge is not None:
            option = self.judge.program.option(inside)
            if self.verdicts.options.get(option) == "unreachable":
                why = self._why_locked(source, inside) or "it never comes to it"
                return f"Option {option.split('/')[1]} of card {source} {verb} it, but is never open: {why}."
            return f"Option {option.split('/')[1]} of card {source} {verb} it."
        if isinstance(inside, tuple):
            condition, side = inside
            asked = self._condition(source, condition)
            where = asked if side else f"anything but {asked}"
            name = condition_name(source, condition.span)
            verdict = self.judge.verdicts.get(f"{'true' if side else 'false'} {name}") if self.judge else None
            never = ", which never comes about there" if verdict == "unreachable" else ""
            return f"Card {source} {verb} it only with {where}{never}."
        return f"Card {source} {verb} it, but it never comes to that there."

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
        beyond = self.verdicts.cards[key] == "unreachable"
        for step in walk(card.steps):
            if not isinstance(step, Choose):
                continue
            for choice in step.choices:
                number += 1
                verdict = self.verdicts.options.get(f"{key}/{number}", "unknown")
                if verdict == "unreachable" and not beyond:
                    locks = self._why_locked(key, choice) or "it never comes to this question"
                else:
                    locks = "; ".join(self._locks(key, choice))
                word = {"reached": "can be open", "unreachable": "is never open"}.get(verdict, "may or may not open")
                word = "is as far out of reach as its card" if beyond else word
                mark = "'" if '"' in choice.say else '"'
                yield f"Option {number}, {mark}{choice.say}{mark}, {word}{': ' + locks if locks else ''}."

    def _why_locked(self, key: str, choice: Choice) -> str:
        """What an option that is never open asks for."""
        locks = [*filter(None, [self._gone(key, choice)]), *self._locks(key, choice)]
        told = "; ".join(locks)
        asked = len(choice.needs.clauses) + len(list(_goods_asked(choice.cost)))
        if told and not any(word in told for word in HOPELESS):
            apart = "; each can be had, but never all at once here"
            return told + (apart if asked > 1 else ", which never comes about here" if asked else "")
        return told

    def _locks(self, key: str, choice: Choice) -> Iterator[str]:
        for why, names in self._grouped(key, choice.needs).items():
            yield f"needs {' and '.join(names)}: {why}"
        for clause in choice.needs.clauses:
            if not isinstance(clause, Holds):
                yield f"needs {self._clause(key, clause)}"
        for name, n in choice.cost.amounts:
            yield f"costs {n} {amount_name(name, self.campaign.library)}"
        for kind, ids in (("event", choice.cost.events), ("item", choice.cost.items), ("action", choice.cost.actions)):
            for id in ids:
                yield f"costs {kind} {id}: {self._given(key, (kind, id))}"
        if choice.once:
            yield "once only"

    def _grouped(self, key: str, needs: AllOf) -> dict[str, list[str]]:
        """The cards asked for, by where they are given."""
        found: dict[str, list[str]] = {}
        for clause in needs.clauses:
            if isinstance(clause, Holds):
                found.setdefault(self._given(key, (clause.kind, clause.id)), []).append(f"{clause.kind} {clause.id}")
        return found

    def _gone(self, key: str, choice: Choice) -> str:
        """NAV-4: what discards the cards that an option leads to, if it leads to nothing else."""
        turns = [step for step in choice.steps if isinstance(step, Reveal | Pull)]
        refs = [ref for step in turns for ref in ((step.card,) if isinstance(step, Reveal) else step.cards)]
        if not refs or len(turns) < len(choice.steps):
            return ""
        things = [("card", self._ref(key, ref)) for ref in dict.fromkeys(refs)]
        if not all(thing in self.sources for thing in things):
            return ""
        return " and ".join(f"leads to {thing[1]} alone, {self._given(key, thing)}" for thing in things)

    def _clause(self, key: str, clause: object) -> str:
        """``item rope (given on 14)``."""
        library = self.campaign.library
        match clause:
            case Holds(kind=kind, id=id):
                return f"{kind} {id} ({self._given(key, (kind, id))})"
            case AtLeast(name=name, n=n):
                more = "" if name in ("ap", "wounds") else f" ({self._given(key, ('amount', name))})"
                what = "wound" if (name, n) == ("wounds", 1) else amount_name(name, library)
                return f"{n} {what}{more}"
            case AtMost(name=name, n=n):
                return f"at most {n} {amount_name(name, library)}"
            case Discarded(card=ref):
                return f"card {ref} gone ({self._given(key, ('card', self._ref(key, ref)))})"
            case Not(condition=AllOf(clauses=(AtLeast(name=name, n=n),))):
                return f"fewer than {n} {amount_name(name, library)}"
            case Not(condition=AllOf(clauses=(Holds() | Discarded() as only,))):
                return f"no {self._clause(key, only)}"
            case Not(condition=inner):
                return f"not {'all of ' * (len(inner.clauses) > 1)}{self._condition(key, inner)}"
            case AnyOf(conditions=conditions):
                return " or ".join(self._condition(key, inner) for inner in conditions)
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
        if self._never_earned(thing, places):
            return f"{told}, in an encounter where nobody can earn it"
        after = [place for place in places if place not in lost and place not in self.before.get(key, {place})]
        if len(lost) == len(places):
            return f"{told}, which cannot be reached"
        if after and len(after) + len(lost) == len(places):
            return f"{told}, {'both ' if len(places) == 2 else 'all ' if len(places) > 2 else ''}after this card"
        return told

    def _never_earned(self, thing: Thing, places: list[str]) -> bool:
        """Whether only encounters give a card, and none of them really does."""
        if self.judge is None or thing[0] not in ("event", "item", "action"):
            return False
        for key in places:
            for step in walk(self.cards[key].steps):
                given = getattr(step.goods, f"{thing[0]}s") if isinstance(step, Gain) else ()
                if thing[1] in given:
                    return False
        bit = self.judge.program.flags.get(thing, 0)
        return bool(bit) and all(self.judge.closer.never_gives(key, bit) for key in places)

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


def _goods_asked(cost: Goods) -> Iterator[object]:
    """Each thing that a cost takes."""
    yield from (*cost.amounts, *cost.events, *cost.items, *cost.actions)


def _with_place(steps: tuple[Step, ...], inside: Inside) -> Iterator[tuple[Step, Inside]]:
    """Every step with the innermost option or branch that it stands in."""
    for step in steps:
        yield step, inside
        if isinstance(step, Choose):
            for choice in step.choices:
                yield from _with_place(choice.steps, choice)
        elif isinstance(step, If):
            yield from _with_place(step.then, (step.condition, True))
            yield from _with_place(step.otherwise, (step.condition, False))
        else:
            for part in inner_steps(step):
                yield from _with_place(part, inside)


def _listed(names: list[str], most: int = 6) -> str:
    if len(names) > most:
        return f"{', '.join(names[:5])} and {len(names) - 5} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
