"""The rulebook can be read and searched."""

import re

import pytest

from story import rulebook


def ids(query):
    return [rule.id for rule in rulebook.find(query)]


def test_every_paragraph_with_an_id_is_a_rule():
    numbered = re.findall(r"^\*\*([A-Z]+-[A-Z0-9-]+)", rulebook.page(), re.MULTILINE)
    assert [rule.id for rule in rulebook.rules()] == numbered
    assert len(set(numbered)) == len(numbered) > 100


def test_a_rule_has_a_title_a_text_and_a_section():
    rule = rulebook.find("MOVE-2")[0]
    assert rule == (
        "MOVE-2",
        "Attack before moving",
        "An enemy that can attack from where it stands does not move.",
        "Movement",
    )
    assert all(rule.title and rule.text and rule.section for rule in rulebook.rules())


def test_ids_quoted_in_the_rules_exist():
    known = {rule.id for rule in rulebook.rules()}
    quoted = set(re.findall(r"\b[A-Z]{2,}-(?:\d+|[A-Z][A-Z-]+)", rulebook.page()))
    assert quoted <= known


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("move-2", ["MOVE-2"]),
        (" Trait-Bird-Bomb ", ["TRAIT-BIRD-BOMB"]),
        ("CHK", ["CHK-1", "CHK-2"]),
        ("bird bomb", ["TRAIT-BIRD-BOMB"]),
        ("Natural 1", ["CHAL-6"]),
        ("abehjerne", ["HEAL-4"]),
    ],
)
def test_the_closest_rule_comes_first(query, first):
    assert ids(query)[: len(first)] == first


def test_an_exact_id_gives_that_rule_alone():
    assert ids("ACT-1") == ["ACT-1"]


@pytest.mark.parametrize(
    ("query", "near"), [("MOVE-22", "MOVE-2"), ("bolstr", "Bolster"), ("TRAIT-SQUISY", "TRAIT-SQUISHY")]
)
def test_an_unknown_id_or_word_names_what_comes_near(query, near):
    with pytest.raises(rulebook.NoSuchRule, match=f"did you mean.*{near}") as caught:
        rulebook.find(query)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("query", ["xyzzy", "NOPE"])
def test_nothing_near_is_said_plainly(query):
    with pytest.raises(rulebook.NoSuchRule, match=rf"^No rule has the id or the words '{query}'\.$"):
        rulebook.find(query)


def test_a_game_without_a_page_is_an_error():
    with pytest.raises(FileNotFoundError):
        rulebook.rules("no-such-game")
