"""What commands write: whole or not at all, never over a deck, and JSON that keeps every letter."""

import io
import json
import sys

import pytest

from runner.cli import Failure, main
from runner.output import NewFolder, OutputFile, print_json, what_next

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="devices of POSIX")


def full(*_, **__):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    "words",
    [["graph", "--to", "svg"], ["playtest", "--runs", "1", "--html"], ["schema"], ["export", "twee", "--force"]],
)
def test_no_deck_file_is_replaced(cardwalk, deck, texts, words):
    deck_word = [] if words[0] == "schema" else [deck]
    option = [] if words[-1] == "--html" else ["-o"]
    process = cardwalk(*words, *option, deck / "one.yaml", *deck_word)
    assert process.returncode == 1
    assert process.stderr == (
        f"{words[0]}: {deck / 'one.yaml'} is there already and may be a deck file; name another\n"
    )
    assert (deck / "one.yaml").read_text(encoding="utf-8") == texts["one"]


def test_a_file_that_could_not_be_written_whole_is_not_left_behind(tmp_path, monkeypatch):
    file = OutputFile(str(tmp_path / "map.svg"), "graph")
    monkeypatch.setattr(type(file.path), "write_text", lambda path, *_, **__: (path.touch(), full()))
    with pytest.raises(Failure, match=r"^graph: .*map\.svg: No space left on device$"):
        file.write("x")
    assert list(tmp_path.iterdir()) == []


def test_a_new_deck_is_written_whole_or_not_at_all(tmp_path):
    folder = NewFolder(str(tmp_path / "deck"), "new")
    with pytest.raises(Failure, match="nothing was written"):
        folder.write({"a.yaml": "1", "nowhere/b.yaml": "2"})
    assert list((tmp_path / "deck").iterdir()) == []
    NewFolder(str(tmp_path / "deck"), "new").write({"a.yaml": "1"})
    with pytest.raises(Failure, match="is not empty; nothing was written"):
        NewFolder(str(tmp_path / "deck"), "new")


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", r"\u6f22"), ("cp1252", r"\u6f22"), ("utf-8", "漢")])
def test_json_keeps_every_letter_whatever_the_terminal_can_show(monkeypatch, encoding, shown):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace")
    monkeypatch.setattr(sys, "stdout", stream)
    print_json({"title": "漢"})
    stream.flush()
    text = stream.buffer.getvalue().decode(encoding)
    assert shown in text
    assert json.loads(text) == {"title": "漢"}


@POSIX
def test_what_never_ends_is_read_to_a_limit(cardwalk, deck, tmp_path):
    story = cardwalk("import", "twee", "/dev/zero", "-o", tmp_path / "new")
    assert (story.returncode, story.stderr) == (1, "/dev/zero: error: larger than 16 MB [too-large]\n")
    script = cardwalk("play", deck, "--script", "/dev/zero")
    assert (script.returncode, script.stderr) == (1, "/dev/zero: larger than 16 MiB; split it\n")


def test_a_long_word_of_a_wrong_command_line_is_cut_short(capsys):
    assert main(["playtest", "starter", "--runs", "9" * 5000]) == 2
    assert len(capsys.readouterr().err) < 160


def test_a_name_that_the_system_refuses_is_told(capsys):
    assert main(["table", "x" * 5000]) == 1
    assert capsys.readouterr().err.startswith("table: xxx")


def test_what_solve_needs_is_told_for_any_other_file(cardwalk, deck):
    for name in (deck, deck / "one.yaml"):
        assert cardwalk("solve", name).stderr.endswith("name a file with kind: encounter\n")


def test_a_script_may_have_the_line_ends_of_any_system(cardwalk, deck, tmp_path):
    (tmp_path / "walk.txt").write_bytes("\ufeffchoose 1\r\nquit\r\n".encode())
    process = cardwalk("play", deck, "--script", "walk.txt")
    assert (process.returncode, process.stderr) == (0, "")
    assert "You gain Rope." in process.stdout


@pytest.mark.parametrize(
    ("folder", "told"),
    [("shed", "'cardwalk check shed' "), ("my deck", "`cardwalk check 'my deck'` "), ("-x", "'cardwalk check ./-x' ")],
)
def test_what_comes_next_can_be_copied_to_a_shell(folder, told):
    assert what_next(folder).startswith(told)
