"""Random encounters and stories over everything that decks can describe, for tests of what holds in every game."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from story.cards import (
    STANDARD_FOODS,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    Campaign,
    Chapter,
    Chart,
    ChartRow,
    Choice,
    Choose,
    Count,
    Discard,
    Discarded,
    DrawCard,
    Encounter,
    EncounterFile,
    Ending,
    Fight,
    Gain,
    Goods,
    HeroCard,
    Holds,
    If,
    KeptCard,
    Library,
    Lose,
    NextChapter,
    Not,
    Placement,
    Pull,
    Reveal,
    StoryCard,
    Trait,
)
from story.dice import SIDES
from tests.solver import generate as small

FEATURES = frozenset(
    (
        *("actions", "cleared", "die", "discs", "draws", "foods", "instances"),
        *("no-start", "position", "recruit", "stand", "talents", "terrain", "traits"),
    )
)
"""What an encounter may have; each can be left out."""

KEPT = ("rope", "lamp", "oath")


def seldom(rng, p=0.3):
    """True with that probability."""
    return rng.random() < p


def foods(rng):
    """A satchel with a few things in it."""
    return tuple(rng.choice((0, 0, 1, 2)) for _ in STANDARD_FOODS)


def hero(rng, features=FEATURES):
    """A hero in any condition in which the game goes on."""
    limit = rng.choice((3, 6, 9))
    able = sorted(rng.sample(sorted(set(small.ACTIONS) - {"dart-shot"}), rng.randint(0, 6)))
    return HeroCard(
        crit=rng.choice((20, 18)),
        miss=rng.choice((5, 3)),
        wounds=rng.randint(0, limit - 1),
        wound_limit=limit,
        ap=rng.randint(0, 9),
        ap_reset=rng.randint(0, 8),
        talents=tuple(rng.randint(0, 5) for _ in range(3)) if "talents" in features else (0, 0, 0),
        satchel=foods(rng) if "foods" in features else (0, 0, 0),
        actions=tuple(able) if "actions" in features else (),
    )


def cast(rng, features=FEATURES):
    """(enemies, terrain, decks): three kinds of enemies, two of terrain, and a deck of either to draw from."""

    def plain(card):
        card = card if "traits" in features else replace(card, traits=())
        return card if "instances" in features else replace(card, instances=())

    enemies = {id: plain(small.enemy(rng, id)) for id in ("ant", "bee", "cat")}
    if "recruit" in features and seldom(rng):
        caller = enemies["ant"]
        traits = tuple(trait for trait in caller.traits if trait.id != "recruit")
        enemies["ant"] = replace(caller, traits=(*traits, Trait("recruit", "gang")))
    elif "recruit" not in features:
        enemies = {
            id: replace(card, traits=tuple(trait for trait in card.traits if trait.id != "recruit"))
            for id, card in enemies.items()
        }
    grounds = {id: plain(small.terrain(rng, id)) for id in ("rock", "bog")}
    decks = {"gang": ("ant", "bee", "bee", "cat")[: rng.randint(1, 4)], "wild": ("bog", "rock", "rock")}
    return enemies, grounds, decks


def layout(rng, rounds, count, features=FEATURES):
    """An encounter of ``count`` enemies over the cards of ``cast``; no fixed piece stands on another."""
    spaces = rng.sample(range(1, 16), 15)
    stands = tuple(spaces.pop() for _ in range(rng.randint(2, 3) if "stand" in features and seldom(rng, 0.15) else 1))

    def piece(ids, deck, most):
        if "draws" in features and seldom(rng, 0.15) and most:
            return Placement(draw=rng.randint(1, most), source=deck)
        return Placement(rng.choice(ids), space=None if "die" in features and seldom(rng, 0.2) else spaces.pop())

    enemies = [piece(("ant", "bee", "cat"), "gang", 0) for _ in range(count - 1)]
    enemies.append(piece(("ant", "bee", "cat"), "gang", 1))
    pieces = rng.choice((0, 1, 1, 2)) if "terrain" in features else 0
    terrain = [piece(("rock", "bog"), "wild", 1) for _ in range(pieces)]
    blocked = [spaces.pop() for _ in range(rng.choice((0, 0, 1, 3)) if "discs" in features else 0)]
    barred = rng.sample(range(1, 16), rng.choice((0, 0, 2, 9))) if "no-start" in features else []
    return Encounter(
        rounds,
        stands,
        tuple(enemies),
        tuple(terrain),
        frozenset(blocked),
        frozenset(barred),
        "cleared" in features and seldom(rng),
    )


def random_encounter(rng, *, rounds=None, enemies=None, features=FEATURES):
    """An encounter file; without ``rounds`` 1 to 3, without ``enemies`` 1 to 4 of them, and only these ``features``."""
    cards, grounds, decks = cast(rng, features)
    encounter = layout(rng, rounds or rng.randint(1, 3), enemies or rng.randint(1, 4), features)
    placed = (*encounter.enemies, *encounter.terrain)
    fixed = len(encounter.hero_spaces) == 1 and all(piece.space for piece in placed)
    position = None
    if fixed and "position" in features and seldom(rng, 0.4):
        ids = [piece.card for piece in encounter.enemies]
        there = {piece.card: grounds[piece.card] for piece in encounter.terrain}
        position = small.mid_turn(rng, encounter.rounds, ids, cards, there, calling=False)
        # A position is asked about in her turn, where nobody has as many wounds as the card bears.
        wounded = tuple(
            (name, replace(marks, wounds=rng.randrange(cards[name.split("-")[0]].wounds)))
            for name, marks in position.foes
        )
        position = replace(position, foes=wounded)
    library = Library(
        foods=STANDARD_FOODS, enemies=cards, terrain=grounds, actions=small.ACTIONS, decks=decks, counters={}
    )
    return EncounterFile("generated", encounter, hero(rng, features), library, position)


def condition(rng):
    """What a choice or a card asks for."""
    clause = rng.choice(
        (
            Holds(rng.choice(("event", "item")), rng.choice(KEPT)),
            AtLeast(rng.choice(("ap", "wounds", "critical", "uku", "tide")), rng.randint(0, 4)),
            AtMost(rng.choice(("ap", "wounds", "mental", "tide")), rng.randint(0, 4)),
            Discarded(rng.randint(101, 103)),
        )
    )
    inner = AllOf((clause,))
    return rng.choice((inner, inner, AllOf((Not(inner),)), AllOf((AnyOf((inner, AllOf((AtLeast("ap", 6),)))),))))


def happening(rng, depth=2, rounds=2):
    """A step of a card that stays on the card."""
    kept = Goods((), (rng.choice(KEPT),), (rng.choice(KEPT),), (rng.choice(("dodge", "stun", "fear")),))
    made = [
        lambda: small.step(rng),
        lambda: small.step(rng),
        lambda: Gain(kept),
        lambda: Lose(kept),
        lambda: Count("tide", rng.randint(-2, 3)),
        lambda: Discard(rng.choice((None, 101, 102, 103))),
        lambda: Pull(tuple(rng.sample(range(101, 104), rng.randint(1, 2)))),
        lambda: DrawCard("heads"),
    ]
    if depth:
        made += [
            lambda: small.challenge(rng),
            lambda: chart(rng, depth - 1),
            lambda: If(condition(rng), happenings(rng, depth - 1), happenings(rng, depth - 1)),
            lambda: Fight(layout(rng, rng.randint(1, rounds), rng.randint(1, 2))),
        ]
    return rng.choice(made)()


def happenings(rng, depth=2):
    return tuple(happening(rng, depth) for _ in range(rng.choice((0, 1, 1, 2))))


def chart(rng, depth):
    """A roll chart of two or three rows."""
    die = rng.choice(sorted(SIDES))
    cuts = sorted(rng.sample(range(2, SIDES[die] + 1), rng.randint(1, 2)))
    rows = zip([1, *cuts], [*(cut - 1 for cut in cuts), SIDES[die]], strict=True)
    return Chart(die, tuple(ChartRow(low, high, happenings(rng, depth)) for low, high in rows), seldom(rng, 0.8))


def way_on(rng, number, last):
    """The last steps of card ``number``: a later card, by a choice or at once, and from the ``last`` one card 99."""
    if number == last:
        return (Reveal(99),)
    onward = Reveal(rng.randint(number + 1, last))
    if seldom(rng, 0.4):
        return (onward,)
    other = Choice(
        "Perhaps",
        (*happenings(rng, 1), *((Reveal(rng.randint(number + 1, last)),) if seldom(rng, 0.5) else ())),
        condition(rng) if seldom(rng, 0.5) else AllOf(),
        Goods((("ap", rng.randint(1, 3)),)) if seldom(rng, 0.5) else Goods(),
        seldom(rng),
        seldom(rng),
    )
    gone = Choice("Back to what was", (Reveal(101),))
    return (Choose(tuple(rng.sample((other, Choice("On", (onward,)), gone), 3))), onward)


def random_campaign(rng):
    """A campaign of one or two chapters whose cards lead onwards to card 99, which ends them; 101 to 103 are pulled."""
    enemies, grounds, decks = cast(rng)
    chapters = rng.randint(1, 2)
    made = []
    for chapter in range(1, chapters + 1):
        last = rng.randint(2, 5)
        end = Ending("end", "The end", rng.choice(("victory", "neutral"))) if chapter == chapters else NextChapter()
        cards = {n: (*happenings(rng), *way_on(rng, n, last)) for n in range(1, last + 1)}
        cards |= {
            99: (end,),
            101: (small.step(rng), Reveal(99)),
            102: (Pull((103,)),),
            103: tuple(small.step(rng) for _ in range(2)),
        }
        story = {n: StoryCard(n, f"Card {n}", "", steps) for n, steps in cards.items()}
        made.append(Chapter(chapter, f"Chapter {chapter}", 1, story))
    kept = {id: KeptCard(id, id.capitalize()) for id in KEPT}
    heads = {f"heads:{id}": StoryCard(f"heads:{id}", id, "", (small.step(rng),)) for id in ("ann", "bob")}
    library = Library(
        foods=STANDARD_FOODS,
        enemies=enemies,
        terrain=grounds,
        actions=small.ACTIONS,
        events=kept,
        items=kept,
        specials=heads,
        decks={**decks, "heads": ("ann", "bob")},
        counters={"tide": "Tide"},
    )
    return Campaign("generated", "Generated", "", "en", hero(rng), tuple(made), library)


def encounters(**wanted):
    """Strategy: encounter files as of ``random_encounter``."""
    return st.integers(0, 10**6).map(lambda seed: random_encounter(Random(seed), **wanted))


def campaigns():
    """Strategy: campaigns as of ``random_campaign``."""
    return st.integers(0, 10**6).map(lambda seed: random_campaign(Random(seed)))
