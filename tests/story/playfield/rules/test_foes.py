"""Enemies: attacks, collision, defeat, instances, draws (section 11)."""

import pytest

from story.cards import LAST, FoeMarks, Gain, Heal, Instance, Placement, When, Wound
from tests.build import at, encounter, enemy, goods, hero, mid_game, play

NO_AP = {"ap": 0, "ap_reset": 0}


def rule(event, *steps, rounds=None, later=False, instead=None):
    """An instance of a card."""
    return Instance(When(event, rounds), steps, instead, later)


@pytest.mark.rule("FOE-1")
def test_a_card_gives_limit_attack_movement_numbers_traits_and_instances():
    brute = enemy("brute", wounds=2, attack="full", hits=2, moves=1, crit=15, miss=3, traits=["rage"])
    game = play(encounter(at(brute, 13), rounds=3, hero_card=hero(ap=3, ap_reset=0)), "dart brute", 10)
    assert (game.foe("brute").wounds, game.foe("brute").rage) == (1, 1)
    assert game("end", 15).hero.wounds == 4, "2 printed, 1 of rage, 1 for the critical"
    assert game("end", 3).hero.wounds == 4
    assert game("end", 4).hero.wounds == 6


@pytest.mark.rule("FOE-2")
@pytest.mark.parametrize(
    ("attack", "spaces"),
    [
        ("adjacent", {2, 4, 8}),
        ("surrounding", {2, 4, 7, 8, 9}),
        ("long", {1, 2, 4, 5, 7, 8, 9, 11, 13, 15}),
        ("lob", {1, 2, 4, 5, 7, 8, 9, 11, 13, 15}),
        ("full", set(range(1, 16)) - {3}),
    ],
)
def test_where_each_attack_reaches_her_on_3(attack, spaces):
    def attacks(space):
        return play(encounter(at(enemy(attack=attack), space), hero_card=hero(**NO_AP)), "end").topic == "d20"

    assert {space for space in range(1, 16) if space != 3 and attacks(space)} == spaces


@pytest.mark.rule("FOE-2", "LINE-3")
def test_long_range_needs_sight_and_a_lobber_does_not():
    post = at(enemy("post", attack=None), 8)
    for attack, reaches in (("long", False), ("lob", True)):
        game = play(encounter(at(enemy(attack=attack), 13), post, rounds=2, hero_card=hero(**NO_AP)), "end")
        assert (game.topic == "d20") is reaches


@pytest.mark.rule("FOE-3")
@pytest.mark.parametrize(("face", "wounds"), [(1, 0), (5, 0), (6, 2), (19, 2), (20, 3)])
def test_a_hit_wounds_as_printed_a_critical_one_more_a_miss_not_at_all(face, wounds):
    game = play(encounter(at(enemy(hits=2), 8), rounds=2, hero_card=hero(**NO_AP)), "end", face)
    assert game.hero.wounds == wounds


@pytest.mark.rule("FOE-3", "CHAL-6")
def test_a_one_misses_whatever_the_enemys_numbers_and_cannot_be_changed():
    game = play(encounter(at(enemy(miss=0), 8), rounds=2, hero_card=hero(ap=7)), "end", 1)
    assert (game.topic, game.field.round, game.hero.wounds) == ("turn", 2, 0), "no window, no wound"


@pytest.mark.rule("FOE-3")
def test_influence_comes_before_dodges_and_dodges_before_wounds():
    who = hero(ap=4, actions=["dodge"])
    game = play(encounter(at(enemy(hits=2), 8), rounds=2, hero_card=who), "dodge", "end", 20)
    assert (game.topic, game.offered) == ("window", ["keep", "subtract 1"])
    game("subtract 1")
    assert (game.topic, game.hero.wounds) == ("dodge", 0)
    assert game("use dodge", 10).hero.wounds == 1


def boar(*pieces, space=13, given=("end",), rounds=2, moves=2, **parts):
    """A boar that runs into her."""
    limits = {key: parts.pop(key) for key in ("blocked", "position") if key in parts}
    animal = enemy("boar", wounds=9, attack="collision", hits=2, moves=moves, **parts)
    return play(encounter(at(animal, space), *pieces, rounds=rounds, hero_card=hero(**NO_AP), **limits), *given)


@pytest.mark.rule("FOE-4")
def test_a_collision_needs_no_roll_and_wounds_her_the_mover_and_those_around_her():
    near, far = at(enemy("near", wounds=9, attack=None), 4), at(enemy("far", wounds=9, attack=None), 5)
    game = boar(near, far)
    assert (game.hero.wounds, game.foe("boar").wounds, game.foe("near").wounds, game.foe("far").wounds) == (2, 2, 2, 0)
    assert game.foe("boar").space == 8


@pytest.mark.rule("FOE-4")
def test_from_distance_one_it_stays_and_collides():
    game = boar(space=8, moves=1)
    assert (game.hero.wounds, game.foe("boar").space) == (2, 8)


@pytest.mark.rule("FOE-4")
def test_the_last_step_costs_one_movement():
    game = boar(moves=1)
    assert (game.hero.wounds, game.foe("boar").space) == (0, 8)


