"""What the story and the encounter have in common: one session, its rolls and windows, undo, and the keys.

The screen asks what the session asks. Between two questions of the player's lie rolls and sentences; the screen
leads through them at the player's pace: sentences still to be told, then the die, then the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.screen import Screen

from runner import keys
from runner.terminal import clean
from runner.view import DICE_NAMES, Row, window_rows
from runner.watch import PAUSE
from runner.widgets.choices import Choices
from runner.widgets.keybar import KeyBar
from runner.widgets.rollpanel import Moment, RollPanel
from runner.widgets.toosmall import TooSmall
from story.prompts import AnswerError, Decide, Face, Over, Prompt, Roll, Told

if TYPE_CHECKING:
    from runner.app import CardwalkApp
    from runner.session import Session

SHOWN_DICE = ("d6", "d12", "d20")
"""Dice that are worth a moment; placement, 50/50 and draws are told in a sentence."""

UNTIL_SAVED = 3600.0
"""Seconds that a broken deck's problem stays on the screen, unless the deck is saved before."""

WINDOWS = ("window", "dodge", "bite")
"""Topics of decisions that are asked in the panel."""


class CommandScreen(Screen[Any]):
    """A screen whose keys come from the registry: ``do_<id>`` carries a command out, ``can`` says if it is open."""

    AUTO_FOCUS = ""
    context_name = ""
    needed = (30, 8)
    """Columns and rows below which the screen only says that it has no room; its keys then wait."""
    way_out = "Make it larger, or leave with q."

    @property
    def cardwalk(self) -> CardwalkApp:
        """The app this screen belongs to."""
        return self.app  # type: ignore[return-value]

    @property
    def context(self) -> str:
        """Where the keys apply now."""
        return self.context_name

    def can(self, command: str) -> bool:
        """Whether a command is open now; the others are not in the footer."""
        return True

    def commands(self) -> tuple[keys.Command, ...]:
        """What is open now, in the footer's order."""
        return tuple(command for command in keys.in_context(self.context) if self.can(command.id))

    def numbers(self) -> int:
        """How many choices the digits reach now."""
        return 0

    def show_keys(self) -> None:
        """Bring the footer up to date."""
        for bar in self.query(KeyBar):
            bar.show([command for command in self.commands() if command.footer], self.numbers())

    def on_mount(self) -> None:
        """Show what there is to show, then the keys; nothing where the app ends while the screen opens."""
        if not self.app.is_running:
            return
        self.opened()
        self.show_keys()

    def opened(self) -> None:
        """The screen is there to be filled."""

    def on_resize(self, event: events.Resize) -> None:
        """Say so where there is no room."""
        self.set_class(self.too_small, "-too-small")
        if self.too_small and not self.query(TooSmall):
            self.mount(TooSmall(*self.needed, self.way_out))
        for words in self.query(TooSmall):
            words.refresh(layout=True)

    @property
    def too_small(self) -> bool:
        """Whether the terminal has no room for this screen."""
        return self.app.size.width < self.needed[0] or self.app.size.height < self.needed[1]

    def on_key(self, event: events.Key) -> None:
        """A key of this screen's goes no further; one that came as it closed or was covered goes to the front one."""
        if self.app.screen is not self:
            event.stop()
            self.app.post_message(events.Key(event.key, event.character))
        elif self.press(event):
            event.stop()
            event.prevent_default()

    def press(self, event: events.Key) -> bool:
        """Carry out the command that the key gives here; returns whether there is one."""
        command = keys.find(self.context, event.key)
        if command is None or not self.can(command.id) or (self.too_small and command.id not in ("back", "quit")):
            return False
        self.carry_out(command, event.key)
        return True

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        """A key of the footer was clicked."""
        message.stop()
        if len(message.command.keys) == 1 or message.command.shown != "1-9":
            self.carry_out(message.command, message.command.keys[0])

    def carry_out(self, command: keys.Command, key: str) -> None:
        """Do what a command says."""
        do = getattr(self, f"do_{command.id}")
        do(key)
        if self.is_mounted and self.is_current:
            self.show_keys()

    def do_quit(self, key: str) -> None:
        """Leave the program."""
        self.app.exit(0)

    def do_back(self, key: str) -> None:
        """Close this screen."""
        self.dismiss(None)

    def do_options(self, key: str) -> None:
        """Open the options."""
        from runner.screens.options import OptionsScreen

        self.app.push_screen(OptionsScreen())

    def do_rules(self, key: str) -> None:
        """Open the rulebook."""
        from runner.screens.rules import RulesScreen

        self.app.push_screen(RulesScreen(self.rule_at_hand()))

    def rule_at_hand(self) -> str:
        """The rule that the rulebook opens at; empty for its beginning."""
        return ""


