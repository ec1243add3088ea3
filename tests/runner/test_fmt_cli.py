"""``cardwalk fmt`` as a process: what it writes, what it leaves alone, and that nothing is lost on the way."""

import os
import stat
import sys

import pytest

from runner.cli import main
from runner.commands import fmt
from story.load import load_deck

UGLY = """\
kind: items
format: cardwalk/1
cards:   # what is carried
    rope: {text: Wet., name:   Rope}
"""

NEAT = """\
format: cardwalk/1
kind: items
cards:   # what is carried
  rope: {name: Rope, text: Wet.}
"""


def test_files_are_laid_out_once_and_the_deck_is_the_same(cardwalk, deck, edit):
    edit(items=UGLY)
    before = load_deck(deck)
    looked = cardwalk("fmt", deck, "--check")
    assert looked.returncode == 1
    assert f"{deck}/items.yaml\n" in looked.stdout
    assert (deck / "items.yaml").read_text(encoding="utf-8") == UGLY
    process = cardwalk("fmt", deck)
    assert (process.returncode, process.stderr) == (0, "")
    assert f"{deck}/items.yaml\n" in process.stdout
    assert (deck / "items.yaml").read_text(encoding="utf-8") == NEAT
    after = load_deck(deck)
    assert after.chapters == before.chapters
    assert after.library == before.library
    again = cardwalk("fmt", deck, "--check")
    assert (again.returncode, again.stdout) == (0, "0 of 5 files to be laid out anew.\n")
    assert sorted(path.suffix for path in deck.iterdir()) == [".yaml"] * 5


def test_one_file_alone(cardwalk, deck, edit):
    edit(items=UGLY)
    whole = (deck / "one.yaml").read_bytes()
    process = cardwalk("fmt", deck / "items.yaml", deck / "items.yaml")
    assert process.stdout == f"{deck}/items.yaml\n1 of 1 file laid out anew.\n"
    assert (deck / "one.yaml").read_bytes() == whole


def test_line_ends_become_line_feeds(cardwalk, tmp_path):
    file = tmp_path / "items.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + UGLY.replace("\n", "\r\n").encode())
    assert cardwalk("fmt", file).returncode == 0
    assert file.read_bytes() == NEAT.encode()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_permissions_and_links_stay(cardwalk, tmp_path):
    file, link = tmp_path / "items.yaml", tmp_path / "link.yaml"
    file.write_text(UGLY, encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    assert cardwalk("fmt", link).returncode == 0
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.read_text(encoding="utf-8") == NEAT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("format: cardwalk/1\nkind: items\ncards: {rope: {name: Rope}\n", "items.yaml:3:27: error: not YAML"),
        ("format: &x cardwalk/1\nkind: items\ncards: {rope: {name: Rope}}\n", "items.yaml:1:9: error: the anchor &x"),
        ("? format\n: cardwalk/1\nkind: items\ncards: {rope: {name: Rope}}\n", "items.yaml: left as it is: the key"),
        ("", "the file holds nothing"),
    ],
)
def test_what_cannot_be_read_is_told_and_left_alone_while_the_others_are_laid_out(cardwalk, tmp_path, text, told):
    file, other = tmp_path / "items.yaml", tmp_path / "other.yaml"
    file.write_text(text, encoding="utf-8")
    other.write_text(UGLY, encoding="utf-8")
    process = cardwalk("fmt", file, other)
    assert process.returncode == 1
    assert told in process.stderr
    assert "Traceback" not in process.stderr
    assert file.read_text(encoding="utf-8") == text
    assert other.read_text(encoding="utf-8") == NEAT


def test_a_deck_with_mistakes_of_content_is_laid_out_all_the_same(cardwalk, tmp_path):
    file = tmp_path / "items.yaml"
    file.write_text(UGLY.replace("Wet.", "Wet., wieght: 2"), encoding="utf-8")
    assert cardwalk("fmt", file).returncode == 0
    assert "{name: Rope, text: Wet., wieght: 2}" in file.read_text(encoding="utf-8")


def test_a_read_only_file_stays_while_the_others_are_laid_out(tmp_path, monkeypatch, capsys):
    file, other = tmp_path / "items.yaml", tmp_path / "other.yaml"
    file.write_text(UGLY, encoding="utf-8")
    other.write_text(UGLY, encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: path != file)
    assert main(["fmt", str(file), str(other)]) == 1
    assert capsys.readouterr().err == f"{file}: left as it is: it is read-only\n"
    assert (file.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")) == (UGLY, NEAT)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_file_that_cannot_be_compared_is_named(cardwalk, deck, edit):
    edit(items=UGLY)
    (deck / "enemies.yaml").unlink()
    os.mkfifo(deck / "enemies.yaml")
    process = cardwalk("fmt", deck / "items.yaml")
    assert process.returncode == 1
    assert process.stderr == (
        f"{deck}: left as it is: enemies.yaml is part of the deck and cannot be read: it is no file\n"
    )


def test_an_empty_file_beside_it_does_not_matter(cardwalk, deck, edit):
    edit(items=UGLY, enemies="")
    assert cardwalk("fmt", deck / "items.yaml").returncode == 0
    assert (deck / "items.yaml").read_text(encoding="utf-8") == NEAT


def test_built_in_decks_are_looked_at_but_not_written(cardwalk):
    assert cardwalk("fmt", "starter", "--check").returncode == 0
    process = cardwalk("fmt", "starter")
    assert process.returncode == 1
    assert "fmt: starter is a built-in deck" in process.stderr
    assert "there is no such folder" in cardwalk("fmt", "nowhere").stderr


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    file = tmp_path / "items.yaml"
    file.write_text(UGLY, encoding="utf-8")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(fmt.Failure, match="No space left on device; the file is as it was"):
        fmt._write(file, NEAT)
    assert file.read_text(encoding="utf-8") == UGLY
    assert list(tmp_path.iterdir()) == [file]


def test_another_deck_is_not_written(deck):
    other = (deck / "one.yaml").read_text(encoding="utf-8").replace("level: 12", "level: 13")
    assert not fmt._is_same_deck(deck / "campaign.yaml", {deck / "one.yaml": other})
    broken = other.replace("level: 13", "levle: 12")
    assert not fmt._is_same_deck(deck / "campaign.yaml", {deck / "one.yaml": broken})
