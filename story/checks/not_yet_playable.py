"""Steps that are part of the format and whose rule is not part of the program yet."""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import Campaign, Span, Step, Tavern
from story.checks.walk import story_cards, walk
from story.loading.draft import Draft
from story.problems import Problem, at

IDS = (ID := "not-yet-playable",)
SEVERITY = {ID: "warning"}
TITLE = "Every step can be played"
WHY = "The game would have to stop at a step that this version does not know how to play."

WITHOUT_RULE: dict[type[Step], str] = {Tavern: "the tavern"}


def steps_without_rule(campaign: Campaign, draft: Draft | None = None) -> Iterator[Problem]:
    """A warning for each step that play would have to refuse, in the order of the cards."""
    for _, card in story_cards(campaign):
        for step in walk(card.steps):
            if name := WITHOUT_RULE.get(type(step)):
                span = step.span or card.span or Span("", 0, 0, 0, 0)
                source = draft.sources.get(span.file) if draft else None
                message = f"{name} is not yet playable in this version"
                hint = "the deck is read and checked; playing it is refused"
                short = Span(span.file, span.line, span.column, span.line, span.column + 1)
                yield at(short, ID, "warning", message, hint, source.lines if source else ())


def check(draft: Draft) -> None:
    """The same, as warnings of the deck."""
    if isinstance(draft.loaded, Campaign) and any(
        type(step) in WITHOUT_RULE for steps in draft.steps.values() for step in steps
    ):
        draft.problems += steps_without_rule(draft.loaded, draft)
