"""A small campaign of two chapters, a position on the playfield, and ``cardwalk`` as a process."""

import os
import subprocess
import sys
import threading
from queue import Queue

import pytest

from story.load import load_deck

CAMPAIGN = """\
format: cardwalk/1
kind: campaign
id: lagoon
title: The Lagoon
chapters: [one.yaml, two.yaml]
decks: [items.yaml, enemies.yaml]
hero: {name: Mara, ap: 7, satchel: {fig: 1}}
satchel:
  fig: {name: Fig, holds: 3, heals: 1}
"""

ONE = """\
format: cardwalk/1
kind: story
chapter: 1
title: The Boat
start: 1
cards:
  1:
    title: On the Sand
    text: |
      The boat is *yours*, the oars are not.

      Somebody coughs.
    steps:
      - choose:
          - say: Take the rope
            gain: {item: rope}
            reveal: 2
          - say: Push off
            wound: 2
            reveal: 2
          - {say: Bribe the ferryman, needs: {item: rope}, reveal: 3}
  2:
    title: The Reef
    text: The reef has teeth.
    steps:
      - challenge: {type: physical, level: 12, succeed: {gain: {ap: 1}}, fail: {wound: 1}}
      - roll: {die: d6, chart: {1-3: {gain: {fig: 1}}, 4-6: {lose: {ap: 1}}}}
      - encounter:
          rounds: 2
          hero: {space: 3}
          enemies: [{card: crab, place: die}]
      - reveal: 3
  3:
    title: Open Water
    text: Nothing but water, and that is plenty.
    steps: {next_chapter: true}
"""

TWO = """\
format: cardwalk/1
kind: story
chapter: 2
title: The Far Side
start: 1
cards:
  1:
    title: Landfall
    text: A beach with footprints that are yours.
    steps:
      - choose:
          - {say: Follow them, roll: {die: d20, chart: {1-10: {wound: 8}, 11-20: {gain: {ap: 2}}}}, reveal: 2}
          - {say: Sit down, ending: {id: sat, title: You Sat Down, kind: neutral}}
  2:
    title: The Hut
    text: It is your hut.
    steps:
      - ending: {id: home, title: Home, kind: victory}
"""

ITEMS = """\
format: cardwalk/1
kind: items
cards:
  rope: {name: Rope, text: Wet.}
"""

ENEMIES = """\
format: cardwalk/1
kind: enemies
cards:
  crab: {name: Crab, wounds: 2, attack: {type: adjacent, wounds: 1}, moves: 1, rewards: {ap: 1}}
"""

POSITION = """\
format: cardwalk/1
kind: encounter
title: One crab
rounds: 1
hero: {space: 3, ap: 4, actions: [dodge]}
enemies: [{card: crab, space: 8}]
enemy_cards:
  crab: {name: Crab, wounds: 2, attack: {type: adjacent, wounds: 1}, moves: 1, crit: 20, miss: 5}
"""


def write_deck(folder, **changed):
    """Write the small campaign; ``one=…`` and so on replace the text of a file."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"campaign": CAMPAIGN, "one": ONE, "two": TWO, "items": ITEMS, "enemies": ENEMIES} | changed
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    """A data folder of this test alone."""
    folder = tmp_path / "data"
    monkeypatch.setenv("CARDWALK_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def deck(tmp_path):
    """The folder of the small campaign."""
    return write_deck(tmp_path / "lagoon-deck")


@pytest.fixture(scope="session")
def lagoon(tmp_path_factory):
    """The small campaign, loaded."""
    return load_deck(write_deck(tmp_path_factory.mktemp("decks") / "lagoon-deck"))


@pytest.fixture
def edit(deck):
    """Write the small campaign anew with other files in it."""
    return lambda **changed: write_deck(deck, **changed)


@pytest.fixture
def texts():
    """The files of the small campaign by name."""
    return {"campaign": CAMPAIGN, "one": ONE, "two": TWO, "items": ITEMS}


@pytest.fixture
def position(tmp_path):
    """An encounter file."""
    file = tmp_path / "crab.yaml"
    file.write_text(POSITION, encoding="utf-8")
    return file


@pytest.fixture
def cardwalk(tmp_path, data_folder):
    """``cardwalk(…)`` as a process; returns it with its output as text."""

    def run(*arguments, input="", timeout=60, **environment):
        return subprocess.run(
            [sys.executable, "-m", "runner", *map(str, arguments)],
            input=input,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | environment,
            cwd=tmp_path,
            check=False,
        )

    return run


class Watching:
    """A command that goes on until it is told to end; ``until`` waits for words on its standard output."""

    def __init__(self, *words, stdin=None):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "runner", *map(str, words)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._lines = Queue()
        self._reader = threading.Thread(
            target=lambda: [self._lines.put(line) for line in self.process.stdout], daemon=True
        )
        self._reader.start()

    def until(self, words):
        told = ""
        while words not in told:
            told += self._lines.get(timeout=30)
        return told

    def end(self):
        """Kill it, and let nothing of it stay."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in filter(None, (self.process.stdin, self.process.stdout, self.process.stderr)):
            stream.close()
