"""Looking through the steps of cards."""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import Campaign, Challenge, Chart, Choice, Choose, If, Step, Steps, StoryCard, Tavern
from story.loading.draft import Draft

Key = str
"""``1:12`` of a numbered card, ``heads:otto`` of an unnumbered one."""


def inner_steps(step: Step) -> Iterator[Steps]:
    """The steps that a step may lead to on the same card."""
    match step:
        case Choose(choices=choices):
            yield from (choice.steps for choice in choices)
        case Challenge(succeed=succeed, fail=fail, perfect=perfect):
            yield from (steps for steps in (succeed, fail, perfect) if steps)
        case Chart(rows=rows):
            yield from (row.steps for row in rows)
        case If(then=then, otherwise=otherwise):
            yield then
            yield otherwise
        case Tavern(then=then):
            yield then


def walk(steps: Steps) -> Iterator[Step]:
    """Every step, those of outcomes, options and branches included."""
    for step in steps:
        yield step
        for inner in inner_steps(step):
            yield from walk(inner)


def options(card: StoryCard) -> Iterator[tuple[int, Choice]]:
    """The options of a card with their numbers: the N of ``CARD/N``, over all its questions."""
    choices = (choice for step in walk(card.steps) if isinstance(step, Choose) for choice in step.choices)
    return enumerate(choices, 1)


def story_cards(campaign: Campaign) -> Iterator[tuple[Key, StoryCard]]:
    """All cards of chapters and special decks; conversations end as they like and are left out."""
    for chapter in campaign.chapters:
        for number, card in chapter.cards.items():
            yield f"{chapter.number}:{number}", card
    yield from campaign.library.specials.items()


def cards_of(draft: Draft) -> dict[Key, StoryCard]:
    """``story_cards`` of a draft; empty if it is no campaign."""
    return dict(story_cards(draft.loaded)) if isinstance(draft.loaded, Campaign) else {}


def chapter_of(key: Key) -> int | None:
    """The chapter of a numbered card."""
    head = key.split(":")[0]
    return int(head) if head.isdecimal() else None
