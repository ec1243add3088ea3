"""An encounter file as a table of its own."""

from __future__ import annotations

from story.cards import EncounterFile
from story.hero import starting_hero
from story.playfield.setup import begin_file
from story.prompts import Tell
from story.state import Play, State
from story.table import StateTable


class FieldTable(StateTable):
    """An encounter in progress, wherever it came from; its library tells what the cards are."""


class EncounterTable(FieldTable):
    """One encounter file, from its set-up or a position in mid-game, to its end."""

    def __init__(self, file: EncounterFile) -> None:
        super().__init__(file.library)
        self.file = file

    def start(self, tell: Tell | None = None) -> State:
        """The first question of the encounter."""
        play = Play(State(starting_hero(self.file.hero, self.library)), self.library, tell)
        begin_file(play, self.file)
        play.settle()
        return play.state()
