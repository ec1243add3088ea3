"""Traits and effects (section 13)."""

import pytest

from story.cards import Challenge, FoeMarks, Heal, Instance, Lose, When, Wound
from tests.build import at, encounter, enemy, goods, hero, mid_game, play, terrain

NO_AP = {"ap": 0, "ap_reset": 0}


def beside(*traits, hits=1, rounds=1, who=None, given=(), **parts):
    """A game against one enemy on 8, in front of her; she has no AP unless told."""
    foe = enemy(wounds=parts.pop("wounds", 9), hits=hits, traits=traits, **parts)
    return play(encounter(at(foe, 8), rounds=rounds, hero_card=who or hero(**NO_AP)), *given)


@pytest.mark.rule("TRAIT-BIRD-BOMB")
def test_a_bomb_needs_no_roll_and_wounds_everybody_adjacent():
    bird = enemy("bird", wounds=9, hits=5, traits=["bird-bomb"])
    pieces = (at(bird, 8), at(enemy("a", attack=None), 7), at(enemy("b", attack=None), 14))
    game = play(encounter(*pieces, rounds=2, hero_card=hero(**NO_AP)), "end")
    assert (game.hero.wounds, game.foe("a").wounds, game.foe("b").wounds) == (1, 1, 0)


@pytest.mark.rule("TRAIT-BIRD-BOMB")
def test_from_farther_away_its_printed_attack_is_used():
    bird = enemy("bird", wounds=9, attack="full", hits=2, traits=["bird-bomb"])
    game = play(encounter(at(bird, 13), hero_card=hero(**NO_AP)), "end", 10)
    assert game.hero.wounds == 2


@pytest.mark.rule("TRAIT-BIRD-BOMB")
def test_bolster_and_rage_add_to_the_bomb():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "bolster", "rage"])
    position = mid_game(round=2, foes=(("bird", FoeMarks(wounds=2, rage=2)),))
    game = play(encounter(at(bird, 8), rounds=3, hero_card=hero(**NO_AP), position=position), "end")
    assert (game.hero.wounds, game.foe("bird").rage) == (4, 0)


@pytest.mark.rule("TRAIT-BOLSTER")
def test_bolster_adds_one_in_each_later_round_of_the_encounter():
    game = beside("bolster", rounds=3, given=("end", 10))
    assert game.hero.wounds == 1
    assert game("end", 10).hero.wounds == 3
    assert game("end", 20).hero.wounds == 7, "3, and 1 for the critical"


@pytest.mark.rule("TRAIT-COWARDLY")
def test_a_coward_leaves_in_its_first_upkeep_without_reward():
    game = beside("cowardly", rounds=2, rewards=goods(ap=5), given=("end", 3))
    assert (game.field.foes, game.hero.ap) == ((), 0)
    assert game.heard("retreats")


@pytest.mark.rule("TRAIT-COWARDLY")
def test_a_retreat_is_no_defeat_but_its_own_instance_holds():
    rules = (Instance(When("defeated"), (Heal(9),)), Instance(When("retreats"), (Wound(2),)))
    assert beside("cowardly", instances=rules, rounds=2, given=("end", 3)).hero.wounds == 2


def dasher(*given, ap=6, **parts):
    """A hound four steps away, two of them free to it."""
    hound = enemy("hound", wounds=9, moves=2, traits=["dash"], **parts)
    return play(encounter(at(hound, 15), blocked=(2, 4), rounds=3, hero_card=hero(ap=ap)), *given)


@pytest.mark.rule("TRAIT-DASH")
def test_wounded_twice_in_one_turn_it_moves_one_space_more_on_its_next():
    assert dasher("dart hound", 10, "end").topic == "pick", "two steps: 13 or 9"
    twice = dasher("dart hound", 10, "dart hound", 10)
    assert twice.foe("hound").dash == 1
    twice("end")
    assert (twice.topic, twice.foe("hound").space, twice.foe("hound").dash) == ("d20", 8, 0)


