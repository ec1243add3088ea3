"""Cards that leave the player with nowhere to go (NAV-2)."""

from __future__ import annotations

from collections.abc import Callable

from story.cards import (
    Campaign,
    CardRef,
    Challenge,
    Chart,
    Choose,
    DrawCard,
    Ending,
    If,
    NextChapter,
    Pull,
    Reveal,
    Span,
    Step,
    Steps,
    StoryCard,
    Tavern,
)
from story.checks.walk import Key, chapter_of
from story.loading.draft import Draft

IDS = (ID := "dead-end", BRANCH := "dead-branch", NO_ENDING := "no-ending")
SEVERITY = {ID: "error", BRANCH: "warning", NO_ENDING: "warning"}
TITLE = "Every card that is turned to leads on"
WHY = "The player would sit before a card that says neither where to go nor that this was the end."

_MOVING = (Reveal, NextChapter, Ending, Tavern)


def check(draft: Draft) -> None:
    """A card without any step that moves on is an error; one that moves on in some of its outcomes only, a warning."""
    if not isinstance(draft.loaded, Campaign):
        return
    cards = draft.cards
    if not draft.unread:
        _endings(draft)
    turned = _turned_to(draft)
    moving = _moving(draft)
    for key in sorted(turned & cards.keys()):
        card = cards[key]
        if key in draft.damaged or card.span is None:
            continue
        place = draft.place_of(key) or card.span
        if key not in moving:
            draft.problem(
                place,
                ID,
                f"card {key.split(':')[1]} is a dead end: no step of it moves on",
                "add reveal:, choose:, next_chapter: or ending:",
            )
        elif (found := _falls(card.steps, _mover(cards, moving, key))) is not None:
            span, words = found
            short = Span(span.file, span.line, span.column, span.line, span.column + 1) if span else place
            draft.problem(
                short,
                BRANCH,
                f"{words} leads nowhere: the card ends there",
                "add reveal:, next_chapter: or ending: there, or at the end of the card",
                "warning",
            )


def _endings(draft: Draft) -> None:
    if (
        draft.damaged
        or not draft.cards
        or any(isinstance(step, Ending) for steps in draft.steps.values() for step in steps)
    ):
        return
    assert isinstance(draft.loaded, Campaign)
    source = next(iter(draft.sources.values()))
    assert source.root is not None
    span = source.span(source.root)
    start = Span(span.file, span.line, span.column, span.line, span.column + 1)
    draft.problem(
        start,
        NO_ENDING,
        "no card of the campaign ends the game",
        "add ending: {id: home, title: Home, kind: victory} where the story is over",
        "warning",
    )


def _turned_to(draft: Draft) -> set[Key]:
    """Cards that become the current card: starts, and what is revealed."""
    assert isinstance(draft.loaded, Campaign)
    chapters = [chapter.number for chapter in draft.loaded.chapters]
    turned = {f"{chapter.number}:{chapter.start}" for chapter in draft.loaded.chapters}
    for key, steps in draft.steps.items():
        home = chapter_of(key)
        for step in steps:
            if isinstance(step, Reveal):
                turned |= _keys(step.card, [home] if home is not None else chapters)
    return turned


def _keys(ref: CardRef, chapters: list[int]) -> set[Key]:
    return {ref} if isinstance(ref, str) else {f"{chapter}:{ref}" for chapter in chapters}


def _moving(draft: Draft) -> set[Key]:
    """Cards with a step that moves on somewhere in them, or that pull or draw such a card."""
    moving = {key for key, steps in draft.steps.items() if any(isinstance(step, _MOVING) for step in steps)}
    pulled_by: dict[Key, list[Key]] = {}
    for key, steps in draft.steps.items():
        for step in steps:
            for target in _pulled(step, key, draft.cards):
                pulled_by.setdefault(target, []).append(key)
    waiting = list(moving)
    while waiting:
        for key in pulled_by.get(waiting.pop(), ()):
            if key not in moving:
                moving.add(key)
                waiting.append(key)
    return moving


def _pulled(step: Step, key: Key, cards: dict[Key, StoryCard]) -> list[Key]:
    if isinstance(step, Pull):
        home = chapter_of(key)
        return [
            target
            for ref in step.cards
            for target in (
                [ref] if isinstance(ref, str) else [f"{home}:{ref}"] if home is not None else _anywhere(ref, cards)
            )
        ]
    if isinstance(step, DrawCard):
        return [card for card in cards if card.startswith(f"{step.deck}:")]
    return []


def _anywhere(number: int, cards: dict[Key, StoryCard]) -> list[Key]:
    return [key for key in cards if key.endswith(f":{number}") and chapter_of(key) is not None]


def _mover(cards: dict[Key, StoryCard], moving: set[Key], key: Key) -> Callable[[Step], bool]:
    def moves(step: Step) -> bool:
        return any(target in moving for target in _pulled(step, key, cards))

    return moves


Fall = tuple[Span | None, str]


def _falls(steps: Steps, pulled_moves: Callable[[Step], bool]) -> Fall | None:
    """The first outcome in which the steps come to their end without moving on; None if there is none for certain.

    Conditions and pulled cards get the benefit of the doubt: the search over states judges them.
    """
    why: Fall = (None, "this card's end")
    for step in steps:
        inner: list[tuple[Steps | None, str]]
        match step:
            case Reveal() | NextChapter() | Ending() | Tavern():
                return None
            case Pull() | DrawCard():
                if pulled_moves(step):
                    return None
                continue
            case If(then=then, otherwise=otherwise):
                if _falls(then, pulled_moves) is None or _falls(otherwise, pulled_moves) is None:
                    return None
                continue
            case Challenge(succeed=succeed, fail=fail):
                inner = [(succeed, "the success of this challenge"), (fail, "the failure of this challenge")]
            case Chart(rows=rows):
                inner = [(row.steps, f"the row {row.low}-{row.high} of this chart") for row in rows]
            case Choose(choices=choices):
                found = [choice for choice in choices if _falls(choice.steps, pulled_moves) is not None]
                if not found:
                    return None
                why = (found[0].span, f'the option "{found[0].say}"')
                continue
            case _:
                continue
        open_ends = [words for part, words in inner if part is None or _falls(part, pulled_moves) is not None]
        if not open_ends:
            return None
        why = (step.span, open_ends[0])
    return why
