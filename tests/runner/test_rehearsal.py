"""Rehearsing a deck while it is written: from any card, never saved, read again after every save."""

import io
import os
import re
import subprocess
import sys

import pytest

from runner import saves
from runner.app import CardwalkApp
from runner.games import GameError, find_first
from runner.plain import SAVED, Line, play
from runner.preferences import Preferences
from runner.rehearsal import Rehearsal
from runner.screens.encounter import EncounterScreen
from runner.screens.story import StoryScreen
from story.load import load_deck
from story.problems import DeckError
from story.prompts import Over, Roll
from tests.runner.conftest import Watching
from tests.runner.test_app import play as pilot_play


def answers(session):
    return [record.answer for record in session.answers]


def give(session, *given):
    for answer in given:
        session.answer(answer)


# -------------------------------------------------------------------- where it begins


def test_a_card_is_named_as_check_names_it(lagoon):
    assert find_first(lagoon, "2:1") == (2, 1)
    assert find_first(lagoon, "3") == (1, 3)
    assert find_first(lagoon, "1") == (1, 1)
    for card, meant in (("1:33", "did you mean 1:3?"), ("99", "did you mean 1:3?"), ("2:99", "did you mean 2:2?")):
        with pytest.raises(GameError, match=re.escape(f"there is no card {card} in lagoon; {meant}")):
            find_first(lagoon, card)
    with pytest.raises(GameError, match="there is no card walrus in lagoon; its cards are 1:1 to 1:3, 2:1 to 2:2"):
        find_first(lagoon, "walrus")
    starter = load_deck("starter")
    assert find_first(starter, "to-a-boy") == find_first(starter, "letters:to-a-boy") == (1, "letters:to-a-boy")


def test_it_begins_at_the_card_with_nothing_gained_and_is_not_saved(deck, data_folder):
    rehearsal = Rehearsal(str(deck), "2:2")
    session = rehearsal.session
    assert (session.chapter, session.card.title) == (2, "The Hut")
    assert session.state.hero.wounds == 0
    assert "rehearsed from card 2:2" in session.title
    assert session.name == ""
    give(session, *[option.answer for option in getattr(session.prompt, "options", ())][:1])
    session.restart()
    assert session.card.title == "The Hut"
    assert saves.listing() == []


def test_an_unnumbered_card_is_pulled_by_the_first(deck):
    session = Rehearsal("starter", "to-a-boy").session
    assert session.card.title == "To Nib, at the Light"
    assert session.prompt.options[0].answer == "back"
    give(session, "back")
    assert session.card.ref == 1


def test_an_encounter_has_no_cards_and_a_broken_deck_does_not_begin(position, deck, edit, texts):
    assert Rehearsal(str(position)).session.state.field is not None
    with pytest.raises(GameError, match="no card 3 to begin at"):
        Rehearsal(str(position), "3")
    edit(one=texts["one"].replace("level: 12", "level: twelve"))
    with pytest.raises(DeckError):
        Rehearsal(str(deck))


# -------------------------------------------------------------------- reading again


def test_answers_are_given_again_at_the_edited_deck(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    session = rehearsal.session
    give(session, "choose 2", "d20 3")
    edit(one=texts["one"].replace("The reef has teeth.", "The reef has gums.").replace("level: 12", "level: 2"))
    assert rehearsal.reload()[:2] == (True, "The deck was read again.")
    assert answers(session) == ["choose 2", "d20 3"]
    assert session.card.text == "The reef has gums."
    assert session.prompt.lines == ("The die shows 3: succeed.",)


def test_options_are_followed_by_their_words_and_what_is_gone_is_dropped(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    session = rehearsal.session
    give(session, "choose 2", "d20 3")
    first = "          - say: Take the rope\n            gain: {item: rope}\n            reveal: 2\n"
    edit(one=texts["one"].replace(first, ""))
    assert rehearsal.reload().good
    assert answers(session) == ["choose 1", "d20 3"]
    edit(
        one=texts["one"].replace(
            "challenge: {type: physical, level: 12, succeed: {gain: {ap: 1}}, fail: {wound: 1}}", "wound: 1"
        )
    )
    good, text, _ = rehearsal.reload()
    assert good
    assert "1 of 2 answers still fit" in text
    assert answers(session) == ["choose 2"]
    assert not session.can_redo


def test_a_broken_deck_shows_its_line_and_changes_nothing(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), "2", seed=1)
    session = rehearsal.session
    give(session, "d20 3")
    before = session.state
    edit(one=texts["one"].replace("level: 12", "levle: 12").replace("wound: 2", "wound: two"))
    good, text, short = rehearsal.reload()
    assert not good
    assert "one.yaml:" in text
    assert "^^" in text
    assert "and 1 more" in text
    assert "write a whole number" in short
    assert "^" not in short
    assert session.state is before
    edit(one=texts["one"].replace("  2:\n", "  4:\n").replace("reveal: 2", "reveal: 4"))
    good, text, _ = rehearsal.reload()
    assert not good
    assert text.startswith("There is no card 1:2")
    assert session.state is before
    edit()
    assert rehearsal.reload().good
    assert answers(session) == ["d20 3"]


def test_saves_are_noticed_only_if_it_is_watched(deck):
    watched, not_watched = Rehearsal(str(deck)), Rehearsal(str(deck), watched=False)
    (deck / "one.yaml").touch()
    os.utime(deck / "one.yaml", ns=(1, 1))
    assert [watched.saved(), watched.saved()] == [False, True]
    assert [not_watched.saved(), not_watched.saved()] == [False, False]
    watched.reload()
    assert not watched.saved()


# -------------------------------------------------------------------- line by line


class Typed:
    """Lines, with something done before some of them."""

    echoes = True

    def __init__(self, *lines):
        self.lines = list(lines)

    def peek(self):
        return None

    def read(self):
        line = self.lines.pop(0) if self.lines else None
        if callable(line):
            line()
            return SAVED
        return line if line is None else Line(line)


def test_plain_mode_asks_anew_after_a_save_and_shows_a_broken_deck(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    out = io.StringIO()
    broken = texts["one"].replace("level: 12", "levle: 12")
    mended = texts["one"].replace("Push off", "Shove off")
    play(
        rehearsal.session,
        Typed("look", lambda: edit(one=broken), lambda: edit(one=mended), "2", "quit"),
        out,
        lambda: rehearsal.reload()[:2],
    )
    told = out.getvalue()
    assert "This is a rehearsal: it is not saved." in told
    before, _, after = told.partition("did you mean level?")
    assert "2. Push off" in before
    assert "The game goes on with the deck as it was." in after
    assert after.index("The deck was read again.") < after.index("2. Shove off") < after.index("The Reef")
    assert "Saved." not in told


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
def test_play_reads_a_saved_deck_again_while_it_waits(deck, texts, data_folder):
    watching = Watching("play", deck, "--plain", "--watch", "--card", "2:1", stdin=subprocess.PIPE)
    process, until = watching.process, watching.until

    try:
        assert "footprints that are yours" in until("2. Sit down")
        (deck / "two.yaml").write_text(texts["two"].replace("yours", "not yours"), encoding="utf-8")
        assert "footprints that are not yours" in until("2. Sit down")
        process.stdin.write("2\nquit\n")
        process.stdin.flush()
        until("The end: You Sat Down")
        assert process.wait(30) == 0
        assert process.stderr.read() == ""
        assert saves.listing() == []
    finally:
        watching.end()


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["--watch", "--script", "x"], 2, "neither --script nor --log can"),
        (["--watch", "--plain", "--log", "x"], 2, "neither --script nor --log can"),
        (["--card", "9:9", "--plain"], 1, "play: there is no card 9:9 in lagoon; did you mean 1:3?"),
    ],
)
def test_what_cannot_be_rehearsed_is_told_in_one_line(cardwalk, deck, words, status, error):
    process = cardwalk("play", deck, *words)
    assert process.returncode == status
    assert error in process.stderr
    assert len(process.stderr.splitlines()) == 1


