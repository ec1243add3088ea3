"""``cardwalk check --sarif``: one log that code hosts can read, whatever is wrong."""

import ast
import json
from pathlib import Path

import pytest

import story
from runner.sarif import Examined, _kinds, sarif
from solver.reach.kinds import SEARCH_KINDS
from solver.reach.problems import IDS
from story.checks import examine
from story.problem_kinds import FORMAT_KINDS
from story.problems import Problem

BAD = Path(__file__).parent.parent / "decks" / "bad"


def log_of(process):
    """The log printed by a process, held to the parts of SARIF 2.1.0 that every reader relies on."""
    log = json.loads(process.stdout)
    assert process.stderr == ""
    assert log["version"] == "2.1.0"
    assert "sarif-2.1.0" in log["$schema"]
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Cardwalk"
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith("/")
        if "region" in place:
            assert all(number >= 1 for number in place["region"].values())
    return run


def test_each_problem_has_its_place_and_its_mend(cardwalk, deck, edit, texts):
    edit(one=texts["one"].replace("level: 12", "level: 012"))
    process = cardwalk("check", deck.name, "--sarif")
    assert process.returncode == 1
    run = log_of(process)
    (result,) = run["results"]
    assert result["ruleId"] == "bad-number"
    assert result["level"] == "error"
    assert "write 12: no leading zeros" in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": f"{deck.name}/one.yaml", "uriBaseId": "%SRCROOT%"}
    line = (deck / "one.yaml").read_text().splitlines()[place["region"]["startLine"] - 1]
    assert line[place["region"]["startColumn"] - 1 : place["region"]["endColumn"] - 1] == "012"


def test_a_sound_deck_and_one_that_is_not_there(cardwalk, deck):
    run = log_of(cardwalk("check", "starter", "--sarif", "--states", "0"))
    assert run["results"] == run["tool"]["driver"]["rules"] == []
    several = cardwalk("check", "starter", "nowhere", "--sarif", "--states", "0")
    assert several.returncode == 1
    assert [result["ruleId"] for result in log_of(several)["results"]] == ["deck-not-found"]


def test_what_the_search_finds_is_told_and_what_it_does_not_know_is_remarked(cardwalk, deck):
    process = cardwalk("check", deck, "--sarif")
    assert process.returncode == 0
    run = log_of(process)
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [("unreachable-option", "warning")]
    assert run["invocations"][0]["toolExecutionNotifications"] == []
    limited = log_of(cardwalk("check", deck, "--sarif", "--states", "1"))
    (remark,) = limited["invocations"][0]["toolExecutionNotifications"]
    assert "the limit was" in remark["message"]["text"]


@pytest.mark.parametrize("words", [["--json"], ["--explain", "1:1"], ["--witness"]])
def test_what_a_log_has_no_place_for_is_refused(cardwalk, deck, words):
    process = cardwalk("check", deck, "--sarif", *words)
    assert process.returncode == 2
    assert process.stdout == ""


def test_a_rule_has_the_gravest_level_it_occurs_with():
    problems = [Problem("trap", severity, "a b.yaml", 1, 1, 1, 1, "So.") for severity in ("info", "error", "warning")]
    run = sarif([Examined(Path("deck"), tuple(problems))], "1")["runs"][0]
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] == "error"
    assert [result["level"] for result in run["results"]] == ["note", "error", "warning"]
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "deck/a%20b.yaml"


def test_every_bad_deck_makes_a_log():
    for folder in sorted(BAD.iterdir()):
        home = folder if (folder / "campaign.yaml").exists() else folder / "encounter.yaml"
        problems = examine(home, use_cache=False).problems
        run = sarif([Examined(folder, problems)], "1")["runs"][0]
        assert len(run["results"]) == len(problems)


def test_every_id_that_the_program_gives_a_problem_is_explained():
    assert set(SEARCH_KINDS) == set(IDS)
    known = _kinds()
    home = Path(story.__file__).parent
    given = set()
    for file in (home / "source.py", home / "load.py", home / "decks/__init__.py", *(home / "loading").glob("*.py")):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            if name in ("problem", "Problem", "_other", "_nowhere", "at"):
                given |= {id for id in map(_text, call.args[:2]) if id.islower() and " " not in id and "." not in id}
            given |= {_text(word.value) for word in call.keywords if word.arg in ("id", "twice")}
            if name in ("word", "expected"):
                given |= {_text(argument) for argument in call.args[3:]}
    given -= {""}
    assert len(given) > 50
    assert {id for id in given if "-" in id} <= set(known)
    assert set(FORMAT_KINDS) - given <= {"unknown-word", "wrong-type", "out-of-range", "duplicate-key"}  # defaults


def _text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
