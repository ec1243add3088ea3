"""Rolls, influence and what may be done after a roll is seen (CHAL-2 to CHAL-10, ACT-3, ACT-8).

A roll is read on a *scale*: thresholds from the lowest up, each with the outcome that begins there. A Crit/Miss roll,
a challenge and a roll chart are three scales.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from story.cards import ALL
from story.care import eat, eat_options
from story.prompts import Decide, Face, Option, Prompt, Roll
from story.state import Play

Scale = tuple[tuple[int, str], ...]
"""(least total, outcome) from the lowest; the first least total is below every total."""

Then = Callable[..., None]
"""Called as ``then(play, *args, outcome, rolled)`` once a roll is settled."""

SIDES = {"d6": 6, "d12": 12, "d20": 20}
FACES = {die: tuple(Face(f"{die} {face}", 1) for face in range(1, sides + 1)) for die, sides in SIDES.items()}


class Rolled(NamedTuple):
    """How a roll came to its total."""

    face: int
    bonus: int = 0
    """What talents added (CHAL-3)."""
    change: int = 0
    """What Action Points added or took away (CHAL-5)."""

    @property
    def total(self) -> int:
        """What the roll is read by."""
        return self.face + self.bonus + self.change

    def __str__(self) -> str:
        """``9``, or the sum: ``9 + 1 talent - 2 AP = 8``."""
        if not self.bonus and not self.change:
            return str(self.face)
        talents = f" + {self.bonus} talent{'s' * (self.bonus != 1)}" if self.bonus else ""
        points = f" {'+' if self.change > 0 else '-'} {abs(self.change)} AP" if self.change else ""
        return f"{self.face}{talents}{points} = {self.total}"


@lru_cache
def crit_miss_scale(crit: int, miss: int, *, crits: bool = True) -> Scale:
    """ACT-3: at most the miss number misses, at least the crit number is critical."""
    scale = ((-ALL, "miss"), (miss + 1, "hit"))
    return (*scale, (crit, "crit")) if crits else scale


def read_scale(scale: Scale, total: int) -> str:
    """The outcome of a total."""
    return next(outcome for least, outcome in reversed(scale) if total >= least)


@lru_cache(maxsize=4096)
def influences(scale: Scale, total: int, ap: int) -> tuple[tuple[int, str], ...]:
    """For each other outcome in reach of ``ap`` points, the smallest change of the total that reaches it (CHAL-10)."""
    found = []
    for place, (least, outcome) in enumerate(scale):
        most = scale[place + 1][0] - 1 if place + 1 < len(scale) else ALL
        if most < least or least <= total <= most:
            continue
        change = least - total if total < least else most - total
        if abs(change) <= ap:
            found.append((change, outcome))
    return tuple(sorted(found, key=lambda change: abs(change[0])))


def roll(
    play: Play,
    die: str,
    title: str,
    scale: Scale,
    then: Then,
    args: tuple[Any, ...],
    *,
    bonus: int = 0,
    influence: bool = True,
    perfect: bool = False,
    natural_one: str = "",
) -> None:
    """Ask for a roll, then for influence and food, then go on with ``then``.

    ``bonus`` is added from talents (CHAL-3). ``natural_one`` is the outcome of a die that shows 1 whatever the total
    (CHAL-6); ``perfect``: a die that shows 20 is the best outcome whatever the total (CHAL-7).
    """
    play.next(Throw(die, title, scale, bonus, influence, perfect, natural_one, then, args))


def roll_hers(play: Play, title: str, then: Then, args: tuple[Any, ...], *, crits: bool = False) -> None:
    """One of Rangitaki's own Crit/Miss rolls: her numbers, her critical talent added (ACT-3)."""
    hero = play.hero
    scale = crit_miss_scale(hero.crit, hero.miss, crits=crits)
    roll(play, "d20", title, scale, then, args, bonus=hero.talent("critical"), natural_one="miss")


@dataclass(frozen=True, slots=True)
class Throw:
    """The question for a die's face."""

    die: str
    title: str
    scale: Scale
    bonus: int
    influence: bool
    perfect: bool
    natural_one: str
    then: Then
    args: tuple[Any, ...]

    def prompt(self, play: Play) -> Prompt:
        """Every face of the die."""
        names = [outcome for _, outcome in self.scale]
        # A chart's rows (CHAL-9) say themselves where they begin.
        chart = names[0].startswith("row ")
        lines = names if chart else [f"{outcome} from {least}" for least, outcome in self.scale[1:]]
        if self.bonus:
            lines.append(f"talents add {self.bonus}")
        return Roll(
            self.die,
            self.title,
            FACES[self.die],
            (", ".join(lines),),
        )

    def answer(self, play: Play, answer: str) -> None:
        """The die shows its face; a window opens if anything can be done about it."""
        face = int(answer.split()[1])
        total, outcome, fixed = face + self.bonus, None, not self.influence
        if face == 1:
            # CHAL-6: neither talents nor Action Points change a die that shows 1.
            total, outcome, fixed = 1, self.natural_one or None, True
        elif self.perfect and face == 20:
            outcome, fixed = self.scale[-1][1], True
        window = Window(
            self.die,
            self.title,
            face,
            total,
            self.scale,
            outcome or read_scale(self.scale, total),
            fixed,
            self.then,
            self.args,
        )
        window.open(play)


