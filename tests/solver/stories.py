"""Small random stories over every step that a card can have, and what plain enumeration finds out about them."""

from collections import Counter, deque
from contextlib import contextmanager

import story.campaign
from solver.reach import verdicts
from solver.reach.gains import find_gains
from story import conditions
from story.campaign import CampaignTable, Choosing
from story.cards import (
    ALL,
    STANDARD_ACTIONS,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Attack,
    Campaign,
    Challenge,
    Chapter,
    Chart,
    ChartRow,
    Choice,
    Choose,
    Count,
    Discard,
    Discarded,
    DrawCard,
    Encounter,
    Ending,
    EnemyCard,
    Fight,
    Food,
    Gain,
    Goods,
    Heal,
    HeroCard,
    Holds,
    If,
    Instance,
    KeptCard,
    Library,
    Lose,
    NextChapter,
    Not,
    Placement,
    Pull,
    Reveal,
    Span,
    StoryCard,
    When,
    Wound,
)
from story.checks.walk import story_cards, walk
from story.prompts import Over, answers
from story.state import Play

KEPT = (("event", "oath"), ("item", "rope"), ("item", "lamp"))
FOODS = (Food("bread", "Bread", 2, heals=1), Food("salt", "Salt", 2, ap=1), Food("honey", "Honey", 1, heals=1, ap=1))


