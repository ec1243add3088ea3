"""``cardwalk check`` as a process: verdicts, their limits, ways that replay, and bad values."""

import json
import re
from pathlib import Path

import pytest

from runner.cli import main
from tests.runner.conftest import CAMPAIGN, ONE, write_deck

BAD = Path(__file__).parents[1] / "decks" / "bad"
DICE = {"d20", "d12", "d6", "place", "pick"}

EMPTY_PROMISE = """\
format: cardwalk/1
kind: story
chapter: 1
title: The Boat
start: 1
cards:
  1:
    title: On the Sand
    text: The boat is yours, the oars are not.
    steps:
      - choose:
          - {say: Row with your hands, reveal: 3}
          - {say: Row with the oars, needs: {item: oars}, reveal: 2}
  2:
    title: Rowed
    text: There they are.
    steps: [{gain: {item: oars}}, {reveal: 3}]
  3:
    title: Adrift
    text: You have none.
    steps: {next_chapter: true}
"""
OARS = """\
format: cardwalk/1
kind: items
cards:
  oars: {name: Oars, text: Not yours.}
"""


@pytest.fixture
def oarless(tmp_path):
    """A deck with a card and an option that no game reaches: the oars lie where only those who have them come."""
    campaign = CAMPAIGN.replace("items.yaml, enemies.yaml", "items.yaml")
    return write_deck(tmp_path / "oarless", campaign=campaign, one=EMPTY_PROMISE, items=OARS)


@pytest.fixture
def broken(tmp_path):
    """A deck with an error in its format."""
    return write_deck(tmp_path / "broken", one=ONE.replace("    text: The reef has teeth.\n", ""))


def document(process, status=0):
    """The JSON that a process printed, and nothing else."""
    assert process.returncode == status, process.stderr
    assert process.stderr == ""
    return json.loads(process.stdout)


def one_line(process, status):
    """The only line of a process that printed nothing but what was wrong."""
    assert process.returncode == status, process.stderr
    assert process.stdout == ""
    lines = process.stderr.splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


# ---------------------------------------------------------------- verdicts


def test_json_holds_problems_and_verdicts_of_every_card_option_and_ending(cardwalk, oarless):
    told = document(cardwalk("check", oarless, "--json"))
    assert list(told) == ["deck", "problems", "verdicts", "witness", "limit", "states", "seconds"]
    assert told["deck"] == "lagoon"
    assert (told["witness"], told["limit"]) == (None, None)
    assert told["states"] > 0
    assert told["seconds"] > 0
    assert told["verdicts"] == {
        "cards": {"1:1": "reached", "1:2": "unreachable", "1:3": "reached", "2:1": "reached", "2:2": "reached"},
        "options": {"1:1/1": "reached", "1:1/2": "unreachable", "2:1/1": "reached", "2:1/2": "reached"},
        "endings": {"sat": "reached", "home": "reached"},
    }
    found = {problem["id"]: problem for problem in told["problems"]}
    assert {"unreachable-card", "unreachable-option"} <= found.keys()
    assert (found["unreachable-card"]["file"], found["unreachable-card"]["line"]) == ("one.yaml", 14)
    for problem in told["problems"]:
        assert {"id", "severity", "file", "line", "column", "message", "hint"} <= problem.keys()
        assert problem["severity"] in ("error", "warning", "info")


def test_verdicts_are_counted_in_words(cardwalk, oarless):
    process = cardwalk("check", oarless)
    assert (process.returncode, process.stderr) == (0, "")
    assert re.search(r"^4 cards reached, 1 unreachable, 0 unknown; [\d,]+ states, \d+\.\d s$", process.stdout, re.M)
    assert re.search(
        r"^.*one\.yaml:14:3: warning: card 2 can never be reached \[unreachable-card\]$", process.stdout, re.M
    )


def test_a_deck_with_errors_gets_problems_alone(cardwalk, broken):
    told = document(cardwalk("check", broken, "--json", "--witness"), 1)
    assert list(told) == ["deck", "problems", "verdicts", "witness", "limit", "states", "seconds"]
    assert (told["verdicts"], told["witness"], told["limit"], told["states"]) == (None, None, None, 0)
    assert [(problem["severity"], problem["line"]) for problem in told["problems"]] == [("error", 23)]


