"""A campaign as a Twee story: cards to passages, every way on to a plain link; what Twine cannot do stands in words."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from runner.words import steps_words
from story.cards import (
    AllOf,
    Campaign,
    CardRef,
    Challenge,
    Chart,
    Choice,
    Choose,
    Count,
    Discard,
    DrawCard,
    Encounter,
    Ending,
    Fight,
    Gain,
    Heal,
    If,
    Lose,
    NextChapter,
    Placement,
    Pull,
    Reveal,
    Span,
    Step,
    Steps,
    StoryCard,
    Tavern,
    Wound,
)
from story.checks.walk import Key, chapter_of, walk
from story.conditions import clause_in_words
from story.decks import CAMPAIGN_FILE
from story.effects import goods_in_words
from story.problems import Problem, at
from story.twee import DATA, TITLE, Passage

FORMAT = {"format": "Chapbook", "format-version": "1.2.3"}
"""The story format of Twine whose texts are Markdown, as a deck's are."""

_LINK_SAFE = str.maketrans("[]{}|\\", "()()//")
_LOOKS_LIKE_CODE = re.compile(r"^\[[^\[\]\n]+\][ \t]*$|\{[^{}\n]*\}|^--[ \t]*$", re.MULTILINE)
_ONLY_WORDS: dict[type[Step], str] = {
    Gain: "gains",
    Lose: "losses",
    Wound: "wounds",
    Heal: "healing",
    Count: "counters",
    Challenge: "a challenge",
    Chart: "a roll",
    If: "a condition",
    Fight: "an encounter",
    Tavern: "the tavern",
    Discard: "cards that leave the game",
    DrawCard: "a draw",
    Pull: "coming back to the middle of a card",
}


@dataclass(frozen=True)
class Exported:
    """The story's passages, and what became of the rest."""

    passages: tuple[Passage, ...]
    notes: tuple[Problem, ...]
    """What Twine cannot do or hold, sorted by file and line."""


@dataclass(frozen=True)
class Way:
    """One line of what a card does: its words, the card that it links to, and what follows from it."""

    words: str
    target: Key = ""
    inner: tuple[Way, ...] = ()


@dataclass(frozen=True)
class _Page:
    """A card and where it is from."""

    key: Key
    card: StoryCard
    tag: str
    heading: str = ""


