"""Looking again after a save: what is watched, what counts as a save, ``check --watch`` from save to Ctrl-C."""

import signal
import sys

import pytest

from runner.watch import Watch, files_of
from tests.runner.conftest import Watching


def saved_after(watch, change):
    """Whether a change counts, once it has settled."""
    assert not watch.saved()
    change()
    return [watch.saved(), watch.saved()]


def test_a_save_counts_once_it_has_settled(deck):
    watch = Watch([str(deck)])
    assert watch.count == 5
    file = deck / "one.yaml"
    assert saved_after(watch, lambda: file.write_text("short", encoding="utf-8")) == [False, True]
    watch.begin()
    file.write_text("still", encoding="utf-8")
    assert not watch.saved()
    file.write_text("being written", encoding="utf-8")
    assert not watch.saved()
    assert watch.saved()
    watch.begin()
    assert saved_after(watch, file.unlink) == [False, True]
    watch.begin()
    assert saved_after(watch, lambda: file.write_text("back", encoding="utf-8")) == [False, True]


def test_a_replaced_file_and_a_new_one_that_is_listed_count(deck, edit, texts):
    watch = Watch([str(deck / "one.yaml")])
    new = deck / "new"
    new.write_text((deck / "one.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert saved_after(watch, lambda: new.replace(deck / "one.yaml")) == [False, True]
    edit(campaign=texts["campaign"].replace("two.yaml", "two.yaml, three.yaml"))
    watch.begin()
    assert saved_after(watch, lambda: (deck / "three.yaml").write_text("x", encoding="utf-8")) == [False, True]


def test_a_file_of_its_own_is_watched_alone_and_a_deck_may_be_missing(position, tmp_path):
    assert files_of(str(position)) == [position]
    watch = Watch(["nowhere"])
    assert not watch.saved()
    assert Watch([str(tmp_path / "nowhere")]).count == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_check_looks_again_after_a_save_and_ends_with_the_last_status(deck, texts, data_folder):
    file = deck / "one.yaml"
    watching = Watching("check", deck, "--watch", "--states", "0")
    process, until = watching.process, watching.until

    try:
        assert "lagoon: no problems" in until("Watching 5 files")
        file.write_text(texts["one"].replace("level: 12", "levle: 12"), encoding="utf-8")
        assert "did you mean level?" in until("Watching 5 files")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 1
        assert process.stderr.read() == ""
    finally:
        watching.end()


@pytest.mark.parametrize("shape", ["--json", "--sarif"])
def test_one_document_is_not_watched(cardwalk, deck, shape):
    process = cardwalk("check", deck, "--watch", shape)
    assert process.returncode == 2
    assert "not allowed with" in process.stderr
