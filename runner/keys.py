"""The one registry of commands: it feeds the key bindings, the footer, the palette and the help.

A command is known by its id; a screen carries it out with the method ``do_<id>`` and says with ``can(id)`` whether it
is open now. Where a command applies is its *context*: the same key may mean something else while an action is aimed.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """Something the player can do with one key."""

    id: str
    keys: tuple[str, ...]
    """Names of keys as the terminal gives them; the first is the one shown."""
    shown: str
    """How the key is written in the footer."""
    label: str
    help: str
    contexts: frozenset[str]
    footer: bool = True
    """Shown in the footer; the others are shown where they apply (a list, a menu)."""


def _command(id: str, keys: str, label: str, help: str, contexts: str, shown: str = "", footer: bool = True) -> Command:
    names = tuple(keys.split())
    return Command(id, names, shown or NAMES.get(names[0], names[0]), label, help, frozenset(contexts.split()), footer)


NAMES = {
    "question_mark": "?",
    "f1": "F1",
    "escape": "esc",
    "ctrl+q": "ctrl+q",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "plus": "+",
    "minus": "-",
    "slash": "/",
}

PLAY = "story turn aim stand telling window die face eating ending"
"""A game is on the screen."""

TABLE = "table numbers"
"""A position is being laid out: the arrows move over the playfield, or over the numbers."""

ADVICE = "advice searching"
"""The best moves; while they are still worked out, esc stops that first."""

READERS = "log rules inventory options advice load new"

COMMANDS: tuple[Command, ...] = (
    # What one chooses stands first: the footer is read from the left.
    _command(
        "choose",
        "1 2 3 4 5 6 7 8 9",
        "choose",
        "Take the choice of that number",
        "story window eating ending title new load options",
        "1-9",
    ),
    _command(
        "accept", "enter", "go on", "Take the marked choice", "story ending title new load options", "enter", False
    ),
    _command("keep", "enter", "keep", "Keep the roll, spend nothing", "window"),
    _command("keep", "enter", "eat it", "Eat the marked food", "eating", footer=False),
    _command("close_panel", "escape", "nothing", "Eat nothing after all", "eating"),
    _command("next", "space enter", "next", "Tell the next step", "telling"),
    _command("skip", "s", "skip", "Tell everything up to the next decision", "telling"),
    _command("next", "enter space", "go on", "The roll stands: go on", "die"),
    _command("digit", "0 1 2 3 4 5 6 7 8 9", "type the face", "What your own die shows", "face", "0-9"),
    _command("erase", "backspace", "erase", "Take the last digit back", "face", footer=False),
    _command("enter_face", "enter", "take it", "That is what the die shows", "face"),
    _command("cast", "space", "let it roll", "The program rolls this one", "face"),
    # Her turn.
    _command("aim_dart", "d", "dart", "Aim a dart shot", "turn", footer=False),
    _command("aim_step", "m", "step", "Move one space", "turn", footer=False),
    _command("dodge", "g", "dodge", "Queue a dodge", "turn", footer=False),
    _command("aim_fear", "f", "fear", "Frighten an enemy to another space", "turn", footer=False),
    _command("aim_try", "t", "try", "Try the challenge of something beside her", "turn", footer=False),
    _command("end", "enter", "end turn", "End her turn", "turn", footer=False),
    # Aiming.
    _command("choose", "1 2 3 4 5 6 7 8 9", "target", "Put the mark on that target; again to pay", "aim stand", "1-9"),
    _command("pay", "enter", "pay", "Pay and do it", "aim"),
    _command("pay", "enter", "stand", "Stand there", "stand"),
    _command("move", "left right up down", "move", "Move the mark to the next target that way", "aim stand", "arrows"),
    _command("cancel", "escape backspace", "cancel", "Choose another action, nothing is paid", "aim"),
    # Care of her.
    _command("heal", "h", "heal", "Heal 1 wound for 1 AP", "story turn"),
    _command("eat", "e", "eat", "Eat something from the satchel", "story turn"),
    # What lies on the table.
    _command("inventory", "i", "cards", "Everything she carries, with its text", PLAY),
    _command("log", "l", "log", "What has happened so far", PLAY),
    _command("look", "tab", "look", "Read the next enemy's card", "turn aim telling window stand"),
    _command("undo", "u", "undo", "Take back the last answer", PLAY),
    _command("redo", "r", "redo", "Give the answer again that was taken back", PLAY),
    _command("advice", "question_mark", "advice", "The best moves, worked out exactly", "turn aim window stand"),
    _command(
        "mark",
        "up down",
        "mark",
        "Move the mark",
        "story ending title new load options advice window eating",
        footer=False,
    ),
    # The table that is laid out by hand.
    _command("move", "left right up down", "move", "Move the mark over the playfield", "table", "arrows", False),
    _command(
        "turn_row", "up down left right minus plus", "turn", "Choose a row and turn it", "numbers", "arrows", False
    ),
    _command("numbers", "tab", "edit", "From the playfield to the numbers and back", TABLE, "tab"),
    _command("enemy", "n", "enemy", "Put an enemy on the marked space", TABLE),
    _command("terrain", "t", "terrain", "Put terrain on the marked space", TABLE),
    _command("here", "y", "you", "Stand on the marked space", TABLE),
    _command("lift", "space", "move it", "Take a piece into the hand, and put it down", TABLE, "space", False),
    _command("disc", "b", "disc", "A blocked disc, there or not", TABLE),
    _command("cross", "x", "X", "Nothing drawn or rolled may start here, or may again", TABLE, footer=False),
    _command("take_away", "delete backspace", "off", "Take the piece off the table", TABLE, "del"),
    _command("cards", "c", "cards", "Bring in the cards of a campaign", TABLE, footer=False),
    _command("title", "a", "name", "Name the position", TABLE, footer=False),
    _command("open", "o", "open", "Open an encounter file", TABLE, footer=False),
    _command("save", "w", "save", "Save as an encounter file", TABLE),
    _command("play", "p", "play", "Play on from this position", TABLE),
    _command("undo", "u", "undo", "Take the last change back", TABLE, footer=False),
    _command("redo", "r", "redo", "Make the change again that was taken back", TABLE, footer=False),
    _command("advice", "question_mark", "best", "The best move in this position", TABLE),
    # Reading.
    _command("scroll", "up down pageup pagedown home end", "scroll", "Scroll", "log inventory rules", "↑↓", True),
    _command("scroll", "pagedown pageup", "read on", "Scroll the card", "story ending", "PgDn"),
    _command("find", "slash", "find", "Find a word or the id of a rule", "rules"),
    _command("choose", "1 2 3 4 5 6 7 8 9", "play that", "Give the answer of that number", "advice", "1-9"),
    _command("accept", "enter", "play the marked", "Give the marked answer", ADVICE),
    _command("longer", "plus", "more time", "Let the solver go on, for twice as long where its time was up", "advice"),
    _command("scroll", "pagedown pageup", "read on", "Scroll to the plot of the wounds", ADVICE, "PgDn"),
    _command("mark", "up down", "mark", "Mark an action for enter; the mark stays on it", "searching", "↑↓"),
    _command("stop", "escape", "stop", "Stop the search; what is known stays", "searching"),
    _command("delete", "x delete", "delete", "Delete the marked game, after asking", "load"),
    _command("yes", "y", "yes, delete", "Delete it for good", "confirm"),
    _command("no", "n escape", "keep it", "Keep it", "confirm"),
    _command(
        "rules",
        "f1",
        "rules",
        "The rulebook, at the rule that decided last; the keys are in it too",
        f"{PLAY} title {READERS} searching {TABLE}",
    ),
    _command("options", "o", "options", "Theme, dice, animation, how much is told", PLAY + " title"),
    _command("back", "q escape", "back", "Close this", f"{READERS} {TABLE}"),
    _command("back", "q", "back", "Close this", "searching"),
    _command("back", "q", "title", "Back to the title; the game is kept", PLAY),
    _command("quit", "q", "quit", "Leave", "title"),
    _command(
        "quit", "ctrl+q", "quit", "Leave; the game is kept", f"{PLAY} title {READERS} searching {TABLE}", footer=False
    ),
)


def in_context(context: str) -> tuple[Command, ...]:
    """The commands of a context, in the footer's order."""
    return tuple(command for command in COMMANDS if context in command.contexts)


def find(context: str, key: str) -> Command | None:
    """The command that a key gives in a context."""
    return next((command for command in COMMANDS if context in command.contexts and key in command.keys), None)


def help_rows() -> tuple[tuple[str, str, str], ...]:
    """(key, label, help) of every command once, for the help page."""
    rows = {(command.shown, command.label, command.help): None for command in COMMANDS}
    return tuple(rows)
