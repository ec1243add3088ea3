"""Small encounters over all traits, foods, actions and terrain, for tests that compare two ways of solving them."""

from random import Random

from story.cards import (
    ALL,
    IMMUNITIES,
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
from story.playfield.lines import ADJACENT, distance
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
    ActionCard("lunge", "Lunge", "attack", 1, 1, range="line", crits=False, effects=(("poison", 1),), word="lunge"),
    ActionCard("cleave", "Cleave", "attack", 2, 2, range="surrounding", effects=(("stun", 1),), word="cleave"),
    ActionCard("piercing", "Piercing", "augment", 1, effects=(("no-block", 1), ("push", 1)), word="piercing"),
    ActionCard("salvo", "Salvo", "augment", 1, 1, 2, effects=(("drain", 1),), word="salvo"),
    ActionCard("arc", "Arc", "skill", 0, effects=(("lob", 1),), word="arc"),
    ActionCard("duck", "Duck", "skill", 1, effects=(("dodge", 1),), word="duck"),
    ActionCard("scare", "Scare", "skill", 1, effects=(("fear", 1),), word="scare"),
)
ACTIONS = {**STANDARD_ACTIONS, **{card.id: card for card in OWN_ACTIONS}}
LEARNABLE = [id for id in ACTIONS if id != "dart-shot"]


def goods(random, worth):
    """Something gained."""
    names = ["ap", "ap", "breadfruit", "uku", "abehjerne", "critical", "mental", "ap_reset"]
    learnt = (random.choice(LEARNABLE),) if random.random() < 0.06 else ()
    return Goods(((random.choice(names), random.randint(1, worth)),), actions=learnt)


def losses(random):
    """Something lost."""
    if random.random() < 0.1:
        return Goods(actions=(random.choice(LEARNABLE),))
    names = ("ap", "ap", "uku", "breadfruit", "abehjerne", "critical", "ap_reset")
    return Goods(((random.choice(names), random.choice((1, 2, ALL))),))


def step(random):
    """Something that a card does."""
    return random.choice(
        (
            lambda: Gain(goods(random, 2)),
            lambda: Lose(losses(random)),
            lambda: Wound(random.randint(1, 2)),
            lambda: Heal(random.choice((1, 1, 2, ALL))),
        )
    )()


def steps(random):
    return tuple(step(random) for _ in range(random.choice((1, 1, 2))))


ROUNDS = {
    "defeated": (None, None, (1,), (2,), (1, 3), (LAST,)),
    "round_start": (None, (2,), (3,)),
    "round_end": (None, None, (1,), (2,)),
}
"""The rounds that a deck may limit an event to."""


def instance(random, events):
    event = random.choice(events)
    instead = Goods(goods(random, 2).amounts) if event == "defeated" and random.random() < 0.4 else None
    effects = () if instead and random.random() < 0.5 else steps(random)
    if len({type(effect) for effect in effects}) < len(effects):  # a deck has one of each kind
        effects = effects[:1]
    when = When(event, random.choice(ROUNDS.get(event, (None,))))
    return Instance(when, effects, instead, random.random() < 0.4)


def challenge(random):
    outcomes = [steps(random) if random.random() < 0.7 else None for _ in range(3)]
    if outcomes == [None] * 3:
        outcomes[random.randrange(3)] = steps(random)
    return Challenge(random.choice(("physical", "mental", "critical")), random.randint(2, 19), *outcomes)


