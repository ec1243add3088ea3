"""``cardwalk play``: begin a game, in the interface or line by line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli import FINE, USAGE, Failure, need_terminal
from runner.dice import SEED_LIMIT

if TYPE_CHECKING:
    from runner.rehearsal import Rehearsal
    from runner.session import Session

EXAMPLES = (
    "cardwalk play",
    "cardwalk play my-deck --plain --seed 7",
    "cardwalk play position.yaml --dice mine",
    "cardwalk play --script walk.txt --log told.txt",
    "cardwalk play my-deck --watch --card 1:4",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "deck",
        nargs="?",
        default="starter",
        metavar="DECK",
        help="a folder with campaign.yaml, a built-in campaign's name, or an encounter file (default: starter)",
    )
    parser.add_argument("--plain", action="store_true", help="one question at a time, no control codes")
    parser.add_argument("--seed", type=seed, metavar="N", help="a whole number; the same seed rolls the same dice")
    parser.add_argument("--dice", choices=("app", "mine"), default="app", help="mine: each roll asks for your own die")
    parser.add_argument("--log", metavar="FILE", help="write what happens to FILE; it can be played again as a script")
    parser.add_argument("--script", metavar="FILE", help="answer from FILE, one answer a line; implies --plain")
    parser.add_argument(
        "--card", metavar="CARD", help="rehearse from this card (14, 2:14, heads:otto), with nothing gained; not saved"
    )
    parser.add_argument("--watch", action="store_true", help="rehearse: read the deck again after every save of it")
    parser.add_argument("--no-save", action="store_true", help="keep no save (a script's game never is)")


@contextmanager
def failures(command: str) -> Iterator[None]:
    """What keeps a game from being played ends the command: a deck's problems, a save's trouble."""
    from runner.games import GameError
    from runner.saves import SaveError
    from story.problems import DeckError

    try:
        yield
    except DeckError as error:
        raise Failure(str(error)) from None
    except (GameError, SaveError) as error:
        raise Failure(f"{command}: {error}") from None


def seed(text: str) -> int:
    """A seed from the command line; raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < SEED_LIMIT):
        raise argparse.ArgumentTypeError(f"'{text}' is no seed: a whole number from 0 to {SEED_LIMIT - 1} is needed")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Begin the game."""
    plain = args.plain or args.script is not None
    if args.watch and (args.script is not None or args.log is not None):
        raise Failure("play: --watch follows an edited deck, which neither --script nor --log can", USAGE)
    if not plain:
        need_terminal("play")
    script = read_text(args.script) if args.script is not None else None
    from runner.games import new_game

    saved = not args.no_save and args.script is None
    rehearsal = None
    with failures("play"):
        if args.watch or args.card is not None:
            rehearsal = _rehearse(args)
            session = rehearsal.session
        else:
            session = new_game(args.deck, seed=args.seed, mine=args.dice == "mine", saved=saved)
    if args.log is not None:
        try:
            write_log(session, args.log)
        except Failure:
            session.close()
            raise
    return go_on(session, plain, args.script, script, rehearsal)


def _rehearse(args: argparse.Namespace) -> Rehearsal:
    from runner.rehearsal import Rehearsal

    mine = args.dice == "mine"
    return Rehearsal(args.deck, args.card or "", seed=args.seed, mine=mine, watched=args.watch)


def go_on(
    session: Session,
    plain: bool,
    script_name: str = "",
    script: str | None = None,
    rehearsal: Rehearsal | None = None,
) -> int:
    """Play a session in the interface or line by line; returns the exit status."""
    try:
        if plain:
            _play_plain(session, script_name, script, rehearsal)
            return FINE
        from runner.app import run

        return run(session=session, rehearsal=rehearsal) or FINE
    finally:
        session.close()


def _play_plain(session: Session, script_name: str, script: str | None, rehearsal: Rehearsal | None) -> None:
    from runner.plain import Person, Script, ScriptError, Source, play

    source: Source
    reload = None
    if script is not None:
        source = Script(script_name, script)
    elif rehearsal is not None and rehearsal.watch is not None:
        from runner.listener import Listener

        source, reload = Listener(sys.stdin, rehearsal.saved), lambda: rehearsal.reload()[:2]
    else:
        source = Person(sys.stdin)
    try:
        play(session, source, sys.stdout, reload)
    except ScriptError as error:
        raise Failure(str(error)) from None


def write_log(session: Session, name: str) -> None:
    """Write what happens from now on to a file, answer by answer; raises Failure if it cannot be written."""
    from runner.transcript import Log

    try:
        session.watchers.append(Log(Path(name), session).watch)
    except OSError as error:
        raise Failure(f"{name}: {error.strerror or error}") from None


def read_text(name: str) -> str:
    """A text file's content; raises Failure."""
    from story.decks import LARGEST

    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Failure(f"{name}: larger than 16 MiB; split it")
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise Failure(f"{name}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Failure(f"{name}: no text in UTF-8 (byte {error.start})") from None
