"""How the screens look, as SVG at 80 by 24 and 120 by 40; new pictures with ``--snapshot-update``."""

import asyncio
import re
from pathlib import Path

import pytest

from runner.app import CardwalkApp
from runner.games import new_game
from runner.preferences import Preferences
from runner.saves import SaveInfo
from runner.screens.advice import AdviceScreen
from solver.solution import ActionValue, Solution

SIZES = [(80, 24), (120, 40)]

CAVE = """\
format: cardwalk/1
kind: encounter
title: The lamp room
rounds: 3
hero: {space: 3, ap: 7, wounds: 2, talents: {physical: 1, mental: 2, critical: 1}, satchel: {breadfruit: 2, uku: 1},
       actions: [stun, poison, split, lob, dodge, fear]}
enemies: [{card: keeper, space: 8}, {card: moth, space: 11}, {card: moth, space: 13}]
terrain: [{card: lamp, space: 4}]
blocked: [6]
no_start: [1]
enemy_cards:
  keeper: {name: Keeper, wounds: 4, attack: {type: surrounding, wounds: 2}, moves: 1, traits: [rage], rewards: {ap: 2}}
  moth:
    name: Lamp moth
    wounds: 2
    attack: {type: long, wounds: 1}
    moves: 1
    crit: 19
    miss: 4
    traits: [fly, cowardly]
    rewards: {ap: 3}
    instances:
      - {when: {defeated_in_round: 1}, instead: {ap: 2}}
      - {when: {defeated_in_round: last}, gain: {breadfruit: 1}}
terrain_cards:
  lamp: {name: Lamp, classes: [impassable, no-los], challenge: {type: mental, level: 12, succeed: {gain: {ap: 2}}}}
"""

CAMPAIGN = """\
format: cardwalk/1
kind: campaign
id: quay
title: The Long Quay
chapters: [quay.yaml]
decks: [items.yaml]
hero: {name: Mara, ap: 7, wounds: 2, talents: {physical: 1}, satchel: {breadfruit: 2, uku: 1}}
satchel:
  breadfruit: {name: Breadfruit, holds: 5, heals: 1}
  uku: {name: Uku, holds: 4, ap: 1}
"""

QUAY = """\
format: cardwalk/1
kind: story
chapter: 1
title: The Quay
start: 1
cards:
  1:
    title: The Weigher
    text: |
      The weigher sits where the quay ends, with his scales before him and nobody's goods on them. "You are
      *late*," he says, "but not by weight."

      Behind him three boats pull at their ropes:

      - one with a sail,
      - one with oars, and
      - one with neither, which is the one he means.

      He holds out a hand that has been empty for years and is good at it.
    steps:
      - choose:
          - {say: Jump for the boat before it makes up its mind,
             challenge: {type: physical, level: 12, succeed: {gain: {ap: 1}}, fail: {wound: 1}}, reveal: 2}
          - {say: Put the pearl on the scales, needs: {item: pearl}, reveal: 2}
          - {say: Pay him to look away, cost: {ap: 2}, gain: {item: pearl}, reveal: 2}
  2:
    title: Afloat
    text: You are on the water, which is a beginning.
    steps:
      - ending: {id: afloat, title: Afloat, kind: victory}
"""

ITEMS = """\
format: cardwalk/1
kind: items
cards:
  pearl: {name: Black pearl, text: Heavier than it looks.}
"""

ADVICE = Solution(
    "wounds",
    "priced",
    exact=True,
    value=1.4312,
    lower=1.4312,
    upper=1.4312,
    p_defeat=0.0123,
    expected_wounds=1.4312,
    wounds={0: 0.21, 1: 0.38, 2: 0.24, 3: 0.12, 4: 0.0377, 9: 0.0123},
    best=("dodge",),
    actions=(
        ActionValue("dodge", 1.4312, 0.0123),
        ActionValue("dart keeper", 1.5821, 0.0131),
        ActionValue("step 2", 1.77, 0.02),
        ActionValue("end", 2.9, 0.11),
    ),
    states=48211,
    seconds=0.84,
)

WORTHS = [("dodge", 1.2, 1.43), ("dart keeper", 1.1, 1.5), ("step 2", 1.31, 1.7712), ("dart moth", 1.2, 2.0)]
WORTHS += [("dart moth-2", 1.2, 2.1), ("fear keeper 7", 1.2, 2.2), ("fear keeper 9", 1.2, 2.3), ("eat uku", 1.4, 2.4)]
WORTHS += [("heal", 1.4, 2.5), ("dart moth +stun", 1.4, 2.6), ("dart moth-2 +stun", 1.4, 2.7), ("end", 1.9, 3.0)]

