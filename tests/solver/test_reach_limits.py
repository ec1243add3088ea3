"""Limits of the verdicts over states: an end at any moment, deep pulls, traps that are not excluded."""

import sys
from itertools import count
from pathlib import Path

import pytest

from solver.reach import verdicts
from solver.reach.program import AGAIN
from story.cards import AllOf, Choice, Discard, Ending, Gain, Holds, Lose, Pull, Reveal, Tavern
from story.decks import HERE
from story.load import load_campaign
from tests.build import campaign, card, goods, ways

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "scripts"))
import generate_decks

HOME = Ending("home", "Home", "neutral")


def made(cards, **parts):
    return campaign(cards, **parts).campaign


def tables(found):
    return {**found.cards, **found.options, **{f"ending {id}": verdict for id, verdict in found.endings.items()}}


@pytest.mark.parametrize("after", [1, 2, 3, 5, 8, 20, 60, 200, 500])
def test_an_end_at_any_moment_claims_nothing_that_the_whole_search_denies(after, tmp_path):
    deck = load_campaign(generate_decks.write(generate_decks.rooms(12, 3), tmp_path))
    asked = count(1)
    found = verdicts(deck, stop=lambda: next(asked) > after)
    whole = tables(verdicts(deck))
    for key, verdict in tables(found).items():
        assert verdict in ("unknown", whole[key]), key
    assert found.limit == ("it was stopped" if found.unknown else None)
    assert found.unknown or next(asked) <= after


def test_every_long_loop_asks_whether_to_go_on(tmp_path):
    """Between two questions for the time there is little work, in a wide deck too."""
    deck = load_campaign(generate_decks.write(generate_decks.web(400), tmp_path))
    asked = count(1)
    verdicts(deck, stop=lambda: next(asked) < 0)
    assert next(asked) > 400


def test_pulls_as_deep_as_a_deck_can_have_them_are_followed():
    deep = 40
    cards = {n: card(Pull((n + 1,))) for n in range(2, deep)}
    cards[1] = card(Pull((2,)), ways((Reveal(deep + 1),)))
    cards[deep] = card(Gain(goods(items=["rope"])), Discard(None))
    cards[deep + 1] = card(HOME)
    found = verdicts(made(cards))
    assert set(tables(found).values()) == {"reached"}


def test_a_card_that_pulls_itself_is_named_as_the_limit():
    rope = AllOf((Holds("item", "rope"),))
    question = ways((Pull((1,)),), (Reveal(2),), Choice("Locked", (Reveal(3),), rope))
    deck = made({1: card(question), 2: card(HOME), 3: card(HOME)})
    found = verdicts(deck)
    assert found.cards == {"1:1": "reached", "1:2": "reached", "1:3": "unknown"}
    assert found.limit == f"card 1:1 pulled within itself {AGAIN} times"


def undecided(found):
    return [problem for problem in found.problems if problem.id == "traps-undecided"]


def test_traps_that_are_not_excluded_are_told_with_what_stopped_the_search():
    there = made({1: card(ways((Reveal(2),))), 2: card(HOME)})
    assert not undecided(verdicts(there))
    key = Choice("Key", (Gain(goods(items=["rope"])), Reveal(2)))
    door = Choice("Out", (Reveal(4),), AllOf((Holds("item", "rope"),)))
    again = made({1: card(ways(key, (Reveal(2),))), 2: card(ways((Reveal(1),), door)), 4: card(HOME)})
    whole = verdicts(again)
    assert not undecided(whole)
    most = whole.states - 1
    (problem,) = undecided(verdicts(again, states=most))
    assert problem.severity == "info"
    assert problem.hint.startswith("allow more with --seconds and --states, or give each loop of cards a way")
    assert problem.hint.endswith(f"{most} states")
    tavern = made({1: card(ways((Reveal(2),), (Tavern(1, 1, "drinks", 1, (), (Reveal(2),)),))), 2: card(HOME)})
    (problem,) = undecided(verdicts(tavern))
    assert problem.hint.startswith("reveal cards there instead of pulling them, or leave it out;")
    assert "tavern" in problem.hint


def test_the_starter_has_nothing_undecided():
    assert not undecided(verdicts(load_campaign(HERE / "starter")))


def test_a_trap_that_is_found_needs_no_further_remark():
    key = Choice("Key", (Gain(goods(items=["rope"])), Reveal(2)))
    door = Choice("Out", (Reveal(4),), AllOf((Holds("item", "rope"),)))
    deck = made(
        {
            1: card(ways(key, (Reveal(2),))),
            2: card(ways((Lose(goods(items=["lamp"])), Reveal(3)), door)),
            3: card(ways((Reveal(2),))),
            4: card(HOME),
        }
    )
    assert [problem.id for problem in verdicts(deck).problems] == ["trap"]