@pytest.mark.rule("TRAIT-DASH")
def test_a_critical_is_one_wounding_and_turns_do_not_add_up():
    once = dasher("dart hound", 20, "keep")
    assert (once.foe("hound").wounds, once.foe("hound").dash) == (2, 0)
    spread = dasher("dart hound", 10, "end")
    spread(spread.offered[0])("dart hound", 10)
    assert spread.foe("hound").dash == 0


@pytest.mark.rule("TRAIT-DASH")
def test_the_bonus_is_lost_if_it_cannot_move_then():
    hound = enemy("hound", wounds=9, moves=2, traits=["dash"])
    position = mid_game(foes=(("hound", FoeMarks(wounds=2, dash=1, stunned=True)),))
    game = play(encounter(at(hound, 15), rounds=3, hero_card=hero(**NO_AP), position=position), "end")
    assert (game.foe("hound").space, game.foe("hound").dash) == (15, 0)


@pytest.mark.rule("TRAIT-DRAIN")
def test_drain_wounds_again_at_the_start_of_the_next_round_and_adds_up():
    leeches = [at(enemy(f"leech{n}", wounds=9, traits=["drain"]), n) for n in (2, 4)]
    game = play(encounter(*leeches, rounds=2, hero_card=hero(**NO_AP)), "end", 10, 10)
    assert game.hero.wounds == 4


@pytest.mark.rule("TRAIT-DRAIN")
def test_drain_needs_a_wound_left_and_a_next_round():
    who = hero(ap=2, ap_reset=0, actions=["dodge"])
    assert beside("drain", rounds=2, who=who, given=("dodge", "end", 10, "use dodge", 10)).hero.wounds == 0
    assert beside("drain", rounds=1, given=("end", 10)).hero.wounds == 1


@pytest.mark.rule("TRAIT-ELECTROCUTE", "TRAIT-DISORIENTATION")
def test_each_takes_one_point_at_the_start_of_the_next_round_and_each_once():
    eels = [
        at(enemy(f"eel{n}", wounds=9, traits=traits), n) for n, traits in ((2, ["electrocute"]), (4, ["electrocute"]))
    ]
    who = hero(ap=0, ap_reset=5)
    assert play(encounter(*eels, rounds=2, hero_card=who), "end", 10, 10).hero.ap == 4
    both = beside("electrocute", "disorientation", rounds=2, who=who, given=("end", 10))
    assert both.hero.ap == 3
    assert beside("electrocute", rounds=2, who=who, given=("end", 4)).hero.ap == 5


@pytest.mark.rule("TRAIT-FLY")
def test_a_flyer_crosses_everything_and_ends_on_a_free_space():
    bat = enemy("bat", wounds=9, moves=2, traits=["fly"])
    pieces = (at(bat, 13), at(enemy("turtle"), 8))
    game = play(encounter(*pieces, rounds=2, hero_card=hero(**NO_AP)), "end", 3)
    assert game.foe("bat").space == 13, "straight ahead 8 is taken, and no other way falls by two"
    beside_it = play(
        encounter(at(bat, 14), at(enemy("turtle"), 13), ground=(at(terrain("rock", "impassable"), 9),)), "end"
    )
    assert set(beside_it.offered) == {"pick 4", "pick 8"}


@pytest.mark.rule("TRAIT-FLY")
def test_a_flyer_crosses_discs():
    bat = enemy("bat", wounds=9, moves=3, traits=["fly"])
    game = play(encounter(at(bat, 5), blocked=(4, 9, 10), rounds=2), "end")
    assert game.foe("bat").space == 5, "3 is hers and 4 is blocked: no free space two steps on"
    far = play(encounter(at(bat, 15), blocked=(10, 14)), "end")
    assert set(far.offered) == {"pick 4", "pick 8"}


