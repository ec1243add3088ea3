"""A campaign as a graph of places: where the game can stand, and under which guard it goes on with what effect.

Everything that the rules of a story decide is here in a form that can be judged without playing; amounts and flags
are the only state besides the place. What an encounter does is taken in the large (``fights``). Whether this form
tells the truth is held up by tests, and by replaying every way that is found on the real table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.reach.fights import spoils
from solver.reach.guards import FALSE, TRUE, Guard, both, either, negated
from solver.reach.places import Context, Edge, Flow, Op, Place, slice_away, tidy
from solver.reach.vocabulary import Vocabulary, condition_name, gone_key
from story.cards import (
    ALL,
    AllOf,
    Campaign,
    CardRef,
    Challenge,
    Chart,
    Choice,
    Choose,
    Discard,
    DrawCard,
    Ending,
    Fight,
    If,
    NextChapter,
    Pull,
    Reveal,
    Span,
    Step,
    Steps,
    StoryCard,
    Tavern,
    Wound,
)
from story.dice import SIDES
from story.effects import SIMPLE, perfect_steps

MOST_PLACES = 200_000
DEEPEST = 100
"""Pulled cards on top of each other that are followed."""
AGAIN = 8
"""How often a card may wait at the same step below pulled cards, one within the other."""


class Program(Vocabulary):
    """The graph of places of a campaign; the edges of a place are made when somebody asks for them."""

    def __init__(self, campaign: Campaign, over: Callable[[], bool] = lambda: False) -> None:
        super().__init__(campaign, over)
        self.places: list[Place] = []
        self.spans: dict[str, Span | None] = {}
        """Where what a target is about stands in its file."""
        self.needs: set[str] = set()
        """The conditions that are needs of an option."""
        self.cut = ""
        """Why the graph is not whole; empty if it is."""
        self.tavern = 0
        """The first chapter with a tavern that can be met, 0 without one."""
        self.read_flags = -1
        self.read_amounts: frozenset[int] = frozenset(range(len(self.names)))
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._steps: list[Step] = []
        self._ids: dict[int, int] = {}
        self._pulls: dict[tuple[int, int], Pull] = {}
        self._kept: list[Any] = []
        self._turns: dict[tuple[int, CardRef, tuple[Any, ...]], Flow] = {}
        self._built: set[int] = set()
        self._cards = {
            (chapter.number, number): card for chapter in campaign.chapters for number, card in chapter.cards.items()
        }
        first = campaign.chapters[0]
        self.start = self._reveal(first.number, first.start)

    def edges(self, number: int) -> list[Edge]:
        """The ways on from a place."""
        place = self.places[number]
        if number not in self._built:
            if len(self._built) >= MOST_PLACES:
                self.cut = self.cut or f"more than {MOST_PLACES:,} places to stand in"
                return place.edges
            self._built.add(number)
            self._build(place)
        return place.edges

    def slice(self) -> None:
        """Forget what no guard reads, once everything that can be met is built."""
        built = [self.places[number] for number in sorted(self._built)]
        self.read_flags, self.read_amounts = slice_away(built, self.poll)
        self.held &= self.read_flags

    def step_at(self, place: Place) -> Step | None:
        """The step that a place stands at, where one is left to do."""
        left = next((part for part in place.key[2:] if isinstance(part, tuple)), ())
        return self._steps[left[0]] if left else None

    # ------------------------------------------------------------ places

    def _place(self, kind: str, card: str, key: tuple[Any, ...], span: Span | None = None) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.places)
            self.places.append(Place(number, kind, card, key, span))
        return number

    def _list(self, steps: Steps) -> tuple[int, ...]:
        numbers: list[int] = []
        for step in steps:
            if isinstance(step, Pull) and len(step.cards) != 1:
                singles = [
                    self._pulls.setdefault((id(step), i), Pull((card,), span=step.span))
                    for i, card in enumerate(step.cards)
                ]
                self._kept.append(step)
                numbers += [self._step(single) for single in singles]
            else:
                numbers.append(self._step(step))
        return tuple(numbers)

    def _step(self, step: Step) -> int:
        number = self._ids.get(id(step))
        if number is None:
            number = self._ids[id(step)] = len(self._steps)
            self._steps.append(step)
        return number

    def _card(self, chapter: int, ref: CardRef) -> StoryCard | None:
        return self.library.specials.get(ref) if isinstance(ref, str) else self._cards.get((chapter, ref))

    def _over(self, kind: str, id: str, card: str, span: Span | None = None) -> int:
        return self._place("over", card, ("over", kind, id, card), span)

    def _reveal(self, chapter: int, ref: CardRef, below: tuple[Any, ...] = ()) -> Flow:
        """What follows once a card is turned to."""
        flow = self._turns.get((chapter, ref, below))
        if flow is None:
            flow = self._turns[chapter, ref, below] = self._turn(chapter, ref, below)
        return flow

    def _turn(self, chapter: int, ref: CardRef, below: tuple[Any, ...]) -> Flow:
        card = self._card(chapter, ref)
        key = self.card_key(chapter, ref)
        if card is None or len(below) > DEEPEST or (len(below) > AGAIN and below.count(below[-1]) > AGAIN):
            if below.count(below[-1]) > AGAIN:
                self.cut = self.cut or f"card {self.card_key(chapter, below[-1][0])} pulled within itself {AGAIN} times"
            self.cut = self.cut or f"cards pulled more than {DEEPEST} deep, on card {key}"
            return (), (), self._over("cut", "cut", key)
        self.spans.setdefault(f"card {key}", card.span)
        ops, hits, place = self._read((chapter, below, ref), self._list(card.steps), False)
        return ops, (f"card {key}", *hits), place

    def _read(self, where: Context, left: tuple[int, ...], asked: bool) -> Flow:
        """Do what needs no answer and no guard, up to the next place."""
        ops: list[Op] = []
        chapter, below, ref = where
        key = self.card_key(chapter, ref)
        while left:
            step = self._steps[left[0]]
            rest = left[1:]
            match step:
                case Discard(card=card):
                    gone = gone_key(chapter, ref if card is None else card)
                    ops.append(("s", self.flag(("discarded", *gone)), 0))
                case Wound():
                    return tuple(ops), (), self._place("wound", key, ("wound", where, left, asked), step.span)
                case _ if isinstance(step, SIMPLE):
                    ops += self.simple(step)
                case Reveal() | Pull() | DrawCard() | Fight() | NextChapter() if self._passed(chapter, step) == FALSE:
                    flow = self._go(where, left, asked)
                    return (*ops, *flow[0]), flow[1], flow[2]
                case Reveal() | Pull() | If():
                    return tuple(ops), (), self._place("test", key, ("turn", where, left, asked), step.span)
                case Choose(choices=choices):
                    if self._empty(where, choices) != FALSE:
                        return tuple(ops), (), self._place("test", key, ("ask", where, left, asked), step.span)
                    return tuple(ops), (), self._place("choose", key, ("choose", where, left), step.span)
                case Challenge() | Chart():
                    return tuple(ops), (), self._place("roll", key, ("roll", where, left), step.span)
                case Ending(id=id):
                    self.spans.setdefault(f"ending {id}", step.span)
                    return tuple(ops), (f"ending {id}",), self._over("ending", id, key, step.span)
                case Tavern():
                    return tuple(ops), (), self._place("tavern", key, ("tavern", where, left), step.span)
                case _:
                    raise TypeError(f"not a step of a story: {step!r}")
            left = rest
        if not below:
            self.spans.setdefault(f"stuck {key}", self._span(where))
            return tuple(ops), (f"stuck {key}",), self._over("stuck", "stuck", key)
        if asked:
            flow = self._back(where)
            return (*ops, *flow[0]), flow[1], flow[2]
        return tuple(ops), (), self._place("ack", key, ("back", where))

    def _span(self, where: Context) -> Span | None:
        card = self._card(where[0], where[2])
        return card.span if card else None

    def _back(self, where: Context) -> Flow:
        chapter, below, _ = where
        ref, left = below[-1]
        return self._read((chapter, below[:-1], ref), left, True)

    def _outcome(self, where: Context, inner: tuple[int, ...], left: tuple[int, ...]) -> Flow:
        """The steps of an outcome: no last bite until they go on like the card itself (HEAL-4)."""
        ops: list[Op] = []
        while inner:
            step = self._steps[inner[0]]
            key = self.card_key(where[0], where[2])
            match step:
                case If():
                    return tuple(ops), (), self._place("test", key, ("outif", where, inner, left), step.span)
                case Discard(card=card):
                    gone = gone_key(where[0], where[2] if card is None else card)
                    ops.append(("s", self.flag(("discarded", *gone)), 0))
                case Wound():
                    return tuple(ops), (), self._place("wound", key, ("outwound", where, inner, left), step.span)
                case _ if isinstance(step, SIMPLE):
                    ops += self.simple(step)
                case _:
                    break
            inner = inner[1:]
        flow = self._read(where, (*inner, *left), True)
        return (*ops, *flow[0]), flow[1], flow[2]

    def _edge(
        self,
        src: Place,
        flow: Flow,
        guard: Guard = TRUE,
        ops: tuple[Op, ...] = (),
        label: tuple[Any, ...] = (),
        hits: tuple[str, ...] = (),
        kind: str = "",
    ) -> None:
        if guard != FALSE:
            src.edges.append(Edge(src.number, flow[2], guard, (*ops, *flow[0]), label, (*hits, *flow[1]), kind))

    def _care(self, src: Place, *, heal: bool, healing_only: bool = False, still: Guard = TRUE) -> None:
        """Heal and eat, and stand where one stood (HEAL-3, HEAL-4)."""
        here: Flow = ((), (), src.number)
        if heal:
            self._edge(src, here, both(("g", 0, 1), ("g", 1, 1)), (("a", 1, -1), ("a", 0, -1)), ("heal",), kind="care")
        for food in self.library.foods:
            if healing_only and not food.heals:
                continue
            held = self.amount(food.id)
            guard = both(("g", held, 1), *([("g", 0, 1)] if food.heals else []), still)
            ops: list[Op] = [("a", held, -1)]
            ops += [("a", 0, -food.heals)] if food.heals else []
            ops += [("a", 1, food.ap)] if food.ap else []
            self._edge(src, here, guard, tuple(ops), ("eat", food.id), kind="care")

    def _no_care(self) -> Guard:
        parts: list[Guard] = [either(("l", 0, 0), ("l", 1, 0))]
        for food in self.library.foods:
            none: Guard = ("l", self.amount(food.id), 0)
            parts.append(either(none, ("l", 0, 0)) if food.heals else none)
        return both(*parts)

    def _build(self, place: Place) -> None:
        builder: Callable[..., None] | None = getattr(self, f"_from_{place.key[0]}", None)
        if builder is not None:
            builder(place, *place.key[1:])

    def _from_back(self, place: Place, where: Context) -> None:
        self._edge(place, self._back(where), label=("turn",))
        self._care(place, heal=True)

    def _from_turn(self, place: Place, where: Context, left: tuple[int, ...], asked: bool) -> None:
        """A step that turns somewhere or looks at a condition; no question is asked here yet."""
        chapter = where[0]
        step, rest = self._steps[left[0]], left[1:]
        match step:
            case If(condition=condition, then=then, otherwise=otherwise):
                self._branch(
                    place,
                    condition,
                    chapter,
                    self._read(where, (*self._list(then), *rest), asked),
                    self._read(where, (*self._list(otherwise), *rest), asked),
                )
            case _:
                gone = self._passed(chapter, step)
                self._edge(place, self._read(where, rest, asked), gone)
                self._edge(place, self._go(where, left, asked), negated(gone))

    def _passed(self, chapter: int, step: Step) -> Guard:
        """When a step that turns somewhere does nothing: its card is discarded (NAV-4)."""
        match step:
            case Reveal(card=card) | Pull(cards=(card,)):
                return self.gone(chapter, card)
            case _:
                return FALSE

    def _go(self, where: Context, left: tuple[int, ...], asked: bool) -> Flow:
        """Turn at once, or only once the card's own instruction is acknowledged."""
        if asked:
            return self._turned(where, left)
        key = self.card_key(where[0], where[2])
        return (), (), self._place("ack", key, ("ack", where, left), self._steps[left[0]].span)

    def _branch(self, place: Place, condition: AllOf, chapter: int, then: Flow, otherwise: Flow) -> None:
        guard = self.guard(condition, chapter)
        self.spans.setdefault(name := condition_name(place.card, condition.span), condition.span)
        self._edge(place, then, guard, hits=(f"true {name}",))
        self._edge(place, otherwise, negated(guard), hits=(f"false {name}",))

    def _turned(self, where: Context, left: tuple[int, ...]) -> Flow:
        """What follows once the card's own instruction is obeyed."""
        chapter, below, ref = where
        step, rest = self._steps[left[0]], left[1:]
        key = self.card_key(chapter, ref)
        match step:
            case Reveal(card=card):
                return self._reveal(chapter, card)
            case Pull(cards=(card,)):
                return self._reveal(chapter, card, (*below, (ref, rest)))
            case DrawCard():
                return (), (), self._place("draw", key, ("draw", where, left), step.span)
            case Fight():
                return (), (), self._place("fight", key, ("fight", where, left), step.span)
            case _:
                deck = next((deck for deck in self.campaign.chapters if deck.number == chapter + 1), None)
                if deck is None:
                    return (), (), self._over("cut", "cut", key)
                return self._reveal(deck.number, deck.start)

    def _from_ack(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        self._edge(place, self._turned(where, left), label=("turn",))
        self._care(place, heal=True)

    def _from_draw(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        chapter, below, ref = where
        step, rest = self._steps[left[0]], left[1:]
        assert isinstance(step, DrawCard)
        gone: list[Guard] = []
        for card in dict.fromkeys(self.library.decks.get(step.deck, ())):
            special = f"{step.deck}:{card}"
            drawn = self.flag(("drawn", special))
            out = either(("f", drawn, True), self.gone(chapter, special))
            gone.append(out)
            flow = self._reveal(chapter, special, (*below, (ref, rest)))
            self._edge(place, flow, negated(out), (("s", drawn, 0),), ("pick", card))
        self._edge(place, self._read(where, rest, True), both(*gone))

    def _empty(self, where: Context, choices: tuple[Choice, ...]) -> Guard:
        """NAV-4, NAV-7: nothing is open or shown locked, so nothing is asked."""
        return both(
            *(
                negated(both(self._offers(where, choice), self._open(where[0], choice) if choice.hidden else TRUE))
                for choice in choices
            )
        )

    def _from_ask(self, place: Place, where: Context, left: tuple[int, ...], asked: bool) -> None:
        step = self._steps[left[0]]
        assert isinstance(step, Choose)
        empty = self._empty(where, step.choices)
        self._edge(place, self._read(where, left[1:], asked), empty)
        asks = self._place("choose", place.card, ("choose", where, left), step.span)
        self._edge(place, ((), (), asks), negated(empty))

    def _offers(self, where: Context, choice: Choice) -> Guard:
        """Whether a choice stands on the card at all."""
        offered = self._offered(where[0], choice)
        if not choice.once:
            return offered
        return both(offered, ("f", self._chosen(where, choice), False))

    def _chosen(self, where: Context, choice: Choice) -> int:
        return self.flag(("chosen", *gone_key(where[0], where[2]), choice.say))

    def _open(self, chapter: int, choice: Choice) -> Guard:
        return both(self.guard(choice.needs, chapter), self.affordable(choice.cost))

    def _from_choose(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        chapter = where[0]
        step, rest = self._steps[left[0]], left[1:]
        assert isinstance(step, Choose)
        closed: list[Guard] = []
        for number, choice in enumerate(step.choices, 1):
            option = self.option(choice)
            self.spans.setdefault(f"option {option}", choice.span)
            ops = self.goods(choice.cost, -1)
            if choice.once:
                ops = (("s", self._chosen(where, choice), 0), *ops)
            offered = self._offers(where, choice)
            needs = self.guard(choice.needs, chapter)
            guard = both(offered, self._open(chapter, choice))
            closed.append(negated(guard))
            flow = self._read(where, (*self._list(choice.steps), *rest), True)
            self._edge(place, flow, guard, ops, ("choose", number), (f"option {option}",))
            if needs != TRUE:
                name = condition_name(place.card, choice.needs.span)
                self.spans.setdefault(name, choice.needs.span)
                self.needs.add(name)
                here: Flow = ((), (f"false {name}",), place.number)
                self._edge(place, here, both(offered, negated(needs)), kind="watch")
                self._edge(place, ((), (f"true {name}",), place.number), needs, kind="watch")
        name = f"stuck {place.card}"
        self.spans.setdefault(name, step.span)
        stuck = self._over("stuck", "stuck", place.card, step.span)
        self._edge(place, ((), (name,), stuck), both(*closed, self._no_care()), kind="stuck")
        self._care(place, heal=True)

    def _offered(self, chapter: int, choice: Choice) -> Guard:
        """NAV-4: a choice that leads only to discarded cards is not offered."""
        turns = [step for step in choice.steps if isinstance(step, Reveal | Pull)]
        refs = [ref for step in turns for ref in ((step.card,) if isinstance(step, Reveal) else step.cards)]
        if not refs or len(turns) < len(choice.steps):
            return TRUE
        return either(*(negated(self.gone(chapter, ref)) for ref in refs))

    def _from_roll(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        step = self._steps[left[0]]
        if isinstance(step, Challenge):
            talent = self.amount(step.type)
            succeed, fail, perfect = step.succeed or (), step.fail or (), step.perfect or ()
            self._window(place, where, left, perfect_steps(step), ("d20", "face", 20))
            self._window(place, where, left, fail, ("d20", "face", 1))
            if perfect:
                for points in range(6) if step.level > 19 else (0,):
                    cost = max(0, step.level - 19 - points)
                    guard = both(("g", talent, points), ("l", talent, points)) if step.level > 19 else TRUE
                    label = (
                        ("d20", "add", step.level, step.type, cost) if cost else ("d20", "at", step.level, step.type)
                    )
                    self._window(place, where, left, succeed, label, guard, cost)
            for cost in range(1, 19):
                for steps, way, guard in (
                    (succeed, "add", both(("l", talent, step.level - cost - 2), ("g", talent, step.level - cost - 19))),
                    (
                        fail,
                        "subtract",
                        both(("g", talent, step.level + cost - 20), ("l", talent, step.level + cost - 3)),
                    ),
                ):
                    label = ("d20", way, step.level, step.type, cost)
                    self._window(place, where, left, steps, label, tidy(guard, 5), cost, wasteful=True)
        else:
            assert isinstance(step, Chart)
            for row in step.rows:
                self._window(place, where, left, row.steps, (step.die, "face", row.low))
                if not step.influence:
                    continue
                for face in range(2, SIDES[step.die] + 1):
                    change = row.low - face if face < row.low else min(0, row.high - face)
                    if change:
                        way = "add" if change > 0 else "subtract"
                        label = (step.die, "face", face, way, abs(change))
                        self._window(place, where, left, row.steps, label, TRUE, abs(change), wasteful=True)

    def _window(
        self,
        place: Place,
        where: Context,
        left: tuple[int, ...],
        steps: Steps,
        label: tuple[Any, ...],
        guard: Guard = TRUE,
        cost: int = 0,
        wasteful: bool = False,
    ) -> None:
        if guard == FALSE:
            return
        key = ("window", where, left[1:], self._list(steps), label, cost)
        window = self._place("window", place.card, key, place.span)
        self._edge(place, ((), (), window), guard, label=("roll", *label), kind="waste" if wasteful else "")

    def _from_window(
        self,
        place: Place,
        where: Context,
        left: tuple[int, ...],
        inner: tuple[int, ...],
        label: tuple[Any, ...],
        cost: int,
    ) -> None:
        guard: Guard = ("g", 1, cost) if cost else TRUE
        ops: tuple[Op, ...] = (("a", 1, -cost),) if cost else ()
        verb = "keep" if not cost else f"{label[1] if label[1] != 'face' else label[3]} {cost}"
        self._edge(place, self._outcome(where, inner, left), guard, ops, ("window", verb))
        self._care(place, heal=False)

    def _from_outif(self, place: Place, where: Context, inner: tuple[int, ...], left: tuple[int, ...]) -> None:
        step = self._steps[inner[0]]
        assert isinstance(step, If)
        then = self._outcome(where, (*self._list(step.then), *inner[1:]), left)
        otherwise = self._outcome(where, (*self._list(step.otherwise), *inner[1:]), left)
        self._branch(place, step.condition, where[0], then, otherwise)

    def _from_wound(self, place: Place, where: Context, left: tuple[int, ...], asked: bool) -> None:
        step = self._steps[left[0]]
        assert isinstance(step, Wound)
        limit = self.campaign.hero.wound_limit
        deadly: Guard = ("g", 0, limit - step.n)
        self._wounded(place, step.n, self._read(where, left[1:], asked))
        self._care(place, heal=False, healing_only=True, still=deadly)

    def _from_outwound(self, place: Place, where: Context, inner: tuple[int, ...], left: tuple[int, ...]) -> None:
        step = self._steps[inner[0]]
        assert isinstance(step, Wound)
        self._wounded(place, step.n, self._outcome(where, inner[1:], left))

    def _wounded(self, place: Place, n: int, flow: Flow) -> None:
        limit = self.campaign.hero.wound_limit
        self._edge(place, flow, ("l", 0, limit - n - 1), (("a", 0, n),))
        dead = self._over("death", "death", place.card)
        self._edge(place, ((), (), dead), ("g", 0, limit - n), label=("die",), kind="death")

    def _from_fight(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        step = self._steps[left[0]]
        assert isinstance(step, Fight)
        found = spoils(step.encounter, self.library)
        gains = losses = 0
        for card in found.gained:
            gains |= self.flag(card)
        for card in found.lost:
            losses |= self.flag(card)
        ranges = [(0, ALL, ALL * found.wounds)]
        for i, name in enumerate(self.names[2:], 2):
            falls = name in found.falls or name in self.foods
            if falls or name in found.rises:
                ranges.append((i, ALL * falls, ALL * (name in found.rises)))
        ops: tuple[Op, ...] = (("h", gains, losses, tuple(ranges)), ("=", 1, 2))
        after = self._place("test", place.card, ("after", where, left))
        self._edge(place, ((), (), after), ops=ops, label=("fight",))
        dead = self._over("death", "death", place.card)
        if found.wounds:
            self._edge(place, ((), (), dead), label=("die",), kind="death")

    def _from_after(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        self._edge(place, self._read(where, left[1:], True))

    def _from_tavern(self, place: Place, where: Context, left: tuple[int, ...]) -> None:
        step = self._steps[left[0]]
        assert isinstance(step, Tavern)
        self.cut = self.cut or f"the tavern on card {place.card} is not playable yet"
        self.tavern = self.tavern or where[0]
        everything = -1
        ranges = tuple((i, ALL, ALL) for i in range(len(self.names)))
        ops: tuple[Op, ...] = (("h", everything, everything, ranges),)
        for inner in (step.then, ()):
            flow = self._read(where, (*self._list(inner), *left[1:]), True)
            self._edge(place, flow, ops=ops, label=("tavern",))
