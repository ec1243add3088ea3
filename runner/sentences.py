"""The state of a game in sentences for a screen reader: what she holds and who stands where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from story.cards import TALENTS, Library, TerrainCard
from story.hero import Hero
from story.playfield.field import Field, Foe

_CLASSES = {"impassable": "cannot be entered", "no-los": "blocks sight", "no-lob": "blocks lobs"}


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def vitals(hero: Hero) -> str:
    """Wounds and Action Points in one sentence."""
    pp = f", {hero.pp} persuasion points" if hero.pp else ""
    return f"Wounds {hero.wounds} of {hero.wound_limit}, {hero.ap} AP (reset {hero.ap_reset}){pp}."


def holdings(hero: Hero, library: Library) -> str:
    """Talents, satchel, items and events in one sentence; what is 0 or empty is left out, all of it if all is."""
    parts = [f"{name} {points}" for name, points in zip(TALENTS, hero.talents, strict=True) if points]
    foods = [f"{n} {food.name}" for food, n in zip(library.foods, hero.satchel, strict=True) if n]
    if foods:
        parts.append("satchel: " + ", ".join(foods))
    if hero.items:
        parts.append("items: " + ", ".join(_names(hero.items, library.items)))
    if hero.events:
        parts.append("events: " + ", ".join(_names(hero.events, library.events)))
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def inventory(hero: Hero, library: Library) -> list[str]:
    """Everything she holds, a sentence each, empty places included."""
    lines = [
        f"Wounds: {hero.wounds} of {hero.wound_limit}.",
        f"Action Points: {hero.ap}, reset number {hero.ap_reset}.",
        "Talents: " + ", ".join(f"{name} {n}" for name, n in zip(TALENTS, hero.talents, strict=True)) + ".",
        "Satchel: "
        + (", ".join(f"{f.name} {n} of {f.holds}" for f, n in zip(library.foods, hero.satchel, strict=True)) or "none")
        + ".",
    ]
    kept: tuple[tuple[str, frozenset[str], Mapping[str, _Named]], ...] = (
        ("Items", hero.items, library.items),
        ("Events", hero.events, library.events),
        ("Actions", hero.actions, library.actions),
    )
    lines += [f"{title}: {', '.join(_names(ids, cards)) or 'none'}." for title, ids, cards in kept]
    lines += [f"{name}: {n}." for name, n in zip(library.counters.values(), hero.counts, strict=True) if n]
    return lines


def position(field: Field, library: Library) -> list[str]:
    """The playfield, a sentence for each piece (FIELD-1), the enemies in the order they act."""
    you = f"You stand on {field.hero}" if field.hero else "You are not placed yet"
    marks = [f"{field.dodges} dodge{'s' * (field.dodges != 1)} ready"] * bool(field.dodges)
    marks += ["you cannot step this turn"] * field.no_step
    marks += ["you cannot step next turn"] * field.stunned
    marks += ["poisoned"] * field.poisoned
    lines = [f"Round {field.round} of {field.board.rounds}. {', '.join([you, *marks])}."]
    for foe in field.by_space():
        card = library.enemies[foe.card]
        marks = [f"{foe.wounds} of {card.wounds} wounds"]
        marks += ["stunned"] * foe.stunned + ["poisoned"] * foe.poisoned
        marks += [f"rage {foe.rage}"] * bool(foe.rage) + [f"dash {foe.dash}"] * bool(foe.dash)
        marks += ["block used"] * foe.block_used + ["will recruit"] * foe.recruits
        lines.append(f"{foe_name(foe, library)} on {foe.space}: {', '.join(marks)}.")
    if not field.foes:
        lines.append("No enemy is on the playfield.")
    lines += [f"{ground.card.name} on {ground.space}{_classes(ground.card)}." for ground in field.board.grounds]
    if field.board.blocked:
        lines.append(f"Blocked: {', '.join(map(str, sorted(field.board.blocked)))}.")
    return lines


def foe_name(foe: Foe, library: Library) -> str:
    """What an enemy is called: the card's name, numbered from the second of its kind on."""
    number = foe.name[len(foe.card) :].lstrip("-")
    return f"{library.enemies[foe.card].name}{f' {number}' * bool(number)}"


def _classes(card: TerrainCard) -> str:
    words = [words for id, words in _CLASSES.items() if id in card.classes]
    return f" ({', '.join(words)})" if words else ""


def _names(ids: Iterable[str], cards: Mapping[str, _Named]) -> list[str]:
    return sorted(cards[id].name if id in cards else id for id in ids)
