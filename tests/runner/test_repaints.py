"""One key, one repaint: a second one would be seen as a flicker and felt as a delay."""

import asyncio

import pytest

from runner.app import CardwalkApp
from runner.games import new_game
from runner.preferences import Preferences

STILL = Preferences(animation=False)


@pytest.fixture
def repaints(monkeypatch):
    """``repaints(session, keys, size)``: how often each key repaints the screen."""
    sent = []
    monkeypatch.setattr(CardwalkApp, "post_display_hook", lambda app: sent.append(app))

    def count(session, keys, size):
        counts = []

        async def run():
            app = CardwalkApp(session, preferences=STILL)
            async with app.run_test(size=size) as pilot:
                await pilot.pause(0.2)
                for key in keys:
                    sent.clear()
                    await pilot.press(key)
                    while not sent:
                        await pilot.pause(0.01)
                    await pilot.pause(0.1)
                    counts.append(len(sent))

        asyncio.run(run())
        return counts

    return count


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_key_of_the_story_repaints_once(repaints, size, lagoon):
    assert repaints(new_game(lagoon, seed=1, saved=False), ["down", "2", "u", "1"], size) == [1, 1, 1, 1]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_key_on_the_playfield_repaints_once(repaints, size, position):
    keys = ["g", "u", "m", "right", "escape", "enter"]
    assert repaints(new_game(position, seed=1, saved=False), keys, size) == [1] * len(keys)
