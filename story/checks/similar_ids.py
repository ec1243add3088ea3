"""Ids of one kind that differ by one letter alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from story.cards import Span
from story.loading.draft import Draft

IDS = (ID := "similar-ids",)
SEVERITY = {ID: "info"}
TITLE = "No two ids of one kind are a slip of the pen apart"
WHY = "Whoever mistypes one of them names the other, and no check can tell. Ids are lower-case, so case never differs."

SHORTEST = 4
"""Of shorter ids every second one is like another."""


def check(draft: Draft) -> None:
    """Each pair once, at the id that is defined later. Numbers and single letters at the end of a name are meant."""
    index = draft.index
    kinds: dict[str, Mapping[str, Span]] = {
        **index.cards,
        "special card": {id: span for ids in index.specials.values() for id, span in ids.items()},
        "drink": {id: span for ids in index.drinks.values() for id, span in ids.items()},
        "counter": index.counters,
        "food": index.foods,
    }
    for kind, ids in kinds.items():
        own = {id: span for id, span in ids.items() if span.file and len(id) >= SHORTEST}
        for one, other in _pairs(list(own)):
            first, second = sorted((one, other), key=lambda id: (own[id].file, own[id].line, own[id].column))
            message = f'the {kind} ids "{first}" and "{second}" differ by one letter'
            draft.problem(own[second], ID, message, "rename one of the two", "info")


def _pairs(ids: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs with one letter replaced, added or swapped with the next."""
    holes: dict[tuple[str, str], str] = {}
    known = {id: place for place, id in enumerate(ids)}
    for id in ids:
        for i, letter in enumerate(id):
            rest = id[:i] + id[i + 1 :]
            if not letter.isalpha() or _alone(id, i):
                continue
            swapped = id[:i] + id[i + 1 : i + 2] + letter + id[i + 2 :]
            if id[i + 1 : i + 2].isalpha() and known.get(swapped, -1) > known[id]:
                yield id, swapped
            if rest in known:
                yield id, rest
            other = holes.setdefault((id[:i], id[i + 1 :]), id)
            if other != id and other[i].isalpha():
                yield other, id


def _alone(id: str, i: int) -> bool:
    """Whether a letter is a word of its own: ``door-a``."""
    return (i == 0 or id[i - 1] == "-") and (i + 1 == len(id) or id[i + 1] == "-")
