"""The playfield and its set-up (section 6)."""

import pytest

from story.cards import Encounter, Fight, Placement
from story.playfield.lines import ADJACENT, SURROUNDING, distance
from tests.build import at, campaign, card, encounter, enemy, hero, play, terrain

CRAB = enemy(attack=None)


@pytest.mark.rule("FIELD-1")
def test_five_columns_and_three_rows_with_n_plus_five_directly_beyond():
    assert distance(1, 5) == 4
    assert distance(1, 11) == 2
    assert 8 in ADJACENT[3]
    assert 13 in ADJACENT[8]
    assert 6 not in ADJACENT[5], "the rows do not wrap around"


@pytest.mark.rule("FIELD-2")
def test_adjacent_surrounding_and_distance():
    assert ADJACENT[8] == (3, 7, 9, 13)
    assert ADJACENT[1] == (2, 6)
    assert SURROUNDING[8] == (2, 3, 4, 7, 9, 12, 13, 14)
    assert SURROUNDING[15] == (9, 10, 14)
    assert distance(1, 15) == 6


@pytest.mark.rule("FIELD-3")
def test_a_character_may_stand_on_open_terrain_but_nothing_is_placed_there():
    game = play(encounter(at(CRAB), ground=(at(terrain("bog"), 2),), no_start=range(4, 16)), "place 5")
    assert game.foe().space == 1, "2 is free to walk on, not to be placed on"
    assert game("step 2").field.hero == 2


@pytest.mark.rule("FIELD-4")
def test_the_set_up_gives_rounds_places_and_crosses_that_count_for_placing_alone():
    game = play(encounter(at(CRAB, 4), rounds=3, no_start=(2, 4)), "step 2")
    assert (game.field.board.rounds, game.foe().space, game.field.hero) == (3, 4, 2)
    walker = play(encounter(at(enemy(moves=1), 13), no_start=(8,), rounds=2, hero_card=hero(ap=0)), "end")
    assert walker.foe().space == 8, "an enemy walks over a cross like anybody"


@pytest.mark.rule("FIELD-4", "FIELD-6")
def test_terrain_is_drawn_and_placed_by_the_die_too():
    fight = Fight(Encounter(1, (3,), terrain=(Placement(draw=1, source="land"),), no_start=frozenset({12})))
    cards = {name: terrain(name) for name in ("bog", "idol")}
    game = play(campaign({1: card(fight)}, decks={"land": tuple(cards)}, terrain=cards), "begin")
    assert game.offered == ["pick bog", "pick idol"]
    game("pick idol", "place 12")
    assert game.offered == ["pick 7", "pick 13"], "a cross holds for terrain as well"
    assert game("pick 13").field.board.ground_at[13].name == "idol"


@pytest.mark.rule("FIELD-5")
def test_a_disc_is_a_wall_that_only_flyers_cross_and_blocks_neither_sight_nor_lob():
    game = play(encounter(at(enemy(attack="long"), 13), blocked=(8, 2)))
    assert "dart crab" in game.offered
    assert [answer for answer in game.offered if answer.startswith("step")] == ["step 4"]
    walker = play(encounter(at(enemy(moves=2), 5), rounds=2, blocked=(4, 9, 10), hero_card=hero(ap=0)), "end")
    assert walker.foe().space == 5
    archer = play(encounter(at(enemy(attack="long"), 13), blocked=(8,), hero_card=hero(ap=0)), "end")
    assert archer.topic == "d20", "an enemy sees past it, too"
    lobbing = encounter(at(enemy("post"), 3), at(CRAB, 4), hero_at=1, blocked=(2,), hero_card=hero(actions=["lob"]))
    assert "dart crab +lob" in play(lobbing).offered


@pytest.mark.rule("FIELD-6")
def test_the_placement_die_bears_one_and_five_to_fifteen_each_equally_likely():
    prompt = play(encounter(at(CRAB))).prompt
    assert [face.answer for face in prompt.faces] == [f"place {n}" for n in (1, *range(5, 16))]
    assert {face.weight for face in prompt.faces} == {1}


