"""``cardwalk import twee`` and ``cardwalk export twee`` as processes."""

import json
from pathlib import Path

import pytest

NASTY = Path(__file__).parents[1] / "decks" / "twee" / "nasty.twee"
STORY = """\
:: StoryTitle
The Shed

:: Start
A shed.

[[Go in->Inside]]

:: Inside
(set: $lit to true)It is dark.
"""


@pytest.fixture
def story(tmp_path):
    """A small Twee file."""
    file = tmp_path / "shed.twee"
    file.write_text(STORY, encoding="utf-8")
    return file


def one_line(process, status):
    assert process.returncode == status, process.stderr
    lines = process.stderr.splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


# ---------------------------------------------------------------- import


def test_an_imported_story_passes_check_and_plays(cardwalk, story, tmp_path):
    process = cardwalk("import", "twee", "shed.twee", "-o", "shed")
    assert process.returncode == 0, process.stderr
    assert process.stdout == (
        "Written: campaign.yaml, chapter-1.yaml, cardwalk.schema.json in shed: 2 cards, 1 option, 1 ending; "
        "3 remarks.\n"
        "'cardwalk check shed' looks it over, 'cardwalk play shed' plays it.\n"
    )
    assert process.stderr.splitlines() == [
        "shed.twee:1:1: info: there is no StoryData; a deck needs none [no-story-data]",
        'shed.twee:9:1: info: "Inside" leads nowhere: it ends the game (kind: neutral) [ending]',
        'shed.twee:10:1: warning: macro "(set: $lit to true)" is dropped [dropped-code]',
    ]
    assert cardwalk("check", "shed", "--strict").returncode == 0
    (tmp_path / "script.txt").write_text("choose 1\n", encoding="utf-8")
    played = cardwalk("play", "shed", "--plain", "--script", "script.txt")
    assert played.returncode == 0, played.stderr
    assert "The end: Inside\n" in played.stdout


def test_a_story_with_every_nasty_case_becomes_a_deck(cardwalk):
    process = cardwalk("import", "twee", NASTY, "-o", "nasty", "--json")
    assert (process.returncode, process.stderr) == (0, "")
    told = json.loads(process.stdout)
    assert {key: told[key] for key in ("deck", "files", "cards", "options", "endings")} == {
        "deck": "nasty", "files": ["campaign.yaml", "chapter-1.yaml", "cardwalk.schema.json"],
        "cards": 6, "options": 9, "endings": 2,
    }  # fmt: skip
    places = [(remark["id"], remark["line"], remark["column"]) for remark in told["remarks"]]
    assert ("stray-text", 1, 1) in places
    assert ("dropped-code", 29, 10) in places
    assert ("broken-link", 38, 3) in places
    assert ("bad-metadata", 44, 14) in places
    checked = json.loads(cardwalk("check", "nasty", "--json").stdout)
    assert [problem["id"] for problem in checked["problems"]] == ["no-path"]
    assert checked["verdicts"]["cards"] == {f"1:{n}": "reached" if n < 6 else "unreachable" for n in range(1, 7)}


def test_import_writes_nothing_over_what_is_there(cardwalk, story, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine", encoding="utf-8")
    assert "full is not empty; nothing was written" in one_line(cardwalk("import", "twee", story, "-o", "full"), 1)
    assert "is a file; a folder is needed" in one_line(cardwalk("import", "twee", story, "-o", story), 1)
    assert [file.name for file in full.iterdir()] == ["note.txt"]
    (tmp_path / "empty").mkdir()
    assert cardwalk("import", "twee", story, "-o", "empty").returncode == 0
    assert cardwalk("import", "twee", story, "-o", "a/new/one").returncode == 0
    assert (tmp_path / "a" / "new" / "one" / "campaign.yaml").is_file()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "x.twee:1:1: error: there is no passage"),
        (b":: a\ncaf\xe9", "x.twee:2:4: error: the file is not UTF-8: found the byte 0xe9"),
        (b":: a\n:: a", 'x.twee:2:3: error: two passages are called "a"'),
        (b":: a\n:: [x]", "x.twee:2:3: error: a passage without a name"),
        (b':: StoryData\n{"start": "b"}\n:: a', 'x.twee:1:1: error: the story starts with "b"'),
    ],
)
def test_a_story_that_cannot_be_read_is_told_with_its_place(cardwalk, tmp_path, content, said):
    (tmp_path / "x.twee").write_bytes(content)
    assert one_line(cardwalk("import", "twee", "x.twee", "-o", "deck"), 1).startswith(said)
    assert not (tmp_path / "deck").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["import", "twee", "missing.twee", "-o", "deck"], 1, "import: missing.twee: No such file"),
        (["import", "twee", ".", "-o", "deck"], 1, "import: .: Is a directory"),
        (["import", "twee", "x.twee"], 2, "required: -o/--output"),
        (["import", "ink", "x.ink", "-o", "deck"], 2, "invalid choice: 'ink'"),
        (["import"], 2, "required: twee, FILE"),
        (["export", "twee", "starter"], 2, "required: -o/--output"),
        (
            ["export", "twee", "starter", "-o", "no/such/folder/x.twee"],
            1,
            "export: no/such/folder/x.twee: No such file",
        ),
        (["export", "twee", "startr", "-o", "x.twee"], 1, "startr: error: there is no such folder"),
    ],
)
def test_bad_input_is_told_in_short(cardwalk, arguments, status, said):
    process = cardwalk(*arguments)
    assert process.returncode == status
    assert said in process.stderr
    assert len(process.stderr.splitlines()) <= 2


# ---------------------------------------------------------------- export


def test_an_exported_campaign_is_written_once_and_the_same_each_time(cardwalk, deck, tmp_path):
    process = cardwalk("export", "twee", deck, "-o", "lagoon.twee")
    assert process.returncode == 0, process.stderr
    assert process.stdout == "Written: 7 passages to lagoon.twee; 4 remarks.\n"
    assert f"{deck / 'one.yaml'}:22:3: info: card 1:2 says in words what Twine does not do" in process.stderr
    first = (tmp_path / "lagoon.twee").read_bytes()
    assert "there already; --force replaces it" in one_line(cardwalk("export", "twee", deck, "-o", "lagoon.twee"), 1)
    assert cardwalk("export", "twee", deck, "-o", "lagoon.twee", "--force").returncode == 0
    assert (tmp_path / "lagoon.twee").read_bytes() == first
    assert first.startswith(b":: StoryTitle\nThe Lagoon\n")


def test_only_campaigns_are_exported(cardwalk, position, tmp_path):
    process = cardwalk("export", "twee", position, "-o", "x.twee")
    assert process.returncode == 1
    assert "this is an encounter, not a campaign" in process.stderr
    assert not (tmp_path / "x.twee").exists()
