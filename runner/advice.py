"""A solution in words and as JSON: what ``advice``, ``solve`` and their readers are shown."""

from __future__ import annotations

from typing import Any

from solver.solution import TIE, Solution

SHOWN = 8
"""Actions that are listed in words."""


def advice_lines(solution: Solution, words: dict[str, str] | None = None, shown: int = SHOWN) -> list[str]:
    """The best actions with what they are worth, a line each; ``words`` says what answers mean."""
    words = words or {}
    lines = [verdict(solution)]
    for action in solution.actions[:shown]:
        risk = f", {percent(action.p_defeat)} to lose" if solution.exact else ""
        said = f" ({words[action.answer]})" if action.answer in words else ""
        if action.lower is None or action.upper is None:
            worth = f"{action.value:.4f}"
        else:
            worth = f"between {action.lower:.4f} and {action.upper:.4f}"
        mark = "best: " if action.answer in solution.best else "      "
        lines.append(f"{mark}{action.answer}{said}: {worth}{risk}")
    if len(solution.actions) > shown:
        lines.append(f"      and {len(solution.actions) - shown} more")
    return lines


def verdict(solution: Solution) -> str:
    """What the best play is worth, in one sentence that says whether it is exact."""
    if not solution.exact:
        return (
            f"Not exact, stopped by its limit ({solution.limit}): "
            f"the value lies between {solution.lower:.4f} and {solution.upper:.4f}."
        )
    price = f", food {solution.food_price:+.4f}" if abs(solution.food_price) > TIE else ""
    return (
        f"With the best play: {solution.expected_wounds:.4f} wounds expected{price}, "
        f"{percent(solution.p_defeat)} to lose; value {solution.value:.4f}, exact."
    )


def percent(p: float) -> str:
    """A probability for the eye; what is neither 0 nor 1 never looks like it."""
    if 0 < p < 0.00005:
        return "under 0.01 %"
    if 0.99995 < p < 1:
        return "over 99.99 %"
    return f"{100 * p:.2f}".rstrip("0").rstrip(".") + " %"


def solution_json(solution: Solution, file: str, cold_seconds: float) -> dict[str, Any]:
    """As ``solve --json`` prints it; ``lower`` and ``upper`` only where a limit stopped the search."""
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
    return found