@pytest.mark.rule("FIELD-7")
def test_a_taken_space_gives_the_nearest_free_one_then_the_nearest_to_her_then_an_even_roll():
    taken = at(enemy("rock", attack=None), 6)
    game = play(encounter(taken, at(CRAB)), "place 6")
    assert game.offered == ["pick 1", "pick 7"], "11 is as near to 6, but farther from her"
    assert game("pick 7").foe().space == 7


@pytest.mark.rule("FIELD-7")
def test_her_own_space_is_taken():
    assert play(encounter(at(CRAB), hero_at=6), "place 6").offered == ["pick 1", "pick 7", "pick 11"]


@pytest.mark.rule("FIELD-7", "FIELD-8")
def test_nearness_ignores_obstacles_and_more_than_two_spaces_are_equally_likely():
    # No step leads out of 11, and yet 1, 7 and 13 are two away from it, and two away from her on 3.
    game = play(encounter(at(CRAB), blocked=(6, 11, 12)), "place 11")
    assert {answer: round(float(chance), 9) for answer, chance in game.prompt.chances()} == {
        "pick 1": 0.333333333,
        "pick 7": 0.333333333,
        "pick 13": 0.333333333,
    }


@pytest.mark.rule("FIELD-7")
@pytest.mark.parametrize("full", [{"blocked": (15,)}, {"no_start": (15,)}, {"ground": (at(terrain("bog"), 15),)}])
def test_discs_crosses_and_terrain_are_taken(full):
    game = play(encounter(at(CRAB), **full), "place 15")
    assert game.offered == ["pick 10", "pick 14"]


@pytest.mark.rule("FIELD-7")
def test_the_order_of_the_set_up():
    pieces = (at(CRAB), at(enemy("eel", attack=None), 9))
    game = play(encounter(*pieces, ground=(at(terrain("idol"), None),)))
    assert game.field.foe("eel").space == 9, "fixed pieces come before the die"
    assert "Crab" in game.prompt.title
    game("place 11")
    assert "Idol" in game.prompt.title, "enemies before terrain"
    assert game("place 11").offered == ["pick 6", "pick 12"]


@pytest.mark.rule("FIELD-8")
def test_what_is_left_open_is_decided_with_equal_chances():
    walker = enemy(moves=1, traits=[])
    game = play(encounter(at(walker, 15), rounds=2, hero_card=hero(ap=0)), "end")
    chances = dict(game.prompt.chances())
    assert len(chances) == 2
    assert len(set(chances.values())) == 1


@pytest.mark.rule("FIELD-9")
def test_her_own_space_may_be_hers_to_choose_before_anything_is_rolled():
    game = play(encounter(at(CRAB), hero_at=(1, 3, 5)))
    assert (game.topic, game.offered) == ("stand", ["stand 1", "stand 3", "stand 5"])
    game("stand 5")
    assert (game.field.hero, game.topic) == (5, "place")


@pytest.mark.rule("FIELD-9", "HEAL-4")
def test_food_may_be_eaten_before_she_stands():
    game = play(encounter(hero_at=(1, 3), hero_card=hero(wounds=2, satchel={"breadfruit": 1})), "eat breadfruit")
    assert (game.hero.wounds, game.topic) == (1, "stand")


@pytest.mark.rule("FIELD-7", "FOE-7")
def test_each_draw_is_placed_before_the_next_is_drawn():
    draw = Placement(draw=2, source="gang")
    gang = {"gang": [CRAB, enemy("eel", attack=None)]}
    game = play(encounter(draw, decks=gang), "pick eel")
    assert game.topic == "place"
    game("place 15")
    assert game.offered == ["pick crab"]


@pytest.mark.rule("FIELD-4")
@pytest.mark.parametrize(("rounds", "words"), [(1, "An encounter of 1 round."), (3, "An encounter of 3 rounds.")])
def test_the_number_of_rounds_is_told(rounds, words):
    assert play(encounter(at(enemy(), 8), rounds=rounds)).heard(words)
