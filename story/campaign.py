"""A campaign as a table: reveal, pull, discard, choose, draw, chapters and endings (NAV, CHK).

A card that only says where to go on is acknowledged with the instruction's own words (``reveal 12``, ``pull 84``,
``draw heads``, ``begin`` an encounter, ``next`` chapter, ``back`` from a pulled card), so that nothing is turned
before it is read. After a choice or a roll the card turns at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from story.cards import (
    Campaign,
    CardRef,
    Challenge,
    Chart,
    Choice,
    Choose,
    Discard,
    DrawCard,
    Ending,
    Fight,
    If,
    NextChapter,
    Pull,
    Reveal,
    Steps,
    StoryCard,
    Tavern,
)
from story.care import eat, eat_options, heal_option, pay_to_heal
from story.conditions import discard_key, holds, missing, unaffordable
from story.dice import DrawFrom
from story.effects import SIMPLE, do_simple, goods_in_words, lose, roll_chart, try_challenge
from story.hero import starting_hero
from story.playfield.setup import begin_encounter
from story.prompts import Decide, Locked, Option, Over, Prompt, Tell
from story.state import Journey, Play, State
from story.table import StateTable


class CampaignTable(StateTable):
    """A campaign played from card 1 of chapter 1 to an ending (NAV-1), or rehearsed from another card.

    ``first`` is that card and its chapter; the hero comes to it as to the first one, with nothing gained or lost. An
    unnumbered card is pulled by the chapter's first (NAV-3).
    """

    def __init__(self, campaign: Campaign, first: tuple[int, CardRef] | None = None) -> None:
        super().__init__(campaign.library, campaign)
        self.first = first

    def start(self, tell: Tell | None = None) -> State:
        """The first question of the campaign (NAV-1, AP-1)."""
        hero = starting_hero(self.campaign.hero, self.library)
        play = Play(State(hero, journey=Journey(0)), self.library, tell, self.campaign)
        chapter, card = self.first or (self.campaign.chapters[0].number, None)
        if isinstance(card, int):
            play.journey = Journey(chapter)
            reveal(play, card)
        else:
            begin_chapter(play, chapter)
            if card is not None:
                pull(play, card)
        play.settle()
        return play.state()

    def card(self, state: State) -> StoryCard | None:
        """The card being read, the pulled one if one is pulled."""
        if state.journey is None or not state.journey.reading:
            return None
        return find_card(self.campaign, state.journey.chapter, state.journey.reading[-1])


def encounter_alone(state: State) -> State:
    """The encounter being played, cut out of its story: what a solver looks at.

    Raises ValueError outside encounters.
    """
    if state.field is None:
        raise ValueError("no encounter is being played")
    below = max((i for i, task in enumerate(state.agenda) if isinstance(task, tuple) and task[0] is read), default=-1)
    return state._replace(agenda=state.agenda[below + 1 :], journey=None)


def find_card(campaign: Campaign, chapter: int, ref: CardRef) -> StoryCard:
    """The card that a reference names; raises KeyError if there is none."""
    if isinstance(ref, str):
        return campaign.library.specials[ref]
    return next(deck for deck in campaign.chapters if deck.number == chapter).cards[ref]


def _journey(play: Play) -> Journey:
    assert play.journey is not None
    return play.journey


def _card(play: Play) -> StoryCard:
    journey = _journey(play)
    return find_card(play.campaign, journey.chapter, journey.reading[-1])


def _title(play: Play) -> str:
    return _card(play).title or f"Card {_card(play).ref}"


def begin_chapter(play: Play, number: int) -> None:
    """Turn to the start card of a chapter (NAV-1, CHK-1)."""
    chapter = next(deck for deck in play.campaign.chapters if deck.number == number)
    play.journey = _journey(play)._replace(chapter=number)
    play.tell(f"Chapter {number}: {chapter.title}.", "CHK-1", "card")
    reveal(play, chapter.start)


def reveal(play: Play, ref: CardRef) -> None:
    """NAV-2: leave everything that is being read and make this the current card."""
    play.agenda.clear()
    play.journey = _journey(play)._replace(reading=(ref,))
    play.tell(f"Card {ref}." if isinstance(ref, int) else _card(play).title, "NAV-2", "card")
    play.next((read, (_card(play).steps, False)))


def pull(play: Play, ref: CardRef) -> None:
    """NAV-3: read a card out of sequence; what is being read waits below it."""
    journey = _journey(play)
    play.journey = journey._replace(reading=(*journey.reading, ref))
    play.tell(f"You pull card {ref}." if isinstance(ref, int) else f"You pull {_card(play).title}.", "NAV-3", "card")
    play.next((read, (_card(play).steps, False)))


def discard(play: Play, card: CardRef | None) -> None:
    """NAV-4: a card leaves the game for good; ``None`` is the card being read."""
    journey = _journey(play)
    gone = journey.reading[-1] if card is None else card
    play.journey = journey._replace(discarded=journey.discarded | {discard_key(journey, gone)})
    play.tell("This card leaves the game." if card is None else f"Card {gone} leaves the game.", "NAV-4", "card")


def _gone(play: Play, ref: CardRef) -> bool:
    journey = _journey(play)
    return discard_key(journey, ref) in journey.discarded


def read(play: Play, steps: Steps, asked: bool) -> None:
    """Carry on with the steps of the card being read.

    ``asked``: the player has answered something on this card, so it has been read and may turn at once.
    """
    if not steps:
        _finish(play, asked)
        return
    step, rest = steps[0], steps[1:]
    match step:
        case Reveal(card=card) if not _gone(play, card):
            _acknowledge(play, asked, f"reveal {card}", f"Turn to card {card}", reveal, (card,))
        case Pull(cards=cards):
            cards = tuple(card for card in cards if not _gone(play, card))
            if cards:
                more: Steps = (Pull(cards[1:]), *rest) if cards[1:] else rest
                play.next((read, (more, True)))
                name = cards[0] if isinstance(cards[0], int) else cards[0].split(":")[1]
                _acknowledge(play, asked, f"pull {name}", f"Pull card {name}", pull, (cards[0],))
            else:
                play.next((read, (rest, asked)))
        case DrawCard(deck=deck):
            play.next((read, (rest, True)))
            _acknowledge(play, asked, f"draw {deck}", f"Draw from the {deck} deck", _draw, (deck,))
        case Reveal():
            play.next((read, (rest, asked)))  # NAV-4: a reveal of a discarded card does nothing
        case Discard(card=card):
            discard(play, card)
            play.next((read, (rest, asked)))
        case If(condition=condition, then=then, otherwise=otherwise):
            play.next((read, ((*(then if holds(play, condition) else otherwise), *rest), asked)))
        case Choose(choices=choices):
            question = Choosing(choices, rest)
            # NAV-4, NAV-7: a question with nothing left to show does nothing, like a Reveal of a discarded card.
            play.next(question if question.shows(play) else (read, (rest, asked)))
        case Challenge():
            play.next((read, (rest, True)))
            try_challenge(play, step, _title(play), outcome)
        case Chart():
            play.next((read, (rest, True)))
            roll_chart(play, step, _title(play), outcome)
        case Fight(encounter=encounter):
            play.next((read, (rest, True)))
            _acknowledge(play, asked, "begin", "Lay out the playfield", begin_encounter, (encounter,))
        case NextChapter():
            number = _journey(play).chapter + 1
            _acknowledge(play, asked, "next", f"On to chapter {number}", begin_chapter, (number,))
        case Ending(id=id, title=title, kind=kind):
            play.tell(f"The end: {title}.", "", "card")
            play.end(Over(kind, id, title))
        case Tavern():
            raise NotImplementedError("the tavern is not yet playable")
        case _:
            play.next((read, (rest, asked)))
            do_simple(play, step, _title(play), True)


def outcome(play: Play, steps: Steps) -> None:
    """The steps of a challenge's or chart's outcome; its wounds had their window, so no last bite (HEAL-4)."""
    if not steps:
        return
    step, rest = steps[0], steps[1:]
    match step:
        case If(condition=condition, then=then, otherwise=otherwise):
            play.next((outcome, ((*(then if holds(play, condition) else otherwise), *rest),)))
        case Discard(card=card):
            discard(play, card)
            play.next((outcome, (rest,)))
        case _ if isinstance(step, SIMPLE):
            play.next((outcome, (rest,)))
            do_simple(play, step, _title(play), False)
        case _:
            # From here on the outcome is read like the card itself, whose further steps wait right below.
            waiting = play.agenda.pop()
            assert isinstance(waiting, tuple)
            assert waiting[0] is read
            play.next((read, ((*steps, *waiting[1][0]), True)))


def _finish(play: Play, asked: bool) -> None:
    journey = _journey(play)
    if len(journey.reading) > 1:
        _acknowledge(play, asked, "back", "Back to the card below", _close, ())
    else:
        where = f"Card {journey.reading[-1]} of chapter {journey.chapter}"
        play.end(Over("stuck", "stuck", f"{where} leads nowhere: the deck has no way on from here."))


def _close(play: Play) -> None:
    journey = _journey(play)
    play.journey = journey._replace(reading=journey.reading[:-1])


def _draw(play: Play, deck: str) -> None:
    journey = _journey(play)
    left = sorted(
        {f"{deck}:{card}" for card in play.library.decks[deck]}
        - set(journey.drawn)
        - {ref for chapter, ref in journey.discarded if chapter == 0 and isinstance(ref, str)}
    )
    if left:
        play.next(DrawFrom(f"Draw from the {deck} deck", tuple(ref.split(":")[1] for ref in left), _drawn, (deck,)))


def _drawn(play: Play, deck: str, card: str) -> None:
    journey = _journey(play)
    play.journey = journey._replace(drawn=journey.drawn | {f"{deck}:{card}"})
    pull(play, f"{deck}:{card}")


def _acknowledge(
    play: Play, asked: bool, answer: str, say: str, then: Callable[..., None], args: tuple[Any, ...]
) -> None:
    if asked:
        play.next((then, args))
    else:
        play.next(Acknowledge(answer, say, then, args))


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The card has been read; its own instruction is the one way on."""

    way: str
    say: str
    then: Callable[..., None]
    args: tuple[Any, ...]

    def prompt(self, play: Play) -> Prompt:
        """The instruction, healing and eating."""
        title = _card(play).title
        return Decide("card", title, (Option(self.way, self.say, kind="turn"), *heal_option(play), *eat_options(play)))

    def answer(self, play: Play, answer: str) -> None:
        """Turn, or look after herself and ask again."""
        if not _cared(play, answer, self):
            play.next((self.then, self.args))


