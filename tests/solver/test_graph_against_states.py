"""The graph of cards and the checks on it, held against every state of small random stories."""

from random import Random

import pytest

from story.campaign import CampaignTable
from story.cards import Span
from story.checks import islands, traps
from story.graph import ending_key, graph_of
from story.loading.draft import Draft
from tests.solver.stories import Truth, random_story

MOST = 1500
"""States enumerated of each story."""


def draft_of(campaign):
    """A draft as the loader would leave it, each card on a line of its own."""
    draft = Draft(loaded=campaign)
    for chapter in campaign.chapters:
        lines = {number: Span("x", chapter.number * 1000 + number, 1, 1, 2) for number in chapter.cards}
        draft.index.chapters[chapter.number] = lines
    for place, key in enumerate(campaign.library.specials):
        deck, id = key.split(":")
        draft.index.specials.setdefault(deck, {})[id] = Span("y", place + 1, 1, 1, 2)
    return draft


def read(state):
    """The keys of the cards being read, the current one last."""
    journey = state.journey
    return [ref if isinstance(ref, str) else f"{journey.chapter}:{ref}" for ref in journey.reading]


def reports(draft, id):
    """The cards at whose place a problem is told."""
    places = {(problem.file, problem.line) for problem in draft.problems if problem.id == id}
    return {key for key in draft.cards if (span := draft.place_of(key)) and (span.file, span.line) in places}


@pytest.mark.rule("NAV-2", "NAV-3", "CHK-1")
@pytest.mark.parametrize("seed", range(60))
def test_whatever_can_be_played_is_in_the_graph(seed):
    campaign = random_story(Random(seed))
    truth = Truth(CampaignTable(campaign), MOST)
    graph = graph_of(campaign)
    for state, following in truth.after.items():
        before = read(state)
        for new in following:
            now = read(new)[-1]
            # The same card, one below that waited, or one that a card being read turns to.
            assert now in before or any(graph.has_edge(key, now) for key in before)
    for state in truth.ends:
        assert graph.has_edge(read(state)[-1], ending_key(state.over.id))


def test_no_card_is_called_pathless_or_closed_that_is_not():
    pathless = closed = 0
    for seed in range(300):
        campaign = random_story(Random(seed))
        draft = draft_of(campaign)
        islands.check(draft)
        traps.check(draft)
        if not draft.problems:
            continue
        truth = Truth(CampaignTable(campaign), MOST)
        lost = reports(draft, "no-path")
        assert not {f"card {key}" for key in lost} & truth.met
        pathless += len(lost)
        if truth.complete:
            inside = {state for state in truth.after if read(state)[-1] in reports(draft, "no-way-out")}
            assert inside <= truth.hopeless()
            closed += bool(inside)
    assert pathless > 50
    assert closed > 2