def test_a_deck_that_cannot_yet_be_played_gets_no_verdicts_and_is_told_why(cardwalk):
    deck = BAD / "not-yet-playable"
    process = cardwalk("check", deck)
    assert (process.returncode, process.stderr) == (0, "")
    why = "the tavern is not yet playable in this version (chapter-1.yaml:8)"
    assert process.stdout.splitlines()[-2:] == ["well: 1 warning", f"no verdicts: {why}"]
    told = document(cardwalk("check", deck, "--json", "--witness"))
    assert [told[key] for key in ("verdicts", "witness", "limit", "states")] == [None, None, why, 0]
    assert document(cardwalk("check", deck, "--json", "--strict"), 1)["verdicts"] is None
    assert one_line(cardwalk("check", deck, "--json", "--explain", "1:2"), 1).endswith(f"cannot be explained: {why}")


def test_several_decks_are_a_list_in_their_order_and_one_error_is_enough(cardwalk, deck, broken, position):
    told = document(cardwalk("check", deck, broken, "nowhere", position, "--json"), 1)
    assert [one["deck"] for one in told] == ["lagoon", "lagoon", "nowhere", "crab"]
    assert [one["verdicts"] is None for one in told] == [False, True, True, True]
    assert [[problem["id"] for problem in one["problems"]] for one in told][1:] == [
        ["missing-key"],
        ["deck-not-found"],
        [],
    ]
    process = cardwalk("check", deck, broken)
    assert process.returncode == 1
    assert process.stdout.count("cards reached") == 1


# ---------------------------------------------------------------- limits and exit statuses


def test_a_limit_of_states_leaves_unknowns_and_is_named(cardwalk, deck):
    told = document(cardwalk("check", deck, "--json", "--states", "1"))
    assert told["limit"].startswith("1 state")
    verdicts = told["verdicts"]
    assert verdicts["cards"]["1:1"] == "reached"
    assert "unknown" in verdicts["cards"].values()
    assert "unknown" in verdicts["endings"].values()
    text = cardwalk("check", deck, "--states", "1").stdout
    assert re.search(r"^unknown: \d:\d, .* and \d+ more; the limit was: 1 state", text, re.MULTILINE)


def test_a_limit_of_seconds_is_kept_and_named(cardwalk):
    told = document(cardwalk("check", "starter", "--json", "--seconds", "1e-9"))
    assert told["limit"] == "1e-09 seconds"
    assert "unknown" in told["verdicts"]["cards"].values()


def test_without_states_only_problems_are_told(cardwalk, oarless):
    told = document(cardwalk("check", oarless, "--json", "--states", "0", "--strict"))
    assert (told["problems"], told["verdicts"], told["states"]) == ([], None, 0)


@pytest.mark.parametrize(
    ("options", "status"), [([], 0), (["--strict"], 1), (["--json"], 0), (["--json", "--strict"], 1)]
)
def test_a_warning_counts_when_it_is_strict(cardwalk, oarless, options, status):
    assert cardwalk("check", oarless, *options).returncode == status


