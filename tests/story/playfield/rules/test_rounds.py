"""Rounds and turns (section 7)."""

import pytest

from story.cards import LAST, Encounter, Fight, FoeMarks, Gain, Heal, Instance, Lose, Placement, Reveal, When, Wound
from tests.build import at, campaign, card, encounter, enemy, goods, hero, mid_game, play, terrain

NO_AP = {"ap": 0, "ap_reset": 0}


def rule(event, *steps, rounds=None, later=False, instead=None):
    """An instance of a card."""
    return Instance(When(event, rounds), steps, instead, later)


@pytest.mark.rule("ENC-1", "ENC-2")
def test_a_round_is_her_turn_each_enemys_turn_upkeep_and_reset():
    game = play(encounter(at(enemy(attack="full"), 13), rounds=2))
    assert game.topic == "turn", "the player goes first"
    game("end")
    assert game.prompt.title.startswith("Crab")
    game(3, "keep")
    told = [told.rule for told in game.told]
    assert told.index("ENC-3") < told.index("ENC-7") < told.index("AP-3")
    assert (game.topic, game.field.round) == ("turn", 2)


@pytest.mark.rule("ENC-3")
def test_she_acts_in_any_order_while_she_can_pay_and_no_points_do_not_end_the_turn():
    game = play(
        encounter(at(enemy(wounds=9), 13), hero_card=hero(ap=4, actions=["dodge"])), "step 2", "step 3", "dodge"
    )
    assert (game.hero.ap, game.topic, game.offered) == (0, "turn", ["end"])


@pytest.mark.rule("ENC-3")
def test_points_left_over_serve_influence_in_the_enemies_turns_and_are_then_lost():
    game = play(encounter(at(enemy(), 8), rounds=2, hero_card=hero(ap=5, ap_reset=1)), "end", 7, "subtract 2")
    assert (game.hero.wounds, game.hero.ap) == (0, 1)


@pytest.mark.rule("ENC-4")
def test_points_earned_are_spent_at_once():
    imp = at(enemy("imp", wounds=1, rewards=goods(ap=3)), 8)
    game = play(encounter(imp, at(enemy(wounds=9), 11), hero_card=hero(ap=3)), "dart imp", 10)
    assert "dart crab" in game.offered


@pytest.mark.rule("ENC-4")
def test_points_earned_in_an_enemys_turn_serve_influence_in_the_same_round_alone():
    boar = enemy("boar", wounds=1, attack="collision", moves=1, rewards=goods(ap=3))
    game = play(encounter(at(boar, 4), at(enemy(), 8), rounds=2, hero_card=hero(ap=0, ap_reset=1)), "end", 8)
    assert game.offered == ["keep", "subtract 3"]
    assert game("keep").hero.ap == 1, "what is left is lost with the round"


@pytest.mark.rule("ENC-5")
def test_enemies_act_from_the_lowest_space_in_the_order_fixed_at_the_start():
    pieces = [at(enemy(f"e{n}", attack="full", wounds=9), n) for n in (12, 2, 15)]
    game = play(encounter(*pieces, hero_card=hero(**NO_AP)), "end")
    for name in ("E2", "E12", "E15"):
        assert game.prompt.title.startswith(name)
        game(3)


