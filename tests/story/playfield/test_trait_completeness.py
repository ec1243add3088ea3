"""Every trait has its rule text, a test that names its rule, an example deck, and words for the player."""

from pathlib import Path

import pytest

from runner.words import TRAITS as WORDS
from solver.advice import Advisor
from story import rulebook
from story.load import load_encounter
from story.playfield.table import EncounterTable
from story.playfield.traits import TRAITS
from tests.build import play
from tests.test_rule_coverage import marked

EXAMPLES = Path(__file__).parents[2] / "decks" / "traits"


@pytest.mark.parametrize("trait", sorted(TRAITS))
def test_a_trait_is_whole(trait):
    rule = TRAITS[trait].rule
    assert rule in {entry.id for entry in rulebook.rules()}, "it has no rule text"
    assert rule in marked(), "no test names its rule"
    assert trait in WORDS, "the interface has no words for it"
    file = load_encounter(EXAMPLES / f"{trait}.yaml")
    borne = {t.id for card in file.library.enemies.values() for t in card.traits}
    assert trait in borne, "its example deck does not show it"


@pytest.mark.parametrize("trait", sorted(TRAITS))
def test_its_example_plays_to_the_end_and_has_a_best_move(trait):
    table = EncounterTable(load_encounter(EXAMPLES / f"{trait}.yaml"))
    game = play(table)
    assert game.offered[-1] == "end"
    first = Advisor(table.library).advise(table.start(), seconds=20)
    assert set(first.best) <= set(game.offered)
    for _ in range(400):
        if game.topic in ("done", "death"):
            break
        game("end" if game.topic == "turn" else game.offered[0])
    assert game.topic in ("done", "death")


def test_every_example_shows_a_trait_that_exists():
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} == set(TRAITS)
