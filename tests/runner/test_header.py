"""The line above the playfield says whose roll it is, however one came there."""

import asyncio

from runner.app import CardwalkApp
from runner.games import new_game
from runner.preferences import Preferences
from runner.widgets.header import Header


def headers(session, *steps):
    """The header after each of some steps, which are keys with spaces between; dice are typed."""
    shown = []

    async def run():
        app = CardwalkApp(session, preferences=Preferences(animation=False, dice="mine", detail="all"))
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            for keys in steps:
                await pilot.press(*keys.split())
                await pilot.pause()
                shown.append(app.screen.query_one(Header).render().plain)

    asyncio.run(run())
    return shown


def test_the_header_says_whose_roll_it_is_also_after_undo_and_redo(position):
    session = new_game(position, seed=1, saved=False)
    shown = headers(session, "d enter", "9 enter", "enter", "enter", "u", "u", "r", "r")
    whose = [text.split(" · ")[1] for text in shown]
    hers, theirs = "your roll", "an enemy's roll"
    assert whose == [hers, "your turn", theirs, theirs, "your turn", hers, "your turn", theirs]
