"""Event, item and action cards (section 5)."""

import pytest

from story.cards import (
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Choice,
    Choose,
    Count,
    Discard,
    Ending,
    Gain,
    Holds,
    If,
    Lose,
    Not,
    Pull,
    Reveal,
)
from tests.build import at, campaign, card, encounter, enemy, goods, hero, play

END = Ending("home", "Home", "victory")


def asked(condition, *steps):
    """Whether a condition holds after some steps."""
    found = If(condition, (Gain(goods(critical=1)),))
    game = play(campaign({1: card(*steps, found, Reveal(2)), 2: card(END)}, counters={"tide": "Tide"}))
    return game.hero.talents[2] == 1


@pytest.mark.rule("INV-1", "INV-2")
def test_events_and_items_are_kept_and_asked_for_by_name():
    kept = Gain(goods(events=["oath"], items=["rope", "lamp"]))
    for kind, id in (("event", "oath"), ("item", "rope"), ("item", "lamp")):
        assert asked(AllOf((Holds(kind, id),)), kept)
        assert not asked(AllOf((Holds(kind, id),)))
    assert not asked(AllOf((Holds("event", "rope"),)), kept), "each kind has its own inventory"


@pytest.mark.rule("INV-3")
def test_an_action_card_makes_its_action_available_and_dart_shot_is_always_there():
    crab = at(enemy(wounds=5), 8)
    assert "dodge" not in play(encounter(crab)).offered
    assert "dart crab" in play(encounter(crab)).offered
    able = play(encounter(crab, hero_card=hero(actions=["dodge", "stun"]))).offered
    assert {"dodge", "dart crab", "dart crab +stun"} <= set(able)


@pytest.mark.rule("INV-3")
def test_an_action_gained_on_the_playfield_can_be_used_at_once():
    idol = enemy("imp", wounds=1, rewards=goods(actions=["dodge"]))
    game = play(encounter(at(idol, 8), rounds=1), "dart imp", 10)
    assert "dodge" in game.offered


@pytest.mark.rule("INV-4")
def test_a_card_can_be_lost_or_used_up():
    kept, gone = Gain(goods(items=["rope"])), Lose(goods(items=["rope", "lamp"]))
    assert not asked(AllOf((Holds("item", "rope"),)), kept, gone)
    spend = Choose((Choice("Tie it", (Reveal(2),), cost=goods(items=["rope"])),))
    game = play(campaign({1: card(kept, spend), 2: card(END)}))
    assert game("choose 1").hero.items == frozenset()


@pytest.mark.rule("INV-1")
def test_conditions_join_deny_and_count():
    rope, lamp = AllOf((Holds("item", "rope"),)), AllOf((Holds("item", "lamp"),))
    kept = Gain(goods(items=["rope"], physical=2))
    assert asked(AllOf((AnyOf((lamp, rope)), Not(lamp), AtLeast("physical", 2), AtMost("physical", 2))), kept)
    assert not asked(AllOf((Holds("item", "rope"), Holds("item", "lamp"))), kept)
    assert not asked(AllOf((AtLeast("physical", 3),)), kept)
    assert asked(AllOf((AtLeast("tide", 2),)), Count("tide", 1), Count("tide", 1))
    assert asked(AllOf((AtMost("tide", 0),)), Count("tide", 1), Count("tide", -5))


@pytest.mark.rule("INV-1", "INV-2", "INV-3", "INV-4")
def test_what_is_told_names_the_rule_of_each_inventory():
    kept = goods(events=["oath"], items=["lamp"], actions=["stun"])
    game = play(campaign({1: card(Gain(kept), Gain(kept), Lose(kept), Lose(kept), Reveal(2)), 2: card(END)}))
    told = [(told.text, told.rule) for told in game.told if "Lamp" in told.text]
    assert told == [("You gain Oath, Lamp, Stun.", "INV-1 INV-2 INV-3"), ("You lose Oath, Lamp, Stun.", "INV-4")]


@pytest.mark.rule("INV-3")
def test_the_player_pulls_one_of_two_starting_action_cards():
    cards = {2: card(Gain(goods(actions=["stun"]))), 3: card(Gain(goods(actions=["poison"])))}
    ask = Choose((Choice("Left", (Pull((2,)), Discard(3))), Choice("Right", (Pull((3,)), Discard(2)))))
    game = play(campaign({1: card(ask, Reveal(4)), **cards, 4: card(END)}), "choose 2", "back")
    assert game.hero.actions == {"poison"}
