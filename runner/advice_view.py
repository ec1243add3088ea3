"""Advice as a ranked table and a plot of the wounds: pure lines, like ``view``."""

from __future__ import annotations

from runner.advice import percent, reasons
from runner.terminal import clean
from runner.view import BLANK, DIM, HEAD, Line, Row, wrap
from solver.solution import Solution

SHOWN = 9
BAR = 34
EIGHTHS = " ▏▎▍▌▋▊▉"


def verdict_lines(solution: Solution, width: int, words: dict[str, str]) -> tuple[Line, ...]:
    """What the best play is worth; bounds, plainly, where it is not exact."""
    if solution.exact:
        first = (
            f"{solution.expected_wounds:.2f} wounds expected with the best play, {percent(solution.p_defeat)} to lose."
        )
        lines = wrap(((first, "bold"),), width)
        if abs(solution.food_price) > 1e-9:
            lines += wrap(((f"Food eaten, less food earned, counts {solution.food_price:+.2f}.", DIM),), width)
        if why := reasons(solution, {answer: clean(said) for answer, said in words.items()}):
            lines += wrap(((" ".join(why), DIM),), width)
        return lines
    seconds = f"{solution.seconds:.0f} s"
    text = f"Not exact: between {solution.lower:.2f} and {solution.upper:.2f} after {seconds}."
    return wrap(((text, "bold $warning"), (" The order below may still change.", DIM)), width)


def table_rows(solution: Solution, words: dict[str, str]) -> tuple[Row, ...]:
    """The best actions, best first, with value and chance to lose in columns."""
    rows = []
    for number, action in enumerate(solution.actions[:SHOWN], 1):
        risk = percent(action.p_defeat)
        if action.lower is None or action.upper is None:
            value = f"{action.value:.4f}"
        elif action.lower == action.upper:
            value = f"{action.value:.2f}"
        else:
            value, risk = f"{action.lower:.2f} – {action.upper:.2f}", "unknown"
        star = "★ " if solution.exact and action.answer in solution.best else "  "
        say = clean(words.get(action.answer, action.answer))
        rows.append(Row(str(number), star + say, f"{value:>13}  {risk:>11}", action.answer))
    return tuple(rows)


def table_head(width: int) -> Line:
    """The columns of the table."""
    left = "    action"
    right = f"{'value':>13}  {'to lose':>11} "
    return ((left + " " * max(1, width - len(left) - len(right)) + right, HEAD),)


def bar(share: float, width: int) -> str:
    """A bar of ``share`` of the width, to an eighth of a cell."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def wounds_plot(wounds: dict[int, float], limit: int, width: int) -> tuple[Line, ...]:
    """How many wounds she may end with, under the best play, and how probably."""
    if not wounds:
        return ()
    lines: list[Line] = [BLANK, (("wounds at the end, with the best play", HEAD),)]
    room = max(8, min(BAR, width - 26))
    most = max(wounds.values())
    for n, p in sorted(wounds.items()):
        style = "$wound" if n >= limit else "$accent"
        label = f"{n:>3} " + ("lost " if n >= limit else "     ")
        lines.append(((label, "bold" if p == most else ""), (bar(p / most, room), style), (f" {percent(p)}", DIM)))
    return tuple(lines)
