"""Unlimited gain: loops that give more and more for nothing, through encounters too."""

import pytest

from solver.reach import verdicts
from story.cards import (
    AllOf,
    AtLeast,
    AtMost,
    Choice,
    Choose,
    Count,
    Encounter,
    Ending,
    Fight,
    Gain,
    Goods,
    Heal,
    HeroCard,
    Holds,
    If,
    Instance,
    Lose,
    Placement,
    Reveal,
    When,
    Wound,
)
from tests.build import campaign, card, enemy, goods

HOME = Ending("home", "Home", "neutral")
FIGHT = Fight(Encounter(1, (3,), (Placement("crab", space=8),)))


def gains(steps, *needs, cost=None, wounds=1, given=None, lead=(), hero=None):
    """What is told of a card whose first option does some steps and comes back; the other options read amounts."""
    loop = Choice("Again", (*steps, Reveal(2)), AllOf(), cost or Goods())
    read = [Choice(f"Needs {i}", (Reveal(3),), AllOf((need,))) for i, need in enumerate(needs)]
    instances = (Instance(When("defeated"), (given,)),) if given else ()
    deck = campaign(
        {1: card(*lead, Reveal(2)), 2: card(Choose((loop, *read, Choice("Leave", (Reveal(3),))))), 3: card(HOME)},
        enemies={"crab": enemy(wounds=wounds, instances=instances)},
        hero=hero,
    ).campaign
    return [(p.severity, p.message) for p in verdicts(deck).problems if p.id == "endless-gain"]


UKU = Gain(goods(uku=1))


def test_a_reward_that_can_be_fetched_again_and_again_is_told_as_luck():
    assert gains([FIGHT], AtLeast("uku", 3), given=UKU) == [
        ("info", "on card 2 Uku can be had, with luck, again and again without cost")
    ]


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([FIGHT], {"given": UKU, "wounds": 9}),
        ([FIGHT, Wound(1)], {"given": UKU}),
        ([FIGHT], {"given": UKU, "cost": goods(breadfruit=1), "hero": HeroCard(satchel=(3, 0, 0))}),
        ([FIGHT], {"given": Gain(goods(events=["oath"]))}),
        ([FIGHT, Lose(goods(uku=1))], {"given": UKU}),
    ],
    ids=["nobody earns it", "wounds", "a price", "a card is had once", "taken again"],
)
def test_what_an_encounter_gives_at_a_price_or_once_or_never_is_no_gain(steps, parts):
    asked = (AtLeast("uku", 2), AtLeast("breadfruit", 1), Holds("event", "oath"))
    assert gains(steps, *asked, **parts) == []


def test_the_points_that_an_encounter_resets_are_no_gain():
    assert gains([FIGHT], AtLeast("ap", 5), lead=[Lose(goods(ap=5))]) == []


def test_a_loop_that_its_own_gain_closes_is_no_gain_for_ever():
    """The option that comes back is open to the poor alone."""
    loop = Choice("Again", (FIGHT, Reveal(2)), AllOf((AtMost("uku", 0),)))
    deck = campaign(
        {
            1: card(Reveal(2)),
            2: card(
                Choose((loop, Choice("Leave", (Reveal(3),), AllOf((AtLeast("uku", 1),))), Choice("Go", (Reveal(3),))))
            ),
            3: card(HOME),
        },
        enemies={"crab": enemy(wounds=1, instances=(Instance(When("defeated"), (UKU,)),))},
    ).campaign
    assert "endless-gain" not in [problem.id for problem in verdicts(deck).problems]


@pytest.mark.parametrize("most", [0, 3])
def test_a_gain_that_stops_at_some_height_is_not_for_ever(most):
    once = If(AllOf((AtMost("physical", most),)), (Gain(goods(physical=1)),), ())
    assert gains([once], AtLeast("physical", 1)) == []


def test_a_gain_up_to_the_cap_of_a_talent_is_told():
    assert gains([Gain(goods(physical=1))], AtLeast("physical", 1)) == [
        ("warning", "on card 2 physical talent can be had again and again without cost")
    ]


def test_healing_without_cost_is_told():
    told = gains([Heal(1)], AtMost("wounds", 2), lead=[Wound(4)])
    assert told == [("warning", "on card 2 healing can be had again and again without cost")]


def test_a_counter_alone_is_only_worth_knowing():
    loop = Choice("Wait", (Count("tide", 1), Reveal(1)))
    deck = campaign(
        {1: card(Choose((loop, Choice("Leave", (Reveal(2),), AllOf((AtLeast("tide", 3),)))))), 2: card(HOME)},
        counters={"tide": "Tide"},
    ).campaign
    assert [(p.severity, p.id) for p in verdicts(deck).problems] == [("info", "endless-gain")]
