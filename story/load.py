"""Decks ready to be played: a YAML file or a built-in name in, frozen cards out."""

from __future__ import annotations

from pathlib import Path

from story.cards import Campaign, EncounterFile
from story.problems import DeckError, Problem

__all__ = ["DeckError", "load_campaign", "load_deck", "load_encounter"]


def load_deck(name_or_path: str | Path) -> Campaign | EncounterFile:
    """A campaign, or an encounter that is a file of its own.

    ``name_or_path`` is a folder with ``campaign.yaml``, a built-in name or a file. Raises DeckError with all problems
    of the deck when one of them is an error.
    """
    return _load(name_or_path, "name the folder of the campaign")


def _load(name_or_path: str | Path, hint: str) -> Campaign | EncounterFile:
    from story.checks import examine

    report = examine(name_or_path)
    if any(problem.severity == "error" for problem in report.problems):
        raise DeckError(report.problems, report.folder)
    if report.loaded is None:
        raise DeckError([_other(name_or_path, "this is one deck of a campaign", hint)])
    return report.loaded


def load_campaign(path: str | Path) -> Campaign:
    """A campaign; raises DeckError as ``load_deck`` does, or when it is something else."""
    deck = load_deck(path)
    if not isinstance(deck, Campaign):
        raise DeckError([_other(path, "this is an encounter, not a campaign", "lay it out as a table instead")])
    return deck


def load_encounter(path: str | Path) -> EncounterFile:
    """An encounter file; raises DeckError as ``load_deck`` does, or when it is something else."""
    hint = "name a file with kind: encounter"
    deck = _load(path, hint)
    if not isinstance(deck, EncounterFile):
        raise DeckError([_other(path, "this is a campaign, not an encounter", hint)])
    return deck


def _other(path: str | Path, message: str, hint: str) -> Problem:
    return Problem("wrong-kind", "error", str(path), 0, 0, 0, 0, message, hint)
