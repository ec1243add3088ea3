"""The interface as a player meets it: keys, dialogs, undo, dice, saves, advice."""

import asyncio
import threading
from dataclasses import replace

import pytest
from textual import events
from textual.containers import VerticalScroll

from runner import keys
from runner.app import CardwalkApp
from runner.games import new_game, resume_game
from runner.preferences import Preferences, load_preferences
from runner.screens.advice import AdviceScreen
from runner.screens.encounter import EncounterScreen
from runner.screens.log import LogScreen
from runner.screens.play import CommandScreen
from runner.screens.rules import RulesScreen, RuleText
from runner.screens.story import StoryScreen
from runner.screens.title import TitleScreen
from runner.widgets.choices import Choices
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.widgets.playfield import Playfield
from runner.widgets.rollpanel import RollPanel
from solver.solution import ENDLESS, STOPPED, ActionValue, Solution
from story.prompts import Over, Roll

STILL = Preferences(animation=False)
SIZES = [(80, 24), (120, 40)]

DEN = """\
format: cardwalk/1
kind: encounter
title: The den
rounds: 2
hero: {space: 3, ap: 7, wounds: 2, satchel: {breadfruit: 2, uku: 1}, actions: [stun, split, lob, dodge, fear]}
enemies: [{card: ogre, space: 8}, {card: imp, space: 11}]
enemy_cards:
  ogre: {name: Ogre, wounds: 5, attack: {type: surrounding, wounds: 2}, moves: 1, crit: 20, miss: 5}
  imp: {name: Imp, wounds: 1, attack: {type: long, wounds: 1}, moves: 1, crit: 20, miss: 5}
"""

SOLVED = Solution(
    "wounds",
    "priced",
    exact=True,
    value=0.5,
    lower=0.5,
    upper=0.5,
    p_defeat=0.01,
    expected_wounds=0.5,
    wounds={2: 0.75, 3: 0.2, 9: 0.05},
    best=("dodge",),
    actions=(ActionValue("dodge", 0.5, 0.01), ActionValue("end", 1.5, 0.02)),
    states=10,
    seconds=0.1,
)


def play(app, script, size=(80, 24)):
    """Run an app under ``script(pilot)``; no busy worker may be left behind."""

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(run())


async def answered(app, pilot):
    """Wait until the advice is on the screen."""
    await app.workers.wait_for_complete()
    while app.screen.solution is None:
        await pilot.pause(0.01)
    await pilot.pause(0.05)


@pytest.fixture
def den(tmp_path):
    """A session at the den, not saved."""
    file = tmp_path / "den.yaml"
    file.write_text(DEN, encoding="utf-8")
    return new_game(file, seed=3, saved=False)


def story(lagoon, seed=1, **preferences):
    return CardwalkApp(
        new_game(lagoon, seed=seed, saved=False), preferences=Preferences(animation=False, **preferences)
    )


def footer(app):
    bar = app.screen.query_one(KeyBar)
    return bar.render().plain


# ---------------------------------------------------------------- story


def test_a_choice_is_one_key(lagoon):
    app = story(lagoon)

    async def script(pilot):
        assert isinstance(app.screen, StoryScreen)
        await pilot.press("1")
        assert app.session.card.title == "The Reef"
        assert app.session.answers[0].answer == "choose 1"

    play(app, script)


def test_a_marked_choice_is_taken_with_enter_and_a_click_chooses(lagoon):
    app = story(lagoon)

    async def script(pilot):
        await pilot.press("down", "enter")
        assert app.session.answers[0].answer == "choose 2"
        await pilot.press("u")
        assert not app.session.answers
        await pilot.click(Choices, offset=(6, 0))
        assert app.session.answers[0].answer == "choose 1"

    play(app, script)


