"""The command line: finds the command, lets its module read the arguments and run, and ends with an exit status.

Only the module of the command that was asked for is imported: starting up is quick.
"""

from __future__ import annotations

import argparse
import importlib
import keyword
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

STARTED = time.perf_counter()
"""When this process had got as far as this module."""

COMMANDS = {
    "play": "begin a game",
    "resume": "go on with a saved game, or from a chapter's checkpoint of it",
    "saves": "list, export, import, delete saved games",
    "solve": "the best play of an encounter, worked out exactly",
    "check": "find what is wrong with a deck, and where",
    "graph": "draw the cards of a deck and the ways between them",
    "playtest": "play a deck thousands of times and tell how it went",
    "new": "write a small deck that passes check and plays",
    "import": "make a deck out of a Twine story (Twee 3)",
    "export": "write a deck as a Twine story (Twee 3)",
    "fmt": "lay deck files out in the canonical way, texts and comments kept",
    "schema": "the deck format as a JSON Schema, for editors",
    "rules": "the rulebook, searchable",
    "table": "lay out a position, play it or ask for the best move",
}
"""Each is a module of runner.commands with EXAMPLES, ``arguments(parser)`` and ``run(args)``; where its name is a word
of Python, an underscore follows it."""

FINE, PROBLEMS, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""Exit statuses."""


class Failure(Exception):
    """Ends a command with one line on standard error."""

    def __init__(self, message: str, status: int = PROBLEMS) -> None:
        super().__init__(message)
        self.status = status


class Parser(argparse.ArgumentParser):
    """Tells a wrong command line in one line, naming the option that was probably meant."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; unlike argparse's own, raises OSError where it cannot be written."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Leave with exit status 2; of a very long word only its beginning is shown."""
        message = re.sub(r"(\S{40})\S{40,}", r"\1…", message)
        prefix = "unrecognized arguments: "
        if message.startswith(prefix):
            words = message[len(prefix) :].split()
            known = [name for action in self._actions for name in action.option_strings]
            message = f"{message[: len(prefix)]}{' '.join(words)}{suggest(words[0].split('=')[0], known)}"
        raise Failure(f"{self.prog.removeprefix('cardwalk').strip() or 'cardwalk'}: {message}", USAGE)


def suggest(word: str, known: Iterable[str]) -> str:
    """``; did you mean X?``, or nothing."""
    import difflib

    near = difflib.get_close_matches(word, list(known), 1, 0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``cardwalk`` with these arguments (the process's by default); returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # The solver's rows are short: threads for numpy's linear algebra would do nothing but take time to start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _open_streams()
    try:
        _tolerate_any_text()
        status = _run(words)
        sys.stdout.flush()
        return status
    except Failure as failure:
        _complain(str(failure))
        return failure.status
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _silence_output()
        return BROKEN_PIPE
    except OSError as error:
        _silence_output()
        _complain(f"the output cannot be written: {error.strerror or error}")
        return PROBLEMS


def _open_streams() -> None:
    """A standard stream that was closed reads as empty and swallows what is written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end


def _silence_output() -> None:
    """Nothing more is written, not even at the interpreter's end: nobody can take it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if not words:
        need_terminal("cardwalk", "'cardwalk play --plain' plays by lines, 'cardwalk --help' lists the commands")
        from runner.app import run

        return _status(run())
    name = words[0]
    if name.startswith("-"):
        _exits(lambda: bool(_top_parser().parse_args(words)))
        return FINE
    if name == "help":
        words = [*words[1:2], "--help"]
        return _run(words)
    if name not in COMMANDS:
        hint = suggest(name, COMMANDS)
        raise Failure(f"cardwalk: there is no command '{name}'{hint or '; --help lists them'}", USAGE)
    if "" in words:
        raise Failure(f"{name}: an empty argument ('') names nothing; for the current folder write .", USAGE)
    command = importlib.import_module(f"runner.commands.{name}{'_' * keyword.iskeyword(name)}")
    parser = Parser(
        prog=f"cardwalk {name}",
        description=f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}.",
        epilog=_examples(command.EXAMPLES),
    )
    command.arguments(parser)
    return _status(_exits(lambda: command.run(parser.parse_args(words[1:]))))


def need_terminal(command: str, instead: str = "--plain plays by lines") -> None:
    """Refuse the interface where standard input or output is no terminal, and say what to do."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(f"{command}: the interface needs a terminal; {instead}", USAGE)


def _exits(run: Callable[[], int]) -> int:
    """``run``, where argparse has shown its help and wants to leave."""
    try:
        return run()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FINE


def _status(code: object) -> int:
    return code if isinstance(code, int) else FINE


def _top_parser() -> Parser:
    width = max(map(len, COMMANDS)) + 2
    commands = "\n".join(f"  {name:{width}}{meaning}" for name, meaning in COMMANDS.items())
    parser = Parser(
        prog="cardwalk",
        usage="cardwalk [--help] [--version] [COMMAND …]",
        description="Solo card adventures: read, roll, fight, and be told the best move.\n"
        "Without a command the interface opens: continue, new game, load, table, rules, options.",
        epilog=f"commands:\n{commands}\n\n'cardwalk COMMAND --help' tells more of one.\n\n"
        + _examples(("cardwalk", "cardwalk play --plain", "cardwalk check my-deck")),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"cardwalk {installed_version() or '(not installed: run from its source)'}")
        parser.exit(FINE)


def installed_version() -> str:
    """The version of the installed program, empty if it runs from its source alone."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardwalk")
    except PackageNotFoundError:
        return ""


def _examples(lines: Iterable[str]) -> str:
    return "examples:\n" + "\n".join(f"  {line}" for line in lines)


def _complain(message: str) -> None:
    from runner.terminal import clean

    try:
        sys.stdout.flush()
    except OSError:
        _silence_output()
    try:
        print(clean(message), file=sys.stderr, flush=True)
    except OSError:
        return


def _tolerate_any_text() -> None:
    """A terminal that cannot show a letter shows a stand-in; input that is no text stays input."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
