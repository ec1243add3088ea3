"""Examining a deck: format and references, every problem of both, in one run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from story.cards import Campaign, EncounterFile
from story.garbage import uncollected
from story.problems import DeckError, Problem, printable


@dataclass(frozen=True)
class Report:
    """What examining a deck gave; ``loaded`` is the deck, however many problems it has, or None.

    ``folder`` is where its files lie, as it was named: text shows paths that can be opened, JSON those of the deck.
    """

    deck: str
    problems: tuple[Problem, ...]
    loaded: Campaign | EncounterFile | None
    folder: str = ""

    def count(self, severity: str) -> int:
        """How many problems have a severity."""
        return sum(problem.severity == severity for problem in self.problems)

    @property
    def sound(self) -> bool:
        """No errors."""
        return not self.count("error")

    def summary(self) -> str:
        """``rangitaki: 2 errors, 1 warning`` in one line."""
        words = [
            f"{n} {word}{'s' * (n != 1)}"
            for severity, word in (("error", "error"), ("warning", "warning"), ("info", "remark"))
            if (n := self.count(severity))
        ]
        return f"{printable(self.deck)}: {', '.join(words) or 'no problems'}"

    def text(self, color: bool = False) -> str:
        """Every problem with its line and a caret, then the summary."""
        return "\n".join([*(problem.text(color, self.folder) for problem in self.problems), self.summary()])

    def json(self) -> dict[str, Any]:
        """The shape of ``check --json``; verdicts belong to the state-aware search."""
        return {
            "deck": self.deck,
            "problems": [problem.json() for problem in self.problems],
            "verdicts": None,
            "witness": None,
            "limit": None,
        }


def examine(name_or_path: str | Path, *, use_cache: bool = True) -> Report:
    """Read a deck and report all its problems, sorted by file and line; never raises for what is in a deck."""
    from story.decks import resolve

    try:
        path = resolve(name_or_path)
    except DeckError as error:
        return Report(printable(Path(name_or_path).name or str(name_or_path)), error.problems, None)
    from story import cache

    folder = "" if path.parent == Path() else str(path.parent)
    with uncollected():  # a deck is tens of thousands of small objects that all stay
        if use_cache and (entry := cache.fetch(path)) is not None:
            return Report(entry.name, entry.problems, entry.loaded, folder)
        from story.loading.campaigns import home_of, read_deck

        home = home_of(path)
        draft = read_deck(home or path)
        for check in all_checks():
            check.check(draft)
        if "graph" in vars(draft):
            draft.graph.clear()  # its views hold it in a circle, and the draft is done with
        problems = tuple(draft.all_problems())
        if home is not None:
            only = tuple(problem for problem in problems if problem.file == path.name)
            return Report(path.stem, only, None, folder)
        manifest = {file: digest for file, digest in draft.manifest.items() if digest is not None}
        if use_cache and draft.loaded is not None and len(manifest) == len(draft.manifest):
            cache.store(path, cache.Entry(manifest, draft.name, problems, draft.loaded))
        return Report(draft.name, problems, draft.loaded, folder)


def playable(deck: Campaign | EncounterFile) -> tuple[Problem, ...]:
    """What keeps a sound deck from being played with this program, empty if nothing does."""
    from story.checks.not_yet_playable import steps_without_rule

    return tuple(steps_without_rule(deck)) if isinstance(deck, Campaign) else ()


def all_checks() -> tuple[ModuleType, ...]:
    """The checks, one module each.

    A module has the ``IDS`` of its problems, the ``SEVERITY`` of each, a ``TITLE`` that says what a sound deck does,
    ``WHY`` it matters, and ``check(draft)``.
    """
    from story.checks import (
        beyond_cap,
        cyclic_pulls,
        dead_ends,
        islands,
        last_chapter,
        leftovers,
        missing_cards,
        missing_decks,
        missing_ids,
        never_asked,
        never_gained,
        not_yet_playable,
        one_sided_challenges,
        pieces,
        positions,
        recursive_pulls,
        similar_ids,
        traps,
        unknown_amounts,
        unused_cards,
    )

    return (
        missing_cards,
        missing_ids,
        missing_decks,
        unknown_amounts,
        last_chapter,
        islands,
        dead_ends,
        traps,
        cyclic_pulls,
        recursive_pulls,
        pieces,
        positions,
        one_sided_challenges,
        beyond_cap,
        never_gained,
        never_asked,
        unused_cards,
        similar_ids,
        leftovers,
        not_yet_playable,
    )
