"""Cards to passages: every way on is a link that resolves, everything else stands in words and is told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from runner.twee_export import export_twee, ifid
from runner.twee_import import import_twee
from runner.twee_markup import read_prose
from story.cards import NextChapter, Reveal
from story.checks.walk import story_cards, walk
from story.load import load_campaign
from story.twee import parse_twee, twee_text
from tests.generate import campaigns
from tests.runner.conftest import CAMPAIGN, ONE, write_deck
from tests.runner.test_twee_import import examined

DECKS = Path(__file__).parents[1] / "decks" / "good"


def exported(campaign):
    """The passages of a campaign as they are read again, by name."""
    made = export_twee(campaign)
    story = parse_twee(twee_text(made.passages), "x.twee")
    assert story.passages == made.passages
    assert story.notes == ()
    return made, {passage.name: passage for passage in story.passages}


def links(passage):
    """Its links as (text, target)."""
    return [(link.text, link.target) for link in read_prose(passage.text, "chapbook").links]


def assert_whole(campaign):
    """Every card is a passage, every link resolves, and every card that can be turned to is linked to."""
    _, passages = exported(campaign)
    conversations = sum(len(talk.cards) for talk in campaign.library.conversations.values())
    assert len(passages) == 2 + len(dict(story_cards(campaign))) + conversations
    targets = {target for passage in passages.values() for _, target in links(passage)}
    assert targets <= passages.keys()
    linked = {target.split(" ")[0] for target in targets}
    for key, card in story_cards(campaign):
        home = key.split(":")[0]
        turned = {f"{home}:{step.card}" for step in walk(card.steps) if isinstance(step, Reveal)}
        assert not home.isdecimal() or turned <= linked


# ---------------------------------------------------------------- whole campaigns


@pytest.mark.parametrize("deck", ["starter", *map(str, (DECKS / "everything", DECKS / "well"))])
def test_a_whole_campaign_can_be_followed(deck):
    assert_whole(load_campaign(deck))


@settings(max_examples=40)
@given(campaigns())
def test_any_campaign_can_be_followed(campaign):
    assert_whole(campaign)


def test_what_was_exported_can_be_imported():
    campaign = load_campaign("starter")
    made = import_twee(parse_twee(twee_text(export_twee(campaign).passages), "x.twee"), "x")
    report = examined(made.files)
    assert report.count("error") == 0, report.text(False)
    assert made.cards == len(dict(story_cards(campaign)))
    assert [note for note in made.notes if note.id in ("broken-link", "no-text", "dropped-code")] == []
    first = campaign.chapters[0].cards[campaign.chapters[0].start]
    assert first.text.strip() in report.loaded.chapters[0].cards[1].text


def test_title_start_and_identity_are_told(lagoon):
    _, passages = exported(lagoon)
    assert passages["StoryTitle"].text == "The Lagoon"
    data = json.loads(passages["StoryData"].text)
    assert data["start"] == "1:1 On the Sand"
    assert data["ifid"] == ifid(lagoon) == "994EDB3D-44EA-5329-8126-0F9C13FD86AC"
    assert ifid(replace(lagoon, title="Another", author="Nobody")) == ifid(lagoon)
    assert ifid(replace(lagoon, id="another")) != ifid(lagoon)
    assert passages["1:1 On the Sand"].tags == ("chapter-1",)


# ---------------------------------------------------------------- cards


def test_choices_rolls_and_fights_stand_in_words_beside_their_links(lagoon):
    _, passages = exported(lagoon)
    assert passages["1:1 On the Sand"].text == (
        "*Chapter 1: The Boat*\n\n# On the Sand\n\nThe boat is *yours*, the oars are not.\n\nSomebody coughs.\n\n"
        "- [[Take the rope->1:2 The Reef]]: Gain Rope\n"
        "- [[Push off->1:2 The Reef]]: You take 2 wounds\n"
        "- [[Bribe the ferryman (needs item Rope)->1:3 Open Water]]"
    )
    assert passages["1:2 The Reef"].text == (
        "# The Reef\n\nThe reef has teeth.\n\n"
        "- Challenge, physical, level 12:\n  - success: Gain 1 AP\n  - failure: You take 1 wound\n"
        "- Roll a d6:\n  - 1-3: Gain 1 Fig\n  - 4-6: Lose 1 AP\n"
        "- Encounter, 2 rounds: Crab by the die\n"
        "- [[Turn to card 3->1:3 Open Water]]"
    )
    assert links(passages["1:3 Open Water"]) == [("On to chapter 2", "2:1 Landfall")]
    assert passages["2:2 The Hut"].text.endswith("- **The end: Home** (victory)")


def test_a_pulled_card_leads_back_to_whoever_pulled_it(tmp_path):
    one = ONE.replace("      - reveal: 3\n", "      - pull: 4\n      - reveal: 3\n") + (
        "  4:\n    title: The Label\n    text: It says *Crab*.\n    steps: {discard: this}\n"
    )
    _, passages = exported(load_campaign(write_deck(tmp_path / "deck", one=one)))
    assert ("Pull card 4", "1:4 The Label") in links(passages["1:2 The Reef"])
    assert passages["1:4 The Label"].text.endswith("- This card leaves the game\n- [[Back to card 2->1:2 The Reef]]")


def test_what_twine_cannot_do_is_told_card_by_card(lagoon):
    made, _ = exported(lagoon)
    assert [(note.file, note.line, note.id) for note in made.notes] == [
        ("campaign.yaml", 0, "left-out"),
        ("one.yaml", 7, "only-words"),
        ("one.yaml", 22, "only-words"),
        ("two.yaml", 7, "only-words"),
    ]
    assert [note.message.partition(": ")[2] for note in made.notes] == [
        "the hero's, items (1), enemies (1), foods (1)",
        "a condition, gains, wounds",
        "a challenge, gains, wounds, a roll, losses, an encounter",
        "a roll, wounds, gains",
    ]


def test_names_and_texts_that_would_be_markup_are_written_otherwise_and_told(tmp_path):
    one = (
        ONE.replace("title: On the Sand", r"""title: 'On [the] {Sand} | a\b -> c <- d'""")
        .replace("Somebody coughs.", "[[Nobody]] coughs {twice}.\n      :: says the board")
        .replace("Push off", "'Push [off] -> | away'")
    )
    campaign = load_campaign(write_deck(tmp_path / "deck", one=one, campaign=CAMPAIGN))
    made, passages = exported(campaign)
    name = "1:1 On (the) (Sand) / a/b → c ← d"
    assert "[ [Nobody]] coughs {twice}.\n:: says the board" in passages[name].text
    assert links(passages[name])[1] == ("Push (off) → / away", "1:2 The Reef")
    told = {note.id: note.message for note in made.notes}
    assert told["renamed"] == f"no link could name card 1:1 by its title; it is called {name}"
    assert told["not-a-link"] == "[[ in the text of card 1:1 is written [ [, or it were a link"
    assert told["looks-like-code"] == "code to Chapbook, in card 1:1: {Sand}, {twice}"


def test_the_next_chapter_of_the_last_is_nothing_to_link_to(lagoon):
    first = replace(lagoon.chapters[0], cards={1: replace(lagoon.chapters[0].cards[3], ref=1, steps=(NextChapter(),))})
    _, passages = exported(replace(lagoon, chapters=(first,)))
    assert links(passages["1:1 Open Water"]) == []
