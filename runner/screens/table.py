"""The table editor: lay out a position, save it, play it from there, or ask for the best move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll

from runner.board import NO_LIGHTS, legend, spaces
from runner.editing import EditRow, edit_rows, new_enemy, new_terrain
from runner.layout import Layout, LayoutError, empty_layout, layout_of, with_cards
from runner.screens.ask import AskList, AskText
from runner.screens.play import CommandScreen
from runner.terminal import clean
from runner.view import BLANK, DIM, HEAD, Line, Row, ap_discs, health_dice, spread, wrap
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.widgets.playfield import Playfield
from runner.words import enemy_words, terrain_words, wounds
from story.cards import EncounterFile
from story.hero import starting_hero
from story.problems import DeckError

NEW = "+new"
"""Stands in lists for a card that is to be made."""

CARDS = "+cards"
"""Stands in lists for bringing in a campaign's cards."""

UNSAVED = (
    Row("1", "Save it, then leave", "", "save"),
    Row("2", "Leave without saving", "what was changed is lost", "leave"),
    Row("3", "Stay at the table", "esc stays too", "stay"),
)
"""What can be done on leaving a table that is not saved."""

KEPT = 200
"""Layouts kept for undo."""


class EditRows(Drawn):
    """The rows that can be turned, under their headings, with a mark on one."""

    rows: tuple[EditRow, ...] = ()
    marked = 0
    active = False

    def show(self, rows: Sequence[EditRow], marked: int, active: bool) -> None:
        """Show rows; ``active``: the arrows are here and not on the playfield."""
        self.rows, self.active = tuple(rows), active
        self.marked = max(0, min(marked, len(self.rows) - 1))
        self.redraw()

    def line_of(self, place: int) -> int:
        """The line that a row stands on, headings counted."""
        groups = [row.group for row in self.rows[: place + 1]]
        return place + sum(2 if i else 1 for i, group in enumerate(groups) if i == 0 or groups[i - 1] != group)

    def lines(self, width: int, height: int) -> Sequence[Line]:
        lines: list[Line] = []
        for i, row in enumerate(self.rows):
            if i == 0 or self.rows[i - 1].group != row.group:
                if i:
                    lines.append(BLANK)
                lines.append(((clean(row.group).upper(), HEAD),))
            here = self.active and i == self.marked
            ground = " on $row" if here else ""
            arrows = ("◂ ", " ▸") if here else ("", "")
            value = ((f"{arrows[0]}{row.value}{arrows[1]} ", ("bold $accent" if here else "bold") + ground),)
            label = ((f" {clean(row.label)}", ("bold" if here else DIM) + ground),)
            lines.append(spread(label, value, width))
        return lines


class Below(Drawn):
    """What is on the marked space, in words, and what happened last."""

    texts: tuple[Line, ...] = ()

    def show(self, texts: Sequence[Line]) -> None:
        """Show these lines."""
        self.texts = tuple(texts)
        self.refresh()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return [part for line in self.texts for part in wrap(line, width)]


