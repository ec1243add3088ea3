"""What is said about a card: how it is reached, why it is not, and what locks its options."""

from random import Random

import pytest

from solver.reach import explain, verdicts
from story.cards import (
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Choice,
    Choose,
    Discard,
    Encounter,
    Ending,
    Fight,
    Gain,
    Goods,
    Holds,
    If,
    Instance,
    Lose,
    Not,
    Placement,
    Pull,
    Reveal,
    Span,
    When,
)
from tests.build import campaign, card, enemy, goods
from tests.solver.stories import random_story

HOME = Ending("home", "Home", "neutral")
ROPE, LAMP, OATH = Holds("item", "rope"), Holds("item", "lamp"), Holds("event", "oath")


def option(*clauses, then, say="Locked", cost=None):
    return Choice(say, (Reveal(then),), AllOf(clauses), cost or Goods())


def gain(**things):
    return Gain(goods(**things))


def told(cards, key, **parts):
    """The sentences about a card."""
    deck = campaign(cards, **parts).campaign
    return explain(deck, verdicts(deck), key)


def test_a_way_is_told_by_its_cards_and_its_answers():
    cards = {1: card(Pull((2,)), Choose((option(then=3),))), 2: card(gain(items=["rope"])), 3: card(HOME)}
    assert told(cards, "1:1") == [
        "Card 1:1 is where the campaign begins.",
        'Option 1, "Locked", can be open.',
    ]
    assert told(cards, "1:3") == [
        "Card 1:3 can be reached, by 3 answers through 1:1, 1:2 and 1:1: pull 2, back, choose 1."
    ]


def test_a_long_way_is_told_by_its_ends():
    cards = {n: card(Reveal(n + 1)) for n in range(1, 20)} | {20: card(HOME)}
    (line,) = told(cards, "1:20")
    assert line == (
        "Card 1:20 can be reached, by 19 answers through 1:1, 1:2, 1:3, 1:4, …, 1:16, 1:17, 1:18 and 1:19: "
        "reveal 2, reveal 3, reveal 4, reveal 5, … 11 more …, reveal 17, reveal 18, reveal 19, reveal 20."
    )


def test_what_is_given_too_late_is_told_together():
    given = (gain(items=["rope", "lamp"]), gain(events=["oath"]))
    cards = {
        1: card(Choose((option(then=2, say="Go"), option(ROPE, LAMP, OATH, then=4)))),
        2: card(*given, Choose((option(then=3, say="Go"),))),
        3: card(gain(items=["rope", "lamp"]), HOME),
        4: card(HOME),
    }
    why = "needs item rope and item lamp: given on 2 and 3, both after this card; "
    why += "needs event oath: given on 2, after this card"
    assert told(cards, "1:1")[-1] == f'Option 2, "Locked", is never open: {why}.'
    assert told(cards, "1:4") == [
        "Card 1:4 can never be reached.",
        f"Option 2 of card 1:1 reveals it, but is never open: {why}.",
    ]


def test_what_excludes_each_other_is_told():
    one = Choice("Rope", (gain(items=["rope"]), Lose(goods(items=["lamp"])), Reveal(2)))
    other = Choice("Lamp", (gain(items=["lamp"]), Lose(goods(items=["rope"])), Reveal(2)))
    cards = {
        1: card(Choose((one, other))),
        2: card(Choose((option(ROPE, LAMP, then=3), option(then=3)))),
        3: card(HOME),
    }
    assert told(cards, "1:2")[1] == (
        'Option 1, "Locked", is never open: needs item rope and item lamp: given on 1; '
        "each can be had, but never all at once here."
    )


def test_what_nobody_can_earn_is_told():
    crab = enemy(wounds=5, instances=(Instance(When("defeated"), (gain(events=["oath"]),)),))
    fight = Fight(Encounter(1, (3,), (Placement("crab", space=8),)))
    cards = {1: card(fight, Choose((option(OATH, then=2), option(then=2))))}
    cards[2] = card(HOME)
    lines = told(cards, "1:1", enemies={"crab": crab})
    assert lines[1].endswith("is never open: needs event oath: given on 1, in an encounter where nobody can earn it.")
    also = {1: card(fight, Choose((option(OATH, then=2), option(then=3)))), 2: card(HOME), 3: card(*cards[1][2])}
    also[3] = card(gain(events=["oath"]), HOME)
    assert "nobody" not in told(also, "1:1", enemies={"crab": crab})[1]


def test_the_condition_that_keeps_a_card_away_is_told():
    asked = AllOf((ROPE,), Span("chapter-1.yaml", 3, 4, 3, 9))
    cards = {1: card(If(asked, (Reveal(2),), ()), Reveal(3)), 2: card(HOME), 3: card(HOME)}
    assert told(cards, "1:2") == [
        "Card 1:2 can never be reached.",
        "Card 1:1 reveals it only with item rope (given nowhere), which never comes about there.",
    ]


def test_a_card_that_is_gone_is_told_with_who_discards_it():
    cards = {1: card(Discard(2), Choose((option(then=2), option(then=3)))), 2: card(HOME), 3: card(HOME)}
    assert told(cards, "1:1")[1] == 'Option 1, "Locked", is never open: leads to 1:2 alone, discarded on 1.'


def test_options_of_a_card_beyond_reach_are_not_blamed():
    cards = {1: card(HOME), 2: card(Choose((option(then=1), option(ROPE, then=1))))}
    assert told(cards, "1:2") == [
        "Card 1:2 can never be reached.",
        "No card reveals, pulls or draws it.",
        'Option 1, "Locked", is as far out of reach as its card.',
        'Option 2, "Locked", is as far out of reach as its card: needs item rope: given nowhere.',
    ]


def test_every_kind_of_need_reads_like_a_sentence():
    needs = (
        Not(AllOf((ROPE,))),
        Not(AllOf((AtLeast("physical", 2),))),
        Not(AllOf((ROPE, LAMP))),
        AnyOf((AllOf((OATH,)), AllOf((AtMost("wounds", 2),)))),
        AtLeast("uku", 1),
    )
    cards = {1: card(gain(uku=1), Choose((option(*needs, then=2, cost=goods(ap=2)),))), 2: card(HOME)}
    assert told(cards, "1:1")[1] == (
        'Option 1, "Locked", can be open: needs no item rope (given nowhere); needs fewer than 2 physical talent; '
        "needs not all of item rope (given nowhere) and item lamp (given nowhere); "
        "needs event oath (given nowhere) or at most 2 wounds; needs 1 Uku (given on 1); costs 2 AP."
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_card_of_any_story_is_explained_in_sentences(seed):
    deck = random_story(Random(seed))
    found = verdicts(deck, states=5_000)
    for key, verdict in found.cards.items():
        first, *rest = explain(deck, found, key)
        word = {"reached": "can be reached", "unreachable": "can never be reached", "unknown": "is not known"}[verdict]
        assert word in first or first.endswith("is where the campaign begins.")
        assert all(line.endswith(".") for line in (first, *rest))
        options = [line for line in rest if line.startswith("Option ") and " of card " not in line.split('"')[0]]
        assert len(options) == sum(option.startswith(f"{key}/") for option in found.options)
