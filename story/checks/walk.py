"""Looking through the steps of cards."""

from __future__ import annotations

from collections.abc import Iterator

from story.cards import Campaign, Challenge, Chart, Choice, Choose, If, Step, Steps, StoryCard, Tavern

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


MOST_NAMES = 8


def in_words(keys: list[Key]) -> str:
    """``card 4``, ``cards 4, 5 and 6``, and how many there are where they are too many to name."""
    names = [key.split(":")[1] for key in keys]
    if len(names) == 1:
        return f"card {names[0]}"
    if len(names) > MOST_NAMES:
        return f"cards {', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    return f"cards {', '.join(names[:-1])} and {names[-1]}"


def chapter_of(key: Key) -> int | None:
    """The chapter of a numbered card."""
    head = key.split(":")[0]
    return int(head) if head.isdecimal() else None
