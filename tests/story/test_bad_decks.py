"""One mistake a deck: what is found, where, and in which words (tests/decks/bad/NAME/problems.txt)."""

from dataclasses import replace
from pathlib import Path

import pytest

from story.checks import all_checks, examine
from story.load import DeckError, load_deck

BAD = Path(__file__).parent.parent / "decks" / "bad"
GOOD = BAD.parent / "good"

EXPECTED = {
    "alias": [("alias", "error", "encounter.yaml", 5, 10)],
    "already-defeated": [("already-defeated", "error", "encounter.yaml", 5, 19)],
    "ambiguous-id": [("ambiguous-id", "error", "chapter-1.yaml", 8, 20)],
    "anchor": [("anchor", "error", "encounter.yaml", 5, 7)],
    "ap-lost": [("ap-lost", "warning", "encounter.yaml", 8, 122)],
    "art-missing": [("art-missing", "error", "chapter-1.yaml", 10, 10)],
    "asked-beyond-cap": [("asked-beyond-cap", "warning", "chapter-1.yaml", 8, 68)],
    "attack-wounds": [("out-of-range", "error", "encounter.yaml", 8, 64)],
    "attack-without-wounds": [("missing-key", "error", "encounter.yaml", 8, 40)],
    "bad-art": [("bad-art", "error", "chapter-1.yaml", 10, 10)],
    "bad-id": [("bad-id", "error", "encounter.yaml", 8, 3)],
    "bad-key": [("bad-key", "error", "encounter.yaml", 5, 18)],
    "bad-place": [("bad-place", "error", "encounter.yaml", 6, 30)],
    "bad-space": [("bad-space", "error", "encounter.yaml", 6, 30)],
    "binary": [("encoding", "error", "encounter.yaml", 1, 1)],
    "campaign-in-itself": [("wrong-kind", "error", "campaign.yaml", 5, 12)],
    "cannot-fail": [("cannot-fail", "info", "chapter-1.yaml", 8, 25)],
    "cannot-succeed": [("cannot-succeed", "info", "chapter-1.yaml", 8, 25)],
    "challenge-empty": [("challenge-empty", "error", "chapter-1.yaml", 8, 25)],
    "chapter-number": [("chapter-number", "error", "chapter-1.yaml", 3, 10)],
    "chart-beyond": [("chart-range", "error", "chapter-1.yaml", 8, 55)],
    "chart-gap": [("chart-range", "error", "chapter-1.yaml", 8, 36)],
    "chart-overlap": [("chart-range", "error", "chapter-1.yaml", 8, 55)],
    "choice-on-playfield": [("not-on-playfield", "error", "encounter.yaml", 8, 124)],
    "control-character": [("control-character", "error", "encounter.yaml", 3, 12)],
    "control-escape": [("control-character", "error", "encounter.yaml", 3, 8)],
    "crit-not-above-miss": [("crit-not-above-miss", "error", "encounter.yaml", 8, 84)],
    "cyclic-pull": [("cyclic-pull", "error", "chapter-1.yaml", 11, 19)],
    "cyclic-reveal": [("cyclic-reveal", "error", "chapter-1.yaml", 11, 21)],
    "date": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "dead-branch": [("dead-branch", "warning", "chapter-1.yaml", 8, 24)],
    "dead-end": [("dead-end", "error", "chapter-1.yaml", 9, 3)],
    "directive": [("directive", "error", "encounter.yaml", 1, 1)],
    "double-space": [("double-space", "info", "chapter-1.yaml", 10, 11)],
    "draw-too-many": [("draw-too-many", "error", "encounter.yaml", 7, 46)],
    "draw-with-space": [("draw-with-space", "error", "encounter.yaml", 6, 33)],
    "duplicate-card": [("duplicate-card", "error", "chapter-1.yaml", 12, 3)],
    "duplicate-enemy": [("duplicate-card", "error", "enemies-2.yaml", 4, 3)],
    "duplicate-key": [("duplicate-key", "error", "encounter.yaml", 5, 1)],
    "duration": [("duration", "error", "encounter.yaml", 4, 9)],
    "empty-file": [("empty-file", "error", "encounter.yaml", 1, 1)],
    "empty-step": [("empty-step", "error", "chapter-1.yaml", 8, 13)],
    "empty-text": [("empty-text", "error", "chapter-1.yaml", 10, 11)],
    "float": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "gain-beyond-cap": [("gain-beyond-cap", "warning", "chapter-1.yaml", 8, 21)],
    "hero-choice-taken": [("space-taken", "error", "encounter.yaml", 5, 15)],
    "hero-not-placed": [("hero-not-placed", "error", "encounter.yaml", 5, 7)],
    "hero-wounds": [("out-of-range", "error", "encounter.yaml", 5, 26)],
    "html": [("html", "error", "chapter-1.yaml", 10, 17)],
    "if-without-then": [("missing-key", "error", "chapter-1.yaml", 8, 18)],
    "instead-without-defeat": [("instead-without-defeat", "error", "encounter.yaml", 8, 114)],
    "latin-1": [("encoding", "error", "encounter.yaml", 3, 12)],
    "leading-zero": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "many-problems": [
        ("bad-id", "error", "campaign.yaml", 3, 5),
        ("unknown-key", "error", "chapter-1.yaml", 5, 1),
        ("unknown-verb", "error", "chapter-1.yaml", 9, 14),
        ("bad-number", "error", "chapter-1.yaml", 9, 38),
        ("missing-target", "error", "chapter-1.yaml", 9, 53),
        ("unknown-word", "error", "chapter-1.yaml", 12, 49),
    ],
    "merge-key": [("merge-key", "error", "encounter.yaml", 5, 18)],
    "missing-action": [("missing-action", "error", "chapter-1.yaml", 8, 29)],
    "missing-conversation": [
        ("not-yet-playable", "warning", "chapter-1.yaml", 8, 21),
        ("missing-conversation", "error", "chapter-1.yaml", 8, 50),
    ],
    "missing-deck": [("missing-deck", "error", "encounter.yaml", 6, 50)],
    "missing-enemy": [("missing-enemy", "error", "encounter.yaml", 6, 18)],
    "missing-event": [("missing-event", "error", "chapter-1.yaml", 8, 39)],
    "missing-file": [("file-missing", "error", "campaign.yaml", 5, 28)],
    "missing-item": [("missing-item", "error", "chapter-1.yaml", 8, 27)],
    "missing-key": [("missing-key", "error", "encounter.yaml", 8, 9)],
    "missing-piece": [("missing-piece", "error", "encounter.yaml", 5, 19)],
    "missing-special": [("missing-target", "error", "chapter-1.yaml", 8, 20)],
    "missing-target": [("missing-target", "error", "chapter-1.yaml", 8, 21)],
    "missing-terrain": [("missing-terrain", "error", "encounter.yaml", 5, 18)],
    "misspelt-required-key": [("unknown-key", "error", "encounter.yaml", 8, 9)],
    "multiple-documents": [("multiple-documents", "error", "encounter.yaml", 9, 1)],
    "name-clash": [("name-clash", "error", "encounter.yaml", 7, 11)],
    "nesting": [("nesting", "error", "encounter.yaml", 9, 71)],
    "never-asked": [("never-asked", "info", "chapter-1.yaml", 8, 28)],
    "never-counted": [("never-gained", "warning", "chapter-1.yaml", 8, 19)],
    "never-gained": [("never-gained", "warning", "chapter-1.yaml", 8, 26)],
    "never-happens": [("never-happens", "warning", "encounter.yaml", 8, 97)],
    "newer-format": [("unknown-format", "error", "encounter.yaml", 1, 9)],
    "no-ending": [("no-ending", "warning", "campaign.yaml", 1, 1)],
    "no-format": [("missing-key", "error", "encounter.yaml", 1, 1)],
    "no-free-space": [("no-free-space", "error", "encounter.yaml", 6, 11)],
    "no-next-chapter": [("no-next-chapter", "error", "chapter-1.yaml", 8, 75)],
    "no-path": [("no-path", "warning", "chapter-1.yaml", 12, 3)],
    "no-way-on": [("no-way-on", "warning", "chapter-1.yaml", 6, 3)],
    "no-way-out": [("no-way-out", "warning", "chapter-1.yaml", 12, 3)],
    "not-a-flag": [("wrong-type", "error", "encounter.yaml", 10, 51)],
    "not-a-mapping": [("wrong-type", "error", "encounter.yaml", 1, 1)],
    "not-on-playfield": [("not-on-playfield", "error", "encounter.yaml", 8, 115)],
    "not-yet-playable": [("not-yet-playable", "warning", "chapter-1.yaml", 8, 21)],
    "nothing": [("bad-number", "error", "encounter.yaml", 4, 8)],
    "octal": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "open-emphasis": [("open-emphasis", "warning", "chapter-1.yaml", 10, 21)],
    "option-without-words": [("missing-key", "error", "chapter-1.yaml", 8, 49)],
    "path-outside": [("bad-path", "error", "campaign.yaml", 5, 28)],
    "position-not-laid-out": [("position-not-laid-out", "error", "encounter.yaml", 7, 11)],
    "quoted-number": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "recursive-pull": [("recursive-pull", "warning", "chapter-1.yaml", 14, 49)],
    "recruit-without-deck": [("missing-key", "error", "encounter.yaml", 8, 87)],
    "reserved-id": [("reserved-id", "error", "campaign.yaml", 6, 12)],
    "same-words": [("same-words", "warning", "chapter-1.yaml", 8, 48)],
    "sexagesimal": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "similar-ids": [("similar-ids", "info", "items.yaml", 5, 3)],
    "space-blocked": [("space-blocked", "error", "encounter.yaml", 7, 11)],
    "space-of-the-hero": [("space-taken", "error", "encounter.yaml", 6, 11)],
    "space-taken": [("space-taken", "error", "encounter.yaml", 6, 34)],
    "tab-in-text": [("tab", "error", "encounter.yaml", 3, 11)],
    "tab-indentation": [("tab", "error", "encounter.yaml", 8, 1)],
    "tag": [("tag", "error", "encounter.yaml", 4, 9)],
    "trait-not-on-terrain": [("unknown-trait", "error", "encounter.yaml", 6, 43)],
    "two-keys-in-when": [("two-keys-in-when", "error", "encounter.yaml", 8, 114)],
    "two-verbs": [("two-verbs", "error", "chapter-1.yaml", 8, 28)],
    "underscore": [("bad-number", "error", "encounter.yaml", 4, 9)],
    "unfinished-text": [("unfinished-text", "warning", "chapter-1.yaml", 10, 21)],
    "unknown-amount": [("unknown-amount", "error", "chapter-1.yaml", 8, 21)],
    "unknown-counter": [("unknown-counter", "error", "chapter-1.yaml", 8, 22)],
    "unknown-effect": [("unknown-effect", "error", "encounter.yaml", 10, 55)],
    "unknown-food": [("unknown-food", "error", "encounter.yaml", 5, 28)],
    "unknown-immunity": [("unknown-immunity", "error", "encounter.yaml", 8, 93)],
    "unknown-key": [("unknown-key", "error", "encounter.yaml", 5, 1)],
    "unknown-kind": [("unknown-kind", "error", "encounter.yaml", 2, 7)],
    "unknown-trait": [("unknown-trait", "error", "encounter.yaml", 8, 87)],
    "unknown-verb": [("unknown-verb", "error", "chapter-1.yaml", 8, 13)],
    "unused-card": [("unused-card", "warning", "events.yaml", 4, 3)],
    "utf-16": [("encoding", "error", "encounter.yaml", 1, 1)],
    "utf-32": [("encoding", "error", "encounter.yaml", 1, 1)],
    "wounds-as-amount": [("unknown-amount", "error", "chapter-1.yaml", 8, 21)],
    "wrong-deck": [("wrong-deck", "error", "chapter-1.yaml", 8, 81)],
    "wrong-kind": [("wrong-kind", "error", "campaign.yaml", 6, 9)],
    "wound-limit": [("out-of-range", "error", "encounter.yaml", 5, 31)],
    "wrong-type": [("wrong-type", "error", "encounter.yaml", 5, 7)],
    "yaml-bracket": [("yaml-syntax", "error", "encounter.yaml", 7, 1)],
    "yaml-colon": [("yaml-syntax", "error", "encounter.yaml", 3, 15)],
    "yaml-indentation": [("yaml-syntax", "error", "encounter.yaml", 4, 8)],
    "yaml-quote": [("yaml-syntax", "error", "encounter.yaml", 3, 8)],
}


