"""Events, items, actions and counters that are given and make no difference (INV-1 to INV-3)."""

from __future__ import annotations

from story.cards import Campaign, Fight
from story.loading.draft import Draft

IDS = (ID := "never-asked",)
SEVERITY = {ID: "info"}
TITLE = "What is given is asked for somewhere"
WHY = "What no condition, cost or encounter asks for changes nothing: a place that should ask for it may be missing."


def check(draft: Draft) -> None:
    """The first place that gives is named. An action is of use as soon as there is an encounter."""
    if not isinstance(draft.loaded, Campaign) or draft.unread or draft.damaged:
        return
    counters = draft.index.counters
    asked = set()
    held = draft.named("event", "item", "action", "amount", "asked", "counter")
    for each in held:
        if each.kind == "asked" or (each.kind == "amount" and each.role == "cost"):
            asked.add(("counter", each.name))
        elif each.role in ("ask", "cost"):
            asked.add((each.kind, each.name))
    fights = any(isinstance(step, Fight) for steps in draft.steps.values() for step in steps)
    doubtful = draft.unresolved()
    told: set[tuple[str, int | str]] = set()
    for each in held:
        gives = each.role == "gain" or (each.role == "count" and each.n > 0)
        kind = "counter" if each.name in counters and each.kind in ("amount", "counter") else each.kind
        key = (kind, each.name)
        if not gives or key in asked | told or kind in doubtful or (kind == "action" and fights):
            continue
        if each.name not in (counters if kind == "counter" else draft.index.cards.get(kind, ())):
            continue
        told.add(key)
        message = f'the {kind} "{each.name}" is given and nothing asks for it'
        hint = f"ask for it in an if: or needs:, or leave the {'counting' if kind == 'counter' else 'gain'} out"
        if kind == "action":
            message = f'the action "{each.name}" is given and there is no encounter to use it in'
            hint = "ask for it in an if: or needs:, or leave the gain out"
        draft.problem(each.span, ID, message, hint, "info")
