"""An enemy's turn: move, then attack (MOVE-2 to MOVE-7, FOE-2 to FOE-4, FOE-8), and her dodges (ACT-6)."""

from __future__ import annotations

from dataclasses import dataclass

from story.cards import EnemyCard
from story.care import eat, eat_options, wound_hero
from story.dice import Rolled, crit_miss_scale, pick, roll, roll_hers
from story.playfield.field import Field, Foe
from story.playfield.foes import Effects, wound_foe
from story.playfield.ground import ends_move
from story.playfield.lines import ADJACENT, SURROUNDING, reaches
from story.playfield.marks import called, card_of
from story.playfield.movement import destinations, path_length, steps_closer
from story.playfield.traits import has, traits_of
from story.prompts import Decide, Option, Prompt
from story.state import Play


def enemy_turn(play: Play, name: str) -> None:
    """One enemy acts; one that was removed before its turn does not (ENC-5). Its stun and dash end with it."""
    foe = play.field.foe(name)
    if foe is None:
        return
    play.field = play.field.new_turn().with_foe(foe._replace(wounded_this_turn=0, stunned=False, dash=0))
    card = card_of(play, foe)
    movement = 0 if foe.stunned or has(card, "still") else card.moves + foe.dash
    _move(play, play.field.foe(name) or foe, card, movement)


def attacks_from(field: Field, card: EnemyCard, space: int) -> bool:
    """Whether it could attack from a space without colliding (MOVE-2, TRAIT-BIRD-BOMB)."""
    if has(card, "bombs") and field.hero in ADJACENT[space]:
        return True
    return card.attack is not None and reaches(field, card.attack.type, space, field.hero)


def _collides(card: EnemyCard) -> bool:
    # TRAIT-BIRD-BOMB: the bomb replaces the collision.
    return card.attack is not None and card.attack.type == "collision" and not has(card, "bombs")


def _move(play: Play, foe: Foe, card: EnemyCard, movement: int) -> None:
    field = play.field
    name, flies = called(play, foe), has(card, "flies")
    if attacks_from(field, card, foe.space):
        _attack(play, foe.name, "stays and attacks", "MOVE-2")
        return
    if not movement:
        play.tell(f"{name} on {foe.space} stays.", "MOVE-7", "move")
        return
    if _collides(card):
        length = path_length(field, foe, flies)
        if length <= movement:
            # FOE-4: the last of its steps is the one into her.
            spaces = (foe.space,) if length == 1 else steps_closer(field, foe, flies)[length - 2]
            if spaces:
                pick(play, f"{name} on {foe.space} charges", "FOE-4", spaces, _arrive, (foe.name, True))
                return
    spaces = destinations(field, foe, flies, movement, lambda space: attacks_from(field, card, space))
    if spaces:
        pick(play, f"{name} on {foe.space} moves", "MOVE-4", spaces, _arrive, (foe.name, False))
    else:
        play.tell(f"{name} on {foe.space} stays: no way closer.", "MOVE-5", "move")


def _arrive(play: Play, name: str, collides: bool, space: int) -> None:
    foe = play.field.foe(name)
    assert foe is not None
    if collides:
        play.next((_collide, (name,)))
    else:
        play.next((_attack_if_able, (name,)))
    if space != foe.space:
        play.field = play.field.with_foe(foe._replace(space=space))
        play.tell(f"{called(play, foe)} moves from {foe.space} to {space}.", "MOVE-3", "move")
        ends_move(play, name, space)


def _attack_if_able(play: Play, name: str) -> None:
    foe = play.field.foe(name)
    if foe is not None and attacks_from(play.field, card_of(play, foe), foe.space):
        _attack(play, name, "attacks", "FOE-3")


def _power(play: Play, foe: Foe, printed: int) -> int:
    """The wounds of its attack, Bolster and Rage added; what the attack uses up is gone, hit or miss (TRAIT-RAGE)."""
    card = card_of(play, foe)
    total = printed + sum(trait.power(play.field, foe) for trait in traits_of(card) if trait.power)
    for trait in traits_of(card):
        if trait.spent:
            foe = trait.spent(foe)
    play.field = play.field.with_foe(foe)
    return total


def _attack(play: Play, name: str, verb: str, rule: str) -> None:
    foe = play.field.foe(name)
    assert foe is not None
    card = card_of(play, foe)
    if has(card, "bombs") and play.field.hero in ADJACENT[foe.space]:
        _bomb(play, foe)
        return
    assert card.attack is not None
    wounds = _power(play, foe, card.attack.wounds)
    title = f"{called(play, foe)} on {foe.space} {verb}"
    roll(
        play,
        "d20",
        title,
        crit_miss_scale(card.crit, card.miss),
        _rolled,
        (name, wounds, title, rule),
        natural_one="miss",
    )


