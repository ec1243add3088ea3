"""Navigation: reveal, pull, discard, unnumbered cards, choices (section 1)."""

import pytest

from story.cards import (
    AllOf,
    Challenge,
    Choice,
    Choose,
    Discard,
    Discarded,
    DrawCard,
    Ending,
    Gain,
    Holds,
    If,
    Lose,
    Pull,
    Reveal,
)
from story.prompts import AnswerError
from tests.build import campaign, card, goods, hero, play

END = Ending("home", "Home", "victory")


def choices(*said):
    """A question with these ``(words, step)`` options."""
    return Choose(tuple(Choice(words, (step,)) for words, step in said))


@pytest.mark.rule("NAV-1")
def test_the_game_starts_on_card_1_of_chapter_1():
    game = play(campaign({1: card(Reveal(2)), 2: card(END)}, {1: card(END)}))
    assert (game.state.journey.chapter, game.card) == (1, 1)


@pytest.mark.rule("NAV-2")
def test_reveal_leaves_the_card_and_does_nothing_more_of_it():
    game = play(campaign({1: card(Reveal(2), Gain(goods(ap=5))), 2: card(choices(("On", Reveal(3)))), 3: card(END)}))
    assert game.offered == ["reveal 2"]
    game("reveal 2")
    assert (game.card, game.hero.ap) == (2, 7)


@pytest.mark.rule("NAV-2")
def test_after_a_choice_the_card_turns_at_once():
    game = play(campaign({1: card(choices(("On", Reveal(2)))), 2: card(Reveal(3)), 3: card(END)}), "choose 1")
    assert game.card == 2


@pytest.mark.rule("NAV-3")
def test_a_pulled_card_returns_to_the_card_that_pulled_it_and_pulls_nest():
    deck = {
        1: card(Pull((2,)), Gain(goods(ap=1)), choices(("On", Reveal(4)))),
        2: card(Pull((3,)), Gain(goods(ap=1))),
        3: card(),
        4: card(END),
    }
    game = play(campaign(deck), "pull 2", "pull 3")
    assert game.state.journey.reading == (1, 2, 3)
    game("back")
    assert game.state.journey.reading == (1,), "card 2 was read before card 3 was pulled, so it closes by itself"
    assert (game.card, game.hero.ap, game.offered[0]) == (1, 9, "choose 1")


@pytest.mark.rule("NAV-3")
def test_several_cards_are_pulled_one_after_the_other():
    game = play(campaign({1: card(Pull((2, 3)), Reveal(4)), 2: card(), 3: card(), 4: card(END)}), "pull 2", "back")
    assert game.card == 3
    game("back")
    assert game.card == 4


@pytest.mark.rule("NAV-3")
def test_a_pulled_card_that_reveals_drops_the_cards_below_it():
    deck = {
        1: card(Pull((2,)), Gain(goods(ap=9))),
        2: card(Reveal(3)),
        3: card(choices(("On", Reveal(4)))),
        4: card(END),
    }
    game = play(campaign(deck), "pull 2", "reveal 3")
    assert game.state.journey.reading == (3,)
    assert game("choose 1").hero.ap == 7


@pytest.mark.rule("NAV-3")
def test_an_outcome_that_pulls_goes_on_with_its_next_prompt_and_then_with_the_card():
    succeed = (Pull((2,)), Gain(goods(ap=2)))
    deck = {
        1: card(Challenge("physical", 5, succeed), Gain(goods(ap=4)), choices(("On", Reveal(4)))),
        2: card(Pull((3,)), Gain(goods(ap=1))),
        3: card(choices(("Hm", Gain(goods(ap=8))))),
        4: card(END),
    }
    game = play(campaign(deck, hero=hero(ap=0)), 10)
    assert (game.card, game.hero.ap) == (2, 0)
    game("pull 3")
    assert game.hero.ap == 0
    game("choose 1")
    assert (game.state.journey.reading, game.hero.ap) == ((1,), 15)


