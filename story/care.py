"""Looking after Rangitaki: healing with Action Points, eating, wounds and the last bite (HEAL)."""

from __future__ import annotations

from dataclasses import dataclass

from story.prompts import Decide, Option, Over, Prompt
from story.state import Play


def heal_option(play: Play) -> tuple[Option, ...]:
    """HEAL-3, ACT-7: 1 AP heals 1 wound; offered only when wounded."""
    if play.hero.wounds and play.hero.ap:
        return (Option("heal", "Heal 1 wound", "1 AP", "heal"),)
    return ()


def pay_to_heal(play: Play) -> None:
    """One Action Point heals one wound (HEAL-3, ACT-7)."""
    play.hero = play.hero.with_ap(-1).healed(1)
    play.tell(f"You heal 1 wound: {wounds_left(play)}.", "HEAL-3", "heal")


def eat_options(play: Play, *, healing_only: bool = False) -> tuple[Option, ...]:
    """HEAL-4: the foods that may be eaten now."""
    options = []
    for place in play.hero.edible(play.library, healing_only=healing_only):
        food = play.library.foods[place]
        gives = [f"heals {food.heals}"] * bool(food.heals) + [f"gives {food.ap} AP"] * bool(food.ap)
        options.append(Option(f"eat {food.id}", f"Eat {food.name}", "", "eat", " and ".join(gives)))
    return tuple(options)


def eat(play: Play, answer: str) -> None:
    """Eat the food that ``eat FOOD`` names (HEAL-4)."""
    place = [food.id for food in play.library.foods].index(answer.split(maxsplit=1)[1])
    before = play.hero
    play.hero = before.ate(place, play.library)
    food = play.library.foods[place]
    gains = [wounds_healed(before.wounds - play.hero.wounds)] * bool(food.heals) + [f"{food.ap} AP more"] * bool(
        food.ap
    )
    play.tell(f"You eat {food.name}: {', '.join(gains)}.", "HEAL-4", "heal")


def wounds_healed(n: int) -> str:
    """``1 wound healed``, ``2 wounds healed``."""
    return f"{n} wound{'s' * (n != 1)} healed"


def wounds_left(play: Play) -> str:
    """Wounds on the dice, in words."""
    return f"{play.hero.wounds} of {play.hero.wound_limit}"


def wound_hero(play: Play, n: int, why: str, rule: str, bite: bool) -> None:
    """Rangitaki takes ``n`` wounds; with ``bite`` a last bite comes first if they would end the game (HEAL-4)."""
    if n <= 0:
        return
    if bite and play.hero.wounds + n >= play.hero.wound_limit and play.hero.edible(play.library, healing_only=True):
        play.next(LastBite(n, why, rule))
    else:
        _take(play, n, why, rule)


def _take(play: Play, n: int, why: str, rule: str) -> None:
    play.hero = play.hero.with_wounds(n)
    play.tell(f"{why}: you take {n} wound{'s' * (n != 1)}, {wounds_left(play)}.", rule, "wound")
    if play.hero.lost:
        play.tell("That is one wound too many. The game is over.", "HEAL-1", "wound")
        play.end(Over("death", "death", "You die."))


@dataclass(frozen=True, slots=True)
class LastBite:
    """HEAL-4: before wounds that would end the game, eating only."""

    n: int
    why: str
    rule: str

    def prompt(self, play: Play) -> Prompt:
        """The foods that heal, or keep."""
        keep = Option("keep", "Eat nothing", kind="keep")
        line = f"{self.why}: {self.n} more would end the game."
        options = (*eat_options(play, healing_only=True), keep)
        return Decide("bite", "A last bite", options, lines=(line,))

    def answer(self, play: Play, answer: str) -> None:
        """Eat and look again, or take the wounds."""
        if answer == "keep":
            _take(play, self.n, self.why, self.rule)
        else:
            eat(play, answer)
            wound_hero(play, self.n, self.why, self.rule, True)