@dataclass(frozen=True, slots=True)
class Window:
    """CHAL-10: after the roll any number of foods, then keep, add or subtract once."""

    die: str
    title: str
    face: int
    total: int
    scale: Scale
    outcome: str
    """What the roll is if it is kept."""
    fixed: bool
    """Nothing can be added or subtracted."""
    then: Then
    args: tuple[Any, ...]

    def changes(self, play: Play) -> tuple[tuple[int, str], ...]:
        """The influences on offer."""
        return () if self.fixed else influences(self.scale, self.total, play.hero.ap)

    def open(self, play: Play) -> None:
        """Ask, if there is anything to ask (CHAL-10)."""
        if self.changes(play) or play.hero.edible(play.library):
            play.next(self)
        else:
            self.settle(play, self.outcome)

    def settle(self, play: Play, outcome: str, change: int = 0) -> None:
        """The roll stands, as it fell or changed by Action Points."""
        play.next((self.then, (*self.args, outcome, Rolled(self.face, self.total - self.face, change))))

    def prompt(self, play: Play) -> Prompt:
        """Keep, the influences, the foods."""
        options = [Option("keep", f"Keep it: {self.outcome}", kind="keep", detail=self.outcome)]
        for change, outcome in self.changes(play):
            verb = "add" if change > 0 else "subtract"
            n = abs(change)
            options.append(Option(f"{verb} {n}", f"{verb.capitalize()} {n}: {outcome}", f"{n} AP", verb, outcome))
        lines = [f"The die shows {Rolled(self.face, self.total - self.face)}: {self.outcome}."]
        if self.face == 1:
            lines.append("A natural 1 cannot be changed (CHAL-6).")
        return Decide("window", self.title, (*options, *eat_options(play)), lines=tuple(lines))

    def answer(self, play: Play, answer: str) -> None:
        """Settle the roll, or eat and ask again."""
        if answer.startswith("eat "):
            eat(play, answer)
            self.open(play)
            return
        outcome, change = self.outcome, 0
        if answer != "keep":
            verb, n = answer.split()
            change = int(n) if verb == "add" else -int(n)
            outcome = read_scale(self.scale, self.total + change)
            play.hero = play.hero.with_ap(-abs(change))
            told = f"You spend {abs(change)} AP: {self.total + change} instead of {self.total}."
            play.tell(told, "CHAL-5", "roll")
        self.settle(play, outcome, change)


@dataclass(frozen=True, slots=True)
class Pick:
    """FIELD-8, the 50/50 rule: what the rules leave open, each option equally likely; no influence (CHAL-5)."""

    title: str
    rule: str
    spaces: tuple[int, ...]
    then: Callable[..., None]
    args: tuple[Any, ...]

    def prompt(self, play: Play) -> Prompt:
        """One face a space."""
        faces = tuple(Face(f"pick {space}", 1, f"space {space}") for space in self.spaces)
        return Roll("pick", self.title, faces, (f"{self.rule}, FIELD-8",))

    def answer(self, play: Play, answer: str) -> None:
        """Go on with the space."""
        play.next((self.then, (*self.args, int(answer.split()[1]))))


def pick(
    play: Play, title: str, rule: str, spaces: tuple[int, ...], then: Callable[..., None], args: tuple[Any, ...]
) -> None:
    """Go on with ``then(play, *args, space)``: the only space, or one by the 50/50 rule."""
    if len(spaces) == 1:
        play.next((then, (*args, spaces[0])))
    else:
        play.next(Pick(title, rule, spaces, then, args))


@dataclass(frozen=True, slots=True)
class DrawFrom:
    """A shuffled deck gives one of its cards (NAV-5, FOE-7)."""

    title: str
    cards: tuple[str, ...]
    """Each as often as the deck holds it, sorted."""
    then: Callable[..., None]
    args: tuple[Any, ...]

    def prompt(self, play: Play) -> Prompt:
        """One face a kind of card, weighted by its copies."""
        kinds = dict.fromkeys(self.cards)
        return Roll("draw", self.title, tuple(Face(f"pick {card}", self.cards.count(card)) for card in kinds))

    def answer(self, play: Play, answer: str) -> None:
        """Go on with the card."""
        play.next((self.then, (*self.args, answer.split(maxsplit=1)[1])))
