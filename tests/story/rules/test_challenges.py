"""Talents, challenges, influence, natural 1, perfect rolls, roll charts (section 2)."""

import pytest

from story.cards import AllOf, Challenge, Chart, ChartRow, Choice, Choose, Ending, Gain, If, Reveal, Wound
from story.dice import Rolled
from tests.build import at, campaign, card, encounter, enemy, goods, hero, play

END = Ending("home", "Home", "victory")


SUCCESS, FAILURE = (Gain(goods(mental=1)),), (Wound(1),)


def challenge(kind="physical", level=12, *, who=None, succeed=SUCCESS, fail=FAILURE, perfect=None):
    """A game that stands before a challenge; success gives a mental point, failure a wound."""
    step = Challenge(kind, level, succeed, fail, perfect)
    return play(campaign({1: card(step, Reveal(2)), 2: card(END)}, hero=who or hero(ap=0)))


def won(game):
    """What came of it: True, False, or None for nothing."""
    return True if game.hero.talents[1] else False if game.hero.wounds else None


@pytest.mark.rule("CHAL-1")
@pytest.mark.parametrize("kind", ["physical", "mental", "critical"])
def test_each_type_is_named_in_its_question(kind):
    assert f"{kind} 12" in challenge(kind).prompt.title


@pytest.mark.rule("CHAL-2")
@pytest.mark.parametrize(("face", "success"), [(2, False), (11, False), (12, True), (19, True)])
def test_a_total_at_or_above_the_level_succeeds(face, success):
    assert won(challenge()(face)) is success


@pytest.mark.rule("CHAL-3")
def test_talents_of_the_type_are_added_and_not_spent():
    who = hero(ap=0, talents={"physical": 3, "critical": 5})
    assert won(challenge(who=who)(8)) is False
    game = challenge(who=who)(9)
    assert won(game) is True
    assert game.hero.talents == (3, 1, 5)


@pytest.mark.rule("CHAL-4")
def test_a_talent_holds_five_points():
    game = play(campaign({1: card(Gain(goods(physical=9)), Reveal(2)), 2: card(END)}))
    assert game.hero.talents == (5, 0, 0)


@pytest.mark.rule("CHAL-5")
def test_each_point_changes_this_total_by_one_up_or_down():
    game = challenge(who=hero(ap=4))(9)
    assert game.offered == ["keep", "add 3"]
    game("add 3")
    assert (won(game), game.hero.ap) == (True, 1)
    worse = challenge(who=hero(ap=4))(14)
    assert worse.offered == ["keep", "subtract 3"]
    assert won(worse("subtract 3")) is False


@pytest.mark.rule("CHAL-5")
def test_placement_and_fifty_fifty_rolls_are_not_influenced():
    game = play(encounter(at(enemy()), blocked=(6,), hero_card=hero(ap=7)))
    assert game.topic == "place"
    game("place 6")
    assert game.topic == "pick", "no window opened in between"
    assert game(game.offered[0]).topic == "turn"


@pytest.mark.rule("CHAL-3", "CHAL-5")
def test_a_roll_is_told_as_the_sum_it_is_read_by():
    assert str(Rolled(9)) == "9"
    assert str(Rolled(18, 1)) == "18 + 1 talent = 19"
    assert str(Rolled(9, 2, -4)) == "9 + 2 talents - 4 AP = 7"
    game = challenge(level=14, who=hero(ap=20, talents={"physical": 2}))(9)("add 3")
    assert game.heard("You spend 3 AP: 14 instead of 11.")
    assert game.heard("Success: 9 + 2 talents + 3 AP = 14 against physical 14.")


@pytest.mark.rule("CHAL-6")
def test_a_natural_one_fails_and_cannot_be_changed():
    game = challenge(level=2, who=hero(ap=20, talents={"physical": 5}))(1)
    assert (won(game), game.hero.ap) == (False, 20)


@pytest.mark.rule("CHAL-6")
def test_a_natural_one_fails_even_the_easiest_challenge():
    assert won(challenge(level=1)(1)) is False


