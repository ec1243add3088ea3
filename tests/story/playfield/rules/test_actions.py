"""Rangitaki's actions (section 9)."""

import pytest

from story.cards import STANDARD_ACTIONS, ActionCard, Gain
from tests.build import at, encounter, enemy, goods, hero, play, terrain


def duel(*given, who=None, **parts):
    """A game against a crab with 9 wounds on 13, in sight, that never moves and only bites its neighbours."""
    parts.setdefault("wounds", 9)
    return play(encounter(at(enemy(**parts), 13), rounds=2, hero_card=who or hero()), *given)


@pytest.mark.rule("ACT-1", "ACT-2")
def test_a_dart_shot_costs_three_needs_sight_and_wounds_once():
    game = duel("dart crab")
    assert (game.topic, game.hero.ap) == ("d20", 4), "paid before the roll"
    game(10)
    assert game.foe().wounds == 1
    assert "dart crab" not in duel(who=hero(ap=2)).offered
    hidden = play(encounter(at(enemy(), 13), at(enemy("eel"), 8)))
    assert "dart crab" not in hidden.offered


@pytest.mark.rule("ACT-3")
@pytest.mark.parametrize(("face", "wounds"), [(1, 0), (5, 0), (6, 1), (19, 1), (20, 2)])
def test_twenty_five_misses_hits_and_criticals(face, wounds):
    assert duel("dart crab", face, who=hero(ap=3)).foe().wounds == wounds


@pytest.mark.rule("ACT-3")
def test_her_critical_talent_counts_for_all_her_crit_miss_rolls_but_never_for_a_natural_one():
    sharp = hero(ap=3, talents={"critical": 2, "physical": 5})
    assert duel("dart crab", 18, who=sharp).foe().wounds == 2
    assert duel("dart crab", 4, who=sharp).foe().wounds == 1
    assert duel("dart crab", 1, who=hero(ap=3, miss=0, talents={"critical": 5})).foe().wounds == 0


@pytest.mark.rule("ACT-3")
def test_her_talent_does_not_count_for_enemies():
    who = hero(ap=0, talents={"critical": 5})
    game = play(encounter(at(enemy(), 8), rounds=1, hero_card=who), "end", 5)
    assert game.hero.wounds == 0, "a 5 of the crab's stays a miss"


@pytest.mark.rule("ACT-4")
def test_stun_keeps_the_target_from_moving_once_and_it_can_still_attack():
    who = hero(actions=["stun"])
    walker = enemy(wounds=9, moves=1)
    game = play(encounter(at(walker, 14), rounds=3, hero_card=who), "step 4", "dart crab +stun", 10, "end")
    assert game.foe().space == 14
    assert game("end").foe().space == 9, "the next turn it moves again"
    near = play(
        encounter(at(enemy(wounds=9), 8), rounds=2, hero_card=hero(ap=5, actions=["stun"])),
        "dart crab +stun",
        10,
        "end",
    )
    assert near.topic == "d20", "it attacks"


@pytest.mark.rule("ACT-4")
def test_poison_works_in_upkeep_and_a_miss_loses_the_augment():
    who = hero(ap=5, actions=["poison"])
    assert duel("dart crab +poison", 10, "end", who=who).foe().wounds == 2
    missed = duel("dart crab +poison", 3, "end", who=who)
    assert (missed.foe().wounds, missed.hero.ap) == (0, 7)


@pytest.mark.rule("ACT-4")
def test_an_augment_is_not_offered_where_it_would_do_nothing():
    who = hero(ap=20, actions=["stun", "poison"])
    game = duel("dart crab +stun", 10, "keep", who=who)
    assert "dart crab +stun" not in game.offered
    game("dart crab +poison", 10, "keep")
    assert "dart crab +poison" not in game.offered
    immune = duel(who=who, immune=frozenset({"stun", "poison"}))
    assert [answer for answer in immune.offered if answer.startswith("dart")] == ["dart crab"]


