"""Encounters in the verdicts over states: which rewards they can give, together and apart, and how many wounds."""

from dataclasses import replace

import pytest

from solver.reach import aftermath, replay, verdicts
from solver.reach.aftermath import Aftermath, aftermaths
from solver.reach.crossing import cross
from story.cards import (
    AllOf,
    AtLeast,
    AtMost,
    Choice,
    Choose,
    Encounter,
    Ending,
    Fight,
    Food,
    Gain,
    Goods,
    HeroCard,
    Holds,
    If,
    Instance,
    Lose,
    Placement,
    Reveal,
    Span,
    When,
)
from story.hero import starting_hero
from tests.build import campaign, card, enemy, goods
from tests.solver.crossings import compare_crossing
from tests.solver.generate import encounter

HOME = Ending("home", "Home", "neutral")


def fight(*foes, rounds=1):
    placed = foes or (("crab", 8),)
    return Fight(Encounter(rounds, (3,), tuple(Placement(id, space=space) for id, space in placed)))


def giving(event, when=None):
    """An instance that gives an event for a defeat."""
    return (Instance(When("defeated", when), (Gain(Goods(events=(event,))),)),)


def needing(*clauses):
    return Choice("Locked", (Reveal(2),), AllOf(clauses))


def verdict(step, *clauses, before=(), **parts):
    """Whether an option that needs something is ever open after an encounter."""
    after = Choose((Choice("Leave", (Reveal(3),)), needing(*clauses)))
    found = verdicts(campaign({1: card(*before, step, after), 2: card(HOME), 3: card(HOME)}, **parts).campaign)
    assert found.options["1:1/1"] == "reached"
    return found.options["1:1/2"], found.limit


OATH = Holds("event", "oath")
DEBT = Holds("event", "debt")


@pytest.mark.parametrize("seed", range(0, 24, 6))
def test_no_end_of_an_encounter_is_denied(seed, monkeypatch):
    monkeypatch.setattr(aftermath, "MOST_STEPS", 4_000)
    looked = 0
    for one in range(seed, seed + 6):
        wrong, counts = compare_crossing(replace(encounter(one), position=None), 150)
        assert not wrong, f"seed {one}: {wrong}"
        looked += counts["encounters looked at closely"]
    assert looked >= 3


@pytest.mark.parametrize(("wounds", "expected"), [(4, "reached"), (5, "unreachable")])
def test_a_reward_that_nobody_can_earn_is_unreachable(wounds, expected):
    """7 AP are two darts of two wounds at most."""
    foe = enemy(wounds=wounds, instances=giving("oath"))
    assert verdict(fight(), OATH, enemies={"crab": foe}) == (expected, None)


def test_a_reward_of_the_first_round_alone():
    foe = enemy(wounds=5, instances=giving("oath", (1,)))
    assert verdict(fight(rounds=2), OATH, enemies={"crab": foe}) == ("unreachable", None)
    assert verdict(fight(rounds=2), OATH, enemies={"crab": replace(foe, wounds=4)}) == ("reached", None)


def test_two_rewards_of_which_only_one_can_be_earned():
    both = {
        "crab": enemy(wounds=4, instances=giving("oath")),
        "newt": enemy("newt", wounds=4, instances=giving("debt")),
    }
    step = fight(("crab", 8), ("newt", 9))
    assert verdict(step, OATH, enemies=both) == ("reached", None)
    assert verdict(step, DEBT, enemies=both) == ("reached", None)
    assert verdict(step, OATH, DEBT, enemies=both) == ("unreachable", None)


@pytest.mark.parametrize(("n", "expected"), [(2, "reached"), (3, "unreachable")])
def test_no_more_wounds_than_an_encounter_can_give(n, expected):
    """One enemy, one round, one wound and one more for a critical."""
    assert verdict(fight(), AtLeast("wounds", n), enemies={"crab": enemy(wounds=9)}) == (expected, None)


def test_the_points_that_are_left_decide_what_can_be_earned():
    foe = enemy(wounds=3, instances=giving("oath"))
    lose = Lose(goods(ap=4))
    assert verdict(fight(), OATH, enemies={"crab": foe}) == ("reached", None)
    assert verdict(fight(), OATH, before=[lose], enemies={"crab": foe}) == ("unreachable", None)
    assert verdict(fight(), OATH, before=[lose], enemies={"crab": replace(foe, wounds=2)}) == ("reached", None)


