"""Playing on the real table what a search has found: a verdict "reached" stands only when this succeeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.reach.closer import Closer
from solver.reach.crossing import GLANCE, Goal, cross
from solver.reach.places import Edge
from solver.reach.program import Program
from solver.reach.search import Way
from story.campaign import CampaignTable
from story.prompts import AnswerError, Decide, Over, answers
from story.state import State

Played = tuple[State, Any]
"""A state of the real table and a chain of the answers that lead there, the last one first."""


class Replay:
    """Follows ways through the graph of places on the table itself."""

    def __init__(self, program: Program, over: Callable[[], bool], closer: Closer) -> None:
        self.closer = closer
        self.program = program
        self.table = CampaignTable(program.campaign)
        self.over = over
        self.failed: dict[tuple[int, Goal], set[State]] = {}
        """Where encounters could not be crossed in the way wanted."""
        self.stopped_by = ""
        """What could not be crossed, in words."""
        self._names = {bit: name for name, bit in program.flags.items()}

    def play(self, way: Way) -> Played | None:
        """Where a way leads on the real table; None if it cannot be walked there."""
        steps: list[Way] = []
        here: Way | None = way
        while here is not None and here.real is None and here.before is not None:
            steps.append(here)
            here = here.before
        assert here is not None
        if here.real is None:
            try:
                here.real = (self.table.start(), None)
            except NotImplementedError:
                here.real = False
        for step in reversed(steps):
            assert step.before is not None
            before = step.before.real
            step.real = before and (self._follow(step, before) or False)
        return way.real or None

    def offered(self, way: Way) -> list[str] | None:
        """The answers of a way that ends with an option, if the table offers it there."""
        edge = way.edge
        if way.before is None or edge is None or edge.label[:1] != ("choose",):
            return None
        before = self.play(way.before)
        if before is None:
            return None
        answer = f"choose {edge.label[1]}"
        return [*self.answers(before), answer] if answer in answers(self.table.prompt(before[0])) else None

    def answers(self, played: Played) -> list[str]:
        """The answers from the start of the campaign."""
        found: list[str] = []
        link = played[1]
        while link is not None:
            link, answer = link
            found.append(answer)
        return found[::-1]

    def repeats(self, state: State, answers: list[str]) -> bool:
        """Whether the table takes these answers once more."""
        try:
            for answer in answers:
                state = self.table.answer(state, answer)
        except AnswerError:
            return False
        return bool(answers)

    def shows(self, hit: str, way: Way, played: Played) -> bool:
        """Whether the table shows what the search claims."""
        state = played[0]
        kind, _, name = hit.partition(" ")
        journey = state.journey
        match kind:
            case "card":
                return journey is not None and name == self.program.card_key(journey.chapter, journey.reading[-1])
            case "ending":
                return state.over is not None and state.over.id == name and state.over.kind not in ("death", "stuck")
            case "stuck":
                prompt = self.table.prompt(state)
                return isinstance(prompt, Over) and prompt.kind == "stuck"
            case _:
                return True

    def _follow(self, way: Way, before: Played) -> Played | None:
        edge = way.edge
        assert edge is not None
        state, link = before
        label = edge.label
        if not label:
            return before
        try:
            prompt = self.table.prompt(state)
            match label[0]:
                case "turn":
                    if not isinstance(prompt, Decide):
                        return None
                    answer = next(option.answer for option in prompt.options if option.kind == "turn")
                case "choose" | "eat" | "pick":
                    answer = f"{label[0]} {label[1]}"
                case "heal":
                    answer = "heal"
                case "roll":
                    answer = f"{label[1]} {self._face(label, state)}"
                case "window":
                    if not isinstance(prompt, Decide) or prompt.topic != "window":
                        return before if label[1] == "keep" else None
                    answer = label[1]
                case "fight":
                    return self._fight(way, before)
                case _:
                    return None
            return self.table.answer(state, answer), (link, answer)
        except (AnswerError, StopIteration, NotImplementedError):
            return None

    def _face(self, label: tuple[Any, ...], state: State) -> int:
        if label[2] == "face":
            return int(label[3])
        points = state.hero.talent(label[4])
        match label[2]:
            case "at":
                return max(2, min(19, int(label[3]) - points))
            case "add":
                return int(label[3]) - int(label[5]) - points
            case _:
                return int(label[3]) - 1 + int(label[5]) - points

    def _fight(self, way: Way, before: Played) -> Played | None:
        goal = self._goal(way)
        assert way.edge is not None
        key = (way.edge.src, goal)
        state, link = before
        failed = self.failed.setdefault(key, set())
        if state in failed or len(failed) >= 3:
            return None
        answers = self._crossed(way, state, goal) if state.field is not None else None
        if answers is None:
            failed.add(state)
            self.stopped_by = f"the encounter on card {self.program.places[way.edge.src].card}"
            return None
        for answer in answers:
            state = self.table.answer(state, answer)
            link = (link, answer)
        return state, link

    def _crossed(self, way: Way, state: State, goal: Goal) -> list[str] | None:
        """A glance, then a closer look at what can come of the encounter at all, then a search."""
        assert way.edge is not None
        library, ap = self.program.library, state.hero.ap
        answers = cross(library, state, goal, self.over, 1, GLANCE)
        if answers is None:
            self.closer.look(way.edge.src)
            if self._possible(way):
                answers = cross(library, state, goal, self.over)
            if answers is None:
                self.closer.look(way.edge.src, ap)
        return answers

    def _possible(self, way: Way) -> bool:
        """Whether what is known about an encounter by now allows what a way makes of it."""
        assert way.before is not None
        assert way.edge is not None
        told = ~way.open & ~way.before.open
        on, off = way.flags & ~way.before.flags & told, way.before.flags & ~way.flags & told
        for edge in self.program.places[way.edge.src].edges:
            if edge.label == ("fight",):
                gains, losses, taken, rises = _spoils_of(edge)
                if not on & ~gains and not off & ~losses and not way.flags & taken and self._rises(way, rises):
                    return True
        return False

    def _rises(self, way: Way, most: dict[int, int]) -> bool:
        assert way.before is not None
        return not any(
            old is not None and new is not None and place != 1 and new - old > most.get(place, 0)
            for place, (old, new) in enumerate(zip(way.before.amounts, way.amounts, strict=True))
        )

    def _goal(self, way: Way) -> Goal:
        """What must be different after an encounter, from what the way says before and after it."""
        assert way.before is not None
        assert way.edge is not None
        gains, losses, _, places = _spoils_of(way.edge)
        told = ~way.open & ~way.before.open
        kept = way.flags & told & (gains & ~way.before.flags | losses)
        lost = way.before.flags & ~way.flags & told & losses
        least, most = [], []
        for place in places:
            old, new = way.before.amounts[place], way.amounts[place]
            if old is None or new is None or place == 1:
                continue
            if new > old or (new == old and place):
                least.append((self.program.names[place], new))
            else:
                most.append((self.program.names[place], new))
        return Goal(self._flags(kept), self._flags(lost), tuple(least), tuple(most))

    def _flags(self, mask: int) -> frozenset[tuple[str, str]]:
        return frozenset(self._names[1 << i] for i in range(mask.bit_length()) if mask >> i & 1)


def _spoils_of(edge: Edge) -> tuple[int, int, int, dict[int, int]]:
    """Flags that an edge through an encounter may set, may clear and surely clears; amounts with their most gain."""
    gains = losses = taken = 0
    amounts: dict[int, int] = {}
    for op in edge.ops:
        if op[0] in "sh":
            gains, losses = gains | op[1], losses | op[2]
            taken |= op[2] if op[0] == "s" else 0
        if op[0] == "h":
            amounts |= {place: rises for place, _, rises in op[3]}
        elif op[0] == "a":
            amounts[op[1]] = op[2]
    return gains, losses, taken, amounts
