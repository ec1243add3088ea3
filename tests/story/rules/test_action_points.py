"""Action Points outside encounters, and where they reset (section 3)."""

import pytest

from story.cards import ALL, Choice, Choose, Encounter, Ending, Fight, Gain, Lose, Reveal
from tests.build import at, campaign, card, encounter, enemy, goods, hero, play

END = Ending("home", "Home", "victory")


@pytest.mark.rule("AP-1")
def test_she_starts_with_seven_and_a_reset_number_that_cards_can_raise():
    game = play(campaign({1: card(Gain(goods(ap_reset=1)), Reveal(2)), 2: card(END)}))
    assert (game.hero.ap, game.hero.ap_reset) == (7, 8)


@pytest.mark.rule("AP-2")
def test_points_have_no_upper_limit_and_pay_for_bonus_activities():
    rest = Choose((Choice("Whittle", (Gain(goods(critical=1)), Reveal(2)), cost=goods(ap=5)),))
    game = play(campaign({1: card(Gain(goods(ap=90)), rest), 2: card(END)}))
    assert game.hero.ap == 97
    assert game("choose 1").hero.ap == 92


@pytest.mark.rule("AP-3")
def test_points_reset_after_each_round_and_at_the_end_but_not_at_the_start():
    fight = Fight(Encounter(2, (3,)))
    game = play(campaign({1: card(Lose(goods(ap=3)), fight, Reveal(2)), 2: card(Reveal(3)), 3: card(END)}), "begin")
    assert game.hero.ap == 4, "what is left is the first turn's budget"
    assert game("step 2", "end").hero.ap == 7
    game("step 3", "end")
    assert (game.card, game.hero.ap, game.field) == (2, 7, None)


@pytest.mark.rule("AP-3")
def test_points_left_over_are_lost_with_the_round():
    game = play(encounter(rounds=2, hero_card=hero(ap=12)))
    assert game("end").hero.ap == 7


@pytest.mark.rule("AP-4")
def test_a_loss_takes_no_more_than_there_is():
    deck = {1: card(Lose(goods(ap=9)), Gain(goods(ap=2)), Reveal(2)), 2: card(Lose(goods(ap=ALL)), END)}
    game = play(campaign(deck))
    assert game.hero.ap == 2
    assert game("reveal 2").hero.ap == 0


@pytest.mark.rule("AP-4")
def test_a_retreat_penalty_leaves_none_below_zero():
    from story.cards import Instance, When

    coward = enemy(
        attack=None, traits=["cowardly"], instances=(Instance(When("retreats"), (Lose(goods(ap=5)),), later=True),)
    )
    game = play(encounter(at(coward, 15), rounds=2, hero_card=hero(ap=0, ap_reset=2)), "end")
    assert game.hero.ap == 0