def _rolled(play: Play, name: str, wounds: int, title: str, rule: str, outcome: str, rolled: Rolled) -> None:
    if outcome == "miss":
        play.tell(f"{title}: {rolled}, a miss.", f"{rule} FOE-3", "roll")
        return
    foe = play.field.foe(name)
    assert foe is not None
    wounds += outcome == "crit"
    word = "critical" if outcome == "crit" else "hit"
    play.tell(f"{title}: {rolled}, {word} for {wounds}.", f"{rule} FOE-3", "roll")
    play.next((hit_hero, (called(play, foe), foe.card, wounds, wounds, True)))


def hit_hero(play: Play, name: str, card: str, wounds: int, tries: int, windowed: bool) -> None:
    """Dodges one at a time, then the wounds, then the traits of the attacker (FOE-3, ACT-6).

    ``tries``: how many dodges may still be used on this attack; ``windowed``: its wounds had their window (HEAL-4).
    """
    if play.field.dodges and tries and wounds:
        play.next(Dodging(name, card, wounds, tries))
    else:
        play.next((wound_hero, (wounds, name, "FOE-3", not windowed)), (_hit_traits, (card, "", wounds)))


def _hit_traits(play: Play, card: str, who: str, wounds: int) -> None:
    for trait in traits_of(play.library.enemies[card]):
        if trait.hits:
            trait.hits(play, who, wounds)


@dataclass(frozen=True, slots=True)
class Dodging:
    """ACT-6: whether the next queued dodge is used on this attack."""

    name: str
    card: str
    wounds: int
    tries: int

    def prompt(self, play: Play) -> Prompt:
        """Use it, keep it for another attack, or eat first (HEAL-4)."""
        queued = play.field.dodges
        options = (
            Option("use dodge", "Use a dodge", kind="use", detail="cancels 1 wound unless it misses"),
            Option("no dodge", "Take the wounds", kind="no"),
            *eat_options(play),
        )
        line = f"{self.name} hits for {self.wounds}; {queued} dodge{'s' * (queued != 1)} queued."
        return Decide("dodge", "Dodge?", options, lines=(line,))

    def answer(self, play: Play, answer: str) -> None:
        """Roll the dodge, or take the wounds, or eat and ask again."""
        if answer == "use dodge":
            play.field = play.field._replace(dodges=play.field.dodges - 1)
            roll_hers(play, "Dodge", _dodge_rolled, (self.name, self.card, self.wounds, self.tries - 1))
        elif answer == "no dodge":
            play.next((hit_hero, (self.name, self.card, self.wounds, 0, True)))
        else:
            eat(play, answer)
            play.next(self)


def _dodge_rolled(play: Play, name: str, card: str, wounds: int, tries: int, outcome: str, rolled: Rolled) -> None:
    if outcome == "miss":
        play.tell(f"Dodge: {rolled}, it fails.", "ACT-6", "roll")
    else:
        wounds -= 1
        play.tell(f"Dodge: {rolled}, one wound cancelled.", "ACT-6", "roll")
    play.next((hit_hero, (name, card, wounds, tries, True)))


def _bomb(play: Play, foe: Foe) -> None:
    """TRAIT-BIRD-BOMB: 1 wound, without a roll, to everybody adjacent, Rangitaki first."""
    wounds = _power(play, foe, 1)
    play.tell(f"{called(play, foe)} on {foe.space} drops its bomb.", "TRAIT-BIRD-BOMB", "roll")
    play.next(
        (hit_hero, (called(play, foe), foe.card, wounds, wounds, False)),
        (hit_others, (foe.name, foe.card, foe.space, wounds, ADJACENT[foe.space])),
    )


def hit_others(play: Play, name: str, card: str, space: int, wounds: int, spaces: tuple[int, ...]) -> None:
    """An enemy's bomb or collision wounds the other enemies on some spaces, in space order (FOE-4)."""
    for target in reversed([foe.name for foe in play.field.by_space() if foe.space in spaces and foe.name != name]):
        play.next((_hit_other, (target, card, space, wounds)))


def _hit_other(play: Play, target: str, card: str, space: int, wounds: int) -> None:
    foe = play.field.foe(target)
    if foe is not None:
        play.next((wound_foe, (target, wounds, foe.space in ADJACENT[space], _effects_of(play, card))))


def _effects_of(play: Play, card: str) -> Effects:
    """Traits that wound, stun or poison act on enemies hit by a bomb or a collision as well."""
    ids = play.library.enemies[card].trait_ids
    return tuple((effect, 1) for effect in ("poison", "stun", "drain") if effect in ids)


def _collide(play: Play, name: str) -> None:
    """FOE-4: wounds for her (dodges count), then for the mover, then for the others around her; no roll."""
    foe = play.field.foe(name)
    if foe is None:
        return
    card = card_of(play, foe)
    assert card.attack is not None
    wounds = _power(play, foe, card.attack.wounds)
    play.tell(f"{called(play, foe)} on {foe.space} collides with you.", "FOE-4", "roll")
    play.next(
        (hit_hero, (called(play, foe), foe.card, wounds, wounds, False)),
        (wound_foe, (name, wounds, False, _effects_of(play, foe.card))),
        (hit_others, (name, foe.card, foe.space, wounds, SURROUNDING[play.field.hero])),
    )
