"""The rulebook's worked example, step by step (section 16 of the rules)."""

from dataclasses import replace
from pathlib import Path

from story.cards import Position
from story.load import load_encounter
from story.playfield.lines import BETWEEN
from story.playfield.table import EncounterTable
from tests.build import Game, at, encounter, enemy, hero, play

EXAMPLE = Path(__file__).parents[2] / "decks" / "rulebook-example.yaml"


def round_two():
    """The example is told as round 2, with Woopu just come in."""
    file = load_encounter(EXAMPLE)
    return Game(EncounterTable(replace(file, position=Position(round=2))))


def test_the_scenario_step_by_step():
    game = round_two()
    assert {"dart nalu", "dart bahooka", "dart woopu"} <= set(game.offered), "all three are in her line and sight"
    assert [space for space in range(1, 16) if space != 3 and BETWEEN[3, space] is None] == [6, 10, 12, 14]

    game("dart bahooka")
    assert game.hero.ap == 4
    game(19)
    assert [option.answer for option in game.prompt.options if option.kind == "add"] == ["add 1"]
    game("add 1")
    assert game.foe("bahooka") is None, "critical: 2 wounds"
    assert game.hero.ap == 6, "7 - 4 + 3"

    game("dart nalu", 10)
    assert (game.foe("nalu").wounds, game.hero.ap) == (1, 3)

    game("step 2", "dodge")
    assert (game.field.hero, game.field.dodges, game.hero.ap) == (2, 1, 0)

    game("end")
    assert "Nalu on 8 stays and attacks" in game.prompt.title, "the lowest space goes first"
    game(12)
    assert game.heard("Nalu on 8 stays and attacks: 12, hit for 2.")
    assert game.topic == "dodge"
    game("use dodge", 8)
    assert game.hero.wounds == 1

    assert (game.topic, game.offered) == ("pick", ["pick 10", "pick 14"])
    before = game.state
    for space in (10, 14):
        game.state = before
        game(f"pick {space}")
        assert game.heard(f"Woopu moves from 15 to {space}.")
        assert game.foe("woopu") is None, "it retreats in the upkeep of its first round"
        assert game.field.round == 3
        assert game.hero.ap == 5, "reset to 7, and the retreat costs 2"


def test_the_movement_example():
    nalu = enemy("nalu", wounds=5, attack="surrounding", hits=2, moves=1)
    bahooka = enemy("bahooka", attack="long", moves=1)
    game = play(encounter(at(nalu, 8), at(bahooka, 12), hero_card=hero(ap=0)), "end", 3)
    assert game.foe("bahooka").space == 7, "not 11: that is on no shortest path"
    assert "Bahooka on 7 attacks" in game.prompt.title


def test_the_placement_example():
    taken = at(enemy("first", attack=None), 6)
    game = play(encounter(taken, at(enemy(attack=None))), "place 6")
    assert game.offered == ["pick 1", "pick 7"]