class Writer:
    """Writes one story with a random generator."""

    def __init__(self, random, features):
        self.random = random
        self.features = features
        self.lines = 0

    def maybe(self, p):
        return self.random.random() < p

    def span(self):
        self.lines += 1
        return Span("story.yaml", self.lines, 1, self.lines, 9)

    def goods(self, most=2, losing=False):
        kind, id = self.random.choice(KEPT)
        if self.maybe(0.55):
            return Goods(**{f"{kind}s": (id,)})
        names = ["ap", "physical", "tide"] + ["ap_reset"] * self.maybe(0.2)
        if "food" in self.features:
            names += [food.id for food in FOODS[: self.random.randint(1, 3)]]
        n = ALL if losing and self.maybe(0.15) else self.random.randint(1, most)
        return Goods(((self.random.choice(names), n),))

    def clause(self, depth=1):
        random = self.random
        pick = random.random()
        if pick < 0.5:
            return Holds(*random.choice(KEPT))
        if pick < 0.62:
            return AtLeast(random.choice(("ap", "physical", "tide", "wounds")), random.randint(1, 2))
        if pick < 0.72:
            return AtMost(random.choice(("ap", "tide", "wounds", "physical")), random.randint(0, 2))
        if pick < 0.8:
            return Discarded(random.randint(1, self.size))
        if depth and pick < 0.92:
            return Not(self.condition(depth - 1))
        if depth:
            return AnyOf(tuple(self.condition(depth - 1) for _ in range(2)))
        return Holds(*random.choice(KEPT))

    def condition(self, depth=1):
        return AllOf(tuple(self.clause(depth) for _ in range(self.random.choice((1, 1, 2)))), span=self.span())

    def simple(self):
        random = self.random
        kinds = ["gain", "gain", "lose", "count", "discard"]
        if "wounds" in self.features:
            kinds += ["wound", "heal"]
        match random.choice(kinds):
            case "gain":
                return Gain(self.goods())
            case "lose":
                return Lose(self.goods(losing=True))
            case "count":
                return Count("tide", random.choice((1, 1, 2, -1)))
            case "wound":
                return Wound(random.randint(1, 2))
            case "heal":
                return Heal(random.choice((1, 2, ALL)))
            case _:
                return Discard(random.choice((None, random.randint(1, self.size))))

    def step(self, depth):
        random = self.random
        pick = random.random()
        if pick < 0.45 or not depth:
            return self.simple()
        if pick < 0.6:
            return If(self.condition(), self.steps(depth - 1), self.steps(depth - 1), span=self.span())
        if pick < 0.68 and self.pullable:
            return Pull(tuple(random.choice(self.pullable) for _ in range(random.randint(1, 2))))
        if pick < 0.72:
            return DrawCard("heads")
        if pick < 0.8 and "dice" in self.features:
            parts = [self.steps(depth - 1) if self.maybe(0.8) else None for _ in range(3)]
            return Challenge("physical", random.choice((5, 12, 19, 21, 24)), *parts)
        if pick < 0.88 and "dice" in self.features:
            rows = ((1, 2), (3, 5), (6, 6))
            return Chart("d6", tuple(ChartRow(*row, self.steps(depth - 1)) for row in rows), self.maybe(0.7))
        if pick < 0.92 and "fights" in self.features:
            return Fight(Encounter(1, (3,), (Placement("crab", space=8),)))
        return self.choose(depth - 1)

    def choose(self, depth):
        choices = []
        for i in range(self.random.randint(1, 3)):
            choices.append(
                Choice(
                    f"Option {self.lines} {i}",
                    (*(self.steps(depth) if self.maybe(0.5) else ()), *self.way_on()),
                    self.condition() if self.maybe(0.5) else AllOf(),
                    self.goods() if self.maybe(0.3) else Goods(),
                    once=self.maybe(0.15),
                    span=self.span(),
                )
            )
        return Choose(tuple(choices), span=self.span())

    def steps(self, depth=1):
        return tuple(self.step(depth) for _ in range(self.random.choice((0, 1, 1, 2))))

    def way_on(self):
        pick = self.random.random()
        if pick < 0.85:
            return (Reveal(self.random.randint(1, self.size)),)
        if pick < 0.92 and not self.last:
            return (NextChapter(),)
        return ()

    def card(self, ref):
        pick = self.random.random()
        if pick < 0.55:
            steps = (*self.steps(), self.choose(1), *self.way_on())
        elif pick < 0.9:
            steps = (*self.steps(), *self.steps(), *self.way_on())
        else:
            id = self.random.choice(("won", "lost"))
            steps = (*self.steps(0), Ending(id, id, "neutral"))
        return StoryCard(ref, f"Card {ref}", "Text.", steps, span=self.span())

    def campaign(self):
        random = self.random
        chapters = []
        count = random.choice((1, 1, 2))
        self.size = random.randint(3, 6)
        specials = {}
        for number in range(1, count + 1):
            self.last = number == count
            self.pullable = list(range(2, self.size + 1))
            cards = {n: self.card(n) for n in range(1, self.size + 1)}
            chapters.append(Chapter(number, f"Chapter {number}", 1, cards))
        self.pullable, self.last = [], True
        for id in ("a", "b"):
            specials[f"heads:{id}"] = StoryCard(f"heads:{id}", id, "Text.", self.steps(0), span=self.span())
        crab = EnemyCard(
            "crab",
            "Crab",
            random.choice((1, 1, 2, 3)),
            Attack("adjacent", 1),
            rewards=self.goods() if self.maybe(0.5) else Goods(),
            instances=(Instance(When("defeated"), (Gain(Goods(events=("oath",))),)),) if self.maybe(0.5) else (),
        )
        kept = {id: KeptCard(id, id) for _, id in KEPT}
        library = Library(
            foods=FOODS if "food" in self.features else (),
            enemies={"crab": crab},
            actions=STANDARD_ACTIONS,
            events=kept,
            items=kept,
            specials=specials,
            decks={"heads": ("a", "b")},
            counters={"tide": "Tide"},
        )
        hero = HeroCard(
            wound_limit=random.choice((2, 3)),
            ap=random.choice((0, 1, 2, 3)),
            ap_reset=random.choice((0, 1, 3)),
            satchel=tuple(random.choice((0, 0, 1)) for _ in library.foods),
        )
        return Campaign("random", "Random", "", "en", hero, tuple(chapters), library)


FEATURES = ("food", "wounds", "dice", "fights")


def random_story(random):
    """A story with some of the features."""
    return Writer(random, {feature for feature in FEATURES if random.random() < 0.4}).campaign()


