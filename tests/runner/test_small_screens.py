"""Terminals with little room: choices that act are in sight, and where there is no room the screen says so."""

import asyncio

import pytest

from runner.app import CardwalkApp
from runner.games import new_game
from runner.preferences import Preferences
from runner.widgets.choices import Choices
from runner.widgets.toosmall import TooSmall

ONE = """\
format: cardwalk/1
kind: story
chapter: 1
title: The Boat
start: 1
cards:
  1:
    title: On the Sand
    text: The boat is yours, the oars are not. Somebody coughs, and then somebody else, and then the first again.
    steps:
      - choose:
          - {say: Take the rope that lies there, reveal: 2}
          - {say: Push off and do not look back, reveal: 2}
          - {say: Sit down, reveal: 2}
          - {say: Count the coughs, reveal: 2}
  2:
    title: The Reef
    text: The reef has teeth.
    steps: {next_chapter: true}
"""


def play(session, script, size):
    app = CardwalkApp(session, preferences=Preferences(animation=False))

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause(0.1)
            await script(app, pilot)

    asyncio.run(run())


def in_sight(app):
    """What the choices show, as far as they are on the screen."""
    choices = app.screen.query_one(Choices)
    assert app.screen.find_widget(choices).visible_region == choices.region
    return choices.render().plain


@pytest.fixture
def four(edit):
    """A session at a card with four choices."""
    return new_game(edit(one=ONE), seed=1, saved=False)


@pytest.mark.parametrize("size", [(30, 8), (40, 10), (60, 12)])
def test_the_marked_choice_is_always_in_sight(size, four):
    async def script(app, pilot):
        for words in ("Take", "Push", "Sit", "Count"):
            assert words in in_sight(app)
            await pilot.press("down")
        assert "Take" in in_sight(app)

    play(four, script, size)


def test_more_choices_above_and_below_are_told_and_a_click_takes_the_row_it_is_on(four):
    async def script(app, pilot):
        assert "▾ more" in in_sight(app)
        await pilot.press("down", "down", "down")
        await pilot.pause()
        shown = in_sight(app).splitlines()
        assert "▴ more" in shown[0]
        await pilot.click(Choices, offset=(6, next(y for y, line in enumerate(shown) if "Count" in line)))
        assert app.session.answers[0].answer == "choose 4"

    play(four, script, (30, 8))


def test_what_matters_most_of_what_she_holds_is_in_a_slim_header(four):
    async def script(app, pilot):
        assert "0/9 wounds  7 AP" in app.screen.query_one("#header").render().plain
        assert not app.screen.query_one("#status").region
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.1)
        assert "wounds" not in app.screen.query_one("#header").render().plain
        assert app.screen.query_one("#status").region

    play(four, script, (40, 10))


def test_a_playfield_without_room_says_so_its_keys_wait_and_it_comes_back(position):
    async def script(app, pilot):
        words = app.screen.query_one(TooSmall)
        assert "needs 76 columns by 20 rows" in " ".join(words.render().plain.split())
        assert not app.screen.query_one("#board").region
        await pilot.press("enter", "d", "g", "h")
        assert not app.session.answers
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.1)
        assert app.screen.query_one("#board").region
        assert not words.region
        await pilot.press("g")
        assert app.session.answers[0].answer == "dodge"

    play(new_game(position, seed=1, saved=False), script, (40, 10))
