"""Challenges whose outcome hardly depends on the die (CHAL-2, CHAL-3, CHAL-6, CHAL-7).

A natural 1 always fails and a natural 20 always succeeds, and Action Points can change the rest: no challenge is
certain. These are as near to it as the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import TALENTS, Campaign, Challenge, Library, Span
from story.hero import TALENT_CAP
from story.loading.draft import Draft

IDS = (SURE := "cannot-fail", HOPELESS := "cannot-succeed")
SEVERITY = {SURE: "info", HOPELESS: "info"}
TITLE = "Every challenge can be failed and met by a middling roll"
WHY = "A roll that decides nothing is a roll for nothing; the level is often a slip of the pen."


def check(draft: Draft) -> None:
    """Her talents count with the least and the most that she can have. A table position may be set on purpose."""
    if not isinstance(draft.loaded, Campaign) or draft.loose:
        return
    least = dict(zip(TALENTS, draft.loaded.hero.talents, strict=True))
    for each in draft.named("amount"):
        if each.role in ("lose", "cost") and str(each.name) in least:
            least[str(each.name)] = 0
    for challenge, span in _challenges(draft, draft.loaded.library):
        level, talent = challenge.level, challenge.type
        short = Span(span.file, span.line, span.column, span.line, span.column + 1)
        if level <= 2 + least[talent]:
            message = f"only a natural 1 fails this {talent} challenge of level {level}"
            hint = f"raise the level above {2 + least[talent]}, or leave the challenge out"
            draft.problem(short, SURE, message, hint, "info")
        elif level > 19 + TALENT_CAP:
            most = 19 + TALENT_CAP
            message = f"without AP only a natural 20 meets this {talent} challenge of level {level}"
            hint = f"lower the level to {most} or less: a 19 and {TALENT_CAP} talent points are {most}"
            draft.problem(short, HOPELESS, message, hint, "info")


def _challenges(draft: Draft, library: Library) -> Iterator[tuple[Challenge, Span]]:
    """Those of cards that are read, of enemies and of terrain."""
    for steps in draft.steps.values():
        yield from ((step, step.span) for step in steps if isinstance(step, Challenge) and step.span)
    tried = [card.challenge for card in library.enemies.values()]
    tried += [card.challenge for card in library.terrain.values()]
    yield from ((challenge, challenge.span) for challenge in tried if challenge and challenge.span)
