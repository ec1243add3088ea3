"""The encounter: the playfield, her actions beside it, and below what happens, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical

from runner import aim as aiming
from runner.aim import Aim
from runner.board import NO_LIGHTS, Lights, legend, size, spaces, stroke
from runner.screens.play import PlayScreen
from runner.sentences import foe_name
from runner.terminal import clean
from runner.view import DIM, HEAD, Line, Row, ap_discs, ending_rows, ending_words, health_dice, wrap
from runner.widgets.choices import Choices
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.widgets.narration import Log, Narration
from runner.widgets.playfield import Playfield
from runner.widgets.rollpanel import Moment, RollPanel
from runner.widgets.status import StatusRows
from runner.words import enemy_words, terrain_words
from story.cards import ActionCard
from story.playfield.field import Field
from story.prompts import Decide, Over, Roll, Told

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}

SIDE = 42
WIDE, TALL = 110, 34
"""From this size on there is room for larger spaces, the enemy's card and the log beside the playfield."""


class CardWords(Drawn):
    """The card of the enemy or terrain being looked at."""

    card: tuple[str, tuple[str, ...]] | None = None

    def show(self, card: tuple[str, tuple[str, ...]] | None) -> None:
        """Show another card."""
        if card != self.card:
            self.card = card
            self.redraw()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        if self.card is None:
            return ()
        return card_lines(self.card, width)


def card_lines(card: tuple[str, tuple[str, ...]], width: int, *, flowing: bool = False) -> tuple[Line, ...]:
    """A card's name and its lines, wrapped; ``flowing``: one after the other, where rows are dear."""
    name, texts = card
    lines: list[Line] = [((name, "bold $accent"),)]
    flow: list[tuple[str, str]] = []
    for text in texts:
        head, colon, rest = text.partition(": ")
        pieces: Line = ((head + colon, DIM), (rest, "")) if colon and len(head) < 40 else ((text, ""),)
        if flowing:
            flow += [(" · ", "$accent")] * bool(flow) + [*pieces]
        else:
            lines += wrap(pieces, width, "", "  ")
    return (*lines, *wrap(tuple(flow), width)) if flowing else tuple(lines)