@pytest.mark.rule("ACT-4")
def test_split_names_two_targets_rolls_for_each_in_order_and_never_criticals():
    pair = (at(enemy(wounds=9), 13), at(enemy("eel", wounds=1, rewards=goods(ap=3)), 11))
    game = play(encounter(*pair, rounds=1, hero_card=hero(ap=5, actions=["split"])))
    assert {"dart crab eel +split", "dart eel crab +split"} <= set(game.offered)
    game("dart eel crab +split", 10)
    assert (game.foe("eel"), game.hero.ap) == (None, 3), "the first is settled before the second is rolled"
    assert "Crab" in game.prompt.title
    game(20)
    assert game.foe().wounds == 1
    alone = duel(who=hero(actions=["split"]))
    assert not any("split" in answer for answer in alone.offered), "two different targets are needed"


@pytest.mark.rule("ACT-4", "ACT-5")
def test_one_lob_serves_both_targets_and_is_named_only_where_needed():
    pieces = (at(enemy("wall", wounds=9), 8), at(enemy(), 13), at(enemy("eel"), 11))
    game = play(encounter(*pieces, hero_card=hero(ap=6, actions=["split", "lob"])))
    assert "dart crab eel +split +lob" in game.offered
    assert "dart wall eel +split +lob" not in game.offered
    assert "dart wall eel +split" in game.offered


@pytest.mark.rule("ACT-4", "ACT-5", "LINE-3")
def test_a_lob_is_for_the_whole_shot_so_no_target_may_stand_behind_no_lob():
    pit, wall = at(terrain("pit", "no-lob"), 2), at(enemy("wall", wounds=9), 8)
    pieces = (at(enemy(), 1), at(enemy("eel"), 13), wall)
    game = play(encounter(*pieces, ground=(pit,), hero_card=hero(ap=9, actions=["split", "lob"])))
    assert "dart crab wall +split" in game.offered, "in sight over the pit"
    assert "dart eel wall +split +lob" in game.offered
    assert not any({"crab", "eel"} <= set(answer.split()) for answer in game.offered)


@pytest.mark.rule("ACT-5")
def test_a_lob_costs_one_and_shoots_over_what_is_in_between():
    pieces = (at(enemy("wall", wounds=9), 8), at(enemy(wounds=5), 13))
    game = play(encounter(*pieces, hero_card=hero(ap=4, actions=["lob"])))
    assert "dart crab" not in game.offered
    game("dart crab +lob", 10)
    assert (game.foe().wounds, game.hero.ap) == (1, 0)
    assert "dart wall +lob" not in play(encounter(*pieces, hero_card=hero(actions=["lob"]))).offered


def attacked(*given, hits=2, ap=4, **parts):
    """A game against a brute beside her, after her dodges."""
    who = hero(ap=ap, actions=["dodge"], **parts)
    return play(encounter(at(enemy("brute", wounds=9, hits=hits), 8), rounds=1, hero_card=who), *given)


@pytest.mark.rule("ACT-6")
def test_each_queued_dodge_can_cancel_one_wound_and_is_used_up_either_way():
    game = attacked("dodge", "dodge", "end", 10)
    assert (game.topic, game.field.dodges) == ("dodge", 2)
    game("use dodge", 10, "use dodge", 3)
    assert (game.topic, game.hero.wounds) == ("done", 1)


@pytest.mark.rule("ACT-6")
def test_a_dodge_is_decided_after_the_roll_and_can_be_kept_from_this_attack():
    assert attacked("dodge", "end", 3).topic == "done", "a miss asks for none"
    game = attacked("dodge", "end", 10, "no dodge")
    assert game.hero.wounds == 2


@pytest.mark.rule("ACT-6")
def test_no_more_dodges_than_wounds_and_always_offered_when_payable():
    game = attacked("dodge", "dodge", "end", 10, "use dodge", 10, hits=1)
    assert (game.topic, game.hero.wounds) == ("done", 0)
    alone = play(encounter(hero_card=hero(ap=2, actions=["dodge"])))
    assert "dodge" in alone.offered, "even without enemies"
    assert "dodge" not in alone("dodge").offered


@pytest.mark.rule("ACT-6")
def test_dodges_are_lost_at_the_end_of_the_round():
    game = play(encounter(rounds=2, hero_card=hero(actions=["dodge"])), "dodge", "end")
    assert game.field.dodges == 0


