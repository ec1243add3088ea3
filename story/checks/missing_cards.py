"""Cards that a step names and no deck defines (NAV-2 to NAV-5)."""

from __future__ import annotations

from story.loading.draft import Draft, Reference
from story.problems import near_number

IDS = (ID := "missing-target", AMBIGUOUS := "ambiguous-id")
SEVERITY = dict.fromkeys(IDS, "error")
TITLE = "Every card that is named exists"
WHY = "The game would stop there: nobody can turn to a card that is not in the box."


def check(draft: Draft) -> None:
    """Numbers within their own chapter or conversation, ids within the special decks."""
    readers = _chapters_of_special_decks(draft)
    for reference in draft.named("card", "special"):
        if reference.kind == "card":
            _number(draft, reference, readers)
        elif not draft.unread and not draft.loose:
            _id(draft, reference)


def _chapters_of_special_decks(draft: Draft) -> dict[str, set[int]]:
    """The chapters in which each special deck's cards are read: its numbers are theirs."""
    direct: dict[str, set[int]] = {}
    feeds: list[tuple[str, str]] = []
    for reference in draft.named("special", "deck"):
        if reference.kind == "special":
            deck, _, id = str(reference.name).rpartition(":")
            decks = [deck] if deck else draft.index.homes(id)
        elif reference.role == "special":
            decks = [str(reference.name)]
        else:
            continue
        for deck in decks:
            if reference.scope.kind == "chapter":
                direct.setdefault(deck, set()).add(int(reference.scope.owner))
            elif reference.scope.kind == "special":
                feeds.append((str(reference.scope.owner), deck))
    changed = True
    while changed:
        changed = False
        for source, deck in feeds:
            more = direct.get(source, set()) - direct.get(deck, set())
            if more:
                direct.setdefault(deck, set()).update(more)
                changed = True
    return direct


def _number(draft: Draft, reference: Reference, readers: dict[str, set[int]]) -> None:
    index, number = draft.index, int(reference.name)
    owner = reference.scope.owner
    if reference.scope.kind == "chapter":
        cards = index.chapters.get(int(owner), {})
        where = f"in chapter {owner}" if owner else "in this chapter"
        if not owner:
            return  # the chapter's number itself is a problem
    elif reference.scope.kind == "conversation":
        cards, where = index.conversations.get(str(owner), {}), "in this conversation"
    else:
        if draft.loose or draft.unread:
            return
        chapters = sorted(readers.get(str(owner), ()))
        without = [chapter for chapter in chapters if number not in index.chapters.get(chapter, {})]
        if not chapters and any(number in cards for cards in index.chapters.values()):
            return
        if chapters and not without:
            return
        chapter = without[0] if without else min(index.chapters, default=1)
        cards, where = index.chapters.get(chapter, {}), f"in chapter {chapter}, where this deck is read"
    if number not in cards:
        draft.problem(reference.span, ID, f"there is no card {number} {where}", near_number(number, cards))


def _id(draft: Draft, reference: Reference) -> None:
    index, name = draft.index, str(reference.name)
    deck, colon, id = name.rpartition(":")
    if colon:
        if deck not in index.specials:
            draft.problem(
                reference.span, ID, f'there is no deck "{deck}" of kind special', draft.suggest(deck, index.specials)
            )
        elif id not in index.specials[deck]:
            draft.problem(
                reference.span,
                ID,
                f'there is no card "{id}" in the deck {deck}',
                draft.suggest(id, index.specials[deck]),
            )
        return
    homes = index.homes(id)
    if len(homes) > 1:
        names = " or ".join(f"{home}:{id}" for home in sorted(homes))
        draft.problem(reference.span, AMBIGUOUS, f'the card "{id}" is in {len(homes)} decks', f"say which: {names}")
    elif not homes:
        other = next((kind for kind, _, card in index.unnumbered() if card == id), None)
        if other is not None:
            hint = "only numbered cards and those of special decks are read"
            draft.problem(reference.span, ID, f'"{id}" is a card of kind {other}, which is not read', hint)
        elif id in index.specials:
            draft.problem(reference.span, ID, f'"{id}" is a deck, not a card', f"write draw: {id}")
        else:
            draft.problem(
                reference.span, ID, f'there is no card "{id}"', draft.suggest(id, set(draft.known("special")))
            )
