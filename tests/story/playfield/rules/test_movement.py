"""How enemies move (section 10)."""

import pytest

from tests.build import at, encounter, enemy, hero, play, terrain

NO_AP = {"ap": 0, "ap_reset": 0}


def moved(*pieces, given=("end",), rounds=2, **parts):
    """A game after her turn without AP."""
    return play(encounter(*pieces, rounds=rounds, hero_card=hero(**NO_AP), **parts), *given)


@pytest.mark.rule("MOVE-1")
def test_orthogonally_and_never_over_or_onto_another_object():
    game = moved(at(enemy(moves=2), 13), at(enemy("post", attack=None), 8), blocked=(12, 14))
    assert game.foe().space == 13
    over = moved(at(enemy(moves=1), 13), ground=(at(terrain("bog"), 8),))
    assert over.foe().space == 8, "terrain that is not Impassable may be entered"
    assert moved(at(enemy(moves=1), 9), blocked=(2, 4, 8)).foe().space == 9, "not diagonally"


@pytest.mark.rule("MOVE-2")
def test_an_enemy_that_can_attack_does_not_move():
    game = moved(at(enemy(attack="long", moves=2), 13), given=("end", 3))
    assert game.foe().space == 13
    assert game.heard("stays and attacks")


@pytest.mark.rule("MOVE-3")
def test_it_moves_along_a_shortest_path_and_stops_as_soon_as_it_can_attack():
    game = moved(at(enemy(attack="surrounding", moves=3), 11), blocked=(6,))
    assert (game.topic, game.foe().space) == ("d20", 7), "from 7 it surrounds her; it does not come closer"


@pytest.mark.rule("MOVE-3", "MOVE-7")
def test_it_moves_no_farther_than_its_movement_and_only_once():
    game = moved(at(enemy(moves=1), 13), rounds=2)
    assert (game.foe().space, game.topic) == (8, "d20"), "it moved and attacks"
    far = moved(at(enemy(moves=1), 11), blocked=(6,))
    assert (far.foe().space, far.topic) == (12, "turn")


@pytest.mark.rule("MOVE-4")
def test_among_equal_paths_it_prefers_a_space_it_can_attack_from():
    archer = enemy("archer", attack="long", moves=1)
    game = play(encounter(at(archer, 10), hero_at=2, rounds=2, hero_card=hero(**NO_AP)), "end")
    assert (game.topic, game.foe("archer").space) == ("d20", 5), "5 sees her along the row, 9 does not"


@pytest.mark.rule("MOVE-4")
def test_what_is_still_open_is_an_even_roll():
    game = moved(at(enemy(moves=1), 15))
    assert game.offered == ["pick 10", "pick 14"]


@pytest.mark.rule("MOVE-5")
def test_without_a_free_path_it_closes_in_until_it_is_fully_blocked():
    game = moved(at(enemy(moves=3), 15), blocked=(2, 4, 8), rounds=3)
    assert game.offered == ["pick 5", "pick 9", "pick 13"], "two steps closer; a third would end on a disc"
    game("pick 9")
    assert game("end").foe().space == 9, "no step lowers the distance any more"


@pytest.mark.rule("MOVE-5", "MOVE-6")
def test_without_a_free_path_every_step_lowers_the_plain_distance():
    # Her neighbours are full. From 11, four away, the steps lead to 6 and 12, then to 1, 7 and 13, and no nearer.
    posts = [at(enemy(f"post{n}", attack=None), n) for n in (2, 4, 8)]
    assert moved(at(enemy(moves=1), 11), *posts).offered == ["pick 6", "pick 12"]
    assert moved(at(enemy(moves=2), 11), *posts).offered == ["pick 1", "pick 7", "pick 13"]
    assert moved(at(enemy(moves=9), 11), *posts).offered == ["pick 1", "pick 7", "pick 13"]
    archer = enemy("archer", attack="long", moves=2)
    shoots = moved(at(archer, 12), *posts)
    assert (shoots.topic, shoots.foe("archer").space) == ("d20", 7), "13 is as near, but only 7 has a line to her"