@pytest.mark.rule("ACT-6")
@pytest.mark.parametrize("weapon", [{"attack": "collision"}, {"traits": ["bird-bomb"]}])
def test_an_attack_without_a_roll_can_be_dodged_too(weapon):
    who = hero(ap=2, actions=["dodge"])
    game = play(encounter(at(enemy("bird", wounds=9, moves=1, **weapon), 8), rounds=1, hero_card=who), "dodge", "end")
    assert game.topic == "dodge"
    assert game("use dodge", 10).hero.wounds == 0


@pytest.mark.rule("ACT-6")
def test_poison_drain_and_instances_cannot_be_dodged():
    who = hero(ap=4, actions=["dodge"])
    viper = enemy("viper", wounds=9, hits=1, traits=["poison"])
    game = play(encounter(at(viper, 8), rounds=1, hero_card=who), "dodge", "dodge", "end", 10, "no dodge")
    assert (game.topic, game.hero.wounds) == ("done", 2)


@pytest.mark.rule("ACT-7")
def test_healing_costs_one_and_is_hers_only_in_her_own_turn():
    game = play(encounter(at(enemy(), 8), hero_card=hero(wounds=2, ap=3)))
    assert "heal" in game.offered
    game("heal")
    assert (game.hero.wounds, game.hero.ap) == (1, 2)
    assert "heal" not in game("heal").offered, "offered only when wounded"
    hurt = play(encounter(at(enemy(), 8), hero_card=hero(wounds=2, ap=6)), "end", 10)
    assert hurt.topic == "window"
    assert "heal" not in hurt.offered


@pytest.mark.rule("ACT-8")
def test_influence_works_on_an_enemys_roll_in_its_turn():
    game = play(encounter(at(enemy(), 8), hero_card=hero(ap=2)), "end", 7)
    assert game.offered == ["keep", "subtract 2"]
    game("subtract 2")
    assert game.hero.wounds == 0


@pytest.mark.rule("ACT-8")
def test_influence_works_on_a_block_roll():
    guard = enemy("guard", wounds=9, traits=["block"])
    game = play(encounter(at(guard, 13), rounds=1, hero_card=hero(ap=5)), "dart guard", 10, 7)
    assert game.offered == ["keep", "subtract 2"]


@pytest.mark.rule("ACT-9")
def test_fear_moves_any_enemy_one_free_space_unless_the_roll_misses():
    who = hero(ap=4, actions=["fear"])
    far = enemy(wounds=9, traits=["unwavered"])
    game = play(encounter(at(far, 15), blocked=(10,), rounds=1, hero_card=who))
    assert [answer for answer in game.offered if answer.startswith("fear")] == ["fear crab 14"]
    game("fear crab 14", 5, "keep")
    assert (game.foe().space, game.hero.ap) == (15, 2)
    assert game("fear crab 14", 6).foe().space == 14


@pytest.mark.rule("ACT-9")
def test_fear_is_no_attack_and_not_offered_on_the_immune():
    who = hero(ap=2, actions=["fear"])
    guard = enemy(wounds=9, traits=["block"])
    game = play(encounter(at(guard, 13), rounds=1, hero_card=who), "fear crab 12", 10)
    assert (game.foe().space, game.foe().block_used) == (12, False)
    immune = enemy(immune=frozenset({"fear"}))
    assert not any("fear" in answer for answer in play(encounter(at(immune, 13), hero_card=who)).offered)


@pytest.mark.rule("ACT-10")
def test_a_step_costs_one_and_goes_to_a_free_neighbour():
    game = play(encounter(at(enemy(), 8), blocked=(2,), ground=(at(terrain("rock", "impassable"), 9),)))
    assert [answer for answer in game.offered if answer.startswith("step")] == ["step 4"]
    game("step 4")
    assert (game.field.hero, game.hero.ap) == (4, 6)


def armed(**parts):
    """A hero, and the library that holds her own action card ``gust``."""
    parts = {"kind": "attack", "cost": 1, "damage": 1, "word": "gust", "range": "adjacent"} | parts
    return ActionCard("gust", "Gust", **parts)


def own(card, *pieces, ap=9, **parts):
    """A game in which she has that action card."""
    from dataclasses import replace

    table = encounter(*pieces, hero_card=hero(ap=ap, actions=["gust"]), **parts)
    table.library = replace(table.library, actions={**STANDARD_ACTIONS, "gust": card})
    return play(table)


