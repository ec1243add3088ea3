"""Laying out an encounter: hero, discs, fixed pieces, then the die (FIELD-3, FIELD-4, FIELD-7, FIELD-9)."""

from __future__ import annotations

from dataclasses import dataclass

from story.cards import Encounter, EncounterFile, Position
from story.care import eat, eat_options
from story.playfield.actions import HerTurn
from story.playfield.field import Board, Field, Later
from story.playfield.placement import PlaceByDie, draw, next_name, put
from story.playfield.rounds import begin_turn
from story.prompts import Decide, Option, Prompt
from story.state import Call, Play, Task


def begin_encounter(play: Play, encounter: Encounter) -> None:
    """The story drops into an encounter; AP are not reset: what is left is the first turn's budget (AP-3)."""
    play.field_ = _empty(encounter)
    n = encounter.rounds
    play.tell(f"An encounter of {n} round{'s' * (n != 1)}.", "FIELD-4", "round")
    if len(encounter.hero_spaces) > 1:
        play.next(Standing(encounter))
    else:
        _stand(play, encounter, encounter.hero_spaces[0])


def _empty(encounter: Encounter) -> Field:
    board = Board(
        encounter.rounds,
        blocked=encounter.blocked,
        no_start=encounter.no_start,
        until_cleared=encounter.until_cleared,
        title=encounter.title,
        text=encounter.text,
    )
    return Field(board, 1, encounter.hero_spaces[0] if len(encounter.hero_spaces) == 1 else 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """FIELD-9: the player's own character may be placed on any space the card names."""

    encounter: Encounter

    def prompt(self, play: Play) -> Prompt:
        """The spaces."""
        options = tuple(Option(f"stand {n}", f"Stand on {n}", kind="stand") for n in self.encounter.hero_spaces)
        return Decide("stand", "Where do you stand?", (*options, *eat_options(play)))

    def answer(self, play: Play, answer: str) -> None:
        """Stand there; then the pieces are placed."""
        if answer.startswith("eat "):
            eat(play, answer)
            play.next(self)
        else:
            _stand(play, self.encounter, int(answer.split()[1]))


def _stand(play: Play, encounter: Encounter, space: int) -> None:
    play.field = play.field._replace(hero=space)
    play.next(*_place(play, encounter), (begin_turn, ()))


def _place(play: Play, encounter: Encounter) -> list[Task]:
    """Fixed pieces first, then die pieces in the card's order, enemies before terrain (FIELD-7)."""
    fixed: list[Call] = []
    rolled: list[Task] = []
    for placements, terrain in ((encounter.enemies, False), (encounter.terrain, True)):
        for placement in placements:
            if placement.card is None:
                rolled += [(draw, (placement.source, terrain))] * placement.draw
                continue
            play.field, name = next_name(play.field, placement.card)
            if placement.space is None:
                rolled.append(PlaceByDie(placement.card, name, "", terrain))
            else:
                fixed.append((put, (placement.card, name, "", terrain, placement.space)))
    return [*fixed, *rolled]


def begin_file(play: Play, file: EncounterFile) -> None:
    """A complete encounter file: from its set-up, or from the middle of her turn where it holds a position."""
    if file.position is None:
        begin_encounter(play, file.encounter)
        return
    play.field_ = _empty(file.encounter)
    play.next(*_place(play, file.encounter), (_resume, (file.position,)))


def _resume(play: Play, position: Position) -> None:
    """The middle of her turn: marks and what was announced are as the position says."""
    field = play.field
    marks = dict(position.foes)
    play.field = field._replace(
        foes=tuple(foe.marked(marks[foe.name]) if foe.name in marks else foe for foe in field.foes),
        round=position.round,
        dodges=position.dodges,
        no_step=position.no_step,
        poisoned=position.poisoned,
        tried=frozenset(position.tried),
        later=tuple(Later(step) for step in position.next_round),
    )
    play.next(HerTurn())