class TableScreen(CommandScreen):
    """A playfield that is laid out by hand."""

    needed = (76, 18)

    def __init__(self, file: Path | None = None) -> None:
        super().__init__()
        self.path = file
        self.layout_ = empty_layout()
        self.past: list[Layout] = []
        self.future: list[Layout] = []
        self.space = self.layout_.hero_space
        self.row = 0
        self.turning = False
        """The arrows turn rows; otherwise they move the mark over the playfield."""
        self.lifted = 0
        """The space whose piece is in the hand; 0: none."""
        self.word = "Arrows move the mark, n puts an enemy on it, c brings a campaign's cards, tab goes to the numbers."
        self.saved = True
        self._good: tuple[Layout, EncounterFile] | None = None
        """The layout that was checked last and found good, with its file."""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Horizontal(id="laid"):
            with Vertical(id="table-left"):
                yield Playfield(id="board")
                yield Below(id="table-held")
                yield Below(id="below")
            with VerticalScroll(id="rows", can_focus=False):
                yield EditRows(id="edit-rows")
        yield KeyBar()

    def on_mount(self) -> None:
        """Open the file, if one was named."""
        if self.path is not None and self.path.exists():
            self._open(self.path)
        elif self.path is not None:
            self.word = f"{self.path.name} is a new file."
        self.show_all()

    @property
    def context(self) -> str:
        return "numbers" if self.turning else "table"

    # ---------------------------------------------------------------- showing

    def show_all(self) -> None:
        """Bring everything up to date."""
        layout = self.layout_
        name = self.path.name if self.path else "not saved yet"
        mark = "" if self.saved else " *"
        left: Line = ((" The table", "bold"), (f" · {clean(layout.title) or 'a position'}", DIM))
        self.query_one(Header).show(left, ((f"{clean(name)}{mark} · round {layout.round} of {layout.rounds} ", DIM),))
        lights = NO_LIGHTS._replace(cursor=self.space, chosen=(self.lifted,) if self.lifted else ())
        field = layout.field()
        board = self.query_one(Playfield)
        board.show(spaces(field, layout.library), lights)
        hero = starting_hero(layout.hero, layout.library)
        held: Line = (
            ("AP ", HEAD),
            *ap_discs(hero),
            ("   WOUNDS ", HEAD),
            *health_dice(hero),
        )
        self.query_one("#table-held", Below).show([held])
        self.query_one("#below", Below).show(self._below(legend(field, layout.library)))
        rows = edit_rows(layout, self.space)
        self.row = max(0, min(self.row, len(rows) - 1))
        listing = self.query_one(EditRows)
        listing.show(rows, self.row, self.turning)
        self.query_one("#rows", VerticalScroll).scroll_to(y=max(0, listing.line_of(self.row) - 8), animate=False)
        self.show_keys()

    def _below(self, letters: str) -> list[Line]:
        layout = self.layout_
        lines: list[Line] = [((self.word, "bold"),)] if self.word else []
        foe, ground = layout.foe_at(self.space), layout.terrain_at(self.space)
        if foe is not None:
            name, texts = enemy_words(layout.library.enemies[foe.card], layout.library)
            lines.append(((clean(f"{name}: " + "; ".join(texts)), DIM),))
        elif ground is not None:
            name, texts = terrain_words(layout.library.terrain[ground.card], layout.library)
            lines.append(((clean(f"{name}: " + "; ".join(texts)), DIM),))
        for piece in (*layout.rolled_enemies, *layout.rolled_terrain):
            what = piece.card or f"{piece.draw} from {piece.source}"
            lines.append(((f"placed by the die: {what}", DIM),))
        if letters:
            lines.append(((letters, DIM),))
        return lines

    def numbers(self) -> int:
        return 0

    def can(self, command: str) -> bool:
        match command:
            case "undo":
                return bool(self.past)
            case "redo":
                return bool(self.future)
        return True

    # ---------------------------------------------------------------- changing

    def _change(self, change: Callable[[Layout], Layout], word: str = "") -> None:
        try:
            changed = change(self.layout_)
        except LayoutError as error:
            self.word = str(error)
        else:
            self.word = word
            if changed != self.layout_:
                self.past = [*self.past[-KEPT:], self.layout_]
                self.future = []
                self.layout_ = changed
                self.saved = False
        self.show_all()

    def do_move(self, key: str) -> None:
        """Move the mark over the playfield."""
        column, row = (self.space - 1) % 5, (self.space - 1) // 5
        column = (column + {"left": -1, "right": 1}.get(key, 0)) % 5
        row = (row + {"down": -1, "up": 1}.get(key, 0)) % 3
        self.space = row * 5 + column + 1
        self.row = 0
        self.word = ""
        self.show_all()

    def do_turn_row(self, key: str) -> None:
        """Go to another row, or turn the marked one."""
        rows = edit_rows(self.layout_, self.space)
        if key in ("up", "down"):
            self.row = (self.row + (1 if key == "down" else -1)) % len(rows)
            self.show_all()
        else:
            self._change(lambda layout: rows[self.row].change(layout, -1 if key in ("left", "minus") else 1))

    def do_numbers(self, key: str) -> None:
        """The arrows change between the playfield and the rows."""
        self.turning = not self.turning
        self.show_all()

    def on_playfield_clicked(self, message: Playfield.Clicked) -> None:
        """Put the mark there; a piece in the hand is put down there."""
        message.stop()
        self.space, self.turning = message.space, False
        if self.lifted:
            self.do_lift("space")
        else:
            self.word = ""
            self.show_all()

    def do_here(self, key: str) -> None:
        """Rangitaki stands on the marked space."""
        self._change(lambda layout: layout.with_hero_at(self.space))

    def do_lift(self, key: str) -> None:
        """Take the piece on the mark into the hand, or put it down."""
        layout = self.layout_
        if self.lifted:
            lifted, self.lifted = self.lifted, 0
            if lifted != self.space:
                self._change(lambda layout: layout.moved(lifted, self.space))
                return
        elif self.space == layout.hero_space or layout.foe_at(self.space) or layout.terrain_at(self.space):
            self.lifted = self.space
            self.word = "In your hand: move the mark and press space again."
        else:
            self.word = f"Nothing stands on {self.space}."
        self.show_all()

    def do_disc(self, key: str) -> None:
        """A blocked disc, there or not."""
        self._change(lambda layout: layout.with_disc(self.space))

    def do_cross(self, key: str) -> None:
        """An X, there or not."""
        self._change(lambda layout: layout.with_cross(self.space))

    def do_take_away(self, key: str) -> None:
        """Take the piece on the mark off the table."""
        self._change(lambda layout: layout.without(self.space))

    def do_undo(self, key: str) -> None:
        """Take the last change back."""
        self.future.append(self.layout_)
        self.layout_ = self.past.pop()
        self.saved, self.word = False, "Taken back."
        self.show_all()

    def do_redo(self, key: str) -> None:
        """Make the change again that was taken back."""
        self.past.append(self.layout_)
        self.layout_ = self.future.pop()
        self.saved, self.word = False, ""
        self.show_all()

    # ---------------------------------------------------------------- pieces

    def do_enemy(self, key: str) -> None:
        """Choose an enemy card, or make one, for the marked space."""
        cards = self.layout_.library.enemies.values()
        rows = [
            Row(str(i) if i < 10 else "", clean(card.name), wounds(card.wounds), card.id)
            for i, card in enumerate(sorted(cards, key=lambda card: card.name), 1)
        ]
        self._ask_card(f"Which enemy on {self.space}?", rows, new_enemy, "A new enemy", Layout.with_foe)

    def do_terrain(self, key: str) -> None:
        """Choose a terrain card, or make one, for the marked space."""
        cards = self.layout_.library.terrain.values()
        rows = [
            Row(str(i) if i < 10 else "", clean(card.name), ", ".join(sorted(card.classes)), card.id)
            for i, card in enumerate(sorted(cards, key=lambda card: card.name), 1)
        ]
        self._ask_card(f"Which terrain on {self.space}?", rows, new_terrain, "A new terrain", Layout.with_terrain)

    def _ask_card(
        self,
        question: str,
        rows: list[Row],
        make: Callable[[Layout, str], tuple[Layout, str]],
        new: str,
        put: Callable[[Layout, str, int], Layout],
    ) -> None:
        space = self.space

        def named(name: str | None) -> None:
            if name:

                def change(layout: Layout) -> Layout:
                    made, id = make(layout, name)
                    return put(made, id, space)

                self._change(change, "Tab goes to its numbers.")

        def chosen(id: str | None) -> None:
            if id == CARDS:
                self.do_cards("c")
            elif id == NEW:
                self.app.push_screen(AskText(f"{new}: what is its name?"), named)
            elif id:
                self._change(lambda layout: put(layout, id, space))

        more = [Row("n", f"{new} …", "", NEW), Row("c", "The cards of a campaign …", "", CARDS)]
        self.app.push_screen(AskList(question, [*rows, *more]), chosen)

    def do_cards(self, key: str) -> None:
        """Bring in the cards of a campaign."""

        def named(name: str | None) -> None:
            if name:
                self._bring_cards(name)

        self.app.push_screen(AskText("Cards of which deck? A built-in name or a path", "starter"), named)

    def _bring_cards(self, name: str) -> None:
        from story.load import load_deck

        try:
            deck = load_deck(name)
        except DeckError as error:
            self.word = _first(error)
            self.show_all()
            return
        count = f"{len(deck.library.enemies)} enemies, {len(deck.library.terrain)} terrain cards"
        self._change(lambda layout: with_cards(layout, deck.library), f"From {clean(deck.title)}: {count}.")

    # ---------------------------------------------------------------- files and what to do with them

    def _open(self, path: Path) -> None:
        from story.load import load_encounter

        try:
            file = load_encounter(path)
        except DeckError as error:
            self.word = _first(error)
            return
        self.path = path
        self.layout_ = layout_of(file)
        self.past, self.future, self.saved = [], [], True
        self.space = self.layout_.hero_space
        self.word = f"Opened {path.name}."

    def do_open(self, key: str) -> None:
        """Open an encounter file."""

        def named(name: str | None) -> None:
            if name:
                try:
                    self._open(Path(name).expanduser())
                except RuntimeError as error:  # ~nobody
                    self.word = f"Not opened: {error}"
                self.show_all()

        self.app.push_screen(AskText("Open which encounter file?"), named)

    def do_title(self, key: str) -> None:
        """Name the position."""

        def named(name: str | None) -> None:
            if name:
                self._change(lambda layout: replace(layout, title=name))

        self.app.push_screen(AskText("What is this position called?", self.layout_.title), named)

    def do_save(self, key: str) -> None:
        """Save as an encounter file."""
        self._ask_file(lambda: None)

    def _ask_file(self, saved: Callable[[], None]) -> None:
        """Ask for a file and save; ``saved`` follows if that went well."""

        def named(name: str | None) -> None:
            if name:
                try:
                    self._save(Path(name).expanduser())
                except (OSError, RuntimeError, ValueError) as error:
                    self.word = f"Not saved: {str(getattr(error, 'strerror', None) or error).rstrip('.')}."
                self.show_all()
                if self.saved:
                    saved()

        self.app.push_screen(AskText("Save as which file?", str(self.path or "table.yaml")), named)

    def _save(self, path: Path) -> None:
        """Write the file; raises OSError or ValueError, also rather than replace any but the file that is open."""
        from story.dump import encounter_text
        from story.loading.layout import laid_out

        if not path.suffix:
            path = path.with_suffix(".yaml")
        if path != self.path and path.exists():
            raise ValueError(f"{path.name} is there already; name another file")
        part = path.with_name(path.name + ".part")
        part.write_text(laid_out(encounter_text(self.layout_.file())), encoding="utf-8", newline="\n")
        part.replace(path)
        self.path, self.saved = path, True
        self.word = f"Saved as {path.name}."

    def _checked(self) -> EncounterFile | None:
        """The file, loaded anew from its own text, so that every check of a deck applies; else the first problem.

        The same layout gives the same file: by its library the solver's tables and bounds are found again.
        """
        import tempfile

        from story.dump import encounter_text
        from story.load import load_encounter

        if self._good is None or self._good[0] != self.layout_:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "table.yaml")
                path.write_text(encounter_text(self.layout_.file()), encoding="utf-8")
                try:
                    self._good = (self.layout_, load_encounter(path))
                except DeckError as error:
                    self.word = _first(error)
                    self.show_all()
                    return None
        return self._good[1]

    def do_play(self, key: str) -> None:
        """Play on from this position."""
        file = self._checked()
        if file is not None:
            self._play_on(file)

    def _play_on(self, file: EncounterFile, answer: str = "") -> None:
        """Play on from a position, with an answer that was chosen already."""
        from runner.games import new_game
        from runner.saves import SaveError

        try:
            session = new_game(file, mine=self.cardwalk.preferences.dice == "mine")
        except SaveError as error:
            self.word = f"Not played: {error}."
            self.show_all()
            return
        play = self.cardwalk.open_game(session)
        if answer:
            play.call_after_refresh(play.give, answer)

    def do_advice(self, key: str) -> None:
        """Ask for the best move in this position; whoever chooses one plays on with it."""
        file = self._checked()
        if file is not None:
            from runner.screens.advice import AdviceScreen
            from runner.session import Session
            from story.playfield.table import EncounterTable

            def advised(answer: str | None) -> None:
                if answer:
                    self._play_on(file, answer)

            self.app.push_screen(AdviceScreen(Session(EncounterTable(file), 0, title=file.title)), advised)

    def do_back(self, key: str) -> None:
        """Close the table; if it is not saved, ask first."""
        self._leaving(self._leave)

    def do_quit(self, key: str) -> None:
        self._leaving(lambda: self.app.exit(0))

    def _leaving(self, leave: Callable[[], None]) -> None:
        if self.saved:
            leave()
            return

        def answered(answer: str | None) -> None:
            if answer == "save":
                self._ask_file(leave)
            elif answer == "leave":
                leave()

        self.app.push_screen(AskList("This table is not saved. What now?", UNSAVED), answered)

    def _leave(self) -> None:
        from runner.screens.title import TitleScreen

        if any(isinstance(screen, TitleScreen) for screen in self.app.screen_stack):
            self.dismiss(None)
        else:
            self.app.switch_screen(TitleScreen())


def _first(error: DeckError) -> str:
    """The first problem of a deck, in one line."""
    problem = error.problems[0]
    return clean(
        f"{problem.file}: {problem.message}; {problem.hint}" if problem.hint else f"{problem.file}: {problem.message}"
    )