@pytest.mark.rule("ACT-11")
@pytest.mark.parametrize(
    ("range_", "reached"),
    [
        ("adjacent", {8}),
        ("surrounding", {8, 9}),
        ("sight", {8, 9}),
        ("line", {8, 9, 13}),
        ("full", {8, 9, 13, 14}),
    ],
)
def test_the_range_of_an_action_card(range_, reached):
    pieces = [at(enemy(f"e{space}"), space) for space in (8, 9, 13, 14)]
    game = own(armed(range=range_), *pieces)
    assert {int(a.split()[1][1:]) for a in game.offered if a.startswith("gust")} == reached


@pytest.mark.rule("ACT-11")
def test_an_attack_without_a_roll_hits():
    game = own(armed(roll=False), at(enemy(wounds=9), 8))("gust crab")
    assert (game.topic, game.foe().wounds) == ("turn", 1)


@pytest.mark.rule("ACT-11")
def test_push_goes_straight_away_up_to_the_first_space_that_is_not_free():
    push = armed(roll=False, range="full", effects=(("push", 2),))
    assert own(push, at(enemy(wounds=9, traits=["unwavered"]), 4))("gust crab").foe().space == 5
    diagonal = own(push, at(enemy(wounds=9), 9))("gust crab")
    assert diagonal.foe().space == 15
    stopped = own(push, at(enemy(wounds=9), 8), at(enemy("eel"), 13))("gust crab")
    assert stopped.foe().space == 8
    assert own(push, at(enemy(wounds=9), 14))("gust crab").foe().space == 14, "not on one of her lines"


@pytest.mark.rule("ACT-11")
def test_drain_of_a_card_wounds_at_the_start_of_the_next_round():
    drain = armed(roll=False, effects=(("drain", 1),))
    game = own(drain, at(enemy(wounds=9, attack=None), 8), rounds=2)("gust crab", "end")
    assert game.foe().wounds == 2
    immune = own(drain, at(enemy(wounds=9, attack=None, immune=frozenset({"drain"})), 8), rounds=2)("gust crab", "end")
    assert immune.foe().wounds == 1, "an attack is always offered; its effects do nothing to the immune"


@pytest.mark.rule("ACT-11")
def test_no_block_cannot_be_blocked():
    game = own(armed(effects=(("no-block", 1),)), at(enemy(wounds=9, traits=["block"]), 8), ap=1)("gust crab", 10)
    assert (game.topic, game.foe().wounds) == ("turn", 1)


@pytest.mark.rule("ACT-11")
def test_several_targets_roll_one_each_and_may_keep_their_criticals():
    pieces = (at(enemy(wounds=9), 8), at(enemy("eel", wounds=9), 2))
    game = own(armed(targets=2, crits=True), *pieces, ap=1)
    assert {"gust crab eel", "gust eel crab"} <= set(game.offered)
    game("gust eel crab", 20, 10)
    assert (game.foe("eel").wounds, game.foe().wounds) == (2, 1)


@pytest.mark.rule("ACT-11", "ACT-7")
def test_a_food_in_the_satchel_is_eaten_in_her_turn():
    game = play(
        encounter(hero_card=hero(ap=0, wounds=1, satchel={"breadfruit": 1, "uku": 1})), "eat uku", "eat breadfruit"
    )
    assert (game.hero.ap, game.hero.wounds) == (1, 0)


@pytest.mark.rule("ACT-8")
def test_points_won_in_an_enemys_turn_serve_influence_in_the_same_round():
    crab = enemy("crab", wounds=1, rewards=goods(ap=2))
    bomber = enemy("bird", wounds=9, hits=1, traits=["bird-bomb"])
    brute = enemy("brute", wounds=9, hits=1, attack="full")
    pieces = (at(bomber, 2), at(crab, 1), at(brute, 13))
    game = play(encounter(*pieces, rounds=1, hero_card=hero(ap=0)), "end")
    assert game.hero.ap == 2, "the bomb killed the crab, and its reward is hers"
    assert game(7).offered == ["keep", "subtract 2"]


def test_rewards_of_a_challenge_are_data():
    from story.cards import Challenge

    idol = terrain("idol", "impassable", challenge=Challenge("mental", 5, (Gain(goods(ap=2)),)))
    game = play(encounter(ground=(at(idol, 8),), hero_card=hero(ap=0)), "try idol", 10)
    assert game.hero.ap == 2
