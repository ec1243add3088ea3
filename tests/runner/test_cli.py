"""``cardwalk`` as a process: exit statuses, one-line errors, crashes that lose nothing."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.cli import COMMANDS, main

COMMAND = (sys.executable, "-m", "runner")
EXAMPLE = Path(__file__).parents[1] / "decks" / "rulebook-example.yaml"
BAD = Path(__file__).parent.parent / "decks" / "bad"


def one_line(process, status):
    """The single line on standard error of a process that ended with this status."""
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr
    lines = process.stderr.splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


# -------------------------------------------------------------------- help and wrong command lines


def test_help_lists_every_command(cardwalk):
    process = cardwalk("--help")
    assert process.returncode == 0
    assert all(re.search(rf"^  {name} ", process.stdout, re.MULTILINE) for name in COMMANDS)
    assert process.stderr == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"examples:\n  cardwalk {command}" in text
    assert main(["help", command]) == 0
    assert capsys.readouterr().out == text


def test_help_is_quick_and_imports_neither_screens_nor_decks():
    script = (
        "import sys; from runner.cli import main; main(['--help']); main(['play', '--help']);"
        "print(sorted(set(sys.modules) & {'textual', 'rich', 'networkx', 'ruamel.yaml', 'story.load', 'platformdirs'}))"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment()
    )
    assert process.stdout.splitlines()[-1] == "[]"


def test_an_encounter_that_is_known_is_solved_without_reading_yaml_or_the_rules_of_stories(tmp_path):
    script = (
        f"import sys; from runner.cli import main; main(['solve', {str(EXAMPLE)!r}, '--seconds', '0.01']);"
        "print(sorted(set(sys.modules) & {'textual', 'networkx', 'ruamel.yaml', 'story.source', 'story.campaign'}))"
    )
    loaded = [
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env=environment() | {"CARDWALK_CACHE_DIR": str(tmp_path)},
        ).stdout.splitlines()[-1]
        for _ in range(2)
    ]
    assert loaded == ["['ruamel.yaml', 'story.source']", "[]"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["chekc"], "there is no command 'chekc'; did you mean 'check'?"),
        (["xyzzy"], "there is no command 'xyzzy'; --help lists them"),
        (["--sed"], "unrecognized arguments: --sed"),
        (["play", "--plan"], "play: unrecognized arguments: --plan; did you mean '--plain'?"),
        (["play", "--seed", "x"], "'x' is no seed"),
        (["play", "--seed", "-1"], "seed"),
        (["play", "--seed", "9" * 30], "is no seed"),
        (["play", "--dice", "loaded"], "invalid choice: 'loaded'"),
        (["solve"], "solve: the following arguments are required: FILE"),
        (["solve", "x.yaml", "--death", "nan"], "'nan': a number from -1000000 to 1000000 is needed"),
        (["solve", "x.yaml", "--death", "1e308"], "'1e308': a number from -1000000 to 1000000 is needed"),
        (["resume", "--plain", "--chapter", "two"], "--chapter: 'two': the number of a chapter from 1 to 1000000 is"),
        (["resume", "--plain", "--chapter", "0"], "'0': the number of a chapter from 1"),
        (["saves", "export"], "saves: export what?"),
        (["saves", "burn"], "invalid choice: 'burn'"),
        (["check"], "required: DECK"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(cardwalk, arguments, error):
    assert error in one_line(cardwalk(*arguments), 2)


@pytest.mark.parametrize("arguments", [[], ["play"], ["resume"], ["table"]])
def test_the_interface_says_that_it_needs_a_terminal(cardwalk, arguments):
    assert "needs a terminal" in one_line(cardwalk(*arguments), 2)


def test_version_is_told(cardwalk):
    process = cardwalk("--version")
    assert process.returncode == 0
    assert process.stdout.startswith("cardwalk ")


# -------------------------------------------------------------------- decks that cannot be played


def test_what_is_no_deck_is_refused(cardwalk, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.yaml").write_bytes(b"")
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    (tmp_path / "text.yaml").write_text("hello\n")
    for name in ("missing", "folder", "empty.yaml", "binary.yaml", "text.yaml", "startr"):
        for arguments in (["play", name, "--plain"], ["check", name], ["solve", name]):
            process = cardwalk(*arguments)
            assert process.returncode == 1, (arguments, process.stderr)
            assert "Traceback" not in process.stderr
            assert name in process.stderr + process.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    title: On the Sand", "    titel: On the Sand", r"one\.yaml:8:5: error: .*titel"),
        ("reveal: 2", "reveal: 200", r"one\.yaml:\d+:\d+: error: .*200"),
        ("      - choose:", "      - pull: 1\n      - choose:", r"one\.yaml:\d+:\d+: error: .*pull"),
    ],
)
def test_a_deck_with_errors_is_refused_with_their_places(cardwalk, edit, texts, old, new, said):
    deck = edit(one=texts["one"].replace(old, new))
    for arguments in (["play", deck, "--plain"], ["check", deck]):
        process = cardwalk(*arguments)
        assert process.returncode == 1
        assert re.search(said, process.stdout + process.stderr)
        assert "^" in process.stdout + process.stderr


def test_check_prints_json_alone(cardwalk, deck):
    process = cardwalk("check", deck, "--json")
    document = json.loads(process.stdout)
    assert (process.returncode, process.stderr, document["deck"]) == (0, "", "lagoon")
    assert {"problems", "verdicts", "witness", "limit", "seconds"} <= set(document)
    several = cardwalk("check", deck, "starter", "--json")
    assert [one["deck"] for one in json.loads(several.stdout)] == ["lagoon", "starter"]


def test_a_single_deck_file_is_checked_within_its_campaign(cardwalk, deck, edit, texts):
    assert cardwalk("check", deck / "one.yaml").returncode == 0
    edit(two=texts["two"].replace("reveal: 2", "reveal: 20"))
    assert cardwalk("check", deck / "one.yaml").returncode == 0
    assert cardwalk("check", deck / "two.yaml").returncode == 1


def test_strict_lets_a_warning_count(cardwalk, edit, texts):
    deck = edit(items=texts["items"] + "  oar: {name: Oar, text: Nobody asks for it.}\n")
    assert cardwalk("check", deck).returncode == 0
    process = cardwalk("check", deck, "--strict")
    assert process.returncode == 1
    assert "warning" in process.stdout


def test_what_is_not_yet_playable_is_refused_politely(cardwalk, deck, edit, texts):
    tavern = "tavern: {turns: 3, hand: 3, drinks: drinks, hero: {space: 1}, seats: {11: vena}, then: {reveal: 2}}"
    edit(
        campaign=texts["campaign"].replace("enemies.yaml]", "enemies.yaml, drinks.yaml, vena.yaml]"),
        two=texts["two"].replace("- ending: {id: home, title: Home, kind: victory}", f"- {tavern}"),
        drinks="format: cardwalk/1\nkind: drinks\ncards:\n"
        "  gin: {name: Gin, type: mental, level: 9, cost: 1, strong: 2, weak: 1, copies: 9}\n",
        vena="format: cardwalk/1\nkind: conversation\nname: Vena\nstart: 1\ncards:\n"
        "  1: {text: No., steps: {choose: [{say: Yes, reveal: 1}]}}\n",
    )
    process = cardwalk("play", deck, "--plain")
    assert process.returncode == 1
    assert "cannot be played yet" in process.stderr
    assert "two.yaml:" in process.stderr
    assert process.stdout == ""


# -------------------------------------------------------------------- playing


def test_a_game_is_played_by_lines_saved_and_resumed(cardwalk, deck):
    process = cardwalk("play", deck, "--plain", "--seed", 3, input="1\n")
    assert process.returncode == 0
    name = re.search(r"'cardwalk resume (\S+) --plain'", process.stdout)[1]
    again = cardwalk("resume", "--plain", input="i\n")
    assert again.returncode == 0
    assert "Items: Rope." in again.stdout
    back = cardwalk("resume", name, "--plain", "--chapter", 1)
    assert "Card 1. On the Sand." in back.stdout
    assert "Chapter 2 has not been reached" in one_line(cardwalk("resume", name, "--plain", "--chapter", 2), 1)


def test_the_same_seed_plays_the_same_game(cardwalk, deck):
    one, two, other = (
        cardwalk("play", deck, "--plain", "--no-save", "--seed", seed, input="2\n" + "1\n" * 9).stdout
        for seed in (7, 7, 8)
    )
    assert one == two != other


def test_a_script_is_played_and_kept_in_no_save(cardwalk, deck, tmp_path, data_folder):
    script = tmp_path / "walk.txt"
    script.write_text("# Straight through.\n\nchoose 2\nd20 20\n", encoding="utf-8")
    process = cardwalk("play", deck, "--script", script, "--seed", 3, "--log", tmp_path / "log.txt")
    assert process.returncode == 0, process.stderr
    assert "> choose 2" in process.stdout
    assert not (data_folder / "saves").exists()
    log = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "\nchoose 2\n# You choose: Push off [NAV-7]\n" in log
    again = cardwalk("play", deck, "--script", tmp_path / "log.txt", "--seed", 99, "--log", tmp_path / "log2.txt")
    assert again.returncode == 0
    answers = [line for line in log.splitlines() if not line.startswith("#")]
    second = (tmp_path / "log2.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in second if not line.startswith("#")] == answers


def test_a_script_that_does_not_fit_names_its_line(cardwalk, deck, tmp_path):
    script = tmp_path / "walk.txt"
    script.write_text("choose 2\nsing\n", encoding="utf-8")
    process = cardwalk("play", deck, "--script", script)
    assert one_line(process, 1).startswith(f"{script}:2: 'sing' is not offered here")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_script_that_cannot_be_read_is_told(cardwalk, deck, tmp_path, content):
    script = tmp_path / "walk.txt"
    if content is not None:
        script.write_bytes(content)
    assert "walk.txt" in one_line(cardwalk("play", deck, "--script", script), 1)


def test_a_log_that_cannot_be_written_is_told(cardwalk, deck, tmp_path):
    assert "log" in one_line(cardwalk("play", deck, "--plain", "--log", tmp_path / "no" / "log"), 1)


def test_an_encounter_file_is_played_and_solved(cardwalk, position):
    played = cardwalk("play", position, "--plain", "--seed", 1, input="dodge\nend\n2\n")
    assert "The encounter is over." in played.stdout
    solved = cardwalk("solve", position, "--json", "--plan")
    document = json.loads(solved.stdout)
    assert (solved.returncode, solved.stderr) == (0, "")
    assert document["exact"] is True
    assert document["best"][0] == document["actions"][0]["answer"]
    assert {"end", "dodge"} <= {action["answer"] for action in document["actions"]}
    assert abs(sum(document["wounds"].values()) - 1) < 1e-9
    assert document["plan"][0]["answers"]
    assert document["cold_seconds"] >= document["seconds"]
    text = cardwalk("solve", position, "--plan").stdout
    assert "The best play of this turn:" in text


def test_solve_stops_in_time_and_says_so(cardwalk, tmp_path):
    hard = tmp_path / "hard.yaml"
    text = EXAMPLE.read_text(encoding="utf-8")
    hard.write_text(text.replace("rounds: 3", "rounds: 9"), encoding="utf-8")
    process = cardwalk("solve", hard, "--seconds", "0.05", "--json")
    document = json.loads(process.stdout)
    assert process.returncode == 0
    assert document["exact"] is False
    assert document["lower"] <= document["upper"]
    assert document["limit"] == "0.05 s"


def test_new_writes_a_deck_that_passes_and_plays(cardwalk, tmp_path):
    assert cardwalk("new", "mine").returncode == 0
    assert cardwalk("check", "mine", "--strict").returncode == 0
    assert cardwalk("play", "mine", "--plain", input="1\n1\n").returncode == 0
    for file in (tmp_path / "mine").glob("*.yaml"):
        first = file.read_text(encoding="utf-8").splitlines()[0]
        assert first == "# yaml-language-server: $schema=./cardwalk.schema.json"
    assert (tmp_path / "mine/cardwalk.schema.json").read_text(encoding="utf-8") == cardwalk("schema").stdout
    assert "not empty" in one_line(cardwalk("new", "mine"), 1)
    (tmp_path / "file").touch()
    assert "is a file" in one_line(cardwalk("new", "file"), 1)
    assert "file" in one_line(cardwalk("new", "file/sub"), 1)


def test_the_schema_is_printed_or_written(cardwalk, tmp_path):
    process = cardwalk("schema")
    assert json.loads(process.stdout)["properties"]["format"]["const"] == "cardwalk/1"
    assert cardwalk("schema", "-o", "schema.json").returncode == 0
    assert (tmp_path / "schema.json").read_text(encoding="utf-8") == process.stdout
    assert "nowhere" in one_line(cardwalk("schema", "-o", "nowhere/schema.json"), 1)


def test_rules_are_found_by_id_and_by_word(cardwalk):
    assert cardwalk("rules", "MOVE-2").stdout.startswith("MOVE-2")
    assert "ACT-6" in cardwalk("rules", "dodge").stdout
    assert "NAV-1" in cardwalk("rules").stdout
    assert "MOVE-2" in one_line(cardwalk("rules", "MOVW-2"), 1)


# -------------------------------------------------------------------- saves


def test_saves_are_listed_exported_imported_and_deleted(cardwalk, deck, tmp_path):
    assert json.loads(cardwalk("saves", "--json").stdout) == {"saves": []}
    cardwalk("play", deck, "--plain", "--seed", 3, input="1\n")
    (info,) = json.loads(cardwalk("saves", "--json").stdout)["saves"]
    assert info["title"] == "The Lagoon"
    name = info["name"]
    assert name in cardwalk("saves").stdout
    assert cardwalk("saves", "export", name, "-o", tmp_path / "out.jsonl").returncode == 0
    assert "is there already" in one_line(cardwalk("saves", "export", name, "-o", tmp_path / "out.jsonl"), 1)
    assert cardwalk("saves", "export", name).stdout == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert json.loads(cardwalk("saves", "import", tmp_path / "out.jsonl", "--json").stdout) == {"imported": ["out"]}
    assert "--yes" in one_line(cardwalk("saves", "delete", name), 2)
    assert cardwalk("saves", "delete", name, "--yes").returncode == 0
    assert [one["name"] for one in json.loads(cardwalk("saves", "--json").stdout)["saves"]] == ["out"]
    assert "there is no save" in one_line(cardwalk("saves", "export", name), 1)


def test_a_damaged_save_is_kept_aside_and_named(cardwalk, deck, data_folder):
    cardwalk("play", deck, "--plain", "--seed", 3, input="1\n")
    (file,) = (data_folder / "saves").glob("*.jsonl")
    file.write_bytes(b"rubbish\n" + file.read_bytes())
    error = one_line(cardwalk("resume", file.stem, "--plain"), 1)
    assert str(Path("saves", "aside", file.name)) in error
    assert not file.exists()


def test_a_data_folder_that_cannot_be_written_is_told(cardwalk, deck, tmp_path):
    (tmp_path / "blocked").write_text("a file")
    error = one_line(cardwalk("play", deck, "--plain", CARDWALK_DATA_DIR=str(tmp_path / "blocked")), 1)
    assert "cannot write a save" in error
    assert "--no-save" in error
    free = cardwalk("play", deck, "--plain", "--no-save", CARDWALK_DATA_DIR=str(tmp_path / "blocked"))
    assert free.returncode == 0
    assert "cannot read the saves" in one_line(cardwalk("saves", CARDWALK_DATA_DIR=str(tmp_path / "blocked")), 1)


def test_without_a_save_resume_says_what_to_do(cardwalk):
    assert "'cardwalk play' begins a game" in one_line(cardwalk("resume", "--plain"), 1)


# -------------------------------------------------------------------- processes that are ended


def environment():
    """This process's environment, with the packages to be imported from where they are here."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def playing(deck, data_folder):
    """A game by lines in another process, after one answer."""
    process = subprocess.Popen(
        [*COMMAND, "play", str(deck), "--plain", "--seed", "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment(),
    )
    process.stdin.write("choose 1\nnames\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("> names"):
            break
    yield process
    process.kill()
    process.communicate()


def test_two_processes_cannot_play_one_save(cardwalk, playing):
    assert "being played by another process" in one_line(cardwalk("resume", "--plain"), 1)


def test_kill_in_mid_game_loses_nothing(cardwalk, playing, data_folder):
    playing.kill()
    playing.wait()
    (file,) = (data_folder / "saves").glob("*.jsonl")
    assert '"answer":"choose 1"' in file.read_text(encoding="utf-8")
    process = cardwalk("resume", "--plain", input="i\n")
    assert process.returncode == 0
    assert "Items: Rope." in process.stdout


def test_ctrl_c_ends_tidily(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("runner.commands.rules.run", interrupted)
    assert main(["rules"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


if sys.platform != "win32":  # where a process can be sent the signal alone

    def test_ctrl_c_in_mid_game_ends_tidily_and_loses_nothing(cardwalk, playing):
        playing.send_signal(signal.SIGINT)
        _, errors = playing.communicate(timeout=20)
        assert playing.returncode == 130
        assert errors == "interrupted\n"
        assert "Items: Rope." in cardwalk("resume", "--plain", input="i\n").stdout


def test_a_reader_that_goes_away_is_no_error():
    process = subprocess.Popen(
        [*COMMAND, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=20) in (0, 141)
    assert errors == ""


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["rules MOVE-2", "check starter", "play starter --plain --no-save", "saves", ""])
def test_a_closed_standard_stream_makes_no_traceback(words, redirect):
    command = f"{sys.executable} -m runner {words} {redirect}"
    process = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert process.returncode in (0, 1, 2)
    assert "Traceback" not in process.stderr + process.stdout


def test_output_that_cannot_be_written_is_told_in_one_line():
    full = Path("/dev/full")  # a device that is always full
    for words in ("rules", "play starter --plain --no-save", "check starter", "--help", "solve --help", "--version"):
        with full.open("w") as out:
            process = subprocess.run(
                [sys.executable, "-u", "-m", "runner", *words.split()],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True, timeout=60,
            )  # fmt: skip
        assert process.returncode == 1
        assert "cannot be written" in process.stderr
        assert process.stderr.count("\n") == 1


# ---------------------------------------------------------------- what is named


@pytest.mark.parametrize("command", ["check", "new", "play", "solve", "playtest", "fmt"])
def test_an_empty_argument_is_a_wrong_command_line(cardwalk, tmp_path, command):
    process = cardwalk(command, "")
    assert process.returncode == 2
    assert process.stderr == (f"{command}: an empty argument ('') names nothing; for the current folder write .\n")
    assert not (tmp_path / "campaign.yaml").exists()


@pytest.mark.parametrize("named", ["decks/well", "./decks/well/", "decks/well/chapter-1.yaml"])
def test_a_problem_names_a_file_that_can_be_opened(cardwalk, tmp_path, named):
    folder = tmp_path / "decks" / "well"
    shutil.copytree(BAD / "missing-target", folder)
    told = cardwalk("check", named).stdout
    file = told.partition(":8:21: error:")[0]
    assert (tmp_path / file).resolve() == folder / "chapter-1.yaml"
    document = json.loads(cardwalk("check", named, "--json").stdout)
    assert document["problems"][0]["file"] == "chapter-1.yaml"


def test_solve_and_play_name_it_too(cardwalk, tmp_path):
    shutil.copytree(BAD / "bad-space", tmp_path / "decks" / "table")
    shutil.copytree(BAD / "missing-target", tmp_path / "decks" / "well")
    file = str(Path("decks", "table", "encounter.yaml"))
    assert cardwalk("solve", file).stderr.startswith(f"{file}:6:30: error:")
    assert cardwalk("play", "decks/well", "--plain").stderr.startswith(
        f"{Path('decks', 'well', 'chapter-1.yaml')}:8:21: error:"
    )
    assert cardwalk("solve", "decks/well").returncode == 1
