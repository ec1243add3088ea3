"""Unnumbered cards that nothing ever names or draws (NAV-5)."""

from __future__ import annotations

from story.cards import Campaign
from story.loading.draft import Draft

IDS = (ID := "unused-card",)
SEVERITY = {ID: "warning"}
TITLE = "Every unnumbered card can come into play"
WHY = "A card that never comes into play was written in vain, or the step that should name it is missing."

_DRAWN = {"enemies": "enemy", "terrain": "terrain", "special": "special", "drinks": "drink", "actions": "action"}


def check(draft: Draft) -> None:
    """A card is used where its id stands, and all cards of a deck where the deck's id stands."""
    if not isinstance(draft.loaded, Campaign) or draft.unread:
        return
    index = draft.index
    doubtful = draft.unresolved()
    if "deck" in doubtful:
        return
    used: set[tuple[str, str]] = {("action", "dart-shot")}
    decks: set[str] = set()
    for reference in draft.named("special", "deck", "conversation", *index.cards):
        name = str(reference.name)
        if reference.kind == "special":
            deck, _, id = name.rpartition(":")
            used |= {("special", f"{home}:{id}") for home in ([deck] if deck else index.homes(id))}
        elif reference.kind in ("deck", "conversation"):
            decks.add(name)
        else:
            used.add((reference.kind, name))
    for kind, cards in index.cards.items():
        for id, span in cards.items():
            drawn = any(
                index.decks[deck][1].file == span.file and _DRAWN.get(index.decks[deck][0]) == kind
                for deck in decks
                if deck in index.decks
            )
            if span.file and not drawn and (kind, id) not in used and kind not in doubtful:
                draft.problem(span, ID, f'nothing names the {kind} "{id}"', "use it, or delete it", "warning")
    for kind, tables in (("special", index.specials), ("drink", index.drinks)):
        for deck, ids in tables.items():
            for id, span in ids.items():
                if deck not in decks and (kind, f"{deck}:{id}") not in used and kind not in doubtful:
                    hint = (
                        f"use it (draw: {deck} turns all of them), or delete it"
                        if kind == "special"
                        else "open a tavern with it"
                    )
                    draft.problem(span, ID, f'nothing names or draws the {kind} card "{id}"', hint, "warning")
    for deck in index.conversations:
        if deck not in decks:
            draft.problem(
                index.decks[deck][1], ID, f'nobody sits down with "{deck}"', "give it a seat in a tavern", "warning"
            )
