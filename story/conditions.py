"""Conditions over what she holds, and why a choice is locked (NAV-7)."""

from __future__ import annotations

from story.cards import AllOf, AnyOf, AtLeast, AtMost, CardRef, Discarded, Goods, Holds, Library, Not
from story.effects import amount_name
from story.hero import Hero
from story.state import Journey, Play

Clause = Holds | AtLeast | AtMost | Discarded | Not | AnyOf


def discard_key(journey: Journey, card: CardRef) -> tuple[int, CardRef]:
    """How a discarded card is remembered: numbered cards belong to their chapter (NAV-4, NAV-5)."""
    return (journey.chapter if isinstance(card, int) else 0, card)


def held(hero: Hero, kind: str, id: str) -> bool:
    """Whether an inventory holds a card (INV-1 to INV-3)."""
    inventory: frozenset[str] = getattr(hero, f"{kind}s")
    return id in inventory


def holds(play: Play, condition: AllOf) -> bool:
    """Whether a condition is true now."""
    return all(_clause(play, clause) for clause in condition.clauses)


def _clause(play: Play, clause: Clause) -> bool:
    match clause:
        case Holds(kind=kind, id=id):
            return held(play.hero, kind, id)
        case AtLeast(name=name, n=n):
            return play.hero.amount(name, play.library) >= n
        case AtMost(name=name, n=n):
            return play.hero.amount(name, play.library) <= n
        case Discarded(card=card):
            assert play.journey is not None
            return discard_key(play.journey, card) in play.journey.discarded
        case Not(condition=inner):
            return not holds(play, inner)
        case AnyOf(conditions=conditions):
            return any(holds(play, inner) for inner in conditions)


def missing(play: Play, condition: AllOf) -> str:
    """The first thing that keeps a condition from holding, in words; empty if it holds."""
    for clause in condition.clauses:
        if not _clause(play, clause):
            return f"needs {clause_in_words(clause, play.library)}"
    return ""


def clause_in_words(clause: Clause, library: Library) -> str:
    """A clause as the player reads it."""
    match clause:
        case Holds(kind=kind, id=id):
            cards: dict[str, str] = {key: card.name for key, card in getattr(library, f"{kind}s").items()}
            return f"{kind} {cards.get(id, id)}"
        case AtLeast(name=name, n=n):
            return f"{n} {amount_name(name, library)}"
        case AtMost(name=name, n=n):
            return f"at most {n} {amount_name(name, library)}"
        case Discarded():
            return "a card to have left the game"
        case Not(condition=inner):
            return "no " + " and ".join(clause_in_words(part, library) for part in inner.clauses)
        case AnyOf(conditions=conditions):
            return " or ".join(
                " and ".join(clause_in_words(part, library) for part in inner.clauses) for inner in conditions
            )


def unaffordable(play: Play, cost: Goods) -> str:
    """What she lacks of a price, in words; empty if she can pay it."""
    for name, n in cost.amounts:
        if play.hero.amount(name, play.library) < n:
            return f"needs {n} {amount_name(name, play.library)}"
    for kind, ids in (("event", cost.events), ("item", cost.items), ("action", cost.actions)):
        for id in ids:
            if not held(play.hero, kind, id):
                return f"needs {clause_in_words(Holds(kind, id), play.library)}"  # type: ignore[arg-type]
    return ""
