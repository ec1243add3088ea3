"""Looking closer at an encounter in the way: its one generous edge becomes one for each possible outcome."""

from __future__ import annotations

from collections.abc import Callable

from solver.reach.aftermath import PLENTY, Aftermath, aftermaths
from solver.reach.fights import Name, spoils
from solver.reach.flow import Holds
from solver.reach.guards import both
from solver.reach.places import Edge, Op, Place
from solver.reach.program import Program
from story.cards import ALL, TALENTS, Fight
from story.hero import Hero, starting_hero

MOST_OUTCOMES = 64
"""Outcomes of one encounter that are told apart; of more only what they have in common is known."""
MOST_LOOKS = 5
"""Looks at one encounter with different AP."""
AP, AP_RESET = 1, 2
"""Their places among the amounts."""

Outcomes = list[tuple[Op, ...]]


class Closer:
    """Looks at encounters: with all the AP that can be there and, where that is too much, with those that are."""

    def __init__(self, program: Program, holds: dict[int, Holds], over: Callable[[], bool]) -> None:
        self.program = program
        self.holds = holds
        self.over = over
        self.told = 0
        """How many looks have told more than was known."""
        self._generous: dict[int, Edge] = {}
        """For each place its edge through the encounter as it was."""
        self._looks: dict[int, dict[int, Outcomes]] = {}
        """For each place what can come of the encounter with at most so many AP, ``ALL``: with any."""
        self._large: set[int] = set()

    def look(self, number: int, ap: int = ALL) -> None:
        """Put what can really come of the encounter at a place on its edges; ``ap``: with so many AP at most."""
        looks = self._looks.setdefault(number, {})
        most = self.holds[number].high[AP]
        if looks and (ap >= most or AP not in self.program.read_amounts):
            return
        ap = ap if looks else ALL
        if ap in looks or len(looks) >= MOST_LOOKS or number in self._large:
            return
        place = self.program.places[number]
        edge = self._generous.get(number) or next(edge for edge in place.edges if edge.label == ("fight",))
        outcomes = self._outcomes(place, edge, most if ap == ALL else ap)
        if outcomes is None:
            self._large.add(number)
            return
        self._generous[number] = edge
        looks[ap] = outcomes
        self.told += 1
        place.edges = [other for other in place.edges if other.label != edge.label]
        least = 0
        for bound, listed in sorted(looks.items()):
            guard = both(*[("g", AP, least)] * (least > 0), *[("l", AP, bound)] * (bound < ALL))
            place.edges += [Edge(number, edge.dst, guard, ops, edge.label) for ops in listed]
            least = bound + 1

    def never_gives(self, card: str, bit: int) -> bool:
        """Whether every encounter on a card that can be met was looked at, and none of them ever gives a flag."""
        fights = [number for number in self.holds if self.program.places[number].kind == "fight"]
        fights = [number for number in fights if self.program.places[number].card == card]
        edges = [edge for number in fights for edge in self.program.places[number].edges]
        gives = any(op[0] in "sh" and op[1] & bit for edge in edges for op in edge.ops)
        return bool(fights) and all(self._looks.get(number) for number in fights) and not gives

    def _outcomes(self, place: Place, edge: Edge, ap: int) -> Outcomes | None:
        """The effects of each outcome; None if the encounter is too large or there is nothing to tell apart."""
        step = self.program.step_at(place)
        spoil = next((op for op in edge.ops if op[0] == "h"), None)
        if spoil is None or not isinstance(step, Fight):
            return None
        hero = self._hero(self.holds[place.number], step, ap)
        found = hero and aftermaths(self.program.library, step.encounter, hero, self.over)
        if not hero or not found:
            return None
        known = _Known(self.program, step, hero, spoil)
        outcomes = dict.fromkeys(known.ops(left, wounds) for left, wounds in found.items())
        if len(outcomes) > MOST_OUTCOMES:
            outcomes = {known.in_common(found): None}
        rest = tuple(op for op in edge.ops if op is not spoil)
        return [(*ops, *rest) for ops in outcomes]

    def _hero(self, holds: Holds, step: Fight, ap: int) -> Hero | None:
        """Whoever can do all that anybody can who comes there; None if foods both heal and give AP there."""
        program, library = self.program, self.program.library
        found = spoils(step.encounter, library)
        satchel = []
        for food in library.foods:
            most = holds.high[program.amount(food.id)]
            if food.heals and food.ap and (most or food.id in found.rises):
                return None
            satchel.append(most if food.ap else 0)
        held: dict[str, set[str]] = {"event": set(), "item": set(), "action": set()}
        for kind, id in found.lost - found.gained:
            held[kind].add(id)
        for name, bit in program.flags.items():
            if name[0] == "action" and holds.on & bit:
                held["action"].add(name[1])
        reset = holds.high[AP_RESET]
        return starting_hero(program.campaign.hero, library)._replace(
            ap=ap if ap < program.caps[AP] else PLENTY,
            ap_reset=reset if reset < program.caps[AP_RESET] else PLENTY,
            talents=(0, 0, 0),
            satchel=tuple(satchel),
            events=frozenset(held["event"]),
            items=frozenset(held["item"]),
            actions=frozenset(held["action"]),
            counts=(PLENTY,) * len(library.counters),
            pp=PLENTY,
        )