@pytest.mark.rule("TRAIT-IMMUNE")
def test_the_immune_are_not_affected_by_what_is_named():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "poison", "stun", "drain"])
    plain = enemy("a", wounds=9, attack=None)
    immune = enemy("b", wounds=9, attack=None, immune=frozenset({"poison", "stun", "drain"}))
    game = play(encounter(at(bird, 8), at(plain, 7), at(immune, 9), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert game.foe("a").wounds == 3, "the bomb, its poison and its drain"
    assert game.foe("b").wounds == 1
    assert game.foe("b").stunned is False


def caller(*given, rounds=3, no_start=(), gang=("thug",), space=13, **parts):
    """A caller on a space, with a deck to call from."""
    card = enemy("caller", wounds=3, attack=None, traits=["recruit"], recruits_from="gang")
    cards = [enemy(name, attack=None) for name in gang]
    return play(encounter(at(card, space), rounds=rounds, no_start=no_start, decks={"gang": cards}, **parts), *given)


@pytest.mark.rule("TRAIT-RECRUIT")
def test_wounded_and_not_defeated_it_brings_one_enemy_at_the_start_of_the_next_round():
    game = caller("dart caller", 10, "dart caller", 10)
    assert game.foe("caller").recruits is True
    game("end")
    assert (game.topic, game.offered) == ("draw", ["pick thug"]), "once per round, however often it was wounded"
    game("pick thug", "place 11")
    assert (game.foe("thug").space, game.topic) == (11, "turn")


@pytest.mark.rule("TRAIT-RECRUIT")
def test_not_after_the_last_round_and_not_when_it_fell():
    assert caller("dart caller", 10, "end", rounds=1).topic == "done"
    assert caller("dart caller", 20, "dart caller", 10, "end").topic == "turn"


@pytest.mark.rule("TRAIT-RECRUIT")
def test_an_empty_deck_gives_nothing_and_the_fallen_go_back_into_it():
    game = caller("dart caller", 10, "end", "pick thug", "place 9", "dart caller", 10, "end")
    assert game.topic == "turn", "the only thug is on the playfield"
    back = caller("dart caller", 10, "end", "pick thug", "place 9", "dart thug", 20, "keep")
    assert dict(back.field.decks) == {"gang": ("thug",)}


@pytest.mark.rule("TRAIT-RECRUIT")
def test_its_name_gets_the_next_number_never_used():
    game = caller("dart caller", 10, "end", "pick thug", "place 9", "dart thug", 20, "dart caller", 10, "end")
    game("pick thug", "place 9")
    assert [foe.name for foe in game.field.foes] == ["caller", "thug-2"]


@pytest.mark.rule("TRAIT-RECRUIT")
def test_without_a_free_space_it_does_not_come():
    crowded = caller("dart caller", 10, "end", "pick thug", no_start=tuple(range(1, 16)))
    assert crowded("place 9").topic == "turn"
    assert [foe.name for foe in crowded.field.foes] == ["caller"]


@pytest.mark.rule("TRAIT-RECRUIT")
def test_a_recruiter_wounded_at_the_start_of_a_round_recruits_at_the_next():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "drain"])
    card = enemy("caller", wounds=9, attack=None, traits=["recruit"], recruits_from="gang")
    gang = {"gang": [enemy("thug", attack=None), enemy("imp", attack=None)]}
    game = play(encounter(at(bird, 8), at(card, 9), rounds=3, decks=gang, hero_card=hero(**NO_AP)), "end")
    assert game.topic == "draw", "the bomb wounded it: it calls now"
    game("pick thug", "place 15")
    assert game.foe("caller").recruits is True, "the drain wounded it again at the start of this round"


