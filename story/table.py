"""What every table over a State does alike: ask the question on the agenda, take an offered answer."""

from __future__ import annotations

import difflib

from story.prompts import AnswerError, Over, Prompt, answers
from story.state import Play, State


def ask(play: Play) -> Prompt:
    """The question on top of the agenda; Over when the game has ended."""
    if play.over is not None:
        return play.over
    if not play.agenda:
        return Over("done", "done", "The encounter is over.")
    question = play.agenda[-1]
    assert not isinstance(question, tuple), "the agenda was not settled"
    return question.prompt(play)


def answer_question(play: Play, answer: str) -> State:
    """Take an answer that the question offers and carry on to the next question.

    Raises AnswerError, naming the nearest offered answer, if it is not offered.
    """
    prompt = ask(play)
    offered = answers(prompt)
    if answer not in offered:
        if isinstance(prompt, Over):
            raise AnswerError(f"'{answer}' is not asked for: the game is over.")
        near = difflib.get_close_matches(answer, offered, 1)
        hint = (
            f" Did you mean '{near[0]}'?"
            if near
            else f" Offered: {', '.join(offered[:8])}{', …' * (len(offered) > 8)}."
        )
        raise AnswerError(f"'{answer}' is not offered here.{hint}")
    question = play.agenda.pop()
    assert not isinstance(question, tuple)
    question.answer(play, answer)
    play.settle()
    return play.state()