@pytest.mark.rule("NAV-3")
def test_a_card_pulled_deep_down_that_reveals_drops_all_below_it():
    deck = {
        1: card(Pull((2,)), Gain(goods(ap=9)), Reveal(5)),
        2: card(Pull((3,)), Gain(goods(ap=9))),
        3: card(Challenge("mental", 5, (Reveal(4),))),
        4: card(choices(("On", Reveal(5)))),
        5: card(END),
    }
    game = play(campaign(deck, hero=hero(ap=0)), "pull 2", "pull 3", 10)
    assert (game.state.journey.reading, game.hero.ap) == ((4,), 0)
    assert game("choose 1").topic == "victory"


@pytest.mark.rule("NAV-4")
def test_a_pull_of_several_cards_leaves_out_the_discarded_ones():
    game = play(campaign({1: card(Discard(2), Pull((2, 3)), Reveal(4)), 2: card(), 3: card(), 4: card(END)}))
    assert game.offered == ["pull 3"]
    assert game("pull 3", "back").topic == "victory"


@pytest.mark.rule("NAV-4")
def test_a_choice_that_does_more_than_lead_to_a_discarded_card_stays():
    both = Choice("Look", (Gain(goods(ap=1)), Reveal(2)))
    some = Choice("Go", (Pull((2, 3)), Reveal(4)))
    deck = {1: card(Discard(2), Choose((both, some)), Reveal(4)), 2: card(END), 3: card(), 4: card(END)}
    assert play(campaign(deck)).offered == ["choose 1", "choose 2"]
    assert play(campaign(deck), "choose 1").hero.ap == 8


@pytest.mark.rule("NAV-4")
def test_a_discarded_card_is_drawn_no_more():
    heads = {f"heads:{name}": ("Head", "It speaks.", ()) for name in ("ann", "bob")}
    deck = {1: card(Discard("heads:ann"), DrawCard("heads"), Reveal(2)), 2: card(END)}
    assert play(campaign(deck, specials=heads, decks={"heads": ("ann", "bob")}), "draw heads").offered == ["pick bob"]


@pytest.mark.rule("NAV-4")
def test_a_reveal_or_pull_of_a_discarded_card_does_nothing():
    game = play(campaign({1: card(Discard(2), Reveal(2), Pull((2,)), Reveal(3)), 2: card(END), 3: card(END)}))
    assert game.offered == ["reveal 3"]


@pytest.mark.rule("NAV-4")
def test_a_choice_that_leads_only_to_a_discarded_card_is_not_offered():
    deck = {
        1: card(Discard(2), choices(("Gone", Reveal(2)), ("Gone too", Pull((2,))), ("There", Reveal(3)))),
        2: card(END),
        3: card(END),
    }
    assert play(campaign(deck)).offered == ["choose 3"]


@pytest.mark.rule("NAV-4")
def test_a_card_can_discard_itself_and_conditions_know():
    condition = AllOf((Discarded(2),))
    deck = {
        1: card(Pull((2,)), If(condition, (Gain(goods(ap=1)),)), Pull((2,)), Reveal(3)),
        2: card(Discard(None)),
        3: card(END),
    }
    game = play(campaign(deck), "pull 2", "back")
    assert (game.topic, game.hero.ap, game.state.journey.discarded) == ("victory", 8, {(1, 2)})


@pytest.mark.rule("NAV-5")
def test_a_draw_shows_each_unnumbered_card_once():
    heads = {f"heads:{name}": ("Head", "It speaks.", (Gain(goods(ap=1)),)) for name in ("ann", "bob")}
    deck = {1: card(DrawCard("heads"), DrawCard("heads"), DrawCard("heads"), Reveal(2)), 2: card(END)}
    game = play(campaign(deck, specials=heads, decks={"heads": ("ann", "bob")}), "draw heads")
    assert game.topic == "draw"
    assert game.offered == ["pick ann", "pick bob"]
    game("pick bob", "back")
    assert game.offered == ["pick ann"]
    game("pick ann", "back")
    assert (game.topic, game.hero.ap) == ("victory", 9), "an empty deck gives nothing"


