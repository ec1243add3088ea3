"""Plain mode: one question at a time on standard input and output, for scripts and screen readers."""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol, TextIO

from runner.answers import menu, read_answer
from runner.history import DICE, PLAYER
from runner.sentences import holdings, inventory, position, vitals
from runner.session import Session
from runner.terminal import clean, markdown_text, text_width, wrap
from story.cards import CardRef
from story.prompts import AnswerError, Decide, Locked, Over, Prompt, Roll, answers
from story.state import State

if TYPE_CHECKING:
    from solver.advice import Advisor
    from solver.solution import Solution

COMMANDS = {
    "help": "this list",
    "look": "the card or the playfield again, with what the enemies are",
    "i": "inventory: everything you hold",
    "log": "what has happened, with the rule that decided it",
    "names": "the answers' names, as scripts write them",
    "advice": "the best move in an encounter, worked out exactly (also ?; advice 60: in 60 seconds at most)",
    "undo": "take back your last answer and the dice that followed it (also u; undo 3)",
    "redo": "give it again",
    "restart": "back to where this chapter began (restart 1: to where chapter 1 began)",
    "quit": "leave (also q)",
}
_SHORT = {"u": "undo", "q": "quit", "exit": "quit", "?": "advice", "h": "help", "inventory": "i", "l": "look"}
_STEPS = ("undo", "redo", "restart")
_COUNTED = (*_STEPS, "advice")

TURNING = ("NAV-2", "NAV-3")
"""Rules whose sentence says that a card is turned: the card itself follows, as the ending does its sentence."""

Reload = Callable[[], tuple[bool, str]]
"""Reads a saved deck again: whether the game goes on with it, and what is to be told."""

LOG_LINES = 30
ADVICE_SECONDS = 20
MOST_SECONDS = 86400
REPORT_EVERY = 5.0
"""Seconds between two lines that say how far the advice is."""


class Line(NamedTuple):
    """One line of input and where it came from (``FILE:LINE``; empty for a person)."""

    text: str
    place: str = ""


SAVED = Line("", "saved")
"""Read in the place of a line: the deck being rehearsed was saved."""


class Source(Protocol):
    """Where answers come from."""

    echoes: bool
    """Whether what was read must be printed to be seen."""

    def peek(self) -> Line | None:
        """The next line if it is known without asking; it stays the next."""

    def read(self) -> Line | None:
        """The next line; None at the end."""


class Person:
    """Answers from standard input."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.echoes = not stream.isatty()

    def peek(self) -> Line | None:
        """Nobody knows what a person will say."""
        return None

    def read(self) -> Line | None:
        """Ask for a line."""
        text = self.stream.readline()
        return Line(text.strip()) if text else None


class ScriptError(Exception):
    """A script's line that does not fit; its text is ``FILE:LINE: why``."""


class Script:
    """Answers from a file: one a line; blank lines and lines that begin with ``#`` are passed over."""

    echoes = True

    def __init__(self, name: str, text: str) -> None:
        self._lines: Iterator[Line] = (
            Line(line.strip(), f"{name}:{number}")
            for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not line.strip().startswith("#")
        )
        self._next: Line | None = next(self._lines, None)

    def peek(self) -> Line | None:
        """The next line."""
        return self._next

    def read(self) -> Line | None:
        """The next line, which is then gone."""
        line, self._next = self._next, next(self._lines, None)
        return line


def play(session: Session, source: Source, out: TextIO, reload: Reload | None = None) -> None:
    """Play until the answers end or the player quits; ``reload`` reads a deck again that was saved.

    Raises ScriptError when a script does not fit.
    """
    Plain(session, source, out, reload).run()