def test_the_points_of_the_way_taken_count_where_others_have_more():
    """Whoever comes by the long way has AP for one dart only, and only she can need what the reward opens."""
    spent = Choice("Spend", (Gain(Goods(events=("debt",))), Reveal(4)), AllOf(), goods(ap=4))
    first = Choose((Choice("Straight", (Reveal(4),)), spent))
    after = Choose((Choice("Leave", (Reveal(3),)), needing(OATH, DEBT), needing(OATH), needing(DEBT)))
    foe = enemy(wounds=3, instances=giving("oath"))
    deck = campaign(
        {1: card(first), 2: card(HOME), 3: card(HOME), 4: card(fight(), after)}, enemies={"crab": foe}
    ).campaign
    found = verdicts(deck)
    assert [found.options[f"1:4/{n}"] for n in (1, 2, 3, 4)] == ["reached", "unreachable", "reached", "reached"]
    assert found.limit is None


def test_an_encounter_that_is_too_large_is_named_as_the_limit(monkeypatch):
    monkeypatch.setattr(aftermath, "MOST_STEPS", 300)
    monkeypatch.setattr(replay, "cross", lambda *crossing: cross(*crossing[:4], 1, 100))
    foes = {id: enemy(id, wounds=5, moves=2, instances=giving("oath", (1,))) for id in ("crab", "newt", "toad")}
    step = Fight(Encounter(3, (3,), tuple(Placement(id) for id in foes)))
    assert verdict(step, OATH, enemies=foes) == ("unknown", "the encounter on card 1:1")


def test_an_advantage_that_an_encounter_may_take_away():
    thief = enemy(wounds=9, attack=None, instances=(Instance(When("round_end"), (Lose(goods(items=["rope"])),)),))
    rope = Holds("item", "rope")
    assert verdict(fight(), rope, before=[Gain(goods(items=["rope"]))], enemies={"crab": thief}) == (
        "unreachable",
        None,
    )


@pytest.mark.parametrize(("n", "expected"), [(2, "reached"), (3, "unreachable")])
def test_no_more_fruit_than_an_encounter_gives(n, expected):
    foe = enemy(wounds=1, instances=(Instance(When("defeated"), (Gain(goods(breadfruit=2)),)),))
    assert verdict(fight(), AtLeast("breadfruit", n), enemies={"crab": foe}) == (expected, None)


def test_a_condition_that_no_encounter_can_make_true_is_told():
    place = Span("chapter-1.yaml", 7, 5, 7, 9)
    never = If(AllOf((OATH,), place), (Reveal(2),))
    deck = campaign(
        {1: card(fight(), never, Reveal(3)), 2: card(HOME), 3: card(HOME)},
        enemies={"crab": enemy(wounds=5, instances=giving("oath"))},
    ).campaign
    told = [(problem.id, problem.line) for problem in verdicts(deck).problems]
    assert ("never-true", 7) in told


def left(library, step, hero):
    return aftermaths(library, step.encounter, hero, lambda: False)


def test_everything_that_can_be_left_behind_with_the_most_wounds():
    foe = enemy(wounds=2, rewards=goods(physical=1), instances=giving("oath"))
    library = campaign({1: card(HOME)}, enemies={"crab": foe}).campaign.library
    hero = starting_hero(HeroCard(satchel=(0, 0, 0)), library)
    won = Aftermath(frozenset({("event", "oath")}), frozenset(), (("physical", 1),))
    assert left(library, fight(), hero) == {Aftermath(frozenset(), frozenset(), ()): 2, won: 0}
    assert left(library, fight(), hero._replace(ap=2)) == {Aftermath(frozenset(), frozenset(), ()): 2}


def test_food_that_both_heals_and_gives_points_is_taken_in_the_large():
    foe = enemy(wounds=5, instances=giving("oath"))
    table = campaign(
        {1: card(fight(), Choose((Choice("Leave", (Reveal(3),)), needing(OATH)))), 2: card(HOME), 3: card(HOME)},
        enemies={"crab": foe},
        hero=HeroCard(satchel=(3,)),
    )
    honey = replace(table.campaign.library, foods=(Food("honey", "Honey", 3, heals=1, ap=3),))
    deck = replace(table.campaign, library=honey)
    assert verdicts(deck).options["1:1/2"] in ("unknown", "reached")


def test_fewer_wounds_than_she_had_are_always_possible():
    assert verdict(
        fight(), AtMost("wounds", 0), hero=HeroCard(wounds=2, satchel=(0, 0, 0)), enemies={"crab": enemy()}
    ) == (
        "reached",
        None,
    )