SEVERAL = {"many-problems", "missing-conversation"}
"""Decks with more than one problem; a tavern brings a warning of its own."""


def deck(name):
    folder = BAD / name
    return folder if (folder / "campaign.yaml").exists() else folder / "encounter.yaml"


def test_every_bad_deck_is_expected():
    assert sorted(folder.name for folder in BAD.iterdir()) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_wrong_and_where(name):
    report = examine(deck(name), use_cache=False)
    found = [(each.id, each.severity, each.file, each.line, each.column) for each in report.problems]
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in SEVERAL])
def test_one_mistake_makes_one_problem(name):
    assert len(EXPECTED[name]) == 1


@pytest.mark.parametrize("name", EXPECTED)
def test_the_words(name, snapshot):
    snapshot.snapshot_dir = BAD / name
    report = replace(examine(deck(name), use_cache=False), folder="")
    snapshot.assert_match(report.text() + "\n", "problems.txt")


@pytest.mark.parametrize("name", EXPECTED)
def test_every_error_is_raised_and_says_how_to_mend_it(name):
    report = examine(deck(name), use_cache=False)
    assert all(problem.hint for problem in report.problems)
    if report.sound:
        assert load_deck(deck(name)) is not None
    else:
        with pytest.raises(DeckError) as raised:
            load_deck(deck(name))
        assert raised.value.problems == report.problems


@pytest.mark.parametrize("check", all_checks(), ids=lambda module: module.__name__.split(".")[-1])
def test_every_check_has_a_bad_deck_for_each_of_its_problems(check):
    found = {(problem[0], problem[1]) for problems in EXPECTED.values() for problem in problems}
    assert set(check.SEVERITY) == set(check.IDS)
    assert set(check.SEVERITY.items()) <= found
    assert all(check.SEVERITY.get(id, severity) == severity for id, severity in found)


@pytest.mark.parametrize("check", all_checks(), ids=lambda module: module.__name__.split(".")[-1])
def test_every_check_says_what_is_sound_and_why_and_has_a_good_deck(check):
    assert check.TITLE
    assert check.WHY.endswith(".")
    assert check.WHY != check.TITLE
    folder = GOOD / check.__name__.split(".")[-1].replace("_", "-")
    report = examine(folder if (folder / "campaign.yaml").exists() else folder / "encounter.yaml", use_cache=False)
    assert report.problems == ()
    assert report.loaded is not None
