"""A sensible player who has read the rules and nothing else: heals when hurt, takes good shots, thinks one round ahead.

Everything is judged by what lies on the table: dice, Action Points, the cards on the playfield. What a story card
leads to is not peeked at. Worths are in wounds: 1 is what a wound matters to somebody unhurt.
"""

from __future__ import annotations

from random import Random
from typing import Any

from story.campaign import Choosing
from story.cards import ALL, ActionCard, Challenge, Gain, Goods, Heal, Library, Lose, Steps, Wound
from story.care import LastBite
from story.dice import Window, influences
from story.hero import Hero
from story.playfield.actions import HerTurn
from story.playfield.enemy_turn import Dodging, attacks_from
from story.playfield.field import Field, Foe
from story.playfield.lines import ADJACENT, reaches
from story.playfield.movement import destinations, path_length
from story.playfield.traits import has, traits_of
from story.prompts import Decide, Option, Table
from story.state import State

HURT = 0.5
"""The part of the wound limit from which she looks after herself between encounters."""

TURN_AP, SPARE_AP = 0.25, 0.1
"""What a point is worth in her turn, and afterwards, when only windows are left to spend it on."""

SUCCESS, STORY_AP = 1.2, 0.3
"""What passing a challenge of the story is worth, and a point there: it is not reset before the next encounter."""

SEVERAL = 0.8
"""A wound that does not yet remove an enemy, as a share of what removing it would be worth."""


def choose(table: Table[State], library: Library, state: State, prompt: Decide, rng: Random) -> str:
    """The answer of a careful player to any decision."""
    match prompt.topic:
        case "turn":
            return her_turn(library, state, prompt)
        case "window" if state.field is not None:
            return fight_window(table, library, state, prompt)
        case "window":
            return story_window(prompt)
        case "dodge":
            return "use dodge"
        case "bite":
            return last_bite(library, state, prompt)
        case "stand":
            return stand(library, state, prompt)
        case _:
            return story_card(library, state, prompt, rng)


# ---------------------------------------------------------------- worths


def pain(hero: Hero, wounds: int) -> float:
    """What some wounds on the dice matter: the closer to the limit, the more, and losing most."""
    part = min(1.0, wounds / hero.wound_limit)
    return hero.wound_limit * (part + part**3 + (part == 1.0))


def slope(hero: Hero) -> float:
    """What one more wound matters."""
    return pain(hero, hero.wounds + 1) - pain(hero, hero.wounds)


def goods_worth(goods: Goods, library: Library) -> float:
    """What gaining some goods is worth."""
    gives = {food.id: 0.6 * food.heals + 0.3 * food.ap for food in library.foods}
    worth = 0.5 * (len(goods.events) + len(goods.items) + len(goods.actions))
    for name, n in goods.amounts:
        worth += min(n, 5) * gives.get(name, TURN_AP if name == "ap" else 0.5)
    return worth


def steps_worth(steps: Steps, library: Library) -> float:
    """What the plain steps of an outcome are worth together."""
    worth = 0.0
    for step in steps:
        match step:
            case Gain(goods=goods):
                worth += goods_worth(goods, library)
            case Lose(goods=goods):
                worth -= goods_worth(goods, library)
            case Wound(n=n):
                worth -= n
            case Heal(n=n):
                worth += 0.6 * min(n, 3)
    return worth


def hit_chances(crit: int, miss: int, bonus: int = 0) -> tuple[float, float]:
    """The chances of no miss and of a critical on a D20 (ACT-3)."""
    missed = min(20, max(1, miss - bonus))
    return (20 - missed) / 20, min(20 - missed, max(0, 21 - crit + bonus)) / 20


# ---------------------------------------------------------------- the playfield