@pytest.mark.rule("TRAIT-POISON")
def test_poison_works_once_in_this_rounds_upkeep_and_not_in_the_next():
    vipers = [at(enemy(f"viper{n}", wounds=9, traits=["poison"]), n) for n in (2, 4)]
    game = play(encounter(*vipers, rounds=2, hero_card=hero(**NO_AP)), "end", 10, 10)
    assert game.hero.wounds == 3
    assert game("end", 3, 3).hero.wounds == 3


@pytest.mark.rule("TRAIT-POISON")
def test_poison_on_her_needs_a_wound_left_after_dodges():
    who = hero(ap=2, ap_reset=0, actions=["dodge"])
    assert beside("poison", who=who, given=("dodge", "end", 10, "use dodge", 10)).hero.wounds == 0


@pytest.mark.rule("TRAIT-RAGE")
def test_rage_adds_up_is_kept_until_it_attacks_and_is_spent_hit_or_miss():
    bull = enemy("bull", wounds=9, attack="adjacent", traits=["rage"])
    game = play(encounter(at(bull, 13), rounds=3), "dart bull", 10, "dart bull", 20, "end")
    assert game.foe("bull").rage == 2, "a critical is one wounding; it could not attack"
    game("step 8", "end", 3, "keep")
    assert game.foe("bull").rage == 0
    hit = play(encounter(at(bull, 13), rounds=2), "dart bull", 10, "dart bull", 10, "step 8", "end", 10)
    assert hit.hero.wounds == 3


@pytest.mark.rule("TRAIT-SQUISHY")
def test_an_orthogonally_adjacent_attacker_wounds_one_more():
    slug = enemy("slug", wounds=9, attack=None, traits=["squishy"])
    assert play(encounter(at(slug, 8)), "dart slug", 10).foe("slug").wounds == 2
    assert play(encounter(at(slug, 8)), "dart slug", 20, "keep").foe("slug").wounds == 3
    assert play(encounter(at(slug, 9)), "dart slug", 10).foe("slug").wounds == 1, "diagonal is not adjacent"
    bird = enemy("bird", wounds=9, traits=["bird-bomb"])
    bombed = play(encounter(at(bird, 8), at(slug, 9), rounds=2, hero_card=hero(**NO_AP)), "end")
    assert bombed.foe("slug").wounds == 2


@pytest.mark.rule("TRAIT-STUN")
def test_stun_forbids_her_step_in_her_next_turn_only_even_if_all_wounds_were_dodged():
    who = hero(ap=2, ap_reset=2, actions=["dodge"])
    game = beside("stun", rounds=3, who=who, given=("dodge", "end", 10, "use dodge", 10))
    assert not any(answer.startswith("step") for answer in game.offered)
    game("end", 3, "keep")
    assert any(answer.startswith("step") for answer in game.offered)


@pytest.mark.rule("TRAIT-STUN")
def test_a_stunned_enemys_mark_ends_with_its_turn_used_or_not():
    position = mid_game(foes=(("crab", FoeMarks(stunned=True)),))
    game = play(
        encounter(at(enemy(wounds=9, moves=1), 8), rounds=2, hero_card=hero(**NO_AP), position=position), "end", 3
    )
    assert game.foe().stunned is False


@pytest.mark.rule("TRAIT-UNWAVERED")
def test_the_unwavered_never_move_by_themselves_but_fear_moves_them():
    totem = enemy("totem", wounds=9, moves=3, traits=["unwavered"])
    game = play(encounter(at(totem, 15), rounds=2, hero_card=hero(ap=2, actions=["fear"])), "fear totem 14", 10, "end")
    assert game.foe("totem").space == 14


def guarded(*given, rounds=2, ap=9, **parts):
    """A guard on 12 beside an ogre on 13."""
    pieces = (at(enemy("guard", wounds=9, traits=["block"]), 12), at(enemy("ogre", wounds=9), 13))
    return play(encounter(*pieces, rounds=rounds, hero_card=hero(ap=ap, actions=["stun", "fear"])), *given)


