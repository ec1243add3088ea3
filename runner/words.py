"""Cards of the playfield in words: what a player reads when looking at an enemy or a terrain."""

from __future__ import annotations

from runner.terminal import clean
from story.cards import (
    ALL,
    ALWAYS_ACTIONS,
    LAST,
    Challenge,
    Count,
    EnemyCard,
    Gain,
    Heal,
    Instance,
    Library,
    Lose,
    Steps,
    TerrainCard,
    Trait,
    When,
    Wound,
)
from story.effects import amount_name, goods_in_words
from story.hero import Hero

ATTACKS = {
    "adjacent": "adjacent (the 4 neighbours)",
    "surrounding": "surrounding (the 8 neighbours)",
    "long": "long (a free straight line)",
    "lob": "long + lob (a straight line, over anything)",
    "full": "full (any space)",
    "collision": "collision (runs into you)",
}

TRAITS = {
    "bird-bomb": "beside you it wounds everybody beside it, without a roll",
    "block": "once a round a dart at it or a neighbour may come to nothing",
    "bolster": "one more wound in each later round",
    "cowardly": "leaves in its first upkeep; that is no defeat",
    "dash": "wounded twice in one turn, it moves one farther",
    "disorientation": "wounded by it, you lose 1 AP at the start of the next round",
    "drain": "its wound costs another at the start of the next round",
    "electrocute": "wounded by it, you lose 1 AP at the start of the next round",
    "fly": "moves over everything, lands on a free space",
    "poison": "its wound costs another in upkeep",
    "rage": "each wound that it survives adds one to its next attack",
    "recruit": "wounded and alive, it brings another",
    "squishy": "one more wound from an attacker beside it",
    "stun": "hit by it, you cannot step in your next turn",
    "unwavered": "never moves by itself",
}

CLASSES = {"impassable": "nobody enters it", "no-los": "blocks sight", "no-lob": "stops a lob"}


def wounds(n: int) -> str:
    """``1 wound``, ``2 wounds``."""
    return f"{n} wound{'s' * (n != 1)}"


def steps_words(steps: Steps, library: Library) -> str:
    """What an instance or an outcome does, in one clause."""
    parts = []
    for step in steps:
        match step:
            case Gain(goods=goods):
                parts.append(f"gain {goods_in_words(goods, library)}")
            case Lose(goods=goods):
                parts.append(f"lose {goods_in_words(goods, library)}")
            case Wound(n=n):
                parts.append(f"you take {wounds(n)}")
            case Heal(n=n):
                parts.append("all wounds heal" if n >= ALL else f"{wounds(n)} heal{'s' * (n == 1)}")
            case Count(name=name, n=n):
                parts.append(f"{amount_name(name, library)} {n:+d}")
            case _:
                parts.append("the card goes on")
    return ", ".join(parts)


def when_words(when: When) -> str:
    """The condition of an instance (FOE-6)."""
    events = {
        "defeated": "defeated",
        "retreats": "when it retreats",
        "wounded": "each time it is wounded",
        "round_start": "at the start of",
        "round_end": "at the end of",
        "entered": "when you step on it",
        "adjacent_at_round_end": "beside it at the end of a round",
    }
    text = events.get(when.event, when.event.replace("_", " "))
    starts = when.event in ("round_start", "round_end")
    if when.rounds is None:
        return f"{text} each round" if starts else text
    names = ["the last round" if number == LAST else f"round {number}" for number in when.rounds]
    return f"{text} {' or '.join(names)}" if starts else f"{text} in {' or '.join(names)}"


def instance_words(instance: Instance, library: Library) -> str:
    """``defeated in round 1: 2 AP instead``."""
    parts = []
    if instance.instead is not None:
        parts.append(f"{goods_in_words(instance.instead, library) or 'nothing'} instead")
    if instance.steps:
        parts.append(steps_words(instance.steps, library))
    later = " at the start of the next round" if instance.later else ""
    return f"{when_words(instance.when)}: {', '.join(parts)}{later}"


