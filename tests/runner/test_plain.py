"""Plain mode: one question at a time, no control codes, commands, scripts that say where they do not fit."""

import io
import re
import signal
from dataclasses import replace

import pytest

from runner.games import new_game
from runner.plain import Person, Script, ScriptError, play
from runner.sentences import holdings, inventory, position, vitals
from runner.terminal import clean, markdown_text, wants_color, wrap
from solver.solution import ENDLESS, STOPPED, ActionValue, Solution
from story.prompts import Over


def told(session, *lines):
    """What plain mode prints when these lines are typed."""
    out = io.StringIO()
    play(session, Person(io.StringIO("".join(f"{line}\n" for line in lines))), out)
    return out.getvalue()


def scripted(session, text):
    """What plain mode prints for a script."""
    out = io.StringIO()
    play(session, Script("walk.txt", text), out)
    return out.getvalue()


@pytest.fixture
def session(lagoon):
    return new_game(lagoon, seed=11, saved=False)


def test_the_card_the_status_and_the_numbered_options_are_told(session):
    text = told(session)
    assert "The Lagoon." in text
    assert "Card 1. On the Sand." in text
    assert "The boat is yours, the oars are not.\n\nSomebody coughs." in text
    assert "Wounds 0 of 9, 7 AP (reset 7).\nSatchel: 1 Fig.\n" in text
    assert "1. Take the rope\n2. Push off\n3. (locked: needs item Rope) Bribe the ferryman" in text


def test_a_number_a_name_and_a_command_are_obeyed(session):
    text = told(session, "2", "undo", "choose 1", "i", "log")
    assert "Taken back." in text
    assert "Items: Rope." in text
    assert "You choose: Take the rope (NAV-7)" in text
    assert session.answers[0].answer == "choose 1"


def test_what_does_not_fit_is_said_and_asked_again(session):
    text = told(session, "choose 7", "3", "undoo", "undo x", "chose 1")
    assert "'choose 7' is not offered here" in text
    assert "3 is locked: needs item Rope." in text
    assert "did you mean the command 'undo'?" in text
    assert "'undo x' is not understood" in text
    assert "did you mean 'choose 1'?" in text
    assert text.count("1. Take the rope") == 6
    assert session.answers == []


def test_commands_that_only_tell_do_not_ask_again(session):
    text = told(session, "help", "names", "look", "log", "?")
    assert text.count("1. Take the rope") == 1
    assert "choose 1\nchoose 2" in text
    assert "Advice is for decisions in an encounter." in text


def test_a_pulled_card_is_not_read_out_twice(edit, texts):
    one = texts["one"].replace("    steps:\n      - choose:", "    steps:\n      - pull: 4\n      - choose:", 1)
    deck = edit(one=one + "  4: {title: A Note, text: It says no.}\n")
    text = told(new_game(deck, saved=False), "1", "1")
    assert text.count("Card 1. On the Sand.") == 2
    assert text.count("Somebody coughs.") == 1
    assert text.count("It says no.") == 1


def test_the_program_s_dice_roll_by_themselves_after_the_card_is_shown(session):
    text = told(session, "1")
    assert text.index("The reef has teeth.") < text.index("shows")
    assert len(session.answers) > 1


def test_own_dice_are_asked_for_and_range_checked(lagoon):
    session = new_game(lagoon, seed=1, mine=True, saved=False)
    text = told(session, "1", "21", "0", "d6 3", "14")
    assert "What does it show: 1 to 20?" in text
    assert text.count("it shows 1 to 20") == 3
    assert session.answers[1].answer == "d20 14"
    assert session.undo() == 1
    assert len(session.answers) == 1


def test_the_position_is_told_in_sentences(position):
    text = told(new_game(position, seed=2, saved=False), "look", "dodge")
    assert "Round 1 of 1. You stand on 3.\nCrab on 8: 0 of 2 wounds." in text
    assert "You stand on 3, 1 dodge ready." in text
    assert "Crab: Attack: adjacent" in text


def test_advice_is_worked_out_exactly(position):
    text = told(new_game(position, seed=2, saved=False), "?")
    assert re.search(r"With the best play: \d\.\d{4} wounds expected, 0 % to lose; value \d\.\d{4},\s+exact\.", text)
    assert "best: " in text


def advised(monkeypatch, advise):
    """Let plain mode ask ``advise`` instead of the solver."""
    monkeypatch.setattr("solver.advice.Advisor.advise", lambda self, state, **limits: advise(**limits))