def threat(library: Library, field: Field, foe: Foe) -> tuple[float, float, int]:
    """(chance that it attacks in its coming turn, chance that the attack hits, wounds of a hit)."""
    card = library.enemies[foe.card]
    power = sum(trait.power(field, foe) for trait in traits_of(card) if trait.power)
    bombs = has(card, "bombs")
    if card.attack is None and not bombs:
        return 0.0, 0.0, 0
    moves = 0 if foe.stunned or has(card, "still") else card.moves + foe.dash
    if card.attack is not None and card.attack.type == "collision" and not bombs:
        return float(path_length(field, foe, has(card, "flies")) <= moves), 1.0, card.attack.wounds + power
    hit = hit_chances(card.crit, card.miss)[0] if card.attack is not None else 1.0
    wounds = (card.attack.wounds if card.attack is not None else 1) + power
    if attacks_from(field, card, foe.space):
        return 1.0, hit, wounds
    if not moves:
        return 0.0, hit, wounds
    spaces = destinations(field, foe, has(card, "flies"), moves, lambda space: attacks_from(field, card, space))
    able = sum(attacks_from(field, card, space) for space in spaces)
    return (able / len(spaces) if spaces else 0.0), hit, wounds


def danger(library: Library, field: Field) -> float:
    """Wounds to be expected from the enemies' coming turns."""
    return sum(comes * hit * wounds for comes, hit, wounds in (threat(library, field, foe) for foe in field.foes))


def stakes(library: Library, field: Field) -> dict[str, float]:
    """What removing each enemy is worth: the wounds it may still deal, and its rewards."""
    rounds = max(field.board.rounds - field.round, field.board.until_cleared) + 1
    worth = {}
    for foe in field.foes:
        comes, hit, wounds = threat(library, field, foe)
        card = library.enemies[foe.card]
        stays = 1 if has(card, "retreats") else rounds
        later = max(comes, 0.5) * (stays - 1)
        worth[foe.name] = hit * wounds * (comes + later) + goods_worth(card.rewards, library)
    return worth


def remaining(library: Library, foe: Foe) -> int:
    """Wounds that it still takes to remove an enemy."""
    return max(1, library.enemies[foe.card].wounds - foe.wounds)


def wounding(left: int, n: int, stake: float) -> float:
    """What ``n`` wounds on an enemy with ``left`` to go are worth."""
    return stake if n >= left else SEVERAL * stake * n / left


class Aim:
    """A shot as its answer names it: cards and targets."""

    def __init__(self, library: Library, answer: str) -> None:
        word, *rest = answer.split()
        cards = {card.word: card for card in library.actions.values()}
        self.attack: ActionCard = cards[word]
        self.extras = [cards[name[1:]] for name in rest if name.startswith("+")]
        self.targets = [name for name in rest if not name.startswith("+")]
        every = [self.attack, *self.extras]
        self.cost = sum(card.cost for card in every)
        self.damage = sum(card.damage for card in every)
        self.crits = all(card.crits for card in (self.attack, *self.extras) if card.kind != "skill")
        self.poison = any(card.effect("poison") for card in every)
        self.stun = any(card.effect("stun") for card in every)
        self.unblocked = any(card.effect("no-block") for card in every)


def shot_worth(library: Library, state: State, aim: Aim, stake: dict[str, float]) -> float:
    """What a shot is worth on average, its cost aside."""
    field, hero = state.field, state.hero
    assert field is not None
    hit, crit = hit_chances(hero.crit, hero.miss, hero.talent("critical")) if aim.attack.roll else (1.0, 0.0)
    worth = 0.0
    for name in aim.targets:
        foe = field.foe(name)
        if foe is None:
            continue
        left, own = remaining(library, foe), stake[name]
        frail = sum(trait.frailty for trait in traits_of(library.enemies[foe.card]))
        n = aim.damage + (frail if foe.space in ADJACENT[field.hero] else 0)
        again = aim.poison
        plain = wounding(left, n + again, own)
        part = hit * plain + (crit * (wounding(left, n + again + 1, own) - plain) if aim.crits else 0.0)
        if aim.stun:
            comes, strikes, wounds = threat(library, field, foe)
            still = threat(library, field, foe._replace(stunned=True))[0]
            part += hit * (comes - still) * strikes * wounds
        if not aim.unblocked and any(
            has(library.enemies[other.card], "blocks") and not other.block_used
            for other in field.foes
            if other.name == name or other.space in ADJACENT[foe.space]
        ):
            part *= 0.5
        worth += part
    return worth


