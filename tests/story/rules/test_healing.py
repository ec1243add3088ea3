"""Wounds, healing, the satchel and the last bite (section 4)."""

import pytest

from story.cards import ALL, Challenge, Chart, ChartRow, Choice, Choose, Ending, Gain, Heal, Lose, Reveal, Wound
from tests.build import at, campaign, card, encounter, enemy, goods, hero, play

END = Ending("home", "Home", "victory")


def told(*steps, who=None):
    """A game whose first card does these steps and then asks to turn to card 2."""
    return play(campaign({1: card(*steps, Reveal(2)), 2: card(END)}, hero=who or hero()))


@pytest.mark.rule("HEAL-1")
def test_eight_wounds_can_be_carried_and_the_ninth_ends_the_game():
    assert told(Wound(8)).topic == "card"
    game = told(Wound(9))
    assert (game.topic, game.hero.wounds) == ("death", 9)
    assert told(Wound(30)).hero.wounds == 9


@pytest.mark.rule("HEAL-2")
@pytest.mark.parametrize(
    ("wounds", "dice"), [(0, (0, 0, 0)), (1, (0, 0, 1)), (3, (0, 0, 3)), (4, (0, 1, 3)), (8, (2, 3, 3)), (9, (3, 3, 3))]
)
def test_the_dice_empty_from_the_right(wounds, dice):
    assert told(Wound(wounds)).hero.health_dice == dice


@pytest.mark.rule("HEAL-3")
def test_outside_encounters_a_point_heals_a_wound_at_any_decision():
    game = told(Wound(2))
    assert game.offered == ["reveal 2", "heal"]
    game("heal", "heal")
    assert (game.hero.wounds, game.hero.ap, game.offered) == (0, 5, ["reveal 2"])
    asked = play(campaign({1: card(Wound(1), Choose((Choice("On", (Reveal(2),)),))), 2: card(END)}))
    assert "heal" in asked.offered


@pytest.mark.rule("HEAL-4")
def test_the_satchel_holds_five_four_and_three():
    game = told(Gain(goods(breadfruit=9, uku=9, abehjerne=9)))
    assert game.hero.satchel == (5, 4, 3)


@pytest.mark.rule("HEAL-4")
def test_breadfruit_heals_one_uku_gives_a_point_abehjerne_heals_three():
    game = told(Wound(6), who=hero(satchel={"breadfruit": 1, "uku": 1, "abehjerne": 1}))
    game("eat breadfruit", "eat uku", "eat abehjerne")
    assert (game.hero.wounds, game.hero.ap, game.hero.satchel) == (2, 8, (0, 0, 0))


@pytest.mark.rule("HEAL-4")
def test_food_that_heals_is_offered_only_to_the_wounded_and_its_rest_is_lost():
    game = told(who=hero(satchel={"abehjerne": 2, "uku": 1}))
    assert game.offered == ["reveal 2", "eat uku"]
    one = told(Wound(1), who=hero(satchel={"abehjerne": 2}))
    assert one("eat abehjerne").hero.wounds == 0
    assert "eat abehjerne" not in one.offered


@pytest.mark.rule("HEAL-4")
def test_food_is_eaten_in_her_turn_and_in_the_windows_of_enemies():
    who = hero(ap=0, wounds=2, satchel={"breadfruit": 3})
    game = play(encounter(at(enemy(wounds=9), 8), hero_card=who))
    assert "eat breadfruit" in game.offered
    game("end", 12)
    assert (game.topic, game.offered) == ("window", ["keep", "eat breadfruit"])
    game("eat breadfruit", "keep")
    assert game.hero.wounds == 2


@pytest.mark.rule("HEAL-4")
def test_a_last_bite_comes_before_wounds_without_a_roll_that_would_end_the_game():
    game = told(Wound(4), Wound(5), who=hero(satchel={"breadfruit": 2, "uku": 1}))
    assert game.topic == "bite"
    assert game.offered == ["eat breadfruit", "keep"], "eating only, and only what heals"
    game("eat breadfruit")
    assert (game.topic, game.hero.wounds) == ("card", 8)


@pytest.mark.rule("HEAL-4")
def test_a_last_bite_may_be_declined_or_not_suffice():
    assert told(Wound(4), Wound(5), who=hero(satchel={"breadfruit": 1}))("keep").topic == "death"
    short = told(Wound(4), Wound(7), who=hero(satchel={"breadfruit": 1}))
    assert short("eat breadfruit").topic == "death"