class EncounterScreen(PlayScreen):
    """A playfield in play."""

    needed = (76, 20)
    aim: Aim | None = None
    looked = ""
    """Name of the enemy or terrain being looked at."""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Container(id="field"):
            yield Playfield(id="board")
            with Vertical(id="side"):
                yield Choices(id="menu")
                yield CardWords(id="looked")
                yield Log(id="log")
            yield StatusRows(id="held")
            with Container(id="lower"):
                yield Narration(id="told")
                yield RollPanel(id="panel")
        yield KeyBar()

    # ---------------------------------------------------------------- what is shown

    @property
    def menu(self) -> Choices:
        """What she can do now, beside the playfield."""
        return self.query_one("#menu", Choices)

    @property
    def chooser(self) -> RollPanel | Choices:
        return self.menu

    @property
    def wide(self) -> bool:
        """Whether there is room for the enemy's card and the log."""
        return self.app.size.width >= WIDE and self.app.size.height >= TALL

    def on_resize(self, event: events.Resize) -> None:
        """Let the playfield grow with the screen."""
        width, height = self.app.size
        across = max(10, min(18, (width - SIDE - 1) // 5 - 1)) if width >= WIDE else 10
        down = 5 if height >= TALL else 3
        self.query_one(Playfield).set_cell(across, down)
        columns, rows = size(across, down)
        grid = self.query_one("#field").styles
        grid.grid_columns, grid.grid_rows = f"{columns} 1fr", f"{rows} {3 if self.wide else 2} 1fr"
        if self.is_mounted and self.is_current:
            self.show_view()

    def show_moment(self, moment: Moment, *, tumble: bool = False) -> None:
        """The die and its words lie below the playfield, the rows beside it."""
        prompt = self.session.prompt
        if isinstance(prompt, Decide) and prompt.topic == "dodge":
            hero = self.session.state.hero
            odds = aiming.crit_miss_odds(hero.crit, hero.miss, hero.talent("critical"))
            says = f"A dodge cancels 1 wound unless it misses: {aiming.percent(odds.miss)}."
            moment = moment._replace(lines=(*moment.lines, says))
        self.panel.show(moment._replace(rows=()), tumble=tumble)
        self.menu.show(moment.rows, self._heading(moment.title if moment.rows and not moment.die else ""))

    @staticmethod
    def _heading(title: str) -> tuple[Line, ...]:
        return (((title.upper(), HEAD),),) if title else ()

    def show_view(self) -> None:
        session, state = self.session, self.session.state
        field = state.field
        title = field.board.title if field is not None else ""
        self.query_one("#header", Header).show(self._where(field), self._vital())
        self.query_one("#held", StatusRows).show(state.hero, session.library)
        if field is not None:
            self.query_one(Playfield).show(
                spaces(field, session.library), self.lights(field), legend(field, session.library)
            )
        if not self.mode or self.telling:
            self._show_menu()
        self._show_told(title)
        self._show_side()

    def before_roll(self, roll: Roll) -> None:
        self.query_one("#header", Header).show(self._where(self.session.state.field, roll.title), self._vital())

    def _where(self, field: Field | None, rolled: str = "") -> Line:
        """The round and whose turn it is; ``rolled``: the title of the roll that is being made."""
        if field is None:
            return ((clean(self.session.title), "bold"),)
        whose = {"turn": "your turn", "aim": "your turn", "stand": "take your place"}.get(self.context, "")
        if not whose:
            whose = "it is over" if self.context == "ending" else "the enemies act"
        moment = self.panel.moment
        if self.mode in ("window", "face", "die") and moment is not None and moment.die:
            rolled = moment.title
        if rolled:
            enemies = [f"{foe_name(foe, self.session.library)} on {foe.space} " for foe in field.foes]
            whose = "an enemy's roll" if rolled.startswith(tuple(enemies)) else "your roll"
        last = ", the last" if field.last_round and field.board.rounds > 1 else ""
        title = clean(field.board.title or self.session.title)
        name: Line = ((f" · {title}", DIM),) if self.app.size.width >= WIDE and title else ()
        return ((f"Round {field.round} of {field.board.rounds}{last}", "bold"), (f" · {whose}", "$accent"), *name)

    _in_her_turn = True

    def _vital(self) -> Line:
        hero = self.session.state.hero
        wounds: Line = ((f" {hero.wounds}/{hero.wound_limit} wounds   ", "bold" if hero.wounds else DIM),)
        most = 14 if self.app.size.width >= WIDE else 8
        return (*health_dice(hero), *wounds, *ap_discs(hero, most), (f" {hero.ap} AP", "bold $ap"))

    def _show_menu(self) -> None:
        prompt, session = self.session.prompt, self.session
        if self.telling:
            more = f"{len(self.queue)} more" if self.queue else ""
            rows = [
                Row("enter", "Next", more, "next", "telling"),
                Row("s", "Skip", "to your decision", "skip", "telling"),
            ]
            self.menu.show(rows)
        elif isinstance(prompt, Over):
            heading, sentence = ending_words(prompt)
            width = max(20, self.menu.content_size.width)
            lines = (((heading, "bold $accent"),), *wrap(((clean(sentence), ""),), width), ())
            rows_ = [row for row in ending_rows(session.chapter, session.can_undo) if session.campaign or row.key]
            self.menu.show(rows_, lines)
        elif isinstance(prompt, Decide) and self.aim is not None:
            self._show_aim(prompt, self.aim)
        elif isinstance(prompt, Decide) and prompt.topic == "turn":
            entries = aiming.turn_menu(prompt, session.state.hero, session.library, session.state.field)
            rows_ = [
                Row(
                    entry.key,
                    entry.label,
                    (f"{entry.cost} AP" if entry.cost else "") if entry.open else entry.why,
                    entry.verb if entry.open else "",
                    "turn" if entry.open else "closed",
                )
                for entry in entries
            ]
            self.menu.show(rows_, (), marked=len(rows_) + 9)
            self.menu.marked = -1
        elif isinstance(prompt, Decide):
            self.menu.show(())

    def _show_aim(self, prompt: Decide, aim: Aim) -> None:
        hero, library = self.session.state.hero, self.session.library
        field = self.session.state.field
        assert field is not None
        rows: list[Row] = []
        for augment in aiming.augments(prompt, aim, hero, library):
            sign = "●" if augment.on else "○"
            open_ = augment.open
            why = "too few AP" if augment.cost > hero.ap else "no target"
            note = f"+{augment.cost} AP" if open_ else why
            rows.append(
                Row(augment.key, f"{sign} {augment.name}", note, f"+{augment.word}" if open_ else "", "augment")
            )
        names = aiming.targets(prompt, aim, library)
        for number, name in enumerate(names, 1):
            lob = aiming.needs_lob(prompt, aim, name, library)
            key = str(number) if number < 10 else ""
            rows.append(Row(key, self._target_words(name, field), "lob" if lob else "", name, "target"))
        marked = next((i for i, row in enumerate(rows) if row.kind == "target" and row.answer == aim.cursor), 0)
        verb = "Where do you stand?" if aim.verb == "stand" else self._verb_title(aim)
        self.menu.show(rows, (((verb.upper(), HEAD),),), marked)

    def _verb_title(self, aim: Aim) -> str:
        card = self._action(aim.verb)
        titles = {"step": "Step to", "try": "Try"}
        title = titles.get(aim.verb) or (card.name if card else aim.verb)
        return f"{title}: then" if aim.names else title

    def _action(self, verb: str) -> ActionCard | None:
        library = self.session.library
        return next((card for card in library.actions.values() if aiming.word_of(card) == verb), None)

    def _target_words(self, name: str, field: Field) -> str:
        if name.isdigit():
            return f"space {name}"
        foe = field.foe(name)
        if foe is not None:
            return f"{clean(foe_name(foe, self.session.library))} on {foe.space}"
        space = aiming.space_of(name, field)
        ground = field.board.ground_at.get(space)
        return f"{clean(ground.card.name)} on {space}" if ground is not None else name

    def _show_told(self, title: str) -> None:
        narration = self.query_one(Narration)
        narration.rules = self.cardwalk.preferences.rules
        field = self.session.state.field
        prompt = self.session.prompt
        width = max(30, narration.content_size.width or self.app.size.width - 2)
        top: tuple[Line, ...] = ()
        if self.aim is not None and isinstance(prompt, Decide) and field is not None:
            top = self.aim_lines(prompt, self.aim, field, width)
        elif self.looked and not self.wide and (card := self._looked_card()) is not None:
            top = card_lines(card, width, flowing=True)
        told = self.news if self.wide else self.told_so_far()
        narration.set_class(bool(self.mode), "beside-panel")
        narration.show(told, max(1, len(self.news)), top)

    def _show_side(self) -> None:
        looked = self.query_one("#looked", CardWords)
        log = self.query_one("#log", Log)
        looked.display = log.display = self.wide
        if not self.wide:
            return
        looked.show(self._looked_card())
        log.show(self.told_so_far(), False)

    def _looked_card(self) -> tuple[str, tuple[str, ...]] | None:
        field, library = self.session.state.field, self.session.library
        if field is None:
            return None
        name = self.looked
        if self.wide and not name:
            name = self.aim.cursor if self.aim is not None else ""
            name = name or next((foe.name for foe in field.by_space()), "")
        foe = field.foe(name)
        if foe is not None:
            title, lines = enemy_words(library.enemies[foe.card], library, foe.wounds)
            return f"{clean(foe_name(foe, library))} on {foe.space}", lines
        space = aiming.space_of(name, field) if name and not name.isdigit() else 0
        ground = field.board.ground_at.get(space)
        if ground is None:
            return None
        title, lines = terrain_words(ground.card, library)
        return f"{title} on {space}", lines

    # ---------------------------------------------------------------- lights and odds

    def lights(self, field: Field) -> Lights:
        """What is lit: the targets of the aim, or what is looked at or spoken of."""
        prompt, aim, library = self.session.prompt, self.aim, self.session.library
        if aim is None or not isinstance(prompt, Decide):
            return NO_LIGHTS._replace(looked_at=self._spoken_of(field))
        names = aiming.targets(prompt, aim, library)
        targets = {name: aiming.space_of(name, field) for name in names}
        cursor = targets.get(aim.cursor, 0)
        card = self._action(aim.verb)
        start = field.hero
        if card is not None and card.kind == "skill" and aim.names:
            start = aiming.space_of(aim.names[0], field)
        lines = stroke(start, cursor) if card is not None and card.kind == "attack" and card.range != "full" else ()
        return Lights(
            targets=frozenset(targets.values()),
            lobbed=frozenset(n for name, n in targets.items() if aiming.needs_lob(prompt, aim, name, library)),
            cursor=cursor,
            chosen=tuple(aiming.space_of(name, field) for name in aim.names),
            lines=lines,
            labels=tuple((n, str(i)) for i, n in enumerate(targets.values(), 1) if i < 10),
        )

    def _spoken_of(self, field: Field) -> int:
        if self.looked:
            return aiming.space_of(self.looked, field)
        if self.telling or self.mode:
            text = self.news[-1].text if self.news else ""
            if self.mode and self.panel.moment is not None and self.panel.moment.die:
                text = self.panel.moment.title
            for foe in field.foes:
                if text.startswith(foe_name(foe, self.session.library)):
                    return foe.space
        return 0

    def aim_lines(self, prompt: Decide, aim: Aim, field: Field, width: int) -> tuple[Line, ...]:
        """What the aim costs, its chances, and what it would do, before it is paid."""
        library, hero = self.session.library, self.session.state.hero
        move = aiming.outcome_of(prompt, aim, library)
        card = self._action(aim.verb)
        lines: list[Line] = []
        if move is None:
            first = self._target_words(aim.cursor, field) if aim.cursor else ""
            lines.append(((f"{first}", "bold"), ("  and then another target: enter takes this one", DIM)))
            cost = min(
                (m.option.cost for m in aiming.moves(prompt, aim.verb) if m.names[:1] == (aim.cursor,)), default=""
            )
            left = hero.ap - _number(cost)
        else:
            cost = move.option.cost or "nothing"
            left = hero.ap - _number(cost)
            costs = "" if aim.verb == "stand" else f"  costs {cost}, leaves {left} AP"
            lines += wrap(((clean(move.option.say), "bold"), (costs, "$ap")), width)
        if card is not None and ((card.roll and card.kind == "attack") or card.effect("fear")):
            augment_cards = [c for c in library.actions.values() if aiming.word_of(c) in aim.augments]
            crits = card.kind == "attack" and card.crits and all(c.crits for c in augment_cards)
            lines.append(((aiming.odds_words(hero, left, crits=crits), "$accent"),))
            if card.kind == "attack":
                damage = card.damage + sum(c.damage for c in augment_cards)
                crit_words = f", critical {damage + 1}" if crits else ""
                foe = field.foe(aim.cursor)
                has = ""
                if foe is not None:
                    limit = library.enemies[foe.card].wounds
                    has = f"; {clean(foe_name(foe, library))} falls at {limit - foe.wounds} more"
                lines.append(((f"A hit wounds {damage}{crit_words}{has}.", ""),))
        elif aim.verb == "try":
            ground = next((g.card for g in field.board.grounds if g.name == aim.cursor), None)
            foe = field.foe(aim.cursor)
            challenge = ground.challenge if ground is not None else None
            if foe is not None:
                challenge = library.enemies[foe.card].challenge
            if challenge is not None:
                colour = f"${challenge.type}"
                lines.append(((aiming.challenge_words(challenge, hero, left), colour),))
        return tuple(lines)

    # ---------------------------------------------------------------- keys

    @property
    def context(self) -> str:
        context = super().context
        if context == "turn" and self.aim is not None:
            return "aim"
        return context

    def can(self, command: str) -> bool:
        if command == "look":
            field = self.session.state.field
            return field is not None and bool(field.foes or field.board.grounds)
        if command.startswith("aim_"):
            return self.offered(command.removeprefix("aim_") + " ")
        if command in ("dodge", "end"):
            return self.offered(command)
        return super().can(command)

    def numbers(self) -> int:
        return sum(row.key.isdigit() and bool(row.answer) for row in self.menu.rows)

    def press(self, event: events.Key) -> bool:
        """Letters of the menu and of augments, then the registry's keys."""
        if self.context in ("turn", "aim") and not self.too_small:
            row = self.menu.by_key(event.key)
            if row is not None and row.kind == "augment":
                self.toggle(row.answer[1:])
                self.show_keys()
                return True
            if self._begin_by_key(event.key):
                self.show_keys()
                return True
        return super().press(event)

    def _begin_by_key(self, key: str) -> bool:
        prompt, state = self.session.prompt, self.session.state
        if not isinstance(prompt, Decide) or key in ("enter", "e", "h"):
            return False
        for entry in aiming.turn_menu(prompt, state.hero, self.session.library, state.field):
            if entry.key == key:
                if entry.open:
                    self.begin(entry.verb)
                else:
                    self.notify(f"{entry.label}: {entry.why}.", severity="warning", timeout=2, markup=False)
                return True
        return False

    def proceed(self) -> None:
        prompt = self.session.prompt
        if isinstance(prompt, Decide):
            if prompt.topic == "turn":
                self._in_her_turn = True
            elif prompt.topic == "stand" and self.aim is None and not self.telling:
                self.aim = aiming.begin(prompt, "stand", self.session.library)
            elif prompt.topic == "dodge":
                self._in_her_turn = False
        super().proceed()

    def give(self, answer: str) -> None:
        self.forget()
        if answer == "end":
            self._in_her_turn = False
        super().give(answer)

    def paced(self, told: Sequence[Told], answer: str) -> bool:
        """Enemy turns are told step by step; what she does herself is told at once."""
        return not self._in_her_turn and bool(told)

    def forget(self) -> None:
        self.aim = None
        self.looked = ""

    def begin(self, verb: str) -> None:
        """Aim an action; one that asks for no target is done at once."""
        prompt = self.session.prompt
        if not isinstance(prompt, Decide):
            return
        offered = aiming.moves(prompt, verb)
        if not offered:
            return
        self.looked = ""
        if len(offered) == 1 and not offered[0].names:
            self.give(offered[0].option.answer)
            return
        self.aim = aiming.begin(prompt, verb, self.session.library)
        self.show_view()

    def toggle(self, word: str) -> None:
        """Add an augment to the attack, or leave it out again."""
        prompt = self.session.prompt
        if self.aim is not None and isinstance(prompt, Decide):
            self.aim = aiming.toggled(prompt, self.aim, word, self.session.library)
            self.show_view()

    def point(self, name: str) -> None:
        """Put the mark on a target; on the marked one: pay."""
        if self.aim is None:
            return
        if name == self.aim.cursor:
            self.do_pay("")
        else:
            self.aim = self.aim._replace(cursor=name)
            self.show_view()

    def do_pay(self, key: str) -> None:
        """Pay and do it; or take this target and ask for the next."""
        prompt = self.session.prompt
        if self.aim is None or not isinstance(prompt, Decide):
            return
        move = aiming.outcome_of(prompt, self.aim, self.session.library)
        if move is not None:
            self.give(move.option.answer)
        elif self.aim.cursor:
            self.aim = aiming.taken(prompt, self.aim, self.session.library)
            self.show_view()

    def do_cancel(self, key: str) -> None:
        """Take the last target back, or choose another action."""
        if self.aim is not None and self.aim.names:
            self.aim = self.aim._replace(names=self.aim.names[:-1], cursor=self.aim.names[-1])
        else:
            self.aim = None
        self.show_view()

    def do_move(self, key: str) -> None:
        """Move the mark over the targets."""
        prompt, field = self.session.prompt, self.session.state.field
        if self.aim is not None and field is not None and isinstance(prompt, Decide):
            names = aiming.targets(prompt, self.aim, self.session.library)
            cursor = self.aim.cursor
            if names and not aiming.space_of(cursor, field):
                cursor = names[(names.index(cursor) + 1) % len(names)] if cursor in names else names[0]
            else:
                cursor = aiming.towards(names, cursor, ARROWS[key], field)
            self.aim = self.aim._replace(cursor=cursor)
            self.show_view()

    def do_choose(self, key: str) -> None:
        row = self.menu.by_key(key)
        if row is not None:
            self.give_row(row)

    def do_accept(self, key: str) -> None:
        """Take the marked row."""
        row = self.menu.current
        if row is not None:
            self.give_row(row)

    def give_row(self, row: Row) -> None:
        match row.kind:
            case "target":
                self.point(row.answer)
            case "augment":
                self.toggle(row.answer[1:])
            case "ending" | "telling":
                getattr(self, f"do_{row.answer}")("")
            case "turn":
                self._do_verb(row.answer)
            case _:
                super().give_row(row)

    def _do_verb(self, verb: str) -> None:
        if verb in ("heal", "eat", "end"):
            getattr(self, f"do_{verb}")("")
        else:
            self.begin(verb)

    def do_aim_dart(self, key: str) -> None:
        """Aim a dart shot."""
        self.begin("dart")

    def do_aim_step(self, key: str) -> None:
        """Choose where to step."""
        self.begin("step")

    def do_aim_fear(self, key: str) -> None:
        """Choose whom to frighten."""
        self.begin("fear")

    def do_aim_try(self, key: str) -> None:
        """Choose which challenge to try."""
        self.begin("try")

    def do_dodge(self, key: str) -> None:
        """Queue a dodge."""
        self.begin("dodge")

    def do_end(self, key: str) -> None:
        """End her turn."""
        self.give("end")

    def do_close_panel(self, key: str) -> None:
        super().do_close_panel(key)
        self.show_view()

    def do_look(self, key: str) -> None:
        """Read the next card on the playfield; after the last one none."""
        field = self.session.state.field
        if field is None:
            return
        names = [foe.name for foe in field.by_space()] + [ground.name for ground in field.board.grounds]
        place = names.index(self.looked) + 1 if self.looked in names else 0
        self.looked = names[place] if place < len(names) else ""
        if not self.wide and self.aim is not None:
            self.aim = None
        self.show_view()

    def on_playfield_clicked(self, message: Playfield.Clicked) -> None:
        """A click takes a lit target; elsewhere it looks at what stands there."""
        message.stop()
        prompt, field = self.session.prompt, self.session.state.field
        if field is None:
            return
        if self.aim is not None and isinstance(prompt, Decide):
            for name in aiming.targets(prompt, self.aim, self.session.library):
                if aiming.space_of(name, field) == message.space:
                    self.point(name)
                    self.show_keys()
                    return
        foe, ground = field.foe_at(message.space), field.board.ground_at.get(message.space)
        self.looked = foe.name if foe is not None else ground.name if ground is not None else ""
        self.show_view()


def _number(cost: str) -> int:
    """The Action Points in a cost (``3 AP``)."""
    word = cost.split(" ")[0] if cost else ""
    return int(word) if word.isdigit() else 0
