"""Wounds of enemies, defeat, rewards and instances (FOE-5, FOE-6, ENC-9, TRAIT-COWARDLY)."""

from __future__ import annotations

from collections.abc import Callable

from story.cards import LAST, EnemyCard, Gain, Goods, Instance, Step, Steps, TerrainCard
from story.effects import do_simple
from story.playfield import marks
from story.playfield.field import Field, Foe, Later
from story.playfield.lines import COLUMNS, column, row
from story.playfield.marks import called, card_of
from story.playfield.traits import traits_of
from story.state import Call, Play

Effects = tuple[tuple[str, int], ...]
"""What an attack does to a survivor besides wounds: (``stun poison drain push``, strength) pairs."""


def wound_foe(play: Play, name: str, n: int, beside: bool = False, effects: Effects = (), keep_ap: bool = True) -> None:
    """An enemy is wounded once by ``n`` wounds, in the order of FOE-5.

    ``beside``: by the attack of an orthogonally adjacent character (TRAIT-SQUISHY). ``keep_ap`` false: the AP of its
    defeat are lost (ENC-9).
    """
    foe = play.field.foe(name)
    if foe is None:
        return
    card = card_of(play, foe)
    if n and beside:
        n += sum(trait.frailty for trait in traits_of(card))
    play.field = play.field.with_foe(foe._replace(wounds=min(card.wounds, foe.wounds + n)))
    instances: tuple[Call, ...] = ()
    if n:
        play.tell(f"{called(play, foe)} takes {n} wound{'s' * (n != 1)}.", "FOE-5", "wound")
        instances = instance_calls(play, card, "wounded", called(play, foe))
    play.next(*instances, (_after_wound, (name, n, effects, keep_ap)))


def _after_wound(play: Play, name: str, n: int, effects: Effects, keep_ap: bool) -> None:
    foe = play.field.foe(name)
    if foe is None:
        return
    card = card_of(play, foe)
    if foe.wounds >= card.wounds:
        defeat(play, foe, keep_ap)
        return
    if n:
        for trait in traits_of(card):
            if trait.survived:
                foe = trait.survived(foe)
        play.field = play.field.with_foe(foe)
    for effect, strength in effects:
        _EFFECTS[effect](play, name, strength)


def _push(play: Play, name: str, n: int) -> None:
    """``push: n``: straight away from her, up to the first space that is not free (ACT-11)."""
    field = play.field
    foe = field.foe(name)
    if foe is None:
        return
    across, up = column(foe.space) - column(field.hero), row(foe.space) - row(field.hero)
    if not (across == 0 or up == 0 or abs(across) == abs(up)):
        return
    steps = max(abs(across), abs(up))
    across, up = across // steps, up // steps
    space = foe.space
    for _ in range(n):
        if not (0 <= column(space) + across < 5 and 0 <= row(space) + up < 3):
            break
        beyond = space + across + COLUMNS * up
        if not field.free(beyond):
            break
        space = beyond
    if space != foe.space:
        play.field = field.with_foe(foe._replace(space=space))
        play.tell(f"{called(play, foe)} is pushed from {foe.space} to {space}.", "ACT-11", "move")


_EFFECTS: dict[str, Callable[[Play, str, int], None]] = {
    "stun": lambda play, name, n: marks.stun(play, name),
    "poison": lambda play, name, n: marks.poison(play, name),
    "drain": lambda play, name, n: marks.drain(play, name),
    "push": _push,
    "no-block": lambda play, name, n: None,
}


def defeat(play: Play, foe: Foe, keep_ap: bool = True) -> None:
    """FOE-5: it is removed at once and its rewards apply at once; instances add to them or replace them (FOE-6)."""
    card = card_of(play, foe)
    name = called(play, foe)
    instances = matching(play.field, card, "defeated")
    _remove(play, foe)
    play.tell(f"{name} is defeated.", "FOE-5", "defeat")
    instead = tuple(instance for instance in instances if instance.instead is not None)
    rewards: tuple[Call, ...] = () if instead else ((_reward, (card.rewards, False, name, keep_ap)),)
    rewards += tuple((_reward, (instance.instead, instance.later, name, keep_ap)) for instance in instead)
    play.next(*rewards, *((_effects, (instance.steps, instance.later, name, keep_ap)) for instance in instances))


def retreat(play: Play, name: str) -> None:
    """TRAIT-COWARDLY: it leaves; a retreat is no defeat and pays no reward."""
    foe = play.field.foe(name)
    if foe is None:
        return
    play.tell(f"{called(play, foe)} retreats.", "TRAIT-COWARDLY", "defeat")
    calls = instance_calls(play, card_of(play, foe), "retreats", called(play, foe))
    _remove(play, foe)
    play.next(*calls)


def _remove(play: Play, foe: Foe) -> None:
    """Off the playfield; a card that was drawn goes back into its deck (TRAIT-RECRUIT)."""
    field = play.field.without_foe(foe.name)
    if foe.source:
        field = put_back(field, foe.source, foe.card)
    play.field = field


def put_back(field: Field, deck: str, card: str) -> Field:
    """With a card back in a deck that was drawn from."""
    decks = dict(field.decks)
    decks[deck] = tuple(sorted((*decks[deck], card)))
    return field._replace(decks=tuple(sorted(decks.items())))


def matching(field: Field, card: EnemyCard | TerrainCard, event: str) -> tuple[Instance, ...]:
    """The instances of a card whose condition holds now; the last round is its number and ``last`` at once (FOE-6)."""
    now = {field.round, LAST} if field.last_round else {field.round}
    return tuple(
        instance
        for instance in card.instances
        if instance.when.event == event and (instance.when.rounds is None or now & set(instance.when.rounds))
    )


def instance_calls(play: Play, card: EnemyCard | TerrainCard, event: str, name: str) -> tuple[Call, ...]:
    """What the instances of an event do, in the order of the card (FOE-6)."""
    calls: list[Call] = []
    for instance in matching(play.field, card, event):
        if instance.instead is not None:
            calls.append((_reward, (instance.instead, instance.later, name, True)))
        calls.append((_effects, (instance.steps, instance.later, name, True)))
    return tuple(calls)


def _reward(play: Play, goods: Goods, later: bool, name: str, keep_ap: bool) -> None:
    if goods:
        _effects(play, (Gain(goods),), later, name, keep_ap)


def _effects(play: Play, steps: Steps, later: bool, name: str, keep_ap: bool) -> None:
    if later:
        play.field = play.field._replace(later=(*play.field.later, *(Later(step) for step in steps)))
        if steps:
            play.tell(f"{name}: announced for the start of the next round.", "FOE-6", "effect")
        return
    if not keep_ap:
        steps = tuple(_without_ap(step) for step in steps)
    play.next(*((do_simple, (step, name, True)) for step in steps))


def _without_ap(step: Step) -> Step:
    """ENC-9: the AP of a poison defeat are lost, its other rewards are kept."""
    if not isinstance(step, Gain):
        return step
    amounts = tuple((amount, n) for amount, n in step.goods.amounts if amount != "ap")
    return Gain(Goods(amounts, step.goods.events, step.goods.items, step.goods.actions))