def best_shot(library: Library, hero: Hero, field: Field, stake: dict[str, float]) -> float:
    """The best gain, its cost taken off, that a plain shot from where she stands promises."""
    hit = hit_chances(hero.crit, hero.miss, hero.talent("critical"))[0]
    best = 0.0
    for id, card in library.actions.items():
        if card.kind == "attack" and card.cost <= hero.ap and (card.augments or id in hero.actions):
            for foe in field.foes:
                if reaches(field, card.range, field.hero, foe.space):
                    gain = hit * wounding(remaining(library, foe), card.damage, stake[foe.name])
                    best = max(best, gain - TURN_AP * card.cost)
    return best


def chance_to_meet(hero: Hero, challenge: Challenge) -> float:
    """The chance of passing a challenge without influence (CHAL-2, CHAL-6, CHAL-7)."""
    return min(19, max(1, 21 - challenge.level + hero.talent(challenge.type))) / 20


def her_turn(library: Library, state: State, prompt: Decide) -> str:
    """The action that gains most for its points, as long as it gains more than they are worth."""
    turn = Turn(library, state)
    best, most = "end", 0.0
    for option in prompt.options:
        gain, cost = turn.weigh(option)
        if gain <= turn.price * cost:
            continue
        rate = gain / cost if cost else 10 + gain
        if rate > most:
            best, most = option.answer, rate
    return best


class Turn:
    """One question of her turn: what each option gains."""

    def __init__(self, library: Library, state: State) -> None:
        field = state.field
        assert field is not None
        self.library, self.state, self.hero, self.field = library, state, state.hero, field
        self.stakes = stakes(library, field)
        self.threats = [threat(library, field, foe) for foe in field.foes]
        self.danger = sum(comes * hit * wounds for comes, hit, wounds in self.threats)
        self.slope = slope(state.hero)
        self.last = field.last_round and not (field.board.until_cleared and field.foes)
        self.price = SPARE_AP if self.danger else 0.02
        self._shot: float | None = None

    def weigh(self, option: Option) -> tuple[float, int]:
        """(gain, Action Points) of an option."""
        match option.kind:
            case "attack":
                aim = Aim(self.library, option.answer)
                return shot_worth(self.library, self.state, aim, self.stakes), aim.cost
            case "step":
                return self._step(int(option.answer.split()[1])), 1
            case "dodge":
                return self._dodge(), self._cost(option)
            case "fear":
                return self._fear(option), self._cost(option)
            case "heal":
                return self._heal(), 1
            case "eat":
                return self._eat(option), 0
            case "try":
                return self._try(option.answer.split()[1]), 0
            case _:
                return 0.0, 0

    def _cost(self, option: Option) -> int:
        word = option.answer.split()[0]
        return next(card.cost for card in self.library.actions.values() if card.word == word)

    def _heal(self) -> float:
        saved = pain(self.hero, self.hero.wounds) - pain(self.hero, self.hero.wounds - 1)
        waits = not self.last and self.hero.wounds + self.danger < HURT * self.hero.wound_limit
        # With time to heal in a later round a slight wound can wait for a shot that may spare others.
        return saved * (0.3 if waits else 1.0)

    def _dodge(self) -> float:
        hits = sorted((comes * hit for comes, hit, wounds in self.threats for _ in range(wounds)), reverse=True)
        queued = self.field.dodges
        works = hit_chances(self.hero.crit, self.hero.miss, self.hero.talent("critical"))[0]
        return hits[queued] * works * self.slope if queued < len(hits) else 0.0

    def _step(self, space: int) -> float:
        field = self.field._replace(hero=space)
        gain = (self.danger - danger(self.library, field)) * self.slope
        if self._shot is None:
            self._shot = best_shot(self.library, self.hero, self.field, self.stakes)
        gain += max(0.0, best_shot(self.library, self.hero.with_ap(-1), field, self.stakes) - self._shot)
        ground = field.board.ground_at.get(space)
        if ground is not None:
            gain -= 0.7 * len(ground.card.traits)
            for instance in ground.card.instances:
                if instance.when.event == "entered" and ground.name not in field.entered:
                    gain += steps_worth(instance.steps, self.library)
        return gain

    def _fear(self, option: Option) -> float:
        _, name, space = option.answer.split()
        foe = self.field.foe(name)
        assert foe is not None
        moved = self.field.with_foe(foe._replace(space=int(space)))
        works = hit_chances(self.hero.crit, self.hero.miss)[0]
        return works * (self.danger - danger(self.library, moved)) * self.slope

    def _eat(self, option: Option) -> float:
        hero = self.hero
        food = next(food for food in self.library.foods if option.answer == f"eat {food.id}")
        if food.heals and not hero.ap and hero.wounds >= food.heals and hero.wounds + self.danger >= hero.wound_limit:
            return pain(hero, hero.wounds) - pain(hero, hero.wounds - food.heals)
        if food.ap and not food.heals:
            fed = best_shot(self.library, hero.with_ap(food.ap), self.field, self.stakes)
            return fed - best_shot(self.library, hero, self.field, self.stakes) - 0.6 * food.ap
        return 0.0

    def _try(self, name: str) -> float:
        field = self.field
        foe = field.foe(name)
        grounds = (ground.card for ground in field.board.grounds if ground.name == name)
        card = self.library.enemies[foe.card] if foe is not None else next(grounds, None)
        challenge = card.challenge if card is not None else None
        if challenge is None:
            return 0.0
        chance = chance_to_meet(self.hero, challenge)
        gain = chance * steps_worth(challenge.succeed or (), self.library)
        return gain + (1 - chance) * steps_worth(challenge.fail or (), self.library)