@pytest.mark.rule("NAV-5")
def test_an_unnumbered_card_is_pulled_by_its_id():
    heads = {"heads:ann": ("Ann", "It speaks.", (Gain(goods(ap=1)),))}
    game = play(campaign({1: card(Pull(("heads:ann",)), Reveal(2)), 2: card(END)}, specials=heads), "pull ann", "back")
    assert game.hero.ap == 8


@pytest.mark.rule("NAV-6")
def test_a_question_tells_nothing_of_the_cards_it_leads_to():
    deck = {1: card(choices(("Knock", Reveal(2)))), 2: card(END, title="The Trap", text="Spikes.")}
    game = play(campaign(deck))
    assert "Trap" not in repr(game.prompt)
    assert "Spikes" not in repr(game.prompt)


def locked(needs=None, **parts):
    """A card with one guarded option and one open one."""
    guarded = Choice("Climb", (Reveal(2),), needs or AllOf(), **parts)
    return campaign({1: card(Choose((guarded, Choice("Walk", (Reveal(3),))))), 2: card(END), 3: card(END)})


@pytest.mark.rule("NAV-7")
def test_a_locked_choice_is_shown_with_its_reason_and_refused():
    game = play(locked(AllOf((Holds("item", "rope"),))))
    assert game.offered == ["choose 2"]
    assert [(lock.place, lock.say, lock.reason) for lock in game.prompt.locked] == [(1, "Climb", "needs item Rope")]
    before = game.state
    with pytest.raises(AnswerError, match="not offered"):
        game("choose 1")
    assert game.state == before


@pytest.mark.rule("NAV-7")
def test_a_hidden_choice_is_not_shown_until_it_is_open():
    game = play(locked(AllOf((Holds("item", "rope"),)), hidden=True))
    assert (game.offered, game.prompt.locked) == (["choose 2"], ())


@pytest.mark.rule("NAV-7")
def test_a_price_is_asked_for_and_paid():
    assert play(locked(cost=goods(ap=8))).prompt.locked[0].reason == "needs 8 AP"
    game = play(locked(cost=goods(ap=3)))
    assert game.prompt.options[0].cost == "3 AP"
    assert game("choose 1").hero.ap == 4


@pytest.mark.rule("NAV-7")
def test_a_choice_for_once_is_gone_when_taken():
    again = Choose((Choice("Rest", (Reveal(1),), once=True), Choice("Go", (Reveal(2),))))
    game = play(campaign({1: card(again), 2: card(END)}))
    assert game.offered == ["choose 1", "choose 2"]
    assert game("choose 1").offered == ["choose 2"]


@pytest.mark.rule("NAV-4", "NAV-7")
def test_a_question_with_nothing_left_to_show_does_nothing():
    again = Choose((Choice("Ask", (Gain(goods(ap=1)),), once=True), Choice("Gone", (Reveal(4),))))
    deck = {1: card(Discard(4), Pull((2,)), Pull((2,)), Reveal(3)), 2: card(again), 3: card(END), 4: card(END)}
    game = play(campaign(deck), "pull 2")
    assert game.offered == ["choose 1"]
    game("choose 1")
    assert (game.card, game.offered, game.hero.ap) == (2, ["back"], 8), "asked once, the pulled card is only read"
    assert game("back").topic == "victory"


@pytest.mark.rule("NAV-7")
def test_a_card_with_nothing_left_to_choose_says_so_instead_of_hanging():
    deck = {1: card(Lose(goods(ap=7)), Choose((Choice("Pay", (Reveal(2),), cost=goods(ap=1)),))), 2: card(END)}
    assert play(campaign(deck)).topic == "stuck"
