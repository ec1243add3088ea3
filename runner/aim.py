"""Her turn in an encounter as a menu, and the aim of one action: pure functions over the options of the prompt.

What is legal is never worked out here: the targets, augments and spaces on show are those that the prompt offers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from story.cards import ALWAYS_ACTIONS, ActionCard, Challenge, Library
from story.dice import crit_miss_scale, read_scale
from story.hero import Hero
from story.playfield.field import Field
from story.prompts import Decide, Option

FACES = range(1, 21)

OWN_KEYS = {"dart": "d", "step": "m", "dodge": "g", "heal": "h", "eat": "e", "fear": "f", "try": "t", "end": "enter"}
"""Keys that people learn once; further actions and augments of a deck get letters that are free."""

AUGMENT_KEYS = {"stun": "s", "poison": "p", "split": "x"}

TAKEN = frozenset("dmgheftiluroq")
SPARE = "xvwyznkbjsa"


class Move(NamedTuple):
    """An answer of her turn, taken apart: ``dart nalu woopu +split +lob``."""

    verb: str
    names: tuple[str, ...]
    extras: frozenset[str]
    option: Option


class Entry(NamedTuple):
    """A line of the turn's menu."""

    key: str
    verb: str
    label: str
    cost: str
    open: bool
    """Whether anything is offered under it now."""
    why: str = ""
    """Why it is not offered, where that is plain."""


class Augment(NamedTuple):
    """Something that can be added to the attack being aimed."""

    key: str
    word: str
    name: str
    cost: int
    on: bool
    open: bool


class Aim(NamedTuple):
    """An action being chosen, before it is paid."""

    verb: str
    augments: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    """Targets taken so far, in order."""
    cursor: str = ""
    """The target or space under consideration."""


class Odds(NamedTuple):
    """Chances of a Crit/Miss roll, in twentieths."""

    miss: int
    hit: int
    crit: int


# ---------------------------------------------------------------- options


def taken_apart(option: Option) -> Move:
    """A turn's answer as verb, names in order, and augments."""
    verb, *rest = option.answer.split()
    return Move(
        verb,
        tuple(word for word in rest if not word.startswith("+")),
        frozenset(word[1:] for word in rest if word.startswith("+")),
        option,
    )


def moves(prompt: Decide, verb: str = "") -> tuple[Move, ...]:
    """Everything offered, or everything of one verb."""
    found = (taken_apart(option) for option in prompt.options)
    return tuple(move for move in found if not verb or move.verb == verb)


def word_of(card: ActionCard) -> str:
    """How answers name an action."""
    return card.word or card.id


def skill_words(library: Library, effect: str) -> frozenset[str]:
    """Words of the skills with an effect (``lob``)."""
    return frozenset(word_of(card) for card in library.actions.values() if card.kind == "skill" and card.effect(effect))


def letters(words: Iterable[str], own: dict[str, str], taken: Iterable[str]) -> dict[str, str]:
    """A key for each word: its own if it has one, else the first free letter of the word, else a spare one."""
    used = set(taken)
    keys: dict[str, str] = {}
    for word in words:
        if word in own:
            keys[word] = own[word]
            continue
        free = next((c for c in (*word, *SPARE) if c.isascii() and c.isalpha() and c not in used), "")
        keys[word] = free
        used.add(free)
    return keys


def known_actions(hero: Hero, library: Library) -> tuple[ActionCard, ...]:
    """The actions she has, Dart Shot first (INV-3)."""
    ids = (*ALWAYS_ACTIONS, *(id for id in library.actions if id in hero.actions and id not in ALWAYS_ACTIONS))
    return tuple(library.actions[id] for id in ids if id in library.actions)


