"""What holds in every game: generated encounters with everything in them, and the starter, under random answers."""

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from story.campaign import CampaignTable
from story.hero import TALENT_CAP
from story.load import load_campaign
from story.playfield.enemy_turn import enemy_turn
from story.playfield.lines import column, row
from story.playfield.table import EncounterTable
from story.prompts import AnswerError, Decide, Over, Roll, answers

sys.path.insert(0, str(Path(__file__).parents[1] / "solver"))
import generate

MOST = 600
"""Questions in one encounter before it counts as endless."""

SEEDS = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def starter():
    return CampaignTable(load_campaign(Path(__file__).parents[2] / "story" / "decks" / "starter"))


def sound(table, state):
    """The invariants of a single state."""
    hero, field = state.hero, state.field
    assert 0 <= hero.wounds <= hero.wound_limit
    assert hero.ap >= 0
    assert all(0 <= points <= TALENT_CAP for points in hero.talents)
    for held, food in zip(hero.satchel, table.library.foods, strict=True):
        assert 0 <= held <= food.holds
    if field is not None:
        standing = [foe.space for foe in field.foes] + [field.hero] * (field.hero > 0)
        assert len(standing) == len(set(standing)), "two characters on one space"
        assert not field.board.walls & set(standing), "a character on a disc or on Impassable terrain"
        grounds = [ground.space for ground in field.board.grounds]
        assert len(grounds) == len(set(grounds))
        assert not field.board.blocked & set(grounds)
        prompt = table.prompt(state)
        if isinstance(prompt, Decide) and prompt.topic == "turn":
            assert all(foe.wounds < table.library.enemies[foe.card].wounds for foe in field.foes), "it should be gone"


def random_answer(random, prompt):
    offered = answers(prompt)
    return "end" if "end" in offered and random.random() < 0.25 else random.choice(offered)


def played(table, seed, most=MOST):
    """The (state, answer) pairs of a random game and its last state; every state is checked on the way."""
    random = Random(seed)
    state, taken = table.start(), []
    for _ in range(most):
        sound(table, state)
        prompt = table.prompt(state)
        if isinstance(prompt, Over):
            return taken, state
        if isinstance(prompt, Roll):
            assert sum(chance for _, chance in prompt.chances()) == Fraction(1)
            assert all(chance > 0 for _, chance in prompt.chances())
        else:
            assert prompt.options, "a decision without a way on"
        assert len(set(answers(prompt))) == len(answers(prompt))
        taken.append((state, random_answer(random, prompt)))
        state = table.answer(*taken[-1])
    pytest.fail(f"still asking after {most} questions")


@settings(max_examples=600)
@given(SEEDS)
def test_an_encounter_keeps_its_bounds_always_has_a_way_on_and_ends(seed):
    table = EncounterTable(generate.encounter(seed))
    _, last = played(table, seed)
    assert last.over is not None or last.field is None
    assert last.hero.lost is (last.over is not None and last.over.kind == "death")


@settings(max_examples=200)
@given(SEEDS)
def test_the_starter_keeps_its_bounds_and_never_gets_stuck(starter, seed):
    _, last = played(starter, seed, 2000)
    assert last.over.kind in ("victory", "defeat", "neutral", "death")


@settings(max_examples=200)
@given(SEEDS)
def test_the_same_answers_give_the_same_states(seed):
    table = EncounterTable(generate.encounter(seed))
    taken, last = played(table, seed)
    state = EncounterTable(generate.encounter(seed)).start()
    for known, answer in taken:
        assert state == known
        assert hash(state) == hash(known)
        state = table.answer(state, answer)
    assert state == last


@settings(max_examples=120)
@given(SEEDS)
def test_every_answer_offered_is_taken_and_every_other_refused(seed):
    table = EncounterTable(generate.encounter(seed))
    taken, _ = played(table, seed)
    everything = {answer for state, _ in taken for answer in answers(table.prompt(state))}
    everything |= {
        "",
        "dart",
        "dart nobody",
        "step 99",
        "d20 0",
        "d20 21",
        "add 0",
        "keep keep",
        "END",
        "eat",
        "pick 16",
    }
    for state, _ in taken[:: max(1, len(taken) // 4)]:
        before, offered = repr(state), set(answers(table.prompt(state)))
        for answer in everything:
            if answer in offered:
                table.answer(state, answer)
            else:
                with pytest.raises(AnswerError):
                    table.answer(state, answer)
        assert repr(state) == before, "a state was changed"


@settings(max_examples=300)
@given(SEEDS)
def test_each_enemy_acts_at_most_once_a_round(seed):
    table = EncounterTable(generate.encounter(seed))
    taken, _ = played(table, seed)
    for state, _ in taken:
        waiting = [task[1][0] for task in state.agenda if isinstance(task, tuple) and task[0] is enemy_turn]
        assert len(waiting) == len(set(waiting))


# ---------------------------------------------------------------- mirror images


def mirrored_space(space):
    return row(space) * 5 + (4 - column(space)) + 1


def mirrored(file):
    """The encounter with its columns reversed."""
    encounter = file.encounter

    def pieces(placements):
        return tuple(replace(p, space=p.space and mirrored_space(p.space)) for p in placements)

    return replace(
        file,
        encounter=replace(
            encounter,
            hero_spaces=tuple(mirrored_space(space) for space in encounter.hero_spaces),
            enemies=pieces(encounter.enemies),
            terrain=pieces(encounter.terrain),
            blocked=frozenset(map(mirrored_space, encounter.blocked)),
            no_start=frozenset(map(mirrored_space, encounter.no_start)),
        ),
    )


def mirrored_answer(answer):
    """``step 2`` becomes ``step 4``; faces of dice and names stay."""
    head, _, tail = answer.rpartition(" ")
    if tail.isdigit() and head.split(" ")[0] in ("step", "fear", "pick", "stand"):
        return f"{head} {mirrored_space(int(tail))}"
    return answer


def alone(seed):
    """An encounter in which one enemy acts: then the order of turns within a row can play no part."""
    file = generate.encounter(seed)
    lonely = len(file.encounter.enemies) == 1 and file.encounter.enemies[0].space is not None
    calls = any(trait.id == "recruit" for card in file.library.enemies.values() for trait in card.traits)
    bursts = len(file.encounter.terrain) > 1
    return file if lonely and not calls and not bursts else None


MIRRORS = [seed for seed in range(400) if alone(seed) is not None]


@settings(max_examples=300)
@given(st.sampled_from(MIRRORS), SEEDS)
def test_a_mirrored_board_gives_mirrored_play(seed, moves):
    table, other = EncounterTable(alone(seed)), EncounterTable(mirrored(alone(seed)))
    taken, last = played(table, moves)
    state = other.start()
    for known, answer in taken:
        assert {mirrored_answer(a) for a in answers(table.prompt(known))} == set(answers(other.prompt(state)))
        state = other.answer(state, mirrored_answer(answer))
    assert state.hero == last.hero


@pytest.mark.parametrize("seed", MIRRORS[:60])
def test_a_mirrored_board_is_worth_the_same(seed):
    from solver import encounter

    one, two = encounter.solve(alone(seed)), encounter.solve(mirrored(alone(seed)))
    assert one.value == pytest.approx(two.value, abs=1e-9)
    assert one.p_defeat == pytest.approx(two.p_defeat, abs=1e-9)
    values = {mirrored_answer(action.answer): action.value for action in one.actions}
    assert values == pytest.approx({action.answer: action.value for action in two.actions}, abs=1e-9)
