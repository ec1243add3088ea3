"""Verdicts over states: reached with a way that can be played, unreachable only where it is true, limits named."""

import sys
import time
from pathlib import Path
from random import Random

import pytest

from solver.reach import explain, verdicts
from solver.reach.flow import invariants
from solver.reach.program import Program
from solver.reach.search import Limits, Search, Towards
from story.campaign import CampaignTable
from story.cards import (
    AllOf,
    AtLeast,
    AtMost,
    Choice,
    Discard,
    Ending,
    Fight,
    Gain,
    Goods,
    HeroCard,
    Holds,
    If,
    Instance,
    Lose,
    Not,
    Pull,
    Reveal,
    Span,
    Tavern,
    When,
    Wound,
)
from story.decks import HERE
from story.load import load_campaign
from story.prompts import Over
from tests.build import campaign, card, enemy, goods, ways
from tests.solver.stories import compare, random_story

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "scripts"))
import generate_decks

HOME = Ending("home", "Home", "neutral")


def made(cards, **parts):
    """The campaign of some cards."""
    return campaign(cards, **parts).campaign


def needing(*clauses, then=2, **parts):
    return Choice("Locked", (Reveal(then),), AllOf(clauses), **parts)


def ids(found, severity=None):
    return [problem.id for problem in found.problems if severity in (None, problem.severity)]


def follow(deck, answers):
    table = CampaignTable(deck)
    state = table.start()
    for answer in answers:
        state = table.answer(state, answer)
    return table, state


@pytest.mark.parametrize("seed", range(0, 240, 40))
def test_verdicts_agree_with_enumeration(seed):
    for one in range(seed, seed + 40):
        wrong, _ = compare(random_story(Random(one)), 1_200)
        assert not wrong, f"seed {one}: {wrong}"


def test_everything_in_the_starter_is_reached_by_ways_that_can_be_played():
    deck = load_campaign(HERE / "starter")
    found = verdicts(deck)
    assert set(found.cards.values()) | set(found.options.values()) | set(found.endings.values()) == {"reached"}
    assert found.limit is None
    assert not found.problems
    assert not found.judge.traps_open
    for key, answers in found.witness.items():
        table, state = follow(deck, answers)
        if key in found.endings:
            assert state.over.id == key
        elif key in found.cards:
            at = table.card(state).ref
            assert key == (at if isinstance(at, str) else f"{state.journey.chapter}:{at}")


@pytest.mark.parametrize(("k", "seconds"), [(16, 1), (60, 5)])
def test_a_vault_behind_a_contradiction_is_proven_shut_whatever_the_number_of_flags(k, seconds, tmp_path):
    deck = load_campaign(generate_decks.write(generate_decks.flags(k), tmp_path))
    began = time.process_time()
    found = verdicts(deck)
    assert time.process_time() - began < seconds
    shut = [key for key, verdict in found.cards.items() if verdict != "reached"]
    assert (shut, found.cards[shut[0]], found.endings) == (
        [f"1:{k + 3}"],
        "unreachable",
        {"vault": "unreachable", "home": "reached"},
    )
    assert [key for key, verdict in found.options.items() if verdict != "reached"] == [f"1:{k + 2}/{k + 1}"]


def test_a_chain_of_rooms_with_items_costs_foods_and_talents_is_decided(tmp_path):
    deck = load_campaign(generate_decks.write(generate_decks.rooms(24, 6), tmp_path))
    found = verdicts(deck)
    assert found.limit is None
    assert found.cards["1:26"] == "reached"
    assert found.endings == {"out": "reached", "lie": "unreachable"}


def test_ids_given_only_beyond_the_lock_do_not_open_it():
    deck = made(
        {
            1: card(ways((Reveal(3),), needing(Holds("item", "rope")))),
            2: card(HOME),
            3: card(Gain(goods(items=["rope"])), HOME),
        }
    )
    found = verdicts(deck)
    assert found.cards == {"1:1": "reached", "1:2": "unreachable", "1:3": "reached"}
    assert found.options == {"1:1/1": "reached", "1:1/2": "unreachable"}
    assert ids(found) == ["unreachable-card", "unreachable-option"]
    text = explain(deck, found, "1:1")
    assert 'Option 2, "Locked", is never open: needs item rope: given on 3, after this card.' in text
    assert any("is never open" in line for line in explain(deck, found, "1:2")[1:])
    with pytest.raises(KeyError):
        explain(deck, found, "1:99")