def bounds(*actions, best=(), limit="20 s"):
    lower, upper = (min(action[place] for action in actions) for place in (1, 2))
    values = tuple(ActionValue(answer, high, 1.0, low, high) for answer, low, high in actions)
    return Solution("wounds", "priced", False, upper, lower, upper, 1.0, upper, best=best, actions=values, limit=limit)


def test_advice_says_how_long_it_takes_at_most_and_takes_the_seconds_it_is_given(position, monkeypatch):
    asked = []

    def advise(*, seconds, stop, progress, interim):
        asked.append(seconds)
        return bounds(("dodge", 0, 1), ("end", 0, 2), best=("dodge",))

    advised(monkeypatch, advise)
    text = told(new_game(position, seed=2, saved=False), "advice", "? 45", "advice x")
    assert asked == [20, 45]
    assert "Working it out, in 20 s at most" in text
    assert "Working it out, in 45 s at most" in text
    assert "'advice 90' gives it 90 s." in text
    assert "'advice x' is not understood" in text


@pytest.mark.parametrize("seconds", ["0", "86401", "99999999999999999999"])
def test_advice_takes_no_seconds_that_mean_nothing(seconds, position, monkeypatch):
    advised(monkeypatch, None)
    text = told(new_game(position, seed=2, saved=False), f"advice {seconds}")
    assert f"'advice {seconds}': it takes from 1 to 86400 seconds, which is a day." in " ".join(text.split())


def test_no_more_than_a_day_is_offered(position, monkeypatch):
    advised(monkeypatch, lambda **limits: bounds(("dodge", 0, 1), ("end", 0, 2), best=("dodge",)))
    text = told(new_game(position, seed=2, saved=False), "advice 50000")
    assert "'advice 86400' gives it 86400 s." in text
    assert "gives it" not in told(new_game(position, seed=2, saved=False), "advice 86400")


def test_more_time_is_not_offered_where_it_cannot_help(position, monkeypatch):
    advised(monkeypatch, lambda **limits: bounds(("dodge", 0, 9), ("end", 0, 9), limit=ENDLESS))
    text = " ".join(told(new_game(position, seed=2, saved=False), "advice").split())
    assert f"Not exact, as {ENDLESS}: the value is between 0.0000 and 9.0000." in text
    assert "gives it" not in text
    assert "Nothing tells one action from another." in text


def test_the_slow_way_is_named_where_nothing_is_told_apart(position, monkeypatch):
    known = replace(bounds(("dodge", 0, 9), ("end", 0, 9)), reference="121 AP at once")
    advised(monkeypatch, lambda **limits: known)
    text = " ".join(told(new_game(position, seed=2, saved=False), "advice").split())
    assert "Worked out the slow way, by the reference: 121 AP at once. Nothing tells one action from another" in text


def test_advice_tells_now_and_then_how_far_it_is_in_the_words_of_the_list(position, monkeypatch):
    monkeypatch.setattr("runner.plain.REPORT_EVERY", 0.0)

    def advise(*, seconds, stop, progress, interim):
        progress(7)
        interim(bounds(("dodge", 0.5, 1), ("end", 0.5, 2), best=("dodge",)))
        progress(1234)
        return bounds(("dodge", 0, 9), ("end", 0, 9))

    advised(monkeypatch, advise)
    text = " ".join(told(new_game(position, seed=2, saved=False), "advice").split())
    assert "After 0 s: 7 positions." in text
    assert "1,234 positions, the value is between 0.5000 and 1.0000, best so far: Dodge: queue one." in text
    assert "Nothing tells one action from another yet." in text
    assert text.count("between") == 2


def test_ctrl_c_ends_the_search_and_not_the_game(position, monkeypatch):
    def advise(*, seconds, stop, progress, interim):
        assert not stop()
        signal.raise_signal(signal.SIGINT)
        assert stop()
        return bounds(("dodge", 0, 1), ("end", 0, 2), best=("dodge",), limit=STOPPED)

    advised(monkeypatch, advise)
    session = new_game(position, seed=2, saved=False)
    text = told(session, "advice", "dodge")
    assert "Not exact, interrupted: the value is between 0.0000 and 1.0000." in text
    assert session.answers[0].answer == "dodge"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whatever_the_solver_stumbles_over_the_game_goes_on(position, monkeypatch):
    def advise(**limits):
        raise MemoryError

    advised(monkeypatch, advise)
    session = new_game(position, seed=2, saved=False)
    assert "No advice here: this position needs more memory than there is." in told(session, "?", "dodge")
    assert session.answers


