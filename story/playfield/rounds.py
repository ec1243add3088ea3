"""The round: her turn, the enemies' turns, upkeep, reset (ENC)."""

from __future__ import annotations

from story.cards import Wound
from story.care import wound_hero
from story.effects import do_simple
from story.playfield.actions import HerTurn
from story.playfield.enemy_turn import enemy_turn
from story.playfield.field import Later
from story.playfield.foes import instance_calls, retreat, wound_foe
from story.playfield.lines import ADJACENT
from story.playfield.marks import called, card_of
from story.playfield.placement import recruit
from story.playfield.traits import has
from story.state import Call, Play


def begin_turn(play: Play) -> None:
    """Her turn begins (ENC-2); what is counted by the turn starts anew."""
    field = play.field.new_turn()
    play.field = field._replace(no_step=field.stunned, stunned=False, tried=frozenset(), entered=frozenset())
    play.tell(f"Round {field.round} of {field.board.rounds}. {play.hero.ap} AP.", "ENC-1", "round")
    play.next(HerTurn())


def enemies_act(play: Play) -> None:
    """Each enemy from the lowest space to the highest, in the order fixed now (ENC-5); then upkeep."""
    play.field = play.field._replace(no_step=False)
    play.next(*((enemy_turn, (foe.name,)) for foe in play.field.by_space()), (upkeep, ()))


def upkeep(play: Play) -> None:
    """ENC-7."""
    play.field = play.field.new_turn()
    play.tell("Upkeep.", "ENC-7", "round")
    poisoned = [foe.name for foe in play.field.by_space() if foe.poisoned]
    play.next(
        *((_poisoned, (name,)) for name in poisoned),
        (_hero_poisoned, ()),
        (_everybody, ("round_end",)),
        (_retreats, ()),
        (_clear_marks, ()),
        (_round_over, ()),
    )


def _poisoned(play: Play, name: str) -> None:
    foe = play.field.foe(name)
    if foe is not None:
        play.tell(f"The poison works in {called(play, foe)}.", "TRAIT-POISON", "effect")
        wound_foe(play, name, 1, keep_ap=False)


def _hero_poisoned(play: Play) -> None:
    if play.field.poisoned:
        wound_hero(play, 1, "Poison", "TRAIT-POISON", True)


def _everybody(play: Play, event: str) -> None:
    """The instances of an event in space order, an enemy before the terrain it stands on (ENC-7(2), ENC-8(2))."""
    field = play.field
    order = [(foe.space, False, foe.name) for foe in field.foes if card_of(play, foe).instances]
    order += [(ground.space, True, ground.name) for ground in field.board.grounds if ground.card.instances]
    play.next(*((_instances, (name, terrain, event)) for _, terrain, name in sorted(order)))


def _instances(play: Play, name: str, terrain: bool, event: str) -> None:
    if terrain:
        ground = next(ground for ground in play.field.board.grounds if ground.name == name)
        calls = instance_calls(play, ground.card, event, ground.card.name)
        if event == "round_end" and ground.space in ADJACENT[play.field.hero]:
            calls += instance_calls(play, ground.card, "adjacent_at_round_end", ground.card.name)
    else:
        foe = play.field.foe(name)
        if foe is None:
            return
        calls = instance_calls(play, card_of(play, foe), event, called(play, foe))
    play.next(*calls)


def _retreats(play: Play) -> None:
    cowards = [foe.name for foe in play.field.by_space() if has(card_of(play, foe), "retreats")]
    play.next(*((retreat, (name,)) for name in cowards))


def _clear_marks(play: Play) -> None:
    """ENC-7(4)."""
    foes = tuple(
        foe._replace(poisoned=False, block_used=False) if foe.poisoned or foe.block_used else foe
        for foe in play.field.foes
    )
    play.field = play.field._replace(foes=foes, poisoned=False, dodges=0)


def _round_over(play: Play) -> None:
    field = play.field
    if field.last_round or (field.board.until_cleared and not field.foes):
        _end_encounter(play)
    else:
        _next_round(play)


def _end_encounter(play: Play) -> None:
    """ENC-6, AP-3: the playfield is cleared, AP reset, wounds stay."""
    play.field_ = None
    play.hero = play.hero._replace(ap=play.hero.ap_reset)
    play.tell(f"The encounter is over. AP reset to {play.hero.ap_reset}.", "ENC-6", "round")


def _next_round(play: Play) -> None:
    """ENC-8: AP reset, what was announced, start-of-round instances, recruits; then her turn."""
    field = play.field
    callers = [foe.name for foe in field.by_space() if foe.recruits]
    foes = tuple(foe._replace(recruits=False) for foe in field.foes)
    wounds = tuple(later for later in field.later if isinstance(later.step, Wound))
    others = tuple(later for later in field.later if not isinstance(later.step, Wound))
    play.field = field._replace(round=field.round + 1, foes=foes, later=(), shocked=frozenset())
    play.hero = play.hero._replace(ap=play.hero.ap_reset)
    play.tell(f"AP reset to {play.hero.ap}.", "AP-3", "round")
    calls: list[Call] = [(_announced, (later,)) for later in (*others, *wounds)]
    calls += [(_everybody, ("round_start",))]
    calls += [(recruit, (name,)) for name in callers]
    play.next(*calls, (begin_turn, ()))


def _announced(play: Play, later: Later) -> None:
    step = later.step
    if later.foe and isinstance(step, Wound):
        # TRAIT-DASH: the start of a round is no turn, so wounds there never add up.
        play.field = play.field.new_turn()
        wound_foe(play, later.foe, step.n)
    else:
        do_simple(play, step, "Start of the round", True)
