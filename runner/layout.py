"""A position being laid out by hand: what the table editor edits, and how it becomes an encounter file.

A layout is frozen; every change gives a new one, so that undo is a matter of keeping the old.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from story.cards import (
    STANDARD_ACTIONS,
    STANDARD_FOODS,
    ActionCard,
    Encounter,
    EncounterFile,
    EnemyCard,
    FoeMarks,
    HeroCard,
    Library,
    Placement,
    Position,
    Steps,
    TerrainCard,
)
from story.playfield.field import Board, Field, Foe, Ground


class LaidFoe(NamedTuple):
    """An enemy on the table, with its marks."""

    card: str
    space: int
    marks: FoeMarks = FoeMarks()


class LaidTerrain(NamedTuple):
    """A terrain card on the table; ``tried`` in this turn (TERR-4)."""

    card: str
    space: int
    tried: bool = False


class LayoutError(ValueError):
    """The change cannot be made; its text is one line for the player."""


@dataclass(frozen=True)
class Layout:
    """Everything on the table."""

    library: Library
    title: str = ""
    rounds: int = 3
    round: int = 1
    hero: HeroCard = field(default_factory=HeroCard)
    hero_space: int = 3
    hero_choices: tuple[int, ...] = ()
    """Further spaces among which the player chooses when the file is played (FIELD-9)."""
    foes: tuple[LaidFoe, ...] = ()
    terrain: tuple[LaidTerrain, ...] = ()
    rolled_enemies: tuple[Placement, ...] = ()
    """Enemies that the placement die places, kept as the file has them."""
    rolled_terrain: tuple[Placement, ...] = ()
    blocked: frozenset[int] = frozenset()
    no_start: frozenset[int] = frozenset()
    until_cleared: bool = False
    dodges: int = 0
    no_step: bool = False
    poisoned: bool = False
    next_round: Steps = ()
    text: str = ""

    # ---------------------------------------------------------------- reading

    def foe_at(self, space: int) -> LaidFoe | None:
        """The enemy on a space."""
        return next((foe for foe in self.foes if foe.space == space), None)

    def terrain_at(self, space: int) -> LaidTerrain | None:
        """The terrain on a space."""
        return next((ground for ground in self.terrain if ground.space == space), None)

    def names(self) -> list[str]:
        """The enemies' names in the order of the list: ``woopu``, ``woopu-2``."""
        return _numbered([foe.card for foe in self.foes])

    @property
    def in_mid_game(self) -> bool:
        """Whether the file needs a ``state``: a later round, or any mark."""
        return (
            self.round > 1
            or bool(self.dodges or self.no_step or self.poisoned or self.next_round)
            or any(foe.marks != FoeMarks() for foe in self.foes)
            or any(ground.tried for ground in self.terrain)
        )

    # ---------------------------------------------------------------- changing

    def with_hero_at(self, space: int) -> Layout:
        """Rangitaki stands on a space; raises LayoutError where she cannot."""
        self._check_room(space, character=True, ignore_hero=True)
        return replace(self, hero_space=space, hero_choices=())

    def with_foe(self, card: str, space: int) -> Layout:
        """One more enemy; raises LayoutError where it cannot stand."""
        self._check_room(space, character=True)
        return replace(self, foes=(*self.foes, LaidFoe(card, space)))

    def with_terrain(self, card: str, space: int) -> Layout:
        """One more terrain card; raises LayoutError where it cannot lie."""
        if space == self.hero_space or self.foe_at(space):
            raise LayoutError(f"A character stands on {space}.")
        self._check_room(space, character=False)
        return replace(self, terrain=(*self.terrain, LaidTerrain(card, space)))

    def with_disc(self, space: int) -> Layout:
        """A blocked disc, put there or taken away (FIELD-5); raises LayoutError on an object."""
        if space in self.blocked:
            return replace(self, blocked=self.blocked - {space})
        if space == self.hero_space or self.foe_at(space) or self.terrain_at(space):
            raise LayoutError(f"Space {space} is taken.")
        return replace(self, blocked=self.blocked | {space})

    def with_cross(self, space: int) -> Layout:
        """An X, put there or taken away: nothing drawn or rolled starts there (FIELD-4)."""
        return replace(self, no_start=self.no_start ^ {space})

    def without(self, space: int) -> Layout:
        """The piece on a space taken away: an enemy before the terrain it stands on, then a disc."""
        if self.foe_at(space):
            return replace(self, foes=tuple(foe for foe in self.foes if foe.space != space))
        if self.terrain_at(space):
            return replace(self, terrain=tuple(ground for ground in self.terrain if ground.space != space))
        return replace(self, blocked=self.blocked - {space})

    def moved(self, a: int, b: int) -> Layout:
        """The character on ``a`` moved to ``b``, or the terrain if there is no character; raises LayoutError."""
        if a == self.hero_space:
            return self.with_hero_at(b)
        if self.foe_at(a):
            self._check_room(b, character=True)
            return replace(self, foes=tuple(foe._replace(space=b) if foe.space == a else foe for foe in self.foes))
        if self.terrain_at(a):
            self._check_room(b, character=False)
            return replace(self, terrain=tuple(g._replace(space=b) if g.space == a else g for g in self.terrain))
        raise LayoutError(f"Nothing stands on {a}.")

    def with_marks(self, space: int, **marks: int | bool) -> Layout:
        """The enemy on a space with some marks changed, kept within their bounds."""
        foes = []
        for foe in self.foes:
            if foe.space == space:
                changed = replace(foe.marks, **marks)  # type: ignore[arg-type]
                limit = self.library.enemies[foe.card].wounds
                changed = replace(changed, wounds=max(0, min(limit - 1, changed.wounds)), rage=max(0, changed.rage))
                foe = foe._replace(marks=changed)
            foes.append(foe)
        return replace(self, foes=tuple(foes))

    def _check_room(self, space: int, *, character: bool, ignore_hero: bool = False) -> None:
        if space in self.blocked:
            raise LayoutError(f"A disc blocks {space}.")
        if self.foe_at(space) or (space == self.hero_space and not ignore_hero):
            raise LayoutError(f"A character stands on {space}.")
        ground = self.terrain_at(space)
        if ground and not (character and "impassable" not in self.library.terrain[ground.card].classes):
            raise LayoutError(f"{self.library.terrain[ground.card].name} stands on {space}.")

    # ---------------------------------------------------------------- showing

    def field(self) -> Field:
        """The position as the playfield shows it."""
        grounds = zip(_numbered([ground.card for ground in self.terrain]), self.terrain, strict=True)
        board = Board(
            self.rounds,
            tuple(Ground(name, self.library.terrain[ground.card], ground.space) for name, ground in grounds),
            self.blocked,
            self.no_start,
            self.until_cleared,
            self.title,
            self.text,
        )
        foes = tuple(
            Foe(name, foe.card, foe.space).marked(foe.marks) for name, foe in zip(self.names(), self.foes, strict=True)
        )
        return Field(
            board, self.round, self.hero_space, foes, self.dodges, no_step=self.no_step, poisoned=self.poisoned
        )

    # ---------------------------------------------------------------- files

    def file(self) -> EncounterFile:
        """The encounter file of this layout, with the cards that it uses."""
        enemies = (*(Placement(foe.card, space=foe.space) for foe in self.foes), *self.rolled_enemies)
        terrain = (*(Placement(ground.card, space=ground.space) for ground in self.terrain), *self.rolled_terrain)
        encounter = Encounter(
            self.rounds,
            (self.hero_space, *self.hero_choices),
            enemies,
            terrain,
            self.blocked,
            self.no_start,
            self.until_cleared,
            self.title,
            self.text,
        )
        position = None
        if self.in_mid_game:
            grounds = _numbered([ground.card for ground in self.terrain])
            position = Position(
                self.round,
                self.dodges,
                self.no_step,
                self.poisoned,
                tuple(name for name, ground in zip(grounds, self.terrain, strict=True) if ground.tried),
                self.next_round,
                tuple(
                    (name, foe.marks)
                    for name, foe in zip(self.names(), self.foes, strict=True)
                    if foe.marks != FoeMarks()
                ),
            )
        return EncounterFile(self.title, encounter, self.hero, self._used(), position)

    def _used(self) -> Library:
        """The library cut down to what the file can meet: placed cards, decks drawn from, and their cards."""
        library = self.library
        cards = {foe.card for foe in self.foes} | {p.card for p in self.rolled_enemies if p.card}
        grounds = {ground.card for ground in self.terrain} | {p.card for p in self.rolled_terrain if p.card}
        decks = {p.source for p in (*self.rolled_enemies, *self.rolled_terrain) if p.source}
        while True:
            for deck in decks:
                cards |= {card for card in library.decks[deck] if card in library.enemies}
                grounds |= {card for card in library.decks[deck] if card in library.terrain}
            more = decks | {t.source for id in cards for t in library.enemies[id].traits if t.source}
            if more == decks:
                break
            decks = more
        return Library(
            foods=library.foods,
            enemies=_only(library.enemies, cards),
            terrain=_only(library.terrain, grounds),
            actions=library.actions,
            decks=_only(library.decks, decks),
        )


