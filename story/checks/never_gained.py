"""Events, items and actions that are asked for and can never be held (INV-1 to INV-3)."""

from __future__ import annotations

from story.cards import ALWAYS_ACTIONS, Campaign
from story.loading.draft import Draft

IDS = (ID := "never-gained",)
TITLE = "What is asked for can be gained somewhere"


def check(draft: Draft) -> None:
    """The first place that asks is named."""
    if not isinstance(draft.loaded, Campaign) or draft.unread:
        return
    held = {("action", id) for id in (*ALWAYS_ACTIONS, *draft.loaded.hero.actions)}
    gained = {(each.kind, each.name) for each in draft.references if each.role == "gain"} | held
    doubtful = draft.unresolved()
    told: set[tuple[str, int | str]] = set()
    for reference in draft.references:
        key = (reference.kind, reference.name)
        if (
            reference.role != "ask"
            or reference.kind not in ("event", "item", "action")
            or key in gained | told
            or reference.kind in doubtful
        ):
            continue
        if reference.name in draft.index.cards[reference.kind]:
            told.add(key)
            message = f'the {reference.kind} "{reference.name}" is asked for and never gained'
            hint = f"add gain: {{{reference.kind}: {reference.name}}} somewhere"
            draft.problem(reference.span, ID, message, hint, "warning")
