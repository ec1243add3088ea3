"""``cardwalk solve`` as a process: what it says of a position, in words and as JSON."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from runner.commands import solve
from solver.advice import Advisor
from story.load import load_encounter
from story.playfield.table import EncounterTable

EXAMPLE = Path(__file__).parents[1] / "decks" / "rulebook-example.yaml"

POSITION = """\
format: cardwalk/1
kind: encounter
title: T
rounds: 1
hero: {space: 3, ap: 1, actions: [zap]}
enemies: [{card: eel, space: 8}]
enemy_cards:
  eel: {name: Eel, wounds: 1, attack: {type: adjacent, wounds: 1}, moves: 1}
action_cards:
  zap: {name: Zap, kind: attack, cost: COST, damage: 1, range: full}
"""


@pytest.fixture
def zapping(tmp_path):
    """A file with a small position whose hero has an attack of this cost."""

    def write(cost):
        file = tmp_path / "zapping.yaml"
        file.write_text(POSITION.replace("COST", str(cost)), encoding="utf-8")
        return file

    return write


def test_who_answered_the_slow_way_is_told_with_the_reason(cardwalk, zapping):
    why = "zap, an action that costs nothing"
    lines = cardwalk("solve", zapping(0), "--seconds", "0.1").stdout.splitlines()
    assert lines[1] == f"Worked out the slow way, by the reference: {why}."
    assert json.loads(cardwalk("solve", zapping(0), "--seconds", "0.1", "--json").stdout)["reference"] == why
    assert "slow way" not in cardwalk("solve", zapping(1)).stdout
    assert "reference" not in json.loads(cardwalk("solve", zapping(1), "--json").stdout)


def interrupted(*words, at="solver.advice.Advisor.advise", times=1):
    """``cardwalk`` as a process in which Ctrl-C is pressed so many times when it comes to a function."""
    script = f"""
import signal, sys
from unittest import mock
import runner.plan, solver.advice
from runner.cli import main
real = {at}
def press(*args, **settings):
    patch.stop()
    for _ in range({times}):
        signal.raise_signal(signal.SIGINT)
    return real(*args, **settings)
patch = mock.patch("{at}", press)
patch.start()
sys.exit(main(sys.argv[1:]))
"""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@pytest.fixture
def hard(tmp_path):
    """A file with a position that takes longer than a test may."""
    file = tmp_path / "hard.yaml"
    file.write_text(EXAMPLE.read_text(encoding="utf-8").replace("rounds: 3", "rounds: 40"), encoding="utf-8")
    return file


def test_ctrl_c_ends_the_search_and_tells_what_is_known(hard):
    process = interrupted("solve", hard, "--plan")
    assert (process.returncode, process.stderr) == (130, "interrupted\n")
    assert process.stdout.startswith("Not exact, interrupted: the value is between 0.0000 and ")
    assert "No plan" in process.stdout
    process = interrupted("solve", hard, "--json", "--seconds", "60")
    document = json.loads(process.stdout)
    assert (process.returncode, process.stderr) == (130, "interrupted\n")
    assert (document["exact"], document["limit"]) == (False, "stopped")
    assert document["value"] == document["expected_wounds"] == document["upper"]
    assert {"dodge", "end"} <= {action["answer"] for action in document["actions"]}


def test_ctrl_c_pressed_again_ends_at_once(hard):
    process = interrupted("solve", hard, "--json", times=2)
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_while_the_plan_is_made_costs_the_plan_alone(zapping):
    process = interrupted("solve", zapping(1), "--plan", "--json", at="runner.plan.plan")
    document = json.loads(process.stdout)
    assert (process.returncode, process.stderr) == (130, "interrupted\n")
    assert (document["exact"], document["plan"]) == (True, None)


def test_the_seconds_hold_for_the_plan_too(zapping):
    table = EncounterTable(load_encounter(zapping(1)))
    advisor = Advisor(table.library)
    known = advisor.advise(table.start())
    for seconds, spent, why in ((None, 9.0, ""), (60.0, 1.0, ""), (60.0, 60.0, "the time was over")):
        branches, told = solve.plan_in_time(seconds, advisor, table, table.start(), replace(known, seconds=spent))
        assert told == why
        assert bool(branches) is not bool(why)
    with pytest.raises(TimeoutError):
        Advisor(table.library).thrifty_choice(table.start(), seconds=0.0)