@pytest.mark.rule("CHAL-6", "CHAL-9")
def test_a_chart_roll_of_one_cannot_be_changed_either():
    game = chart(1, ap=20)
    assert (game.topic, game.hero.ap) == ("victory", 30), "no window opened"


@pytest.mark.rule("CHAL-6")
@pytest.mark.parametrize(("face", "window"), [(1, False), (2, True)])
def test_one_misses_for_the_enemy_and_for_her_whatever_is_added(face, window):
    who = hero(ap=12, talents={"critical": 5})
    shot = play(encounter(at(enemy(wounds=5), 8), hero_card=who), "dart crab", face)
    assert (shot.topic == "window") is window
    assert shot("keep").foe().wounds == (1 if window else 0), "2 and five talent points are a hit"
    attack = play(encounter(at(enemy(miss=0, crit=21), 8), hero_card=hero(ap=9)), "end", face)
    assert (attack.topic == "window") is window


@pytest.mark.rule("CHAL-6")
def test_food_may_be_eaten_in_the_window_of_a_natural_one():
    game = challenge(who=hero(ap=3, satchel={"uku": 1}))(1)
    assert game.offered == ["keep", "eat uku"]
    assert won(game("eat uku")) is False, "with the food gone nothing is left to ask"


@pytest.mark.rule("CHAL-7")
def test_a_perfect_roll_succeeds_whatever_the_level_and_earns_its_reward_in_addition():
    game = challenge(level=30, perfect=(Gain(goods(critical=1)),))(20)
    assert game.hero.talents == (0, 1, 1)


@pytest.mark.rule("CHAL-7")
def test_the_reward_is_not_lost_when_the_success_turns_the_card():
    step = Challenge("physical", 10, (Reveal(2),), None, (Gain(goods(critical=1)),))
    game = play(campaign({1: card(step), 2: card(Reveal(3)), 3: card(END)}), 20)
    assert (game.card, game.hero.talents) == (2, (0, 0, 1))


@pytest.mark.rule("CHAL-7")
@pytest.mark.parametrize(
    "success",
    [
        If(AllOf(), (Reveal(2),)),
        Choose((Choice("On", (Reveal(2),)),)),
        Challenge("mental", 2, (Reveal(2),), (Reveal(2),)),
        Chart("d6", (ChartRow(1, 6, (Reveal(2),)),)),
    ],
)
def test_the_reward_is_not_lost_when_something_in_the_success_may_turn_the_card(success):
    step = Challenge("physical", 10, (Gain(goods(ap=1)), success), None, (Gain(goods(critical=1)),))
    game = play(campaign({1: card(step), 2: card(Reveal(3)), 3: card(END)}, hero=hero(ap=0)), 20)
    assert (game.hero.ap, game.hero.talents) == (1, (0, 0, 1)), "after the success, before any turning"


@pytest.mark.rule("CHAL-7")
def test_without_a_described_success_a_perfect_roll_still_earns_its_reward():
    game = challenge(succeed=None, perfect=(Gain(goods(critical=1)),))(20)
    assert game.hero.talents == (0, 0, 1)


@pytest.mark.rule("CHAL-7")
def test_a_perfect_roll_cannot_be_made_worse():
    game = challenge(who=hero(ap=20))(20)
    assert (won(game), game.hero.ap, game.topic) == (True, 20, "victory"), "no window opened"


@pytest.mark.rule("CHAL-7")
def test_influence_and_talents_never_make_a_perfect_roll():
    who = hero(ap=7, talents={"physical": 5})
    game = challenge(level=22, who=who, perfect=(Gain(goods(critical=1)),))(15)
    game("add 2")
    assert game.hero.talents == (5, 1, 0)


@pytest.mark.rule("CHAL-7")
def test_for_a_crit_miss_roll_only_the_total_counts():
    plain = play(encounter(at(enemy(wounds=5), 8), hero_card=hero(ap=3, talents={"critical": 1})), "dart crab", 19)
    assert plain.foe().wounds == 2, "19 and a talent point make a critical"


@pytest.mark.rule("CHAL-8")
def test_a_missing_outcome_does_nothing():
    assert won(challenge(fail=None)(3)) is None
    assert won(challenge(succeed=None)(15)) is None


