"""What an encounter can leave behind, by search over its own rules: which rewards together, how many wounds at most.

The search is generous where that makes it small, never mean: every outcome of a roll comes for nothing, wounds do not
end the game, and of two ways to the same position the one with fewer Action Points and fewer wounds is dropped, for
whoever has more AP can do all that the other can. What it does not find cannot happen.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from solver.reach.fights import Name, pieces
from story.cards import ALL, TALENTS, Encounter, EnemyCard, Library
from story.dice import Rolled, Throw
from story.hero import Hero
from story.playfield.actions import HerTurn
from story.playfield.setup import begin_encounter
from story.playfield.table import FieldTable
from story.playfield.traits import traits_of
from story.prompts import Decide, answers
from story.state import Play, State

MOST_STEPS = 90_000
"""Answers that are tried in one encounter."""
MOST_STARTS = 200
"""Ways in which its pieces can come to stand before the first turn."""
PLENTY = 10_000
"""AP that never run out."""


class Aftermath(NamedTuple):
    """One thing that an encounter can leave behind; amounts are changes, of foods as if a satchel held any number."""

    gained: frozenset[Name]
    lost: frozenset[Name]
    amounts: tuple[tuple[str, int], ...]


def aftermaths(
    library: Library, encounter: Encounter, hero: Hero, over: Callable[[], bool]
) -> dict[Aftermath, int] | None:
    """Everything that can be left behind, each with the most wounds taken; None if the encounter is too large.

    ``hero`` has no wounds and the most AP, reset number, actions and foods giving AP that she can bring. What she holds
    besides is what can be lost; what can be gained she lacks. No food may both heal and give AP.
    """
    foods = tuple(replace(food, holds=PLENTY) for food in library.foods)
    return _Fight(replace(library, foods=foods), encounter, over).run(hero._replace(wounds=0, wound_limit=ALL))


class _Fight:
    def __init__(self, library: Library, encounter: Encounter, over: Callable[[], bool]) -> None:
        self.table = FieldTable(library)
        self.library = library
        self.encounter = encounter
        self.over = over
        self.best: dict[State, list[tuple[int, int]]] = {}
        """For each position without AP and wounds, pairs of both that no other pair outdoes."""
        self.waiting: list[tuple[int, int, int, int, State]] = []
        self.order = count()
        foes = [card for card in pieces(encounter, library) if isinstance(card, EnemyCard)]
        # A dodge changes nothing but wounds unless something acts on those whom an attack hits.
        self.dodging = any(trait.hits for card in foes for trait in traits_of(card))

    def run(self, hero: Hero) -> dict[Aftermath, int] | None:
        play = Play(State(hero), self.library)
        begin_encounter(play, self.encounter)
        play.settle()
        self._put(play.state(), 0)
        found: dict[Aftermath, int] = {}
        tried = starts = 0
        while self.waiting:
            _, less, more, _, bare = heapq.heappop(self.waiting)
            ap, wounds = -less, -more
            if (ap, wounds) not in self.best[bare]:
                continue
            if bare.field is None:
                left = _aftermath(hero, bare.hero, self.library)
                found[left] = max(found.get(left, 0), wounds)
                continue
            placing = not isinstance(bare.agenda[-1], Throw | HerTurn)
            for then in self._after(bare._replace(hero=bare.hero._replace(ap=ap))):
                self._put(then, wounds)
                tried += 1
                starts += placing and then.field is not None and then.field.round == 1 and _hers(then)
                if tried > MOST_STEPS or starts > MOST_STARTS or (not tried & 127 and self.over()):
                    return None
        return found

    def _put(self, state: State, wounds: int) -> None:
        """Keep a position unless one as good is known; those that it outdoes are forgotten."""
        hero = state.hero
        ap, wounds = hero.ap if state.field else 0, wounds + hero.wounds
        bare = state._replace(hero=hero._replace(ap=0, wounds=0))
        known = self.best.setdefault(bare, [])
        if any(a >= ap and w >= wounds for a, w in known):
            return
        known[:] = [(a, w) for a, w in known if a > ap or w > wounds]
        known.append((ap, wounds))
        round = state.field.round if state.field else ALL
        heapq.heappush(self.waiting, (round, -ap, -wounds, next(self.order), bare))

    def _after(self, state: State) -> Iterator[State]:
        question = state.agenda[-1]
        if isinstance(question, Throw):
            # Only 1 and 20 are more than the outcome that they give (CHAL-6, CHAL-7).
            ends = dict.fromkeys((outcome, 10) for _, outcome in question.scale)
            ends |= {(question.scale[-1][1], 20): None} if question.perfect else {}
            ends |= {(question.natural_one, 1): None} if question.natural_one else {}
            for outcome, face in ends:
                play = Play(state, self.library)
                play.agenda.pop()
                play.next((question.then, (*question.args, outcome, Rolled(face))))
                play.settle()
                yield play.state()
            return
        prompt = self.table.prompt(state)
        idle: set[str] = set()
        if isinstance(prompt, Decide) and not self.dodging:
            idle = {option.answer for option in prompt.options if option.kind == "dodge"}
        for answer in answers(prompt):
            if answer not in idle:
                yield self.table.answer(state, answer)


def _hers(state: State) -> bool:
    return bool(state.agenda) and isinstance(state.agenda[-1], HerTurn)


def _aftermath(before: Hero, after: Hero, library: Library) -> Aftermath:
    had, has = _held(before), _held(after)
    changes = [(name, after.amount(name, library) - before.amount(name, library)) for name in _amounts(library)]
    return Aftermath(has - had, had - has, tuple((name, n) for name, n in changes if n))


def _held(hero: Hero) -> frozenset[Name]:
    kinds = (("event", hero.events), ("item", hero.items), ("action", hero.actions))
    return frozenset((kind, id) for kind, ids in kinds for id in ids)


def _amounts(library: Library) -> list[str]:
    return ["ap_reset", "pp", *TALENTS, *(food.id for food in library.foods), *library.counters]
