"""Events, items, actions, enemies and terrain that are named and never defined (INV-1 to INV-3, FOE-1)."""

from __future__ import annotations

from story.loading.draft import Draft

IDS = ("missing-event", "missing-item", "missing-action", "missing-enemy", "missing-terrain")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "Every id that is named is defined in a deck of its kind"
WHY = "What is not defined has no name, no text and no numbers, and cannot be laid out or held."


def check(draft: Draft) -> None:
    """Each reference against the cards of its kind."""
    if draft.unread or draft.loose:
        return
    for reference in draft.named(*_DECKS):
        if draft.open_inventories and reference.kind in ("event", "item"):
            continue
        known, name = draft.index.cards[reference.kind], str(reference.name)
        if name in known:
            continue
        hint = draft.suggest(name, known)
        other = next((kind for kind, _, card in draft.index.unnumbered() if card == name), None)
        if not hint.startswith("did you mean"):
            if other is not None:
                hint = f"there is one of kind {other}"
            elif not known:
                hint = f"define it in a deck of kind {_DECKS[reference.kind]}: there is none yet"
        draft.problem(reference.span, f"missing-{reference.kind}", f'there is no {reference.kind} "{name}"', hint)


_DECKS = {"event": "events", "item": "items", "action": "actions", "enemy": "enemies", "terrain": "terrain"}
