"""Decks that are drawn from, drunk from or sat down with, and are not there or of another kind (FOE-7, TAV-1)."""

from __future__ import annotations

from story.loading.draft import Draft

IDS = (ID := "missing-deck", WRONG := "wrong-deck", CONVERSATION := "missing-conversation")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "Every deck that is named exists and is of the right kind"
WHY = "There would be nothing to draw from, and nobody to talk to."


def check(draft: Draft) -> None:
    """The role of a reference is the kind of deck it needs."""
    if draft.unread or draft.loose:
        return
    decks = draft.index.decks
    for reference in draft.named("deck", "conversation"):
        name = str(reference.name)
        wanted = "conversation" if reference.kind == "conversation" else reference.role
        kind = decks[name][0] if name in decks else None
        if kind == wanted:
            continue
        fitting = [deck for deck, (other, _) in decks.items() if other == wanted]
        if kind is None:
            id = CONVERSATION if wanted == "conversation" else ID
            hint = draft.suggest(name, fitting) or f"add {name}.yaml of kind {wanted} to the decks: of campaign.yaml"
            draft.problem(reference.span, id, f'there is no deck "{name}" of kind {wanted}', hint)
        else:
            message = f'the deck "{name}" is of kind {kind}, a deck of kind {wanted} is needed here'
            draft.problem(
                reference.span, WRONG, message, draft.suggest(name, fitting) or f"name a deck of kind {wanted}"
            )
