"""Amounts larger than what can ever be held (CHAL-4, HEAL-4)."""

from __future__ import annotations

from story.cards import ALL, TALENTS
from story.hero import TALENT_CAP
from story.loading.draft import Draft

IDS = (GAIN := "gain-beyond-cap", ASK := "asked-beyond-cap")
SEVERITY = {GAIN: "warning", ASK: "warning"}
TITLE = "No amount is larger than what can be held"
WHY = "What is gained beyond a cap is lost at once, and what is asked for beyond it is never there."


def check(draft: Draft) -> None:
    """Talents and foods have caps; Action Points and counters have none."""
    if draft.loaded is None:
        return
    library = draft.loaded.library
    caps = dict.fromkeys(TALENTS, TALENT_CAP) | {food.id: food.holds for food in library.foods}
    if draft.loose:
        caps = dict.fromkeys(TALENTS, TALENT_CAP)
    for each in draft.named("amount", "asked"):
        name = str(each.name)
        if name not in caps or not caps[name] < each.n < ALL:
            continue
        from story.effects import amount_name  # the rules of play, which checking needs nowhere else

        words = f"{each.n} is more {amount_name(name, library)} than can be held"
        if each.role == "gain":
            hint = f"write {caps[name]} or less: the rest is lost"
            draft.problem(each.span, GAIN, words, hint, "warning")
        elif each.role in ("ask", "cost"):
            hint = f"write {caps[name]} or less: more is never there"
            draft.problem(each.span, ASK, words, hint, "warning")
