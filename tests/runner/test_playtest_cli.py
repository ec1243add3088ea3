"""``cardwalk playtest`` as a process: reports without spoilers, replays, pages, and bad input in one line."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from runner.commands.playtest import Bar
from runner.playtest_html import MOST_BARS, classes, html_page
from runner.playtest_text import report_lines
from solver.playtest import Job, play_all, summary
from tests.runner.conftest import TWO

SECRETS = ("On the Sand", "The Reef", "Take the rope", "Push off", "You Sat Down", "Home", "The Hut", "Rope", "Crab")


def told(process, status=0):
    assert process.returncode == status, process.stderr
    assert process.stderr == ""
    return process.stdout


def one_line(process, status):
    assert process.returncode == status, process.stderr
    lines = process.stderr.splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


@pytest.fixture(scope="module")
def tested(lagoon):
    job = Job(lagoon, "random", 80, 3)
    return summary(job, play_all(job, workers=1)), lagoon


# ---------------------------------------------------------------- reports


def test_the_report_counts_and_names_nothing(cardwalk, deck):
    text = told(cardwalk("playtest", deck, "--runs", 60, "--policy", "random"))
    assert text.startswith("The Lagoon: 60 games, random, seed 1\n")
    assert re.search(r"^  victory +\d+ +\d+\.\d % \(", text, re.MULTILINE)
    assert "chapter 2" in text
    assert "Cards: " in text
    assert not [secret for secret in SECRETS if secret in text]
    assert "games a minute" in text


def test_with_spoilers_the_report_names_what_it_counts(tested):
    document, deck = tested
    text = "\n".join(report_lines(document, deck, spoilers=True))
    assert "You Sat Down" in text
    assert re.search(r"Home +victory +\d+", text)
    assert re.search(r"2:1 Landfall +\d+ .*--run \d+", text)


def test_json_is_one_document_and_the_same_for_any_number_of_workers(cardwalk, deck):
    one, two = (
        json.loads(told(cardwalk("playtest", deck, "--runs", 40, "--seed", 9, "--workers", n, "--json")))
        for n in (1, 2)
    )
    assert one.pop("seconds") > 0
    assert two.pop("seconds") > 0
    assert one == two
    assert one["deck"] == "lagoon"
    assert one["runs"] == sum(ending["count"] for ending in one["endings"].values()) == 40
    assert set(one["cards"]) == {"1:1", "1:2", "1:3", "2:1", "2:2"}
    assert "1:1/3" in one["never_open"]


def test_a_replay_is_a_script_that_plays(cardwalk, deck, tmp_path):
    document = json.loads(told(cardwalk("playtest", deck, "--policy", "random", "--runs", 30, "--json")))
    number = document["endings"]["sat"]["first_run"]
    assert number is not None
    script = told(cardwalk("playtest", deck, "--policy", "random", "--run", number))
    assert not [secret for secret in SECRETS if secret in script]
    assert script.endswith("# the end: neutral\n")
    file = tmp_path / "walk.txt"
    file.write_text(script, encoding="utf-8")
    assert "You Sat Down" in told(cardwalk("play", deck, "--script", file))


def test_a_replay_with_spoilers_tells_what_happens(cardwalk, deck):
    bare = told(cardwalk("playtest", deck, "--run", 4)).splitlines()
    full = told(cardwalk("playtest", deck, "--run", 4, "--spoilers")).splitlines()
    assert [line for line in full if not line.startswith("#")] == [line for line in bare if not line.startswith("#")]
    assert any(line.startswith("# Chapter 1") and line.endswith("[CHK-1]") for line in full)
    document = json.loads(told(cardwalk("playtest", deck, "--run", 4, "--json")))
    assert document["answers"] == [line for line in bare if not line.startswith("#")]
    assert len(document["told"]) == len(document["answers"]) + 1


def test_an_encounter_can_be_tested_alone(cardwalk, position):
    text = told(cardwalk("playtest", position, "--runs", 20, "--workers", 1, "--policy", "best"))
    assert "played to the end" in text
    assert "Cards: " not in text


def test_a_deck_that_leaves_no_way_on_is_a_problem(cardwalk, edit):
    folder = edit(two=TWO.replace("- {say: Sit down, ending: {id: sat, title: You Sat Down, kind: neutral}}",
                                  "- {say: Sit down, gain: {ap: 1}}"))  # fmt: skip
    process = cardwalk("playtest", folder, "--runs", 30, "--policy", "random", "--workers", 1)
    text = told(process, 1)
    number = int(re.search(r"see --run (\d+)", text)[1])
    again = told(cardwalk("playtest", folder, "--policy", "random", "--run", number), 1)
    assert again.endswith("# the end: stuck\n")


# ---------------------------------------------------------------- the page


class Page(HTMLParser):
    """What a page holds, and whether it is well formed."""

    VOID = ("meta", "br")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.links, self.words = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def test_the_page_is_whole_in_itself_and_names_nothing(tested):
    document, deck = tested
    text = html_page(document, deck, spoilers=False)
    page = Page(text)
    assert page.tags.count("svg") >= 8
    assert page.links == []
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert "http" not in text.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in text
    words = " ".join(page.words)
    assert not [secret for secret in SECRETS if secret in words]


def test_the_page_with_spoilers_names_them(tested):
    document, deck = tested
    words = " ".join(Page(html_page(document, deck, spoilers=True)).words)
    assert "You Sat Down" in words
    assert "2:1 Landfall" in words
    assert "Bribe the ferryman" in words


def test_the_page_shows_marks_of_a_text_as_they_are(tested):
    document, deck = tested
    text = html_page(document, replace(deck, title='<script>alert(1)</script> & "so"\x1b'), spoilers=True)
    assert "<script" not in text
    assert "\x1b" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;so&quot;: a playtest" in text


def test_the_page_is_written(cardwalk, deck, tmp_path):
    file = tmp_path / "report.html"
    text = told(cardwalk("playtest", deck, "--runs", 10, "--workers", 1, "--html", file))
    assert f"The page is {file}." in text
    assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_classes_hold_every_game_once():
    counts = {f"{amount}": amount % 7 + 1 for amount in range(3, 400, 2)}
    found = classes(counts)
    assert sum(n for _, _, n in found) == sum(counts.values())
    assert len(found) <= MOST_BARS
    assert [(a[1] + 1) for a in found[:-1]] == [b[0] for b in found[1:]]
    assert classes({"4": 9}) == [(4, 4, 9)]


# ---------------------------------------------------------------- bad input, interruptions


@pytest.mark.parametrize(
    ("arguments", "error", "status"),
    [
        (["starter", "--runs", "0"], "'0': a number of games from 1", 2),
        (["starter", "--runs", "many"], "'many': a number of games", 2),
        (["starter", "--runs", "9" * 15], "a number of games", 2),
        (["starter", "--workers", "0"], "'0': a number of processes", 2),
        (["starter", "--workers", "100000"], "a number of processes", 2),
        (["starter", "--policy", "reckless"], "invalid choice: 'reckless'", 2),
        (["starter", "--seed", "-3"], "seed", 2),
        (["starter", "--run", "-1"], "--run", 2),
        (["starter", "--run", "x"], "'x': the number of a game", 2),
        (["starter", "--run", "1", "--runs", "5"], "it does not go with --runs", 2),
        (["starter", "--run", "1", "--html", "x.html"], "it does not go with --html", 2),
        (["starter", "--workers", "2", "--scheduler", "tcp://a:1"], "--workers does not go with it", 2),
        (["starter", "--html", "no/such/folder/x.html"], "no/such/folder/x.html: No such file or directory", 1),
        (["starter", "--html", "."], ".: Is a directory", 1),
        (["starter", "--wrokers", "2"], "did you mean '--workers'?", 2),
        ([], "required: DECK", 2),
    ],
)
def test_bad_input_is_told_in_one_line(cardwalk, arguments, error, status):
    assert error in one_line(cardwalk("playtest", *arguments), status)


def test_an_unknown_deck_is_told_with_the_known_ones(cardwalk):
    process = cardwalk("playtest", "lagon")
    assert process.returncode == 1
    assert process.stdout == ""
    assert process.stderr.splitlines()[0].startswith("lagon: error: there is no such folder, built-in deck")
    assert "built-in decks: " in process.stderr


def test_a_page_that_cannot_be_written_leaves_nothing_behind(cardwalk, deck, tmp_path):
    file = tmp_path / "old.html"
    file.write_text("yesterday", encoding="utf-8")
    one_line(cardwalk("playtest", deck, "--html", file, "--scheduler", "tcp://:"), 1)
    assert file.read_text(encoding="utf-8") == "yesterday"
    one_line(cardwalk("playtest", deck, "--html", tmp_path / "new.html", "--scheduler", "tcp://:"), 1)
    assert not (tmp_path / "new.html").exists()


def test_without_dask_a_scheduler_is_told_how_to_get_it(cardwalk, deck, tmp_path):
    (tmp_path / "distributed.py").write_text("raise ImportError('not here')", encoding="utf-8")
    process = cardwalk("playtest", deck, "--runs", 3, "--scheduler", "tcp://127.0.0.1:1")
    assert "pip install 'cardwalk[cluster]'" in one_line(process, 1)


def test_ctrl_c_ends_every_process_and_says_so(tmp_path, deck, data_folder):
    began = subprocess.Popen(
        [sys.executable, "-m", "runner", "playtest", str(deck), "--runs", "500000", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=tmp_path,
    )
    time.sleep(2.5)
    os.killpg(began.pid, signal.SIGINT)
    out, error = began.communicate(timeout=20)
    assert (began.returncode, out, error) == (130, "", "interrupted\n")
    for _ in range(50):  # what helped the processes may take a moment longer
        try:
            os.killpg(began.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


def test_the_bar_is_drawn_on_a_terminal_alone(monkeypatch, capsys):
    Bar(10).show(10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = Bar(10)
    bar.show(10)
    bar.clear()
    shown = capsys.readouterr().err.split("\r")
    assert any(part.startswith(f"[{'#' * Bar.WIDTH}] 10/10 games") for part in shown)
    assert shown[-1] == ""
    assert shown[-2].strip() == ""
