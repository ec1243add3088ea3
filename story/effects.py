"""The steps that mean the same on a story card and on the playfield, and challenges and charts (CHAL, INV)."""

from __future__ import annotations

from collections.abc import Callable

from story.cards import (
    ALL,
    TALENTS,
    Challenge,
    Chart,
    ChartRow,
    Choose,
    Count,
    Ending,
    Gain,
    Goods,
    Heal,
    If,
    Library,
    Lose,
    NextChapter,
    Reveal,
    Step,
    Steps,
    Wound,
)
from story.care import wound_hero, wounds_left
from story.dice import SIDES, Rolled, roll
from story.hero import Hero
from story.state import Play

DoSteps = Callable[[Play, Steps], None]
"""Carries out the steps of an outcome; a story card and the playfield each have their own."""

SIMPLE = (Gain, Lose, Wound, Heal, Count)
MOVES_ON = (Reveal, NextChapter, Ending)
"""Steps after which nothing more of the card is done."""


def _may_move_on(step: Step) -> bool:
    """Whether a step may turn to another card, by itself or by what follows from it."""
    match step:
        case If(then=then, otherwise=otherwise):
            inner = (*then, *otherwise)
        case Choose(choices=choices):
            inner = tuple(step for choice in choices for step in choice.steps)
        case Challenge(succeed=succeed, fail=fail, perfect=perfect):
            inner = (*(succeed or ()), *(fail or ()), *(perfect or ()))
        case Chart(rows=rows):
            inner = tuple(step for row in rows for step in row.steps)
        case _:
            return isinstance(step, MOVES_ON)
    return any(map(_may_move_on, inner))


def amount_name(name: str, library: Library) -> str:
    """What an amount is called on the table."""
    names = {"ap": "AP", "ap_reset": "AP reset", "pp": "persuasion points", "wounds": "wounds"}
    if name in names:
        return names[name]
    if name in TALENTS:
        return f"{name} talent"
    food = next((food.name for food in library.foods if food.id == name), None)
    return food or library.counters.get(name, name)


def goods_in_words(goods: Goods, library: Library) -> str:
    """``2 AP, Rope``: amounts, then the names of cards."""
    parts = [f"{'all' if n >= ALL else n} {amount_name(name, library)}" for name, n in goods.amounts]
    parts += [library.events[id].name for id in goods.events if id in library.events]
    parts += [library.items[id].name for id in goods.items if id in library.items]
    parts += [library.actions[id].name for id in goods.actions if id in library.actions]
    return ", ".join(parts)


def gain(play: Play, goods: Goods) -> None:
    """Amounts up to their caps, ids into their inventories (CHAL-4, HEAL-4, INV-1 to INV-3)."""
    hero = play.hero
    for name, n in goods.amounts:
        hero = hero.with_amount(name, n, play.library)
    hero = hero._replace(
        events=hero.events.union(goods.events),
        items=hero.items.union(goods.items),
        actions=hero.actions.union(goods.actions),
    )
    _tell_change(play, "gain", goods, hero, _gained_under)
    play.hero = hero


def lose(play: Play, goods: Goods, rule: str = "") -> None:
    """The reverse of ``gain``; a loss larger than what is there takes all of it (AP-4, INV-4)."""
    hero = play.hero
    for name, n in goods.amounts:
        hero = hero.with_amount(name, -n, play.library)
    hero = hero._replace(
        events=hero.events.difference(goods.events),
        items=hero.items.difference(goods.items),
        actions=hero.actions.difference(goods.actions),
    )
    _tell_change(play, "lose", goods, hero, lambda changed, library: rule or _lost_under(changed))
    play.hero = hero


def _tell_change(play: Play, verb: str, goods: Goods, after: Hero, rules: Callable[[Goods, Library], str]) -> None:
    """Say what really came or went: neither what a cap took nor what was not there."""
    if play.tell_ is None:
        return
    old, library = play.hero, play.library
    names = dict.fromkeys(name for name, _ in goods.amounts)
    changed = Goods(
        tuple((name, n) for name in names if (n := abs(after.amount(name, library) - old.amount(name, library)))),
        tuple(id for id in goods.events if (id in old.events) != (id in after.events)),
        tuple(id for id in goods.items if (id in old.items) != (id in after.items)),
        tuple(id for id in goods.actions if (id in old.actions) != (id in after.actions)),
    )
    if changed:
        play.tell(f"You {verb} {goods_in_words(changed, library)}.", rules(changed, library), verb)