@pytest.mark.rule("HEAL-4")
def test_a_last_bite_lasts_as_long_as_the_wounds_would_end_the_game():
    game = told(Wound(6), Wound(5), Gain(goods(mental=1)), who=hero(satchel={"breadfruit": 4, "uku": 2}))
    game("eat breadfruit", "eat breadfruit")
    assert (game.topic, game.hero.satchel) == ("bite", (2, 2, 0)), "4 and 5 would still be nine"
    game("eat breadfruit")
    assert (game.topic, game.hero.wounds, game.hero.talents) == ("card", 8, (0, 1, 0)), "and the card goes on"


@pytest.mark.rule("HEAL-4")
def test_there_is_no_last_bite_without_food_that_heals_or_without_need():
    assert told(Wound(4), Wound(5), who=hero(satchel={"uku": 4})).topic == "death"
    assert told(Wound(9), who=hero(satchel={"breadfruit": 1})).topic == "death", "unwounded, she has nothing to heal"
    assert told(Wound(4), Wound(4), who=hero(satchel={"breadfruit": 1})).topic == "card"


@pytest.mark.rule("HEAL-4")
def test_no_last_bite_before_the_wounds_of_a_chart():
    rows = (ChartRow(1, 3, (Wound(1),)), ChartRow(4, 6, ()))
    who = hero(ap=0, wounds=8, satchel={"breadfruit": 1})
    game = play(campaign({1: card(Chart("d6", rows), Reveal(2)), 2: card(END)}, hero=who), "d6 2")
    assert game.topic == "window"
    assert game("keep").topic == "death"


@pytest.mark.rule("HEAL-4")
def test_food_is_eaten_while_a_dodge_is_decided():
    who = hero(ap=2, wounds=2, satchel={"breadfruit": 2}, actions=["dodge"])
    game = play(encounter(at(enemy(), 8), hero_card=who), "dodge", "end", 12, "keep")
    assert game.offered == ["use dodge", "no dodge", "eat breadfruit"]
    game("eat breadfruit", "no dodge")
    assert (game.hero.wounds, game.food("breadfruit")) == (2, 1)


@pytest.mark.rule("HEAL-3")
def test_in_the_window_of_a_roll_points_influence_and_do_not_heal():
    who = hero(ap=3, wounds=2)
    game = play(campaign({1: card(Challenge("physical", 12), Reveal(2)), 2: card(END)}, hero=who), 11)
    assert game.offered == ["keep", "add 1"]


@pytest.mark.rule("HEAL-4")
def test_only_what_came_is_told():
    game = told(Gain(goods(breadfruit=9)), Gain(goods(breadfruit=1)), Lose(goods(uku=2, breadfruit=6)))
    assert game.heard("You gain 5 Breadfruit.")
    assert game.heard("You lose 5 Breadfruit.")
    assert not game.heard("You gain 1 Breadfruit.")
    assert not game.heard("Uku")


@pytest.mark.rule("HEAL-4")
def test_no_last_bite_before_the_wounds_of_a_challenge_or_of_a_rolled_attack():
    who = hero(ap=0, wounds=8, satchel={"breadfruit": 1})
    step = Challenge("physical", 12, None, (Wound(1),))
    game = play(campaign({1: card(step, Reveal(2)), 2: card(END)}, hero=who), 3)
    assert game.topic == "window"
    assert game("keep").topic == "death"
    attacked = play(encounter(at(enemy(), 8), hero_card=who), "end", 12, "keep")
    assert attacked.topic == "death"


@pytest.mark.rule("HEAL-4")
def test_a_last_bite_comes_before_the_wounds_of_an_instance():
    from story.cards import Instance, When

    totem = enemy("totem", attack=None, instances=(Instance(When("round_end"), (Wound(1),)),))
    game = play(encounter(at(totem, 15), hero_card=hero(ap=0, wounds=8, satchel={"breadfruit": 1})), "end")
    assert game.topic == "bite"


@pytest.mark.rule("HEAL-5")
def test_wounds_never_fall_below_zero():
    assert told(Wound(2), Heal(5)).hero.wounds == 0
    assert told(Wound(8), Heal(ALL)).hero.wounds == 0


@pytest.mark.rule("HEAL-6")
def test_wounds_outlast_rounds_and_encounters():
    game = play(encounter(rounds=2, hero_card=hero(wounds=4)), "end")
    assert game.hero.wounds == 4
    assert game("end").hero.wounds == 4


@pytest.mark.rule("HEAL-4")
def test_losing_food_takes_no_more_than_there_is():
    assert told(Lose(goods(uku=3)), who=hero(satchel={"uku": 2})).hero.satchel == (0, 0, 0)