@contextmanager
def asked(found):
    """Collect the conditions of ``if`` steps and how they came out while a table is played."""
    holds = story.campaign.holds

    def listening(play, condition):
        answer = holds(play, condition)
        found.add((condition.span.line, answer))
        return answer

    story.campaign.holds = listening
    try:
        yield
    finally:
        story.campaign.holds = holds


DEEPEST = 10
"""Pulled cards on top of each other that are enumerated."""


class Truth:
    """What enumerating states finds: targets met, and whether no state was left out."""

    def __init__(self, table, most):
        self.table = table
        self.options = {}
        for key, card in story_cards(table.campaign):
            number = 0
            for step in walk(card.steps):
                if isinstance(step, Choose):
                    for choice in step.choices:
                        number += 1
                        self.options.setdefault(id(choice), f"option {key}/{number}")
        self.met = set()
        self.conditions = set()
        """(line of a condition, whether it held) as often as one was asked."""
        self.after = {}
        self.ends = set()
        self.deaths = set()
        with asked(self.conditions):
            self._enumerate(most)

    def _enumerate(self, most):
        table = self.table
        start = table.start()
        seen, queue = {start}, deque([start])
        self.complete = True
        while queue:
            if len(seen) > most:
                self.complete = False
                break
            state = queue.popleft()
            self._look(state)
            prompt = table.prompt(state)
            then = self.after[state] = []
            for answer in answers(prompt):
                question = state.agenda[-1]
                if isinstance(question, Choosing) and answer.startswith("choose"):
                    self.met.add(self.options[id(question.choices[int(answer.split()[1]) - 1])])
                new = table.answer(state, answer)
                if new.journey is not None and len(new.journey.reading) > DEEPEST:
                    self.complete = False
                    continue
                then.append(new)
                if new not in seen:
                    seen.add(new)
                    queue.append(new)
        self.start = start

    def _look(self, state):
        journey = state.journey
        ref = journey.reading[-1]
        key = ref if isinstance(ref, str) else f"{journey.chapter}:{ref}"
        self.met.add(f"card {key}")
        prompt = self.table.prompt(state)
        if state.agenda and isinstance(question := state.agenda[-1], Choosing):
            play = Play(state, self.table.library, campaign=self.table.campaign)
            for choice in question.choices:
                if choice.needs.span is not None and question._offered(play, choice):
                    self.conditions.add((choice.needs.span.line, conditions.holds(play, choice.needs)))
        if isinstance(prompt, Over):
            if prompt.kind == "stuck":
                self.met.add(f"stuck {key}")
            elif prompt.kind == "death":
                self.deaths.add(state)
            else:
                self.met.add(f"ending {prompt.id}")
                self.ends.add(state)

    def hopeless(self):
        """States from which no ending follows."""
        before = {}
        for state, then in self.after.items():
            for new in then:
                before.setdefault(new, []).append(state)
        hopeful, waiting = set(self.ends), list(self.ends)
        while waiting:
            for state in before.get(waiting.pop(), ()):
                if state not in hopeful:
                    hopeful.add(state)
                    waiting.append(state)
        return set(self.after) - hopeful

    def endless(self):
        """States from which no ending follows and in which the game can go on for ever."""
        going = self.hopeless()
        while True:
            left = {state for state in going if any(then in going for then in self.after[state])}
            if left == going:
                return going
            going = left


