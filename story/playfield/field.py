"""The position on the playfield: who stands where and what marks they bear (FIELD-1 to FIELD-3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from story.cards import FoeMarks, Step, TerrainCard


class Foe(NamedTuple):
    """An enemy on the playfield."""

    name: str
    """Unique while the encounter lasts: the card's id, ``woopu-2`` for the second of its kind."""
    card: str
    space: int
    wounds: int = 0
    poisoned: bool = False
    stunned: bool = False
    """It cannot move on its next turn."""
    rage: int = 0
    dash: int = 0
    wounded_this_turn: int = 0
    """Counted up to 2, for Dash alone."""
    block_used: bool = False
    recruits: bool = False
    source: str = ""
    """The deck it was drawn from, if any."""

    def marked(self, marks: FoeMarks) -> Foe:
        """With the marks of a position in mid-game."""
        return self._replace(
            wounds=marks.wounds,
            poisoned=marks.poisoned,
            stunned=marks.stunned,
            rage=marks.rage,
            dash=marks.dash,
            wounded_this_turn=marks.wounded_this_turn,
            block_used=marks.block_used,
            recruits=marks.recruits,
        )


class Ground(NamedTuple):
    """A terrain card on the playfield."""

    name: str
    card: TerrainCard
    space: int


@dataclass(frozen=True)
class Board:
    """What does not move while an encounter lasts; shared by all its states, hashed once."""

    rounds: int
    grounds: tuple[Ground, ...] = ()
    blocked: frozenset[int] = frozenset()
    no_start: frozenset[int] = frozenset()
    until_cleared: bool = False
    title: str = ""
    text: str = ""
    _hash: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_hash", hash((self.rounds, tuple((g.name, g.space) for g in self.grounds), self.blocked))
        )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def ground_at(self) -> dict[int, Ground]:
        """Terrain by space."""
        return {ground.space: ground for ground in self.grounds}

    @cached_property
    def walls(self) -> frozenset[int]:
        """Spaces that nobody may enter: discs and Impassable terrain (FIELD-5, TERR-1)."""
        return self.blocked | {g.space for g in self.grounds if "impassable" in g.card.classes}

    @cached_property
    def no_sight(self) -> frozenset[int]:
        """Terrain that blocks sight (TERR-2)."""
        return frozenset(g.space for g in self.grounds if "no-los" in g.card.classes)

    @cached_property
    def no_lob(self) -> frozenset[int]:
        """Terrain that blocks a lob (TERR-3)."""
        return frozenset(g.space for g in self.grounds if "no-lob" in g.card.classes)


class Later(NamedTuple):
    """An effect announced for the start of the next round (ENC-8); ``foe`` empty: Rangitaki."""

    step: Step
    foe: str = ""


class Field(NamedTuple):
    """A position in an encounter."""

    board: Board
    round: int
    hero: int
    """Rangitaki's space; 0 while she is not placed yet."""
    foes: tuple[Foe, ...] = ()
    """In the order of their names' first appearance; turns go by space (ENC-5)."""
    dodges: int = 0
    no_step: bool = False
    """She may not step in this turn (TRAIT-STUN)."""
    stunned: bool = False
    """She may not step in her next turn."""
    poisoned: bool = False
    tried: frozenset[str] = frozenset()
    """Terrain and enemies whose challenge she tried in this turn (TERR-4)."""
    entered: frozenset[str] = frozenset()
    """Terrain whose ``entered`` instances worked in this turn."""
    later: tuple[Later, ...] = ()
    shocked: frozenset[str] = frozenset()
    """Electrocute and Disorientation that worked in this round (each once)."""
    decks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What is left in the decks that are drawn from, sorted."""
    numbers: tuple[tuple[str, int], ...] = ()
    """The last number used for the names of each card."""

    @property
    def last_round(self) -> bool:
        """Whether this is the last printed round."""
        return self.round >= self.board.rounds

    def foe(self, name: str) -> Foe | None:
        """The enemy of that name, if it still stands."""
        return next((foe for foe in self.foes if foe.name == name), None)

    def foe_at(self, space: int) -> Foe | None:
        """The enemy on a space."""
        return next((foe for foe in self.foes if foe.space == space), None)

    def with_foe(self, foe: Foe) -> Field:
        """With one enemy changed."""
        return self._replace(foes=tuple(foe if old.name == foe.name else old for old in self.foes))

    def new_turn(self) -> Field:
        """With what is counted by the turn starting anew (TRAIT-DASH)."""
        if not any(foe.wounded_this_turn for foe in self.foes):
            return self
        return self._replace(foes=tuple(foe._replace(wounded_this_turn=0) for foe in self.foes))

    def without_foe(self, name: str) -> Field:
        """With one enemy removed."""
        return self._replace(foes=tuple(old for old in self.foes if old.name != name))

    def by_space(self) -> tuple[Foe, ...]:
        """The enemies from the lowest-numbered space to the highest (ENC-5)."""
        return tuple(sorted(self.foes, key=lambda foe: foe.space))

    def free(self, space: int) -> bool:
        """Whether a character may stand there now (FIELD-3, TERR-1)."""
        return space not in self.board.walls and space != self.hero and not any(foe.space == space for foe in self.foes)

    def free_to_place(self, space: int) -> bool:
        """Whether a piece may be placed there: no object, no disc, no X (FIELD-7)."""
        return self.free(space) and space not in self.board.no_start and space not in self.board.ground_at