def _barred(play: Play, choice: Choice) -> str:
    """Why a choice is not open (NAV-7); empty if it is."""
    return missing(play, choice.needs) or unaffordable(play, choice.cost)


@dataclass(frozen=True, slots=True)
class Choosing:
    """The card asks (NAV-7)."""

    choices: tuple[Choice, ...]
    rest: Steps

    def _key(self, play: Play, choice: Choice) -> tuple[int, CardRef, str]:
        journey = _journey(play)
        return (*discard_key(journey, journey.reading[-1]), choice.say)

    def _offered(self, play: Play, choice: Choice) -> bool:
        if choice.once and self._key(play, choice) in _journey(play).chosen:
            return False
        # NAV-4: a choice that leads only to discarded cards is not offered.
        turns = [step for step in choice.steps if isinstance(step, Reveal | Pull)]
        targets = [ref for step in turns for ref in ((step.card,) if isinstance(step, Reveal) else step.cards)]
        return not (targets and len(turns) == len(choice.steps) and all(_gone(play, ref) for ref in targets))

    def shows(self, play: Play) -> bool:
        """Whether any choice is open or shown locked."""
        return any(
            self._offered(play, choice) and not (choice.hidden and _barred(play, choice)) for choice in self.choices
        )

    def prompt(self, play: Play) -> Prompt:
        """The open choices, the locked ones that are shown, healing and eating."""
        options, locked = [], []
        for place, choice in enumerate(self.choices, 1):
            if not self._offered(play, choice):
                continue
            reason = _barred(play, choice)
            if not reason:
                cost = goods_in_words(choice.cost, play.library)
                options.append(Option(f"choose {place}", choice.say, cost, "choice"))
            elif not choice.hidden:
                locked.append(Locked(place, choice.say, reason))
        care = (*heal_option(play), *eat_options(play))
        if not options and not care:
            return Over("stuck", "stuck", f"Card {_journey(play).reading[-1]} leaves nothing to choose.")
        return Decide("card", _card(play).title, (*options, *care), tuple(locked))

    def answer(self, play: Play, answer: str) -> None:
        """Pay, then do what the choice says; or look after herself and ask again."""
        if _cared(play, answer, self):
            return
        choice = self.choices[int(answer.split()[1]) - 1]
        play.tell(f"You choose: {choice.say}", "NAV-7", "card")
        if choice.once:
            journey = _journey(play)
            play.journey = journey._replace(chosen=journey.chosen | {self._key(play, choice)})
        if choice.cost:
            lose(play, choice.cost, "AP-2")
        play.next((read, ((*choice.steps, *self.rest), True)))


def _cared(play: Play, answer: str, question: Acknowledge | Choosing) -> bool:
    if answer == "heal":
        pay_to_heal(play)
    elif answer.startswith("eat "):
        eat(play, answer)
    else:
        return False
    play.next(question)
    return True