class Plain:
    """One game told and asked line by line."""

    def __init__(self, session: Session, source: Source, out: TextIO, reload: Reload | None = None) -> None:
        self.session = session
        self.reload = reload
        self._advisor: Advisor | None = None
        self.source = source
        self.out = out
        self.width = text_width(out)
        self._told = 0
        """Answers whose telling has been printed; -1 after stepping back, when nothing new was told."""
        self._reading: tuple[CardRef, ...] = ()
        """The cards that are open on the table, the chapter's number before them."""
        self._status = ("", "")
        self._position: list[str] = []
        self._trouble = ""
        self._asking = True
        """The question is to be asked (again); not after a command that only tells something."""

    def run(self) -> None:
        """Tell, ask, obey, until the end of the answers."""
        self._print(f"{self.session.title}.")
        for note in self.session.notes:
            self._print(note)
        self._skip_told()
        while True:
            self._roll_dice()
            self._tell()
            self._warn()
            if self._asking:
                self._show()
                self._ask(self.session.prompt)
            line = self._read()
            if line is SAVED:
                self._reload()
            elif line is None or not self._obey(line):
                self._farewell()
                return

    # ---------------------------------------------------------------- input

    def _read(self) -> Line | None:
        while True:
            if not self.source.echoes:
                self.out.write("> ")
            self.out.flush()
            line = self.source.read()
            if line is None or line is SAVED:
                return line
            if self.source.echoes and line.text:
                self.out.write(f"> {clean(line.text)}\n")
            if line.text:
                return line

    def _obey(self, line: Line) -> bool:
        """Do what a line says; False to leave."""
        try:
            prompt = self.session.prompt
            self._asking = True
            words = line.text.casefold().split()
            command = _SHORT.get(words[0], words[0])
            if " ".join(words) in answers(prompt) or command not in COMMANDS:
                self._answer(prompt, line.text)
                return True
            return self._command(command, words[1:])
        except AnswerError as error:
            if line.place:
                raise ScriptError(f"{line.place}: {clean(str(error))}") from None
            self._print(str(error))
            return True

    def _answer(self, prompt: Prompt, text: str) -> None:
        if isinstance(prompt, Over):
            raise AnswerError(f"'{text}' is not asked for: the game is over. undo, restart or quit?")
        try:
            answer = read_answer(prompt, text)
        except AnswerError:
            near = difflib.get_close_matches(text.casefold(), COMMANDS, 1, 0.75)
            if near and not difflib.get_close_matches(text.casefold(), answers(prompt), 1, 0.75):
                raise AnswerError(f"'{text}' is not offered here; did you mean the command '{near[0]}'?") from None
            raise
        self.session.answer(answer, PLAYER if isinstance(prompt, Decide) or self.session.mine else DICE)

    def _command(self, command: str, rest: list[str]) -> bool:
        n = None
        if rest:
            if command not in _COUNTED or len(rest) > 1 or not (rest[0].isascii() and rest[0].isdigit()):
                raise AnswerError(f"'{command} {' '.join(rest)}' is not understood; 'help' lists the commands.")
            n = int(rest[0][:9])
        self._asking = command in _STEPS
        match command:
            case "quit":
                return False
            case "undo":
                self._stepped(self.session.undo(n or 1), "Taken back", "Nothing to take back")
            case "redo":
                self._stepped(self.session.redo(n or 1), "Given again", "Nothing to give again")
            case "restart":
                self.session.restart(n)
                self._stepped(1, f"Back to where chapter {self.session.chapter} began", "")
            case "look":
                self._look()
            case "i":
                self._lines(inventory(self.session.state.hero, self.session.library))
            case "log":
                told = [f"{line.text}{f' ({line.rule})' * bool(line.rule)}" for line in self.session.told()]
                self._lines(told[-LOG_LINES:] or ["Nothing has happened yet."])
            case "names":
                self._lines(answers(self.session.prompt) or ("Nothing is asked for.",))
            case "advice":
                if n is not None and not 1 <= n <= MOST_SECONDS:
                    raise AnswerError(f"'advice {rest[0]}': it takes from 1 to {MOST_SECONDS} seconds, which is a day.")
                self._advise(n or ADVICE_SECONDS)
            case _:
                self._lines(f"{name}: {meaning}" for name, meaning in COMMANDS.items())
                self._print("Anything else is an answer: its number or its name.")
                self._print("The game is saved after every answer." if self.session.name else "This game is not saved.")
        return True

    # ---------------------------------------------------------------- dice

    def _roll_dice(self) -> None:
        """Answer rolls that nobody has to be asked for: by the script where its next line fits, else by the dice."""
        while isinstance(prompt := self.session.prompt, Roll):
            self._tell()
            self._show_new_card()
            line = self.source.peek()
            answer = " ".join(line.text.casefold().split()) if line is not None else ""
            if answer in answers(prompt):
                self.source.read()
                self.session.answer(answer, DICE)
            elif line is not None and answer.split(" ")[0] == answers(prompt)[0].split(" ")[0]:
                raise ScriptError(f"{line.place}: '{clean(line.text)}' is no outcome of: {clean(prompt.title)}")
            elif self.session.mine:
                return
            else:
                self.session.roll()
            self._tell(prompt)

    # ---------------------------------------------------------------- output

    def _print(self, text: str, indent: str = "") -> None:
        self.out.write(wrap(text, self.width, indent) + "\n")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print(line, "  ")

    def _skip_told(self) -> None:
        """What led to a resumed game is not told again; a new game's opening is."""
        self._told = len(self.session.answers) + 1 if self.session.answers else 0

    def _tell(self, roll: Roll | None = None) -> None:
        """Print what was told since the last time; ``roll`` is the roll that was just answered."""
        told = self.session.told(self._told)
        self._told = len(self.session.answers) + 1
        window = isinstance(prompt := self.session.prompt, Decide) and prompt.topic == "window"
        if roll is not None and roll.die != "draw" and not told and not window:
            self._print(_rolled(roll, self.session.answers[-1].answer))
        for line in told:
            if line.rule not in TURNING and (line.rule or line.kind != "card"):
                self._print(line.text)

    def _warn(self) -> None:
        if self.session.trouble != self._trouble:
            self._trouble = self.session.trouble
            self.out.flush()
            print(self._trouble or "The game is being saved again.", file=sys.stderr, flush=True)

    def _show(self) -> None:
        """The card, the playfield and what she holds, where they changed."""
        state = self.session.state
        self._show_new_card()
        if state.field is not None:
            where = position(state.field, self.session.library)
            if where != self._position:
                self._position = where
                self.out.write("\n")
                self._lines(where)
        else:
            self._position = []
        now = (vitals(state.hero), holdings(state.hero, self.session.library))
        changed = [new for new, old in zip(now, self._status, strict=True) if new != old]
        self._status = now
        if changed:
            self.out.write("\n")
            self._lines(line or "You hold nothing." for line in changed)

    def _show_new_card(self) -> None:
        reading = _reading(self.session.state)
        if reading != self._reading:
            back = self._reading[: len(reading)] == reading
            self._reading = reading
            self._show_card(text=not back)

    def _show_card(self, *, text: bool = True) -> None:
        card = self.session.card
        if card is None:
            return
        number = f"Card {card.ref}" if isinstance(card.ref, int) else ""
        self.out.write("\n")
        self._print(". ".join(part for part in (number, card.title) if part) + ("." if number or card.title else ""))
        if text and card.text.strip():
            self.out.write(f"\n{markdown_text(card.text, self.width)}\n")

    def _ask(self, prompt: Prompt) -> None:
        self.out.write("\n")
        match prompt:
            case Over():
                self._print(f"{'' if prompt.kind in ('done', 'stuck', 'death') else 'The end: '}{prompt.title}")
                ways = ["undo"] * self.session.can_undo + ["restart", "quit"]
                self._print(f"Nothing more is asked. {', '.join(ways)}?")
            case Roll():
                self._print(f"Roll: {prompt.title}.")
                self._lines(line for line in prompt.lines if line)
                faces = [face.say or face.answer.split(" ", 1)[-1] for face in prompt.faces]
                what = f"1 to {len(faces)}" if prompt.die in ("d6", "d12", "d20") else ", ".join(faces)
                self._print(f"What does it show: {what}?", "  ")
            case Decide():
                if prompt.title and prompt.topic != "card":
                    self._print(prompt.title)
                self._lines(prompt.lines)
                for number, item in enumerate(menu(prompt), 1):
                    if isinstance(item, Locked):
                        self._print(f"{number}. (locked: {item.reason}) {item.say}", "   ")
                        continue
                    cost = f" ({item.cost})" if item.cost else ""
                    detail = f": {item.detail}" if item.detail and item.detail not in item.say else ""
                    self._print(f"{number}. {item.say}{cost}{detail}", "   ")

    def _look(self) -> None:
        field = self.session.state.field
        if field is None:
            self._show_card()
            return
        from runner.words import enemy_words, terrain_words

        library = self.session.library
        self._lines(position(field, library))
        cards = [
            enemy_words(library.enemies[card], library) for card in dict.fromkeys(f.card for f in field.by_space())
        ]
        cards += [terrain_words(ground.card, library) for ground in field.board.grounds]
        for name, lines in dict(cards).items():
            self._print(f"{name}: {'; '.join(lines)}.", "  ")

    def _stepped(self, done: int, text: str, nothing: str) -> None:
        self._told = len(self.session.answers) + 1
        if not done:
            self._print(f"{nothing}.")
            return
        self._reading = ()
        self._status = ("", "")
        self._position = []
        self._print(f"{text}.")

    def _reload(self) -> None:
        """Go on with the deck as it was saved; a broken one is shown and changes nothing."""
        if self.reload is None:
            return
        good, text = self.reload()
        self.out.write("\n")
        if good:
            self._advisor = None
            self._stepped(1, text.removesuffix("."), "")
        else:
            self.out.write(f"{clean(text)}\n")
        self._asking = good

    def _say_now(self, text: str) -> None:
        self._print(text)
        self.out.flush()

    def _advise(self, seconds: int) -> None:
        """Tell the best moves, or what is known of them when the seconds are over or Ctrl-C is pressed."""
        state, prompt = self.session.state, self.session.prompt
        if state.field is None or not isinstance(prompt, Decide):
            self._print("Advice is for decisions in an encounter.")
            return
        from runner.advice import advice_lines, failure
        from runner.interrupts import interruptible
        from solver.advice import Advisor

        words = {option.answer: option.say for option in prompt.options}
        self._say_now(f"Working it out, in {seconds} s at most; Ctrl-C ends it sooner.")
        if self._advisor is None:
            self._advisor = Advisor(self.session.library)
        reports = _Reports(self._say_now, words)
        try:
            with interruptible() as pressed:
                solution = self._advisor.advise(
                    state, seconds=seconds, stop=pressed, progress=reports.progress, interim=reports.interim
                )
        except Exception as error:  # whatever it is, the game goes on
            self._print(f"No advice here: {failure(error)}")
            return
        if pressed() and not self.source.echoes:
            self.out.write("\n")  # behind the ^C that the terminal has written
        self._lines(advice_lines(solution, words))
        if not (solution.exact or solution.hopeless) and seconds < MOST_SECONDS:
            more = min(2 * seconds, MOST_SECONDS)
            self._print(f"'advice {more}' gives it {more} s.", "  ")

    def _farewell(self) -> None:
        if self.session.name and (self.session.answers or self.session.can_redo):
            self._print(f"Saved. 'cardwalk resume {self.session.name} --plain' goes on from here.")
        self.out.flush()


