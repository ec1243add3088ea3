"""Encounter files written back as YAML: the reverse of ``load_encounter`` for what the table editor makes."""

from __future__ import annotations

from io import StringIO
from typing import Any

from story.cards import (
    ALL,
    LAST,
    STANDARD_ACTIONS,
    TALENTS,
    ActionCard,
    Challenge,
    Count,
    EncounterFile,
    EnemyCard,
    FoeMarks,
    Gain,
    Goods,
    Heal,
    HeroCard,
    Instance,
    Lose,
    Placement,
    Steps,
    TerrainCard,
    Trait,
    Wound,
)

Data = dict[str, Any]


def encounter_text(file: EncounterFile) -> str:
    """The YAML text of an encounter file; loading it gives an equal file (spans, file name and digest aside)."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap

    def inline(data: Data) -> Any:
        made = CommentedMap(data)
        made.fa.set_flow_style()
        return made

    out: Data = CommentedMap(format="cardwalk/1", kind="encounter")
    encounter = file.encounter
    if file.title:
        out["title"] = file.title
    if encounter.text:
        out["text"] = encounter.text
    out["rounds"] = encounter.rounds
    if encounter.until_cleared:
        out["until"] = "cleared"
    out["hero"] = inline(_hero(file))
    out["enemies"] = [inline(_placement(piece)) for piece in encounter.enemies]
    if encounter.terrain:
        out["terrain"] = [inline(_placement(piece)) for piece in encounter.terrain]
    for key, spaces in (("blocked", encounter.blocked), ("no_start", encounter.no_start)):
        if spaces:
            out[key] = sorted(spaces)
    library = file.library
    own = {id: card for id, card in library.actions.items() if STANDARD_ACTIONS.get(id) != card}
    for key, cards in (
        ("enemy_cards", {id: enemy_data(card) for id, card in library.enemies.items()}),
        ("terrain_cards", {id: terrain_data(card) for id, card in library.terrain.items()}),
        ("action_cards", {id: _action(card) for id, card in own.items()}),
    ):
        if cards:
            out[key] = {id: inline(data) for id, data in cards.items()}
    if library.decks:
        out["decks"] = inline({deck: list(cards) for deck, cards in library.decks.items()})
    if file.position is not None:
        out["state"] = inline(_position(file))
    yaml = YAML()
    yaml.width = 120
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = StringIO()
    yaml.dump(out, text)
    return text.getvalue()


def _scalar_or_list(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _but_defaults(data: Data, defaults: Data) -> Data:
    return {key: value for key, value in data.items() if value != defaults.get(key)}


def _hero(file: EncounterFile) -> Data:
    hero, plain = file.hero, HeroCard()
    data: Data = {"space": _scalar_or_list(list(file.encounter.hero_spaces))}
    if hero.name != plain.name:
        data["name"] = hero.name
    data |= {"crit": hero.crit, "miss": hero.miss, "wounds": hero.wounds, "wound_limit": hero.wound_limit}
    data |= {"ap": hero.ap, "ap_reset": hero.ap_reset}
    if any(hero.talents):
        data["talents"] = {name: n for name, n in zip(TALENTS, hero.talents, strict=True) if n}
    if any(hero.satchel):
        data["satchel"] = {food.id: n for food, n in zip(file.library.foods, hero.satchel, strict=True) if n}
    if hero.actions:
        data["actions"] = list(hero.actions)
    return data


def _placement(piece: Placement) -> Data:
    data: Data = {"draw": piece.draw, "from": piece.source} if piece.card is None else {"card": piece.card}
    return data | ({"place": "die"} if piece.space is None else {"space": piece.space})


def goods_data(goods: Goods) -> Data:
    """Amounts and ids as a deck file writes them."""
    data: Data = {name: "all" if n >= ALL else n for name, n in goods.amounts}
    for key, ids in (("event", goods.events), ("item", goods.items), ("action", goods.actions)):
        if ids:
            data[key] = _scalar_or_list(list(ids))
    return data


def steps_data(steps: Steps) -> list[Data]:
    """The steps of a playfield card, one verb each; raises TypeError for a step that belongs to story cards alone."""
    out: list[Data] = []
    for step in steps:
        match step:
            case Gain(goods=goods):
                out.append({"gain": goods_data(goods)})
            case Lose(goods=goods):
                out.append({"lose": goods_data(goods)})
            case Wound(n=n):
                out.append({"wound": n})
            case Heal(n=n):
                out.append({"heal": "all" if n >= ALL else n})
            case Count(name=name, n=n):
                out.append({"count": {name: n}})
            case _:
                raise TypeError(f"no step of a playfield card: {step!r}")
    return out


def challenge_data(challenge: Challenge) -> Data:
    """A challenge as a deck file writes it."""
    data: Data = {"type": challenge.type, "level": challenge.level}
    for key in ("succeed", "fail", "perfect"):
        steps = getattr(challenge, key)
        if steps is not None:
            data[key] = _scalar_or_list(steps_data(steps))
    return data


def _instance(instance: Instance) -> Data:
    rounds = instance.when.rounds
    event = instance.when.event
    named = [("last" if n == LAST else n) for n in rounds] if rounds is not None else None
    key = "defeated_in_round" if event == "defeated" and named is not None else event
    data: Data = {"when": {key: True if named is None else _scalar_or_list(named)}}
    if instance.instead is not None:
        data["instead"] = goods_data(instance.instead)
    for step in steps_data(instance.steps):
        data |= step
    if instance.later:
        data["at"] = "next_round"
    return data


def _trait(trait: Trait) -> Any:
    return trait.id if trait.source is None else {trait.id: {"from": trait.source}}


def _shared(card: EnemyCard | TerrainCard) -> Data:
    data: Data = {}
    if card.traits:
        data["traits"] = [_trait(trait) for trait in card.traits]
    if card.challenge:
        data["challenge"] = challenge_data(card.challenge)
    if card.instances:
        data["instances"] = [_instance(instance) for instance in card.instances]
    if card.text:
        data["text"] = card.text
    return data


def enemy_data(card: EnemyCard) -> Data:
    """An enemy card as a deck file writes it."""
    data: Data = {"name": card.name, "wounds": card.wounds}
    if card.attack:
        data["attack"] = {"type": card.attack.type, "wounds": card.attack.wounds}
    data |= _but_defaults(
        {"moves": card.moves, "crit": card.crit, "miss": card.miss}, {"moves": 0, "crit": 20, "miss": 5}
    )
    if card.immune:
        data["immune"] = sorted(card.immune)
    if card.rewards:
        data["rewards"] = goods_data(card.rewards)
    return data | _shared(card)


def terrain_data(card: TerrainCard) -> Data:
    """A terrain card as a deck file writes it."""
    data: Data = {"name": card.name}
    if card.classes:
        data["classes"] = sorted(card.classes)
    return data | _shared(card)


def _action(card: ActionCard) -> Data:
    data: Data = {"name": card.name, "kind": card.kind, "cost": card.cost, "damage": card.damage}
    data |= {"targets": card.targets, "range": card.range, "roll": card.roll, "crits": card.crits}
    if card.effects:
        data["effects"] = [name if n == 1 and name != "push" else {name: n} for name, n in card.effects]
    if card.augments:
        data["augments"] = True
    return data


def _position(file: EncounterFile) -> Data:
    position = file.position
    assert position is not None
    data: Data = {"round": position.round}
    flags = {"dodges": position.dodges, "no_step": position.no_step, "poisoned": position.poisoned}
    data |= {key: value for key, value in flags.items() if value}
    if position.tried:
        data["tried"] = list(position.tried)
    if position.next_round:
        data["next_round"] = steps_data(position.next_round)
    plain = FoeMarks()
    marks = {}
    for name, foe in position.foes:
        fields = {key: getattr(foe, key) for key in FoeMarks.__dataclass_fields__}
        marks[name] = {key: value for key, value in fields.items() if value != getattr(plain, key)}
    if marks:
        data["enemies"] = marks
    return data
