"""Advice as a ranked table and a plot of the wounds: pure lines, like ``view``."""

from __future__ import annotations

from runner.advice import amount, closed, differing, not_apart, percent, reasons, slow_way, told_apart
from runner.terminal import clean
from runner.view import BLANK, DIM, HEAD, Line, Row, wrap
from solver.solution import STOPPED, TIE, ActionValue, Solution

SHOWN = 9
"""Actions shown at most, each with its digit; ending the turn is always shown as well."""

RISK = 12
"""Columns of the chance to lose."""

BAR = 34
EIGHTHS = " ▏▎▍▌▋▊▉"


def span(lower: float, upper: float) -> tuple[str, ...]:
    """Two bounds with as many decimals as tell them apart; one number where four decimals do not."""
    bounds = differing(lower, upper, 2, 4)
    if bounds is not None:
        return bounds
    high = amount(upper)
    return ("under 0.0001",) if float(high) == 0 < upper else (high,)


def verdict_lines(solution: Solution, width: int, words: dict[str, str], *, working: bool = False) -> tuple[Line, ...]:
    """What the best play is worth; bounds, plainly, where it is not exact. ``working``: more may come to be known."""
    lines: tuple[Line, ...] = ()
    if solution.exact:
        first = (
            f"{solution.expected_wounds:.2f} wounds expected at the end with the best play, "
            f"{percent(solution.p_defeat)} to lose."
        )
        lines = wrap(((first, "bold"),), width)
        if abs(solution.food_price) > 1e-9:
            lines += wrap(((f"Food eaten, less food earned, counts {solution.food_price:+.2f}.", DIM),), width)
        if why := reasons(solution, {answer: clean(said) for answer, said in words.items()}):
            lines += wrap(((" ".join(why), DIM),), width)
    else:
        bounds = span(solution.lower, solution.upper)
        worth = f"between {bounds[0]} and {bounds[1]}" if len(bounds) > 1 else bounds[0]
        if closed(solution):
            worth = f"worth {amount(solution.upper, 2)}, chance to lose not known"
        text = f"So far: {worth}." if working else _ended(solution, worth)
        order = "" if solution.hopeless else "The order may still change."
        order = order if told_apart(solution) else not_apart(solution)
        lines = wrap(((text, "bold $warning"), (f" {order}" if order and solution.actions else "", DIM)), width)
    if solution.reference:
        lines += wrap(((clean(slow_way(solution.reference)), DIM),), width)
    return lines


def _ended(solution: Solution, worth: str) -> str:
    """What is known by the end of a search, and what ended it."""
    after = f"after {solution.seconds:.0f} s"
    if solution.limit == STOPPED:
        return f"Stopped {after}: {worth}."
    if solution.hopeless:
        return f"Not exact: {worth}, as {solution.limit}."
    by_time = not solution.limit or solution.limit.endswith(" s")
    return f"Not exact: {worth} {after}{'' if by_time else f', stopped by its limit ({solution.limit})'}."


def table_rows(solution: Solution, words: dict[str, str], *, keys: bool = True, mark: str = "") -> tuple[Row, ...]:
    """The best actions, best first, with value and chance to lose in columns.

    Ending the turn, and the action with the ``mark``, are there wherever they rank. Without ``keys`` no digit reaches a
    row.
    """
    # Ending the turn is what every other action is held against.
    always = ("end", mark)
    shown = [*solution.actions[:SHOWN], *(action for action in solution.actions[SHOWN:] if action.answer in always)]
    stars = solution.best if solution.exact else ()
    digits = 4 if solution.exact else 2
    worths = [_worth(action, digits, best=action.answer in stars) for action in shown]
    column = max((len(worth) for worth, _ in worths), default=0)
    rows = []
    for number, (action, (worth, risk)) in enumerate(zip(shown, worths, strict=True), 1):
        say = clean(words.get(action.answer, action.answer))
        key = str(number) if keys and number <= SHOWN else ""
        rows.append(Row(key, say, f"{worth:>{column}}  {risk:>{RISK}}", action.answer))
    if more := len(solution.actions) - len(shown):
        ranked = "not better" if more == 1 else "none better"
        how = ranked if solution.exact else "not known to be better"
        rows.append(Row("", f"and {more} more, {how}", "", ""))
    return tuple(rows)


def _worth(action: ActionValue, digits: int, *, best: bool) -> tuple[str, str]:
    """What an action is worth and its chance to lose, as far as they are known."""
    if action.lower is None or action.upper is None:
        return f"{'★ ' * best}{amount(action.value, digits)}", percent(action.p_defeat)
    met = action.upper - action.lower <= TIE
    return amount(action.upper, 2) if met else " – ".join(span(action.lower, action.upper)), "unknown"


def table_head(width: int, rows: tuple[Row, ...]) -> Line:
    """The columns of the table."""
    left = "    action"
    right = f"{'value':>{len(rows[0].note) - RISK - 2}}  {'to lose':>{RISK}} "
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