def test_a_roll_is_a_moment_with_its_influence_and_undo_is_open(lagoon):
    app = story(lagoon)

    async def script(pilot):
        await pilot.press("1")
        panel = app.screen.query_one(RollPanel)
        assert panel.display
        assert panel.moment.die == "d20"
        assert panel.moment.rows[0].answer == "keep"
        before = app.session.state
        await pilot.press("u")
        assert app.session.card.title == "On the Sand"
        assert not panel.display
        await pilot.press("r")
        assert app.session.state == before
        assert panel.display
        await pilot.press("enter")
        assert "keep" in [record.answer for record in app.session.answers]

    play(app, script)


def test_food_can_be_eaten_in_the_window(lagoon):
    app = story(lagoon)

    async def script(pilot):
        await pilot.press("2")
        panel = app.screen.query_one(RollPanel)
        eat = next(row for row in panel.moment.rows if row.answer == "eat fig")
        await pilot.press(eat.key)
        assert app.session.state.hero.wounds == 1
        assert panel.display

    play(app, script)


def test_own_dice_are_asked_for_in_a_sentence_where_nothing_was_typed(lagoon):
    app = CardwalkApp(new_game(lagoon, seed=1, saved=False, mine=True), preferences=STILL)

    async def script(pilot):
        await pilot.press("1", "enter", "2", "5", "enter")
        told = [notification.message for notification in app._notifications]
        assert told == ["Type what the die shows, 1 to 20.", "That die does not show 25: type 1 to 20."]

    play(app, script)


def test_own_dice_are_typed_in_and_checked(lagoon):
    app = CardwalkApp(new_game(lagoon, seed=1, saved=False, mine=True), preferences=STILL)

    async def script(pilot):
        await pilot.press("1")
        assert app.screen.context == "face"
        await pilot.press("2", "5", "enter")
        assert isinstance(app.session.prompt, Roll)
        await pilot.press("1", "7", "backspace", "8", "enter")
        assert app.session.answers[-1].answer == "d20 18"
        await pilot.press("enter")
        assert app.screen.context == "face"
        await pilot.press("u")
        assert app.session.answers[-1].answer == "d20 18"
        await pilot.press("u", "space")
        assert app.session.answers[-1].by == "dice"

    play(app, script)


def test_the_option_of_own_dice_holds_for_the_game_in_play(lagoon, tmp_path, monkeypatch):
    monkeypatch.setenv("CARDWALK_CONFIG_DIR", str(tmp_path))
    app = story(lagoon)

    async def script(pilot):
        await pilot.press("o", "2", "q", "1")
        assert app.session.mine
        assert app.screen.context == "face"

    play(app, script)
    assert load_preferences().dice == "mine"


def test_options_that_cannot_be_read_are_the_usual_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDWALK_CONFIG_DIR", str(tmp_path))
    (tmp_path / "options.json").write_text('{"theme": "paper", "dice": 7, "colour": "red"}', encoding="utf-8")
    assert load_preferences() == Preferences(theme="paper")
    (tmp_path / "options.json").write_text("[torn", encoding="utf-8")
    assert load_preferences() == Preferences()


def test_the_story_drops_into_the_encounter_and_comes_back(lagoon):
    app = story(lagoon)

    async def script(pilot):
        for _ in range(30):
            await pilot.press("enter")
            if isinstance(app.screen, EncounterScreen):
                break
        assert isinstance(app.screen, EncounterScreen)
        assert app.session.state.field is not None
        for _ in range(60):
            await pilot.press("enter")
            if isinstance(app.screen, StoryScreen):
                break
        assert isinstance(app.screen, StoryScreen)
        assert app.session.state.field is None
        while app.session.state.field is None:
            await pilot.press("u")
        assert isinstance(app.screen, EncounterScreen)

    play(app, script)


def test_an_ending_offers_undo_restart_and_title(lagoon):
    app = story(lagoon)

    async def script(pilot):
        for answer in ("choose 1",):
            app.screen.give(answer)
        for _ in range(120):
            if app.session.chapter == 2:
                break
            await pilot.press("enter")
        await pilot.press("2")
        assert isinstance(app.session.prompt, Over)
        rows = app.screen.query_one(Choices).rows
        assert [row.answer for row in rows] == ["undo", "restart", "back"]
        await pilot.press("2")
        assert app.session.card.title == "Landfall"
        assert app.session.chapter == 2

    play(app, script)