@pytest.mark.rule("TRAIT-BLOCK", "TRAIT-OUT-OF-TURN")
def test_a_guard_beside_the_target_blocks_with_its_own_numbers_once_a_round():
    game = guarded("dart ogre", 10, "keep")
    assert "block" in game.prompt.title
    game(20)
    assert game.foe("ogre").wounds == 0, "blocked; a critical adds nothing"
    game("dart ogre", 10, "keep")
    assert game.foe("ogre").wounds == 1, "trying used it up"
    assert guarded("end").foe("guard").block_used is False


@pytest.mark.rule("TRAIT-BLOCK", "TRAIT-OUT-OF-TURN")
def test_a_failed_block_lets_the_attack_through_and_a_one_fails():
    for face in (1, 5):
        assert guarded("dart ogre +stun", 10, face, ap=5).foe("ogre").wounds == 1
    blocked = guarded("dart ogre +stun", 10, 6, ap=5)
    assert (blocked.foe("ogre").stunned, blocked.hero.ap) == (False, 0)


@pytest.mark.rule("TRAIT-BLOCK")
def test_the_block_is_tried_only_when_the_roll_stands_and_never_against_fear():
    assert guarded("dart ogre", 3, ap=3).foe("guard").block_used is False
    assert guarded("fear ogre 14", 10, ap=2).foe("guard").block_used is False


@pytest.mark.rule("TRAIT-BLOCK")
def test_of_several_blockers_the_lowest_tries_first_and_a_stunned_one_still_blocks():
    guards = [at(enemy(f"guard{n}", wounds=9, traits=["block"]), n) for n in (14, 12)]
    marks = mid_game(foes=(("guard12", FoeMarks(stunned=True)),))
    game = play(
        encounter(*guards, at(enemy("ogre", wounds=9), 13), hero_card=hero(ap=3), position=marks), "dart ogre", 10
    )
    assert "12" in game.prompt.title
    game(3)
    assert "14" in game.prompt.title
    game(10)
    assert game.foe("ogre").wounds == 0


@pytest.mark.rule("TRAIT-STACK")
def test_a_character_carries_any_number_of_effects():
    who = hero(ap=10, actions=["stun", "poison"])
    game = play(encounter(at(enemy(wounds=9, traits=["rage"]), 13), rounds=2, hero_card=who))
    game("dart crab +stun", 10, "keep", "dart crab +poison", 10)
    assert (game.foe().stunned, game.foe().poisoned, game.foe().rage) == (True, True, 2)


@pytest.mark.rule("TERR-5", "TRAIT-STUN", "TRAIT-POISON", "TRAIT-DRAIN")
def test_traits_of_terrain_act_on_whoever_ends_a_move_there():
    bog = terrain("bog", traits=["poison", "stun", "drain", "electrocute"])
    game = play(encounter(ground=(at(bog, 2),), rounds=2), "step 2", "end")
    assert (game.hero.wounds, game.hero.ap) == (2, 6), "poison in upkeep, drain and a lost point in the next round"
    assert not any(answer.startswith("step") for answer in game.offered)


@pytest.mark.rule("TRAIT-BIRD-BOMB", "TERR-5")
def test_a_bomb_under_foot_wounds_everybody_adjacent_to_it_but_not_whoever_trod_on_it():
    mine = terrain("mine", traits=["bird-bomb"])
    game = play(encounter(at(enemy(wounds=9, attack=None), 7), ground=(at(mine, 2),)), "step 2")
    assert (game.hero.wounds, game.foe().wounds) == (0, 1)


def test_a_challenge_on_an_enemy_is_tried_from_an_adjacent_space():
    riddler = enemy("sphinx", wounds=9, attack=None, challenge=Challenge("mental", 10, (Lose(goods(ap=1)),)))
    near = play(encounter(at(riddler, 8), hero_card=hero(ap=1)), "try sphinx", 15)
    assert near.hero.ap == 0
    assert "try sphinx" not in near.offered
    assert "try sphinx" not in play(encounter(at(riddler, 9))).offered