def compare(campaign, most):
    """(what is wrong with the verdicts on a story, counts of what was compared).

    ``most``: states enumerated. What enumeration meets must not be called unreachable; what a complete enumeration
    does not meet must not be called reached; every way must be one that the table takes; the same for soft locks,
    and a trap must be a state that no ending follows from.
    """
    table = CampaignTable(campaign)
    truth = Truth(table, most)
    found = verdicts(campaign, states=200_000)
    wrong, counts = [], Counter()
    tables = (("card", found.cards), ("option", found.options), ("ending", found.endings))
    judged = {f"{kind} {key}": verdict for kind, keys in tables for key, verdict in keys.items()}
    for target, verdict in judged.items():
        real = target in truth.met
        counts[f"{verdict}, {'met' if real else 'not met' if truth.complete else 'not met so far'}"] += 1
        if (verdict == "unreachable" and real) or (verdict == "reached" and truth.complete and not real):
            wrong.append(f"{target} is called {verdict}")
        if verdict == "reached":
            state = table.start()
            for answer in found.witness[target.partition(" ")[2]]:
                state = table.answer(state, answer)
            journey = state.journey
            ref = journey.reading[-1]
            key = ref if isinstance(ref, str) else f"{journey.chapter}:{ref}"
            if target.startswith("card") and target != f"card {key}":
                wrong.append(f"the way to {target} leads to card {key}")
            if target.startswith("ending") and (state.over is None or target != f"ending {state.over.id}"):
                wrong.append(f"the way to {target} leads elsewhere")
    locks = {target for target, verdict in found.judge.verdicts.items() if verdict == "reached" and "stuck" in target}
    proven = {target for target, verdict in found.judge.verdicts.items() if verdict == "unreachable"}
    counts["soft locks"] += len(locks)
    if truth.complete and locks - truth.met:
        wrong.append(f"no soft lock: {sorted(locks - truth.met)}")
    stuck = {target for target in truth.met if target.startswith("stuck")}
    known = locks | {target for target, verdict in found.judge.verdicts.items() if verdict == "unknown"}
    if stuck & proven or (not found.judge.program.cut and stuck - known):
        wrong.append(f"a soft lock was not seen: {sorted(stuck - known)}")
    wrong += [*_wrong_conditions(found, truth, counts), *_wrong_gains(found, table, counts)]
    traps = [problem for problem in found.problems if problem.id == "trap"]
    counts["traps"] += len(traps)
    if truth.complete:
        endless = truth.endless()
        if traps and not endless:
            wrong.append("no trap: an ending follows from everywhere")
        if not truth.deaths and not found.judge.traps_open and endless:
            wrong.append("a trap was not seen")
    return wrong, counts


def _wrong_conditions(found, truth, counts):
    """Conditions that are said never or always to hold, and did otherwise."""
    for problem in found.problems:
        if problem.id in ("never-true", "always-true"):
            counts[problem.id] += 1
            if (problem.line, problem.id == "never-true") in truth.conditions:
                yield f"the condition in line {problem.line} is called {problem.id}"
    if truth.complete and not found.judge.program.cut:
        told = {problem.line for problem in found.problems if problem.id in ("never-true", "always-true")}
        lines = {line for line, _ in truth.conditions}
        # A need that is never met is told of its option.
        needs = {found.judge.program.spans[name].line for name in found.judge.program.needs}
        fixed = {line for line in lines if (line, False) not in truth.conditions}
        fixed |= {line for line in lines - needs if (line, True) not in truth.conditions}
        counts["conditions that cannot differ, told"] += len(fixed & told)
        counts["conditions that cannot differ, not told"] += len(fixed - told)


def _wrong_gains(found, table, counts):
    """Loops that are said to give more and more, and do not."""
    library = table.library
    for gain in find_gains(found.judge):
        counts["gains"] += 1
        state = table.start()
        for answer in gain.before:
            state = table.answer(state, answer)
        before = state.hero
        for answer in gain.loop:
            state = table.answer(state, answer)
        program = found.judge.program
        # What nothing asks for is no cost; healing ends where no wounds are left, gain where a satchel is full.
        for i in sorted(program.read_amounts):
            name = program.names[i]
            old, new = before.amount(name, library), state.hero.amount(name, library)
            if name == "wounds":
                old, new = -old, -new
            full = name == "wounds" or (i not in program.loose and new == program.caps[i])
            if new < old or (name in gain.amounts and new == old and not full):
                yield f"no gain of {gain.amounts}: {name} changes by {new - old}"
