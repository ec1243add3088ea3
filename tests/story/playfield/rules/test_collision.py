"""Collisions: who runs into her, from where, and whom it hurts (FOE-4)."""

import pytest

from story.cards import FoeMarks
from tests.build import at, encounter, enemy, goods, hero, mid_game, play

NO_AP = {"ap": 0, "ap_reset": 0}


def post(space, **parts):
    """Somebody who only stands there."""
    return at(enemy(f"post{space}", **{"wounds": 9, "attack": None} | parts), space)


def charge(*others, space=13, moves=2, hits=2, given=("end",), rounds=2, who=None, boar=None, **limits):
    """A boar that runs into her on 3; ``limits`` are the encounter's."""
    animal = enemy("boar", **{"wounds": 9, "attack": "collision", "hits": hits, "moves": moves} | (boar or {}))
    return play(encounter(at(animal, space), *others, rounds=rounds, hero_card=who or hero(**NO_AP), **limits), *given)


@pytest.mark.rule("FOE-4")
def test_the_eight_spaces_around_her_count_not_those_around_the_mover():
    game = charge(*(post(space) for space in (2, 4, 7, 9, 12, 14, 1, 5)))
    assert game.foe("boar").space == 8
    assert {foe.space for foe in game.field.foes if foe.wounds} == {2, 4, 7, 8, 9}
    assert {foe.wounds for foe in game.field.foes} == {0, 2}, "the mover is wounded once"


@pytest.mark.rule("FOE-4", "MOVE-6")
def test_the_distance_is_that_of_a_free_path():
    # Straight ahead it would be two steps; around the disc there are four, and movement 2 leads to 7 or 9 alone.
    game = charge(blocked=(8,))
    assert game.offered == ["pick 7", "pick 9"]
    assert game("pick 7").hero.wounds == 0
    around = charge(blocked=(8,), moves=4)
    assert around.offered == ["pick 2", "pick 4"]
    assert around("pick 4").hero.wounds == 2


@pytest.mark.rule("FOE-4", "MOVE-5")
def test_without_a_free_path_nobody_runs_into_her():
    game = charge(blocked=(2, 4, 8), moves=9)
    assert (game.foe("boar").space, game.hero.wounds, game.foe("boar").wounds) == (13, 0, 0)


@pytest.mark.rule("FOE-4")
def test_an_enemy_in_its_way_is_walked_around_not_run_into():
    game = charge(post(8), moves=2)
    assert game.offered == ["pick 7", "pick 9"]
    game("pick 9")
    assert (game.hero.wounds, game.foe("post8").wounds) == (0, 0)


@pytest.mark.rule("FOE-4", "TRAIT-FLY")
def test_a_flyer_comes_over_others_to_a_free_space_at_falling_steps():
    flying = {"traits": ["fly"]}
    game = charge(post(8), post(9), space=14, moves=3, boar=flying)
    assert (game.foe("boar").space, game.hero.wounds) == (4, 2)
    # From 13 only 8 lies between; that others beside her are free is no help.
    hindered = charge(post(8), boar=flying)
    assert (hindered.topic, hindered.foe("boar").space, hindered.hero.wounds) == ("turn", 13, 0)


@pytest.mark.rule("FOE-4", "ACT-6")
def test_what_she_dodges_still_hurts_the_mover_and_the_others():
    who = hero(ap=4, ap_reset=0, actions=["dodge"])
    game = charge(post(4), given=("dodge", "dodge", "end", "use dodge", 10, "use dodge", 10), who=who)
    assert (game.hero.wounds, game.foe("boar").wounds, game.foe("post4").wounds) == (0, 2, 2)


@pytest.mark.rule("FOE-4", "FOE-5")
def test_every_kill_pays_its_reward():
    friend = post(4, wounds=2, rewards=goods(uku=1))
    game = charge(friend, boar={"wounds": 2, "rewards": goods(breadfruit=1)})
    assert (game.field.foes, game.food("uku"), game.food("breadfruit")) == ((), 1, 1)


@pytest.mark.rule("FOE-4", "TRAIT-STUN")
def test_its_stun_holds_her_the_mover_and_the_others():
    game = charge(post(4), boar={"traits": ["stun"]}, rounds=3, who=hero(ap=0, ap_reset=1))
    assert (game.topic, [answer for answer in game.offered if answer.startswith("step")]) == ("turn", [])
    assert (game.foe("boar").stunned, game.foe("post4").stunned) == (True, True)
    game("end")
    assert (game.hero.wounds, game.foe("boar").stunned) == (2, False), "stunned, it stayed and did not collide"


@pytest.mark.rule("FOE-4", "TRAIT-DRAIN")
def test_its_drain_and_poison_work_on_everybody_it_wounds():
    drained = charge(post(4), boar={"traits": ["drain"]})
    assert (drained.hero.wounds, drained.foe("boar").wounds, drained.foe("post4").wounds) == (3, 3, 3)
    poisoned = charge(post(4), boar={"traits": ["poison"]})
    assert (poisoned.hero.wounds, poisoned.foe("boar").wounds, poisoned.foe("post4").wounds) == (3, 3, 3)


@pytest.mark.rule("FOE-4", "TRAIT-BOLSTER", "TRAIT-RAGE")
def test_bolster_and_rage_hurt_everybody_as_much():
    game = charge(
        post(4),
        rounds=3,
        boar={"traits": ["bolster", "rage"]},
        position=mid_game(round=2, foes=(("boar", FoeMarks(rage=1)),)),
    )
    assert (game.hero.wounds, game.foe("boar").wounds, game.foe("post4").wounds) == (4, 4, 4)


@pytest.mark.rule("FOE-4", "ENC-6")
def test_the_ninth_wound_ends_the_game_before_anybody_else_is_wounded():
    game = charge(post(4), who=hero(wounds=7, **NO_AP))
    assert game.topic == "death"
    assert not game.heard("Boar takes")


@pytest.mark.rule("FOE-4", "TRAIT-BIRD-BOMB")
def test_a_bomb_replaces_the_collision_and_hits_whoever_is_adjacent_to_the_bird():
    game = charge(post(9), post(4), boar={"traits": ["bird-bomb"]}, moves=1)
    assert (game.foe("boar").space, game.hero.wounds) == (8, 1), "one step brings it beside her, and it bombs"
    assert (game.foe("post9").wounds, game.foe("post4").wounds) == (1, 0), "adjacent to the bird, not to her"
