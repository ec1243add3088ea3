"""The line above the playfield says whose roll it is, however one came there."""

import asyncio

from runner.app import CardwalkApp
from runner.games import new_game
from runner.preferences import Preferences
from runner.widgets.header import Header

POOR = """\
format: cardwalk/1
kind: encounter
title: Nothing to add to a roll
rounds: 2
hero: {space: 3, ap: 0}
enemies: [{card: crab, space: 8}]
enemy_cards:
  crab: {name: Crab, wounds: 2, attack: {type: adjacent, wounds: 1}, moves: 1, crit: 20, miss: 1}
"""


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


def test_the_header_says_whose_roll_it_is_while_the_first_die_of_the_enemies_lies_there(tmp_path):
    file = tmp_path / "poor.yaml"
    file.write_text(POOR, encoding="utf-8")

    async def run():
        app = CardwalkApp(new_game(file, seed=7, saved=False), preferences=Preferences(animation=False))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("enter")
            assert app.screen.context == "die"
            assert "an enemy's roll" in app.screen.query_one(Header).render().plain

    asyncio.run(run())
