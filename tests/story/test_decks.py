"""Finding the deck that a person names."""

from pathlib import Path

import pytest

from story.decks import built_in, resolve
from story.problems import DeckError

ENCOUNTER = "format: cardwalk/1\nkind: encounter\nrounds: 1\nhero: {space: 3}\n"


def test_the_starter_is_built_in_and_the_template_is_no_game():
    assert "starter" in built_in()
    assert "template" not in built_in()


def test_a_folder_a_file_and_a_name(tmp_path):
    (tmp_path / "campaign.yaml").write_text("x")
    (tmp_path / "one.yaml").write_text(ENCOUNTER)
    assert resolve(tmp_path) == tmp_path / "campaign.yaml"
    assert resolve(str(tmp_path / "campaign.yaml")) == tmp_path / "campaign.yaml"
    assert resolve(tmp_path / "one.yaml") == tmp_path / "one.yaml"
    assert resolve("starter").parent.name == "starter"


def test_a_folder_of_that_name_goes_before_a_built_in_deck(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "starter").mkdir()
    assert resolve("starter").is_absolute()
    (tmp_path / "starter" / "campaign.yaml").write_text("x")
    assert resolve("starter") == Path("starter", "campaign.yaml")


def test_a_folder_that_may_not_be_looked_into_is_not_said_to_be_missing(tmp_path, monkeypatch):
    def closed(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", closed)
    with pytest.raises(DeckError, match="the folder cannot be looked into: Permission denied"):
        resolve(tmp_path)


def test_a_name_that_is_none_of_them_gets_the_nearest_one(tmp_path):
    with pytest.raises(DeckError, match=r"did you mean starter\?"):
        resolve("startre")
    with pytest.raises(DeckError, match=r"built-in decks: .*starter"):
        resolve("xyz")
    with pytest.raises(DeckError, match=r"holds no campaign\.yaml"):
        resolve(tmp_path)