def test_deck_text_is_never_markup(edit):
    folder = edit(
        one="format: cardwalk/1\nkind: story\nchapter: 1\ntitle: '[red]One'\nstart: 1\ncards:\n  1:\n"
        "    title: '[bold]Title[/]'\n    text: 'See [link=x]this[/] and [/nothing].'\n"
        "    steps: [{choose: [{say: '[blink]Go[/]', ending: {id: e, title: '[b]End', kind: neutral}}]}]\n"
        "  2: {text: x, steps: {next_chapter: true}}\n"
    )
    app = CardwalkApp(new_game(folder, seed=1, saved=False), preferences=STILL)

    async def script(pilot):
        shown = app.export_screenshot()
        for text in ("[bold]Title[/]", "[link=x]this[/]", "[blink]Go[/]", "[red]One"):
            assert text.replace(" ", "&#160;") in shown
        await pilot.press("1")
        assert "[b]End" in app.export_screenshot()

    play(app, script)


# ---------------------------------------------------------------- encounter


@pytest.mark.parametrize("size", SIZES)
def test_an_action_is_aimed_before_it_is_paid(den, size):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        screen, board = app.screen, app.screen.query_one(Playfield)
        await pilot.press("d")
        assert board.lights.targets == {8, 11}
        assert board.lights.cursor == 8
        assert den.state.hero.ap == 7
        told = app.export_screenshot().replace("&#160;", " ")
        assert "miss 25 %  hit 70 %  crit 5 %" in told
        await pilot.press("escape")
        assert screen.aim is None
        await pilot.press("d", "2", "s", "2")
        assert den.answers[0].answer == "dart imp +stun"

    play(app, script, size)


