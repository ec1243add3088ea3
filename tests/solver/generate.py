"""Small encounters over all traits, foods, actions and terrain, for tests that compare two ways of solving them."""

from random import Random

from story.cards import (
    ALL,
    LAST,
    STANDARD_ACTIONS,
    STANDARD_FOODS,
    ActionCard,
    Attack,
    Challenge,
    Encounter,
    EncounterFile,
    EnemyCard,
    FoeMarks,
    Gain,
    Goods,
    Heal,
    HeroCard,
    Instance,
    Library,
    Lose,
    Placement,
    Position,
    TerrainCard,
    Trait,
    When,
    Wound,
)
from story.playfield.table import EncounterTable
from story.prompts import Over, answers

PLAIN_TRAITS = (
    *("bird-bomb", "block", "bolster", "cowardly", "dash", "disorientation", "drain"),
    *("electrocute", "fly", "poison", "rage", "squishy", "stun", "unwavered"),
)
GROUND_TRAITS = ["bird-bomb", "disorientation", "drain", "electrocute", "poison", "stun"]
OWN_ACTIONS = (
    ActionCard("gust", "Gust", "attack", 2, 1, range="adjacent", roll=False, effects=(("push", 2),), word="gust"),
    ActionCard("volley", "Volley", "attack", 2, 1, 2, range="full", effects=(("drain", 1),), word="volley"),
    ActionCard("piercing", "Piercing", "augment", 1, effects=(("no-block", 1), ("push", 1)), word="piercing"),
)
ACTIONS = {**STANDARD_ACTIONS, **{card.id: card for card in OWN_ACTIONS}}


def goods(random, worth):
    """Something gained."""
    names = ["ap", "ap", "breadfruit", "uku", "abehjerne", "critical", "mental", "ap_reset"]
    return Goods(((random.choice(names), random.randint(1, worth)),))


def step(random):
    """Something that a card does."""
    return random.choice(
        (
            lambda: Gain(goods(random, 2)),
            lambda: Lose(Goods(((random.choice(("ap", "uku", "breadfruit")), random.choice((1, 2, ALL))),))),
            lambda: Wound(random.randint(1, 2)),
            lambda: Heal(random.randint(1, 2)),
        )
    )()


def steps(random):
    return tuple(step(random) for _ in range(random.choice((1, 1, 2))))


def instance(random, events):
    event = random.choice(events)
    rounds = random.choice((None, None, (1,), (2,), (LAST,)))
    instead = goods(random, 2) if event == "defeated" and random.random() < 0.4 else None
    later = random.random() < 0.4
    return Instance(When(event, rounds), () if instead and random.random() < 0.5 else steps(random), instead, later)


def challenge(random):
    outcomes = [steps(random) if random.random() < 0.7 else None for _ in range(3)]
    return Challenge(random.choice(("physical", "mental", "critical")), random.randint(2, 19), *outcomes)


def enemy(random, id):
    """An enemy card with up to three traits."""
    kinds = ("adjacent", "surrounding", "long", "lob", "full", "collision")
    attack = Attack(random.choice(kinds), random.randint(1, 2)) if random.random() < 0.95 else None
    traits = tuple(Trait(name) for name in random.sample(PLAIN_TRAITS, random.choice((0, 0, 1, 1, 2, 3))))
    if random.random() < 0.08:
        traits += (Trait("recruit", "gang"),)
    events = ("defeated", "retreats", "wounded", "round_start", "round_end")
    return EnemyCard(
        id,
        id.capitalize(),
        random.randint(1, 3),
        attack,
        random.randint(0, 2),
        random.randint(16, 21),
        random.randint(1, 7),
        traits,
        frozenset(random.sample(("stun", "poison", "fear", "drain"), random.choice((0, 0, 0, 1)))),
        goods(random, 3) if random.random() < 0.5 else Goods(),
        tuple(instance(random, events) for _ in range(random.choice((0, 0, 0, 1, 2)))),
        challenge(random) if random.random() < 0.08 else None,
    )


