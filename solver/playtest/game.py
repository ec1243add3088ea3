"""One game: its dice depend on the seed and its number alone, so that it can be played again by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol

from solver.policies import Policy
from story.campaign import CampaignTable, Choosing
from story.cards import Campaign, CardRef, Choice, Choose, EncounterFile, Library
from story.checks.walk import story_cards, walk
from story.playfield.table import EncounterTable
from story.prompts import Decide, Over, Roll, Table, Tell, Told
from story.state import State

ANSWERS = 5000
"""A game with more answers than this is taken to be without end."""

TURNED = ("NAV-2", "NAV-3")
"""The rules whose sentences tell that a card is turned."""


class DeckTable(Table[State], Protocol):
    """A campaign or an encounter."""

    library: Library


def table_of(deck: Campaign | EncounterFile) -> DeckTable:
    """The table to play a deck on."""
    return CampaignTable(deck) if isinstance(deck, Campaign) else EncounterTable(deck)


def card_id(chapter: int, ref: CardRef) -> str:
    """``CHAPTER:NUMBER``, or ``DECK:ID`` of an unnumbered card."""
    return ref if isinstance(ref, str) else f"{chapter}:{ref}"


def choices(deck: Campaign) -> Iterator[tuple[str, str, Choice]]:
    """(card, option, choice) of every option, ``CARD/N`` in the order of the file."""
    for key, card in story_cards(deck):
        # ``walk`` comes to a Choose before the options inside it: the place in the file decides.
        found = [choice for step in walk(card.steps) if isinstance(step, Choose) for choice in step.choices]
        if all(choice.span is not None for choice in found):
            found.sort(key=lambda choice: (choice.span.line, choice.span.column) if choice.span else (0, 0))
        for place, choice in enumerate(found, 1):
            yield key, f"{key}/{place}", choice


class Route(NamedTuple):
    """A deck made ready for many games."""

    table: DeckTable
    options: dict[int, str]
    """Ids of options by the identity of their Choice."""


def route(deck: Campaign | EncounterFile) -> Route:
    """Lay out a deck."""
    options = {id(choice): option for _, option, choice in choices(deck)} if isinstance(deck, Campaign) else {}
    return Route(table_of(deck), options)


@dataclass(slots=True)
class Game:
    """What happened in one game."""

    ending: str = ""
    """The id of the ending; ``death``, ``done``, ``stuck``, or ``endless`` where ``ANSWERS`` were not enough."""
    kind: str = ""
    card: str = ""
    """The card that was being read at the end; empty for an encounter alone."""
    wounds: int = 0
    answers: int = 0
    """Decisions taken."""
    rolls: int = 0
    turned: int = 0
    """Cards revealed and pulled."""
    beyond: int = 0
    """Encounters that the best policy could not work out."""
    cards: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    """Options that could be chosen at some time."""
    taken: set[str] = field(default_factory=set)
    chapters: dict[int, tuple[int, int]] = field(default_factory=dict)
    """(wounds, Action Points) where each chapter begins."""


class _Listener:
    """Counts the cards that are turned, and passes every sentence on."""

    def __init__(self, tell: Tell | None) -> None:
        self.turned = 0
        self.tell = tell

    def __call__(self, told: Told) -> None:
        self.turned += told.rule in TURNED
        if self.tell is not None:
            self.tell(told)


def play_game(
    on: Route,
    policy: Policy,
    seed: int,
    number: int,
    *,
    answers: int = ANSWERS,
    heard: Tell | None = None,
    script: list[str] | None = None,
) -> Game:
    """Play game ``number`` of a seed; ``heard`` receives what is told, ``script`` every answer."""
    # The dice are a stream of their own: what a policy draws does not move them.
    dice = Random(f"cardwalk playtest dice {seed} {number}")
    mind = Random(f"cardwalk playtest mind {seed} {number}")
    table, game, listener = on.table, Game(), _Listener(heard)
    policy.begin()
    state = table.start(listener)
    while True:
        _note(game, on, state)
        prompt = table.prompt(state)
        if isinstance(prompt, Over):
            game.ending, game.kind = prompt.id, prompt.kind
            break
        if game.answers + game.rolls >= answers:
            game.ending = game.kind = "endless"
            break
        if isinstance(prompt, Roll):
            game.rolls += 1
            answer = roll(prompt, dice)
        else:
            game.answers += 1
            answer = policy.choose(table, state, prompt, mind)
            if prompt.topic == "card":
                _note_options(game, on, state, prompt, answer)
        if script is not None:
            script.append(answer)
        state = table.answer(state, answer, listener)
    game.wounds, game.turned, game.beyond = state.hero.wounds, listener.turned, policy.beyond
    return game


def roll(prompt: Roll, dice: Random) -> str:
    """A face, as likely as its weight says."""
    left = int(dice.random() * sum(face.weight for face in prompt.faces))
    for face in prompt.faces:
        left -= face.weight
        if left < 0:
            return face.answer
    raise AssertionError("the weights of the faces add up to the sides of the die")


def _note(game: Game, on: Route, state: State) -> None:
    journey = state.journey
    if journey is None or not journey.reading:
        return
    game.card = card_id(journey.chapter, journey.reading[-1])
    game.cards.add(game.card)
    if journey.chapter not in game.chapters:
        game.chapters[journey.chapter] = (state.hero.wounds, state.hero.ap)


def _note_options(game: Game, on: Route, state: State, prompt: Decide, answer: str) -> None:
    question: Any = state.agenda[-1]
    if not isinstance(question, Choosing):
        return
    for option in prompt.options:
        if option.kind == "choice":
            choice = question.choices[int(option.answer.split()[1]) - 1]
            name = on.options.get(id(choice))
            if name is not None:
                game.open.add(name)
                if option.answer == answer:
                    game.taken.add(name)
