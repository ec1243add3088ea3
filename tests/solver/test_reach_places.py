"""Where in a deck's files the findings of the search over states stand."""

from solver.reach import verdicts
from story.load import load_campaign

CAMPAIGN = """\
format: cardwalk/1
kind: campaign
id: quay
title: The Quay
author: nobody
language: en
chapters: [chapter-1.yaml]
decks: [items.yaml]
hero: {name: Somebody, crit: 20, miss: 5, wound_limit: 9, ap: 0, ap_reset: 0}
satchel:
  breadfruit: {name: Breadfruit, holds: 5, heals: 1}
"""
ITEMS = """\
format: cardwalk/1
kind: items
cards:
  rope: {name: Rope, text: A rope.}
  oar: {name: Oar, text: An oar.}
"""
CHAPTER = """\
format: cardwalk/1
kind: story
chapter: 1
title: One
start: 1
cards:
  1:
    text: The quay.
    steps:
      - if: {item: rope}
        then: {wound: 1}
      - gain: {breadfruit: 1}
      - if: {breadfruit: 1}
        then: {heal: 1}
      - choose:
          - {say: Take the oar, gain: {item: oar}, reveal: 2}
          - {say: Jump, needs: {item: rope}, reveal: 3}
          - {say: Walk, reveal: 2}
  2:
    text: The boat.
    steps:
      - choose:
          - {say: Row, needs: {item: oar}, reveal: 4}
  3:
    text: The water.
    steps:
      - reveal: 1
  4:
    text: The sea.
    steps:
      - ending: {id: sea, title: The sea, kind: neutral}
"""


def test_every_finding_stands_where_its_cause_is_written(tmp_path):
    for name, text in (("campaign", CAMPAIGN), ("items", ITEMS), ("chapter-1", CHAPTER)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = verdicts(load_campaign(tmp_path))
    lines = CHAPTER.splitlines()

    def written(problem):
        return problem.id, lines[problem.line - 1][problem.column - 1 :].strip()

    assert {problem.file for problem in found.problems} == {"chapter-1.yaml"}
    assert [written(problem) for problem in found.problems] == [
        ("never-true", "{item: rope}"),
        ("always-true", "{breadfruit: 1}"),
        ("unreachable-option", "{say: Jump, needs: {item: rope}, reveal: 3}"),
        ("soft-lock", "choose:"),
        ("unreachable-card", "3:"),
    ]


LOOPS = """\
format: cardwalk/1
kind: story
chapter: 1
title: The pond
start: 1
cards:
  1:
    title: The shore
    text: Here frogs sit.
    steps:
      - choose:
          - {say: Count them, gain: {physical: 1}, reveal: 1}
          - {say: Lift one, needs: {physical: 2}, reveal: 4}
          - {say: Wade in, reveal: 2}
          - {say: Go home, reveal: 4}
  2:
    title: The reeds
    text: They look alike.
    steps:
      - reveal: 3
  3:
    title: More reeds
    text: They look alike.
    steps:
      - choose:
          - {say: Wade on, reveal: 2}
  4:
    title: Home
    text: Home.
    steps:
      - ending: {id: home, title: Home, kind: neutral}
"""


def test_a_trap_and_an_endless_gain_stand_at_the_number_of_their_card(tmp_path):
    for name, text in (("campaign", CAMPAIGN), ("items", ITEMS), ("chapter-1", LOOPS)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = {problem.id: problem for problem in verdicts(load_campaign(tmp_path)).problems}
    lines = LOOPS.splitlines()
    places = {id: lines[problem.line - 1][problem.column - 1 :] for id, problem in found.items()}
    assert places == {"endless-gain": "1:", "trap": "2:"}