@pytest.mark.rule("FOE-4")
def test_several_spaces_to_collide_from_are_equally_likely():
    game = boar(space=15, moves=4)
    assert (game.topic, sorted(game.offered)) == ("pick", ["pick 4", "pick 8"])
    assert game("pick 8").hero.wounds == 2


@pytest.mark.rule("FOE-4")
@pytest.mark.parametrize("traits", [["unwavered"], []])
def test_the_stunned_the_unwavered_and_the_immobile_do_not_collide(traits):
    position = None if traits else mid_game(foes=(("boar", FoeMarks(stunned=True)),))
    assert boar(space=8, traits=traits, position=position).hero.wounds == 0
    assert boar(space=8, moves=0).hero.wounds == 0


@pytest.mark.rule("FOE-4")
def test_a_flyer_with_no_free_space_beside_her_does_not_collide():
    posts = [at(enemy(f"post{n}", wounds=9, attack=None), n) for n in (2, 4, 8)]
    game = boar(*posts, traits=["fly"])
    assert (game.hero.wounds, game.foe("post8").wounds) == (0, 0)


@pytest.mark.rule("FOE-4")
def test_a_bomb_replaces_the_collision_and_traits_act_on_the_mover_too():
    bombed = boar(traits=["bird-bomb"])
    assert (bombed.hero.wounds, bombed.foe("boar").wounds) == (1, 0)
    poisoned = boar(traits=["poison"])
    assert (poisoned.hero.wounds, poisoned.foe("boar").wounds) == (3, 3)


