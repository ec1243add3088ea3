"""The rulebook's worked example, step by step (section 16 of the rules)."""

from dataclasses import replace
from pathlib import Path

from story.cards import LAST, Gain, Instance, Position, When
from story.load import load_encounter
from story.playfield.lines import BETWEEN, in_sight
from story.playfield.table import EncounterTable
from tests.build import Game, at, encounter, enemy, goods, hero, play

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


def test_a_hit_without_the_point_spent_leaves_bahooka_standing():
    game = round_two()("dart bahooka", 19, "keep")
    assert (game.foe("bahooka").wounds, game.hero.ap) == (1, 4)


def test_bahooka_pays_two_in_round_one_and_a_breadfruit_besides_in_the_last():
    def paid(number):
        file = load_encounter(EXAMPLE)
        fed = Instance(When("defeated", (LAST,)), (Gain(goods(breadfruit=1)),))
        bahooka = file.library.enemies["bahooka"]
        cards = {**file.library.enemies, "bahooka": replace(bahooka, instances=(*bahooka.instances, fed))}
        library = replace(file.library, enemies=cards)
        game = Game(EncounterTable(replace(file, library=library, position=Position(round=number))))
        game("dart bahooka", 20, "keep")
        return game.hero.ap, game.food("breadfruit")

    assert [paid(number) for number in (1, 2, 3)] == [(6, 0), (7, 0), (7, 1)], "7 - 3, and 2 or 3 AP"


def test_nothing_on_the_four_spaces_off_her_lines_can_be_targeted():
    for space in range(1, 16):
        if space != 3:
            offered = play(encounter(at(enemy(), space), hero_card=hero(actions=["lob"]))).offered
            assert ("dart crab" in offered) is (space not in (6, 10, 12, 14))
            assert "dart crab +lob" not in offered


def test_the_movement_example():
    nalu = enemy("nalu", wounds=5, attack="surrounding", hits=2, moves=1)
    bahooka = enemy("bahooka", attack="long", moves=1)
    game = play(encounter(at(nalu, 8), at(bahooka, 12), hero_card=hero(ap=0)), "end", 3)
    assert game.foe("bahooka").space == 7, "not 11: that is on no shortest path"
    assert "Bahooka on 7 attacks" in game.prompt.title
    assert in_sight(game.field, 12, 3) is False
    from_11 = play(encounter(at(nalu, 8), at(bahooka, 11), hero_card=hero(ap=0)), "end", 3)
    assert "Bahooka on 11 stays and attacks" in from_11.prompt.title, "from 11 it could have attacked as well"


def test_the_placement_example():
    taken = at(enemy("first", attack=None), 6)
    game = play(encounter(taken, at(enemy(attack=None))), "place 6")
    assert game.offered == ["pick 1", "pick 7"], "11 is as near to 6, but farther from her"
    assert len(set(dict(game.prompt.chances()).values())) == 1
