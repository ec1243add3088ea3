"""Which cards, options and endings of a campaign can be reached: a way there, a proof, or a named limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solver.reach.decide import Verdict
from story.cards import Campaign, Span
from story.garbage import uncollected
from story.problems import Problem

if TYPE_CHECKING:
    from solver.reach.decide import Judge
    from solver.reach.flow import Holds
    from solver.reach.program import Program

MOST_STATES = 3_000_000
"""States looked at where the caller names no limit."""
WIDE, WIDE_EACH = 40_000, 10
"""States of the first, wide look: at least so many, and so many for each place where the game can stand."""
LEAST_SHARE = 30_000
"""States that every question gets, however many there are."""


@dataclass(frozen=True)
class Verdicts:
    """What was found out; keys as in ``check --json``: ``1:12`` or ``heads:otto``, ``1:12/2``, an ending's id."""

    cards: dict[str, Verdict]
    options: dict[str, Verdict]
    endings: dict[str, Verdict]
    witness: dict[str, list[str]]
    """For each key that is reached, answers from the start of the campaign that lead there."""
    problems: tuple[Problem, ...]
    limit: str | None
    """What stopped the search, if anything is unknown."""
    states: int
    seconds: float
    judge: Any = field(default=None, repr=False, compare=False)
    """What ``explain`` looks things up in."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """The keys without a verdict."""
        tables = (self.cards, self.options, self.endings)
        return tuple(key for table in tables for key, verdict in table.items() if verdict == "unknown")

    def count(self, verdict: Verdict) -> int:
        """How many cards have a verdict."""
        return sum(found == verdict for found in self.cards.values())

    def json(self, witness: bool = False) -> dict[str, Any]:
        """As in ``check --json``."""
        return {
            "verdicts": {"cards": self.cards, "options": self.options, "endings": self.endings},
            "witness": self.witness if witness else None,
            "limit": self.limit,
            "states": self.states,
            "seconds": round(self.seconds, 3),
        }


def verdicts(
    campaign: Campaign,
    *,
    states: int | None = None,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verdicts:
    """Decide every card, option and ending; ``states`` and ``seconds`` limit the search, ``stop`` ends it.

    ``progress`` is told how many questions of how many are answered.
    """
    with uncollected():  # of what a search makes nothing lies in a ring
        return _verdicts(campaign, states, seconds, stop, progress)


def _verdicts(
    campaign: Campaign,
    states: int | None,
    seconds: float | None,
    stop: Callable[[], bool] | None,
    progress: Callable[[int, int], None] | None,
) -> Verdicts:
    from solver.reach.decide import Judge
    from solver.reach.flow import invariants
    from solver.reach.problems import problems
    from solver.reach.program import Program
    from solver.reach.search import Limits
    from solver.reach.vocabulary import Stopped

    began = time.monotonic()
    stopped: list[str] = []

    def over() -> bool:
        if not stopped and stop is not None and stop():
            stopped.append("it was stopped")
        if not stopped and seconds is not None and time.monotonic() - began > seconds:
            stopped.append(f"{seconds:g} seconds")
        return bool(stopped)

    wanted = _targets(campaign)
    try:
        program = Program(campaign, over)
        program.spans |= wanted
        holds = invariants(program)
        program.slice()
        asked = [*wanted, *_found_targets(program, holds)]
    except Stopped:
        return _nothing(wanted, stopped[0], time.monotonic() - began)
    most = MOST_STATES if states is None else states
    limits = Limits(most, over)
    judge = Judge(program, holds, limits, lambda: stopped[0] if stopped else "")
    judge.look(asked, max(WIDE, WIDE_EACH * len(holds)))
    open_ = [target for target in dict.fromkeys(asked) if target not in judge.verdicts]
    for done, target in enumerate(open_):
        if progress is not None:
            progress(len(asked) - len(open_) + done, len(asked))
        share = max(LEAST_SHARE, 2 * (most - limits.spent) // (len(open_) - done))
        judge.decide(target, share)
    keys = {kind: _table(judge, wanted, kind) for kind in ("card", "option", "ending")}
    found = problems(judge)
    limit = _limit(judge, wanted, stopped, most)
    return Verdicts(
        keys["card"],
        keys["option"],
        keys["ending"],
        {hit.partition(" ")[2]: way for hit, way in judge.ways.items() if hit in wanted},
        found,
        limit,
        limits.spent,
        time.monotonic() - began,
        judge,
    )


def explain(campaign: Campaign, verdicts: Verdicts, card: str) -> list[str]:
    """Sentences on why a card can or cannot be reached, and on what locks each of its options.

    Raises KeyError if the campaign has no such card.
    """
    from solver.reach.explanation import explanation

    return explanation(campaign, verdicts, card)


def _targets(campaign: Campaign) -> dict[str, Span | None]:
    """Cards, options and endings in the order of the files, with their places there."""
    from story.cards import Choose, Ending
    from story.checks.walk import story_cards, walk

    found: dict[str, Span | None] = {}
    numbered: set[int] = set()
    for key, card in story_cards(campaign):
        found.setdefault(f"card {key}", card.span)
        options = 0
        for step in walk(card.steps):
            if isinstance(step, Choose):
                for choice in step.choices:
                    options += 1
                    if id(choice) not in numbered:
                        numbered.add(id(choice))
                        found[f"option {key}/{options}"] = choice.span
            elif isinstance(step, Ending):
                found.setdefault(f"ending {step.id}", step.span)
    return found


def _found_targets(program: Program, holds: dict[int, Holds]) -> list[str]:
    """Soft locks that an invariant allows, and both sides of every condition that is asked. Raises Stopped."""
    hits = dict.fromkeys(program.start[1])
    for number in holds:
        program.poll()
        hits |= {hit: None for edge in program.edges(number) for hit in edge.hits}
    conditions = dict.fromkeys(hit.partition(" ")[2] for hit in hits if hit.startswith(("true ", "false ")))
    sides = [f"{side} {name}" for name in conditions for side in ("true", "false")]
    return [*(hit for hit in hits if hit.startswith("stuck ")), *sides]


def _table(judge: Judge, wanted: dict[str, Span | None], kind: str) -> dict[str, Verdict]:
    return {target.partition(" ")[2]: judge.verdicts[target] for target in wanted if target.partition(" ")[0] == kind}


def _limit(judge: Judge, wanted: dict[str, Span | None], stopped: list[str], most: int) -> str | None:
    unknown = [target for target in wanted if judge.verdicts[target] == "unknown"]
    if not unknown:
        return None
    if stopped:
        return stopped[0]
    reasons = dict.fromkeys(filter(None, (judge.reasons.get(target) for target in unknown)))
    return "; ".join(reasons) or f"{most:,} state{'s' * (most != 1)}"


def _nothing(wanted: dict[str, Span | None], limit: str, seconds: float) -> Verdicts:
    tables: dict[str, dict[str, Verdict]] = {"card": {}, "option": {}, "ending": {}}
    for target in wanted:
        kind, _, key = target.partition(" ")
        tables[kind][key] = "unknown"
    return Verdicts(tables["card"], tables["option"], tables["ending"], {}, (), limit, 0, seconds)