class PlayScreen(CommandScreen):
    """A session on the screen."""

    way_out = "Make it larger, or leave with q and play by lines: cardwalk resume --plain."

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.queue: list[Told] = []
        """Sentences still to be told, one at a time."""
        self.news: list[Told] = list(session.told(len(session.answers))) or list(session.told()[-3:])
        """What was told since the player last decided."""
        self.mode = ""
        """What the panel shows: ``die``, ``window``, ``face``, ``eating`` or nothing."""
        self.typed = ""
        """Digits of a face being typed in."""
        self.held = False
        """The last sentence told would be covered by what comes next: the player goes on first."""
        self._veiled = False
        """The view still shows the position before a roll that the player has not seen settled."""

    # ---------------------------------------------------------------- what subclasses show

    def show_view(self) -> None:
        """Show the session's state, except for the panel."""
        raise NotImplementedError

    def paced(self, told: Sequence[Told], answer: str) -> bool:
        """Whether what an answer told is told step by step."""
        return False

    @property
    def panel(self) -> RollPanel:
        """The panel for rolls and windows."""
        return self.query_one(RollPanel)

    @property
    def telling(self) -> bool:
        """Whether the player is being told something step by step."""
        return bool(self.queue) or self.held

    # ---------------------------------------------------------------- context and keys

    @property
    def context(self) -> str:
        if self.telling:
            return "telling"
        if self.mode:
            return {"die": "die", "face": "face", "eating": "eating"}.get(self.mode, "window")
        prompt = self.session.prompt
        if isinstance(prompt, Over):
            return "ending"
        if isinstance(prompt, Roll):
            return "die"
        return {"turn": "turn", "stand": "stand"}.get(prompt.topic, "story")

    def can(self, command: str) -> bool:
        match command:
            case "undo":
                return self.session.can_undo
            case "redo":
                return self.session.can_redo
            case "heal":
                return self.offered("heal")
            case "eat":
                return self.context != "window" and self.offered("eat ")
            case "look" | "scroll":
                return False
            case "advice":
                return self.session.state.field is not None and not isinstance(self.session.prompt, Over)
            case "choose":
                return self.numbers() > 0
            case _:
                return True

    def offered(self, answer: str) -> bool:
        """Whether the session offers an answer, or one that begins so (``eat ``)."""
        prompt = self.session.prompt
        if not isinstance(prompt, Decide):
            return False
        return any(o.answer.startswith(answer) if answer.endswith(" ") else o.answer == answer for o in prompt.options)

    def numbers(self) -> int:
        if self.mode and self.panel.moment is not None:
            return sum(row.key.isdigit() for row in self.panel.moment.rows)
        return 0

    def rule_at_hand(self) -> str:
        told = [one for one in self.session.told()[: len(self.session.told()) - len(self.queue)] if one.rule]
        return told[-1].rule.split()[0].strip(",") if told else ""

    # ---------------------------------------------------------------- going on

    def opened(self) -> None:
        """Show where the game stands and go on from there."""
        self.panel.show(None)
        for note in self.session.notes:
            self.notify(clean(note), timeout=8, markup=False)
        self.session.notes.clear()
        if self.cardwalk.rehearsal is not None:
            self.set_interval(PAUSE, self._look_at_deck)
        self.proceed()

    def _look_at_deck(self) -> None:
        """Go on with the deck if it was saved; a broken one is shown and changes nothing."""
        rehearsal = self.cardwalk.rehearsal
        if rehearsal is None or self.app.screen is not self or not rehearsal.saved():
            return
        good, _, text = rehearsal.reload()
        self.app.clear_notifications()
        if good:
            self._settle_on(lambda: None)
            self.notify(clean(text), markup=False)
        else:
            self.notify(clean(text), severity="error", timeout=UNTIL_SAVED, markup=False)

    def on_screen_resume(self) -> None:
        """Coming back from another page, options may have changed."""
        if self.is_mounted and not self.mode:
            self.proceed()

    def give(self, answer: str) -> None:
        """Give an answer of the player's."""
        try:
            told = self.session.answer(answer)
        except AnswerError as error:
            self.notify(clean(str(error)), severity="warning", markup=False)
            return
        self.news.clear()
        self.hear(told, answer)

    def hear(self, told: Sequence[Told], answer: str) -> None:
        """Take in what an answer told, then go on."""
        self.mode = ""
        self._veiled = False
        self.panel.show(None)
        if self.session.trouble:
            self.notify(clean(self.session.trouble), severity="error", markup=False)
        if self.cardwalk.preferences.detail == "steps" and self.paced(told, answer):
            self.queue = list(told)
            while self.queue and self.queue[0].kind in ("roll", "round"):
                # What the die did was just seen, and a turn's end is no news to who ended it.
                self.news.append(self.queue.pop(0))
            self.tell_next()
        else:
            self.news += told
            self.proceed()

    def tell_next(self) -> None:
        """Tell the next sentence; after the last one go on."""
        if self.queue:
            self.news.append(self.queue.pop(0))
            self.held = not self.queue and self._covers(self.session.prompt)
        else:
            self.held = False
        self.proceed()

    @staticmethod
    def _covers(prompt: Prompt) -> bool:
        """Whether a question's panel would cover what was just told."""
        if isinstance(prompt, Roll):
            return prompt.die in SHOWN_DICE
        return isinstance(prompt, Decide) and prompt.topic == "window"

    def proceed(self) -> None:
        """Lead on to the player's next decision: sentences first, then rolls, then the question."""
        if self._moved_on():
            return
        if not self.telling:
            prompt = self.session.prompt
            if isinstance(prompt, Roll):
                if self.mine:
                    self.ask_face(prompt)
                elif self.cast(prompt):
                    return
            elif isinstance(prompt, Decide) and prompt.topic in WINDOWS and self.mode != "window":
                self.open_window(prompt)
        self._finish()

    def _finish(self) -> None:
        if not self._moved_on():
            if not self._veiled:
                self.show_view()
            self.show_keys()

    def _moved_on(self) -> bool:
        """Whether the session has come from the story to an encounter or back, and the app changes the screen."""
        return not self.telling and not self.mode and self.cardwalk.change_screen(self)

    @property
    def mine(self) -> bool:
        """Whether the player rolls the dice on the desk."""
        return self.session.mine

    # ---------------------------------------------------------------- rolls

    def cast(self, roll: Roll) -> bool:
        """Roll the program's die; returns whether ``proceed`` was already called from here."""
        self._scale = roll.lines
        self.before_roll(roll)
        told = self.session.roll()
        face = self.session.answers[-1].answer
        if roll.die not in SHOWN_DICE:
            self.hear((*self.sentence(roll, face), *told), face)
            return True
        prompt = self.session.prompt
        if isinstance(prompt, Decide) and prompt.topic == "window":
            self.news += told
            self.open_window(prompt, face, tumble=True)
            return False
        self._veiled = True
        self.mode = "die"
        lines = [*roll.lines, *(told_.text for told_ in told if told_.kind == "roll")]
        shown = face.split()[-1]
        self._after = (tuple(told), face)
        self.show_moment(Moment(roll.title, roll.die, shown, tuple(lines)), tumble=self.tumbles)
        return False

    def before_roll(self, roll: Roll) -> None:
        """A die is about to be rolled: say whose it is; the rest of the view waits until it has settled."""

    @property
    def tumbles(self) -> bool:
        """Whether a die may be seen rolling."""
        return self.cardwalk.preferences.animation and self.app.animation_level != "none"

    def sentence(self, roll: Roll, answer: str) -> tuple[Told, ...]:
        """A placement, a 50/50 or a draw in a sentence."""
        face = next((face for face in roll.faces if face.answer == answer), Face(answer, 1))
        say = face.say or answer.split(maxsplit=1)[-1]
        if roll.die == "draw":
            say = self._title_of(say)
        rule = "FIELD-6" if roll.die == "place" else "FOE-7" if roll.die == "draw" else "FIELD-8"
        return (Told(f"{roll.title}: {say}.", rule, "roll"),)

    def _title_of(self, card: str) -> str:
        """The name of a drawn card; its id if it has none."""
        library = self.session.library
        for cards in (library.enemies, library.terrain):
            if card in cards:
                return clean(cards[card].name)
        titles = (other.title for ref, other in library.specials.items() if ref.partition(":")[2] == card)
        return clean(next(titles, "") or card)

    def open_window(self, prompt: Decide, face: str = "", *, tumble: bool = False) -> None:
        """Ask an influence, dodge or last-bite question in the panel."""
        if not face and prompt.topic == "window":
            given = (record.answer for record in reversed(self.session.answers))
            face = next((answer for answer in given if answer.split()[0] in SHOWN_DICE), "")
        self.mode = "window"
        die, _, shown = face.partition(" ")
        scale = self._scale if face else ()
        moment = Moment(prompt.title, die, shown, (*scale, *prompt.lines), window_rows(prompt))
        self.show_moment(moment, tumble=tumble and self.tumbles)

    def show_moment(self, moment: Moment, *, tumble: bool = False) -> None:
        """Show a moment in the panel."""
        self.panel.show(moment, tumble=tumble)

    @property
    def chooser(self) -> RollPanel | Choices:
        """Where the rows of a window stand."""
        return self.panel

    _scale: tuple[str, ...] = ()
    """What the last roll is read by, from the question that asked for it."""

    def ask_face(self, roll: Roll) -> None:
        """Ask what the die on the desk shows."""
        self.mode = "face"
        name = DICE_NAMES.get(roll.die, roll.die)
        if roll.die in SHOWN_DICE:
            ask = f"Roll a {name} and type what it shows, 1 to {len(roll.faces)}."
            rows: tuple[Row, ...] = ()
        else:
            ask = {"place": "Roll the placement die and type the space.", "draw": "Draw a card and say which."}.get(
                roll.die, "Decide it with a roll, odd or even, and type the number in front."
            )
            rows = (
                tuple(
                    Row(str(i), face.say or face.answer.split(maxsplit=1)[-1], "", face.answer)
                    for i, face in enumerate(roll.faces, 1)
                )
                if roll.die != "place"
                else ()
            )
        lines = (*roll.lines, ask)
        foot = f"it shows: {self.typed}▏"
        self.show_moment(Moment(roll.title, roll.die, self.typed or "?", lines, rows, foot))

    def do_digit(self, key: str) -> None:
        """A digit of the face."""
        self.typed = (self.typed + key)[-2:]
        self._retype()

    def do_erase(self, key: str) -> None:
        """Take the last digit back."""
        self.typed = self.typed[:-1]
        self._retype()

    def _retype(self) -> None:
        prompt = self.session.prompt
        if isinstance(prompt, Roll):
            self.ask_face(prompt)

    def do_enter_face(self, key: str) -> None:
        """Take the typed face, if the die has it."""
        prompt = self.session.prompt
        if not isinstance(prompt, Roll):
            return
        rows = self.panel.moment.rows if self.panel.moment else ()
        typed, self.typed = self.typed, ""
        row = next((row for row in rows if row.key == typed), None)
        answer = row.answer if row is not None else f"{prompt.die} {typed}"
        if any(face.answer == answer for face in prompt.faces):
            self._scale = prompt.lines
            self.answer_face(prompt, answer)
        else:
            spaces = ", ".join(face.answer.split()[-1] for face in prompt.faces)
            can = f"1 to {len(prompt.faces)}" if prompt.die in SHOWN_DICE else f"1 to {len(rows)}" if rows else spaces
            asked = f"That die does not show {typed}: type {can}." if typed else f"Type what the die shows, {can}."
            self.notify(asked, severity="warning", markup=False)
            self._retype()

    def answer_face(self, roll: Roll, answer: str) -> None:
        """Give the face seen on the desk."""
        try:
            told = self.session.answer(answer)
        except AnswerError as error:
            self.notify(clean(str(error)), severity="warning", markup=False)
            return
        said = self.sentence(roll, answer) if roll.die not in SHOWN_DICE else ()
        self.hear((*said, *told), answer)

    def do_cast(self, key: str) -> None:
        """Let the program roll this one."""
        prompt = self.session.prompt
        if isinstance(prompt, Roll):
            self.typed, self.mode = "", ""
            if not self.cast(prompt):
                self._finish()

    # ---------------------------------------------------------------- commands

    def do_next(self, key: str) -> None:
        """Tell the next sentence, or let the shown roll stand."""
        if self.telling:
            self.tell_next()
        elif self.mode == "die":
            told, face = self._after
            self.hear(told, face)

    _after: tuple[tuple[Told, ...], str] = ((), "")

    def do_skip(self, key: str) -> None:
        """Tell the rest at once."""
        self.news += self.queue
        self.queue.clear()
        self.held = False
        self.proceed()

    def do_keep(self, key: str) -> None:
        """Take the marked row of the window: at first the one that spends nothing."""
        row = self.chooser.current
        if row is not None:
            self.give_row(row)

    def give_row(self, row: Row) -> None:
        """Give the answer of a row."""
        if row.answer:
            self.give(row.answer)

    def do_choose(self, key: str) -> None:
        """Take the panel's row of that number."""
        row = self.chooser.by_key(key)
        if row is not None:
            self.give_row(row)

    def do_mark(self, key: str) -> None:
        """Move the mark."""
        self.chooser.move(-1 if key == "up" else 1)

    def on_choices_chosen(self, message: Choices.Chosen) -> None:
        """A row was clicked."""
        message.stop()
        self.give_row(message.row)
        self.show_keys()

    def do_heal(self, key: str) -> None:
        """Heal one wound."""
        self.give("heal")

    def do_eat(self, key: str) -> None:
        """Eat: the only food at once, else ask which."""
        prompt = self.session.prompt
        if not isinstance(prompt, Decide):
            return
        foods = [option for option in prompt.options if option.kind == "eat"]
        if len(foods) == 1:
            self.give(foods[0].answer)
        elif foods:
            self.mode = "eating"
            rows = tuple(
                Row(str(i), clean(option.say), clean(option.detail), option.answer) for i, option in enumerate(foods, 1)
            )
            self.show_moment(Moment("What will you eat?", rows=rows, foot="esc eats nothing"))

    def do_close_panel(self, key: str) -> None:
        """Eat nothing after all."""
        self.mode = ""
        self.panel.show(None)

    def do_undo(self, key: str) -> None:
        """Take back the last answer, whatever is open."""
        self._settle_on(self.session.undo)

    def do_redo(self, key: str) -> None:
        """Give again what was taken back."""
        self._settle_on(self.session.redo)

    def _settle_on(self, change: Any) -> None:
        self.queue.clear()
        self.mode, self.typed, self._veiled, self.held = "", "", False, False
        self.panel.show(None)
        change()
        self.news = list(self.session.told(len(self.session.answers))) if self.session.answers else []
        self.forget()
        self.proceed()

    def forget(self) -> None:
        """Drop whatever was being chosen."""

    def do_restart(self, key: str) -> None:
        """Begin the chapter again (CHK-2)."""
        self._settle_on(self.session.restart)

    def do_log(self, key: str) -> None:
        """Open the log."""
        from runner.screens.log import LogScreen

        self.app.push_screen(LogScreen(self.told_so_far(), self.cardwalk.preferences.rules))

    def told_so_far(self) -> list[Told]:
        """Everything told, but for what the player has still to hear."""
        told = self.session.told()
        return told[: len(told) - len(self.queue)] if self.queue else told

    def do_inventory(self, key: str) -> None:
        """Open what she carries."""
        from runner.screens.inventory import InventoryScreen

        self.app.push_screen(InventoryScreen(self.session.state.hero, self.session.library))

    def do_advice(self, key: str) -> None:
        """Ask for the best moves."""
        from runner.screens.advice import AdviceScreen

        self.app.push_screen(AdviceScreen(self.session), self._advised)

    def _advised(self, answer: str | None) -> None:
        if answer:
            self.forget()
            self.give(answer)
            self.show_keys()

    def do_back(self, key: str) -> None:
        """Back to the title; the save is closed, the game kept. One that is not saved is left at the second asking."""
        if self.session.name or self._warned or not self.session.can_undo:
            self.cardwalk.leave_game()
        else:
            self._warned = True
            self.notify("This game is not being saved: q once more leaves it.", severity="warning", markup=False)

    _warned = False