def test_a_line_of_attack_is_drawn_to_the_mark(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        await pilot.press("d", "up", "left")
        lights = app.screen.query_one(Playfield).lights
        assert lights.cursor == 11
        assert lights.lines == ((7, "╲"),)

    play(app, script)


def test_a_split_takes_two_targets_in_order(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        await pilot.press("d", "x", "2", "enter", "enter")
        assert den.answers[0].answer == "dart imp ogre +split"

    play(app, script)


def test_a_click_on_a_space_takes_a_lit_target_or_looks(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        await pilot.click(Playfield, offset=(3, 2))
        assert app.screen.looked == "imp"
        assert "Imp on 11" in app.export_screenshot().replace("&#160;", " ")
        await pilot.press("m")
        await pilot.click(Playfield, offset=(36, 10))
        assert app.screen.aim.cursor == "4"
        await pilot.click(Playfield, offset=(36, 10))
        assert den.answers[0].answer == "step 4"

    play(app, script)


def test_dodge_is_one_key_and_queued_once(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        await pilot.press("g")
        assert den.state.field.dodges == 1
        await pilot.press("u", "r")
        assert den.state.field.dodges == 1

    play(app, script)


def test_enemy_turns_are_told_step_by_step_at_the_players_pace(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        screen = app.screen
        await pilot.press("g", "enter")
        contexts = []
        for _ in range(40):
            if screen.context == "turn":
                break
            contexts.append(screen.context)
            if screen.context == "telling":
                assert "next" in footer(app)
                assert len(screen.told_so_far()) == len(den.told()) - len(screen.queue)
            await pilot.press("enter")
        assert screen.context == "turn"
        assert "telling" in contexts
        assert "window" in contexts
        assert den.state.field.round == 2
        assert not screen.queue

    play(app, script)


def test_skipping_goes_to_the_next_decision(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        screen = app.screen
        await pilot.press("enter")
        for _ in range(40):
            await pilot.press("s" if screen.context == "telling" else "enter")
            assert not screen.queue or screen.context == "telling"
            if screen.context == "turn":
                break
        assert screen.context == "turn"

    play(app, script)


def test_undo_is_open_in_every_context_of_a_game(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        screen = app.screen
        await pilot.press("g", "enter")
        for _ in range(12):
            answers = list(den.answers)
            await pilot.press("u")
            assert len(den.answers) < len(answers)
            await pilot.press("r")
            assert den.answers[: len(answers)] == answers
            if screen.context in ("turn", "ending"):
                break
            await pilot.press("enter")

    play(app, script)


@pytest.mark.parametrize("key", ["t", "x", "f", "m"])
def test_an_action_that_is_not_open_aims_at_nothing(tmp_path, key):
    file = tmp_path / "corner.yaml"
    walled = DEN.replace("space: 3", "space: 1").replace(", fear", "").replace("enemies:", "blocked: [2, 6]\nenemies:")
    file.write_text(walled, encoding="utf-8")
    session = new_game(file, seed=3, saved=False)
    app = CardwalkApp(session, preferences=STILL)

    async def script(pilot):
        await pilot.press(key)
        assert app.screen.context == "turn"
        assert app.screen.aim is None
        await pilot.press("g")
        assert session.state.field.dodges == 1

    play(app, script)


def test_the_log_and_the_rulebook_open_where_one_is(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        await pilot.press("g", "l")
        assert isinstance(app.screen, LogScreen)
        assert any("Dodge" in told.text for told in app.screen.told)
        await pilot.press("q", "f1")
        assert isinstance(app.screen, RulesScreen)
        assert app.screen.rule == "ACT-6"
        await pilot.press("slash", *"bolster", "enter")
        lines = app.screen.query_one(RuleText).render().plain
        assert "TRAIT-BOLSTER" in lines
        assert "NAV-1 " not in lines
        await pilot.press("escape", "q")
        assert isinstance(app.screen, EncounterScreen)

    play(app, script)


# ---------------------------------------------------------------- advice


def test_advice_ranks_the_actions_and_plays_the_marked_one(den):
    app = CardwalkApp(den, preferences=STILL)
    app.advise = lambda library, state, **limits: SOLVED

    async def script(pilot):
        await pilot.press("question_mark")
        await answered(app, pilot)
        shown = app.export_screenshot().replace("&#160;", " ")
        assert "0.50 wounds expected" in shown
        assert "75 %" in shown
        assert "█" in shown
        await pilot.press("enter")
        assert den.answers[-1].answer == "dodge"
        assert isinstance(app.screen, EncounterScreen)

    play(app, script)


def test_advice_that_is_not_exact_says_its_bounds(den):
    app = CardwalkApp(den, preferences=STILL)
    asked = []

    def advise(library, state, *, seconds, stop, progress, interim):
        asked.append(seconds)
        progress(5)
        return Solution("wounds", "priced", False, 1.0, 0.4, 2.1, 0.1, 1.0, seconds=5.0, limit="5 s")

    app.advise = advise

    async def script(pilot):
        await pilot.press("question_mark")
        await answered(app, pilot)
        assert "between 0.40 and 2.10 after 5 s" in app.export_screenshot().replace("&#160;", " ")
        await pilot.press("plus")
        await answered(app, pilot)
        assert asked[1] == 2 * asked[0]

    play(app, script)


def bounds(*actions, best=("dodge",), **more):
    """What is known of actions, given as (answer, lower, upper)."""
    lower, upper = (min(action[place] for action in actions) for place in (1, 2))
    values = tuple(ActionValue(answer, high, 1.0, low, high) for answer, low, high in actions)
    return Solution("wounds", "priced", False, upper, lower, upper, 1.0, upper, best=best, actions=values, **more)


SOME = bounds(("dodge", 0.4, 2.1), ("end", 0.4, 3.0), seconds=10.0, limit="10 s")


def words(app):
    return " ".join(app.screen.query_one(Choices).render().plain.split())


class Slow:
    """A solver that knows what it is given, and is done when it is let."""

    def __init__(self, app, *known, answer=SOLVED):
        self.known, self.answer, self.go = known, answer, threading.Event()
        self.asked = []
        app.advise = self

    def __call__(self, library, state, *, seconds, stop, progress, interim):
        self.asked.append(seconds)
        for solution in self.known:
            interim(solution)
        while not self.go.wait(0.01) and not stop():
            progress(5)
        return self.answer


async def said(app, pilot, text):
    """Wait until the advice says something."""
    for _ in range(200):
        if text in words(app):
            return
        await pilot.pause(0.02)
    pytest.fail(f"it says {words(app)}")


def test_advice_lists_what_it_knows_so_far_in_words_and_enter_plays_the_marked(den):
    app = CardwalkApp(den, preferences=STILL)
    Slow(app, SOME)

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far: between 0.40 and 2.10.")
        assert "Working it out" in words(app)
        assert "Dodge: queue one 0.40 – 2.10 unknown" in words(app)
        assert "1-9" not in footer(app)
        await pilot.press("2")
        assert isinstance(app.screen, AdviceScreen)
        await pilot.press("down", "enter")
        assert den.answers[0].answer == "end"

    play(app, script)


def test_enter_plays_nothing_that_was_not_marked_by_hand_while_the_list_may_change(den):
    app = CardwalkApp(den, preferences=STILL)
    solver = Slow(app, SOME)

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far")
        assert "play" not in footer(app)
        assert "↑↓ mark" in footer(app)
        await pilot.press("enter")
        assert isinstance(app.screen, AdviceScreen)
        await pilot.press("down")
        assert "enter play the marked" in footer(app)
        await pilot.press("up")
        solver.go.set()
        await said(app, pilot, "wounds expected")
        await pilot.press("enter")
        assert den.answers[0].answer == "dodge"

    play(app, script)


def test_a_click_marks_a_row_while_the_list_may_change_and_plays_it_the_second_time(den):
    app = CardwalkApp(den, preferences=STILL)
    Slow(app, SOME)

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far")
        last = app.screen.query_one(Choices).size.height - 1
        await pilot.click("#choices", offset=(5, last))
        assert app.screen.query_one(Choices).current.answer == "end"
        await pilot.click("#choices", offset=(5, last))
        assert den.answers[0].answer == "end"

    play(app, script)


def test_esc_first_stops_the_search_and_then_closes(den):
    app = CardwalkApp(den, preferences=STILL)
    solver = Slow(app, SOME, answer=replace(SOME, seconds=3.0, limit=STOPPED))

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far")
        assert "esc stop" in footer(app)
        await pilot.press("escape")
        await said(app, pilot, "Stopped after 3 s: between 0.40 and 2.10.")
        assert "stopped; " in app.screen.query_one(Header).render().plain
        assert "1-2 play that" in footer(app)
        assert "+ more time" in footer(app)
        assert "stop" not in footer(app)
        await pilot.press("plus")
        await said(app, pilot, "So far")
        assert solver.asked[0] == solver.asked[1]
        await pilot.press("escape")
        await said(app, pilot, "Stopped after 3 s")
        await pilot.press("escape")
        assert isinstance(app.screen, EncounterScreen)

    play(app, script)


def test_a_search_that_does_not_stop_at_once_can_be_left_by_a_second_esc(den):
    app = CardwalkApp(den, preferences=STILL)
    go = threading.Event()

    def advise(library, state, **limits):
        go.wait(5)
        return SOLVED

    app.advise = advise

    async def script(pilot):
        await pilot.press("question_mark", "escape")
        assert words(app) == "Stopping …"
        await pilot.press("escape")
        assert isinstance(app.screen, EncounterScreen)
        go.set()

    play(app, script)


def test_the_way_to_the_plot_is_shown_when_an_exact_answer_follows_bounds(den):
    app = CardwalkApp(den, preferences=STILL)
    known = bounds(*((f"step {n}", 0.4, 2.1 + n) for n in range(1, 13)), ("end", 0.4, 3.0))
    ranked = (*(ActionValue(f"step {n}", n / 10, 0.0) for n in range(1, 13)), ActionValue("end", 2.0, 0.0))
    spread = dict.fromkeys(range(10), 0.1)
    solver = Slow(app, known, answer=replace(SOLVED, actions=ranked, best=("step 1",), wounds=spread))

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far")
        await pilot.pause()
        assert "read on" not in footer(app)
        solver.go.set()
        await said(app, pilot, "wounds expected")
        await pilot.pause()
        assert "PgDn read on" in footer(app)

    play(app, script)


def test_the_mark_stays_on_its_action_when_the_list_changes(den):
    app = CardwalkApp(den, preferences=STILL)
    solver = Slow(app, SOME, answer=replace(SOLVED, best=("end",), actions=SOLVED.actions[::-1]))

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "So far")
        assert app.screen.query_one(Choices).current.answer == "dodge"
        await pilot.press("down", "up")
        solver.go.set()
        await said(app, pilot, "wounds expected")
        assert app.screen.query_one(Choices).current.answer == "dodge"
        assert [row.answer for row in app.screen.query_one(Choices).rows] == ["end", "dodge"]

    play(app, script)


def test_a_digit_plays_that_action_at_once(den):
    app = CardwalkApp(den, preferences=STILL)
    app.advise = lambda library, state, **limits: SOLVED

    async def script(pilot):
        await pilot.press("question_mark")
        await answered(app, pilot)
        assert "1-2 play that" in footer(app)
        await pilot.press("2")
        assert den.answers[0].answer == "end"

    play(app, script)


def test_the_list_stays_while_more_time_is_given_and_gives_way_to_a_better_one_alone(den):
    app = CardwalkApp(den, preferences=STILL)
    app.advise = lambda library, state, **limits: SOME
    worse = bounds(("dodge", 0.0, 9.0), ("end", 0.0, 9.0), best=())

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "Not exact: between 0.40 and 2.10 after 10 s.")
        solver = Slow(app, worse, answer=replace(worse, seconds=20.0, limit="20 s"))
        await pilot.press("plus")
        await said(app, pilot, "Working it out")
        assert "Dodge: queue one 0.40 – 2.10" in words(app)
        assert "more time" not in footer(app)
        solver.go.set()
        await said(app, pilot, "Not exact: between 0.40 and 2.10 after 20 s.")
        assert "Dodge: queue one 0.40 – 2.10" in words(app)

    play(app, script)


def test_what_cannot_be_told_apart_is_not_ranked(den):
    app = CardwalkApp(den, preferences=STILL)
    app.advise = lambda library, state, **limits: bounds(("dodge", 0.0, 9.0), ("end", 0.0, 9.0), best=(), seconds=10.0)

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "between 0.00 and 9.00 after 10 s. Nothing tells one action from another yet.")
        assert not app.screen.query_one(Choices).rows
        assert "play" not in footer(app)
        assert "more time" in footer(app)
        await pilot.press("enter", "1")
        assert isinstance(app.screen, AdviceScreen)

    play(app, script)


def test_more_time_is_not_offered_where_it_cannot_help(den):
    app = CardwalkApp(den, preferences=STILL)
    known = bounds(("dodge", 0.0, 9.0), ("end", 0.0, 9.0), best=(), limit=ENDLESS)
    app.advise = lambda library, state, **limits: known

    async def script(pilot):
        await pilot.press("question_mark")
        await said(
            app, pilot, f"Not exact: between 0.00 and 9.00, as {ENDLESS}. Nothing tells one action from another."
        )
        assert "more time" not in footer(app)

    play(app, script)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (MemoryError(), "more memory than there is"),
        (RecursionError(), "deeper than the solver can follow"),
        (KeyError("eel"), "the solver failed (KeyError: 'eel')"),
    ],
)
def test_whatever_stops_the_solver_is_said_in_a_line(error, why, den):
    app = CardwalkApp(den, preferences=STILL)

    def advise(library, state, **limits):
        raise error

    app.advise = advise

    async def script(pilot):
        await pilot.press("question_mark")
        await said(app, pilot, "No advice here")
        assert why in words(app)
        assert app.screen.query_one(Choices).size.height <= 2

    play(app, script)


def test_ending_the_turn_is_listed_wherever_it_ranks_and_fits_on_the_screen(den):
    app = CardwalkApp(den, preferences=STILL)
    ranked = (*(ActionValue(f"step {n}", n / 10, 0.0) for n in range(1, 15)), ActionValue("end", 2.0, 0.0))
    app.advise = lambda library, state, **limits: replace(SOLVED, actions=ranked, best=("step 1",))

    async def script(pilot):
        await pilot.press("question_mark")
        await answered(app, pilot)
        choices = app.screen.query_one(Choices)
        shown = [choices.render_line(y).text.split() for y in range(choices.size.height)]
        assert ["·", "End", "your", "turn", "2.0000", "0", "%"] in shown
        assert ["·", "and", "5", "more,", "none", "better"] in shown
        assert "read on" in footer(app)
        await pilot.press("pagedown")
        await pilot.pause()
        assert app.screen.query_one(VerticalScroll).scroll_y > 0

    play(app, script)


def test_leaving_advice_stops_the_solver(den):
    app = CardwalkApp(den, preferences=STILL)
    stopped = threading.Event()

    def advise(library, state, *, seconds, stop, progress, interim):
        for _ in range(1000):
            if stop():
                stopped.set()
                break
            threading.Event().wait(0.005)
        return SOLVED

    app.advise = advise

    async def script(pilot):
        await pilot.press("question_mark")
        assert isinstance(app.screen, AdviceScreen)
        await pilot.press("q")
        assert isinstance(app.screen, EncounterScreen)
        await pilot.pause(0.1)
        assert stopped.wait(2)

    play(app, script)


@pytest.mark.parametrize("opened", [True, False])
def test_keys_typed_faster_than_screens_open_and_close_go_to_the_screen_in_front(opened, den):
    app = CardwalkApp(den, preferences=STILL)
    app.advise = lambda library, state, **limits: SOLVED

    async def script(pilot):
        if opened:
            await pilot.press("i")
        for key in ("i", "q", "question_mark")[opened:]:
            app.post_message(events.Key(key, None))
        for _ in range(50):
            await pilot.pause(0.02)
            if isinstance(app.screen, AdviceScreen):
                break
        assert isinstance(app.screen, AdviceScreen)
        assert [type(screen) for screen in app.screen_stack[1:]] == [EncounterScreen, AdviceScreen]

    play(app, script)


def test_the_story_neither_offers_nor_gives_advice(lagoon):
    app = story(lagoon)

    async def script(pilot):
        assert "advice" not in footer(app)
        await pilot.press("question_mark")
        assert isinstance(app.screen, StoryScreen)

    play(app, script)


# ---------------------------------------------------------------- title, saves


def test_the_title_continues_where_one_stands(lagoon, deck, data_folder):
    session = new_game(deck, seed=1)
    session.answer("choose 1")
    session.close()
    app = CardwalkApp(preferences=STILL)

    async def script(pilot):
        assert isinstance(app.screen, TitleScreen)
        first = app.screen.query_one(Choices).rows[0]
        assert first.say == "Continue  The Lagoon"
        assert first.note.startswith("chapter 1, card 2")
        await pilot.press("enter")
        assert app.session.state == session.state or app.session.answers[0].answer == "choose 1"
        await pilot.press("u", "q")
        assert isinstance(app.screen, TitleScreen)
        assert app.session is None
        await pilot.press("q")

    play(app, script)
    again = resume_game()
    assert again.card.title == "On the Sand"
    again.close()


def test_a_new_game_can_be_named_by_its_path(deck, data_folder):
    app = CardwalkApp(preferences=STILL)

    async def script(pilot):
        await pilot.press("1")
        rows = app.screen.query_one(Choices).rows
        assert any(row.answer == "starter" for row in rows)
        await pilot.press(rows[-1].key, *str(deck), "enter")
        assert isinstance(app.screen, StoryScreen)
        assert app.session.title == "The Lagoon"

    play(app, script)
    app.close_game()


def test_a_deck_that_cannot_be_played_is_refused_politely(tmp_path, data_folder):
    app = CardwalkApp(preferences=STILL)

    async def script(pilot):
        app.screen.begin(str(tmp_path / "nowhere"))
        await pilot.pause()
        assert isinstance(app.screen, TitleScreen)
        assert app.session is None

    play(app, script)


def test_deleting_a_save_asks_first(deck, data_folder):
    for seed in (1, 2):
        session = new_game(deck, seed=seed)
        session.answer("choose 1")
        session.close()
    app = CardwalkApp(preferences=STILL)

    async def script(pilot):
        await pilot.press("3")
        choices = app.screen.query_one(Choices)
        assert len(choices.rows) == 2
        await pilot.press("x", "n")
        assert len(choices.rows) == 2
        await pilot.press("x", "y")
        assert len(choices.rows) == 1

    play(app, script)


# ---------------------------------------------------------------- the registry


def test_no_key_means_two_things_in_one_context():
    contexts = {context for command in keys.COMMANDS for context in command.contexts}
    for context in contexts - {"table"}:  # there the arrows turn rows or move over the playfield
        seen = [key for command in keys.in_context(context) for key in command.keys]
        assert sorted(seen) == sorted(set(seen)), context


@pytest.mark.parametrize("screen", [StoryScreen, EncounterScreen])
def test_every_command_of_play_is_carried_out_somewhere(screen):
    own = {"story": StoryScreen, "turn": EncounterScreen, "aim": EncounterScreen, "stand": EncounterScreen}
    for context in ("story", "turn", "aim", "stand", "telling", "window", "die", "face", "eating"):
        if own.get(context, screen) is not screen:
            continue
        for command in keys.in_context(context):
            if screen is StoryScreen and command.id == "look":
                continue
            assert hasattr(screen, f"do_{command.id}"), (context, command.id)


def test_the_footer_shows_the_keys_that_are_open(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        assert "h heal" in footer(app)
        assert "u undo" not in footer(app)
        await pilot.press("g")
        assert "u undo" in footer(app)
        await pilot.press("u")
        assert "r redo" in footer(app)

    play(app, script, (120, 40))


def test_the_palette_lists_what_is_open(den):
    app = CardwalkApp(den, preferences=STILL)

    async def script(pilot):
        screen = app.screen
        assert isinstance(screen, CommandScreen)
        titles = [command.title for command in app.get_system_commands(screen)]
        assert "dart (d)" in titles
        assert not any(title.startswith("undo") for title in titles)

    play(app, script)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (200, 60)])
def test_screens_live_through_any_size(den, lagoon, size):
    async def script(pilot):
        await pilot.press("d", "escape", "tab", "i", "q", "l", "q", "f1", "q", "o", "q")

    play(CardwalkApp(den, preferences=STILL), script, size)
    play(story(lagoon), script, size)


@pytest.mark.parametrize("width", [76, 120])
def test_what_the_advice_page_says_is_wrapped(width, den):
    app = CardwalkApp(den, preferences=STILL)

    def advise(library, state, **limits):
        raise ValueError(f"{'the position is beyond what can be counted, ' * 3}and so it is left uncounted")

    app.advise = advise

    async def script(pilot):
        await pilot.press("question_mark")
        await app.workers.wait_for_complete()
        await pilot.pause(0.05)
        assert words(app).endswith("and so it is left uncounted")
        assert app.screen.query_one(Choices).size.height > 1

    play(app, script, (width, 24))