class _Known:
    """Turns what a search over the encounter has left behind into effects; what it could not tell stays generous."""

    def __init__(self, program: Program, step: Fight, hero: Hero, spoil: Op) -> None:
        self.program = program
        self.spoil = spoil
        found = spoils(step.encounter, program.library)
        held = frozenset(("action", id) for id in hero.actions)
        self.vague = self._mask((found.gained & found.lost) | (found.gained & held))
        foods = {food.id for food in program.library.foods}
        self.foods = {program.amount(id) for id in foods}
        """Of these it is known how many more there can be; they can be eaten whenever she likes."""
        vague = (found.rises & found.falls) | (found.falls & {"ap_reset", *TALENTS})
        self.open = {program.amount(name) for name in vague - foods} | {AP}

    def _mask(self, names: frozenset[Name]) -> int:
        return sum(self.program.flags.get(name, 0) for name in names)

    def ops(self, left: Aftermath, wounds: int) -> tuple[Op, ...]:
        """The effects of one outcome."""
        _, gains, losses, ranges = self.spoil
        changes = {self.program.amount(name): n for name, n in left.amounts}
        on = self._mask(left.gained) & gains & ~self.vague
        off = self._mask(left.lost) & losses & ~self.vague
        ops: list[Op] = [("s", on, off)] if on | off else []
        spans = []
        for place, falls, rises in ranges:
            if place == 0:
                spans.append((place, falls, min(rises, wounds)))
            elif place in self.open:
                spans.append((place, falls, rises))
            elif place in self.foods:
                spans.append((place, falls, min(rises, max(0, changes.get(place, 0)))))
            elif changes.get(place):
                ops.append(("a", place, changes[place]))
        return (*ops, ("h", gains & self.vague, losses & self.vague, tuple(spans)))

    def in_common(self, found: dict[Aftermath, int]) -> tuple[Op, ...]:
        """The effects of all outcomes at once."""
        _, gains, losses, ranges = self.spoil
        on = off = 0
        most: dict[int, int] = {0: max(found.values())}
        for left in found:
            on |= self._mask(left.gained)
            off |= self._mask(left.lost)
            for name, n in left.amounts:
                most[self.program.amount(name)] = max(most.get(self.program.amount(name), 0), n)
        spans = tuple(
            (place, falls, rises if place in self.open else min(rises, most.get(place, 0)))
            for place, falls, rises in ranges
        )
        return (("h", gains & (on | self.vague), losses & (off | self.vague), spans),)
