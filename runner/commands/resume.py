"""``cardwalk resume``: go on with a saved game."""

from __future__ import annotations

import argparse

from runner.arguments import whole
from runner.cli import Failure, need_terminal
from runner.commands.play import failures, go_on, write_log
from story.prompts import AnswerError

EXAMPLES = (
    "cardwalk resume",
    "cardwalk resume starter-20260101-101500 --plain",
    "cardwalk resume --chapter 1",
    "cardwalk resume my-game --deck ~/decks/mine",
)

MOST_CHAPTERS = 10**6


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "save", nargs="?", default="", metavar="SAVE", help="its name, or how it begins (default: newest)"
    )
    parser.add_argument("--chapter", type=_chapter, metavar="N", help="go back to where chapter N began")
    parser.add_argument("--plain", action="store_true", help="one question at a time, no control codes")
    parser.add_argument("--deck", metavar="DECK", help="where the save's deck is now, if it was moved")
    parser.add_argument("--log", metavar="FILE", help="write what happens to FILE, what happened before included")


def _chapter(text: str) -> int:
    return whole(text, 1, MOST_CHAPTERS, "the number of a chapter")


def run(args: argparse.Namespace) -> int:
    """Go on with the game."""
    if not args.plain:
        need_terminal("resume")
    from runner.games import resume_game

    with failures("resume"):
        session = resume_game(args.save, deck=args.deck)
    try:
        if args.chapter is not None:
            session.restart(args.chapter)
        if args.log is not None:
            write_log(session, args.log)
    except (AnswerError, Failure) as error:
        session.close()
        raise Failure(f"resume: {error}") from None
    return go_on(session, args.plain)
