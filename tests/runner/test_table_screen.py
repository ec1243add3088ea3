"""The table editor as somebody with a boxed game meets it: lay out, turn numbers, save, play, ask."""

import asyncio
from pathlib import Path

import pytest

from runner.app import CardwalkApp
from runner.layout import layout_of
from runner.preferences import Preferences
from runner.screens.advice import AdviceScreen
from runner.screens.ask import AskList, AskText
from runner.screens.encounter import EncounterScreen
from runner.screens.title import TitleScreen
from runner.widgets.choices import Choices
from story.cards import FoeMarks
from story.load import load_encounter
from story.loading.layout import canonical
from story.source import source_of_text

EXAMPLE = Path(__file__).parents[1] / "decks" / "rulebook-example.yaml"


def at_table(script, file=None, size=(80, 24)):
    """Run the table under ``script(screen, pilot)``; returns the screen."""
    app = CardwalkApp(screen="table", file=file, preferences=Preferences(animation=False))

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            table = app.screen
            await script(table, pilot)
            app.close_game()
            return table

    return asyncio.run(run())


def keys(*pressed):
    """A script that only presses keys."""

    async def script(table, pilot):
        await pilot.press(*pressed)
        await pilot.pause()

    return script


async def write(pilot, text):
    """Answer a question for a line."""
    assert isinstance(pilot.app.screen, AskText)
    field = pilot.app.screen.query_one("Input")
    field.value = text
    await pilot.press("enter")
    await pilot.pause()


def test_a_new_enemy_is_named_placed_and_its_numbers_turned():
    async def script(table, pilot):
        await pilot.press("up", "n")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AskList)
        await pilot.press("n")
        await pilot.pause()
        await write(pilot, "Reef Warden")
        await pilot.press("tab", "right", "down", "right")
        await pilot.pause()

    table = at_table(script)
    foe = table.layout_.foe_at(8)
    assert foe.card == "reef-warden"
    assert foe.marks == FoeMarks(wounds=1, poisoned=True)


def test_undo_and_redo_take_back_and_give_again():
    table = at_table(keys("up", "b", "up", "b", "u"))
    assert table.layout_.blocked == {8}
    assert at_table(keys("up", "b", "u", "r")).layout_.blocked == {8}


def test_pieces_are_moved_by_hand_and_taken_away():
    table = at_table(keys("up", "space", "left", "space"), EXAMPLE)
    assert (table.layout_.foe_at(8), table.layout_.foe_at(7).card) == (None, "nalu")
    assert at_table(keys("up", "delete"), EXAMPLE).layout_.foe_at(8) is None
    assert at_table(keys("left", "y"), EXAMPLE).layout_.hero_space == 2


def test_what_cannot_stand_there_is_said_and_not_done():
    table = at_table(keys("up", "y"), EXAMPLE)
    assert table.layout_.hero_space == 3
    assert "character stands on 8" in table.word


def test_a_click_puts_the_mark_on_a_space():
    async def script(table, pilot):
        await pilot.click("#board", offset=(2, 2))
        await pilot.pause()

    assert at_table(script).space == 11


