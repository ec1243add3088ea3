"""Names of amounts that mean nothing: no talent, food or counter is called so (CHAL-4, HEAL-4)."""

from __future__ import annotations

from story.loading.draft import Draft
from story.loading.shapes.steps import AMOUNTS
from story.problems import did_you_mean, near

IDS = ("unknown-amount", "unknown-counter", "unknown-food")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "Every amount is AP, a talent, a food or a counter"
WHY = "What nobody counts is neither gained nor paid, and no condition on it can be judged."

_HINTS = {
    "wounds": "write a step of its own: wound: 1, or heal: 1",
    "wound": "write a step of its own: wound: 1",
    "heal": "write a step of its own: heal: 1",
}


def check(draft: Draft) -> None:
    """Each amount against the fixed ones and the campaign's own."""
    if draft.loose:
        return
    for reference in draft.named("amount", "asked", "counter", "food"):
        name = str(reference.name)
        known = list(draft.known(reference.kind))
        if name in known:
            continue
        if reference.kind == "amount":
            if name in _HINTS:
                draft.problem(reference.span, "unknown-amount", f'"{name}" is not gained or lost', _HINTS[name])
                continue
            known += ["event", "item", "action"]
            what = "an amount"
        elif reference.kind == "asked":
            known += ["event", "item", "action", "at_most", "discarded", "not", "any"] * (reference.role == "ask")
            what = "a condition or an amount" if reference.role == "ask" else "an amount"
        else:
            what = f"a {reference.kind}"
        id = f"unknown-{reference.kind}".replace("asked", "amount")
        hint = did_you_mean(name, known)
        if reference.kind == "counter" and not known:
            other = near(name, [*AMOUNTS, *draft.index.foods])
            hint = (
                f"{other} is gained and lost, not counted"
                if other == name
                else f"define it in campaign.yaml: counters: {{{name}: {{name: …}}}}"
            )
        draft.problem(reference.span, id, f'"{name}" is not {what}', hint)
