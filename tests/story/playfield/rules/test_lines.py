"""Lines of attack, sight and ranges (section 8)."""

import pytest

from story.playfield.lines import BETWEEN
from tests.build import at, encounter, enemy, hero, play, terrain


def shots(*pieces, actions=(), **parts):
    """Who can be shot from 3, and who by a lob."""
    offered = play(encounter(*pieces, hero_card=hero(actions=actions), **parts)).offered
    return [answer.removeprefix("dart ") for answer in offered if answer.startswith("dart")]


@pytest.mark.rule("LINE-1")
def test_from_space_3_four_spaces_are_on_no_line():
    assert [b for b in range(1, 16) if b != 3 and BETWEEN[3, b] is None] == [6, 10, 12, 14]
    assert BETWEEN[3, 11] == (7,)
    assert BETWEEN[15, 1] is None
    assert BETWEEN[11, 15] == (12, 13, 14)


@pytest.mark.rule("LINE-2")
def test_characters_block_sight_and_so_does_terrain_classed_no_los_alone():
    far = at(enemy(), 13)
    assert shots(far) == ["crab"]
    assert "crab" not in shots(far, at(enemy("eel"), 8))
    assert shots(far, ground=(at(terrain("idol", "impassable", "no-los"), 8),)) == []
    assert shots(far, ground=(at(terrain("pit", "impassable", "no-lob"), 8),)) == ["crab"]


@pytest.mark.rule("LINE-2")
def test_an_enemy_sees_past_nobody_either():
    archer = enemy("archer", attack="long")
    who = hero(ap=0, ap_reset=0)
    hidden = play(encounter(at(archer, 13), at(enemy("post", attack=None), 8), rounds=2, hero_card=who), "end")
    assert hidden.topic == "turn"
    assert play(encounter(at(archer, 13), rounds=2, hero_card=who), "end").topic == "d20"


@pytest.mark.rule("LINE-3")
def test_a_lob_goes_over_everything_but_no_lob():
    far = at(enemy(), 13)
    assert shots(far, ground=(at(terrain("idol", "no-los"), 8),), actions=["lob"]) == ["crab +lob"]
    assert shots(far, ground=(at(terrain("wall", "no-los", "no-lob"), 8),), actions=["lob"]) == []
    assert shots(at(enemy(), 14), actions=["lob"]) == [], "a lob follows a line of attack as well"


@pytest.mark.rule("LINE-3", "FOE-2")
@pytest.mark.parametrize(("classes", "reaches"), [
    (("no-los",), True), (("no-lob",), True), (("no-los", "no-lob"), False),
])  # fmt: skip
def test_an_enemy_with_both_sees_or_lobs_whatever_is_open(classes, reaches):
    ground = (at(terrain("wall", *classes), 8),)
    table = encounter(at(enemy(attack="lob"), 13), ground=ground, hero_card=hero(ap=0))
    assert (play(table, "end").topic == "d20") is reaches


@pytest.mark.rule("LINE-3")
def test_no_lob_stops_a_lob_wherever_it_lies_on_the_line():
    # On row A: a post on 2 hides the crab from 1, the pit lies farther on.
    pit = at(terrain("pit", "no-lob"), 3)
    pieces = (at(enemy("post"), 2), at(enemy(), 4))
    assert shots(*pieces, hero_at=1, actions=["lob"]) == ["post", "crab +lob"]
    assert shots(*pieces, hero_at=1, ground=(pit,), actions=["lob"]) == ["post"]


@pytest.mark.rule("LINE-4")
@pytest.mark.parametrize(("attack", "space", "reaches"), [
    ("adjacent", 8, True), ("adjacent", 9, False), ("surrounding", 9, True), ("surrounding", 13, False),
])  # fmt: skip
def test_short_ranges(attack, space, reaches):
    game = play(encounter(at(enemy(attack=attack), space), rounds=2, hero_card=hero(ap=0, ap_reset=0)), "end")
    assert (game.topic == "d20") is reaches


@pytest.mark.rule("LINE-5")
def test_full_range_reaches_every_space():
    for space in (6, 10, 12, 14, 15):
        game = play(encounter(at(enemy(attack="full"), space), hero_card=hero(ap=0)), "end")
        assert game.topic == "d20"
    wall = (at(terrain("wall", "impassable", "no-los", "no-lob"), 8),)
    behind = play(encounter(at(enemy(attack="full"), 13), ground=wall, hero_card=hero(ap=0)), "end")
    assert behind.topic == "d20", "nothing stands in its way"