def turn_menu(prompt: Decide, hero: Hero, library: Library, field: Field | None) -> tuple[Entry, ...]:
    """Her actions in a steady order, the ones not open now included, with key and cost."""
    offered: dict[str, list[Move]] = {}
    for move in moves(prompt):
        offered.setdefault(move.verb, []).append(move)
    known = known_actions(hero, library)
    attacks = {word_of(card): card for card in known if card.kind == "attack"}
    labels = {verb: card.name for verb, card in attacks.items()}
    costs = {verb: str(card.cost) for verb, card in attacks.items()}
    order = [*attacks, "step"]
    labels["step"], costs["step"] = "Step", "1"
    for card in known:
        if card.kind == "skill" and not card.effect("lob"):
            order.append(word_of(card))
            labels[word_of(card)], costs[word_of(card)] = card.name, str(card.cost)
    if "try" in offered or _has_challenge(field, library):
        order.append("try")
    order += ["heal", "eat"]
    order += [verb for verb in offered if verb not in order and verb != "end"]
    order.append("end")
    labels |= {"try": "Try", "heal": "Heal", "eat": "Eat", "end": "End turn"}
    costs["heal"] = "1"
    keys = letters(order, OWN_KEYS, TAKEN | set(AUGMENT_KEYS.values()))
    entries = []
    for verb in order:
        options = offered.get(verb, [])
        open_ = bool(options)
        cost = costs.get(verb, "")
        why = "" if open_ else _why_closed(verb, cost, hero, field)
        entries.append(Entry(keys[verb], verb, labels.get(verb, verb.capitalize()), cost, open_, why))
    return tuple(entries)


def _has_challenge(field: Field | None, library: Library) -> bool:
    if field is None:
        return False
    return any(ground.card.challenge for ground in field.board.grounds) or any(
        library.enemies[foe.card].challenge for foe in field.foes
    )


def _why_closed(verb: str, cost: str, hero: Hero, field: Field | None) -> str:
    if cost.isdigit() and int(cost) > hero.ap:
        return f"{cost} AP"
    match verb:
        case "heal":
            return "unhurt"
        case "eat":
            return "empty" if not any(hero.satchel) else "unhurt"
        case "step":
            return "stunned" if field is not None and field.no_step else "no way"
        case "try":
            return "not near"
        case _:
            return "no target"


# ---------------------------------------------------------------- aiming


def augments(prompt: Decide, aim: Aim, hero: Hero, library: Library) -> tuple[Augment, ...]:
    """What can be added to the attack; a lob is added by itself where the target needs it."""
    lobs = skill_words(library, "lob")
    offered = moves(prompt, aim.verb)
    words = {word for move in offered for word in move.extras} - lobs
    cards = [card for card in known_actions(hero, library) if card.kind == "augment"]
    attack = next((card for card in known_actions(hero, library) if word_of(card) == aim.verb), None)
    if attack is None or attack.kind != "attack" or not attack.augments:
        return ()
    keys = letters((word_of(card) for card in cards), AUGMENT_KEYS, TAKEN | set(AUGMENT_KEYS.values()))
    return tuple(
        Augment(keys[word_of(c)], word_of(c), c.name, c.cost, word_of(c) in aim.augments, word_of(c) in words)
        for c in cards
    )


def _fitting(prompt: Decide, aim: Aim, library: Library) -> tuple[Move, ...]:
    lobs = skill_words(library, "lob")
    taken = len(aim.names)
    return tuple(
        move
        for move in moves(prompt, aim.verb)
        if move.extras - lobs == aim.augments and move.names[:taken] == aim.names and len(move.names) >= taken
    )


def targets(prompt: Decide, aim: Aim, library: Library) -> tuple[str, ...]:
    """Names or spaces that may be taken next, in the order of the prompt."""
    taken = len(aim.names)
    return tuple(dict.fromkeys(m.names[taken] for m in _fitting(prompt, aim, library) if len(m.names) > taken))


def outcome_of(prompt: Decide, aim: Aim, library: Library) -> Move | None:
    """The answer that the aim with its cursor amounts to; None while another target is still to be taken."""
    names = (*aim.names, aim.cursor) if aim.cursor else aim.names
    whole = [move for move in _fitting(prompt, aim, library) if move.names == names]
    return min(whole, key=lambda move: len(move.extras), default=None)


def needs_lob(prompt: Decide, aim: Aim, name: str, library: Library) -> bool:
    """Whether every offered shot that takes ``name`` next is lobbed."""
    lobs = skill_words(library, "lob")
    taken = len(aim.names)
    shots = [move for move in _fitting(prompt, aim, library) if len(move.names) > taken and move.names[taken] == name]
    return bool(shots) and all(move.extras & lobs for move in shots)


def begin(prompt: Decide, verb: str, library: Library) -> Aim:
    """The aim of an action with its first target under the cursor."""
    aim = Aim(verb)
    return aim._replace(cursor=next(iter(targets(prompt, aim, library)), ""))


