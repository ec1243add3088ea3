"""Terrain (section 12)."""

import pytest

from story.cards import Challenge, Gain, Heal, Instance, When, Wound
from tests.build import at, encounter, enemy, goods, hero, play, terrain

IDOL = Challenge("mental", 10, (Gain(goods(ap=2)),), (Wound(1),))


@pytest.mark.rule("TERR-1")
def test_impassable_terrain_is_entered_by_nobody_other_terrain_by_anyone():
    game = play(encounter(ground=(at(terrain("rock", "impassable"), 2), at(terrain("bog"), 4))))
    assert [answer for answer in game.offered if answer.startswith("step")] == ["step 4", "step 8"]
    bog = (at(terrain("bog"), 8),)
    walker = play(encounter(at(enemy(moves=1), 13), rounds=2, ground=bog, hero_card=hero(ap=0)), "end")
    assert walker.foe().space == 8
    rock = (at(terrain("rock", "impassable"), 8),)
    stopped = play(
        encounter(at(enemy(moves=2), 13), rounds=2, ground=rock, blocked=(12, 14), hero_card=hero(ap=0)), "end"
    )
    assert stopped.foe().space == 13, "neither onto it nor across it"


@pytest.mark.rule("TERR-1", "TERR-2", "TERR-3")
def test_what_blocks_sight_or_lob_can_still_be_entered():
    ground = (at(terrain("mist", "no-los"), 2), at(terrain("tree", "no-lob"), 4))
    game = play(encounter(ground=ground))
    assert {"step 2", "step 4"} <= set(game.offered)
    assert game("step 2").field.hero == 2


@pytest.mark.rule("TERR-2", "TERR-3")
def test_each_class_blocks_what_it_says_and_nothing_else():
    def offered(*classes):
        table = encounter(at(enemy(), 13), ground=(at(terrain("rock", *classes), 8),), hero_card=hero(actions=["lob"]))
        return [answer for answer in play(table).offered if answer.startswith("dart")]

    assert offered("impassable") == ["dart crab"]
    assert offered("no-lob") == ["dart crab"]
    assert offered("no-los") == ["dart crab +lob"]
    assert offered("no-los", "no-lob") == []


def shrine(*given, space=8, who=None, **parts):
    """A game beside an idol with a challenge."""
    ground = (at(terrain("idol", challenge=IDOL), space),)
    return play(encounter(ground=ground, rounds=2, hero_card=who or hero(ap=1, ap_reset=1), **parts), *given)


@pytest.mark.rule("TERR-4")
def test_a_challenge_is_tried_from_an_adjacent_space_for_nothing_once_a_turn():
    game = shrine("try idol", 12)
    assert game.hero.ap == 3
    assert "try idol" not in game.offered
    assert "try idol" in game("end").offered, "again in each turn, whatever came of it"
    assert "try idol" not in shrine(space=9).offered


@pytest.mark.rule("TERR-4")
def test_not_while_standing_on_it():
    assert "try idol" not in shrine("step 8").offered


@pytest.mark.rule("TERR-4")
def test_its_outcomes_are_data_and_a_failure_uses_up_the_turns_attempt():
    game = shrine("try idol", 3, "keep", who=hero(ap=0, ap_reset=0))
    assert (game.hero.wounds, game.hero.ap) == (1, 0)
    assert "try idol" not in game.offered
    assert "try idol" in game("end").offered


@pytest.mark.rule("TERR-4")
def test_once_for_each_terrain():
    ground = tuple(at(terrain(name, challenge=IDOL), space) for name, space in (("idol", 8), ("altar", 2)))
    game = play(encounter(ground=ground, hero_card=hero(ap=0)), "try idol", 12)
    assert [answer for answer in game.offered if answer.startswith("try")] == ["try altar"]
    game("try altar", 12)
    assert game.hero.ap == 4


@pytest.mark.rule("TERR-5")
def test_entering_acts_once_a_turn_and_terrain():
    spring = terrain("spring", instances=(Instance(When("entered"), (Heal(1),)),))
    game = play(encounter(ground=(at(spring, 2),), rounds=2, hero_card=hero(wounds=5)), "step 2", "step 3", "step 2")
    assert game.hero.wounds == 4
    assert game("end", "step 3", "step 2").hero.wounds == 3
    two = (at(spring, 2), at(terrain("well", instances=spring.instances), 8))
    assert play(encounter(ground=two, hero_card=hero(wounds=5)), "step 2", "step 3", "step 8").hero.wounds == 3


@pytest.mark.rule("TERR-5")
def test_only_her_own_step_enters():
    spring = terrain("spring", instances=(Instance(When("entered"), (Heal(1),)),))
    walker = at(enemy(attack=None, moves=1), 13)
    table = encounter(walker, rounds=2, ground=(at(spring, 8),), hero_card=hero(ap=0, wounds=5))
    game = play(table, "end")
    assert (game.foe().space, game.hero.wounds) == (8, 5)


@pytest.mark.rule("TERR-5")
def test_being_adjacent_at_the_end_of_the_round_acts_but_standing_on_it_does_not():
    fire = terrain("fire", instances=(Instance(When("adjacent_at_round_end"), (Wound(1),)),))
    assert play(encounter(ground=(at(fire, 2),)), "end").hero.wounds == 1
    assert play(encounter(ground=(at(fire, 2),)), "step 2", "end").hero.wounds == 0
    assert play(encounter(ground=(at(fire, 1),)), "end").hero.wounds == 0
    assert play(encounter(ground=(at(fire, 7),)), "end").hero.wounds == 0, "a diagonal neighbour is not adjacent"


@pytest.mark.rule("TERR-5")
def test_a_whole_move_of_an_enemy_ends_on_terrain_and_passing_over_does_nothing():
    def crossed(moves, *given):
        ground = (at(terrain("bog", traits=["poison"]), 9),)
        walker = at(enemy(wounds=9, moves=moves), 14)
        table = encounter(walker, rounds=2, ground=ground, blocked=(13,), hero_card=hero(ap=0))
        return play(table, "end", *given).foe()

    assert crossed(2, "pick 4", 3).wounds == 0
    assert crossed(1) == crossed(1)._replace(space=9, wounds=1), "poisoned there, it works in upkeep"


@pytest.mark.rule("TERR-5", "TRAIT-BIRD-BOMB")
def test_an_enemy_that_treads_on_a_bomb_sets_it_off_and_attacks_all_the_same():
    mine = (at(terrain("mine", traits=["bird-bomb"]), 8),)
    who = hero(ap=0, ap_reset=0)
    game = play(encounter(at(enemy(wounds=9, moves=1), 13), ground=mine, hero_card=who), "end")
    assert (game.hero.wounds, game.foe().wounds, game.topic) == (1, 0, "d20")


@pytest.mark.rule("TERR-5", "ACT-9", "TRAIT-IMMUNE")
@pytest.mark.parametrize(("immune", "space"), [(frozenset(), 14), (frozenset({"stun"}), 9)])
def test_a_feared_space_is_a_move_that_terrain_feels(immune, space):
    bog = (at(terrain("bog", traits=["stun"]), 14),)
    walker = at(enemy(wounds=9, moves=1, immune=immune), 15)
    who = hero(ap=2, ap_reset=0, actions=["fear"])
    table = encounter(walker, ground=bog, blocked=(13,), rounds=2, hero_card=who)
    assert play(table, "fear crab 14", 10, "end").foe().space == space