def test_a_script_may_begin_at_a_card(cardwalk, deck, tmp_path):
    (tmp_path / "walk.txt").write_text("choose 2\n", encoding="utf-8")
    process = cardwalk("play", deck, "--card", "2:1", "--script", "walk.txt")
    assert process.returncode == 0
    assert "The end: You Sat Down" in process.stdout


# -------------------------------------------------------------------- on the screen


def app_of(rehearsal):
    return CardwalkApp(rehearsal.session, rehearsal=rehearsal, preferences=Preferences(animation=False, detail="all"))


async def looked(pilot, change):
    """Save something and let the screen look twice."""
    change()
    screen = pilot.app.screen
    for _ in range(2):
        screen._look_at_deck()
    await pilot.pause()


def notes(app):
    return [note.message for note in app._notifications]


def test_the_screen_goes_on_with_the_saved_deck(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    app = app_of(rehearsal)

    async def script(pilot):
        await pilot.press("2")
        assert app.session.card.title == "The Reef"
        given = answers(app.session)
        await looked(pilot, lambda: edit(one=texts["one"].replace("The Reef", "The Ridge")))
        assert app.session.card.title == "The Ridge"
        assert answers(app.session)[: len(given)] == given
        assert "The deck was read again." in notes(app)[-1]

    pilot_play(app, script)


def test_a_broken_deck_is_told_until_it_is_mended(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    app = app_of(rehearsal)

    async def script(pilot):
        await looked(pilot, lambda: edit(one=texts["one"].replace("say: Push off", "sya: Push off")))
        assert "one.yaml:" in notes(app)[-1]
        assert "did you mean say?" in notes(app)[-1]
        await pilot.press("2")
        assert answers(app.session)[0] == "choose 2"
        await looked(pilot, edit)
        assert len(notes(app)) == 1
        assert answers(app.session)[0] == "choose 2"

    pilot_play(app, script)


def test_from_a_fight_back_to_the_story_and_into_one(deck, edit, texts):
    steps = "[{encounter: {rounds: 1, hero: {space: 3}, enemies: [{card: crab, space: 8}]}}, {next_chapter: true}]"
    fight = f"  3:\n    title: Open Water\n    text: x\n    steps: {steps}\n"
    water = texts["one"][texts["one"].index("  3:\n") :]
    rehearsal = Rehearsal(str(deck), "3", seed=1)
    app = app_of(rehearsal)

    async def script(pilot):
        assert isinstance(app.screen, StoryScreen)
        await looked(pilot, lambda: edit(one=texts["one"].replace(water, fight)))
        await pilot.press("1")
        await pilot.pause()
        assert isinstance(app.screen, EncounterScreen)
        await looked(pilot, edit)
        assert isinstance(app.screen, StoryScreen)
        assert app.session.card.title == "Open Water"
        assert not isinstance(app.session.prompt, Over | Roll)

    pilot_play(app, script)


def test_nothing_is_read_behind_another_page(deck, edit, texts):
    rehearsal = Rehearsal(str(deck), seed=1)
    app = app_of(rehearsal)

    async def script(pilot):
        screen = app.screen
        await pilot.press("l")
        assert app.screen is not screen
        edit(one=texts["one"].replace("On the Sand", "On the Shingle"))
        for _ in range(2):
            screen._look_at_deck()
        assert app.session.card.title == "On the Sand"
        await pilot.press("escape")
        await looked(pilot, lambda: None)
        assert app.session.card.title == "On the Shingle"

    pilot_play(app, script)
