"""The flags and amounts of a campaign, and its conditions, prices and effects in terms of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solver.reach.guards import FALSE, TRUE, Guard, both, either, negated
from solver.reach.places import Op
from story.cards import (
    ALL,
    TALENTS,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Campaign,
    CardRef,
    Challenge,
    Choice,
    Choose,
    Count,
    Discard,
    Discarded,
    Gain,
    Goods,
    Heal,
    Holds,
    If,
    Lose,
    Not,
    Span,
    Step,
    StoryCard,
)
from story.checks.walk import options, story_cards, walk


class Stopped(Exception):
    """The caller wants an end: nothing more may be looked at."""


class Vocabulary:
    """Names, bounds and bits of everything that a story's conditions can ask for.

    ``caps`` is the most of each amount; for the amounts in ``loose`` it stands for "that or more".
    """

    def __init__(self, campaign: Campaign, over: Callable[[], bool] = lambda: False) -> None:
        self.campaign = campaign
        self._over_now = over
        self._polls = 0
        self.library = campaign.library
        foods, counters = self.library.foods, self.library.counters
        self.names: tuple[str, ...] = (
            *("wounds", "ap", "ap_reset", "pp", *TALENTS),
            *(food.id for food in foods),
            *counters,
        )
        self.foods = {food.id: food for food in foods}
        self.flags: dict[tuple[Any, ...], int] = {}
        self._options: dict[int, tuple[str, int]] = {}
        self._discards = self._discardable()
        for key, card in story_cards(campaign):
            self.poll()
            self._number_options(key, card)
        hero = campaign.hero
        self.caps, self.loose = self._bounds()
        satchel = hero.satchel or (0,) * len(foods)
        self.amounts: tuple[int, ...] = (
            *(hero.wounds, hero.ap, hero.ap_reset, 0, *hero.talents),
            *satchel,
            *(0 for _ in counters),
        )
        self.held = 0
        for id in hero.actions:
            self.held |= self.flag(("action", id))

    def poll(self) -> None:
        """To be called in every long loop. Raises Stopped once the caller wants an end."""
        self._polls += 1
        if not self._polls & 15 and self._over_now():
            raise Stopped

    def flag(self, name: tuple[Any, ...]) -> int:
        """The bit of a flag: an inventory card, a discarded or drawn card, a choice taken."""
        return self.flags.setdefault(name, 1 << len(self.flags))

    def amount(self, name: str) -> int:
        """The place of an amount."""
        return self.names.index(name)

    def option(self, choice: Choice) -> str:
        """The key of an option, as in ``check --json``."""
        return "{}/{}".format(*self._options[id(choice)])

    def _number_options(self, key: str, card: StoryCard) -> None:
        for number, choice in options(card):
            self._options.setdefault(id(choice), (key, number))

    def _discardable(self) -> set[tuple[int, CardRef]]:
        found: set[tuple[int, CardRef]] = set()
        chapters = [chapter.number for chapter in self.campaign.chapters]
        for key, card in story_cards(self.campaign):
            self.poll()
            home = [int(key.split(":")[0])] if isinstance(card.ref, int) else chapters
            for step in walk(card.steps):
                if isinstance(step, Discard):
                    gone = card.ref if step.card is None else step.card
                    found |= {(chapter, gone) for chapter in home} if isinstance(gone, int) else {(0, gone)}
        return found

    def _bounds(self) -> tuple[tuple[int, ...], frozenset[int]]:
        """The most of each amount, and the amounts whose most stands for "that or more"."""
        read = dict.fromkeys(self.names, 0)
        for name, n in _thresholds(self.campaign):
            if name in read and n < ALL:
                read[name] = max(read[name], n)
        hero = self.campaign.hero
        caps: list[int] = []
        for name in self.names:
            if name == "wounds":
                caps.append(max(hero.wound_limit, hero.wounds))
            elif name in TALENTS:
                caps.append(5)
            elif name in self.foods:
                caps.append(self.foods[name].holds)
            elif name in ("ap", "ap_reset"):
                caps.append(max(read["ap"], read["ap_reset"], hero.ap, hero.ap_reset) + 12)
            else:
                caps.append(read[name] + 1)
        loose = {i for i, name in enumerate(self.names) if name not in (*TALENTS, *self.foods, "wounds")}
        return tuple(caps), frozenset(loose)

    def guard(self, condition: AllOf, chapter: int) -> Guard:
        """A condition of the deck, read in a chapter."""
        return both(*(self._clause(clause, chapter) for clause in condition.clauses))

    def _clause(self, clause: Any, chapter: int) -> Guard:
        match clause:
            case Holds(kind=kind, id=id):
                return ("f", self.flag((kind, id)), True)
            case AtLeast(name=name, n=n):
                return ("g", self.amount(name), n) if n > 0 else TRUE
            case AtMost(name=name, n=n):
                return ("l", self.amount(name), n)
            case Discarded(card=card):
                key = gone_key(chapter, card)
                return ("f", self.flag(("discarded", *key)), True) if key in self._discards else FALSE
            case Not(condition=inner):
                return negated(self.guard(inner, chapter))
            case AnyOf(conditions=conditions):
                return either(*(self.guard(inner, chapter) for inner in conditions))
            case _:
                raise TypeError(f"not a clause: {clause!r}")

    def affordable(self, cost: Goods) -> Guard:
        parts: list[Guard] = [("g", self.amount(name), n) for name, n in cost.amounts if n > 0]
        parts += [("f", self.flag((kind, id)), True) for kind, id in _ids(cost)]
        return both(*parts)

    def goods(self, goods: Goods, sign: int) -> tuple[Op, ...]:
        ops: list[Op] = [("a", self.amount(name), sign * n) for name, n in goods.amounts]
        mask = 0
        for name in _ids(goods):
            mask |= self.flag(name)
        if mask:
            ops.append(("s", mask, 0) if sign > 0 else ("s", 0, mask))
        return tuple(ops)

    def simple(self, step: Step) -> tuple[Op, ...]:
        match step:
            case Gain(goods=goods):
                return self.goods(goods, 1)
            case Lose(goods=goods):
                return self.goods(goods, -1)
            case Heal(n=n):
                return (("a", 0, -n),)
            case Count(name=name, n=n):
                return (("a", self.amount(name), n),)
            case _:
                raise TypeError(f"not a simple step: {step!r}")

    def gone(self, chapter: int, ref: CardRef) -> Guard:
        key = gone_key(chapter, ref)
        return ("f", self.flag(("discarded", *key)), True) if key in self._discards else FALSE

    def card_key(self, chapter: int, ref: CardRef) -> str:
        """``CHAPTER:NUMBER`` or ``DECK:ID``."""
        return ref if isinstance(ref, str) else f"{chapter}:{ref}"


def gone_key(chapter: int, ref: CardRef) -> tuple[int, CardRef]:
    return (chapter if isinstance(ref, int) else 0, ref)


def _ids(goods: Goods) -> Iterator[tuple[str, str]]:
    for kind, ids in (("event", goods.events), ("item", goods.items), ("action", goods.actions)):
        for id in ids:
            yield kind, id


def condition_name(card: str, span: Span | None) -> str:
    return f"{card} at {span.file}:{span.line}:{span.column}" if span else card


def _thresholds(campaign: Campaign) -> Iterator[tuple[str, int]]:
    """Every amount that a condition or a cost compares with."""

    def inside(condition: AllOf) -> Iterator[tuple[str, int]]:
        for clause in condition.clauses:
            match clause:
                case AtLeast(name=name, n=n):
                    yield name, n
                case AtMost(name=name, n=n):
                    yield name, n + 1
                case Not(condition=inner):
                    yield from inside(inner)
                case AnyOf(conditions=conditions):
                    for inner in conditions:
                        yield from inside(inner)
                case _:
                    pass

    for _, card in story_cards(campaign):
        for step in walk(card.steps):
            match step:
                case If(condition=condition):
                    yield from inside(condition)
                case Choose(choices=choices):
                    for choice in choices:
                        yield from inside(choice.needs)
                        yield from choice.cost.amounts
                case Challenge(level=level):
                    yield "ap", min(18, level)
                case _:
                    pass
