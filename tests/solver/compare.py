"""The fast solver held against the reference on one encounter, and what occurred in it."""

from random import Random
from typing import NamedTuple

from solver import encounter, exact
from solver.advice import Advisor
from solver.encounter import NotCovered
from solver.solution import TIE
from story.playfield.table import EncounterTable
from story.prompts import Over, Roll, answers
from story.state import State
from tests.solver import generate

POLL = 256
"""States after which the reference asks whether to stop."""

MARKS = ("poisoned", "stunned", "rage", "dash", "block_used", "recruits")


class Question(NamedTuple):
    """What both solvers are asked."""

    file: object
    given: tuple[str, ...]
    """Answers from the start of the file."""
    before: State
    """The start of the file."""
    state: State
    asked: dict[str, object]
    """Arguments of ``solve``."""

    @property
    def topic(self):
        """What the state asks: the topic of a decision or the die."""
        return topic(EncounterTable(self.file).prompt(self.state))


class Comparison(NamedTuple):
    """How it went."""

    outcome: str
    """``same``, ``different``, ``too large`` (for the reference) or ``not covered: FEATURE``."""
    differences: tuple[str, ...] = ()
    worst: float = 0.0
    """The largest difference of a value or a probability of losing."""
    states: int = 0
    """Looked at by the reference."""
    occurred: frozenset[str] = frozenset()
    """``trait rage``, ``ground poison``, ``answer dart``, ``answer eat uku``, ``asks window``, ``rule FOE-5``,
    ``asked at window`` (where the question was) …"""


def topic(prompt):
    """``turn window dodge bite stand``, or the die."""
    return prompt.die if isinstance(prompt, Roll) else prompt.topic


class Watched(EncounterTable):
    """The table of an encounter file that notes what occurs at it."""

    def __init__(self, file):
        super().__init__(file)
        self.occurred = set()
        self.occurred.update(f"ground {trait.id}" for card in file.library.terrain.values() for trait in card.traits)
        self._cards = set()

    def answer(self, state, answer, tell=None):
        """The state after an answer; what was asked, answered, told and on the playfield is noted."""
        prompt = self.prompt(state)
        self.occurred.add(f"asks {topic(prompt)}")
        if not isinstance(prompt, Roll):
            word, *rest = answer.split()
            self.occurred.add(f"answer {answer if word == 'eat' else word}")
            self.occurred.update(f"answer {extra}" for extra in rest if extra.startswith("+"))
        after = super().answer(state, answer, self._told)
        if after.field is not None:
            self._look(after.field)
        return after

    def _look(self, field):
        for foe in field.foes:
            self.occurred.update(f"mark {mark}" for mark in MARKS if getattr(foe, mark))
            if foe.card not in self._cards:
                self._cards.add(foe.card)
                self.occurred.update(f"trait {trait.id}" for trait in self.library.enemies[foe.card].traits)

    def _told(self, told):
        if told.rule:
            self.occurred.add(f"rule {told.rule}")


def question(seed):
    """The question of a seed: an encounter, answers given before, and what is minimised."""
    file = generate.encounter(seed)
    random = Random(-seed)
    asked = {
        "objective": random.choice(("wounds", "survive")),
        "food": random.choice(("priced", "priced", "free", "none")),
        "death": random.choice((None, None, None, 20.0, 1.5)),
    }
    length = random.choice((0, 0, 1, 3, 6))
    table = EncounterTable(file)
    before = state = table.start()
    given = []
    for _ in range(length):
        answer = random.choice(answers(table.prompt(state)))
        after = table.answer(state, answer)
        if isinstance(table.prompt(after), Over):
            break
        given.append(answer)
        state = after
    return Question(file, tuple(given), before, state, asked)


def compare(question, states):
    """Ask both solvers; the reference gives up after so many states."""
    table = Watched(question.file)
    known = exact.solve(table, question.state, stop=after(states // POLL), **question.asked)
    occurred = frozenset(table.occurred) | {f"asked at {question.topic}"}
    if question.file.position is not None:
        occurred |= {"asked from a position"}
    if not known.exact:
        return Comparison("too large", states=known.states)
    try:
        found = encounter.solve(question.file, question.state, **question.asked)
    except NotCovered as refused:
        return Comparison(f"not covered: {refused}", states=known.states, occurred=occurred)
    differences, worst = differing(question, known, found)
    # The adviser is asked about the start first: what it keeps of that must not change the answer.
    adviser = Advisor(question.file.library, **question.asked)
    if question.given:
        adviser.advise(question.before, stop=after(states))
    again, other = differing(question, known, adviser.advise(question.state))
    differences += [f"adviser: {difference}" for difference in again]
    outcome = "different" if differences else "same"
    return Comparison(outcome, tuple(differences), max(worst, other), known.states, occurred)


def after(polls):
    """A ``stop`` that says yes when it has been asked so often."""
    left = iter(range(polls))
    return lambda: next(left, None) is None


def differing(question, known, found):
    """(what the fast solver says otherwise than the reference, the largest difference of a number)."""
    pairs = {"value": (found.value, known.value), "p_defeat": (found.p_defeat, known.p_defeat)}
    wanted = {action.answer: action for action in known.actions}
    given = {action.answer: action for action in found.actions}
    said = []
    if given.keys() != wanted.keys():
        said.append(f"actions {sorted(given)}, not {sorted(wanted)}")
    for answer in given.keys() & wanted.keys():
        pairs[f"value of {answer}"] = (given[answer].value, wanted[answer].value)
        pairs[f"p_defeat of {answer}"] = (given[answer].p_defeat, wanted[answer].p_defeat)
    # The distribution of the wounds is not unique, but what can be told from it is.
    limit = question.state.hero.wound_limit
    pairs["sum of the chances"] = (sum(found.wounds.values()), 1.0)
    pairs["chance of the wound limit"] = (found.wounds.get(limit, 0.0), known.p_defeat)
    pairs["expected wounds"] = (found.expected_wounds, sum(n * p for n, p in found.wounds.items()))
    death = limit if question.asked["death"] is None else question.asked["death"]
    pairs["value in parts"] = (found.expected_wounds + (death - limit) * found.p_defeat + found.food_price, known.value)
    said += [f"{what} {one!r}, not {other!r}" for what, (one, other) in pairs.items() if abs(one - other) > TIE]
    if set(found.best) != set(known.best):
        said.append(f"best {found.best}, not {known.best}")
    if not found.exact:
        said.append(f"not exact: {found.limit}")
    return said, max(abs(one - other) for one, other in pairs.values())