def stand(library: Library, state: State, prompt: Decide) -> str:
    """The starting space with the least danger, the first of several."""
    field = state.field
    assert field is not None
    spaces = [o.answer for o in prompt.options if o.kind == "stand"]
    return min(spaces, key=lambda answer: danger(library, field._replace(hero=int(answer.split()[1]))))


# ---------------------------------------------------------------- windows and bites


def fight_window(table: Table[State], library: Library, state: State, prompt: Decide) -> str:
    """Keep, add or subtract: whatever leaves the better table, points counted; eat where it saves her."""
    hers = any(isinstance(task, HerTurn) for task in state.agenda)
    price = TURN_AP if hers else SPARE_AP
    best, most, survives = "keep", float("-inf"), False
    foods = []
    for option in prompt.options:
        if option.kind == "eat":
            foods.append(option.answer)
            continue
        after = table.answer(state, option.answer)
        worth = standing(library, after) + price * (state.hero.ap if option.kind == "keep" else _left(state, option))
        survives = survives or not after.hero.lost
        if worth > most + 1e-9:
            best, most = option.answer, worth
    if not foods:
        return best
    question = state.agenda[-1]
    for answer in foods:
        food = next(food for food in library.foods if answer == f"eat {food.id}")
        if food.heals and not survives:
            return answer
        if food.ap and isinstance(question, Window) and not question.fixed:
            ap = state.hero.ap
            reach = influences(question.scale, question.total, ap + food.ap)
            if len(reach) > len(influences(question.scale, question.total, ap)):
                fed = table.answer(state, answer)
                change, _ = reach[-1]
                way = f"{'add' if change > 0 else 'subtract'} {abs(change)}"
                worth = standing(library, table.answer(fed, way)) + price * (fed.hero.ap - abs(change)) - 0.4 * food.ap
                if worth > most + 0.5:
                    return answer
    return best


def _left(state: State, option: Option) -> int:
    return state.hero.ap - int(option.answer.split()[1])


