"""What every table over a State does alike: ask the question on the agenda, take an offered answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from story.cards import Library
from story.prompts import AnswerError, Over, Prompt, Tell, answers
from story.state import Play, State


class _Asked(NamedTuple):
    state: State | None
    prompt: Prompt
    offered: tuple[str, ...]


class StateTable:
    """A game whose rules move a State."""

    def __init__(self, library: Library, campaign: Any = None) -> None:
        self.library = library
        self.campaign = campaign
        # The last question is kept: it is asked again when its answer is checked, by a solver for every answer in turn.
        self._asked = _Asked(None, Over("done", "", ""), ())

    def prompt(self, state: State) -> Prompt:
        """The question that the state asks; Over when the game has ended."""
        return self._ask(state).prompt

    def answer(self, state: State, answer: str, tell: Tell | None = None) -> State:
        """The state after an answer that is offered, carried on to the next question.

        Raises AnswerError, naming the nearest offered answer, if it is not offered.
        """
        _, prompt, offered = self._ask(state)
        if answer not in offered:
            raise AnswerError(_not_offered(prompt, offered, answer))
        play = Play(state, self.library, tell, self.campaign)
        question = play.agenda.pop()
        assert not isinstance(question, tuple)
        question.answer(play, answer)
        play.settle()
        return play.state()

    def _ask(self, state: State) -> _Asked:
        asked = self._asked
        if asked.state is not state:
            prompt = _question(Play(state, self.library, campaign=self.campaign))
            asked = self._asked = _Asked(state, prompt, answers(prompt))
        return asked


def _question(play: Play) -> Prompt:
    if play.over is not None:
        return play.over
    if not play.agenda:
        return Over("done", "done", "The encounter is over.")
    question = play.agenda[-1]
    assert not isinstance(question, tuple), "the agenda was not settled"
    return question.prompt(play)


def _not_offered(prompt: Prompt, offered: tuple[str, ...], answer: str) -> str:
    if isinstance(prompt, Over):
        return f"'{answer}' is not asked for: the game is over."
    import difflib

    near = difflib.get_close_matches(answer, offered, 1)
    hint = f"Did you mean '{near[0]}'?" if near else f"Offered: {', '.join(offered[:8])}{', …' * (len(offered) > 8)}."
    return f"'{answer}' is not offered here. {hint}"
