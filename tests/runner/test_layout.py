"""The layout behind the table editor, and the encounter files that it makes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runner.editing import edit_rows, new_enemy, new_terrain, slug
from runner.layout import Layout, LayoutError, empty_layout, layout_of, with_cards
from story.cards import EncounterFile, FoeMarks
from story.dump import encounter_text
from story.load import load_encounter

CASES = sorted((Path(__file__).parent.parent / "cases" / "playfield").glob("*.yaml"))


def written(file: EncounterFile, folder: Path) -> EncounterFile:
    """The file as it comes back from disk, what differs by its place in the file system set aside."""
    path = folder / "table.yaml"
    path.write_text(encounter_text(file), encoding="utf-8")
    return load_encounter(path)


def alike(one: EncounterFile, other: EncounterFile) -> bool:
    return replace(one, file="", digest="") == replace(other, file="", digest="")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_an_encounter_file_is_written_back_as_it_was_read(path: Path, tmp_path: Path) -> None:
    file = load_encounter(path)
    assert alike(written(file, tmp_path), file)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_laying_out_a_file_loses_nothing_that_is_played(path: Path, tmp_path: Path) -> None:
    file = load_encounter(path)
    again = written(layout_of(file).file(), tmp_path)
    assert replace(again.encounter, span=None) == file.encounter
    assert again.hero == file.hero
    assert again.position == file.position or file.position is None
    for id, card in again.library.enemies.items():
        assert file.library.enemies[id] == card


@pytest.fixture
def layout() -> Layout:
    laid, _ = new_enemy(empty_layout(), "Reef Warden")
    laid, _ = new_terrain(laid, "Salt Stack")
    return replace(laid, title="A small position")


def test_pieces_keep_to_their_own_spaces(layout: Layout) -> None:
    laid = layout.with_foe("reef-warden", 8).with_terrain("salt-stack", 9).with_disc(7)
    for space, why in ((8, "character"), (9, "Salt Stack"), (7, "disc"), (3, "character")):
        with pytest.raises(LayoutError, match=why):
            laid.with_foe("reef-warden", space)
    with pytest.raises(LayoutError, match="character"):
        laid.with_terrain("salt-stack", 8)
    with pytest.raises(LayoutError, match="taken"):
        laid.with_disc(9)
    assert laid.with_disc(7).blocked == frozenset()


def test_a_character_may_stand_on_terrain_that_is_not_impassable(layout: Layout) -> None:
    laid = layout.with_terrain("salt-stack", 9)
    row = next(row for row in edit_rows(laid, 9) if row.label == "impassable")
    assert row.change(laid, 1).with_foe("reef-warden", 9).foe_at(9) is not None


def test_moving_takes_the_character_before_the_ground_below_it(layout: Layout) -> None:
    laid = layout.with_foe("reef-warden", 8).moved(8, 13)
    assert laid.foe_at(13) is not None
    assert laid.foe_at(8) is None
    assert laid.moved(3, 1).hero_space == 1
    with pytest.raises(LayoutError, match="Nothing"):
        laid.moved(15, 14)


def test_a_later_round_or_a_mark_makes_a_position_in_mid_game(layout: Layout, tmp_path: Path) -> None:
    laid = layout.with_foe("reef-warden", 8).with_foe("reef-warden", 13)
    assert laid.file().position is None
    marked = replace(laid.with_marks(13, wounds=1, poisoned=True), round=2)
    position = written(marked.file(), tmp_path).position
    assert position is not None
    assert position.round == 2
    assert position.foes == (("reef-warden-2", FoeMarks(wounds=1, poisoned=True)),)


def test_marks_stay_below_the_wound_limit(layout: Layout) -> None:
    laid = layout.with_foe("reef-warden", 8)
    foe = laid.with_marks(8, wounds=99).foe_at(8)
    assert foe is not None
    assert foe.marks.wounds == layout.library.enemies["reef-warden"].wounds - 1


def test_every_row_turns_both_ways_and_gives_a_file_that_loads(layout: Layout, tmp_path: Path) -> None:
    laid = layout.with_foe("reef-warden", 8).with_terrain("salt-stack", 14)
    for space in (3, 8, 14):
        for row in edit_rows(laid, space):
            for step in (1, -1):
                turned = row.change(laid, step)
                assert alike(written(turned.file(), tmp_path), turned.file()), (row.group, row.label)


def test_a_row_turned_up_and_down_is_where_it_was(layout: Layout) -> None:
    laid = layout.with_foe("reef-warden", 8)
    rows = {row.label: row for row in edit_rows(laid, 8)}
    up = rows["moves"].change(laid, 1)
    back = next(row for row in edit_rows(up, 8) if row.label == "moves").change(up, -1)
    assert back == laid


def test_ids_of_new_cards_are_words_with_hyphens_and_never_taken() -> None:
    assert slug("Reef Warden!", ()) == "reef-warden"
    assert slug("Reef Warden", ("reef-warden",)) == "reef-warden-ii"
    assert slug("9 lives", ()) == "card-9-lives"
    assert slug("…", ()) == "card"


def test_a_campaigns_cards_can_be_placed(layout: Layout, tmp_path: Path) -> None:
    from story.load import load_campaign

    campaign = load_campaign(Path(__file__).parents[2] / "story" / "decks" / "starter")
    laid = with_cards(layout, campaign.library)
    card = sorted(campaign.library.enemies)[0]
    again = written(laid.with_foe(card, 13).file(), tmp_path)
    assert again.library.enemies[card] == campaign.library.enemies[card]
    assert set(again.library.enemies) >= {card}
