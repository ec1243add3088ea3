"""One hit in its order, and what a card's own rules add to it (FOE-5, FOE-6)."""

import pytest

from story.cards import LAST, FoeMarks, Gain, Instance, Lose, When, Wound
from tests.build import at, encounter, enemy, goods, hero, mid_game, play


def rule(event, *steps, rounds=None, later=False, instead=None):
    """An instance of a card."""
    return Instance(When(event, rounds), steps, instead, later)


def shot(*instances, ap=3, given=("dart imp", 10), rounds=1, position=None, **parts):
    """A game after a dart at an imp on 8."""
    imp = enemy("imp", **{"wounds": 1, "attack": None, "instances": instances} | parts)
    who = hero(ap=ap, ap_reset=0, actions=["poison", "stun"])
    return play(encounter(at(imp, 8), rounds=rounds, hero_card=who, position=position), *given)


@pytest.mark.rule("FOE-6")
def test_an_instance_comes_after_the_reward_it_adds_to():
    assert shot(rule("defeated", Lose(goods(ap=5))), rewards=goods(ap=2)).hero.ap == 0, "2 gained, then all lost"


@pytest.mark.rule("FOE-6")
def test_instances_go_in_the_order_of_the_card():
    lose, earn = rule("defeated", Lose(goods(ap=5))), rule("defeated", Gain(goods(ap=2)))
    assert shot(lose, earn).hero.ap == 2
    assert shot(earn, lose).hero.ap == 0


@pytest.mark.rule("FOE-6")
@pytest.mark.parametrize(("number", "ap"), [(1, 5), (2, 1), (3, 1)])
def test_a_condition_names_its_rounds(number, ap):
    only = rule("defeated", rounds=(2, 3), instead=goods(ap=1))
    assert shot(only, rewards=goods(ap=5), rounds=4, position=mid_game(round=number)).hero.ap == ap


@pytest.mark.rule("FOE-6")
def test_the_last_round_is_also_the_round_of_its_number():
    both = (rule("defeated", Gain(goods(uku=1)), rounds=(3,)), rule("defeated", Gain(goods(uku=2)), rounds=(LAST,)))
    assert shot(*both, rounds=3, position=mid_game(round=3)).food("uku") == 3
    assert shot(*both, rounds=3, position=mid_game(round=2)).food("uku") == 0


@pytest.mark.rule("FOE-6")
def test_wounded_and_retreats_may_be_limited_to_rounds_too():
    hurt = rule("wounded", Gain(goods(uku=1)), rounds=(1,))
    assert shot(hurt, wounds=9).food("uku") == 1
    assert shot(hurt, wounds=9, rounds=2, position=mid_game(round=2)).food("uku") == 0
    hare = enemy("hare", attack=None, traits=["cowardly"], instances=(rule("retreats", Wound(1), rounds=(2,)),))
    assert play(encounter(at(hare, 15), rounds=2), "end").hero.wounds == 0
    assert play(encounter(at(hare, 15), rounds=2, position=mid_game(round=2)), "end").hero.wounds == 1


@pytest.mark.rule("FOE-5")
def test_wounded_instances_come_before_the_defeat_and_its_reward():
    wounded, defeated = rule("wounded", Lose(goods(ap=5))), rule("defeated", Gain(goods(uku=1)))
    game = shot(wounded, defeated, rewards=goods(ap=2), ap=4, given=("dart imp", 10, "keep"))
    assert (game.hero.ap, game.food("uku")) == (2, 1), "all points are lost first, then the reward comes"
    told = [t.text for t in game.told]
    assert told.index("Imp takes 1 wound.") < told.index("You lose 1 AP.") < told.index("Imp is defeated.")


@pytest.mark.rule("FOE-5")
def test_each_attack_or_effect_wounds_once():
    game = shot(
        rule("wounded", Gain(goods(uku=1))),
        ap=5,
        given=("dart imp +poison", 20, "end"),
        wounds=9,
        rounds=2,
        traits=["rage"],
    )
    assert (game.foe("imp").wounds, game.foe("imp").rage, game.food("uku")) == (3, 2, 2), "a critical and its poison"


@pytest.mark.rule("FOE-5", "TRAIT-BLOCK")
def test_the_block_comes_before_everything_else():
    game = shot(
        rule("wounded", Wound(1)),
        ap=5,
        given=("dart imp +stun", 10, 10),
        wounds=9,
        traits=["block", "rage"],
    )
    imp = game.foe("imp")
    assert (imp.wounds, imp.rage, imp.stunned, game.hero.wounds) == (0, 0, False, 0)


@pytest.mark.rule("FOE-5", "TRAIT-SQUISHY")
def test_a_critical_and_squishy_fall_into_one_event():
    game = shot(rule("wounded", Gain(goods(uku=1))), given=("dart imp", 20), wounds=9, traits=["squishy", "dash"])
    assert (game.foe("imp").wounds, game.food("uku"), game.foe("imp").wounded_this_turn) == (3, 1, 1)


@pytest.mark.rule("FOE-5", "TRAIT-RECRUIT")
def test_the_dead_bear_no_marks():
    thug = enemy("thug", attack=None)
    boss = enemy("boss", wounds=1, attack=None, traits=["recruit"], recruits_from="gang")
    table = encounter(at(boss, 8), rounds=2, decks={"gang": [thug]}, hero_card=hero(ap=3))
    game = play(table, "dart boss", 10, "end")
    assert (game.topic, game.field.foes) == ("turn", ())


@pytest.mark.rule("FOE-5")
def test_the_augment_comes_after_the_marks_of_a_survivor():
    position = mid_game(foes=(("imp", FoeMarks(wounded_this_turn=1)),))
    game = shot(ap=5, given=("dart imp +stun", 10), wounds=9, traits=["rage", "dash"], position=position)
    imp = game.foe("imp")
    assert (imp.rage, imp.dash, imp.stunned) == (1, 1, True)
