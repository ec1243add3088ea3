"""What holds in every game: generated encounters and stories with everything in them, and the starter."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import encounter, exact
from story.campaign import CampaignTable
from story.hero import TALENT_CAP
from story.load import load_campaign
from story.playfield import rounds
from story.playfield.lines import column, row
from story.playfield.table import EncounterTable
from story.prompts import AnswerError, Decide, Over, Roll, answers
from tests import generate
from tests.solver import generate as small

MOST = 600
"""Questions in one game before it counts as endless."""

MOVES = st.integers(0, 10**6)
"""Seeds of random answers."""

TABLES = st.one_of(generate.encounters().map(EncounterTable), generate.campaigns().map(CampaignTable))


@pytest.fixture(scope="module")
def starter():
    return CampaignTable(load_campaign(Path(__file__).parents[2] / "story" / "decks" / "starter"))


def sound(table, state):
    """The invariants of a single state."""
    hero, field = state.hero, state.field
    assert 0 <= hero.wounds <= hero.wound_limit
    assert min(hero.ap, hero.ap_reset, *hero.counts, 0) == 0
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
        assert len({foe.name for foe in field.foes}) == len(field.foes)
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
@given(generate.encounters().map(EncounterTable), MOVES)
def test_an_encounter_keeps_its_bounds_always_has_a_way_on_and_ends(table, moves):
    _, last = played(table, moves)
    assert last.over is not None or last.field is None
    assert last.hero.lost is (last.over is not None and last.over.kind == "death")


@settings(max_examples=400)
@given(generate.campaigns().map(CampaignTable), MOVES)
def test_a_story_keeps_its_bounds_always_has_a_way_on_and_ends(table, moves):
    _, last = played(table, moves)
    assert last.over.kind in ("victory", "neutral", "death")
    assert last.hero.lost is (last.over.kind == "death")


@settings(max_examples=200)
@given(MOVES)
def test_the_starter_keeps_its_bounds_and_never_gets_stuck(starter, moves):
    _, last = played(starter, moves, 2000)
    assert last.over.kind in ("victory", "defeat", "neutral", "death")


@settings(max_examples=200)
@given(TABLES, MOVES)
def test_the_same_answers_give_the_same_states(table, moves):
    taken, last = played(table, moves)
    state = table.start()
    for known, answer in taken:
        assert state == known
        assert hash(state) == hash(known)
        state = table.answer(state, answer)
    assert state == last


NONSENSE = ["", "dart", "dart nobody", "step 99", "d20 0", "d20 21", "add 0", "keep keep", "END", "eat", "pick 16"]


@settings(max_examples=150)
@given(TABLES, MOVES)
def test_every_answer_offered_is_taken_and_every_other_refused(table, moves):
    taken, _ = played(table, moves)
    everything = {answer for state, _ in taken for answer in answers(table.prompt(state))} | set(NONSENSE)
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
@given(generate.encounters(enemies=4).map(EncounterTable), MOVES)
def test_each_enemy_acts_once_a_round_from_the_lowest_space_to_the_highest(table, moves):
    acted, orders = Counter(), {}
    act, begin = rounds.enemy_turn, rounds.enemies_act

    def counted(play, name):
        if play.field.foe(name):
            acted[play.field.round, name] += 1
            orders[play.field.round] = [other for other in orders[play.field.round] if other != name]
        act(play, name)

    def begun(play):
        orders[play.field.round] = [foe.name for foe in play.field.by_space()]
        begin(play)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "enemy_turn", counted)
        patch.setattr(rounds, "enemies_act", begun)
        taken, _ = played(table, moves)
    assert not acted or max(acted.values()) == 1
    for state, _ in taken:
        if state.field and isinstance(table.prompt(state), Decide) and table.prompt(state).topic == "turn":
            skipped = set(orders.get(state.field.round - 1, ())) & {foe.name for foe in state.field.foes}
            assert not skipped, "it still stands and has not acted"


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


SPACED = {"step", "pick", "stand", "place"} | {card.word for card in small.ACTIONS.values() if card.effect("fear")}
"""The words of answers that end in a space."""


def mirrored_answer(answer):
    """``step 2`` becomes ``step 4``; faces of dice and names stay."""
    head, _, tail = answer.rpartition(" ")
    if tail.isdigit() and head.split(" ")[0] in SPACED:
        return f"{head} {mirrored_space(int(tail))}"
    return answer


def standing(field, reflect=lambda space: space):
    """Everything on the playfield, with its marks."""
    if field is None:
        return None
    foes = {foe._replace(space=reflect(foe.space)) for foe in field.foes}
    grounds = {(ground.name, reflect(ground.space)) for ground in field.board.grounds}
    return field.hero and reflect(field.hero), foes, grounds, field.round, field.dodges, field.poisoned, field.decks


def crowded(state):
    """Whether the order within a row can matter: two enemies in one, or two pieces of terrain."""
    if state.field is None:
        return False
    foes = Counter(row(foe.space) for foe in state.field.foes)
    grounds = Counter(row(ground.space) for ground in state.field.board.grounds)
    return max((*foes.values(), *grounds.values()), default=0) > 1


@settings(max_examples=400)
@given(st.one_of(generate.encounters(enemies=1), generate.encounters(enemies=2), generate.encounters(enemies=3)), MOVES)
def test_a_mirrored_board_gives_mirrored_play(file, moves):
    table, other = EncounterTable(file), EncounterTable(mirrored(file))
    taken, last = played(table, moves)
    after = [state for state, _ in taken[1:]] + [last]
    state = other.start()
    for (known, answer), then in zip(taken, after, strict=True):
        assert {mirrored_answer(a) for a in answers(table.prompt(known))} == set(answers(other.prompt(state)))
        state = other.answer(state, mirrored_answer(answer))
        if crowded(known) or crowded(then):
            return
        assert state.hero == then.hero
        assert standing(state.field, mirrored_space) == standing(then.field)


QUIET = generate.FEATURES - {"die", "draws", "recruit", "stand"}


def moving(card):
    """Whether an action moves enemies."""
    return card.effect("fear") or card.effect("push")


def one_a_row(seed):
    """A small encounter in which the order within a row can never matter."""
    random = Random(seed)
    count = random.choice((1, 1, 2, 3))
    rounds = random.choice((1, 2)) if count == 1 else 1
    file = generate.random_encounter(random, rounds=rounds, enemies=count, features=QUIET)
    hero = replace(file.hero, ap=min(file.hero.ap, 4), ap_reset=min(file.hero.ap_reset, 3), satchel=(0, 1, 0))
    if count > 1:
        # Nobody leaves its row, and none stands in the row of another.
        cards = {
            id: replace(card, moves=0, traits=tuple(trait for trait in card.traits if trait.id != "dash"))
            for id, card in file.library.enemies.items()
        }
        file = replace(file, library=replace(file.library, enemies=cards))
        hero = replace(hero, actions=tuple(id for id in hero.actions if not moving(small.ACTIONS[id])))
    rows = [[row(piece.space) for piece in pieces] for pieces in (file.encounter.enemies, file.encounter.terrain)]
    fits = all(len(set(taken)) == len(taken) for taken in rows)
    return replace(file, hero=hero) if fits else None


MIRRORS = {seed: file for seed in range(140) if (file := one_a_row(seed))}


def values(solution, reflect=lambda answer: answer):
    return {reflect(action.answer): action.value for action in solution.actions}


@pytest.mark.parametrize("seed", MIRRORS)
def test_a_mirrored_board_is_worth_the_same(seed):
    one, two = (encounter.solve(file) for file in (MIRRORS[seed], mirrored(MIRRORS[seed])))
    assert one.value == pytest.approx(two.value, abs=1e-9)
    assert one.p_defeat == pytest.approx(two.p_defeat, abs=1e-9)
    assert values(one, mirrored_answer) == pytest.approx(values(two), abs=1e-9)


SMALL = (9, 13, 15, 22, 45, 55, 60, 66, 68, 69, 75, 85, 87, 114, 121, 129)
"""Those of ``MIRRORS`` that the reference solver is quick about."""


@pytest.mark.parametrize("seed", SMALL)
def test_a_mirrored_board_is_worth_exactly_the_same_by_the_rules_themselves(seed):
    tables = EncounterTable(MIRRORS[seed]), EncounterTable(mirrored(MIRRORS[seed]))
    one, two = (exact.solve(table, table.start(), seconds=20, exact_fractions=True) for table in tables)
    assert one.exact
    assert two.exact
    assert one.value == two.value
    assert values(one, mirrored_answer) == values(two)