def terrain(random, id):
    """A terrain card."""
    open_ = random.random() < 0.5
    classes = set(random.sample(("no-los", "no-lob"), random.randint(0, 2))) | (set() if open_ else {"impassable"})
    events = ("entered", "adjacent_at_round_end", "round_end") if open_ else ("adjacent_at_round_end", "round_end")
    return TerrainCard(
        id,
        id.capitalize(),
        frozenset(classes),
        challenge(random) if random.random() < 0.4 else None,
        tuple(Trait(name) for name in random.sample(GROUND_TRAITS, random.choice((0, 1, 2)))) if open_ else (),
        tuple(instance(random, events) for _ in range(random.choice((0, 0, 1)))),
    )


def encounter(seed, *, foods=True, rolls=True):
    """An encounter file; the same seed gives the same file."""
    random = Random(seed)
    rounds = random.choice((1, 1, 2))
    count = random.choice((1, 1, 2)) if rounds == 1 else 1
    cards = {id: enemy(random, id) for id in ("ant", "bee", "cat")[: count + 1]}
    spaces = random.sample(range(1, 16), 6)
    hero_space, *free = spaces
    grounds = {id: terrain(random, id) for id in ("rock", "bog")[: random.choice((0, 0, 1, 2))]}
    ids = [random.choice(list(cards)[:count]) for _ in range(count)]
    rolled = rolls and random.random() < 0.08
    enemies = [Placement(id, space=free.pop()) for id in ids]
    if rolled:
        enemies[-1] = random.choice((Placement(ids[-1]), Placement(draw=1, source="gang")))
    ground_places = tuple(Placement(id, space=free.pop()) for id in grounds)
    limit = random.choice((3, 5, 9))
    few = (0, 0, 0, 1)
    hero = HeroCard(
        crit=random.choice((20, 20, 18)),
        miss=random.choice((5, 5, 3)),
        wounds=random.randint(0, limit - 1),
        wound_limit=limit,
        ap=random.randint(0, 5 if rounds == 1 and count == 1 else 4),
        ap_reset=random.randint(0, 3),
        talents=tuple(random.choice((0, 0, 0, 1, 3)) for _ in range(3)),
        satchel=tuple(random.choice(few) for _ in STANDARD_FOODS) if foods else (0, 0, 0),
        actions=tuple(sorted(random.sample([id for id in ACTIONS if id != "dart-shot"], random.choice((0, 1, 2, 3))))),
    )
    position = None
    if not rolled and random.random() < 0.3:
        position = mid_turn(random, rounds, ids, list(grounds))
    return EncounterFile(
        f"generated {seed}",
        Encounter(
            rounds,
            (hero_space,) if position or random.random() < 0.95 else (hero_space, free[0]),
            tuple(enemies),
            ground_places,
            frozenset(free[1:2]),
            frozenset(free[2:3]),
            random.random() < 0.2,
        ),
        hero,
        Library(foods=STANDARD_FOODS, enemies=cards, terrain=grounds, actions=ACTIONS, decks={"gang": tuple(cards)}),
        position,
    )


def mid_turn(random, rounds, ids, grounds):
    """A position in the middle of her turn."""
    names, seen = [], {}
    for id in ids:
        seen[id] = seen.get(id, 0) + 1
        names.append(id if seen[id] == 1 else f"{id}-{seen[id]}")
    yes = lambda p=0.3: random.random() < p  # noqa: E731
    marks = {
        name: FoeMarks(0, yes(), yes(), random.choice((0, 0, 1)), int(yes()), random.choice((0, 1, 2)), yes(), yes(0.1))
        for name in names
    }
    return Position(
        random.randint(1, rounds),
        random.choice((0, 0, 1, 2)),
        yes(),
        yes(),
        tuple(grounds) if yes() else (),
        steps(random) if yes() else (),
        tuple(marks.items()),
    )


def walk(file, seed, length):
    """The state after some random answers from the start of an encounter, whatever it then asks."""
    random, table = Random(seed), EncounterTable(file)
    state = table.start()
    for _ in range(length):
        prompt = table.prompt(state)
        if isinstance(prompt, Over):
            break
        state = table.answer(state, random.choice(answers(prompt)))
    return state