def standing(library: Library, state: State) -> float:
    """How good it is to stand here: her wounds, announced ones too, against what the enemies may still do."""
    hero, field = state.hero, state.field
    if hero.lost:
        return -pain(hero, hero.wound_limit)
    coming = 0.0
    question = state.agenda[-1] if state.agenda else None
    if isinstance(question, Dodging):
        coming = question.wounds - 0.7 * min(question.tries, question.wounds, field.dodges if field is not None else 0)
    elif isinstance(question, LastBite):
        coming = question.n
    worth = -pain(hero, hero.wounds) - coming * slope(hero)
    worth += sum(n * (0.6 * food.heals + 0.3 * food.ap) for n, food in zip(hero.satchel, library.foods, strict=True))
    worth += 0.5 * (len(hero.events) + len(hero.items) + len(hero.actions) + sum(hero.talents))
    if field is not None:
        for foe in field.foes:
            stake = stakes_of(library, field, foe)
            left, whole = remaining(library, foe), library.enemies[foe.card].wounds
            worth -= stake * (1 - SEVERAL * (1 - left / max(1, whole)))
    return worth


def stakes_of(library: Library, field: Field, foe: Foe) -> float:
    """``stakes`` of one enemy, roughly: the windows ask often."""
    card = library.enemies[foe.card]
    wounds = card.attack.wounds if card.attack is not None else 1
    rounds = 1 if has(card, "retreats") else max(field.board.rounds - field.round, field.board.until_cleared) + 1
    return 0.5 * wounds * rounds + goods_worth(card.rewards, library) + 0.1 * bool(foe.poisoned or foe.stunned) * -1


def story_window(prompt: Decide) -> str:
    """A challenge is helped over the bar while that is cheap; a chart's rows are not known beforehand."""
    if prompt.options[0].detail != "fail":
        return "keep"
    for option in prompt.options:
        if option.detail == "succeed" and STORY_AP * int(option.answer.split()[1]) < SUCCESS:
            return option.answer
    return "keep"


def last_bite(library: Library, state: State, prompt: Decide) -> str:
    """The smallest food that saves her, the largest if none does alone; nothing where all together are not enough."""
    question = state.agenda[-1]
    due = state.hero.wounds + (question.n if isinstance(question, LastBite) else 1) - state.hero.wound_limit + 1
    heals = {food.id: food.heals for food in library.foods}
    offered = [(heals[o.answer.split(maxsplit=1)[1]], o.answer) for o in prompt.options if o.kind == "eat"]
    held = sum(n * food.heals for n, food in zip(state.hero.satchel, library.foods, strict=True))
    if not offered or min(held, state.hero.wounds) < due:
        return "keep"
    enough = [food for food in offered if food[0] >= due]
    return (min(enough) if enough else max(offered))[1]


# ---------------------------------------------------------------- the story


def story_card(library: Library, state: State, prompt: Decide, rng: Random) -> str:
    """Heal and eat when hurt; then any of the card's own ways, dear ones only with points to spare."""
    hero = state.hero
    ways = [option for option in prompt.options if option.kind not in ("heal", "eat")]
    hurt = hero.wounds >= HURT * hero.wound_limit
    if hurt or not ways:
        care = [option for option in prompt.options if option.kind in ("heal", "eat")]
        heals = {f"eat {food.id}": food.heals for food in library.foods}
        fit = [option.answer for option in care if 0 < heals.get(option.answer, 0) <= hero.wounds]
        if not ways:
            return rng.choice(care).answer
        if any(option.kind == "heal" for option in care) and hero.ap > 1:
            return "heal"
        if fit:
            return max(fit, key=lambda answer: heals[answer])
    question: Any = state.agenda[-1]
    if len(ways) > 1 and isinstance(question, Choosing):
        costs = [_price(question, option) for option in ways]
        ways = [way for way, cost in zip(ways, costs, strict=True) if not cost or hero.ap - cost > 1] or ways
    return ways[int(rng.random() * len(ways))].answer


def _price(question: Choosing, option: Option) -> int:
    cost = question.choices[int(option.answer.split()[1]) - 1].cost.amount("ap") if option.kind == "choice" else 0
    return 0 if cost >= ALL else cost
