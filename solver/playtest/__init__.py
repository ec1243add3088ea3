"""Thousands of seeded games and what they say of a deck.

``play_game`` plays one, ``Tally`` adds them up, ``play_all`` spreads them over processes or a cluster, ``summary``
makes the document that is printed, written as JSON or drawn.
"""

from solver.playtest.crew import CrewError, Job, play_all
from solver.playtest.game import Game, Route, play_game, route
from solver.playtest.summary import summary
from solver.playtest.tally import Tally, add_game

__all__ = ["CrewError", "Game", "Job", "Route", "Tally", "add_game", "play_all", "play_game", "route", "summary"]
