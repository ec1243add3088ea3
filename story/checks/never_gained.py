"""Events, items, actions and counters that are asked for and can never be held (INV-1 to INV-3)."""

from __future__ import annotations

from story.cards import ALWAYS_ACTIONS, Campaign
from story.loading.draft import Draft, Reference

IDS = (ID := "never-gained",)
SEVERITY = {ID: "warning"}
TITLE = "What is asked for can be gained somewhere"
WHY = "What stands behind such a question never happens."


def check(draft: Draft) -> None:
    """The first place that asks is named."""
    if not isinstance(draft.loaded, Campaign) or draft.unread:
        return
    gained: set[tuple[str, int | str]] = {("action", id) for id in (*ALWAYS_ACTIONS, *draft.loaded.hero.actions)}
    held = draft.named("event", "item", "action", "asked", "amount", "counter")
    for each in held:
        if each.role == "gain" or (each.role == "count" and each.n > 0):
            gained.add(_key(draft, each))
    doubtful = draft.unresolved()
    told: set[tuple[str, int | str]] = set()
    for each in held:
        kind, name = key = _key(draft, each)
        if each.role not in ("ask", "cost") or key in gained | told or kind in doubtful:
            continue
        if kind == "counter" and each.n > 0:
            hint = f"add count: {{{name}: +1}} somewhere"
        elif name in draft.index.cards.get(kind, {}):
            hint = f"add gain: {{{kind}: {name}}} somewhere"
        else:
            continue
        told.add(key)
        draft.problem(each.span, ID, f'the {kind} "{name}" is asked for and never gained', hint, "warning")


def _key(draft: Draft, reference: Reference) -> tuple[str, int | str]:
    counts = reference.kind in ("amount", "asked", "counter") and reference.name in draft.index.counters
    return "counter" if counts else reference.kind, reference.name