def chart(face, *answers, influence=True, ap=7):
    """AP after a D6 chart: 1-2 gives 10, 3-5 gives 20, 6 gives 30 AP."""
    rows = tuple(ChartRow(low, high, (Gain(goods(ap=n)),)) for low, high, n in ((1, 2, 10), (3, 5, 20), (6, 6, 30)))
    game = play(campaign({1: card(Chart("d6", rows, influence), Reveal(2)), 2: card(END)}, hero=hero(ap=ap)))
    return game(f"d6 {face}", *answers)


@pytest.mark.rule("CHAL-9")
def test_a_chart_reads_the_die_by_ranges_and_influence_moves_the_result():
    assert chart(4, ap=0).hero.ap == 20
    assert chart(2, "add 1").hero.ap == 26
    assert chart(6, "subtract 4").hero.ap == 13


@pytest.mark.rule("CHAL-9")
def test_a_card_can_forbid_influence():
    assert chart(4, influence=False).hero.ap == 27


@pytest.mark.rule("CHAL-9")
def test_a_total_past_the_ends_counts_as_the_first_or_last_row():
    from story.dice import read_scale

    scale = ((-(10**9), "1-2"), (3, "3-5"), (6, "6"))
    assert [read_scale(scale, total) for total in (-4, 0, 9)] == ["1-2", "1-2", "6"]


@pytest.mark.rule("CHAL-10")
def test_the_window_offers_the_smallest_amount_for_each_other_outcome_in_reach():
    assert chart(4).offered == ["keep", "subtract 2", "add 2"]
    alone = chart(4, ap=1)
    assert (alone.topic, alone.hero.ap) == ("victory", 21), "one point reaches no other row"


@pytest.mark.rule("CHAL-5", "CHAL-10")
def test_an_enemys_roll_is_read_upwards_and_downwards():
    who = hero(ap=9)
    game = play(encounter(at(enemy(crit=18, miss=5), 8), hero_card=who), "end", 12)
    assert game.offered == ["keep", "add 6", "subtract 7"]
    assert game("add 6").hero.wounds == 2
    assert play(encounter(at(enemy(crit=18, miss=5), 8), hero_card=who), "end", 12, "subtract 7").hero.wounds == 0


@pytest.mark.rule("CHAL-5")
def test_totals_have_no_bounds():
    who = hero(ap=9, crit=24)
    game = play(encounter(at(enemy(wounds=5), 8), hero_card=who), "dart crab", 20)
    assert game.offered == ["keep", "add 4"], "24 is out of the die's reach, not out of hers"
    assert game("add 4").foe().wounds == 2
    low = play(encounter(at(enemy(miss=0, crit=21), 8), hero_card=hero(ap=9)), "end", 2)
    assert low.offered == ["keep", "subtract 2"], "1 by influence is no natural 1, so it would still hit"


@pytest.mark.rule("CHAL-10")
def test_after_the_answer_nothing_more_can_be_added():
    game = challenge(level=12, who=hero(ap=9, satchel={"uku": 2}))(10)
    game("eat uku", "add 2")
    assert (game.topic, won(game), game.hero.ap) == ("victory", True, 8), "nothing more is asked about the roll"


@pytest.mark.rule("CHAL-10")
def test_a_food_alone_opens_the_window_and_none_is_lost_by_keeping():
    game = challenge(who=hero(ap=0, wounds=1, satchel={"breadfruit": 1}))(15)
    assert game.offered == ["keep", "eat breadfruit"]
    assert game("keep").hero.satchel == (1, 0, 0)


@pytest.mark.rule("CHAL-10")
def test_foods_come_first_and_their_points_count():
    game = challenge(who=hero(ap=1, satchel={"uku": 2}))(9)
    assert game.offered == ["keep", "eat uku"]
    game("eat uku", "eat uku")
    assert game.offered == ["keep", "add 3"]


@pytest.mark.rule("CHAL-10")
def test_no_window_opens_where_nothing_can_be_done():
    assert challenge(who=hero(ap=0))(9).topic == "victory"
    game = challenge(who=hero(ap=2, satchel={"breadfruit": 1}))(9)
    assert game.topic == "victory", "three are lacking, and bread does not help the unwounded"