T = TypeVar("T")


def _only(cards: Mapping[str, T], ids: Collection[str]) -> dict[str, T]:
    return {id: card for id, card in cards.items() if id in ids}


def _numbered(cards: list[str]) -> list[str]:
    """Names as an encounter gives them: the id, ``id-2`` for the second of its kind."""
    seen: dict[str, int] = {}
    names = []
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        names.append(card if seen[card] == 1 else f"{card}-{seen[card]}")
    return names


def empty_layout(library: Library | None = None, hero: HeroCard | None = None) -> Layout:
    """A bare playfield with Rangitaki on 3, from a campaign's cards or with the standard ones alone."""
    library = library or Library(foods=STANDARD_FOODS, actions=STANDARD_ACTIONS)
    return Layout(library, hero=hero or HeroCard(satchel=(0,) * len(library.foods)))


def layout_of(file: EncounterFile, cards: Library | None = None) -> Layout:
    """A file's position laid out for editing; ``cards`` brings further cards to place (a campaign's)."""
    encounter, position = file.encounter, file.position or Position()
    library = _joined(cards, file.library) if cards else file.library
    marks = dict(position.foes)
    fixed = [piece for piece in encounter.enemies if piece.space is not None and piece.card]
    names = _numbered([piece.card for piece in encounter.enemies if piece.card])
    by_piece = dict(zip([id(piece) for piece in encounter.enemies if piece.card], names, strict=True))
    grounds = [piece for piece in encounter.terrain if piece.space is not None and piece.card]
    ground_names = _numbered([piece.card for piece in encounter.terrain if piece.card])
    by_ground = dict(zip([id(piece) for piece in encounter.terrain if piece.card], ground_names, strict=True))
    return Layout(
        library,
        file.title,
        encounter.rounds,
        position.round,
        file.hero,
        encounter.hero_spaces[0],
        encounter.hero_spaces[1:],
        tuple(LaidFoe(p.card or "", p.space or 0, marks.get(by_piece[id(p)], FoeMarks())) for p in fixed),
        tuple(LaidTerrain(p.card or "", p.space or 0, by_ground[id(p)] in position.tried) for p in grounds),
        tuple(piece for piece in encounter.enemies if piece.space is None),
        tuple(piece for piece in encounter.terrain if piece.space is None),
        encounter.blocked,
        encounter.no_start,
        encounter.until_cleared,
        position.dodges,
        position.no_step,
        position.poisoned,
        position.next_round,
        encounter.text,
    )


def _joined(first: Library, second: Library) -> Library:
    """Two libraries as one; the second's cards win, its foods count."""
    return Library(
        foods=second.foods,
        enemies={**first.enemies, **second.enemies},
        terrain={**first.terrain, **second.terrain},
        actions={**first.actions, **second.actions},
        decks={**first.decks, **second.decks},
    )


def with_cards(layout: Layout, cards: Library) -> Layout:
    """The layout with the cards of a campaign to place; its own cards win over theirs."""
    return replace(layout, library=_joined(cards, layout.library))


def with_card(layout: Layout, card: EnemyCard | TerrainCard | ActionCard) -> Layout:
    """The layout with one more card to place, or a card of that id replaced."""
    library = layout.library
    match card:
        case EnemyCard():
            library = replace(library, enemies={**library.enemies, card.id: card})
        case TerrainCard():
            library = replace(library, terrain={**library.terrain, card.id: card})
        case ActionCard():
            library = replace(library, actions={**library.actions, card.id: card})
    return replace(layout, library=library)