def test_a_shortest_way_is_found():
    deck = made({1: card(ways((Reveal(2),), (Reveal(3),))), 2: card(ways((Reveal(3),))), 3: card(HOME)})
    assert verdicts(deck).witness["home"] == ["choose 2"]


def test_a_soft_lock_is_shown():
    deck = made(
        {
            1: card(ways((Gain(goods(items=["rope"])), Reveal(2)), (Reveal(2),))),
            2: card(ways(needing(Holds("item", "rope"), then=3))),
            3: card(HOME),
        }
    )
    found = verdicts(deck)
    assert ids(found, "error") == ["soft-lock"]
    table, state = follow(deck, found.judge.ways["stuck 1:2"])
    assert isinstance(table.prompt(state), Over)
    assert table.prompt(state).kind == "stuck"


def test_care_that_is_left_is_used_up_before_a_lock_counts():
    """With AP to heal by she is not stuck yet, and at no more than 1 wound the way opens."""
    deck = made(
        {1: card(Wound(2), ways(needing(AtMost("wounds", 1)))), 2: card(HOME)}, hero=HeroCard(ap=1, satchel=(0, 0, 0))
    )
    assert not verdicts(deck).problems
    poor = made(
        {1: card(Wound(3), ways(needing(AtMost("wounds", 1)))), 2: card(HOME)}, hero=HeroCard(ap=1, satchel=(0, 0, 0))
    )
    assert "soft-lock" in ids(verdicts(poor))


def test_a_trap_is_a_loop_that_no_ending_follows_from():
    key = (Gain(goods(items=["rope"])), Reveal(2))
    deck = made(
        {
            1: card(ways(key, (Reveal(2),))),
            2: card(ways((Reveal(3),), needing(Holds("item", "rope"), then=4))),
            3: card(ways((Reveal(2),))),
            4: card(HOME),
        }
    )
    found = verdicts(deck)
    assert ids(found) == ["trap"]
    assert "1: choose" not in found.problems[0].hint
    back = made(
        {
            1: card(ways(key, (Reveal(2),))),
            2: card(ways((Reveal(1),), needing(Holds("item", "rope"), then=4))),
            4: card(HOME),
        }
    )
    assert not verdicts(back).problems


@pytest.mark.parametrize(
    ("steps", "severity"),
    [
        ((Gain(goods(uku=1)), Reveal(1)), "warning"),
        ((Gain(goods(ap=1)), Gain(goods(physical=1)), Reveal(1)), "warning"),
        ((Gain(goods(ap=1)), Lose(goods(ap=1)), Reveal(1)), None),
        ((Wound(1), Gain(goods(uku=1)), Reveal(1)), None),
    ],
)
def test_gain_without_cost_is_told(steps, severity):
    deck = made(
        {
            1: card(ways(steps, needing(AtLeast("ap", 9)), needing(AtLeast("physical", 1)))),
            2: card(HOME),
        }
    )
    gains = [problem for problem in verdicts(deck).problems if problem.id == "endless-gain"]
    assert [problem.severity for problem in gains] == ([severity] if severity else [])


def test_conditions_that_cannot_differ_are_told():
    here = Span("chapter-1.yaml", 4, 5, 4, 9)
    there = Span("chapter-1.yaml", 6, 5, 6, 9)
    never = If(AllOf((Holds("item", "rope"), Not(AllOf((Holds("item", "lamp"),)))), here), (Wound(1),))
    always = If(AllOf((AtMost("wounds", 0),), there), (Reveal(2),))
    both = (Gain(goods(items=["rope", "lamp"])), Reveal(3))
    deck = made({1: card(ways(both, (Reveal(3),))), 2: card(HOME), 3: card(never, always, HOME)})
    found = verdicts(deck)
    told = [(problem.id, problem.line) for problem in found.problems]
    assert ("never-true", 4) in told
    assert ("always-true", 6) in told