def ifid(campaign: Campaign) -> str:
    """The story's identity: the same for each export of a campaign, another for another campaign's id."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"cardwalk:{campaign.id}")).upper()


def export_twee(campaign: Campaign) -> Exported:
    """The whole campaign, spoilers and all, as passages in the order of its decks.

    A passage is called ``CHAPTER:NUMBER title``, or ``DECK:ID title``; what a link cannot name is written otherwise.
    """
    return _Export(campaign).done()


def _link_safe(text: str) -> str:
    return text.replace("->", "→").replace("<-", "←").translate(_LINK_SAFE)


class _Export:
    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.library = campaign.library
        self.pages = {page.key: page for page in _pages(campaign)}
        self.names = {key: _link_safe(f"{key} {page.card.title}".rstrip()) for key, page in self.pages.items()}
        self.notes: list[Problem] = []
        self.callers = self._callers()

    def done(self) -> Exported:
        first = self.campaign.chapters[0]
        data = {"ifid": ifid(self.campaign), **FORMAT, "start": self.names[f"{first.number}:{first.start}"]}
        passages = [
            Passage(TITLE, self.campaign.title),
            Passage(DATA, json.dumps(data, ensure_ascii=False, indent=2)),
            *(Passage(self.names[page.key], self._text(page), (page.tag,)) for page in self.pages.values()),
        ]
        self._left_out()
        return Exported(tuple(passages), tuple(sorted(self.notes, key=lambda problem: problem.order)))

    # ------------------------------------------------------------ which card leads where

    def _targets(self, ref: CardRef, home: Key) -> list[Key]:
        """The cards that a reference on a card names; a special card's numbers are those of any chapter."""
        deck = home.split(":")[0]
        if isinstance(ref, str):
            keys = [ref]
        elif chapter_of(home) is not None or deck in self.library.conversations:
            keys = [f"{deck}:{ref}"]
        else:
            keys = [f"{chapter.number}:{ref}" for chapter in self.campaign.chapters]
        return [key for key in keys if key in self.pages]

    def _drawn(self, deck: str) -> list[Key]:
        return [key for key in self.pages if key.startswith(f"{deck}:")]

    def _callers(self) -> dict[Key, dict[Key, None]]:
        """For each card that is read in between: the cards to come back to."""
        callers: dict[Key, dict[Key, None]] = {}
        for key, page in self.pages.items():
            for step in walk(page.card.steps):
                match step:
                    case Pull(cards=cards):
                        called = [target for ref in cards for target in self._targets(ref, key)]
                    case DrawCard(deck=deck):
                        called = self._drawn(deck)
                    case Tavern(seats=seats):
                        called = [target for _, who in seats for target in self._drawn(who)]
                    case _:
                        continue
                for target in called:
                    callers.setdefault(target, {})[key] = None
        return callers

    # ------------------------------------------------------------ one card

    def _text(self, page: _Page) -> str:
        card = page.card
        title = f"# {card.title}" if card.title else ""
        art = f"```\n{card.art.rstrip()}\n```" if card.art.strip() else ""
        told = "\n\n".join(filter(None, (page.heading, title, art, card.text.rstrip())))
        if "[[" in told:
            self._note(card.span, "not-a-link", f"[[ in the text of card {page.key} is written [ [, or it were a link")
            told = re.sub(r"\[(?=\[)", "[ ", told)
        if code := dict.fromkeys(found.strip() for found in _LOOKS_LIKE_CODE.findall(told)):
            self._note(card.span, "looks-like-code", f"code to Chapbook, in card {page.key}: {', '.join(code)}")
        if self.names[page.key] != f"{page.key} {card.title}".rstrip():
            name = self.names[page.key]
            self._note(card.span, "renamed", f"no link could name card {page.key} by its title; it is called {name}")
        self._say_what_is_lost(page)
        ways = [*self._ways(card.steps, page.key), *self._ways_back(page.key)]
        return "\n\n".join(filter(None, (told, "\n".join(self._lines(ways)))))

    def _ways_back(self, key: Key) -> list[Way]:
        return [Way(f"Back to card {_short(caller)}", caller) for caller in self.callers.get(key, ())]

    def _lines(self, ways: list[Way] | tuple[Way, ...], depth: int = 0) -> Iterator[str]:
        for way in ways:
            head = f"{'  ' * depth}- {self._words(way)}"
            if len(way.inner) == 1 and not way.inner[0].inner:
                yield f"{head}: {self._words(way.inner[0])}"
            else:
                yield f"{head}{':' if way.inner else ''}"
                yield from self._lines(way.inner, depth + 1)

    def _words(self, way: Way) -> str:
        if not way.target:
            return way.words.replace("[[", "[ [")
        return f"[[{_link_safe(way.words)}->{self.names[way.target]}]]"

    def _ways(self, steps: Steps, home: Key) -> list[Way]:
        return [way for step in steps for way in self._step(step, home)]

    def _step(self, step: Step, home: Key) -> list[Way]:
        def inner(steps: Steps | None) -> tuple[Way, ...]:
            return tuple(self._ways(steps or (), home))

        match step:
            case Reveal(card=card):
                return [Way(f"Turn to card {_short(key)}", key) for key in self._targets(card, home)]
            case Pull(cards=cards):
                return [Way(f"Pull card {_short(key)}", key) for ref in cards for key in self._targets(ref, home)]
            case DrawCard(deck=deck):
                drawn = tuple(Way(self.pages[key].card.title or key, key) for key in self._drawn(deck))
                return [Way(f"Draw a card from the {deck} deck", inner=drawn)]
            case Discard(card=None):
                return [Way("This card leaves the game")]
            case Discard(card=card):
                return [Way(f"Card {card} leaves the game")]
            case Challenge(type=type, level=level, succeed=succeed, fail=fail, perfect=perfect):
                outcomes = (("success", succeed), ("failure", fail), ("a 20 on the die, besides", perfect))
                ways = tuple(Way(name, inner=inner(steps)) for name, steps in outcomes if steps)
                return [Way(f"Challenge, {type}, level {level}", inner=ways)]
            case Chart(die=die, rows=rows, influence=influence):
                faces = [f"{row.low}-{row.high}" if row.low < row.high else str(row.low) for row in rows]
                ways = tuple(Way(face, inner=inner(row.steps)) for face, row in zip(faces, rows, strict=True))
                return [Way(f"Roll a {die}{'' if influence else ', without influence'}", inner=ways)]
            case If(condition=condition, then=then, otherwise=otherwise):
                ways = (Way(f"If this holds ({self._condition(condition)})", inner=inner(then)),)
                return [*ways, *([Way("Otherwise", inner=inner(otherwise))] if otherwise else [])]
            case Choose(choices=choices):
                return [self._choice(choice, home) for choice in choices]
            case Fight(encounter=encounter):
                return [Way(self._encounter(encounter))]
            case Tavern(turns=turns, seats=seats, then=then):
                starts = {who: f"{who}:{self.library.conversations[who].start}" for _, who in seats}
                talks = tuple(Way(self.library.conversations[who].name, key) for who, key in starts.items())
                return [Way(f"The tavern, {turns} turns", inner=talks), Way("After the last turn", inner=inner(then))]
            case NextChapter():
                return self._next_chapter(home)
            case Ending(title=title, kind=kind):
                return [Way(f"**The end: {title}** ({kind})")]
        words = steps_words((step,), self.library)
        return [Way(words[:1].upper() + words[1:])]

    def _choice(self, choice: Choice, home: Key) -> Way:
        ways = self._ways(choice.steps, home)
        terms = [f"needs {self._condition(choice.needs)}"] if choice.needs.clauses else []
        terms += [f"costs {goods_in_words(choice.cost, self.library)}"] if choice.cost else []
        terms += ["only once"] if choice.once else []
        words = f"{choice.say} ({'; '.join(terms)})" if terms else choice.say
        links = [way for way in ways if way.target]
        if len(links) == 1 and not any(way.inner for way in ways):
            rest = tuple(way for way in ways if not way.target)
            return Way(words, links[0].target, rest)
        return Way(words, inner=tuple(ways))

    def _next_chapter(self, home: Key) -> list[Way]:
        number = (chapter_of(home) or 0) + 1
        following = [chapter for chapter in self.campaign.chapters if chapter.number == number]
        return [Way(f"On to chapter {number}", f"{number}:{chapter.start}") for chapter in following]

    def _condition(self, condition: AllOf) -> str:
        return ", ".join(clause_in_words(clause, self.library) for clause in condition.clauses) or "always"

    def _encounter(self, encounter: Encounter) -> str:
        def pieces(placements: tuple[Placement, ...]) -> str:
            return ", ".join(map(self._piece, placements))

        words = f"Encounter, {encounter.rounds} round{'s' * (encounter.rounds != 1)}: {pieces(encounter.enemies)}"
        terrain = pieces(encounter.terrain)
        return f"{words}; terrain: {terrain}" if terrain else words

    def _piece(self, piece: Placement) -> str:
        where = "by the die" if piece.space is None else f"on space {piece.space}"
        if piece.card is None:
            return f"{piece.draw} drawn from {piece.source} {where}"
        known = self.library.enemies.get(piece.card) or self.library.terrain.get(piece.card)
        return f"{known.name if known else piece.card} {where}"

    # ------------------------------------------------------------ what Twine cannot do

    def _note(self, span: Span | None, id: str, message: str) -> None:
        self.notes.append(at(span or Span(CAMPAIGN_FILE, 0, 0, 0, 0), id, "info", message))

    def _say_what_is_lost(self, page: _Page) -> None:
        lost: dict[str, None] = {}
        for step in walk(page.card.steps):
            if type(step) in _ONLY_WORDS:
                lost[_ONLY_WORDS[type(step)]] = None
            for choice in step.choices if isinstance(step, Choose) else ():
                lost |= {"a condition": None} if choice.needs.clauses else {}
                lost |= {"a price": None} if choice.cost else {}
                lost |= {"an option only once": None} if choice.once else {}
                lost |= {"a hidden option": None} if choice.hidden else {}
        if lost:
            message = f"card {page.key} says in words what Twine does not do: {', '.join(lost)}"
            self._note(page.card.span, "only-words", message)

    def _left_out(self) -> None:
        library = self.library
        counts = (
            (len(library.items), "items"),
            (len(library.events), "events"),
            (len(library.enemies), "enemies"),
            (len(library.terrain), "terrain"),
            (sum(map(len, library.drinks.values())), "drinks"),
            (len(library.foods), "foods"),
        )
        named = ", ".join(f"{word} ({n})" for n, word in counts if n)
        self._note(
            None, "left-out", f"cards that are no part of the text stay behind: the hero's{named and f', {named}'}"
        )


def _pages(campaign: Campaign) -> Iterator[_Page]:
    for chapter in campaign.chapters:
        for number, card in chapter.cards.items():
            heading = f"*Chapter {chapter.number}: {chapter.title}*" if number == chapter.start else ""
            yield _Page(f"{chapter.number}:{number}", card, f"chapter-{chapter.number}", heading)
    for key, card in campaign.library.specials.items():
        yield _Page(key, card, key.split(":")[0])
    for id, conversation in campaign.library.conversations.items():
        for number, card in conversation.cards.items():
            heading = f"*{conversation.name}*" if number == conversation.start else ""
            yield _Page(f"{id}:{number}", card, id, heading)


def _short(key: Key) -> str:
    """A card's number, or the id of an unnumbered one."""
    return key.split(":")[1]
