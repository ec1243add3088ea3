"""Placing pieces: the placement die, taken spaces, draws, recruits (FIELD-6 to FIELD-9, FOE-7, TRAIT-RECRUIT)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from story.cards import SPACES
from story.dice import DrawFrom, pick
from story.playfield.field import Field, Foe, Ground
from story.playfield.foes import put_back
from story.playfield.lines import distance
from story.playfield.marks import called, card_of
from story.prompts import Face, Prompt, Roll
from story.state import Play

PLACEMENT_DIE = (1, *range(5, 16))
"""FIELD-6: the faces of the twelve-sided placement die."""


def next_name(field: Field, card: str) -> tuple[Field, str]:
    """The next name of a kind never used in this encounter: ``woopu``, ``woopu-2``, …"""
    numbers = dict(field.numbers)
    number = numbers.get(card, 0) + 1
    numbers[card] = number
    name = card if number == 1 else f"{card}-{number}"
    return field._replace(numbers=tuple(sorted(numbers.items()))), name


def nearest_free(field: Field, space: int) -> tuple[int, ...]:
    """FIELD-7: where a piece goes whose rolled space is taken; several are settled by the 50/50 rule, none: nowhere."""
    free = [here for here in SPACES if field.free_to_place(here)]
    if not free:
        return ()
    keys = {here: (distance(here, space), distance(here, field.hero)) for here in free}
    best = min(keys.values())
    return tuple(here for here in free if keys[here] == best)


def put(play: Play, card: str, name: str, source: str, terrain: bool, space: int) -> None:
    """A piece comes to stand on a space."""
    field = play.field
    if terrain:
        ground = Ground(name, play.library.terrain[card], space)
        play.field = field._replace(board=replace(field.board, grounds=(*field.board.grounds, ground)))
        play.tell(f"{ground.card.name} stands on {space}.", "FIELD-4", "move")
    else:
        foe = Foe(name, card, space, source=source)
        play.field = field._replace(foes=(*field.foes, foe))
        play.tell(f"{called(play, foe)} stands on {space}.", "FIELD-4", "move")


@dataclass(frozen=True, slots=True)
class PlaceByDie:
    """FIELD-6: a D12 without 2, 3 and 4 says where a piece starts; it cannot be influenced (CHAL-5)."""

    card: str
    name: str
    source: str
    terrain: bool

    def prompt(self, play: Play) -> Prompt:
        """The die's faces."""
        cards = play.library.terrain if self.terrain else play.library.enemies
        title = f"Placement die: {cards[self.card].name}"
        return Roll("place", title, tuple(Face(f"place {space}", 1) for space in PLACEMENT_DIE), ("FIELD-6",))

    def answer(self, play: Play, answer: str) -> None:
        """Place it there, or on the nearest free space (FIELD-7)."""
        space = int(answer.split()[1])
        spaces = nearest_free(play.field, space)
        if not spaces:
            if self.source:
                play.field = put_back(play.field, self.source, self.card)
            play.tell("No space is free: it does not come.", "FIELD-7", "move")
            return
        if space not in spaces:
            play.tell(f"{space} is taken.", "FIELD-7", "move")
        pick(play, "Nearest free space", "FIELD-7", spaces, put, (self.card, self.name, self.source, self.terrain))


def draw(play: Play, deck: str, terrain: bool) -> None:
    """FOE-7: a card drawn at random without replacement, placed before the next is drawn; an empty deck gives none."""
    left = dict(play.field.decks).get(deck, play.library.decks[deck])
    if left:
        play.next(DrawFrom(f"Draw from the {deck} deck", tuple(sorted(left)), _drawn, (deck, terrain)))
    else:
        play.tell(f"The {deck} deck is empty.", "FOE-7", "move")


def _drawn(play: Play, deck: str, terrain: bool, card: str) -> None:
    decks = dict(play.field.decks)
    left = sorted(decks.get(deck, play.library.decks[deck]))
    left.remove(card)
    decks[deck] = tuple(left)
    field, name = next_name(play.field._replace(decks=tuple(sorted(decks.items()))), card)
    play.field = field
    cards = play.library.terrain if terrain else play.library.enemies
    play.tell(f"{cards[card].name} is drawn.", "FOE-7", "move")
    play.next(PlaceByDie(card, name, deck, terrain))


def recruit(play: Play, name: str) -> None:
    """TRAIT-RECRUIT: if the recruiter still stands at the start of the round, one enemy is drawn and placed."""
    foe = play.field.foe(name)
    if foe is None:
        return
    for trait in card_of(play, foe).traits:
        if trait.id == "recruit" and trait.source:
            play.tell(f"{called(play, foe)} calls for help.", "TRAIT-RECRUIT", "effect")
            draw(play, trait.source, False)
