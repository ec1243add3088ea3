"""Positions in mid-game that contradict their set-up (``state`` of an encounter file)."""

from __future__ import annotations

from story.cards import EncounterFile
from story.checks.pieces import piece_names
from story.loading.draft import Draft
from story.problems import did_you_mean

IDS = ("missing-piece", "position-not-laid-out", "already-defeated")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "A position in mid-game fits its set-up"
WHY = "A position that cannot have come about has no best move."


def check(draft: Draft) -> None:
    """Names, wounds, and everything standing somewhere."""
    loaded = draft.loaded
    if not isinstance(loaded, EncounterFile) or loaded.position is None:
        return
    encounter, library = loaded.encounter, loaded.library
    enemies, terrain = piece_names(encounter.enemies), piece_names(encounter.terrain)
    cards = {
        name: piece.card
        for names, placements in ((enemies, encounter.enemies), (terrain, encounter.terrain))
        for name, piece in zip(names, [piece for piece in placements if piece.card], strict=True)
    }
    for piece in (*encounter.enemies, *encounter.terrain):
        if piece.space is None and piece.span is not None:
            message = "a position in mid-game has no pieces left to place"
            draft.problem(piece.span, "position-not-laid-out", message, "give it a space, or delete state:")
    if len(encounter.hero_spaces) > 1 and encounter.hero_span is not None:
        message = "a position in mid-game has one space for the hero"
        draft.problem(encounter.hero_span, "position-not-laid-out", message, "name the space she stands on")
    marks = dict(loaded.position.foes)
    for reference in draft.named("piece"):
        name = str(reference.name)
        known = enemies if reference.role == "marks" else [*enemies, *terrain]
        if name not in known:
            what = "enemy" if reference.role == "marks" else "enemy or terrain"
            draft.problem(
                reference.span,
                "missing-piece",
                f'no {what} of this encounter is called "{name}"',
                did_you_mean(name, known),
            )
            continue
        card = cards[name] or ""
        enemy = library.enemies.get(card)
        if reference.role == "marks" and enemy is not None and name in marks and marks[name].wounds >= enemy.wounds:
            message = f"{name} has {marks[name].wounds} wounds of {enemy.wounds}: it is defeated already"
            draft.problem(reference.span, "already-defeated", message, "take it off the playfield")
        if reference.role == "tried":
            tried = enemy or library.terrain.get(card)
            if tried is not None and tried.challenge is None:
                draft.problem(reference.span, "missing-piece", f"{name} has no challenge to try", "delete it")