class _Reports:
    """Says from time to time how far a search is."""

    def __init__(self, say: Callable[[str], None], words: dict[str, str]) -> None:
        self._say = say
        self._words = words
        self._known: Solution | None = None
        self._began = self._last = time.monotonic()

    def interim(self, known: Solution) -> None:
        """What is known by now, told with the next report."""
        self._known = known

    def progress(self, states: int) -> None:
        """How many positions were looked at."""
        now = time.monotonic()
        if now - self._last < REPORT_EVERY:
            return
        self._last = now
        said = f"After {now - self._began:.0f} s: {states:,} positions"
        if (known := self._known) is not None:
            from runner.advice import between

            said += f", the value is {between(known.lower, known.upper)}"
            if known.best:
                best = known.best[0]
                said += f", best so far: {self._words.get(best, best)}"
        self._say(f"{said}.")


def _reading(state: State) -> tuple[CardRef, ...]:
    return (state.journey.chapter, *state.journey.reading) if state.journey is not None else ()


def _rolled(roll: Roll, answer: str) -> str:
    face = next((face for face in roll.faces if face.answer == answer), None)
    shown = (face.say if face is not None else "") or answer.split(" ", 1)[-1]
    die = f"{roll.die} shows {shown}" if roll.die in ("d6", "d12", "d20") else shown
    return f"{roll.title}: {die}."
