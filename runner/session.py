"""A game in progress: its table, its answers, and everything that undo, redo, checkpoints and transcripts need.

Plain mode and the screens are two faces of this one session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from runner import dice
from runner.answers import follow
from runner.history import DICE, PLAYER, History, Record
from story.cards import Campaign, Chapter, Library, StoryCard
from story.prompts import AnswerError, Decide, Over, Prompt, Roll, Table, Told
from story.state import State

Event = dict[str, Any]
"""What happened, as a save writes it: ``answer``, ``undo: n``, ``redo: n``, or ``restart: chapter`` with ``keep``."""

Watcher = Callable[["Session", Event], None]
"""Is told each event after it took effect: the save, the log."""


class GameTable(Table[State], Protocol):
    """A campaign or an encounter."""

    library: Library


class Stopped(NamedTuple):
    """Where a save could not be followed any further."""

    place: int
    """0-based place of the answer that does not fit."""
    record: Record
    why: str


class Session:
    """One game: ask ``prompt``, give ``answer`` or ``roll``; states are frozen, so undo is a matter of forgetting."""

    def __init__(self, table: GameTable, seed: int, *, title: str = "", mine: bool = False) -> None:
        opening: list[Told] = []
        self.table = table
        self.seed = seed
        self.title = title
        self.mine = mine
        """Rolls are answered with the player's own dice (``--dice mine``)."""
        self.name = ""
        """The save's name; empty if the game is not saved."""
        self.trouble = ""
        """Why the game is not being saved at the moment; empty if all is well."""
        self.notes: list[str] = []
        """What the player should know before going on (a save repaired, a deck edited), a sentence each."""
        self.history = History()
        self.watchers: list[Watcher] = []
        self.closers: list[Callable[[], None]] = []
        self._states: list[State] = [table.start(opening.append)]
        self._told: list[tuple[Told, ...]] = [tuple(opening)]
        self._rolls: list[int] = [0]
        """How many rolls were answered before each state."""
        self._prompt: Prompt | None = None

    # ---------------------------------------------------------------- where it stands

    @property
    def state(self) -> State:
        """The state after the last answer."""
        return self._states[-1]

    @property
    def prompt(self) -> Prompt:
        """The question asked now."""
        if self._prompt is None:
            self._prompt = self.table.prompt(self.state)
        return self._prompt

    @property
    def answers(self) -> list[Record]:
        """The answers that led here, oldest first."""
        return self.history.kept

    @property
    def library(self) -> Library:
        """What ids name at this table."""
        return self.table.library

    @property
    def campaign(self) -> Campaign | None:
        """The campaign; None for an encounter alone."""
        return getattr(self.table, "campaign", None)

    @property
    def card(self) -> StoryCard | None:
        """The card being read; None for an encounter alone."""
        find = getattr(self.table, "card", None)
        return find(self.state) if find is not None else None

    @property
    def chapter(self) -> int:
        """The number of the chapter being played; 1 for an encounter alone."""
        return _chapter(self.state)

    @property
    def chapter_card(self) -> Chapter | None:
        """The chapter being played."""
        campaign = self.campaign
        return next((c for c in campaign.chapters if c.number == self.chapter), None) if campaign else None

    @property
    def checkpoints(self) -> dict[int, int]:
        """Chapters reached so far, each with the number of answers given before it began (CHK-1)."""
        marks: dict[int, int] = {}
        for place, state in enumerate(self._states):
            marks.setdefault(_chapter(state), place)
        return marks

    def told(self, since: int = 0) -> list[Told]:
        """What was told by the answers from the ``since``-th on; 0 includes the opening."""
        return [told for sentences in self._told[since:] for told in sentences]

    @property
    def can_undo(self) -> bool:
        """Whether the player has answered anything that can be taken back."""
        return any(record.by == PLAYER for record in self.history.kept)

    @property
    def can_redo(self) -> bool:
        """Whether something undone can be given back."""
        return bool(self.history.undone)

    # ---------------------------------------------------------------- going on

    def answer(self, text: str, by: str = PLAYER) -> tuple[Told, ...]:
        """Give an answer by its stable name; returns what it told. Raises AnswerError, and nothing has changed."""
        record = Record(text, self._words(text), by)
        told = self._take(record)
        self.history.add(record)
        self._say(self._event(record))
        return told

    def roll(self) -> tuple[Told, ...]:
        """Answer a Roll with the program's dice; returns what it told. Raises AnswerError if no die is asked for."""
        prompt = self.prompt
        if not isinstance(prompt, Roll):
            raise AnswerError("No die is asked for.")
        return self.answer(dice.roll_face(prompt, self.seed, self.history.attempt(self.chapter), self._rolls[-1]), DICE)

    def undo(self, n: int = 1) -> int:
        """Take back ``n`` answers of the player with the dice that followed; returns how many there were."""
        done = self.history.undo(n)
        self._forget(len(self.history.kept))
        if done:
            self._say({"undo": done})
        return done

    def redo(self, n: int = 1) -> int:
        """Give again what was undone last; returns how many undos were reversed."""
        done, records = self.history.redo(n)
        for record in records:
            self._take(record)
        if done:
            self._say({"redo": done})
        return done

    def restart(self, chapter: int | None = None) -> None:
        """Go back to where a chapter began (CHK-2), by default the current one; ``redo`` reverses it.

        Raises AnswerError for a chapter not reached yet.
        """
        chapter = self.chapter if chapter is None else chapter
        marks = self.checkpoints
        if chapter not in marks:
            reached = ", ".join(str(number) for number in marks)
            raise AnswerError(f"Chapter {chapter} has not been reached; checkpoints: {reached}.")
        self.history.restart(chapter, marks[chapter])
        self._forget(marks[chapter])
        self._say({"restart": chapter, "keep": marks[chapter]})

    def use_own_dice(self, mine: bool) -> None:
        """Roll with the player's own dice from now on, or with the program's."""
        if mine != self.mine:
            self.mine = mine
            self._say({"mine": mine})

    def change_table(self, table: GameTable) -> Stopped | None:
        """Go on at another table, because the deck was edited: the answers are given again as far as they fit.

        Returns where they could not be followed, if so; what was undone is gone.
        """
        opening: list[Told] = []
        self.table = table
        self._states = [table.start(opening.append)]
        self._told = [tuple(opening)]
        self._rolls = [0]
        self._prompt = None
        return self.resume(self.history, edited=True)

    def resume(self, history: History, *, edited: bool = False) -> Stopped | None:
        """Play a saved history on this new session; returns where it could not be followed, if so.

        Answers are followed by what they are (``answers.follow``); the session then stands at the last that fits.
        What was undone can be redone unless the deck was ``edited`` since.
        """
        self.history = History(restarts=history.restarts)
        for place, record in enumerate(history.kept):
            answer = follow(self.prompt, record)
            if answer is None:
                return Stopped(place, record, self._why(record))
            today = Record(answer, self._words(answer), record.by)
            self._take(today)
            self.history.kept.append(today)
        self.history.undone = [] if edited else list(history.undone)
        return None

    def close(self) -> None:
        """Let go of the save; the session asks and answers no more."""
        while self.closers:
            self.closers.pop()()

    # ---------------------------------------------------------------- telling

    def transcript(self) -> list[str]:
        """The game so far as a script: answers as they are, what was told as comments."""
        lines = [f"# {self.title}, seed {self.seed}", *told_lines(self._told[0])]
        for record, told in zip(self.history.kept, self._told[1:], strict=True):
            lines += [record.answer, *told_lines(told)]
        return lines

    # ---------------------------------------------------------------- inside

    def _take(self, record: Record) -> tuple[Told, ...]:
        told: list[Told] = []
        state = self.table.answer(self.state, record.answer, told.append)
        self._rolls.append(self._rolls[-1] + isinstance(self.prompt, Roll))
        self._states.append(state)
        self._told.append(tuple(told))
        self._prompt = None
        return tuple(told)

    def _forget(self, keep: int) -> None:
        del self._states[keep + 1 :]
        del self._told[keep + 1 :]
        del self._rolls[keep + 1 :]
        self._prompt = None

    def _say(self, event: Event) -> None:
        journey = self.state.journey
        if journey is not None and journey.reading:
            event["at"] = [journey.chapter, journey.reading[-1]]
        if isinstance(self.prompt, Over):
            event["over"] = self.prompt.kind
        for watcher in self.watchers:
            watcher(self, event)

    def _words(self, answer: str) -> str:
        prompt = self.prompt
        if not isinstance(prompt, Decide):
            return ""
        return next((option.say for option in prompt.options if option.answer == answer), "")

    @staticmethod
    def _event(record: Record) -> Event:
        event: Event = {"answer": record.answer}
        if record.say:
            event["say"] = record.say
        if record.by != PLAYER:
            event["by"] = record.by
        return event

    def _why(self, record: Record) -> str:
        said = f" ({record.say})" if record.say else ""
        match self.prompt:
            case Over():
                return f"the game now ends before '{record.answer}'{said}"
            case Roll(die=die):
                return f"'{record.answer}'{said} was answered where a roll ({die}) is now asked for"
            case Decide(title=title):
                return f"'{record.answer}'{said} is no longer offered{f' at {title}' * bool(title)}"


def _chapter(state: State) -> int:
    return state.journey.chapter if state.journey is not None else 1


def told_lines(told: Iterable[Told]) -> list[str]:
    """Sentences as comment lines, each with the rule that decides it."""
    return [f"# {line.text}{f' [{line.rule}]' if line.rule else ''}".replace("\n", " ") for line in told]
