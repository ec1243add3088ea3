"""The decks that come with the program, and finding the deck that a person names."""

from __future__ import annotations

from pathlib import Path

from story.problems import DeckError, Problem, did_you_mean, printable

HERE = Path(__file__).parent
CAMPAIGN_FILE = "campaign.yaml"
TEMPLATE = "template"
"""What ``cardwalk new`` copies: it lies here but is no game."""
LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read."""


def built_in() -> tuple[str, ...]:
    """Names of the built-in decks, sorted."""
    return tuple(sorted(file.parent.name for file in HERE.glob(f"*/{CAMPAIGN_FILE}") if file.parent.name != TEMPLATE))


def resolve(deck: str | Path) -> Path:
    """The file to read for DECK: a folder with ``campaign.yaml``, a built-in name, or a single deck file.

    Raises DeckError, naming the known decks, if it is none of them.
    """
    name = str(deck)
    path = Path(deck)
    try:
        if (path / CAMPAIGN_FILE).is_file():
            return path / CAMPAIGN_FILE
        if name in built_in():
            return HERE / name / CAMPAIGN_FILE
        if path.is_dir():
            raise DeckError(
                [
                    _nowhere(
                        name,
                        "deck-not-found",
                        f"the folder holds no {CAMPAIGN_FILE}",
                        "name another, or write a deck: cardwalk new DIR",
                    )
                ]
            )
        if path.exists():
            return path
    except PermissionError as error:
        raise DeckError([_nowhere(name, "deck-not-found", _closed(error), "look at its permissions")]) from None
    except (OSError, ValueError):
        pass
    message = "there is no such folder, built-in deck or deck file"
    raise DeckError([_nowhere(name, "deck-not-found", message, _known(name))])


def _closed(error: OSError) -> str:
    return f"the folder cannot be looked into: {error.strerror}"


def _known(name: str) -> str:
    names = built_in()
    best = did_you_mean(name, names)
    if best.startswith("did you mean"):
        return best
    return f"built-in decks: {', '.join(names)}" if names else ""


def _nowhere(name: str, id: str, message: str, hint: str) -> Problem:
    return Problem(id, "error", printable(name), 0, 0, 0, 0, message, hint)