def challenge_lines(challenge: Challenge, library: Library) -> list[str]:
    """A challenge with its outcomes."""
    lines = [f"Challenge from beside it: {challenge.type} {challenge.level}"]
    outcomes = (("success", challenge.succeed), ("failure", challenge.fail), ("perfect roll", challenge.perfect))
    return lines + [f"{name}: {steps_words(steps, library)}" for name, steps in outcomes if steps]


def trait_words(trait: Trait) -> str:
    """A trait's name and what it means."""
    name = trait.id.replace("-", " ")
    source = f" (from {trait.source})" if trait.source else ""
    return f"{name}{source}: {TRAITS[trait.id]}" if trait.id in TRAITS else f"{name}{source}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def enemy_words(card: EnemyCard, library: Library, wounds_taken: int = 0) -> tuple[str, tuple[str, ...]]:
    """An enemy's name and its card, a line each (FOE-1)."""
    lines = []
    if card.attack is not None:
        lines.append(f"Attack: {ATTACKS[card.attack.type]}, {wounds(card.attack.wounds)}")
        lines.append(f"Critical from {card.crit}, miss up to {card.miss} · moves {card.moves}")
    else:
        lines.append(f"No attack · moves {card.moves}")
    lines.append(f"Falls at {wounds(card.wounds)}, has {wounds_taken}")
    lines += [_sentence(trait_words(trait)) for trait in card.traits]
    if card.immune:
        lines.append(f"Immune to {', '.join(sorted(card.immune))}")
    if card.rewards:
        lines.append(f"Reward: {goods_in_words(card.rewards, library)}")
    lines += [_sentence(instance_words(instance, library)) for instance in card.instances]
    if card.challenge:
        lines += challenge_lines(card.challenge, library)
    if card.text:
        lines.append(" ".join(card.text.split()))
    return clean(card.name), tuple(clean(line) for line in lines)


def terrain_words(card: TerrainCard, library: Library) -> tuple[str, tuple[str, ...]]:
    """A terrain's name and its card, a line each (TERR-1 to TERR-5)."""
    classes = [CLASSES[name] for name in ("impassable", "no-los", "no-lob") if name in card.classes]
    lines = [", ".join(classes).capitalize() if classes else "May be entered; blocks nothing"]
    lines += [_sentence(trait_words(trait)) for trait in card.traits]
    lines += [_sentence(instance_words(instance, library)) for instance in card.instances]
    if card.challenge:
        lines += challenge_lines(card.challenge, library)
    if card.text:
        lines.append(" ".join(card.text.split()))
    return clean(card.name), tuple(clean(line) for line in lines)


REACHES = {
    "sight": "in a free straight line",
    "line": "in a straight line, over anything",
    "adjacent": "beside you",
    "surrounding": "around you",
    "full": "anywhere",
}


def action_words(hero: Hero, library: Library) -> tuple[tuple[str, str, str], ...]:
    """(name, cost, what it does) of each action she has (ACT-1)."""
    ids = (*ALWAYS_ACTIONS, *(id for id in library.actions if id in hero.actions and id not in ALWAYS_ACTIONS))
    found = []
    for id in ids:
        card = library.actions.get(id)
        if card is None:
            continue
        parts = []
        if card.kind == "attack":
            parts.append(f"{wounds(card.damage)} {REACHES[card.range]}")
        elif card.kind == "augment":
            parts.append("with a shot")
        if card.targets > 1:
            parts.append(f"{card.targets} targets")
        parts += [EFFECTS.get(name, name).format(n=n) for name, n in card.effects]
        found.append((clean(card.name), f"{card.cost} AP", ", ".join(parts)))
    return tuple(found)


EFFECTS = {
    "stun": "the target cannot move next turn",
    "poison": "1 wound more in upkeep",
    "push": "pushes {n} away",
    "drain": "1 wound at the start of the next round",
    "no-block": "cannot be blocked",
    "lob": "a shot over whatever is between",
    "dodge": "may cancel 1 wound of a hit",
    "fear": "an enemy moves 1 space, where you want",
}
