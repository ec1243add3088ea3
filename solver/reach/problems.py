"""What the verdicts say about a deck, as problems with their places in its files."""

from __future__ import annotations

from collections.abc import Iterator

from solver.reach.decide import Judge
from solver.reach.gains import find_gains
from solver.reach.traps import find_traps
from story.cards import Ending, Span
from story.checks.walk import story_cards, walk
from story.effects import amount_name
from story.problems import Problem, Severity, at

IDS = (
    UNREACHABLE_CARD := "unreachable-card",
    UNREACHABLE_OPTION := "unreachable-option",
    UNREACHABLE_ENDING := "unreachable-ending",
    SOFT_LOCK := "soft-lock",
    TRAP := "trap",
    TRAPS_OPEN := "traps-undecided",
    ENDLESS_GAIN := "endless-gain",
    NEVER_TRUE := "never-true",
    ALWAYS_TRUE := "always-true",
)

LONGEST = 8
"""Answers of a way that a hint shows."""


def problems(judge: Judge) -> tuple[Problem, ...]:
    """All of them, sorted by file and place."""
    found = [*_unreachable(judge), *_conditions(judge), *_locks(judge), *_traps(judge), *_gains(judge)]
    return tuple(sorted(found, key=lambda problem: problem.order))


def _at(judge: Judge, target: str, id: str, severity: Severity, message: str, hint: str = "") -> Problem:
    span = judge.program.spans.get(target) or Span("", 0, 0, 0, 0)
    short = Span(span.file, span.line, span.column, span.line, span.column + 1)
    return at(short, id, severity, message, hint)


def _example(answers: list[str]) -> str:
    return f"for example after: {in_words(answers)}" if answers else "as soon as the game begins"


def in_words(answers: list[str]) -> str:
    """A way in one line, its middle left out if it is long."""
    if len(answers) <= LONGEST + 1:
        return ", ".join(answers) or "from the first card on"
    half = LONGEST // 2
    return f"{', '.join(answers[:half])}, … {len(answers) - 2 * half} more …, {', '.join(answers[-half:])}"


def _unreachable(judge: Judge) -> Iterator[Problem]:
    verdicts = judge.verdicts
    closed: dict[str, list[str]] = {}
    for target, verdict in verdicts.items():
        if verdict == "unreachable" and target.startswith("option "):
            closed.setdefault(target.removeprefix("option ").rpartition("/")[0], []).append(target)
    for key, card in story_cards(judge.program.campaign):
        name = f"card {key.split(':')[1]}"
        if verdicts.get(f"card {key}") == "unreachable":
            hint = f"cardwalk check DECK --explain {key} tells why"
            yield _at(judge, f"card {key}", UNREACHABLE_CARD, "warning", f"{name} can never be reached", hint)
            continue
        for step in walk(card.steps):
            if isinstance(step, Ending) and verdicts.get(f"ending {step.id}") == "unreachable":
                message = f'the ending "{step.id}" can never be reached'
                hint = f"look at what must come out before it on {name}, or delete it"
                yield _at(judge, f"ending {step.id}", UNREACHABLE_ENDING, "warning", message, hint)
        for target in closed.get(key, ()):
            hint = f"cardwalk check DECK --explain {key} tells what locks it"
            message = f"option {target.rpartition('/')[2]} of {name} is never open"
            yield _at(judge, target, UNREACHABLE_OPTION, "warning", message, hint)


def _conditions(judge: Judge) -> Iterator[Problem]:
    verdicts = judge.verdicts
    for name in judge.program.spans:
        true, false = verdicts.get(f"true {name}"), verdicts.get(f"false {name}")
        if "at" not in name.split():
            continue
        needs = name in judge.program.needs
        if true == "unreachable" and false == "reached" and not needs:
            message = "this condition never holds where it is asked"
            hint = "what stands under then: is never done: mend the condition, or leave the if: out"
            yield _at(judge, name, NEVER_TRUE, "warning", message, hint)
        elif false == "unreachable" and true == "reached":
            never = "the option is never locked: leave needs: out"
            hint = never if needs else "what stands under else: is never done: mend the condition, or leave the if: out"
            severity: Severity = "info" if needs else "warning"
            yield _at(judge, name, ALWAYS_TRUE, severity, "this condition always holds where it is asked", hint)


def _locks(judge: Judge) -> Iterator[Problem]:
    for target, verdict in judge.verdicts.items():
        if target.startswith("stuck ") and verdict == "reached":
            name = f"card {target.split(':')[1]}"
            message = f"the player can be stuck on {name}: nothing on it is open any more"
            hint = f"let a step move on in every case; {_example(judge.ways[target])}"
            yield _at(judge, target, SOFT_LOCK, "error", message, hint)


def _traps(judge: Judge) -> Iterator[Problem]:
    traps, judge.traps_open = find_traps(judge)
    for trap in traps:
        message = (
            f"from card {trap.card.split(':')[1]} the player may go on for ever: no ending can be reached any more"
        )
        hint = f"add a way on to an ending; {_example(trap.answers)}"
        yield _at(judge, f"card {trap.card}", TRAP, "error", message, hint)
    if judge.traps_open and not traps:
        first = judge.program.campaign.chapters[0]
        message = "it is not proven that an ending can be reached from everywhere"
        hint = f"{_to_prove(judge)}; no trap was found, and what stopped the search: {judge.traps_open}"
        yield _at(judge, f"card {first.number}:{first.start}", TRAPS_OPEN, "info", message, hint)


def _to_prove(judge: Judge) -> str:
    """What the author can do so that traps can be excluded."""
    if judge.program.cut:
        return "reveal cards there instead of pulling them, or leave it out"
    way_on = "give each loop of cards a way to an ending that needs and costs nothing"
    return f"allow more with --seconds and --states, or {way_on}" if judge.limits.done() else way_on


def _gains(judge: Judge) -> Iterator[Problem]:
    library = judge.program.library
    for gain in find_gains(judge):
        healed = "wounds" in gain.amounts
        names = [amount_name(name, library) for name in gain.amounts if name != "wounds"]
        goods = " and ".join([*names, *["healing"] * healed])
        counters = all(name in library.counters for name in gain.amounts)
        severity: Severity = "info" if gain.luck or counters else "warning"
        luck = ", with luck," if gain.luck else ""
        message = f"on card {gain.card.split(':')[1]} {goods} can be had{luck} again and again without cost"
        hint = f"let an option be once: true, or cost something; it is had by repeating: {in_words(gain.loop)}"
        yield _at(judge, f"card {gain.card}", ENDLESS_GAIN, severity, message, hint)
