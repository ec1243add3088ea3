"""``cardwalk graph`` as a process: four formats, spoilers on request, bad input in one line."""

import json
import re
import xml.etree.ElementTree as Tree

import pytest

from runner.cli import main

SECRETS = (
    "On the Sand",
    "The Reef",
    "Take the rope",
    "Push off",
    "You Sat Down",
    "Home",
    "The Hut",
    "Rope",
    "The Boat",
)


def drawn(process):
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    return process.stdout


def one_line(process, status):
    assert process.returncode == status, process.stderr
    assert process.stdout == ""
    (line,) = process.stderr.splitlines()
    return line


@pytest.fixture
def draw(deck, capsys):
    """``cardwalk graph`` of the small campaign in this process: what it prints."""

    def run(*arguments):
        assert main(["graph", str(deck), *arguments]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


@pytest.mark.rule("NAV-6")
@pytest.mark.parametrize("to", ["svg", "dot", "mermaid", "html"])
def test_each_format_shows_numbers_alone_until_it_is_asked(draw, to):
    shown = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", draw("--to", to), flags=re.DOTALL)
    assert [word for word in SECRETS if word in shown] == []
    told = draw("--to", to, "--spoilers")
    assert "The Reef" in told
    assert "You Sat Down" in told


def test_svg_is_what_is_drawn_unless_told(draw):
    text = draw()
    assert Tree.fromstring(text).tag.endswith("svg")
    assert "5 cards, 2 endings, 7 links, 7 reached" in text
    assert "reached" not in draw("--no-verdicts").replace(".reached", "")


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.svg", "<svg"), ("a.html", "<!DOCTYPE html>"), ("a.dot", "digraph"), ("a.mmd", "flowchart"), ("a", "<svg")],
)
def test_the_ending_of_the_file_tells_the_format(draw, tmp_path, name, begins):
    file = tmp_path / name
    assert draw("-o", str(file), "--no-verdicts") == ""
    assert file.read_text(encoding="utf-8").startswith(begins)


def test_a_file_that_ends_like_another_thing_is_not_written(cardwalk, deck, tmp_path):
    process = cardwalk("graph", deck, "-o", "a.pdf")
    assert process.returncode == 2
    assert process.stderr.startswith("graph: a.pdf: the ending .pdf tells no format: .svg, .html")
    assert not (tmp_path / "a.pdf").exists()
    assert cardwalk("graph", deck, "--no-verdicts", "--to", "dot", "--output", "a.gviz").returncode == 0
    assert (tmp_path / "a.gviz").read_text(encoding="utf-8").startswith("digraph")


def test_the_same_deck_gives_the_same_bytes_whatever_the_hash_seed(cardwalk, deck):
    runs = [
        cardwalk("graph", deck, "--to", "html", "--spoilers", PYTHONHASHSEED=seed, PYTHONIOENCODING="ascii")
        for seed in ("1", "2")
    ]
    assert drawn(runs[0]) == drawn(runs[1])
    assert "·" in runs[0].stdout


def test_brackets_and_quotes_of_a_deck_stay_text(cardwalk, edit, texts):
    text = """'I <3 reefs & "end" ]]> {{x}} -->'"""
    edit(one=texts["one"].replace("text: The reef has teeth.", f"text: {text}").replace("The Reef", '"3 < 4 \\"&\\""'))
    page = drawn(cardwalk("graph", "lagoon-deck", "--to", "html", "--spoilers"))
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page).group(1))
    reef = next(node for node in data["nodes"] if node["name"] == "1:2")
    assert (reef["title"], reef["text"]) == ('3 < 4 "&"', 'I <3 reefs & "end" ]]> {{x}} -->')
    assert "3 &lt; 4" in page
    Tree.fromstring(drawn(cardwalk("graph", "lagoon-deck", "--spoilers")))


def test_problems_are_told_as_check_does(cardwalk, edit, texts):
    edit(one=texts["one"].replace("reveal: 3", "reveal: 33"))
    process = cardwalk("graph", "lagoon-deck", "-o", "out.svg")
    checked = cardwalk("check", "lagoon-deck")
    assert (process.returncode, process.stdout, process.stderr) == (1, "", checked.stdout)
    assert "there is no card 33" in process.stderr


def test_bad_input_is_one_line(cardwalk, deck, position, tmp_path):
    assert "no-such-folder/a.svg: No such file" in one_line(cardwalk("graph", deck, "-o", "no-such-folder/a.svg"), 1)
    assert one_line(cardwalk("graph", deck, "-o", tmp_path), 1).startswith("graph: ")
    assert "no whole campaign" in one_line(cardwalk("graph", position), 1)
    assert "no whole campaign" in one_line(cardwalk("graph", deck / "one.yaml"), 1)
    assert "invalid choice" in one_line(cardwalk("graph", deck, "--to", "png"), 2)
    assert "--seconds" in one_line(cardwalk("graph", deck, "--seconds", "0"), 2)
    assert "there is no such folder" in cardwalk("graph", "nowhere").stderr


def test_a_deck_that_cannot_be_played_yet_is_drawn_without_verdicts(deck, capsys, monkeypatch):
    monkeypatch.setattr("story.checks.playable", lambda campaign: ("a problem",))
    assert main(["graph", str(deck), "--to", "dot"]) == 0
    out, err = capsys.readouterr()
    assert "drawn without verdicts" in err
    assert "reached" not in out


def test_mermaid_is_warned_about_on_standard_error(cardwalk, edit, texts):
    cards = "".join(
        f"  {n}: {{text: x, steps: {{choose: [{', '.join(f'{{say: a, reveal: {t}}}' for t in range(2, 28))}]}}}}\n"
        for n in range(1, 28)
    )
    one = (
        texts["one"][: texts["one"].index("cards:")]
        + f"cards:\n{cards}  28: {{text: x, steps: {{next_chapter: true}}}}\n"
    )
    edit(one=one.replace("reveal: 27}]", "reveal: 28}]"))
    process = cardwalk("graph", "lagoon-deck", "--to", "mermaid", "--no-verdicts")
    assert process.returncode == 0
    assert process.stdout.startswith("flowchart TD")
    assert "Mermaid draws 500 at most" in process.stderr


def test_help_has_an_example(cardwalk):
    text = drawn(cardwalk("graph", "--help"))
    assert "cardwalk graph my-deck --spoilers -o my-deck.html" in text
    assert "--no-verdicts" in text
