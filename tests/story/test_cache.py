"""The cache of parsed campaigns: quick when it is true, absent when it is not."""

import pickle
import shutil
from pathlib import Path

import pytest

from story import cache
from story.checks import examine
from story.loading import campaigns

GOOD = Path(__file__).parent.parent / "decks" / "good" / "everything"


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """A campaign of its own with a cache of its own."""
    monkeypatch.setenv("CARDWALK_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(GOOD, tmp_path / "deck"))


@pytest.fixture
def reads(monkeypatch):
    """How often a deck was read from its files."""
    read, times = campaigns.read_deck, []
    monkeypatch.setattr(campaigns, "read_deck", lambda *args, **more: times.append(1) or read(*args, **more))
    return times


def entries(deck):
    return list((deck.parent / "cache" / "decks").glob("*.deck"))


def test_the_second_time_comes_from_the_cache_and_is_the_same(deck, reads):
    first, second = examine(deck), examine(deck)
    assert len(reads) == 1
    assert (second.deck, second.problems, second.loaded) == (first.deck, first.problems, first.loaded)
    span = second.loaded.chapters[0].cards[1].steps[0].span
    assert (span.file, span.line) == ("chapter-1.yaml", 18)


def test_an_encounter_file_is_kept_too(tmp_path, monkeypatch, reads):
    monkeypatch.setenv("CARDWALK_CACHE_DIR", str(tmp_path / "cache"))
    path = Path(shutil.copy(GOOD.parent.parent / "rulebook-example.yaml", tmp_path / "position.yaml"))
    first, second = examine(path), examine(path)
    assert len(reads) == 1
    assert second.loaded == first.loaded
    path.write_text(path.read_text(encoding="utf-8").replace("rounds: 3", "rounds: 2"), encoding="utf-8")
    assert examine(path).loaded.encounter.rounds == 2


@pytest.mark.parametrize("file", ["campaign.yaml", "chapter-2.yaml", "heads.yaml", "well.txt"])
def test_a_change_of_any_file_is_seen(deck, reads, file):
    before = examine(deck).loaded.digest
    path = deck / file
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert examine(deck).loaded.digest != before
    path.unlink()
    assert examine(deck).deck in ("everything", "deck")
    assert len(reads) == (2 if file == "campaign.yaml" else 3)


def test_a_file_that_was_missing_and_is_there_now_is_seen(deck, reads):
    (deck / "well.txt").rename(deck / "elsewhere.txt")
    assert next(problem.id for problem in examine(deck).problems) == "art-missing"
    (deck / "elsewhere.txt").rename(deck / "well.txt")
    assert "art-missing" not in [problem.id for problem in examine(deck).problems]
    assert len(reads) == 2


def test_why_a_file_cannot_be_read_is_found_out_each_time(deck):
    (deck / "well.txt").unlink()
    (deck / "heads.yaml").write_text("")
    assert "empty-file" in [problem.id for problem in examine(deck).problems]
    (deck / "heads.yaml").unlink()
    assert "file-missing" in [problem.id for problem in examine(deck).problems]
    (deck / "heads.yaml").mkdir()
    assert "file-unreadable" in [problem.id for problem in examine(deck).problems]


class Evil:
    def __reduce__(self):
        return print, ("never said",)


@pytest.mark.parametrize(
    "content",
    [b"", b"torn", pickle.dumps(5), pickle.dumps(cache.Entry({}, "x", (), 5)), pickle.dumps(Evil()), b"\x80\x05."],
)
def test_a_broken_or_foreign_entry_is_silently_rebuilt(deck, reads, content, capsys):
    first = examine(deck)
    (entry,) = entries(deck)
    entry.write_bytes(content)
    assert examine(deck).loaded == first.loaded
    assert len(reads) == 2
    assert examine(deck).loaded == first.loaded
    assert len(reads) == 2
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("cut", [1, 100, 1000])
def test_a_torn_entry_is_silently_rebuilt(deck, reads, cut):
    first = examine(deck)
    (entry,) = entries(deck)
    entry.write_bytes(entry.read_bytes()[:-cut])
    assert examine(deck).loaded == first.loaded
    assert len(reads) == 2


def test_a_cache_that_cannot_be_written_is_no_problem(deck, reads, monkeypatch):
    place = deck.parent / "file"
    place.write_text("no folder")
    monkeypatch.setenv("CARDWALK_CACHE_DIR", str(place))
    assert examine(deck).sound
    assert examine(deck).sound
    assert len(reads) == 2


def test_old_entries_go(deck, monkeypatch):
    monkeypatch.setattr(cache, "KEPT", 2)
    for n in range(4):
        path = deck / "campaign.yaml"
        path.write_text(path.read_text(encoding="utf-8") + f"# {n}\n", encoding="utf-8")
        examine(deck)
    assert len(entries(deck)) == 2


def test_without_the_variable_the_platform_says_where(monkeypatch):
    monkeypatch.delenv("CARDWALK_CACHE_DIR")
    assert cache.folder().name == "decks"
    assert "cardwalk" in str(cache.folder())
