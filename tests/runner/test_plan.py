"""The best play of a turn as a tree: nothing told twice, nothing left out, nothing spent on nothing."""

from pathlib import Path

import pytest

import runner.plan
from runner.plan import PlanError, plan, plan_lines
from solver.advice import Advisor
from story.load import load_encounter
from story.playfield.table import EncounterTable
from story.prompts import Decide, answers

EXAMPLE = Path(__file__).parents[1] / "decks" / "rulebook-example.yaml"
NOBODY = """\
format: cardwalk/1
kind: encounter
title: T
rounds: 1
hero: {space: 3, wounds: 2, actions: [stun, lob, dodge]}
"""


@pytest.fixture(scope="module")
def example():
    return EncounterTable(load_encounter(EXAMPLE))


def advised(table):
    return plan(table, table.start(), Advisor(table.library).thrifty_choice)


def test_ways_that_read_alike_are_one(example):
    def look(branches):
        said = [(branch.answers, "\n".join(plan_lines(branch.then))) for branch in branches]
        assert len(set(said)) == len(said)
        for branch in branches:
            look(branch.then)

    look(advised(example))


def test_every_face_of_every_roll_leads_on_once_and_only_best_answers_are_given(example):
    adviser = Advisor(example.library)

    def follow(state, branch):
        for answer in branch.answers:
            assert isinstance(example.prompt(state), Decide)
            assert answer in adviser.advise(state).best
            state = example.answer(state, answer)
        if branch.then:
            faces = [face for later in branch.then for face in later.faces]
            assert sorted(faces) == sorted(answers(example.prompt(state)))
            for later in branch.then:
                follow(example.answer(state, later.faces[-1]), later)

    (only,) = advised(example)
    follow(example.start(), only)


def test_nothing_is_spent_where_ending_the_turn_is_as_good(tmp_path):
    file = tmp_path / "nobody.yaml"
    file.write_text(NOBODY, encoding="utf-8")
    table = EncounterTable(load_encounter(file))
    assert list(plan_lines(advised(table))) == ["heal, then heal, then end"]


def test_a_plan_too_long_to_be_read_is_refused_with_its_length(example, monkeypatch):
    rows = sum(1 for _ in plan_lines(advised(example)))
    monkeypatch.setattr(runner.plan, "MOST_ROWS", rows - 1)
    with pytest.raises(PlanError, match=f"it would have {rows} lines"):
        advised(example)