def test_an_unknown_counts_when_it_is_strict(cardwalk):
    assert cardwalk("check", "starter", "--strict").returncode == 0
    assert cardwalk("check", "starter", "--states", "1", "--strict").returncode == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--states", "-1"], "argument --states: '-1': a number of states is needed"),
        (["--states", "many"], "argument --states: 'many': a number of states is needed"),
        (["--states", "1.5"], "a number of states is needed"),
        (["--states", "9" * 5000], "a number of states is needed"),
        (["--states", "٣"], "a number of states is needed"),
        (["--states"], "argument --states: expected one argument"),
        (["--explain"], "argument --explain: expected one argument"),
        (["--witnes"], "unrecognized arguments: --witnes; did you mean '--witness'?"),
    ],
)
def test_bad_values_are_told_in_one_line(capsys, deck, options, said):
    assert main(["check", str(deck), *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert len(line) < 200


# ---------------------------------------------------------------- ways


def test_each_card_reached_has_a_way_that_replays(cardwalk, deck, tmp_path):
    told = document(cardwalk("check", deck, "--json", "--witness"))
    cards = [key for key, verdict in told["verdicts"]["cards"].items() if verdict == "reached"]
    assert len(cards) == 5
    assert set(cards) <= told["witness"].keys()
    script = tmp_path / "way.txt"
    for key in cards:
        way = told["witness"][key]
        script.write_text("".join(f"{answer}\n" for answer in way), encoding="utf-8")
        played = cardwalk("play", deck, "--plain", "--script", script)
        assert (played.returncode, played.stderr) == (0, ""), key
        chapter, number = key.split(":")
        assert re.findall(r"^Chapter (\d+):", played.stdout, re.M)[-1] == chapter
        assert re.findall(r"^Card (\d+)\.", played.stdout, re.M)[-1] == number
    assert any(answer.split()[0] in DICE for answer in told["witness"]["2:2"])


def test_a_way_to_an_ending_of_a_longer_campaign_ends_it(cardwalk, tmp_path):
    told = document(cardwalk("check", "starter", "--json", "--witness"))
    endings = [key for key, verdict in told["verdicts"]["endings"].items() if verdict == "reached"]
    assert endings
    longest = max(endings, key=lambda key: len(told["witness"][key]))
    script = tmp_path / "way.txt"
    script.write_text("\n".join(told["witness"][longest]), encoding="utf-8")
    played = cardwalk("play", "starter", "--plain", "--script", script)
    assert (played.returncode, played.stderr) == (0, "")
    assert "The end: " in played.stdout


def test_ways_are_told_in_words(cardwalk, deck, oarless):
    lines = cardwalk("check", deck, "--witness").stdout.splitlines()
    assert "1:1: the first card" in lines
    assert "1:2: choose 1" in lines
    assert not any(line.startswith("1:2:") for line in cardwalk("check", oarless, "--witness").stdout.splitlines())


# ---------------------------------------------------------------- explanations


def test_a_card_is_explained_by_its_key_or_its_number(cardwalk, oarless):
    process = cardwalk("check", oarless, "--explain", "1:2")
    assert process.returncode == 0
    assert "Card 1:2 can never be reached." in process.stdout
    assert "Card 2:2" not in process.stdout
    both = cardwalk("check", oarless, "--explain", "2").stdout
    assert "Card 1:2 can never be reached." in both
    assert "Card 2:2 can be reached, by " in both
    told = document(cardwalk("check", oarless, "--json", "--explain", "1:2"))
    assert told["explained"][0] in process.stdout


@pytest.mark.parametrize(
    ("card", "meant"),
    [
        ("1:9", "; did you mean 1:3?"),
        ("2:9", "; did you mean 2:2?"),
        ("7:1", "; did you mean 1:1?"),
        ("9", "; did you mean 1:3?"),
        ("9" * 5000, "; its cards are 1:1 to 1:3, 2:1 to 2:2"),
        ("sand", "; its cards are 1:1 to 1:3, 2:1 to 2:2"),
    ],
)
def test_a_card_that_is_not_there_is_told_with_the_nearest(capsys, deck, card, meant):
    assert main(["check", str(deck), "--explain", card, "--json"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"check: there is no card {card} in lagoon")
    assert meant in line


def test_an_unnumbered_card_is_found_by_its_id_and_near_it(cardwalk):
    assert "Card letters:to-a-son can be reached" in cardwalk("check", "starter", "--explain", "to-a-son").stdout
    for card, meant in (("letters:to-a-sun", "letters:to-a-son"), ("to-a-sun", "to-a-son")):
        line = one_line(cardwalk("check", "starter", "--explain", card, "--json"), 1)
        assert line == f"check: there is no card {card} in starter; did you mean {meant}?"
    line = one_line(cardwalk("check", "starter", "--explain", "walrus", "--json"), 1)
    assert re.search(r"; its cards are 1:1 to 1:\d+, 2:1 to 2:\d+, letters:to-a-son, ", line)


def test_what_cannot_be_explained_says_why(cardwalk, broken, deck, position):
    assert one_line(cardwalk("check", broken, "--explain", "1:1", "--json"), 1) == (
        f"check: card 1:1 of lagoon cannot be explained: it has errors; 'cardwalk check {broken}' lists them"
    )
    told = cardwalk("check", broken, "--explain", "1:1")
    assert "[missing-key]" in told.stdout
    assert told.stderr.startswith("check: card 1:1 of lagoon cannot be explained")
    for arguments in ([deck, "--states", "0"], [position]):
        line = one_line(cardwalk("check", *arguments, "--explain", "1:1"), 1)
        assert line.endswith("cannot be explained: no states were searched or it is no whole campaign")


def test_cards_of_several_decks_are_explained_in_one_run(cardwalk, deck, oarless):
    process = cardwalk("check", deck, oarless, "--explain", "1:2")
    assert (process.returncode, process.stderr) == (0, "")
    assert re.search(r"^Card 1:2 can be reached", process.stdout, re.M)
    assert re.search(r"^Card 1:2 can never be reached", process.stdout, re.M)


@pytest.mark.parametrize(
    ("fixture", "hint"),
    [
        ("no-ending", "add a way on to an ending; as soon as the game begins"),
        ("no-way-out", "add a way on to an ending; for example after: choose 2"),
        ("dead-branch", "let a step move on in every case; for example after: d20 1"),
        ("never-gained", "what stands under then: is never done: mend the condition, or leave the if: out"),
        ("asked-beyond-cap", "cardwalk check DECK --explain 1:1 tells what locks it"),
    ],
)
def test_what_the_search_finds_names_its_mend(capsys, fixture, hint):
    main(["check", str(BAD / fixture)])
    assert f"= {hint}\n" in capsys.readouterr().out
