"""From what a person or a script writes to the stable name of an answer, and from an old save's answer to today's."""

from __future__ import annotations

import difflib

from runner.history import Record
from story.prompts import AnswerError, Decide, Locked, Option, Over, Prompt, Roll, answers

ALIKE = 0.8
"""Texts at least this alike (difflib ratio) are the same, one of them mended or mistyped."""

TURNS = ("reveal", "pull", "draw", "next", "back", "begin")
"""Ways on that a card offers one of: followed by what they are, whatever number they name."""


def menu(prompt: Decide) -> tuple[Option | Locked, ...]:
    """The options as they are shown, numbered from 1: the card's own with the locked ones between, then the rest."""
    placed: list[tuple[int, Option | Locked]] = [(locked.place, locked) for locked in prompt.locked]
    rest = []
    for option in prompt.options:
        verb, _, place = option.answer.partition(" ")
        if verb == "choose":
            placed.append((int(place), option))
        else:
            rest.append(option)
    placed.sort(key=lambda item: item[0])
    return (*(item for _, item in placed), *rest)


def read_answer(prompt: Prompt, text: str, *, numbers: bool = True) -> str:
    """The answer that ``text`` means: its stable name, or with ``numbers`` a place in the menu or a die's face.

    Raises AnswerError, in one line for the player, if it means none.
    """
    words = " ".join(text.casefold().split())
    offered = answers(prompt)
    if words in offered:
        return words
    number = int(words) if words.isascii() and words.isdigit() and len(words) < 10 else None
    match prompt:
        case Over():
            raise AnswerError("The game is over: there is nothing left to answer.")
        case Roll(die=die):
            if numbers and (face := _face(prompt, words)):
                return face
            raise AnswerError(f"'{text.strip()}' is no face of {_die(die)}: {_range(prompt)}.")
        case Decide():
            shown = menu(prompt)
            if numbers and number is not None:
                if not 1 <= number <= len(shown):
                    raise AnswerError(f"There is no {number} here: choose from 1 to {len(shown)}.")
                item = shown[number - 1]
                if isinstance(item, Locked):
                    raise AnswerError(f"{number} is locked: {item.reason}.")
                return item.answer
            for item in prompt.locked:
                if words == f"choose {item.place}":
                    raise AnswerError(f"'{words}' is locked: {item.reason}.")
            near = _nearest(words, offered)
            hint = f"did you mean '{near}'?" if near else f"offered: {_some(offered)}."
            raise AnswerError(f"'{text.strip()}' is not offered here; {hint}")


def follow(prompt: Prompt, record: Record) -> str | None:
    """Today's name of an answer given before the deck was edited; None where it no longer fits (see Record.say)."""
    answer, said = record.answer, record.say
    offered = answers(prompt)
    if not isinstance(prompt, Decide):
        return answer if answer in offered else None
    words = {option.answer: option.say for option in prompt.options}
    if answer in words and (not said or words[answer] == said):
        return answer
    verb = answer.split(" ")[0]
    alike = [option for option in prompt.options if option.answer.split(" ")[0] == verb]
    for option in alike:
        if said and option.say == said:
            return option.answer
    if verb != "choose" and answer in words:
        return answer
    if verb in TURNS:
        return alike[0].answer if len(alike) == 1 else None
    if verb == "choose" and said:
        by_words = {option.say: option.answer for option in alike}
        near = difflib.get_close_matches(said, list(by_words), 1, ALIKE)
        return by_words[near[0]] if near else None
    return None


def _nearest(words: str, offered: tuple[str, ...]) -> str | None:
    """The answer that was probably meant: one that holds the words, rather yes than no, or one that looks alike."""
    if " " not in words:
        spoken = dict.fromkeys(word for answer in offered for word in answer.split())
        words = next(iter(difflib.get_close_matches(words, spoken, 1, ALIKE)), words)
    holding = [answer for answer in offered if f" {words} " in f" {answer} "]
    if holding:
        return min(holding, key=lambda answer: answer.startswith("no "))
    return next(iter(difflib.get_close_matches(words, offered, 1)), None)


def _face(prompt: Roll, words: str) -> str | None:
    ends = [face.answer for face in prompt.faces if face.answer.split(" ", 1)[-1] == words]
    return ends[0] if len(ends) == 1 else None


def _die(die: str) -> str:
    return {"place": "the placement die", "pick": "the choice", "draw": "the deck"}.get(die, f"the {die}")


def _range(prompt: Roll) -> str:
    ends = [face.answer.split(" ", 1)[-1] for face in prompt.faces]
    if prompt.die in ("d6", "d12", "d20"):
        return f"it shows {ends[0]} to {ends[-1]}"
    return f"it can be {_some(ends)}"


def _some(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:12]) + ", …" * (len(names) > 12)
