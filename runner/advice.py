"""A solution in words and as JSON: what ``advice``, ``solve`` and their readers are shown."""

from __future__ import annotations

from typing import Any

from solver.solution import STOPPED, TIE, ActionValue, Solution

SHOWN = 8
"""Actions that are listed in words."""

MOST_DIGITS = 9
"""Digits behind the point that bounds are told with; what lies closer is rounding (``TIE``)."""


def advice_lines(solution: Solution, words: dict[str, str] | None = None, shown: int = SHOWN) -> list[str]:
    """The best actions with what they are worth, a line each; ``words`` says what answers mean."""
    words = words or {}
    lines = [verdict(solution)]
    if solution.reference:
        lines.append(slow_way(solution.reference))
    if not told_apart(solution):
        return [*lines, not_apart(solution)]
    best = "best: " if solution.exact else "best so far: "
    for action in solution.actions[:shown]:
        risk = f", {percent(action.p_defeat)} to lose" if solution.exact else ""
        said = f" ({words[action.answer]})" if action.answer in words else ""
        if action.lower is None or action.upper is None:
            worth = amount(action.value)
        else:
            worth = between(action.lower, action.upper)
        mark = best if action.answer in solution.best else ""
        lines.append(f"{mark:{len(best)}}{action.answer}{said}: {worth}{risk}")
    if len(solution.actions) > shown:
        lines.append(f"{'':{len(best)}}and {len(solution.actions) - shown} more")
    return [*lines, *reasons(solution, words)]


def verdict(solution: Solution) -> str:
    """What the best play is worth, in one sentence that says whether it is exact."""
    if not solution.exact:
        why = "interrupted" if solution.limit == STOPPED else f"stopped by its limit ({solution.limit})"
        if solution.hopeless:
            why = f"as {solution.limit}"
        if closed(solution):
            return f"Not all is known, {why}: the value is {amount(solution.upper)}, the chance to lose is not known."
        return f"Not exact, {why}: the value is {between(solution.lower, solution.upper)}."
    price = f", food {solution.food_price:+.4f}" if abs(solution.food_price) > TIE else ""
    return (
        f"With the best play: {amount(solution.expected_wounds)} wounds expected{price}, "
        f"{percent(solution.p_defeat)} to lose; value {amount(solution.value)}, exact."
    )


def closed(solution: Solution) -> bool:
    """Whether bounds have met: the value is known, if nothing else is."""
    return not solution.exact and solution.upper - solution.lower <= TIE


def amount(value: float, digits: int = 4) -> str:
    """A value with so many digits behind the point; what rounds to nothing has no sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def between(lower: float, upper: float, digits: int = 4) -> str:
    """Two bounds with so many digits, or as many more as tell them apart; one value if ``MOST_DIGITS`` do not."""
    bounds = differing(lower, upper, digits, MOST_DIGITS)
    return f"between {bounds[0]} and {bounds[1]}" if bounds else amount(upper, digits)


def differing(lower: float, upper: float, fewest: int, most: int) -> tuple[str, str] | None:
    """Two bounds with as many digits as tell them apart; ``None`` if that would be more than ``most``."""
    for digits in range(fewest, most + 1):
        low, high = amount(lower, digits), amount(upper, digits)
        if low != high:
            return low, high
    return None


def told_apart(solution: Solution) -> bool:
    """Whether one action is known to be better than another, or nothing is there to compare."""
    return solution.exact or len(solution.actions) < 2 or bool(solution.best)


def not_apart(solution: Solution) -> str:
    """The sentence where actions are not ``told_apart``."""
    return f"Nothing tells one action from another{'' if solution.hopeless else ' yet'}."


def slow_way(reference: str) -> str:
    """Why the answer took as long as it did (``Solution.reference``), in one sentence."""
    return f"Worked out the slow way, by the reference: {reference}."


def reasons(solution: Solution, words: dict[str, str] | None = None) -> list[str]:
    """Why the best play is the best, in sentences: against ending the turn, against the next, and for safety."""
    if not solution.exact or len(solution.actions) < 2:
        return []
    words = words or {}

    def named(answer: str) -> str:
        return words.get(answer, answer)

    def more(action: ActionValue) -> str:
        gap = action.value - first.value
        return "under 0.01 more" if 0 < gap < 0.005 else f"{gap:.2f} more"

    told: list[str] = []
    first = solution.actions[0]
    end = next((action for action in solution.actions if action.answer == "end"), None)
    if len(solution.best) == len(solution.actions):
        return ["Whatever you do comes to the same."]
    if "end" in solution.best:
        told.append("Nothing is worth more than ending the turn here.")
    elif end is not None and solution.objective == "wounds":
        told.append(f"Ending the turn here costs {more(end)}.")
    if len(solution.best) > 1:
        told.append(f"{len(solution.best)} actions are equally good.")
    others = [action for action in solution.actions if action.answer not in solution.best and action is not end]
    if others:
        other = others[0]
        risk = other.p_defeat - first.p_defeat
        if solution.objective == "survive" and risk > TIE:
            told.append(f"The next best ({named(other.answer)}) loses {percent(risk)} more often.")
        else:
            told.append(f"The next best ({named(other.answer)}) costs {more(other)}.")
    if solution.objective == "wounds":
        safest = min(solution.actions, key=lambda action: action.p_defeat)
        if safest.p_defeat < first.p_defeat - 0.0005:
            told.append(
                f"The safest ({named(safest.answer)}) loses {percent(safest.p_defeat)} instead of "
                f"{percent(first.p_defeat)} and costs {more(safest)}."
            )
    return told


def percent(p: float) -> str:
    """A probability for the eye; what is neither 0 nor 1 never looks like it."""
    if 0 < p < 0.00005:
        return "under 0.01 %"
    if 0.99995 < p < 1:
        return "over 99.99 %"
    return f"{100 * p:.2f}".rstrip("0").rstrip(".") + " %"


def failure(error: Exception) -> str:
    """Why a search failed, in one line."""
    match error:
        case ValueError():
            return str(error)
        case MemoryError():
            return "this position needs more memory than there is."
        case RecursionError():
            return "this position goes deeper than the solver can follow."
        case _:
            return " ".join(f"the solver failed ({type(error).__name__}: {error}).".split())


def solution_json(solution: Solution, file: str, cold_seconds: float) -> dict[str, Any]:
    """As ``solve --json`` prints it; ``lower`` and ``upper`` only where a limit stopped the search.

    ``reference`` only where the slow solver had to answer: why.
    """
    found: dict[str, Any] = {
        "file": file,
        "objective": solution.objective,
        "food": solution.food,
        "exact": solution.exact,
        "value": solution.value,
        "p_defeat": solution.p_defeat,
        "expected_wounds": solution.expected_wounds,
        "wounds": {str(n): p for n, p in sorted(solution.wounds.items())},
        "food_price": solution.food_price,
        "best": list(solution.best),
        "actions": [],
        "states": solution.states,
        "seconds": round(solution.seconds, 4),
        "cold_seconds": round(cold_seconds, 4),
    }
    for action in solution.actions:
        entry: dict[str, Any] = {"answer": action.answer, "value": action.value, "p_defeat": action.p_defeat}
        if action.lower is not None and action.upper is not None:
            entry |= {"lower": action.lower, "upper": action.upper}
        found["actions"].append(entry)
    if not solution.exact:
        found |= {"lower": solution.lower, "upper": solution.upper, "limit": solution.limit}
    if solution.reference:
        found["reference"] = solution.reference
    return found