BOUNDS = Solution(
    "wounds",
    "priced",
    exact=False,
    value=1.43,
    lower=1.1,
    upper=1.43,
    p_defeat=1.0,
    expected_wounds=1.43,
    best=("dodge",),
    actions=tuple(ActionValue(answer, high, 1.0, low, high) for answer, low, high in WORTHS),
    states=48211,
    seconds=10.0,
    limit="10 s",
)

SAVED = SaveInfo(
    "starter-1", "Nine Nights Dark", "starter", "campaign", 7, "", "2026-01-01T00:00:00Z", 34, 1, 12, "", "ok"
)


def picture(app, keys, size):
    """The screen after some keys as SVG, free of what differs from run to run."""

    async def run():
        async with app.run_test(size=size) as pilot:
            await pilot.pause(0.05)
            for key in keys:
                await pilot.press(key)
            if isinstance(app.screen, AdviceScreen):
                while app.screen.solution is None:
                    await pilot.pause(0.01)
            await pilot.pause(0.1)
            return app.export_screenshot()

    svg = asyncio.run(run())
    return re.sub(r"terminal-\d+", "terminal", svg).replace("\r\n", "\n")


@pytest.fixture
def quay(tmp_path):
    for name, text in (("campaign", CAMPAIGN), ("quay", QUAY), ("items", ITEMS)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def cave(tmp_path):
    file = tmp_path / "cave.yaml"
    file.write_text(CAVE, encoding="utf-8")
    return new_game(file, seed=3, saved=False)


@pytest.fixture
def matches(snapshot, request):
    snapshot.snapshot_dir = Path(__file__).parent / "pictures"

    def check(svg, name, size):
        snapshot.assert_match(svg, f"{name}-{size[0]}x{size[1]}.svg")

    return check


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["lagoon", "paper"])
def test_title(matches, size, theme, monkeypatch):
    monkeypatch.setattr("runner.saves.listing", lambda: [SAVED])
    monkeypatch.setattr("runner.shown_saves.ago", lambda played, now=None: "yesterday")
    app = CardwalkApp(preferences=Preferences(theme=theme, animation=False))
    matches(picture(app, [], size), f"title-{theme}", size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["lagoon", "paper"])
def test_story(matches, quay, size, theme):
    app = CardwalkApp(new_game(quay, seed=7, saved=False), preferences=Preferences(theme=theme, animation=False))
    matches(picture(app, [], size), f"story-{theme}", size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "keys"), [("roll", ["1"]), ("ending", ["2"])])
def test_roll_and_ending(matches, quay, size, name, keys):
    app = CardwalkApp(new_game(quay, seed=7, saved=False), preferences=Preferences(animation=False))
    matches(picture(app, keys, size), name, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "theme", "keys"),
    [
        ("encounter", "lagoon", []),
        ("encounter-paper", "paper", []),
        ("encounter-contrast", "contrast", ["d"]),
        ("aim", "lagoon", ["d", "s"]),
        ("aim-lob", "lagoon", ["d", "up"]),
        ("look", "lagoon", ["tab", "tab"]),
        ("window", "lagoon", ["g", "enter"]),
        ("told", "lagoon", ["g", "enter", "enter", "enter"]),
    ],
)
def test_encounter(matches, cave, size, name, theme, keys):
    app = CardwalkApp(cave, preferences=Preferences(theme=theme, animation=False))
    matches(picture(app, keys, size), name, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "solution"), [("advice", ADVICE), ("advice-bounds", BOUNDS)])
def test_advice(matches, cave, size, name, solution):
    app = CardwalkApp(cave, preferences=Preferences(animation=False))
    app.advise = lambda library, state, **limits: solution
    matches(picture(app, ["question_mark"], size), name, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "keys"), [("inventory", ["i"]), ("rules", ["f1"]), ("options", ["o"]), ("log", ["l"])]
)
def test_pages(matches, cave, size, name, keys):
    app = CardwalkApp(cave, preferences=Preferences(animation=False))
    matches(picture(app, keys, size), name, size)


@pytest.mark.parametrize("size", SIZES)
def test_own_dice(matches, quay, size):
    session = new_game(quay, seed=7, saved=False, mine=True)
    app = CardwalkApp(session, preferences=Preferences(animation=False, dice="mine"))
    matches(picture(app, ["1", "1", "7"], size), "own-dice", size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "keys"), [("table", ["up"]), ("table-numbers", ["up", "tab", "down", "right"])])
def test_table(matches, tmp_path, size, name, keys):
    file = tmp_path / "cave.yaml"
    file.write_text(CAVE, encoding="utf-8")
    app = CardwalkApp(screen="table", file=file, preferences=Preferences(animation=False))
    matches(picture(app, keys, size), name, size)
