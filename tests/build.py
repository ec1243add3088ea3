"""Small campaigns and positions made in Python, and the few words that drive them through a test."""

from story.campaign import CampaignTable
from story.cards import (
    STANDARD_ACTIONS,
    STANDARD_FOODS,
    TALENTS,
    Attack,
    Campaign,
    Chapter,
    Choice,
    Choose,
    Encounter,
    EncounterFile,
    EnemyCard,
    Goods,
    HeroCard,
    KeptCard,
    Library,
    Placement,
    Position,
    StoryCard,
    TerrainCard,
    Trait,
)
from story.playfield.table import EncounterTable
from story.prompts import Decide, Over, Roll, answers

FOODS = [food.id for food in STANDARD_FOODS]


def hero(*, talents=None, satchel=None, actions=(), **numbers):
    """A hero card; talents and foods by name."""
    return HeroCard(
        talents=tuple((talents or {}).get(name, 0) for name in TALENTS),
        satchel=tuple((satchel or {}).get(name, 0) for name in FOODS),
        actions=tuple(actions),
        **numbers,
    )


def goods(**amounts):
    """Amounts, and ids under ``events``, ``items`` and ``actions``."""
    ids = {key: tuple(amounts.pop(key, ())) for key in ("events", "items", "actions")}
    return Goods(tuple(amounts.items()), **ids)


# ---------------------------------------------------------------- stories


def card(*steps, title="A card", text="Something happens."):
    """What a story card says and does."""
    return title, text, steps


def ways(*choices):
    """A question; each choice is what follows, or a Choice."""
    return Choose(tuple(c if isinstance(c, Choice) else Choice(f"Way {i}", c) for i, c in enumerate(choices, 1)))


def campaign(cards, *more_chapters, hero=None, specials=None, decks=None, **library):
    """A campaign table; chapters are mappings of card number to ``card(…)``."""
    chapters = tuple(
        Chapter(
            number,
            f"Chapter {number}",
            min(deck),
            {n: StoryCard(n, title, text, steps) for n, (title, text, steps) in deck.items()},
        )
        for number, deck in enumerate((cards, *more_chapters), 1)
    )
    kept = {id: KeptCard(id, id.capitalize()) for id in ("rope", "lamp", "oath", "debt")}
    shelf = Library(
        foods=STANDARD_FOODS,
        actions=STANDARD_ACTIONS,
        events=kept,
        items=kept,
        specials={ref: StoryCard(ref, *parts) for ref, parts in (specials or {}).items()},
        decks=decks or {},
        **library,
    )
    hero = hero or HeroCard(satchel=(0, 0, 0))
    return CampaignTable(Campaign("test", "A test", "", "en", hero, chapters, shelf))


# ---------------------------------------------------------------- encounters


def enemy(id="crab", *, wounds=2, attack="adjacent", hits=1, traits=(), recruits_from=None, **parts):
    """An enemy card: crit 20, miss 5, no movement unless told."""
    made = tuple(Trait(trait, recruits_from if trait == "recruit" else None) for trait in traits)
    weapon = Attack(attack, hits) if attack else None
    parts.setdefault("name", id.capitalize())
    return EnemyCard(id, wounds=wounds, attack=weapon, traits=made, **parts)


def terrain(id="rock", *classes, traits=(), **parts):
    """A terrain card."""
    return TerrainCard(id, id.capitalize(), frozenset(classes), traits=tuple(Trait(trait) for trait in traits), **parts)


def at(card_, space=None):
    """A card placed on a space, by the die without one."""
    return card_, space


def encounter(
    *enemies,
    rounds=1,
    hero_at=3,
    hero_card=None,
    ground=(),
    blocked=(),
    no_start=(),
    decks=None,
    position=None,
    **parts,
):
    """The table of an encounter file: ``at(enemy(), 8)`` pieces and ``Placement`` draws."""
    pieces = [Placement(e[0].id, space=e[1]) if isinstance(e, tuple) else e for e in enemies]
    cards = {e[0].id: e[0] for e in enemies if isinstance(e, tuple)}
    cards |= {card.id: card for deck in (decks or {}).values() for card in deck}
    grounds = {g[0].id: g[0] for g in ground}
    file = EncounterFile(
        "A test",
        Encounter(
            rounds,
            (hero_at,) if isinstance(hero_at, int) else tuple(hero_at),
            tuple(pieces),
            tuple(Placement(g[0].id, space=g[1]) for g in ground),
            frozenset(blocked),
            frozenset(no_start),
            **parts,
        ),
        hero_card or hero(),
        Library(
            foods=STANDARD_FOODS,
            enemies=cards,
            terrain=grounds,
            actions=STANDARD_ACTIONS,
            decks={name: tuple(card.id for card in deck) for name, deck in (decks or {}).items()},
        ),
        position,
    )
    return EncounterTable(file)


def mid_game(**parts):
    """A position in the middle of her turn."""
    return Position(**parts)


# ---------------------------------------------------------------- driving


class Game:
    """A table being played by a test: what it asks, what it told, where it stands."""

    def __init__(self, table):
        self.table = table
        self.told = []
        self.state = table.start(self.told.append)

    def __call__(self, *given):
        """Give answers, one after the other; a bare number is a D20's face.

        A window that the next answer does not fit is kept, and a ``keep`` where no window has opened is passed over.
        """
        for answer in given:
            text = f"d20 {answer}" if isinstance(answer, int) else answer
            if self.topic == "window" and text not in self.offered:
                self.state = self.table.answer(self.state, "keep", self.told.append)
            if text == "keep" and text not in self.offered:
                continue
            self.state = self.table.answer(self.state, text, self.told.append)
        return self

    @property
    def prompt(self):
        return self.table.prompt(self.state)

    @property
    def offered(self):
        return list(answers(self.prompt))

    @property
    def topic(self):
        """``card turn window dodge bite stand``, or the die, or how it ended."""
        prompt = self.prompt
        match prompt:
            case Decide():
                return prompt.topic
            case Roll():
                return prompt.die
            case Over():
                return prompt.kind

    @property
    def hero(self):
        return self.state.hero

    @property
    def field(self):
        return self.state.field

    @property
    def card(self):
        """The number of the card being read."""
        return self.table.card(self.state).ref

    def foe(self, name="crab"):
        return self.field.foe(name)

    def food(self, name):
        return self.hero.satchel[FOODS.index(name)]

    def heard(self, words):
        """Whether a sentence with these words was told."""
        return any(words in told.text for told in self.told)

    def rules(self):
        """The rule ids told so far."""
        return " ".join(told.rule for told in self.told)


def play(table, *given):
    """A game of a table after some answers."""
    return Game(table)(*given)