@pytest.mark.rule("MOVE-6")
def test_each_space_counts_once_however_many_paths_lead_to_it():
    # One way leads over 10 to 5, one over 14 to 13, two lead to 9.
    game = moved(at(enemy(moves=2), 15))
    assert game.offered == ["pick 5", "pick 9", "pick 13"]
    assert len(set(dict(game.prompt.chances()).values())) == 1, "however many ways lead there"


@pytest.mark.rule("MOVE-6")
def test_the_first_k_with_an_attack_wins_even_where_more_movement_is_left():
    archer = enemy("archer", attack="long", moves=2)
    game = play(encounter(at(archer, 14), at(enemy("post", attack=None), 8), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert (game.topic, game.foe("archer").space) == ("d20", 9)


@pytest.mark.rule("MOVE-6")
def test_other_characters_are_walls_to_a_path():
    posts = [at(enemy(f"post{n}", attack=None), n) for n in (7, 9)]
    game = moved(at(enemy(moves=1), 12), *posts)
    assert game.foe().space == 13, "the path leads through 13 and 8"


@pytest.mark.rule("MOVE-6")
@pytest.mark.parametrize("wall", [
    {"blocked": (7, 9)}, {"ground": (at(terrain("rock", "impassable"), 7), at(terrain("idol", "impassable"), 9))},
])  # fmt: skip
def test_discs_and_impassable_terrain_are_walls_to_a_path(wall):
    assert moved(at(enemy(moves=1), 12), **wall).foe().space == 13


@pytest.mark.rule("MOVE-6", "FIELD-4")
def test_open_terrain_and_crosses_are_no_walls_to_a_path():
    bogs = (at(terrain("bog", "no-los"), 7), at(terrain("mud", "no-lob"), 13))
    assert moved(at(enemy(moves=1), 12), ground=bogs).offered == ["pick 7", "pick 13"]
    assert moved(at(enemy(moves=1), 12), no_start=(7, 13)).offered == ["pick 7", "pick 13"]


@pytest.mark.rule("MOVE-6", "MOVE-3")
@pytest.mark.parametrize("walls", [
    {"blocked": (4, 7, 8)}, {"ground": tuple(at(terrain(f"rock{n}", "impassable"), n) for n in (4, 7, 8))},
])  # fmt: skip
def test_it_takes_a_long_way_round_when_that_is_the_shortest_free_path(walls):
    # From 13, two away from her, the only path leads over 12, 11, 6, 1 and 2.
    game = moved(at(enemy(moves=1), 13), rounds=3, **walls)
    assert game.foe().space == 12
    assert game("end").foe().space == 11, "farther away than it stood, and nearer by the path"


@pytest.mark.rule("MOVE-6")
def test_it_goes_to_the_last_space_its_movement_reaches_never_onto_her():
    harmless = enemy("harmless", attack=None, moves=9)
    assert moved(at(harmless, 13)).foe("harmless").space == 8
    assert moved(at(harmless, 8)).foe("harmless").space == 8


@pytest.mark.rule("MOVE-6", "TRAIT-FLY")
def test_where_the_farthest_spaces_are_full_it_goes_to_the_farthest_that_are_not():
    # Two steps from 14 lead a flyer to 4 and 8, which are taken; one step leads to 9 and 13.
    posts = [at(enemy(f"post{n}", attack=None), n) for n in (4, 8)]
    bird = enemy("bird", attack=None, moves=2, traits=["fly"])
    assert moved(at(bird, 14), *posts).offered == ["pick 9", "pick 13"]


@pytest.mark.rule("MOVE-7")
def test_after_moving_it_attacks_at_most_once():
    game = moved(at(enemy(moves=1, wounds=9), 13), given=("end", 10))
    assert (game.hero.wounds, game.topic) == (1, "turn")
