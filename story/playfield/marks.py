"""Marks that last: stun, poison, drain, shock (TRAIT-STUN, TRAIT-POISON, TRAIT-DRAIN, TRAIT-ELECTROCUTE, TRAIT-IMMUNE).

``who`` is an enemy's name, or empty for Rangitaki.
"""

from __future__ import annotations

from story.cards import EnemyCard, Goods, Lose, Wound
from story.playfield.field import Foe, Later
from story.state import Play


def card_of(play: Play, foe: Foe) -> EnemyCard:
    """The card of an enemy on the playfield."""
    return play.library.enemies[foe.card]


def called(play: Play, foe: Foe) -> str:
    """What an enemy is called: the card's name, numbered from the second of its kind on."""
    number = foe.name[len(foe.card) :].lstrip("-")
    name = card_of(play, foe).name
    return f"{name} {number}" if number else name


def susceptible(play: Play, who: str, effect: str) -> Foe | None:
    """The enemy, unless it is gone or immune to the effect (TRAIT-IMMUNE)."""
    foe = play.field.foe(who)
    if foe is None:
        return None
    if effect in card_of(play, foe).immune:
        play.tell(f"{called(play, foe)} is immune to {effect}.", "TRAIT-IMMUNE", "effect")
        return None
    return foe


def stun(play: Play, who: str) -> None:
    """Whoever is hit cannot move on the following turn."""
    if not who:
        play.field = play.field._replace(stunned=True)
        play.tell("You are stunned: no step in your next turn.", "TRAIT-STUN", "effect")
    elif foe := susceptible(play, who, "stun"):
        play.field = play.field.with_foe(foe._replace(stunned=True))
        play.tell(f"{called(play, foe)} is stunned.", "TRAIT-STUN", "effect")


def poison(play: Play, who: str) -> None:
    """Whoever is wounded takes 1 wound in this round's upkeep, at most once a round."""
    if not who:
        play.field = play.field._replace(poisoned=True)
        play.tell("You are poisoned.", "TRAIT-POISON", "effect")
    elif foe := susceptible(play, who, "poison"):
        play.field = play.field.with_foe(foe._replace(poisoned=True))
        play.tell(f"{called(play, foe)} is poisoned.", "TRAIT-POISON", "effect")


def drain(play: Play, who: str) -> None:
    """Whoever is wounded suffers 1 wound at the start of the next round; several add up."""
    if who:
        foe = susceptible(play, who, "drain")
        if foe is None:
            return
    name = called(play, foe) if who and foe else "You"
    play.field = play.field._replace(later=(*play.field.later, Later(Wound(1), who)))
    play.tell(f"{name}: 1 wound at the start of the next round.", "TRAIT-DRAIN", "effect")


def shock(play: Play, trait: str) -> None:
    """A wounded Rangitaki loses 1 AP at the start of the next round, once per round for each of the two traits."""
    field = play.field
    if trait in field.shocked:
        return
    later = Later(Lose(Goods((("ap", 1),))))
    play.field = field._replace(shocked=field.shocked | {trait}, later=(*field.later, later))
    play.tell("You lose 1 AP at the start of the next round.", f"TRAIT-{trait.upper()}", "effect")