@pytest.mark.rule("TRAIT-DASH")
@pytest.mark.parametrize("traits", [["drain"], ["poison", "drain"]])
def test_wounds_of_different_turns_and_of_no_turn_at_all_do_not_add_up(traits):
    birds = [at(enemy(f"bird{n}", wounds=9, traits=["bird-bomb", *traits]), n) for n in (4, 8)]
    hound = at(enemy("hound", wounds=9, attack=None, traits=["dash"]), 9)
    game = play(encounter(*birds, hound, rounds=2, hero_card=hero(**NO_AP)), "end")
    assert game.foe("hound").wounds == 4 + ("poison" in traits), "two bombs, two drains, one poison"
    assert game.foe("hound").dash == 0


@pytest.mark.rule("TRAIT-ELECTROCUTE")
def test_a_shock_works_anew_in_each_round():
    game = beside("electrocute", rounds=3, who=hero(ap=0, ap_reset=5), given=("end", 10))
    assert game.hero.ap == 4
    assert game("end", 10, "keep").hero.ap == 4


@pytest.mark.rule("TRAIT-RECRUIT")
def test_a_cross_turns_a_newcomer_away_and_a_coward_that_left_is_back_in_the_deck():
    game = caller("dart caller", 10, "end", "pick thug", "place 9", no_start=(9,))
    assert game.offered == ["pick 4", "pick 8"]
    card = enemy("caller", wounds=9, attack=None, traits=["recruit"], recruits_from="gang")
    gang = {"gang": [enemy("thug", attack=None, traits=["cowardly"])]}
    left = play(encounter(at(card, 13), rounds=4, decks=gang), "dart caller", 10, "end", "pick thug", "place 11", "end")
    assert ([foe.name for foe in left.field.foes], dict(left.field.decks)) == (["caller"], {"gang": ("thug",)})


@pytest.mark.rule("TRAIT-RECRUIT")
def test_a_recruiter_that_falls_at_the_start_of_the_round_calls_nobody():
    bird = enemy("bird", wounds=9, traits=["bird-bomb", "drain"])
    card = enemy("caller", wounds=2, attack=None, traits=["recruit"], recruits_from="gang")
    pieces = (at(bird, 8), at(card, 9))
    game = play(encounter(*pieces, rounds=3, decks={"gang": [enemy("thug")]}, hero_card=hero(**NO_AP)), "end")
    assert (game.topic, game.foe("caller")) == ("turn", None)


@pytest.mark.rule("TRAIT-BOLSTER", "TRAIT-RECRUIT")
def test_bolster_counts_the_rounds_of_the_encounter_for_recruits_too():
    card = enemy("caller", wounds=9, attack=None, traits=["recruit"], recruits_from="gang")
    gang = {"gang": [enemy("thug", traits=["bolster"])]}
    table = encounter(at(card, 13), rounds=3, decks=gang, hero_card=hero(ap=3, ap_reset=0))
    game = play(table, "dart caller", 10, "end", "pick thug", "place 8", "end", 10)
    assert game.hero.wounds == 2


@pytest.mark.rule("TRAIT-BLOCK")
def test_in_the_next_round_it_blocks_again():
    game = guarded("dart ogre", 10, "keep", 3, "keep", "end", "dart ogre", 10, "keep")
    assert "block" in game.prompt.title


@pytest.mark.rule("TRAIT-STUN")
def test_a_stun_in_her_own_turn_is_for_the_next_one():
    mat = terrain("mat", traits=["stun"])
    game = play(encounter(ground=(at(mat, 2),), rounds=3), "step 2", "step 3")
    assert game.field.hero == 3, "this turn she steps on"
    assert not any(answer.startswith("step") for answer in game("end").offered)
    assert any(answer.startswith("step") for answer in game("end").offered)
