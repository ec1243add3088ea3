"""The graph of cards: every verb, the way to it, and its place."""

import subprocess
import sys
from pathlib import Path

import pytest

from story.cards import AtLeast, Goods, Holds, Not
from story.checks.walk import story_cards, walk
from story.graph import graph_of, links_of
from story.load import load_campaign

GOOD = Path(__file__).parent.parent / "decks" / "good"
HEAD = "format: cardwalk/1\nkind: {}\n"


@pytest.fixture
def deck(tmp_path):
    """Load a campaign of two chapters: the cards of each as YAML, and special cards of the deck ``heads``."""

    def load(first, second="1: {text: x, steps: {ending: {id: end, title: End, kind: neutral}}}", heads=""):
        for number, cards in ((1, first), (2, second)):
            lines = "".join(f"  {line}\n" for line in cards.splitlines())
            text = HEAD.format("story") + f"chapter: {number}\ntitle: C\ncards:\n{lines}"
            (tmp_path / f"chapter-{number}.yaml").write_text(text, encoding="utf-8")
        (tmp_path / "heads.yaml").write_text(HEAD.format("special") + f"cards: {{{heads}}}\n", encoding="utf-8")
        decks = "decks: [heads.yaml]\n" if heads else ""
        (tmp_path / "campaign.yaml").write_text(
            HEAD.format("campaign") + f"id: well\ntitle: Well\nchapters: [chapter-1.yaml, chapter-2.yaml]\n{decks}",
            encoding="utf-8",
        )
        return load_campaign(tmp_path)

    return load


def edges(campaign):
    return {(link.source, link.target, link.verb, link.words) for link in links_of(campaign)}


@pytest.mark.rule("NAV-2", "NAV-3")
def test_every_verb_is_a_link_with_the_way_to_it(deck):
    campaign = deck(
        "1: {text: x, steps: [{pull: [3, otto]}, {draw: heads}, {choose: [{say: A, reveal: 2},"
        " {say: B, next_chapter: true}]}]}\n"
        "2: {text: x, steps: {challenge: {type: mental, level: 9, succeed: {reveal: 1}, fail: {next_chapter: true},"
        " perfect: {pull: 3}}}}\n"
        "3: {text: x, steps: {if: {ap: 3}, then: {reveal: 1}, else: {reveal: 2}}}",
        "1: {text: x, steps: {roll: {die: d6, chart: {1-2: {reveal: 1},"
        " 3-6: {ending: {id: end, title: E, kind: defeat}}}}}}",
        "otto: {name: Otto, text: x, steps: []}",
    )
    assert edges(campaign) == {
        ("1:1", "1:3", "pull", ""),
        ("1:1", "heads:otto", "pull", ""),
        ("1:1", "heads:otto", "draw", ""),
        ("1:1", "1:2", "reveal", "option 1 (A)"),
        ("1:1", "2:1", "next_chapter", "option 2 (B)"),
        ("1:2", "1:1", "reveal", "succeed"),
        ("1:2", "2:1", "next_chapter", "fail"),
        ("1:2", "1:3", "pull", "perfect"),
        ("1:3", "1:1", "reveal", "then"),
        ("1:3", "1:2", "reveal", "else"),
        ("2:1", "2:1", "reveal", "row 1-2"),
        ("2:1", "ending end", "ending", "row 3-6"),
    }


def test_conditions_and_costs_of_a_way_are_put_together(deck):
    option = "{say: A, needs: {action: lob}, cost: {ap: 2}, steps: {choose: [{say: B, cost: {ap: 1}, steps: %s}]}}"
    branch = "{if: {physical: 2}, then: {wound: 1}, else: {next_chapter: true}}"
    campaign = deck(
        f"1: {{text: x, steps: [{{gain: {{action: lob}}}}, {{choose: [{option % branch}]}}, {{reveal: 1}}]}}"
    )
    link = next(link for link in links_of(campaign) if link.verb == "next_chapter")
    assert link.words == "option 1 (A), option 2 (B), else"
    held, lacking = link.needs.clauses
    assert held == Holds("action", "lob")
    assert isinstance(lacking, Not)
    assert lacking.condition.clauses == (AtLeast("physical", 2),)
    assert link.cost == Goods((("ap", 3),))
    assert (link.span.file, link.span.line) == ("chapter-1.yaml", 6)


@pytest.mark.rule("NAV-5")
def test_a_number_on_a_special_card_is_that_of_each_chapter_that_reads_it(deck):
    campaign = deck(
        "1: {text: x, steps: {draw: heads}}\n2: {text: x, steps: {next_chapter: true}}",
        "1: {text: x, steps: {pull: ida}}\n2: {text: x, steps: {ending: {id: end, title: E, kind: neutral}}}",
        "otto: {name: Otto, text: x, steps: {pull: ida}}, ida: {name: Ida, text: x, steps: {reveal: 2}}",
    )
    targets = {link.target for link in links_of(campaign) if link.source == "heads:ida"}
    assert targets == {"1:2", "2:2"}


def test_nodes_are_cards_and_endings():
    campaign = load_campaign(GOOD / "everything")
    graph = graph_of(campaign)
    assert graph.graph["start"] == "1:2"
    first, head, talk, end = (graph.nodes[key] for key in ("1:2", "heads:otto", "vena:2", "ending home"))
    assert (first["kind"], first["chapter"], first["deck"], first["start"]) == ("card", 1, None, True)
    assert (head["chapter"], head["deck"], head["start"]) == (None, "heads", False)
    assert talk["deck"] == "vena"
    assert (end["kind"], end["title"], end["ending"]) == ("ending", "Home", "victory")
    assert graph.has_edge("2:1", "vena:1")


@pytest.mark.parametrize("name", ["starter", GOOD / "everything"])
def test_every_link_has_its_place_and_both_its_ends(name):
    campaign = load_campaign(name)
    graph = graph_of(campaign)
    assert all(data["link"].span is not None for _, _, data in graph.edges(data=True))
    assert all("kind" in data for _, data in graph.nodes(data=True))
    spans = {step.span for _, card in story_cards(campaign) for step in walk(card.steps)}
    assert {link.span for link in links_of(campaign) if ":" in link.source and link.source[0].isdigit()} <= spans


def test_a_deck_with_missing_cards_has_a_graph_too():
    from story.checks import examine

    loaded = examine(GOOD.parent / "bad" / "missing-target").loaded
    assert "1:1" in graph_of(loaded)


def test_loading_the_module_loads_no_networkx():
    code = "import sys, story.graph; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
