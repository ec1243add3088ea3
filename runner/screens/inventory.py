"""Everything she carries, with its text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from runner.screens.log import ReaderScreen
from runner.terminal import clean
from runner.view import BLANK, DIM, HEAD, Line, ap_discs, health_dice, prose, spread, talent_points
from runner.widgets.drawn import Drawn
from runner.widgets.header import Header
from runner.widgets.keybar import KeyBar
from runner.words import action_words
from story.cards import TALENTS, KeptCard, Library
from story.hero import Hero


class Belongings(Drawn):
    """All she holds, in words and shapes."""

    hero: Hero
    library: Library

    def lines(self, width: int, height: int) -> Sequence[Line]:
        hero, library = self.hero, self.library
        lines: list[Line] = [
            (("HEALTH          ", HEAD), *health_dice(hero), (f"  {hero.wounds} of {hero.wound_limit} wounds", "")),
            (("ACTION POINTS   ", HEAD), *ap_discs(hero, 20), (f"  {hero.ap}, reset to {hero.ap_reset}", "")),
            BLANK,
            (("TALENTS", HEAD),),
        ]
        for name in TALENTS:
            adds = f"  adds {hero.talent(name)} to {name} rolls"
            lines.append(((f"  {name:10}", f"${name}"), *talent_points(hero, name), (adds, DIM)))
        lines += [BLANK, (("SATCHEL", HEAD),)]
        for i, food in enumerate(library.foods):
            gives = " and ".join([f"heals {food.heals}"] * bool(food.heals) + [f"gives {food.ap} AP"] * bool(food.ap))
            held = f"{hero.satchel[i]} of {food.holds}"
            style = "" if hero.satchel[i] else DIM
            lines.append(((f"  {clean(food.name):16}", style), (f"{held:8}", style), (gives, DIM)))
        kept: list[tuple[str, list[KeptCard]]] = [
            ("ITEMS", [library.items[id] for id in sorted(hero.items) if id in library.items]),
            ("EVENTS", [library.events[id] for id in sorted(hero.events) if id in library.events]),
        ]
        for title, cards in kept:
            lines += [BLANK, ((title, HEAD), ("  none" if not cards else "", DIM))]
            for card in cards:
                lines.append(((f"  {clean(card.name)}", "bold"),))
                lines += [(("    ", ""), *line) for line in prose(card.text, width - 4)]
        lines += [BLANK, (("ACTIONS", HEAD), ("  beyond stepping and healing", DIM))]
        for name, cost, what in action_words(hero, library):
            lines.append(spread(((f"  {name}", "bold"), (f"  {what}", "")), ((cost, "$ap"),), width))
        if library.counters:
            lines += [BLANK, (("COUNTED", HEAD),)]
            for name, n in zip(library.counters.values(), hero.counts, strict=True):
                lines.append(((f"  {clean(name):16}", ""), (str(n), "bold")))
        return lines


class InventoryScreen(ReaderScreen):
    """What she carries."""

    context_name = "inventory"

    def __init__(self, hero: Hero, library: Library) -> None:
        super().__init__()
        self.hero, self.library = hero, library

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with VerticalScroll(id="page", classes="page", can_focus=False):
            belongings = Belongings()
            belongings.hero, belongings.library = self.hero, self.library
            yield belongings
        yield KeyBar()

    def page(self) -> str:
        return "#page"

    def opened(self) -> None:
        self.query_one(Header).show((("What you carry", "bold"),))
