"""The session: undo, redo, checkpoints, dice that are no lottery, following an edited deck."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner import dice
from runner.answers import follow, menu, read_answer
from runner.games import new_game
from runner.history import DICE, PLAYER, History, Record
from story.prompts import AnswerError, Decide, Face, Locked, Option, Over, Roll, answers


def play_on(session, choices=()):
    """Answer until the game is over: rolls by the dice, decisions by ``choices`` and then by the last option."""
    choices = list(choices)
    while not isinstance(session.prompt, Over):
        if isinstance(session.prompt, Roll):
            session.roll()
        else:
            session.answer(choices.pop(0) if choices else answers(session.prompt)[-1])


@pytest.fixture
def session(lagoon):
    return new_game(lagoon, seed=11, saved=False)


def test_a_game_is_played_to_its_end(session):
    play_on(session, ["choose 1"])
    assert session.prompt.kind in ("victory", "neutral", "death")


def test_a_wrong_answer_changes_nothing(session):
    before = (session.state, session.prompt, list(session.answers))
    with pytest.raises(AnswerError):
        session.answer("choose 9")
    assert (session.state, session.prompt, list(session.answers)) == before


def test_undo_takes_back_an_answer_with_the_dice_that_followed(session):
    start = session.state
    session.answer("choose 2")
    while isinstance(session.prompt, Roll):
        session.roll()
    assert len(session.answers) > 1
    assert session.undo() == 1
    assert session.state == start
    assert not session.can_undo
    assert session.undo() == 0


def test_redo_gives_back_exactly_what_was_undone(session):
    play_on(session)
    end, told, kept = session.state, session.told(), list(session.answers)
    undone = session.undo(10**6)
    assert undone == sum(record.by == PLAYER for record in kept)
    assert session.redo(10**6) == undone
    assert (session.state, session.told(), session.answers) == (end, told, kept)


def test_a_new_answer_forgets_what_was_undone(session):
    session.answer("choose 2")
    session.undo()
    session.answer("choose 1")
    assert not session.can_redo


def test_the_same_roll_after_undo_shows_the_same_face(session):
    session.answer("choose 1")
    session.roll()
    face = session.answers[-1]
    session.undo()
    session.answer("choose 2")
    session.roll()
    assert session.answers[-1] == face


@pytest.mark.rule("CHK-1")
def test_every_chapter_reached_is_a_checkpoint_and_chapter_1_always_is(session):
    assert session.checkpoints == {1: 0}
    with pytest.raises(AnswerError, match="Chapter 2 has not been reached"):
        session.restart(2)
    play_on(session)
    assert set(session.checkpoints) == {1, 2}
    session.restart(1)
    assert session.answers == []


@pytest.mark.rule("CHK-2")
def test_restarting_a_chapter_gives_back_what_was_held_when_it_began(session):
    while session.chapter == 1:
        if isinstance(session.prompt, Roll):
            session.roll()
        else:
            session.answer(answers(session.prompt)[-1] if session.answers else "choose 1")
    began = session.state
    play_on(session, ["choose 1"])
    assert session.state.hero != began.hero
    session.restart()
    assert session.state == began
    assert "rope" in session.state.hero.items


def test_a_restart_has_other_dice_but_not_for_the_chapters_before(session):
    history = History(restarts=(2,))
    assert (history.attempt(1), history.attempt(2), history.attempt(3)) == (0, 1, 1)
    session.answer("choose 1")
    rolls = set()
    for _ in range(12):
        session.roll()
        rolls.add(session.answers[-1].answer)
        session.restart(1)
        session.answer("choose 1")
    assert len(rolls) > 1


def test_redo_reverses_a_restart_with_its_dice(session):
    play_on(session)
    end = session.state
    session.restart(1)
    assert session.redo() == 1
    assert session.state == end
    assert session.history.restarts == ()


def test_roll_refuses_where_no_die_is_asked_for(session):
    with pytest.raises(AnswerError, match="No die"):
        session.roll()


def test_the_transcript_is_a_script_of_the_same_game(session, lagoon):
    play_on(session)
    lines = session.transcript()
    again = new_game(lagoon, seed=99, saved=False)
    for line in lines:
        if not line.startswith("#"):
            again.answer(line)
    assert again.state == session.state


def test_watchers_hear_of_everything_that_changed(session):
    heard = []
    session.watchers.append(lambda _, event: heard.append(event))
    session.answer("choose 1")
    session.roll()
    session.undo()
    session.redo()
    session.restart()
    session.use_own_dice(True)
    kinds = [next(iter(event)) for event in heard]
    assert kinds == ["answer", "answer", "undo", "redo", "restart", "mine"]
    assert heard[0]["say"] == "Take the rope"
    assert heard[0]["at"] == [1, 2]
    assert heard[1]["by"] == DICE


# -------------------------------------------------------------------- properties


@settings(max_examples=60)
@given(st.data())
def test_undo_and_redo_are_identities_whatever_is_played(lagoon, data):
    session = new_game(lagoon, seed=data.draw(st.integers(0, 10**6)), saved=False)
    seen = [session.state]
    for _ in range(data.draw(st.integers(1, 25))):
        prompt = session.prompt
        if isinstance(prompt, Over):
            break
        if isinstance(prompt, Roll):
            session.roll()
        else:
            session.answer(data.draw(st.sampled_from(answers(prompt))))
        seen.append(session.state)
        hero = session.state.hero
        assert hero.ap >= 0
        assert 0 <= hero.wounds <= hero.wound_limit
    end, kept = session.state, list(session.answers)
    undone = session.undo(data.draw(st.integers(1, 30)))
    assert session.state == seen[len(session.answers)]
    assert session.redo(undone) == undone
    assert (session.state, session.answers) == (end, kept)


# -------------------------------------------------------------------- dice


def test_dice_are_fair():
    n = 6000
    counts = Counter(dice.pick(5, 0, roll, 20) for roll in range(n))
    assert set(counts) == set(range(20))
    expected = n / 20
    # Chi-squared with 19 degrees of freedom: 43.8 is passed once in a thousand fair dice; this seed is fixed.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 43.8


def test_dice_differ_by_seed_attempt_and_number():
    faces = [dice.pick(*key, 10**9) for key in [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1), (11, 0, 0), (1, 10, 0)]]
    assert len(set(faces)) == len(faces)
    assert dice.pick(1, 0, 0, 20) == dice.pick(1, 0, 0, 20)


def test_heavier_faces_come_more_often():
    roll = Roll("draw", "", (Face("pick a", 3), Face("pick b", 1)))
    counts = Counter(dice.roll_face(roll, 1, 0, n) for n in range(4000))
    assert abs(counts["pick a"] - 3000) < 150


# -------------------------------------------------------------------- reading answers

CARD = Decide(
    "card",
    "The Quay",
    (Option("choose 1", "Wait"), Option("choose 3", "Swim for it"), Option("heal", "Heal 1 wound")),
    (Locked(2, "Pay", "needs 2 AP"),),
)
DODGE = Decide("dodge", "Dodge?", (Option("no dodge", "No"), Option("use dodge", "Yes")))
TURN = Decide("turn", "Your turn", tuple(Option(name, name) for name in ("dart nalu", "dart nalu-2", "end")))
D20 = Roll("d20", "Nalu attacks", tuple(Face(f"d20 {n}", 1) for n in range(1, 21)))


def test_locked_choices_keep_their_place_in_the_menu():
    assert [item.say for item in menu(CARD)] == ["Wait", "Pay", "Swim for it", "Heal 1 wound"]


@pytest.mark.parametrize(
    ("prompt", "text", "answer"),
    [
        (CARD, "1", "choose 1"),
        (CARD, "3", "choose 3"),
        (CARD, " 4 ", "heal"),
        (CARD, "Choose  3", "choose 3"),
        (D20, "14", "d20 14"),
        (D20, "D20 14", "d20 14"),
    ],
)
def test_answers_are_read_by_number_and_by_name(prompt, text, answer):
    assert read_answer(prompt, text) == answer


@pytest.mark.parametrize(
    ("prompt", "text", "why"),
    [
        (CARD, "2", "2 is locked: needs 2 AP"),
        (CARD, "choose 2", "'choose 2' is locked: needs 2 AP"),
        (CARD, "5", "choose from 1 to 4"),
        (CARD, "0", "choose from 1 to 4"),
        (CARD, "haul", "did you mean 'heal'"),
        (DODGE, "dodge", "did you mean 'use dodge'"),
        (DODGE, "dogde", "did you mean 'use dodge'"),
        (DODGE, "no", "did you mean 'no dodge'"),
        (TURN, "nalu", "did you mean 'dart nalu'"),
        (TURN, "shoot", "offered: dart nalu, dart nalu-2, end"),
        (CARD, "\u0661", "not offered"),
        (D20, "21", "it shows 1 to 20"),
        (D20, "d12 3", "no face of the d20"),
        (D20, "-1", "it shows 1 to 20"),
        (Over("death", "death", ""), "1", "over"),
    ],
)
def test_answers_that_do_not_fit_say_why(prompt, text, why):
    with pytest.raises(AnswerError, match=why):
        read_answer(prompt, text)


def test_a_script_writes_faces_in_full():
    with pytest.raises(AnswerError):
        read_answer(D20, "14", numbers=False)


# -------------------------------------------------------------------- following an edited deck


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        (Record("choose 1", "Wait"), "choose 1"),
        (Record("choose 1", "Swim for it"), "choose 3"),
        (Record("choose 2", "Swim for it!"), "choose 3"),
        (Record("choose 1", "Set the town on fire"), None),
        (Record("heal", "Heal a wound"), "heal"),
        (Record("d20 4", ""), None),
    ],
)
def test_an_old_answer_is_followed_by_what_it_is(record, answer):
    assert follow(CARD, record) == answer


def test_a_turned_card_is_followed_whatever_its_number_is_now():
    prompt = Decide("card", "", (Option("reveal 13", "Turn to card 13"),))
    assert follow(prompt, Record("reveal 12", "Turn to card 12")) == "reveal 13"


def test_a_roll_is_followed_by_its_face():
    assert follow(D20, Record("d20 4", by=DICE)) == "d20 4"
    assert follow(D20, Record("d6 4", by=DICE)) is None


def test_sessions_of_the_same_answers_are_equal_without_a_save(lagoon):
    one, two = (new_game(lagoon, seed=4, saved=False) for _ in range(2))
    play_on(one)
    play_on(two)
    assert one.state == two.state