@pytest.mark.rule("ENC-5")
def test_one_removed_before_its_turn_does_not_act_and_each_acts_once():
    bird = enemy("bird", wounds=9, traits=["bird-bomb"])
    victim = enemy("victim", wounds=1, attack="full", hits=5)
    game = play(encounter(at(bird, 2), at(victim, 7), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert (game.topic, game.hero.wounds) == ("turn", 1)
    # It moves to a higher space; the order was fixed, so it does not act again from there.
    runner = enemy("runner", attack=None, moves=2)
    pieces = (at(runner, 1), at(enemy("post", attack=None), 2), at(enemy("post", attack=None), 12))
    once = play(encounter(*pieces, rounds=2, hero_card=hero(**NO_AP)), "end")
    assert [told.text for told in once.told if told.kind == "move" and "Runner" in told.text][1:] == [
        "Runner moves from 1 to 7."
    ]


@pytest.mark.rule("ENC-6")
def test_the_rounds_are_played_out_even_when_no_enemy_is_left():
    game = play(encounter(rounds=2), "end")
    assert game.topic == "turn"
    assert game("end").topic == "done"


@pytest.mark.rule("ENC-6")
def test_until_cleared_ends_after_the_upkeep_that_finds_nobody():
    imp = at(enemy("imp", wounds=1), 8)
    game = play(encounter(imp, rounds=5, until_cleared=True), "dart imp", 10)
    assert game.topic == "turn", "it is looked at after upkeep"
    assert game("end").topic == "done"
    stays = play(encounter(at(enemy(attack=None), 8), rounds=2, until_cleared=True), "end", "end")
    assert stays.topic == "done", "the printed rounds stay the upper limit"


@pytest.mark.rule("ENC-6")
def test_until_cleared_counts_whoever_left_in_upkeep_and_needs_the_card_to_say_so():
    pieces = (at(enemy("imp", wounds=1, attack=None), 8), at(enemy("hare", attack=None, traits=["cowardly"]), 15))
    position = mid_game(foes=(("imp", FoeMarks(poisoned=True)),))
    assert play(encounter(*pieces, rounds=3, until_cleared=True, position=position), "end").topic == "done"
    assert play(encounter(*pieces, rounds=3, position=position), "end").field.round == 2


@pytest.mark.rule("ENC-6")
def test_the_end_clears_the_playfield_resets_points_keeps_wounds_and_follows_the_card():
    fight = Fight(Encounter(1, (3,), (Placement("crab", space=13),)))
    crab = {"crab": enemy(attack="full", hits=2)}
    deck = {1: card(fight, Reveal(2)), 2: card(Reveal(3)), 3: card(Reveal(2))}
    game = play(campaign(deck, hero=hero(ap=0, ap_reset=4), enemies=crab), "begin", "end", 10)
    assert (game.field, game.hero.ap, game.hero.wounds, game.card) == (None, 4, 2, 2)


@pytest.mark.rule("ENC-6")
def test_the_ninth_wound_ends_everything_at_that_moment():
    pieces = [at(enemy(f"e{n}", attack="full", hits=2, wounds=9), n) for n in (12, 14)]
    game = play(encounter(*pieces, hero_card=hero(wounds=7, **NO_AP)), "end", 10)
    assert game.topic == "death"


@pytest.mark.rule("ENC-7")
def test_the_order_of_upkeep():
    viper = enemy("viper", wounds=9, attack=None, instances=(rule("round_end", Heal(1)), rule("wounded", Wound(1))))
    coward = enemy("hare", attack=None, traits=["cowardly"], instances=(rule("retreats", Wound(1)),))
    position = mid_game(poisoned=True, foes=(("viper", FoeMarks(poisoned=True, block_used=True)),))
    pieces = (at(viper, 15), at(coward, 14))
    game = play(encounter(*pieces, rounds=2, hero_card=hero(**NO_AP), position=position), "end")
    told = [told.text for told in game.told]
    wanted = [
        "The poison works in Viper",
        "Viper: you take",
        "Poison: you take",
        "1 wound heal",
        "Hare retreats",
        "Hare: you take",
    ]
    places = [next(i for i, text in enumerate(told) if text.startswith(words)) for words in wanted]
    assert places == sorted(places), told
    assert (game.field.poisoned, game.foe("viper").poisoned, game.foe("viper").block_used) == (False, False, False)


@pytest.mark.rule("ENC-7")
def test_poison_works_in_space_order_and_its_rewards_come_before_her_own_poison():
    pieces = [at(enemy(f"e{n}", wounds=1, attack=None), n) for n in (15, 11)]
    healer = enemy("healer", wounds=1, attack=None, instances=(rule("defeated", Heal(1)),))
    marks = tuple((name, FoeMarks(poisoned=True)) for name in ("e15", "e11", "healer"))
    position = mid_game(poisoned=True, foes=marks)
    table = encounter(*pieces, at(healer, 14), rounds=2, hero_card=hero(wounds=8, **NO_AP), position=position)
    game = play(table, "end")
    assert [t.text for t in game.told if t.kind == "defeat"] == [
        f"{who} is defeated." for who in ("E11", "Healer", "E15")
    ]
    assert (game.topic, game.hero.wounds) == ("turn", 8), "healed to 7 first, or the poison would have been her end"


@pytest.mark.rule("ENC-7", "ACT-6")
def test_dodges_left_over_are_cleared_in_upkeep():
    game = play(encounter(at(enemy(), 8), rounds=2, hero_card=hero(ap=2, ap_reset=0, actions=["dodge"])), "dodge")
    assert game.field.dodges == 1
    assert game("end", 3).field.dodges == 0
    assert game("end", 10).hero.wounds == 1, "no dodge is asked for"


@pytest.mark.rule("ENC-7")
def test_end_of_round_instances_go_by_space_an_enemy_before_its_terrain():
    def speaks(name, make=enemy, **parts):
        return make(name, instances=(rule("round_end", Wound(1)),), **parts)

    pieces = (at(speaks("high", attack=None), 12), at(speaks("low", attack=None), 2))
    ground = (at(speaks("bog", terrain), 12), at(speaks("sand", terrain), 1))
    game = play(encounter(*pieces, ground=ground), "end")
    order = [told.text.split(":")[0] for told in game.told if told.kind == "wound"]
    assert order == ["Sand", "Low", "High", "Bog"]


@pytest.mark.rule("ENC-8")
def test_the_order_at_the_start_of_the_next_round():
    starts = enemy("drum", attack=None, instances=(rule("round_start", Gain(goods(ap=10))),))
    later = (Wound(1), Gain(goods(ap=2)), Lose(goods(ap=4)), Heal(1))
    game = play(encounter(at(starts, 15), rounds=2, hero_card=hero(ap_reset=1), position=mid_game(next_round=later)))
    assert game("end").hero.ap == 10, "1 from the reset, +2, -4 leaves 0, then the instance"
    assert game.hero.wounds == 1, "heals come before wounds, so nothing was there to heal"


@pytest.mark.rule("ENC-8")
def test_wounds_come_before_start_of_round_instances_and_those_before_recruits():
    drum = enemy(
        "drum",
        wounds=9,
        attack=None,
        instances=(rule("round_start", Heal(1)),),
        traits=["recruit"],
        recruits_from="gang",
    )
    position = mid_game(next_round=(Wound(1),), foes=(("drum", FoeMarks(recruits=True)),))
    gang = {"gang": [enemy("thug", attack=None, instances=(rule("round_start", Wound(5)),))]}
    table = encounter(at(drum, 15), rounds=3, hero_card=hero(**NO_AP), decks=gang, position=position)
    game = play(table, "end")
    assert (game.topic, game.hero.wounds) == ("draw", 0), "wounded, then healed by the instance, then the draw"
    game("pick thug", "place 11")
    assert (game.topic, game.hero.wounds) == ("turn", 0), "the newcomer's own start of a round is the next"


@pytest.mark.rule("ENC-8")
def test_one_felled_at_the_start_of_the_round_has_no_start_of_round_left():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "drain"])
    drum = enemy("drum", wounds=2, attack=None, instances=(rule("round_start", Wound(1)),))
    game = play(encounter(at(bird, 8), at(drum, 9), rounds=2, hero_card=hero(wounds=0, **NO_AP)), "end")
    assert (game.foe("drum"), game.hero.wounds) == (None, 2), "the bomb and its drain, no more"


