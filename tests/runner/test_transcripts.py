"""Played sessions of the starter, kept as scripts with their purpose, and what plain mode shows for each.

``tests/transcripts/NAME.script`` begins with ``# purpose:`` and ``# seed:``; ``NAME.txt`` is the golden output.
"""

import io
import re
from pathlib import Path

import pytest

from runner.games import new_game
from runner.plain import Script, play
from story.load import load_campaign

FOLDER = Path(__file__).parent.parent / "transcripts"
SCRIPTS = sorted(FOLDER.glob("*.script"))


def played(script):
    """The session after a script, and what was shown."""
    text = script.read_text(encoding="utf-8")
    seed = int(re.search(r"^# seed: (\d+)$", text, re.MULTILINE)[1])
    session = new_game("starter", seed=seed, saved=False)
    out = io.StringIO()
    play(session, Script(script.name, text), out)
    return session, out.getvalue()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_session_is_played_as_it_was(script, snapshot):
    snapshot.snapshot_dir = FOLDER
    snapshot.assert_match(played(script)[1], f"{script.stem}.txt")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_session_says_what_it_is_for(script):
    assert re.match(r"# purpose: \w.{20,}\n# seed: \d+\n", script.read_text(encoding="utf-8"))


def test_every_ending_of_the_starter_and_a_death_is_shown():
    shown = "".join(played(script)[1] for script in SCRIPTS)
    campaign = load_campaign("starter")
    titles = {
        title for _, title in re.findall(r"Ending\(id='[\w-]+', title=(['\"])(.+?)\1, kind=", repr(campaign.chapters))
    }
    assert len(titles) >= 4
    assert titles == set(re.findall(r"^The end: (.+)$", shown, re.MULTILINE))
    assert "You die." in shown
