"""What can be turned on a table that is being laid out: rows of a name and a value, each with its neighbours.

A row belongs to what stands on the marked space, to its card, to Rangitaki or to the table; ``change`` turns it one
step up or down. Yes and no, words from a list and numbers all turn alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from runner.layout import Layout, with_card
from story.cards import (
    ATTACK_TYPES,
    IMMUNITIES,
    TALENTS,
    TERRAIN_CLASSES,
    Attack,
    EnemyCard,
    FoeMarks,
    Goods,
    TerrainCard,
    Trait,
)
from story.hero import TALENT_CAP
from story.playfield.traits import TRAITS

Change = Callable[[Layout, int], Layout]
"""(layout, -1 or +1) to the layout with the row turned one step."""


class EditRow(NamedTuple):
    """One thing that can be turned."""

    group: str
    """Heading: whose it is."""
    label: str
    value: str
    change: Change


def edit_rows(layout: Layout, space: int) -> tuple[EditRow, ...]:
    """Everything that can be turned with the mark on a space."""
    rows: list[EditRow] = []
    foe = layout.foe_at(space)
    ground = layout.terrain_at(space)
    if foe is not None:
        card = layout.library.enemies[foe.card]
        name = layout.names()[layout.foes.index(foe)]
        rows += _foe_rows(card, foe.marks, space, f"{name} on {space}")
        rows += _enemy_rows(layout, card)
    elif ground is not None:
        terrain = layout.library.terrain[ground.card]
        if terrain.challenge:
            rows.append(_flag(f"{terrain.name} on {space}", "tried this turn", ground.tried, _tried(space)))
        rows += _terrain_rows(terrain)
    if space == layout.hero_space or (foe is None and ground is None):
        rows += _hero_rows(layout)
    rows += _table_rows(layout)
    return tuple(rows)


# ---------------------------------------------------------------- kinds of rows


def _number(group: str, label: str, value: int, low: int, high: int, put: Callable[[Layout, int], Layout]) -> EditRow:
    def change(layout: Layout, step: int) -> Layout:
        return put(layout, max(low, min(high, value + step)))

    return EditRow(group, label, str(value), change)


def _flag(group: str, label: str, value: bool, put: Callable[[Layout, bool], Layout]) -> EditRow:
    return EditRow(group, label, "yes" if value else "no", lambda layout, step: put(layout, not value))


def _word(group: str, label: str, value: str, words: Sequence[str], put: Callable[[Layout, str], Layout]) -> EditRow:
    def change(layout: Layout, step: int) -> Layout:
        return put(layout, words[(words.index(value) + step) % len(words)])

    return EditRow(group, label, value, change)


# ---------------------------------------------------------------- enemies and terrain


def _foe_rows(card: EnemyCard, marks: FoeMarks, space: int, group: str) -> list[EditRow]:
    def mark(name: str) -> Callable[[Layout, int], Layout]:
        return lambda layout, n: layout.with_marks(space, **{name: n})

    traits = card.trait_ids
    rows = [
        _number(group, "wounds", marks.wounds, 0, card.wounds - 1, mark("wounds")),
        _flag(group, "poisoned", marks.poisoned, mark("poisoned")),
        _flag(group, "stunned", marks.stunned, mark("stunned")),
    ]
    if "rage" in traits:
        rows.append(_number(group, "rage", marks.rage, 0, 20, mark("rage")))
    if "dash" in traits:
        rows.append(_number(group, "dash", marks.dash, 0, 1, mark("dash")))
        rows.append(_number(group, "wounded this turn", marks.wounded_this_turn, 0, 2, mark("wounded_this_turn")))
    if "block" in traits:
        rows.append(_flag(group, "block used", marks.block_used, mark("block_used")))
    if "recruit" in traits:
        rows.append(_flag(group, "calls another", marks.recruits, mark("recruits")))
    return rows


def _tried(space: int) -> Callable[[Layout, bool], Layout]:
    def put(layout: Layout, tried: bool) -> Layout:
        grounds = tuple(g._replace(tried=tried) if g.space == space else g for g in layout.terrain)
        return replace(layout, terrain=grounds)

    return put


def _enemy_rows(layout: Layout, card: EnemyCard) -> list[EditRow]:
    group = f"card {card.name}"

    def put(**changes: object) -> Callable[[Layout, object], Layout]:
        return lambda layout, _: with_card(layout, replace(card, **changes))  # type: ignore[arg-type]

    attack = card.attack
    kinds = ("none", *ATTACK_TYPES)

    def put_attack(layout: Layout, kind: str) -> Layout:
        wounds = attack.wounds if attack else 1
        return with_card(layout, replace(card, attack=None if kind == "none" else Attack(kind, wounds)))

    rows = [
        _number(group, "wound limit", card.wounds, 1, 30, lambda lay, n: with_card(lay, replace(card, wounds=n))),
        _word(group, "attack", attack.type if attack else "none", kinds, put_attack),
    ]
    if attack:
        rows.append(
            _number(
                group,
                "attack wounds",
                attack.wounds,
                0,
                9,
                lambda lay, n: with_card(lay, replace(card, attack=Attack(attack.type, n))),
            )
        )
    rows += [
        _number(group, "moves", card.moves, 0, 6, lambda lay, n: with_card(lay, replace(card, moves=n))),
        _number(group, "crit", card.crit, card.miss + 1, 21, lambda lay, n: with_card(lay, replace(card, crit=n))),
        _number(group, "miss", card.miss, 0, card.crit - 1, lambda lay, n: with_card(lay, replace(card, miss=n))),
        _number(group, "reward AP", card.rewards.amount("ap"), 0, 20, _put_reward(card)),
    ]
    for id in TRAITS:
        if id == "recruit" and not layout.library.decks:
            continue
        source = sorted(layout.library.decks)[0] if id == "recruit" else None
        has = id in card.trait_ids
        traits = tuple(trait for trait in card.traits if trait.id != id) + (() if has else (Trait(id, source),))
        rows.append(_flag(f"traits of {card.name}", id, has, put(traits=traits)))
    for id in IMMUNITIES:
        rows.append(_flag(f"{card.name} is immune to", id, id in card.immune, put(immune=card.immune ^ {id})))
    return rows


def _put_reward(card: EnemyCard) -> Callable[[Layout, int], Layout]:
    def put(layout: Layout, n: int) -> Layout:
        others = tuple((name, amount) for name, amount in card.rewards.amounts if name != "ap")
        amounts = ((("ap", n),) if n else ()) + others
        return with_card(layout, replace(card, rewards=replace(card.rewards, amounts=amounts)))

    return put


def _terrain_rows(card: TerrainCard) -> list[EditRow]:
    group = f"card {card.name}"
    rows = []
    for name in TERRAIN_CLASSES:
        classes = card.classes ^ {name}
        rows.append(
            _flag(
                group,
                name,
                name in card.classes,
                lambda lay, _, classes=classes: with_card(lay, replace(card, classes=classes)),  # type: ignore[misc]
            )
        )
    for id, rule in TRAITS.items():
        if rule.on_terrain:
            has = id in card.trait_ids
            traits = tuple(trait for trait in card.traits if trait.id != id) + (() if has else (Trait(id),))
            rows.append(
                _flag(
                    f"traits of {card.name}",
                    id,
                    has,
                    lambda lay, _, traits=traits: with_card(lay, replace(card, traits=traits)),  # type: ignore[misc]
                )
            )
    return rows


# ---------------------------------------------------------------- Rangitaki and the table


def _hero_rows(layout: Layout) -> list[EditRow]:
    hero = layout.hero
    group = f"you on {layout.hero_space}"

    def put(name: str) -> Callable[[Layout, int], Layout]:
        return lambda lay, n: replace(lay, hero=replace(lay.hero, **{name: n}))  # type: ignore[arg-type]

    rows = [
        _number(group, "wounds", hero.wounds, 0, hero.wound_limit - 1, put("wounds")),
        _number(group, "AP", hero.ap, 0, 40, put("ap")),
        _number(group, "AP reset", hero.ap_reset, 0, 20, put("ap_reset")),
        _number(group, "dodges queued", layout.dodges, 0, 9, lambda lay, n: replace(lay, dodges=n)),
        _flag(group, "no step this turn", layout.no_step, lambda lay, yes: replace(lay, no_step=yes)),
        _flag(group, "poisoned", layout.poisoned, lambda lay, yes: replace(lay, poisoned=yes)),
    ]
    for i, food in enumerate(layout.library.foods):
        rows.append(_number(group, food.name, hero.satchel[i], 0, food.holds, _put_at("satchel", i)))
    for i, talent in enumerate(TALENTS):
        rows.append(_number(group, f"{talent} talent", hero.talents[i], 0, TALENT_CAP, _put_at("talents", i)))
    for id, card in layout.library.actions.items():
        if id != "dart-shot":
            rows.append(_flag(group, f"action {card.name}", id in hero.actions, _put_action(id)))
    rows += [
        _number(group, "crit", hero.crit, hero.miss + 1, 21, put("crit")),
        _number(group, "miss", hero.miss, 0, hero.crit - 1, put("miss")),
        _number(group, "wound limit", hero.wound_limit, max(1, hero.wounds + 1), 30, put("wound_limit")),
    ]
    return rows


def _put_at(name: str, place: int) -> Callable[[Layout, int], Layout]:
    def put(layout: Layout, n: int) -> Layout:
        old: tuple[int, ...] = getattr(layout.hero, name)
        new = (*old[:place], n, *old[place + 1 :])
        return replace(layout, hero=replace(layout.hero, **{name: new}))  # type: ignore[arg-type]

    return put


def _put_action(id: str) -> Callable[[Layout, bool], Layout]:
    def put(layout: Layout, has: bool) -> Layout:
        actions = tuple(action for action in layout.hero.actions if action != id)
        return replace(layout, hero=replace(layout.hero, actions=(*actions, id) if has else actions))

    return put


def _table_rows(layout: Layout) -> list[EditRow]:
    def put_rounds(lay: Layout, n: int) -> Layout:
        return replace(lay, rounds=n, round=min(n, lay.round))

    return [
        _number("the table", "rounds", layout.rounds, 1, 12, put_rounds),
        _number("the table", "round now", layout.round, 1, layout.rounds, lambda lay, n: replace(lay, round=n)),
        _word(
            "the table",
            "until",
            "cleared" if layout.until_cleared else "rounds",
            ("rounds", "cleared"),
            lambda lay, word: replace(lay, until_cleared=word == "cleared"),
        ),
    ]


# ---------------------------------------------------------------- new cards


def slug(name: str, taken: Sequence[str]) -> str:
    """An id for a card that somebody names: lower-case words joined by hyphens, never one that is taken."""
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in name.lower()).split()
    base = "-".join(words) or "card"
    if not base[0].isalpha():
        base = f"card-{base}"
    id, n = base, 1
    while id in taken:
        n += 1
        id = f"{base}-{'i' * n}"
    return id


def new_enemy(layout: Layout, name: str) -> tuple[Layout, str]:
    """The layout with a new plain enemy card of that name, and the card's id."""
    id = slug(name, tuple(layout.library.enemies))
    return with_card(layout, EnemyCard(id, name, 2, Attack("adjacent", 1), 1, rewards=Goods())), id


def new_terrain(layout: Layout, name: str) -> tuple[Layout, str]:
    """The layout with a new impassable terrain card of that name, and the card's id."""
    id = slug(name, tuple(layout.library.terrain))
    return with_card(layout, TerrainCard(id, name, frozenset({"impassable"}))), id
