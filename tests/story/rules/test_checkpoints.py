"""Checkpoints, at the table and in a session (section 14)."""

import pytest

from runner.session import Session
from story.cards import Choice, Choose, Discard, DrawCard, Ending, Gain, Lose, NextChapter, Pull, Reveal, Wound
from tests.build import campaign, card, goods, hero, play

END = Ending("home", "Home", "victory")
KEPT = Gain(goods(events=["oath"], items=["rope"], actions=["stun"], physical=2, breadfruit=1, ap=3, ap_reset=1))
FIRST = {1: card(KEPT, Wound(2), Discard(2), Choose((Choice("On", (NextChapter(),)),))), 2: card(END)}
REST = Choose((Choice("Rest", (Reveal(1),), once=True), Choice("Go", (Reveal(2),))))
SECOND = {
    1: card(REST),
    2: card(
        Lose(goods(events=["oath"], items=["rope"], actions=["stun"], physical=9, ap=9)),
        Discard(1),
        DrawCard("heads"),
        Pull((3,)),
        Wound(9),
    ),
    3: card(Gain(goods(critical=1))),
}
HEADS = {"heads:ann": ("Ann", "It speaks.", ())}
TABLE = campaign(FIRST, SECOND, specials=HEADS, decks={"heads": ("ann",)}, hero=hero())


def session(*given):
    made = Session(TABLE, 1)
    for answer in given:
        made.answer(answer)
    return made


@pytest.mark.rule("CHK-1")
def test_a_chapter_begins_with_all_that_the_last_one_left():
    state = play(TABLE, "choose 1").state
    assert (state.journey.chapter, state.journey.reading) == (2, (1,))
    assert (state.hero.wounds, state.hero.ap, state.hero.ap_reset) == (2, 10, 8)
    assert (state.hero.items, state.hero.events, state.hero.actions) == ({"rope"}, {"oath"}, {"stun"})


@pytest.mark.rule("CHK-1")
def test_a_card_discarded_in_one_chapter_is_not_missing_in_another():
    assert play(TABLE, "choose 1", "choose 2").card == 2


@pytest.mark.rule("CHK-1")
def test_each_chapter_is_marked_where_it_begins_and_the_first_can_always_be_restarted():
    assert session().checkpoints == {1: 0}
    game = session("choose 1", "choose 1")
    assert game.checkpoints == {1: 0, 2: 1}
    game.restart(1)
    assert game.state == TABLE.start()


@pytest.mark.rule("CHK-2")
def test_after_a_death_everything_earned_or_lost_since_the_chapter_began_is_undone():
    began = session("choose 1").state
    game = session("choose 1", "choose 1", "choose 2", "draw heads", "pick ann", "back", "back", "keep")
    assert game.prompt.kind == "death"
    assert game.state.hero.items == frozenset()
    assert game.state.journey.drawn
    game.restart()
    assert game.state == began
    assert "choose 1" in [option.answer for option in game.prompt.options], "what may be done once may be done again"
