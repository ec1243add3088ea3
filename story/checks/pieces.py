"""Set-ups that cannot be laid out: pieces on one space, on a disc, or without a space (FIELD-3 to FIELD-9, FOE-7)."""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import SPACES, Campaign, Encounter, EncounterFile, Fight, Library, Placement, Span
from story.loading.draft import Draft

IDS = ("space-taken", "space-blocked", "no-free-space", "draw-too-many", "name-clash")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "Every encounter can be laid out"
WHY = "A playfield that cannot be laid out cannot be played on."


def check(draft: Draft) -> None:
    """Every encounter of the deck."""
    for encounter, library, in_play in encounters(draft):
        _one(draft, encounter, library, in_play)


def encounters(draft: Draft) -> Iterator[tuple[Encounter, Library, bool]]:
    """All encounters with what their ids mean, and whether they are positions in mid-game."""
    loaded = draft.loaded
    if isinstance(loaded, EncounterFile):
        yield loaded.encounter, loaded.library, loaded.position is not None
    elif isinstance(loaded, Campaign):
        for steps in draft.steps.values():
            for step in steps:
                if isinstance(step, Fight):
                    yield step.encounter, loaded.library, False


def _one(draft: Draft, encounter: Encounter, library: Library, in_play: bool) -> None:
    pieces = [*(("enemy", each) for each in encounter.enemies), *(("terrain", each) for each in encounter.terrain)]
    taken: dict[int, tuple[str, Placement | None, bool]] = {}
    if len(encounter.hero_spaces) == 1:
        taken[encounter.hero_spaces[0]] = ("the hero", None, True)
        if encounter.hero_spaces[0] in encounter.blocked:
            _say(
                draft,
                encounter.hero_span,
                "space-blocked",
                f"the hero stands on space {encounter.hero_spaces[0]}, which is blocked",
                "choose another space for her, or take it out of blocked:",
            )
    fixed: dict[int, str] = {}
    for kind, piece in pieces:
        if piece.space is None:
            continue
        name = f"{kind} {piece.card}"
        stands = kind == "enemy"
        if piece.space in encounter.blocked:
            message = f"{name} stands on space {piece.space}, which is blocked"
            _say(draft, piece.span, "space-blocked", message, "choose a space that is not in blocked:")
        if piece.space in taken and not (in_play and _shared(library, taken[piece.space], (kind, piece))):
            message = f"{name} stands on space {piece.space}, where {taken[piece.space][0]} is already"
            hint = "choose another space"
            if not stands and not in_play:
                hint += "; only a position in mid-game (state:) may have a character on terrain"
            _say(draft, piece.span, "space-taken", message, hint)
        taken.setdefault(piece.space, (name, piece, stands))
        fixed[piece.space] = name
    if len(encounter.hero_spaces) > 1:
        for space in encounter.hero_spaces:
            if space in fixed:
                message = f"the hero may choose space {space}, where {fixed[space]} is"
                _say(draft, encounter.hero_span, "space-taken", message, "take it out of the hero's spaces")
            elif space in encounter.blocked:
                message = f"the hero may choose space {space}, which is blocked"
                _say(draft, encounter.hero_span, "space-blocked", message, "take it out of the hero's spaces")
    _room(draft, encounter, pieces, set(fixed))
    _draws(draft, encounter, library)
    _names(draft, encounter, library)


def _say(draft: Draft, span: Span | None, id: str, message: str, hint: str = "") -> None:
    if span is not None:
        short = (
            span if span.line == span.end_line else Span(span.file, span.line, span.column, span.line, span.column + 1)
        )
        draft.problem(short, id, message, hint)


def _shared(library: Library, first: tuple[str, Placement | None, bool], second: tuple[str, Placement]) -> bool:
    """A character on terrain that may be entered (FIELD-3, TERR-1)."""
    kind, piece = second
    _, other, stands = first
    if stands == (kind == "enemy"):
        return False
    terrain = piece if kind == "terrain" else other
    card = library.terrain.get(terrain.card or "") if terrain else None
    return card is None or "impassable" not in card.classes


def _room(draft: Draft, encounter: Encounter, pieces: list[tuple[str, Placement]], fixed: set[int]) -> None:
    rolled = [(piece, max(1, piece.draw)) for _, piece in pieces if piece.space is None]
    if not rolled or not encounter.hero_spaces:
        return
    closed = fixed | encounter.blocked | encounter.no_start
    free = min(len(set(SPACES) - closed - {hero}) for hero in encounter.hero_spaces)
    needed = 0
    for piece, n in rolled:
        needed += n
        if needed > free:
            message = f"no free space is left for the placement die: {free} for {sum(n for _, n in rolled)} pieces"
            _say(
                draft,
                piece.span,
                "no-free-space",
                message,
                "block fewer spaces, mark fewer as no_start, or place fewer pieces",
            )
            return


def _draws(draft: Draft, encounter: Encounter, library: Library) -> None:
    drawn: dict[str, int] = {}
    for piece in (*encounter.enemies, *encounter.terrain):
        deck = piece.source
        if deck is None or deck not in library.decks:
            continue
        before, there = drawn.get(deck, 0), len(library.decks[deck])
        drawn[deck] = before + piece.draw
        if before <= there < drawn[deck]:
            message = f"{drawn[deck]} cards are drawn from {deck}, which has {there}"
            _say(draft, piece.span, "draw-too-many", message, "draw fewer, or give a card copies:")


def piece_names(placements: tuple[Placement, ...]) -> list[str]:
    """The names of fixed pieces: the card's id, ``woopu-2`` for the second of a kind."""
    counts: dict[str, int] = {}
    names = []
    for piece in placements:
        if piece.card is None:
            continue
        counts[piece.card] = counts.get(piece.card, 0) + 1
        names.append(piece.card if counts[piece.card] == 1 else f"{piece.card}-{counts[piece.card]}")
    return names


def _names(draft: Draft, encounter: Encounter, library: Library) -> None:
    """Two pieces must not answer to one name."""
    enemies = [piece for piece in encounter.enemies if piece.card]
    terrain = [piece for piece in encounter.terrain if piece.card]
    named: dict[str, str] = {}
    for kind, group in (("enemy", enemies), ("terrain", terrain)):
        for piece, name in zip(group, piece_names(tuple(group)), strict=True):
            if name in named:
                message = f"two pieces are called {name}: an answer could not tell them apart"
                _say(draft, piece.span, "name-clash", message, "rename one of the cards")
            named.setdefault(name, kind)