def test_at_the_end_the_game_can_still_be_taken_back(session):
    while not isinstance(session.prompt, Over):
        told(session, "1")
    text = told(session, "1", "undo")
    assert "The game is over" in text or "the game is over" in text
    assert not isinstance(session.prompt, Over)


def test_restart_goes_back_to_where_a_chapter_began(session):
    text = told(session, "1", "restart", "restart 2")
    assert "Back to where chapter 1 began." in text
    assert "Chapter 2 has not been reached" in text


def test_nothing_a_card_says_controls_the_terminal(lagoon):
    """The loader refuses such decks; plain mode does not rely on it."""
    first = lagoon.chapters[0]
    card = replace(first.cards[1], title="\x1b[31mRed\a", text="Somebody \u202ecoughs\u200b.\x9b2J")
    chapter = replace(first, cards={**first.cards, 1: card}, title="\x1b]0;mine\a")
    wild = replace(lagoon, chapters=(chapter, *lagoon.chapters[1:]), title="\x1b[2JLagoon")
    text = told(new_game(wild, saved=False), "look", "log", "\x1b[31mwhat", "1")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]", text)
    assert "[31mRed" in text


# -------------------------------------------------------------------- scripts


def test_a_script_answers_and_the_dice_answer_what_it_leaves_out(lagoon):
    session = new_game(lagoon, seed=11, saved=False)
    scripted(session, "# the boat\n\nchoose 2\n\nd20 1\n")
    assert [record.answer for record in session.answers][:2] == ["choose 2", "d20 1"]


def test_a_script_ends_where_the_next_decision_stands(lagoon):
    session = new_game(lagoon, seed=11, saved=False)
    text = scripted(session, "choose 2")
    assert text.rstrip().splitlines()[-1].startswith(("1. ", "2. ", "3. ", "4. "))


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("choose 1\nchoose 9\n", r"^walk\.txt:2: 'choose 9' is not offered here"),
        ("# one\n\nchoose 3\n", r"^walk\.txt:3: 'choose 3' is locked"),
        ("choose 1\nd20 25\n", r"^walk\.txt:2: 'd20 25' is no outcome of"),
        ("choose 1\nrestart 5\n", r"^walk\.txt:2: Chapter 5 has not been reached"),
    ],
)
def test_a_script_that_does_not_fit_says_where(session, script, error):
    with pytest.raises(ScriptError, match=error):
        scripted(session, script)


def test_a_transcript_is_played_again_by_other_dice(lagoon):
    first = new_game(lagoon, seed=5, saved=False)
    told(first, *["1"] * 12)
    again = new_game(lagoon, seed=6, saved=False)
    scripted(again, "\n".join(first.transcript()))
    assert again.state == first.state


# -------------------------------------------------------------------- sentences, terminal


def test_status_and_inventory_say_what_is_held(lagoon):
    session = new_game(lagoon, seed=1, saved=False)
    session.answer("choose 1")
    hero = session.state.hero._replace(talents=(2, 0, 0), wounds=5)
    assert vitals(hero) == "Wounds 5 of 9, 7 AP (reset 7)."
    assert holdings(hero, session.library) == "Physical 2; satchel: 1 Fig; items: Rope."
    assert "Satchel: Fig 1 of 3." in inventory(hero, session.library)


def test_marks_are_told(position):
    session = new_game(position, saved=False)
    field = session.state.field
    foe = field.foes[0]._replace(wounds=1, stunned=True, poisoned=True, rage=2)
    field = field._replace(foes=(foe,), poisoned=True, no_step=True)
    assert position_text(field, session) == [
        "Round 1 of 1. You stand on 3, you cannot step this turn, poisoned.",
        "Crab on 8: 1 of 2 wounds, stunned, poisoned, rage 2.",
    ]


def position_text(field, session):
    return position(field, session.library)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a *small* word", "a small word"),
        ("__very__ **big** _one_", "very big one"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("- one\n- two\n  more", "- one\n- two more"),
        ("one\ntwo\n\nthree", "one two\n\nthree"),
    ],
)
def test_markdown_is_read_as_text(text, plain):
    assert markdown_text(text, 60) == plain


def test_long_lines_are_wrapped():
    assert max(map(len, wrap("word " * 60, 40).splitlines())) <= 40


def test_clean_keeps_text_and_line_feeds_alone():
    assert clean("a\x1b[2Jb\r\nc\td\x9b\u2066e\ufeff") == "a[2Jb\nc   de"


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert wants_color(Terminal())
    assert not wants_color(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_color(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not wants_color(Terminal())