def test_an_encounter_is_crossed_for_its_rewards():
    crab = enemy(wounds=2, instances=(Instance(When("defeated"), (Gain(Goods(events=("oath",))),)),))
    table = campaign(
        {
            1: card(Fight(_duel()), ways((Reveal(3),), needing(Holds("event", "oath")))),
            2: card(HOME),
            3: card(ways(needing(AtLeast("wounds", 3), then=4), (Reveal(4),))),
            4: card(HOME),
        },
        enemies={"crab": crab},
    )
    found = verdicts(table.campaign)
    assert set(found.cards.values()) == {"reached"}
    assert set(found.options.values()) == {"reached"}
    _, state = follow(table.campaign, found.witness["1:2"])
    assert "oath" in state.hero.events


def _duel():
    from story.cards import Encounter, Placement

    return Encounter(2, (3,), (Placement("crab", space=8),))


def test_what_is_given_and_taken_again_is_not_held():
    rope = goods(items=["rope"])
    deck = made(
        {1: card(Gain(rope), Lose(rope), ways(needing(Not(AllOf((Holds("item", "rope"),)))))), 2: card(HOME)},
    )
    assert verdicts(deck).cards["1:2"] == "reached"


def test_a_search_keeps_the_state_that_lacks_what_must_not_be_held():
    """The shorter way to the door takes the oath, the longer one does not; only the longer one opens it."""
    oath = (Gain(goods(events=["oath"])), Reveal(3))
    deck = made(
        {
            1: card(ways(oath, (Reveal(2),))),
            2: card(ways((Reveal(3),))),
            3: card(ways(needing(Not(AllOf((Holds("event", "oath"),))), then=4))),
            4: card(HOME),
        }
    )
    program = Program(deck)
    holds = invariants(program)
    program.slice()
    towards = Towards(program, holds, {"card 1:4"})
    towards.needs = dict.fromkeys(towards.needs, _Anything())
    search = Search(program, holds, program.read_flags, program.read_amounts, towards)
    search.run(Limits(None, lambda: False))
    assert "card 1:4" in search.found


def test_a_search_keeps_the_wounded_where_healing_is_a_way_to_have_fewer_points():
    """Nothing but healing costs AP here, and only the wounded can heal; whoever is not comes there first."""
    short = (Reveal(2),)
    deck = made(
        {1: card(ways(short, (Wound(1), Reveal(2)))), 2: card(ways(needing(AtMost("ap", 6), then=3))), 3: card(HOME)}
    )
    program = Program(deck)
    holds = invariants(program)
    program.slice()
    towards = Towards(program, holds, {"card 1:3"})
    towards.needs = dict.fromkeys(towards.needs, _Anything())
    search = Search(program, holds, program.read_flags, program.read_amounts, towards)
    search.run(Limits(None, lambda: False))
    assert "card 1:3" in search.found


class _Anything:
    def lacking(self, flags, told, amounts):
        return False


def test_limits_are_named():
    deck = load_campaign(HERE / "starter")
    found = verdicts(deck, states=20)
    assert found.unknown
    assert found.limit == "20 states"
    stopped = verdicts(deck, stop=lambda: True)
    assert stopped.limit == "it was stopped"
    assert "unreachable" not in {*stopped.cards.values(), *stopped.options.values(), *stopped.endings.values()}


def test_beyond_a_tavern_nothing_is_claimed():
    tavern = Tavern(1, 1, "drinks", 1, (), (Reveal(2),))
    deck = made({1: card(ways((Reveal(3),), (tavern,))), 2: card(HOME), 3: card(HOME), 4: card(HOME)})
    found = verdicts(deck)
    assert found.cards == {"1:1": "reached", "1:2": "unknown", "1:3": "reached", "1:4": "unknown"}
    assert "tavern on card 1:1" in found.limit
    found = verdicts(made({1: card(tavern), 2: card(HOME)}))
    assert found.cards == {"1:1": "unknown", "1:2": "unknown"}
    assert "tavern on card 1:1" in found.limit


def test_discarded_and_pulled_cards_are_followed():
    deck = made(
        {
            1: card(Pull((2, 3)), ways((Reveal(2),), (Reveal(3),), (Reveal(4),))),
            2: card(Gain(goods(events=["oath"])), Discard(None)),
            3: card(If(AllOf((Holds("event", "oath"),)), (), (Reveal(5),))),
            4: card(HOME),
            5: card(HOME),
        }
    )
    found = verdicts(deck)
    assert found.options == {"1:1/1": "unreachable", "1:1/2": "reached", "1:1/3": "reached"}
    assert found.cards["1:5"] == "unreachable"
