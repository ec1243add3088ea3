"""Rangitaki's turn: what she may do and what it does (ENC-3, ACT-1 to ACT-11, TERR-4, LINE-3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

from story.cards import ALWAYS_ACTIONS, ActionCard, Challenge, Steps
from story.care import eat, eat_options, heal_option, pay_to_heal
from story.dice import Rolled, crit_miss_scale, roll, roll_hers
from story.effects import do_simple, try_challenge
from story.playfield.field import Foe
from story.playfield.foes import Effects, wound_foe
from story.playfield.ground import ends_move
from story.playfield.lines import ADJACENT, in_lob, reaches
from story.playfield.marks import called, card_of
from story.playfield.traits import has
from story.prompts import Decide, Option, Prompt
from story.state import Play


class Shot(NamedTuple):
    """An attack as paid for: the attack card, its augment, whether it is lobbed, the targets in the order named."""

    attack: ActionCard
    augment: ActionCard | None
    lob: ActionCard | None
    targets: tuple[str, ...]

    @property
    def cost(self) -> int:
        """AP, paid at once."""
        return sum(card.cost for card in (self.attack, self.augment, self.lob) if card)

    @property
    def damage(self) -> int:
        """Wounds of a hit."""
        return self.attack.damage + (self.augment.damage if self.augment else 0)

    @property
    def crits(self) -> bool:
        """Whether a critical adds a wound."""
        return self.attack.crits and (self.augment is None or self.augment.crits)

    @property
    def effects(self) -> Effects:
        """What it does to a survivor besides wounds."""
        return self.attack.effects + (self.augment.effects if self.augment else ())

    @property
    def answer(self) -> str:
        """``dart nalu woopu +split +lob``."""
        extras = [f"+{card.word}" for card in (self.augment, self.lob) if card]
        return " ".join([self.attack.word, *self.targets, *extras])


def action_cards(play: Play, kind: str, effect: str = "") -> list[ActionCard]:
    """The cards of a kind, and with an effect, that she can use (ACT-1, INV-3)."""
    return [
        card
        for id, card in play.library.actions.items()
        if card.kind == kind
        and (id in ALWAYS_ACTIONS or id in play.hero.actions)
        and (not effect or card.effect(effect))
    ]


def shots(play: Play) -> Iterator[Shot]:
    """Every attack that can be paid for, with every augment and lob that makes sense (ACT-2 to ACT-5, ACT-11)."""
    field = play.field
    lobs = action_cards(play, "skill", "lob")
    augments = action_cards(play, "augment")
    for attack in action_cards(play, "attack"):
        if attack.cost > play.hero.ap:
            continue
        plain = {foe.name for foe in field.foes if reaches(field, attack.range, field.hero, foe.space)}
        lobbed: set[str] = set()
        if attack.augments and attack.range == "sight" and lobs:
            lobbed = {foe.name for foe in field.foes if in_lob(field, field.hero, foe.space)}
        for augment in (None, *augments) if attack.augments else (None,):
            count = max(attack.targets, augment.targets if augment else 1)
            within = [foe for foe in field.foes if foe.name in plain | lobbed and _augmentable(play, foe, augment)]
            for targets in permutations(within, count):
                names = tuple(foe.name for foe in targets)
                # A lob is for the whole shot: every target must be in its reach (ACT-4, ACT-5).
                ways = (None,) if plain.issuperset(names) else lobs if lobbed.issuperset(names) else ()
                for lob in ways:
                    shot = Shot(attack, augment, lob, names)
                    if shot.cost <= play.hero.ap:
                        yield shot


def _augmentable(play: Play, foe: Foe, augment: ActionCard | None) -> bool:
    """ACT-4: Stun is not offered on an immune or stunned target, Poison not on an immune or poisoned one."""
    if augment is None:
        return True
    immune = card_of(play, foe).immune
    return not (
        (augment.effect("stun") and ("stun" in immune or foe.stunned))
        or (augment.effect("poison") and ("poison" in immune or foe.poisoned))
    )


def challenges(play: Play) -> Iterator[tuple[str, str, Challenge]]:
    """(name, what it is called, challenge) of what may be tried now: adjacent, once per turn (TERR-4)."""
    field = play.field
    near = ADJACENT[field.hero]
    for ground in field.board.grounds:
        if ground.card.challenge and ground.space in near and ground.name not in field.tried:
            yield ground.name, ground.card.name, ground.card.challenge
    for foe in field.foes:
        challenge = card_of(play, foe).challenge
        if challenge and foe.space in near and foe.name not in field.tried:
            yield foe.name, called(play, foe), challenge


@dataclass(frozen=True, slots=True)
class HerTurn:
    """ENC-3: any actions she can pay for, in any order, until she ends her turn."""

    def prompt(self, play: Play) -> Prompt:
        """Every action open now."""
        field = play.field
        return Decide(
            "turn",
            f"Round {field.round} of {field.board.rounds}: your turn",
            tuple(self._options(play)),
        )

    def _options(self, play: Play) -> Iterator[Option]:
        field, hero = play.field, play.hero
        names = {foe.name: called(play, foe) for foe in field.foes}
        for shot in shots(play):
            whom = " and ".join(f"{names[name]} on {field.foe(name).space}" for name in shot.targets)  # type: ignore[union-attr]
            extras = "".join(f" + {card.name}" for card in (shot.augment, shot.lob) if card)
            yield Option(shot.answer, f"{shot.attack.name}{extras}: {whom}", f"{shot.cost} AP", "attack")
        if hero.ap and not field.no_step:
            for space in ADJACENT[field.hero]:
                if field.free(space):
                    yield Option(f"step {space}", f"Step to {space}", "1 AP", "step")
        for card in action_cards(play, "skill", "dodge"):
            if card.cost <= hero.ap:
                yield Option(card.word, f"{card.name}: queue one", f"{card.cost} AP", "dodge")
        yield from heal_option(play)
        for card in action_cards(play, "skill", "fear"):
            if card.cost <= hero.ap:
                for foe in field.foes:
                    if "fear" in card_of(play, foe).immune:
                        continue
                    for space in ADJACENT[foe.space]:
                        if field.free(space):
                            say = f"{card.name}: {names[foe.name]} from {foe.space} to {space}"
                            yield Option(f"{card.word} {foe.name} {space}", say, f"{card.cost} AP", "fear")
        yield from eat_options(play)
        for name, title, challenge in challenges(play):
            yield Option(f"try {name}", f"Try {title}: {challenge.type} {challenge.level}", "", "try")
        yield Option("end", "End your turn", "", "end")

    def answer(self, play: Play, answer: str) -> None:
        """Do one action and ask again, or let the enemies act."""
        if answer == "end":
            from story.playfield.rounds import enemies_act

            play.tell("You end your turn.", "ENC-3", "round")
            play.next((enemies_act, ()))
            return
        play.next(self)
        word, *rest = answer.split()
        match word:
            case "heal":
                pay_to_heal(play)
            case "eat":
                eat(play, answer)
            case "step":
                _step(play, int(rest[0]))
            case "try":
                _try(play, rest[0])
            case _:
                self._card(play, answer, word, rest)

    def _card(self, play: Play, answer: str, word: str, rest: list[str]) -> None:
        for shot in shots(play):
            if shot.answer == answer:
                _shoot(play, shot)
                return
        card = next(card for card in action_cards(play, "skill") if card.word == word)
        play.hero = play.hero.with_ap(-card.cost)
        if card.effect("dodge"):
            play.field = play.field._replace(dodges=play.field.dodges + 1)
            play.tell(f"{card.name}: {play.field.dodges} queued.", "ACT-6", "card")
        else:
            _fear(play, card, rest[0], int(rest[1]))


def _step(play: Play, space: int) -> None:
    """ACT-10, MOVE-1."""
    play.hero = play.hero.with_ap(-1)
    play.tell(f"You step from {play.field.hero} to {space}.", "ACT-10", "move")
    play.field = play.field._replace(hero=space)
    ends_move(play, "", space)


def _fear(play: Play, card: ActionCard, name: str, space: int) -> None:
    """ACT-9: an enemy moves one space unless the roll misses."""
    foe = play.field.foe(name)
    assert foe is not None
    roll_hers(play, f"{card.name}: {called(play, foe)} to {space}", _feared, (name, space))


def _feared(play: Play, name: str, space: int, outcome: str, rolled: Rolled) -> None:
    foe = play.field.foe(name)
    assert foe is not None
    if outcome == "miss":
        play.tell(f"{called(play, foe)} is not impressed: {rolled}, a miss.", "ACT-9", "roll")
        return
    play.tell(f"{called(play, foe)} shrinks from {foe.space} to {space}: {rolled}.", "ACT-9", "move")
    play.field = play.field.with_foe(foe._replace(space=space))
    ends_move(play, name, space)


def _try(play: Play, name: str) -> None:
    """TERR-4: it costs no AP."""
    title, challenge = next((title, challenge) for key, title, challenge in challenges(play) if key == name)
    play.field = play.field._replace(tried=play.field.tried | {name})
    try_challenge(play, challenge, title, do_on_playfield)


def do_on_playfield(play: Play, steps: Steps) -> None:
    """The outcome of a challenge; its wounds had their window (HEAL-4)."""
    play.next(*((do_simple, (step, "The challenge", False)) for step in steps))


def _shoot(play: Play, shot: Shot) -> None:
    """The AP are paid; one roll per target in the order named, each settled before the next (ACT-4)."""
    play.hero = play.hero.with_ap(-shot.cost)
    play.next(*((_shoot_at, (shot, name)) for name in shot.targets))


def _shoot_at(play: Play, shot: Shot, name: str) -> None:
    foe = play.field.foe(name)
    if foe is None:
        return
    title = f"{shot.attack.name} at {called(play, foe)} on {foe.space}"
    if shot.attack.roll:
        roll_hers(play, title, _shot, (shot, name, title), crits=shot.crits)
    else:
        play.next((_shot, (shot, name, title, "hit", None)))


def _shot(play: Play, shot: Shot, name: str, title: str, outcome: str, rolled: Rolled | None) -> None:
    shown = f"{rolled}, " if rolled is not None else ""
    if outcome == "miss":
        play.tell(f"{title}: {shown}a miss.", "ACT-3", "roll")
        return
    wounds = shot.damage + (outcome == "crit")
    play.tell(f"{title}: {shown}{'a critical' if outcome == 'crit' else 'a hit'}.", "ACT-3", "roll")
    foe = play.field.foe(name)
    assert foe is not None
    blockers: tuple[str, ...] = ()
    if not any(effect == "no-block" for effect, _ in shot.effects):
        blockers = tuple(
            other.name
            for other in play.field.by_space()
            if (other.name == name or other.space in ADJACENT[foe.space])
            and not other.block_used
            and has(card_of(play, other), "blocks")
        )
    play.next((_block, (blockers, name, wounds, shot.effects)))


def _block(play: Play, blockers: tuple[str, ...], name: str, wounds: int, effects: Effects) -> None:
    """TRAIT-BLOCK, TRAIT-OUT-OF-TURN: from the lowest space on, each blocker tries until one stops the attack."""
    if not blockers:
        foe = play.field.foe(name)
        assert foe is not None
        wound_foe(play, name, wounds, foe.space in ADJACENT[play.field.hero], effects)
        return
    blocker = play.field.foe(blockers[0])
    assert blocker is not None
    play.field = play.field.with_foe(blocker._replace(block_used=True))
    card = card_of(play, blocker)
    roll(
        play,
        "d20",
        f"{called(play, blocker)} on {blocker.space} tries to block",
        crit_miss_scale(card.crit, card.miss, crits=False),
        _blocked,
        (blockers, name, wounds, effects),
        natural_one="miss",
    )


def _blocked(
    play: Play, blockers: tuple[str, ...], name: str, wounds: int, effects: Effects, outcome: str, rolled: Rolled
) -> None:
    blocker = play.field.foe(blockers[0])
    assert blocker is not None
    if outcome == "miss":
        play.tell(f"{called(play, blocker)} fails to block: {rolled}.", "TRAIT-BLOCK", "roll")
        play.next((_block, (blockers[1:], name, wounds, effects)))
    else:
        play.tell(f"{called(play, blocker)} blocks: {rolled}, the attack does nothing.", "TRAIT-BLOCK", "roll")