@pytest.mark.rule("FOE-4")
def test_bolster_adds_to_a_collision_and_a_kill_pays_its_reward():
    game = boar(space=8, moves=1, traits=["bolster"], given=("end", "end"), rounds=3)
    assert game.hero.wounds == 5
    weak = enemy("boar", wounds=2, attack="collision", hits=2, moves=2, rewards=goods(uku=1))
    dead = play(encounter(at(weak, 13), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert (dead.field.foes, dead.food("uku")) == ((), 1)


@pytest.mark.rule("FOE-5")
def test_at_its_limit_it_is_removed_and_pays_at_once():
    game = play(
        encounter(at(enemy("imp", wounds=1, rewards=goods(ap=2, uku=1)), 8), hero_card=hero(ap=3)), "dart imp", 10
    )
    assert (game.field.foes, game.hero.ap, game.food("uku")) == ((), 2, 1)


@pytest.mark.rule("FOE-5")
def test_wounded_instances_hold_once_for_each_attack_on_the_fatal_one_too():
    imp = enemy("imp", wounds=2, instances=(rule("wounded", Gain(goods(uku=1))),))
    game = play(encounter(at(imp, 8), hero_card=hero(ap=3)), "dart imp", 20)
    assert (game.field.foes, game.food("uku")) == ((), 1)


@pytest.mark.rule("FOE-5")
def test_the_order_of_one_hit():
    who = hero(ap=5, actions=["stun"], satchel={"breadfruit": 0})
    imp = enemy("imp", wounds=3, traits=["rage"], instances=(rule("wounded", Wound(1)),))
    game = play(encounter(at(imp, 13), hero_card=who), "dart imp +stun", 10)
    told = [t.text for t in game.told]
    places = [next(i for i, t in enumerate(told) if words in t) for words in ("takes 1 wound", "you take 1", "stunned")]
    assert places == sorted(places)
    dead = play(encounter(at(enemy("imp", wounds=1), 13), hero_card=who), "dart imp +stun", 10)
    assert not dead.heard("stunned")


def slain(*instances, rounds=1, rewards=None, at_round=1):
    """A game in which an imp falls in a round; a round reset leaves 3 AP."""
    imp = enemy("imp", wounds=1, attack=None, rewards=rewards or goods(ap=3), instances=instances)
    given = ["end"] * (at_round - 1) + ["dart imp", 10]
    return play(encounter(at(imp, 8), rounds=rounds, hero_card=hero(ap=3, ap_reset=3)), *given)


@pytest.mark.rule("FOE-6")
def test_instead_replaces_the_reward_and_otherwise_it_adds():
    instead, more = (
        rule("defeated", rounds=(1,), instead=goods(ap=1)),
        rule("defeated", Gain(goods(uku=1)), rounds=(LAST,)),
    )
    assert slain(instead, more, rounds=2).hero.ap == 1
    second = slain(instead, more, rounds=2, at_round=2)
    assert (second.hero.ap, second.food("uku")) == (3, 1)


@pytest.mark.rule("FOE-6")
def test_in_a_single_round_both_round_1_and_last_hold_and_several_instead_apply():
    both = slain(
        rule("defeated", rounds=(1,), instead=goods(ap=1)),
        rule("defeated", rounds=(LAST,), instead=goods(uku=2)),
        rule("defeated", Heal(1)),
    )
    assert (both.hero.ap, both.food("uku")) == (1, 2)


@pytest.mark.rule("FOE-6")
def test_effects_can_be_postponed_instead_too():
    game = slain(rule("defeated", later=True, instead=goods(ap=2)), rounds=2)
    assert game.hero.ap == 0
    assert game("end").hero.ap == 5


@pytest.mark.rule("FOE-7")
def test_draws_are_at_random_without_replacement():
    cards = {"gang": [enemy(name, attack=None) for name in ("thug", "thug", "imp")]}
    game = play(encounter(Placement(draw=3, source="gang"), decks=cards))
    assert {answer: float(chance) for answer, chance in game.prompt.chances()} == pytest.approx(
        {"pick imp": 1 / 3, "pick thug": 2 / 3}
    )
    game("pick thug", "place 11")
    assert {float(chance) for _, chance in game.prompt.chances()} == {0.5}
    game("pick thug", "place 12", "pick imp", "place 13")
    assert [foe.name for foe in game.field.foes] == ["thug", "thug-2", "imp"]


@pytest.mark.rule("FOE-8")
def test_each_enemy_decides_by_its_own_position_alone():
    pieces = [at(enemy(f"e{n}", moves=1), n) for n in (12, 14)]
    game = play(encounter(*pieces, rounds=2, hero_card=hero(**NO_AP)), "end")
    assert game.offered == ["pick 7", "pick 13"], "the other's goals do not count"


@pytest.mark.rule("FOE-4")
def test_a_collision_wounds_her_then_the_mover_then_the_others_in_space_order():
    posts = [at(enemy(f"post{n}", wounds=9, attack=None), n) for n in (4, 9, 2)]
    game = boar(*posts)
    order = [told.text.split()[0].rstrip(":") for told in game.told if told.kind == "wound"]
    assert order == ["Boar", "Boar", "Post2", "Post4", "Post9"]
    assert game.heard("Boar: you take 2 wounds")


@pytest.mark.rule("FOE-4")
def test_a_mover_that_dies_of_its_collision_wounds_the_others_too():
    weak, near = enemy("boar", wounds=2, attack="collision", hits=2, moves=2), enemy("near", wounds=9, attack=None)
    game = play(encounter(at(weak, 13), at(near, 4), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert [(foe.name, foe.wounds) for foe in game.field.foes] == [("near", 2)]


@pytest.mark.rule("FOE-4", "TRAIT-RAGE")
def test_rage_adds_to_a_collision_is_spent_by_it_and_stirred_by_its_own_wounds():
    position = mid_game(foes=(("boar", FoeMarks(wounds=2, rage=2)),))
    game = boar(space=8, traits=["rage"], position=position)
    assert (game.hero.wounds, game.foe("boar").wounds, game.foe("boar").rage) == (4, 6, 1)


@pytest.mark.rule("FOE-4", "TRAIT-SQUISHY")
def test_a_collision_is_the_attack_of_the_mover_from_where_it_stands():
    squishy = {"wounds": 9, "attack": None, "traits": ["squishy"]}
    game = boar(at(enemy("beside", **squishy), 7), at(enemy("aslant", **squishy), 4), traits=["squishy"])
    assert (game.foe("beside").wounds, game.foe("aslant").wounds, game.foe("boar").wounds) == (3, 2, 2)


@pytest.mark.rule("FOE-4", "TRAIT-BLOCK")
@pytest.mark.parametrize("weapon", [[], ["bird-bomb"]])
def test_neither_a_collision_nor_a_bomb_is_blocked(weapon):
    guard = at(enemy("guard", wounds=9, attack=None, traits=["block"]), 9)
    game = boar(guard, space=8, traits=weapon)
    assert (game.topic, game.foe("guard").block_used) == ("turn", False)
    assert game.foe("guard").wounds == (1 if weapon else 2)


@pytest.mark.rule("FOE-4", "HEAL-4")
def test_a_last_bite_comes_before_a_collision_unless_it_could_be_dodged():
    def run(*given, **parts):
        who = hero(wounds=8, satchel={"breadfruit": 1}, **parts)
        return play(encounter(at(enemy("boar", attack="collision", moves=1), 8), hero_card=who), *given, "end")

    assert run(ap=0).topic == "bite"
    dodging = run("dodge", ap=2, actions=["dodge"])
    assert dodging.offered == ["use dodge", "no dodge", "eat breadfruit"]
    assert dodging("no dodge").topic == "death"


@pytest.mark.rule("TRAIT-BIRD-BOMB", "MOVE-2")
def test_a_stunned_bird_still_bombs_and_one_that_reaches_from_afar_stays_there():
    stunned = mid_game(foes=(("bird", FoeMarks(stunned=True)),))
    bird = enemy("bird", wounds=9, attack="full", moves=3, traits=["bird-bomb"])
    assert play(encounter(at(bird, 8), hero_card=hero(**NO_AP), position=stunned), "end").hero.wounds == 1
    far = play(encounter(at(bird, 15), hero_card=hero(**NO_AP)), "end")
    assert (far.foe("bird").space, far.topic) == (15, "d20")


@pytest.mark.rule("FOE-6", "ENC-8")
def test_what_is_postponed_past_the_last_round_is_lost():
    assert slain(rule("defeated", Gain(goods(uku=1)), later=True), rounds=1)("end").food("uku") == 0