def test_the_position_is_saved_and_comes_back(tmp_path):
    async def script(table, pilot):
        await pilot.press("up", "tab", "right", "w")
        await pilot.pause()
        await write(pilot, str(tmp_path / "mine"))

    table = at_table(script, EXAMPLE)
    assert table.saved
    file = load_encounter(tmp_path / "mine.yaml")
    text = (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert canonical(source_of_text(text)) == text
    assert file.position.foes == (("nalu", FoeMarks(wounds=1)),)
    again = at_table(keys(), tmp_path / "mine.yaml")
    assert again.layout_.foe_at(8).marks.wounds == 1


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    async def script(table, pilot):
        await pilot.press("w")
        await pilot.pause()
        await write(pilot, str(tmp_path / "nowhere" / "mine.yaml"))

    assert at_table(script).word.startswith("Not saved")


@pytest.mark.parametrize("name", [".", "/", "a\0b", "~nobody-of-that-name/x", "x" * 300, "notes"])
def test_a_name_that_is_no_new_file_is_said_and_nothing_replaced(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path("notes.yaml").write_text("mine", encoding="utf-8")

    async def script(table, pilot):
        await pilot.press("w")
        await pilot.pause()
        await write(pilot, name)
        assert table.word.startswith("Not saved: ")
        await pilot.press("o")
        await pilot.pause()
        await write(pilot, name)

    assert not at_table(script).word.startswith("Opened")
    assert [file.name for file in tmp_path.iterdir()] == ["notes.yaml"]
    assert Path("notes.yaml").read_text(encoding="utf-8") == "mine"


def test_a_file_that_is_no_encounter_is_said_and_nothing_lost(tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("format: cardwalk/1\nkind: encounter\nrounds: 0\n", encoding="utf-8")
    table = at_table(keys(), broken)
    assert "broken.yaml" in table.word
    assert table.layout_.foes == ()


def test_the_cards_of_a_campaign_are_brought_in():
    async def script(table, pilot):
        await pilot.press("up", "c")
        await pilot.pause()
        await write(pilot, "starter")
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("1")
        await pilot.pause()

    table = at_table(script)
    assert table.layout_.foe_at(8) is not None


def test_an_unknown_deck_is_said():
    async def script(table, pilot):
        await pilot.press("c")
        await pilot.pause()
        await write(pilot, "startr")

    assert "starter" in at_table(script).word


def test_it_is_played_from_there():
    async def script(table, pilot):
        await pilot.press("p")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, EncounterScreen)
        assert screen.session.state.field.foe("nalu").space == 8

    at_table(script, EXAMPLE)


def test_a_game_that_cannot_be_saved_is_said_and_the_table_stays(tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("a file, no folder")
    monkeypatch.setenv("CARDWALK_DATA_DIR", str(tmp_path / "blocked"))
    table = at_table(keys("p"), file=EXAMPLE)
    assert table.word.startswith("Not played: cannot write a save in ")


def test_the_best_move_is_told():
    async def script(table, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(pilot.app.screen, AdviceScreen)
        await pilot.app.workers.wait_for_complete()
        while pilot.app.screen.solution is None:
            await pilot.pause(0.01)
        assert pilot.app.screen.solution.exact
        assert "end" in {action.answer for action in pilot.app.screen.solution.actions}

    at_table(script)


def test_an_action_that_is_advised_is_played_on_with_and_q_leads_back():
    async def script(table, pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        while pilot.app.screen.working:
            await pilot.pause(0.01)
        row = pilot.app.screen.query_one(Choices).rows[1]
        await pilot.press("2")
        await pilot.pause(0.1)
        assert isinstance(pilot.app.screen, EncounterScreen)
        assert pilot.app.session.answers[0].answer == row.answer
        await pilot.press("q")
        await pilot.pause()
        assert pilot.app.screen is table

    at_table(script, EXAMPLE)


def test_what_was_worked_out_is_kept_as_long_as_the_table_is_the_same():
    asked = []

    async def script(table, pilot):
        pilot.app.advise = lambda library, state, **limits: asked.append(library) or (_ for _ in ()).throw(ValueError)
        for keys in (["question_mark"], ["question_mark"], ["left", "b", "question_mark"]):
            await pilot.press(*keys)
            await pilot.app.workers.wait_for_complete()
            await pilot.press("q")
            await pilot.pause()
            assert pilot.app.screen is table

    at_table(script, EXAMPLE)
    assert asked[0] is asked[1]
    assert asked[2] is not asked[1]


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+q"])
def test_leaving_a_table_that_is_not_saved_asks_and_can_stay(key):
    async def script(table, pilot):
        await pilot.press("up", "b", key)
        await pilot.pause()
        assert isinstance(pilot.app.screen, AskList)
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is table
        await pilot.press(key, "3")
        await pilot.pause()
        assert pilot.app.screen is table
        assert pilot.app.is_running

    at_table(script)


def test_a_table_that_is_not_saved_can_be_left_all_the_same():
    async def script(table, pilot):
        await pilot.press("up", "b", "q", "2")
        await pilot.pause()
        assert isinstance(pilot.app.screen, TitleScreen)

    assert not at_table(script).saved


def test_a_table_can_be_saved_on_leaving_and_stays_if_it_was_not(tmp_path):
    async def script(table, pilot):
        await pilot.press("up", "b", "q", "enter")
        await pilot.pause()
        await write(pilot, str(tmp_path / "nowhere" / "table.yaml"))
        assert pilot.app.screen is table
        assert "Not saved" in table.word
        await pilot.press("q", "1")
        await pilot.pause()
        await write(pilot, str(tmp_path / "table.yaml"))
        assert isinstance(pilot.app.screen, TitleScreen)

    at_table(script)
    assert layout_of(load_encounter(tmp_path / "table.yaml")).blocked == {8}


def test_a_game_begun_from_the_table_leads_back_to_it():
    async def script(table, pilot):
        await pilot.press("s", "p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, EncounterScreen)
        await pilot.press("q")
        await pilot.pause()
        assert pilot.app.screen is table

    at_table(script, EXAMPLE)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_every_key_of_the_table_is_in_its_footer_or_help(size):
    from runner import keys as registry

    shown = {command.id for command in registry.in_context("table")}
    wanted = {
        "enemy",
        "terrain",
        "here",
        "disc",
        "cross",
        "take_away",
        "save",
        "open",
        "play",
        "advice",
        "undo",
        "redo",
    }
    assert wanted <= shown