def _gained_under(goods: Goods, library: Library) -> str:
    foods = {food.id for food in library.foods}
    rules = {"ap": "AP-2", "ap_reset": "AP-1", "pp": "TAV-4"}
    told = [
        rules.get(name) or ("CHAL-4" if name in TALENTS else "HEAL-4" if name in foods else "")
        for name, _ in goods.amounts
    ]
    told += ["INV-1"] * bool(goods.events) + ["INV-2"] * bool(goods.items) + ["INV-3"] * bool(goods.actions)
    return " ".join(dict.fromkeys(filter(None, told)))


def _lost_under(goods: Goods) -> str:
    points = any(name == "ap" for name, _ in goods.amounts)
    cards = bool(goods.events or goods.items or goods.actions)
    return " ".join(["AP-4"] * points + ["INV-4"] * cards)


def do_simple(play: Play, step: Step, why: str, bite: bool) -> None:
    """Carry out one of the ``SIMPLE`` steps; ``bite``: wounds may be met by a last bite (HEAL-4)."""
    match step:
        case Gain(goods=goods):
            gain(play, goods)
        case Lose(goods=goods):
            lose(play, goods)
        case Wound(n=n):
            wound_hero(play, n, why, "HEAL-1", bite)
        case Heal(n=n):
            healed = min(n, play.hero.wounds)
            play.hero = play.hero.healed(n)
            if healed:
                play.tell(f"{healed} wound{'s' * (healed != 1)} heal: {wounds_left(play)}.", "HEAL-5", "heal")
        case Count(name=name, n=n):
            play.hero = play.hero.with_amount(name, n, play.library)
            sign = "+" if n >= 0 else ""
            play.tell(f"{amount_name(name, play.library)}: {sign}{n}.", "", "gain")
        case _:
            raise TypeError(f"not a simple step: {step!r}")


def try_challenge(play: Play, challenge: Challenge, title: str, do_steps: DoSteps) -> None:
    """CHAL-1 to CHAL-8: a D20 with the talents of its type against the level."""
    roll(
        play,
        "d20",
        f"{title}: {challenge.type} {challenge.level}",
        ((-ALL, "fail"), (challenge.level, "succeed")),
        _challenge_settled,
        (challenge, do_steps),
        bonus=play.hero.talent(challenge.type),
        perfect=True,
        natural_one="fail",
    )


def _challenge_settled(play: Play, challenge: Challenge, do_steps: DoSteps, outcome: str, rolled: Rolled) -> None:
    success = outcome == "succeed"
    perfect, natural_one = rolled.face == 20, rolled.face == 1
    word = ("A perfect roll" if perfect else "Success") if success else ("A natural 1" if natural_one else "Failure")
    rule = "CHAL-7" if perfect else "CHAL-6" if natural_one else "CHAL-2"
    shown = "" if perfect or natural_one else f": {rolled}"
    play.tell(f"{word}{shown} against {challenge.type} {challenge.level}.", rule, "roll")
    steps = perfect_steps(challenge) if perfect else (challenge.succeed if success else challenge.fail) or ()
    play.next((do_steps, (steps,)))


def perfect_steps(challenge: Challenge) -> Steps:
    """CHAL-7: the perfect reward comes after the success, but before anything that may turn to another card."""
    steps = challenge.succeed or ()
    stay = next((i for i, step in enumerate(steps) if _may_move_on(step)), len(steps))
    return (*steps[:stay], *(challenge.perfect or ()), *steps[stay:])


def roll_chart(play: Play, chart: Chart, title: str, do_steps: DoSteps) -> None:
    """CHAL-9: a die and its outcomes by range; past the ends the first or the last row counts."""
    scale = tuple((-ALL if place == 0 else row.low, _row_name(row)) for place, row in enumerate(chart.rows))
    assert chart.die in SIDES
    roll(play, chart.die, title, scale, _chart_settled, (chart, do_steps), influence=chart.influence)


def _row_name(row: ChartRow) -> str:
    return f"row {row.low}" if row.low == row.high else f"row {row.low}-{row.high}"


def _chart_settled(play: Play, chart: Chart, do_steps: DoSteps, outcome: str, rolled: Rolled) -> None:
    row = next(row for row in chart.rows if _row_name(row) == outcome)
    play.tell(f"The {chart.die.upper()} shows {rolled}: {outcome}.", "CHAL-9", "roll")
    play.next((do_steps, (row.steps,)))
