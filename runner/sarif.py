"""Problems of decks as a SARIF 2.1.0 log: what code hosts and editors show beside the line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from story.problem_kinds import Kind
from story.problems import Problem

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class Examined(NamedTuple):
    """A deck's problems, the folder that their files are relative to, and what is to be remarked about the search."""

    folder: Path
    problems: tuple[Problem, ...]
    remarks: tuple[str, ...] = ()


def sarif(decks: Iterable[Examined], version: str) -> dict[str, Any]:
    """One log with one run. Files below the current folder are named relative to it, others by a whole URI."""
    decks = list(decks)
    kinds = _kinds()
    levels: dict[str, str] = {}
    for deck in decks:
        for problem in deck.problems:
            levels[problem.id] = min(levels.get(problem.id, "note"), _LEVELS[problem.severity], key=_gravity)
    places = {id: place for place, id in enumerate(sorted(levels))}
    rules = [_rule(id, kinds[id], levels[id]) for id in places]
    driver = {"name": "Cardwalk", "version": version, "rules": rules}
    remarks = [{"level": "note", "message": {"text": text}} for deck in decks for text in deck.remarks]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": remarks}],
        "results": [_result(problem, deck.folder, places) for deck in decks for problem in deck.problems],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _kinds() -> dict[str, Kind]:
    from solver.reach.kinds import SEARCH_KINDS
    from story.checks import all_checks
    from story.problem_kinds import FORMAT_KINDS

    checks = {id: Kind(check.TITLE, check.WHY) for check in all_checks() for id in check.IDS}
    return {**checks, **SEARCH_KINDS, **FORMAT_KINDS}


def _gravity(level: str) -> int:
    return list(_LEVELS.values()).index(level)


def _rule(id: str, kind: Kind, level: str) -> dict[str, Any]:
    return {
        "id": id,
        "shortDescription": {"text": f"{kind.title}."},
        "help": {"text": kind.why},
        "defaultConfiguration": {"level": level},
    }


def _result(problem: Problem, folder: Path, places: dict[str, int]) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _location(folder / problem.file)}
    if problem.line:
        region = {"startLine": problem.line, "startColumn": problem.column}
        end = (problem.end_line, problem.end_column)
        if end > (problem.line, problem.column):
            region |= {"endLine": end[0], "endColumn": end[1]}
        place["region"] = region
    text = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    return {
        "ruleId": problem.id,
        "ruleIndex": places[problem.id],
        "level": _LEVELS[problem.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }


def _location(path: Path) -> dict[str, str]:
    here = Path.cwd()
    whole = here / path
    if whole.is_relative_to(here) and ".." not in whole.parts:
        return {"uri": quote(os.fsencode(whole.relative_to(here).as_posix())), "uriBaseId": "%SRCROOT%"}
    return {"uri": whole.resolve().as_uri()}