def toggled(prompt: Decide, aim: Aim, word: str, library: Library) -> Aim:
    """With an augment switched on (in place of another: ACT-4) or off; unchanged where nothing would be offered."""
    chosen = Aim(aim.verb, frozenset() if word in aim.augments else frozenset({word}))
    open_ = targets(prompt, chosen, library)
    if not open_:
        return aim
    return chosen._replace(cursor=aim.cursor if aim.cursor in open_ else open_[0])


def taken(prompt: Decide, aim: Aim, library: Library) -> Aim:
    """With the target under the cursor taken and the next one under it."""
    more = aim._replace(names=(*aim.names, aim.cursor), cursor="")
    return more._replace(cursor=next(iter(targets(prompt, more, library)), ""))


def space_of(name: str, field: Field) -> int:
    """The space that a name stands for: its own number, an enemy's or a terrain's place; 0 if it is neither."""
    if name.isdigit():
        return int(name)
    foe = field.foe(name)
    if foe is not None:
        return foe.space
    return next((ground.space for ground in field.board.grounds if ground.name == name), 0)


def towards(names: Sequence[str], cursor: str, direction: tuple[int, int], field: Field) -> str:
    """The target that lies nearest in a direction (columns to the right, rows up); the cursor stays if none does."""
    here = _place(space_of(cursor, field))
    best, best_score = cursor, 0.0
    for name in names:
        x, y = _place(space_of(name, field))
        along = (x - here[0]) * direction[0] + (y - here[1]) * direction[1]
        aside = abs((x - here[0]) * direction[1]) + abs((y - here[1]) * direction[0])
        if along <= 0:
            continue
        score = 1 / (along + 2 * aside)
        if score > best_score:
            best, best_score = name, score
    return best


def _place(space: int) -> tuple[int, int]:
    return (space - 1) % 5, (space - 1) // 5


# ---------------------------------------------------------------- odds


def crit_miss_odds(crit: int, miss: int, bonus: int = 0, influence: int = 0, *, crits: bool = True) -> Odds:
    """Chances of her Crit/Miss roll with talents and ``influence`` AP spent to the good (ACT-3, CHAL-5, CHAL-6)."""
    scale = crit_miss_scale(crit, miss, crits=crits)
    counts = {"miss": 0, "hit": 0, "crit": 0}
    for face in FACES:
        counts["miss" if face == 1 else read_scale(scale, face + bonus + influence)] += 1
    return Odds(counts["miss"], counts["hit"], counts["crit"])


def challenge_odds(level: int, bonus: int, influence: int = 0) -> int:
    """Chance, in twentieths, that a challenge succeeds (CHAL-2, CHAL-3, CHAL-6, CHAL-7)."""
    return sum(face == 20 or (face != 1 and face + bonus + influence >= level) for face in FACES)


def percent(twentieths: int) -> str:
    """Twentieths as a percentage."""
    return f"{twentieths * 5} %"


def odds_words(hero: Hero, left: int, *, crits: bool = True) -> str:
    """``miss 25 %  hit 70 %  crit 5 %  (+1 AP: crit 10 %)``: her roll, and what each of the next AP would buy."""
    bonus = hero.talent("critical")

    def chances(influence: int) -> Odds:
        return crit_miss_odds(hero.crit, hero.miss, bonus, influence, crits=crits)

    base = chances(0)
    words = f"miss {percent(base.miss)}  hit {percent(base.hit)}"
    if crits:
        words += f"  crit {percent(base.crit)}"
    parts = []
    before = base
    for n in range(1, min(left, 2) + 1):
        odds = chances(n)
        gains = [f"miss {percent(odds.miss)}"] if odds.miss != before.miss and not crits else []
        gains += [f"crit {percent(odds.crit)}"] if odds.crit != before.crit else []
        if gains:
            parts.append(f"+{n} AP: {', '.join(gains)}")
        before = odds
    return f"{words}  ({'; '.join(parts)})" if parts else words


def challenge_words(challenge: Challenge, hero: Hero, left: int) -> str:
    """``mental 12: succeeds 45 %  (+1 AP: 50 %)``."""
    bonus = hero.talent(challenge.type)
    base = challenge_odds(challenge.level, bonus)
    more = [
        f"+{n} AP: {percent(challenge_odds(challenge.level, bonus, n))}"
        for n in range(1, min(left, 2) + 1)
        if challenge_odds(challenge.level, bonus, n) != base
    ]
    words = f"{challenge.type} {challenge.level}: succeeds {percent(base)}"
    return f"{words}  ({'; '.join(more)})" if more else words
