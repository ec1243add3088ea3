"""``cardwalk solve`` as a process: what it says of a position, in words and as JSON."""

import json

import pytest

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
    lines = cardwalk("solve", zapping(0)).stdout.splitlines()
    assert lines[1] == f"Worked out the slow way, by the reference: {why}."
    assert json.loads(cardwalk("solve", zapping(0), "--json").stdout)["reference"] == why
    assert "slow way" not in cardwalk("solve", zapping(1)).stdout
    assert "reference" not in json.loads(cardwalk("solve", zapping(1), "--json").stdout)
