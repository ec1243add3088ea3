"""A next chapter where there is none (CHK-1)."""

from __future__ import annotations

from story.cards import Campaign
from story.loading.draft import Draft

IDS = (ID := "no-next-chapter",)
SEVERITY = {ID: "error"}
TITLE = "The last chapter does not go on to another"
WHY = "The game would stop there: there is no card to turn to."


def check(draft: Draft) -> None:
    """Only chapters are looked at: a special card may be read in any of them."""
    if not isinstance(draft.loaded, Campaign) or draft.unread or not draft.index.chapters:
        return
    last = max(draft.index.chapters)
    for reference in draft.named("next"):
        if reference.scope.kind == "chapter" and reference.scope.owner == last:
            hint = "end the game with ending:, or list another chapter in campaign.yaml"
            draft.problem(reference.span, ID, f"chapter {last} is the last one: no other comes after it", hint)
