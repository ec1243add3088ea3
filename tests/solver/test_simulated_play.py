"""Following the advice over many games costs on average what the solver promised; straying from it costs more.

This asks nothing of the arithmetic: dice are rolled, games are played to their end, wounds are counted.
"""

from bisect import bisect
from itertools import accumulate
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from solver.advice import Advisor
from story.cards import Challenge, Gain, Wound
from story.prompts import Over, Roll
from tests.build import at, encounter, enemy, goods, hero, terrain

GAMES = 20_000
STRAYING = 0.04
"""The share of decisions at which a worse action is taken, where there is one."""


def food():
    """Three foods, two attackers, more wounds than one likes."""
    card = hero(wounds=6, ap=3, ap_reset=2, satchel={"breadfruit": 2, "uku": 1, "abehjerne": 1}, actions=["dodge"])
    witch = enemy("witch", attack="full", hits=2, moves=1, rewards=goods(breadfruit=1))
    return encounter(at(witch, 13), at(enemy("imp", attack="long", wounds=1), 8), rounds=2, hero_card=card)


def poison():
    """She poisons, and is poisoned."""
    card = hero(ap=6, ap_reset=5, wounds=1, actions=["dodge", "poison"])
    viper = enemy("viper", attack="surrounding", moves=2, traits=["poison"], wounds=3, rewards=goods(ap=2))
    return encounter(
        at(viper, 14), at(enemy("toad", attack="lob", traits=["poison"], moves=1), 11), hero_card=card, rounds=2
    )


def placement():
    """The die says where an enemy comes from; she has said where she stands."""
    crab, gull = (
        enemy("crab", attack="long", moves=1),
        enemy("gull", attack="adjacent", hits=2, moves=2, traits=["fly"]),
    )
    card = hero(ap=3, ap_reset=4, actions=["lob"])
    return encounter(at(crab), at(gull, 9), hero_at=(1, 3), hero_card=card, rounds=2)


def recruits():
    """Who is hit and still stands calls for help."""
    caller = enemy("caller", attack="full", wounds=2, traits=["recruit"], recruits_from="gang", rewards=goods(ap=2))
    gang = [enemy("thug", attack="long", moves=1), enemy("oaf", attack="adjacent", hits=2, moves=1, wounds=1)]
    card = hero(ap=5, ap_reset=4, wounds=2)
    return encounter(at(caller, 13), hero_card=card, rounds=2, no_start=(2, 4), decks={"gang": gang})


def challenge():
    """An idol that pays or bites, and a bog on the way to it."""
    idol = Challenge("mental", 12, (Gain(goods(ap=3)),), (Wound(1),), (Gain(goods(ap=1, critical=1)),))
    ground = [at(terrain("idol", "impassable", "no-los", challenge=idol), 8), at(terrain("bog", traits=["drain"]), 2)]
    ogre = enemy("ogre", attack="full", hits=2, wounds=2, moves=1)
    card = hero(ap=4, ap_reset=3, wounds=1, talents={"mental": 1}, actions=["stun"])
    return encounter(at(ogre, 15), hero_at=1, ground=ground, hero_card=card, rounds=2)


class Place:
    """A state met in play: where each face of its die leads, or where the best and a worse answer do."""

    __slots__ = ("after", "best", "cost", "looked_at", "shares", "state", "worse")

    def __init__(self, state):
        self.state = state
        self.looked_at = False
        self.cost = self.shares = self.after = self.best = self.worse = None


class Games:
    """An encounter played over and over; what is advised in a state is asked once."""

    def __init__(self, table):
        self.table = table
        self.adviser = Advisor(table.library)
        self.prices = [food.price for food in table.library.foods]
        self.places = {}
        self.start = self._place(table.start())
        self.promised = self.adviser.advise(self.start.state).value

    def _place(self, state):
        return self.places.setdefault(state, Place(state))

    def _after(self, state, answer):
        return self._place(self.table.answer(state, answer))

    def _look_at(self, place):
        place.looked_at = True
        state, prompt = place.state, self.table.prompt(place.state)
        if isinstance(prompt, Over):
            gone = [had - has for had, has in zip(self.start.state.hero.satchel, state.hero.satchel, strict=True)]
            place.cost = state.hero.wounds + sum(n * price for n, price in zip(gone, self.prices, strict=True))
        elif isinstance(prompt, Roll):
            place.shares = list(accumulate(face.weight for face in prompt.faces))
            place.after = [self._after(state, face.answer) for face in prompt.faces]
        else:
            actions = self.adviser.advise(state).actions
            place.best = self._after(state, actions[0].answer)
            worse = [action.answer for action in actions if action.value > actions[0].value + 1e-6]
            place.worse = self._after(state, worse[0]) if worse else place.best

    def play(self, seed, straying=0.0):
        """What each of many games cost."""
        random = Random(seed).random
        costs = []
        for _ in range(GAMES):
            place = self.start
            while True:
                if not place.looked_at:
                    self._look_at(place)
                if place.shares:
                    place = place.after[bisect(place.shares, random() * place.shares[-1])]
                elif place.best:
                    place = place.worse if straying and random() < straying else place.best
                else:
                    break
            costs.append(place.cost)
        return costs


@pytest.mark.parametrize("laid_out", [food, poison, placement, recruits, challenge])
def test_games_cost_what_was_promised_and_straying_costs_more(laid_out):
    games = Games(laid_out())
    costs = games.play(1)
    error = stdev(costs) / sqrt(GAMES)
    assert error > 0
    assert abs(fmean(costs) - games.promised) <= 3 * error
    strayed = games.play(2, STRAYING)
    assert fmean(strayed) - games.promised > 3 * stdev(strayed) / sqrt(GAMES)
