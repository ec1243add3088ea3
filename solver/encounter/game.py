"""One encounter, compiled: its cards, its board, and the nodes made so far.

``Game`` holds what the functions of this package share; the rules stand in ``her_turn``, ``deeds``, ``enemy_turn``,
``rounds`` and ``effects``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from solver.encounter.board import destinations, layers_closer, mask, reaches
from solver.encounter.errors import NotCovered
from solver.encounter.kinds import Kind, crit_miss_faces, events_of, hits_of
from solver.encounter.lanes import Lanes, Row
from solver.encounter.nodes import End, EndOfTurn, Faces, Node, Nodes, RoundStart
from solver.encounter.position import POISONED, RECRUITS, TAG, Enemies, Enemy, Position, Side, marks_of, taken, unmarked
from solver.encounter.roaming import Here, Roaming
from solver.goods import goods_in, steps_in
from story.cards import (
    ALWAYS_ACTIONS,
    ActionCard,
    Challenge,
    EnemyCard,
    Gain,
    Heal,
    Library,
    Lose,
    Step,
    TerrainCard,
    Wound,
)
from story.hero import Hero
from story.playfield.field import Board, Field

if TYPE_CHECKING:
    from solver.encounter.deeds import Gains, Settled, Volley
    from solver.encounter.effects import Effects
    from solver.encounter.her_turn import After, Turn

MOST_AP = 120
"""More Action Points than this at once are left to the reference."""

ROOM = 64 << 20
"""Bytes of rows above which some are forgotten."""

Plan = tuple[str, tuple[int, ...]]
"""What an enemy does: ``attack`` from here, go to one of some spaces and ``move`` or ``charge``, or ``stay``."""


class Odds(NamedTuple):
    """What her AP can come to, and whom they can defeat, with some enemies on the playfield."""

    hope: int | None
    """AP that may still come: rewards that pay for more than their attacks, and what later rounds bring. ``None``:
    other things may heal her or earn food."""
    needs: tuple[int, ...]
    """For each enemy AP without which it cannot be defeated in this last turn of hers; 0 or less where that says
    nothing."""
    most: int
    """The most needed for one that is wounded, at least 0."""


class Horizon(NamedTuple):
    """Where to stop playing in full, and what to take what comes after it for."""

    rounds: int
    """The last round that is played in full."""
    hopeful: bool
    """Nothing but good comes after it; otherwise she only heals, dodges and ends her turns."""
    plain: bool = False
    """After her first action she stays where she is and attacks without augments and lobs."""


class Game:
    """One encounter: everything that does not change while it lasts, and the nodes."""

    def __init__(
        self,
        board: Board,
        hero: Hero,
        library: Library,
        lanes: Lanes,
        tick: Callable[..., None],
        *,
        dodging: bool = False,
        sharing: bool = True,
        horizon: Horizon | None = None,
    ) -> None:
        self.lanes = lanes
        self.horizon = horizon
        self.plain = horizon is not None and horizon.plain
        self.sharing = sharing
        """Whether starts of rounds with equal values may stand for each other."""
        self.tick = tick
        self.nodes = Nodes(lanes)
        self.rounds = board.rounds
        self.until_cleared = board.until_cleared
        self.crit, self.miss = hero.crit, hero.miss
        self.library = library
        self.kinds = [Kind(index, card) for index, card in enumerate(library.enemies.values())]
        self.kind_numbers = {kind.card.id: kind.index for kind in self.kinds}
        self.deck_names = sorted(library.decks)
        self.recruiting = any(kind.recruits for kind in self.kinds)
        usable = [card for id, card in library.actions.items() if id in ALWAYS_ACTIONS or id in hero.actions]
        self.dodging = dodging or any(card.kind == "skill" and card.effect("dodge") for card in usable)
        """Whether dodges can be queued: in a state already, or by a card that she has."""
        self.grounds = board.grounds
        self.ground_at = {ground.space: place for place, ground in enumerate(board.grounds)}
        for ground in board.grounds:
            hits_of(ground.card.traits)
        self.walls = mask(board.walls)
        self.no_sight = mask(board.no_sight)
        self.no_lob = mask(board.no_lob)
        self.no_place = mask(board.no_start) | mask(self.ground_at) | self.walls
        self.food_numbers = {food.id: place for place, food in enumerate(library.foods)}
        self.ground_events = frozenset[str]().union(*(events_of(ground.card) for ground in board.grounds))
        self.sides: list[Side] = []
        self._side_numbers: dict[Side, int] = {}
        self._hero_faces: dict[tuple[int, bool], Faces] = {}
        self._plans: dict[tuple[int, int, int, int, int], Plan] = {}
        self._cards: dict[tuple[frozenset[str], str, str], tuple[ActionCard, ...]] = {}
        self.turns: dict[tuple[int, Enemies, int], Turn] = {}
        self.fates: dict[tuple[int, Enemy, int, int, Effects], Settled | None] = {}
        """What becomes of an enemy that she hits for so many wounds, by round, enemy, side, wounds and effects."""
        self.gaining: dict[tuple[Gains, Roaming], Roaming] = {}
        self.blocking = any(kind.blocks for kind in self.kinds)
        self.squishing = any(kind.squishy for kind in self.kinds)
        self._volleys: dict[frozenset[str], tuple[Volley, ...]] = {}
        self._dodge_faces: dict[int, Faces | None] = {}
        self.afters: dict[tuple[int, Enemies, int], After] = {}
        self.phases: dict[Position, Node] = {}
        self.starts: dict[object, tuple[RoundStart, list[Row]]] = {}
        """Starts of rounds by round and rows: the first with these rows, and the rows, whose ids are in the key."""
        self._room = ROOM
        self.end = self.nodes.make(End)
        self.heals_last = not any(meddles(step) for step in self._sudden_steps(board, library))
        self.walks = self.heals_last
        """Whether steps can wait: nothing that she does costs her AP but its price, or wounds her."""
        self.traps = mask(
            ground.space for ground in board.grounds if ground.card.traits or "entered" in events_of(ground.card)
        )
        """Spaces where something happens to whoever enters."""
        self.spares = not (
            any(kind.bombs or kind.blocks or kind.collides for kind in self.kinds)
            or any("bird-bomb" in ground.card.trait_ids for ground in board.grounds)
        )
        """Whether no enemy and no terrain wounds an enemy, or blocks for one."""
        self.quiet_end = not any(self._lasts(step) for step in steps_in(library)) and not any(
            self._lasts(Gain(goods)) for goods in goods_in(library)
        )
        """Whether nothing that comes after the enemies' last turns, but her own poison, changes wounds or food."""
        self._attacks_alone = not (
            any(kind.hits or kind.bombs or kind.collides or kind.rages or kind.recruits for kind in self.kinds)
            or any(ground.card.traits for ground in board.grounds)
            or any(isinstance(step, Wound) for step in steps_in(library))
        )
        """Whether nothing wounds her but one roll of each enemy on the playfield a round, and what is announced."""
        self._reward = self._rewards(board)
        self._hopes = self._hopeful()
        self._wound_cost, self._most_damage = self._shooting(usable)
        self._odds: dict[tuple[int, Enemies, int, int | None], Odds] = {}
        costs = [card.cost for card in library.actions.values() if card.kind == "attack" or card.effect("fear")]
        for card in library.actions.values():
            if card.cost <= 0 and (card.kind == "attack" or card.effect("fear") or card.effect("dodge")):
                raise NotCovered(f"{card.id}, an action that costs nothing")
        self.card_cost = min(costs, default=0)
        """The least that an attack or fear costs."""
        cards: list[EnemyCard | TerrainCard] = [*library.enemies.values(), *(g.card for g in board.grounds)]
        tries = any(card.challenge for card in cards)
        self.cheapest = 0 if tries else self.card_cost if self.walks and not self.traps else min(1, self.card_cost)
        """The least that anything to do but walking, healing, dodging and eating costs."""

    # ------------------------------------------------------------ positions

    def side_number(self, side: Side) -> int:
        """The number that stands for a side in positions."""
        number = self._side_numbers.get(side)
        if number is None:
            number = self._side_numbers[side] = len(self.sides)
            self.sides.append(side)
        return number

    def position(self, hero: Hero, field: Field) -> Position:
        """The position of a table at her turn."""
        tags: dict[str, int] = {}
        later: list[tuple[Step, int]] = []
        for announced in field.later:
            if announced.foe:
                later.append((announced.step, tags.setdefault(announced.foe, len(tags) + 1)))
            else:
                later.append((announced.step, 0))
        enemies: Enemies = tuple(
            sorted(
                (
                    foe.space,
                    self.kind_numbers[foe.card],
                    foe.wounds,
                    marks_of(foe, tags.get(foe.name, 0), foe.name in field.tried, self._source),
                )
                for foe in field.foes
            )
        )
        side = Side(
            talents=hero.talents,
            ap_reset=hero.ap_reset,
            actions=hero.actions,
            no_step=field.no_step,
            stunned=field.stunned,
            poisoned=field.poisoned,
            tried=sum(1 << place for place, ground in enumerate(self.grounds) if ground.name in field.tried),
            entered=sum(1 << place for place, ground in enumerate(self.grounds) if ground.name in field.entered),
            later=tuple(later),
            shocked=field.shocked,
            decks=field.decks if self.recruiting else (),
        )
        return field.round, field.hero, enemies, self.side_number(side)

    def _source(self, deck: str) -> int:
        return self.deck_names.index(deck) + 1 if deck and self.recruiting else 0

    def put_back(self, number: int, deck: str, card: str) -> int:
        """The side with a card back in its deck."""
        side = self.sides[number]
        decks = dict(side.decks)
        decks[deck] = tuple(sorted((*decks[deck], card)))
        return self.side_number(side._replace(decks=tuple(sorted(decks.items()))))

    def free(self, pos: Position, space: int) -> bool:
        """Whether a character may stand there now (FIELD-3, TERR-1)."""
        return not (self.walls | taken(pos[2]) | 1 << pos[1]) >> space & 1

    def may_earn(self, n: int) -> None:
        """Refuse amounts of AP that a purse does not hold."""
        if n > MOST_AP:
            raise NotCovered(f"{n} AP at once")

    def her_turn(self, rnd: int, enemies: Enemies, number: int) -> Turn:
        """Her turn with some enemies: the same object for the same things."""
        from solver.encounter.her_turn import Turn

        if rnd >= self.rounds and self.quiet_end:
            enemies, number = unmarked(enemies, POISONED | RECRUITS | TAG), self._without_announced(number)
        key = (rnd, enemies, number)
        turn = self.turns.get(key)
        if turn is None:
            turn = self.turns[key] = Turn(self, rnd, enemies, number)
        return turn

    def after(self, rnd: int, enemies: Enemies, number: int) -> After:
        """Her turn with some enemies, as what follows an action."""
        from solver.encounter.her_turn import After

        key = (rnd, enemies, number)
        after = self.afters.get(key)
        if after is None:
            after = self.afters[key] = After(self, rnd, enemies, number)
        return after

    def turn(self, pos: Position) -> Node:
        """Her turn in a position."""
        rnd, space, enemies, number = pos
        return self.nodes.make(Here, self.her_turn(rnd, enemies, number), space)

    def standing(self, rnd: int, enemies: Enemies, number: int, ap: int) -> Turn:
        """The turn that comes to the same with no more AP: in her last turn whom she cannot defeat is unwounded."""
        odds = self.odds(rnd, enemies, number)
        if odds is not None and ap < odds.most:
            enemies = tuple(
                [
                    (enemy[0], enemy[1], 0, enemy[3]) if ap < need else enemy
                    for enemy, need in zip(enemies, odds.needs, strict=True)
                ]
            )
        return self.her_turn(rnd, enemies, number)

    def _without_announced(self, number: int) -> int:
        side = self.sides[number]
        return self.side_number(side._replace(later=())) if side.later else number

    def ending(self, pos: Position) -> Node:
        """Ending her turn in a position."""
        from solver.encounter.enemy_turn import enemies_act

        return enemies_act(self, pos)

    def at_rest(self, rnd: int, enemies: Enemies) -> Enemies:
        """The enemies once her last turn is over: how far each was wounded makes no difference any more."""
        if rnd >= self.rounds and self.spares and not any(enemy[3] & POISONED for enemy in enemies):
            return tuple([(space, kind, 0, marks) for space, kind, _, marks in enemies])
        return enemies

    def spare_memory(self) -> None:
        """Forget rows from the middle of the enemies' turns if there are many: they are soon worked out again."""
        if self.lanes.kept < self._room:
            return
        for node in self.nodes.made.values():
            if not isinstance(node, Here | RoundStart | EndOfTurn):
                node.memo = {}
        self.tick(1)
        self.lanes.forget()
        self.tick(1)
        self._room = self.lanes.kept + ROOM

    # ------------------------------------------------------------ her numbers and cards

    def hero_faces(self, side: Side, crits: bool) -> Faces:
        """Her own Crit/Miss rolls (ACT-3)."""
        key = (side.talents[2], crits)
        faces = self._hero_faces.get(key)
        if faces is None:
            faces = self._hero_faces[key] = crit_miss_faces(self.crit, self.miss, side.talents[2], crits)
        return faces

    def action_cards(self, side: Side, kind: str, effect: str = "") -> tuple[ActionCard, ...]:
        """The cards of a kind, and with an effect, that she can use (ACT-1, INV-3)."""
        key = (side.actions, kind, effect)
        cards = self._cards.get(key)
        if cards is None:
            cards = self._cards[key] = tuple(
                card
                for id, card in self.library.actions.items()
                if card.kind == kind
                and (id in ALWAYS_ACTIONS or id in side.actions)
                and (not effect or card.effect(effect))
            )
        return cards

    def volleys(self, side: Side) -> tuple[Volley, ...]:
        """Every attack that she can use with every augment."""
        from solver.encounter.deeds import volleys

        found = self._volleys.get(side.actions)
        if found is None:
            found = self._volleys[side.actions] = tuple(volleys(self, side))
        return found

    def dodge_faces(self, number: int) -> Faces | None:
        """Her roll for a dodge; ``None``: there are no dodges to use."""
        if number not in self._dodge_faces:
            side = self.sides[number]
            dodges = self.dodging or self.action_cards(side, "skill", "dodge")
            self._dodge_faces[number] = self.hero_faces(side, False) if dodges else None
        return self._dodge_faces[number]

    # ------------------------------------------------------------ the best that can be hoped for

    def odds(self, rnd: int, enemies: Enemies, number: int) -> Odds | None:
        """What can be hoped for with these enemies on the playfield; ``None``: not known."""
        if self._reward is None:
            return None
        pending = self._pending(number) if self._hopes else None
        # Where the enemies are makes no difference.
        alike = tuple([(0, kind, wounds, marks & POISONED) for _, kind, wounds, marks in enemies])
        key = (rnd, alike, self.sides[number].ap_reset if rnd < self.rounds else 0, pending)
        found = self._odds.get(key)
        if found is None:
            found = self._odds[key] = self._found_odds(*key)
        return found

    def most_wounds(self, rnd: int, enemies: Enemies, number: int) -> int | None:
        """The most wounds that may still come from a turn of hers on (FOE-3, TRAIT-BOLSTER); ``None``: not known."""
        side = self.sides[number]
        if not self._attacks_alone or side.poisoned or any(isinstance(step, Wound) for step, _ in side.later):
            return None
        most = 0
        for enemy in enemies:
            kind = self.kinds[enemy[1]]
            if kind.printed:
                rounds = range(rnd, self.rounds + 1)
                most += sum(kind.printed + 1 + (later - 1 if kind.bolster else 0) for later in rounds)
        return most

    def _pending(self, number: int) -> int | None:
        """What is announced for the next round in AP and healing; ``None`` if food or a higher reset are."""
        later = self.sides[number].later
        total = 0
        for step, _ in later:
            if isinstance(step, Heal):
                total += min(step.n, self.lanes.limit)
            elif isinstance(step, Gain):
                if step.goods.actions or any(self._lifts(name) for name, _ in step.goods.amounts):
                    return None
                total += step.goods.amount("ap")
        return total

    def _found_odds(self, rnd: int, enemies: Enemies, reset: int, pending: int | None) -> Odds:
        assert self._reward is not None
        rewards = [self._reward[enemy[1]] for enemy in enemies]
        prices = [self._price(enemy[1], enemy[2]) for enemy in enemies]
        gains = [max(0, reward - price) for reward, price in zip(rewards, prices, strict=True)]
        later = sum(rewards) + (pending or 0) + (self.rounds - rnd) * reset if rnd < self.rounds else 0
        last_turn = rnd >= self.rounds and self.spares
        needs = []
        for (_, kind, wounds, marks), price, gain in zip(enemies, prices, gains, strict=True):
            card = self.kinds[kind]
            need = 0
            if last_turn and not (card.rages or card.dashes or "wounded" in card.events):
                need = (self._price(kind, wounds + 1) if marks & POISONED else price) - (sum(gains) - gain)
            needs.append(need)
        most = max([need for need, enemy in zip(needs, enemies, strict=True) if enemy[2]], default=0)
        return Odds(None if pending is None else sum(gains) + later, tuple(needs), max(0, most))

    def _price(self, kind: int, wounds: int) -> int:
        """The least AP that defeating an enemy can cost her."""
        return self._wound_cost * -((wounds - self.kinds[kind].limit) // self._most_damage)

    def _rewards(self, board: Board) -> list[int] | None:
        """The most AP that defeating each kind can give; ``None`` where other things may give AP as well."""
        if any(ground.card.challenge is not None or ground.card.traits for ground in board.grounds):
            return None
        found = []
        cards: list[EnemyCard | TerrainCard] = [*(kind.card for kind in self.kinds), *(g.card for g in board.grounds)]
        for card in cards:
            if card.challenge is not None:
                return None
            reward = card.rewards.amount("ap") if isinstance(card, EnemyCard) else 0
            instead = added = 0
            goods = [card.rewards] if isinstance(card, EnemyCard) else []
            for instance in card.instances:
                given = [step.goods for step in instance.steps if isinstance(step, Gain)]
                goods += given if instance.instead is None else [*given, instance.instead]
                ap = sum(found.amount("ap") for found in given)
                if instance.when.event == "defeated":
                    instead += instance.instead.amount("ap") if instance.instead else 0
                    added += ap
                elif ap or (instance.instead and instance.instead.amount("ap")):
                    return None
            for given_goods in goods:
                if given_goods.actions or any(self._lifts(name) == "ap" for name, _ in given_goods.amounts):
                    return None
            found.append(max(reward, instead) + added)
        return found

    def _hopeful(self) -> bool:
        """Whether AP alone heal her and nothing earns food, so that there is a bound of what can be hoped for."""
        lanes = self.lanes
        if lanes.death < lanes.limit - 1 or (any(lanes.most) and not any(lanes.prices)):
            return False
        if any(isinstance(step, Heal) for step in steps_in(self.library)):
            return False
        return not any(self._lifts(name) for goods in goods_in(self.library) for name, _ in goods.amounts)

    def _lasts(self, step: Step) -> bool:
        """Whether a step changes what counts when the encounter is over."""
        if isinstance(step, Gain | Lose):
            return any(name in self.food_numbers for name, _ in step.goods.amounts)
        return isinstance(step, Wound | Heal)

    def _lifts(self, name: str) -> str:
        """Whether an amount is one that adds to her AP (``ap``) or heals her (``food``) besides AP themselves."""
        place = self.food_numbers.get(name)
        if name == "ap_reset":
            return "ap"
        if place is None or not self.lanes.most[place]:
            return ""
        return "ap" if self.lanes.foods[place].ap else "food"

    def _shooting(self, usable: list[ActionCard]) -> tuple[int, int]:
        """(least AP for a wounding, most wounds of one wounding) of the attacks that she can use."""
        attacks = [card for card in usable if card.kind == "attack"]
        augments = [None, *(card for card in usable if card.kind == "augment")]
        shots = [(a, b if a.augments else None) for a in attacks for b in augments]
        if not shots:
            return 1, 1
        cost = min((a.cost + (b.cost if b else 0)) // max(a.targets, b.targets if b else 1) for a, b in shots)
        # A critical adds a wound, Squishy another, and poison one in upkeep.
        frail = any(kind.squishy for kind in self.kinds) + any(card.effect("poison") for card in usable)
        return cost, 1 + frail + max(a.damage + (b.damage if b else 0) for a, b in shots)

    # ------------------------------------------------------------ where enemies go

    def plan(self, number: int, space: int, hero: int, others: int, movement: int) -> Plan:
        """What an enemy of a kind does from a space (MOVE-2 to MOVE-6, FOE-4)."""
        key = (number, space, hero, others, movement)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._planned(self.kinds[number], space, hero, others, movement)
        return plan

    def attacks_from(self, kind: Kind, space: int, hero: int, others: int) -> bool:
        """Whether it could attack from a space without colliding (MOVE-2, TRAIT-BIRD-BOMB)."""
        if kind.bombs and reaches("adjacent", space, hero, 0, 0):
            return True
        return bool(kind.reach) and reaches(kind.reach, space, hero, others | self.no_sight, self.no_lob)

    def _planned(self, kind: Kind, space: int, hero: int, others: int, movement: int) -> Plan:
        if self.attacks_from(kind, space, hero, others):
            return "attack", ()
        if not movement:
            return "stay", ()
        dist, layers = layers_closer(space, hero, others | self.walls, kind.flies, movement)
        if kind.collides and dist <= movement:
            # FOE-4: the last of its steps is the one into her.
            spaces = (space,) if dist == 1 else layers[dist - 2] if len(layers) > dist - 2 else ()
            if spaces:
                return "charge", spaces
        spaces = destinations(layers, lambda to: self.attacks_from(kind, to, hero, others))
        return ("move", spaces) if spaces else ("stay", ())

    # ------------------------------------------------------------ what may happen in her own turn

    def _sudden_steps(self, board: Board, library: Library) -> Iterator[Step]:
        """The steps that can be done within her turn; bombs of terrain count as wounds."""
        cards: list[EnemyCard | TerrainCard] = [*library.enemies.values(), *(g.card for g in board.grounds)]
        for card in cards:
            for instance in card.instances:
                if instance.when.event in ("defeated", "wounded", "entered") and not instance.later:
                    yield from instance.steps
            if card.challenge is not None:
                yield from outcomes(card.challenge)
        for ground in board.grounds:
            if "bird-bomb" in ground.card.trait_ids:
                yield Wound(1)


def outcomes(challenge: Challenge) -> Iterator[Step]:
    """Every step of every outcome."""
    for steps in (challenge.succeed, challenge.fail, challenge.perfect):
        yield from steps or ()


def meddles(step: Step) -> bool:
    """Whether it makes a difference if her heals and dodges came before or after a step."""
    match step:
        case Wound() | Heal():
            return True
        case Lose(goods=goods):
            return bool(goods.actions) or any(name == "ap" for name, _ in goods.amounts)
    return False