def enemy(random, id, traits=()):
    """An enemy card with up to three traits besides those given."""
    kinds = ("adjacent", "surrounding", "long", "lob", "full", "collision")
    attack = Attack(random.choice(kinds), random.randint(1, 2)) if random.random() < 0.95 else None
    plain = [name for name in PLAIN_TRAITS if name not in traits]
    more = random.sample(plain, random.choice((0, 0, 1, 1, 2, 3)))
    events = ("defeated", "retreats", "wounded", "round_start", "round_end")
    return EnemyCard(
        id,
        id.capitalize(),
        random.randint(1, 3),
        attack,
        random.randint(0, 2),
        random.randint(16, 21),
        random.randint(1, 7),
        tuple(Trait(name, "gang" if name == "recruit" else None) for name in (*more, *traits)),
        frozenset(random.sample(IMMUNITIES, random.choice((0, 0, 0, 1)))),
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


def actions(random, *, shooting):
    """The actions learnt; those that change a shot more often where there are AP for one."""
    known = set(random.sample(LEARNABLE, random.choice((0, 0, 1, 2) if shooting else (0, 1, 2, 3))))
    if shooting:
        known.add(random.choice(("split", "split", "salvo", "poison", "stun", "piercing", "lob", "arc", "volley")))
    return tuple(sorted(known))


def encounter(seed, *, foods=True, rolls=True):
    """An encounter file; the same seed gives the same file.

    Most are small all over. Some give her the AP for two shots and keep everything else short, some bring pieces by
    the placement die, a draw or Recruit (never without ``rolls``).
    """
    random = Random(seed)
    manner = random.choice(("small", "small", "shooting", "shooting", "arriving" if rolls else "small"))
    shooting, arriving = manner == "shooting", manner == "arriving"
    rounds = 1 if shooting else random.choice((1, 1, 2, 2, 3))
    count = 2 if shooting else random.choice((1, 1, 2)) if rounds == 1 else 1
    calling = arriving and random.random() < 0.5
    if calling:
        rounds, count = 2, 1
    cards = {id: enemy(random, id) for id in ("ant", "bee", "cat")[: count + 1]}
    if calling or random.random() < 0.04:
        cards["ant"] = enemy(random, "ant", ("recruit",))
    hero_space, *free = close_together(random) if shooting else random.sample(range(1, 16), 6)
    grounds = {id: terrain(random, id) for id in ("rock", "bog")[: random.choice((0, 0, 1, 2))]}
    ids = ["ant"] if calling else [random.choice(list(cards)[:count]) for _ in range(count)]
    enemies = [Placement(id, space=free.pop()) for id in ids]
    rolled = arriving and not calling
    if rolled:
        enemies[-1] = random.choice((Placement(ids[-1]), Placement(draw=1, source="gang")))
        rounds = 1
    ground_places = tuple(Placement(id, space=free.pop()) for id in grounds)
    blocked = set(free[1:2])
    if shooting:  # she can hardly walk
        blocked |= {space for space in ADJACENT[hero_space] if random.random() < 0.8}
        blocked -= {piece.space for piece in (*enemies, *ground_places)}
    limit = random.choice((3, 5, 9))
    few = (0, 0, 0, 0, 0, 1) if shooting else (0, 0, 0, 1)
    if shooting:
        ap = random.randint(4, 7)
    elif arriving:
        ap = random.randint(0, 3)
    else:
        ap = random.randint(0, (5 if count == 1 else 4, 4, 2)[rounds - 1])
    hero = HeroCard(
        crit=random.choice((20, 20, 18)),
        miss=random.choice((5, 5, 3)),
        wounds=random.randint(0, limit - 1),
        wound_limit=limit,
        ap=ap,
        ap_reset=random.randint(0, 1 if arriving or rounds == 3 else 3),
        talents=tuple(random.choice((0, 0, 0, 1, 3)) for _ in range(3)),
        satchel=tuple(random.choice(few) for _ in STANDARD_FOODS) if foods else (0, 0, 0),
        actions=actions(random, shooting=shooting),
    )
    position = None
    if not rolled and random.random() < (0.8 if calling else 0.3):
        position = mid_turn(random, rounds, ids, cards, grounds, calling)
    return EncounterFile(
        f"generated {seed}",
        Encounter(
            rounds,
            (hero_space,) if position or shooting or random.random() < 0.95 else (hero_space, free[0]),
            tuple(enemies),
            ground_places,
            frozenset(blocked - {hero_space}),
            frozenset(free[2:3]),
            random.random() < 0.2,
        ),
        hero,
        Library(foods=STANDARD_FOODS, enemies=cards, terrain=grounds, actions=ACTIONS, decks={"gang": tuple(cards)}),
        position,
    )


def close_together(random):
    """Her space and five others, the last for enemies: mostly in her sight, at times one behind the other."""
    hero = random.randint(1, 15)
    near = [space for space in range(1, 16) if space != hero]
    near.sort(key=lambda space: distance(hero, space) + random.random() * 2, reverse=True)
    steps = [step for step in (-1, 1) if 0 <= (hero - 1) % 5 + 2 * step <= 4]
    if random.random() < 0.4:
        step = random.choice(steps)
        behind = [hero + 2 * step, hero + step]
        near = [space for space in near if space not in behind] + behind
    return [hero, *near[-5:]]


def mid_turn(random, rounds, ids, cards, grounds, calling):
    """A position in the middle of her turn."""
    names, seen = [], {}
    for id in ids:
        seen[id] = seen.get(id, 0) + 1
        names.append(id if seen[id] == 1 else f"{id}-{seen[id]}")
    challenging = [id for id, card in {**grounds, **{id: cards[id] for id in ids}}.items() if card.challenge]
    yes = lambda p=0.3: random.random() < p  # noqa: E731
    marks = {
        name: FoeMarks(
            0, yes(), yes(), random.choice((0, 0, 1)), int(yes()), random.choice((0, 1, 2)), yes(), calling or yes(0.1)
        )
        for name in names
    }
    return Position(
        1 if calling else random.randint(1, rounds),
        random.choice((0, 0, 1, 2)),
        yes(),
        yes(),
        tuple(challenging) if yes() else (),
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