@pytest.mark.rule("ENC-8")
def test_what_was_announced_happens_once():
    game = play(encounter(rounds=3, hero_card=hero(ap_reset=4), position=mid_game(next_round=(Lose(goods(ap=1)),))))
    assert game("end").hero.ap == 3
    assert game("end").hero.ap == 4


@pytest.mark.rule("ENC-8")
def test_nothing_announced_happens_after_the_last_round():
    later = (Gain(goods(uku=1)), Wound(1), Lose(goods(ap=2)))
    game = play(encounter(hero_card=hero(ap_reset=4), position=mid_game(next_round=later)), "end")
    assert (game.topic, game.food("uku"), game.hero.wounds, game.hero.ap) == ("done", 0, 0, 4)


@pytest.mark.rule("ENC-8")
def test_start_of_round_instances_begin_with_round_two_and_nothing_happens_after_the_last():
    starts = enemy("drum", attack=None, instances=(rule("round_start", Wound(1)),))
    game = play(encounter(at(starts, 15), rounds=2))
    assert game.hero.wounds == 0
    assert game("end").hero.wounds == 1
    assert game("end").hero.wounds == 1
    only = enemy("drum", attack=None, instances=(rule("round_start", Wound(1), rounds=(3,)),))
    third = play(encounter(at(only, 15), rounds=3), "end")
    assert third.hero.wounds == 0
    assert third("end").hero.wounds == 1


@pytest.mark.rule("ENC-8")
def test_points_of_an_enemy_killed_at_the_start_of_the_round_are_kept():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "drain"])
    imp = enemy("imp", wounds=2, attack=None, rewards=goods(ap=3))
    game = play(encounter(at(bird, 8), at(imp, 9), rounds=2, hero_card=hero(ap=0, ap_reset=2)), "end")
    assert (game.foe("imp"), game.hero.ap) == (None, 5)


@pytest.mark.rule("ENC-9")
def test_the_points_of_a_poison_defeat_are_lost_its_other_rewards_are_kept():
    rewards = goods(ap=3, breadfruit=1)
    later = rule("defeated", Gain(goods(ap=2)), later=True)
    imp = enemy("imp", wounds=2, attack=None, rewards=rewards, instances=(later,))
    who = hero(ap=5, ap_reset=1, actions=["poison"])
    game = play(encounter(at(imp, 13), rounds=2, hero_card=who), "dart imp +poison", 10, "end")
    assert (game.food("breadfruit"), game.hero.ap) == (1, 3), "1 from the reset and the 2 that were postponed"
    assert game.heard("You gain 1 Breadfruit.")
    assert not game.heard("You gain 3 AP"), "nobody is told of points that are lost"


@pytest.mark.rule("ENC-7", "HEAL-4")
def test_a_last_bite_comes_before_poison():
    viper = enemy("viper", wounds=9, attack="adjacent", traits=["poison"])
    who = hero(wounds=7, satchel={"breadfruit": 1}, **NO_AP)
    game = play(encounter(at(viper, 8), rounds=2, hero_card=who), "end", 10, "keep")
    assert (game.topic, game.hero.wounds) == ("bite", 8)
    assert game("eat breadfruit").hero.wounds == 8, "one healed, one of the poison"


@pytest.mark.rule("ENC-9", "FOE-6")
def test_poison_defeats_in_the_last_rounds_upkeep_still_count_as_the_last_round():
    imp = enemy("imp", wounds=2, attack=None, instances=(rule("defeated", Gain(goods(uku=1)), rounds=(LAST,)),))
    game = play(encounter(at(imp, 13), hero_card=hero(ap=5, actions=["poison"])), "dart imp +poison", 10, "end")
    assert (game.topic, game.food("uku")) == ("done", 1)
