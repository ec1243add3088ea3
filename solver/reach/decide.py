"""Deciding targets one way or the other: a wide look, then abstractions made finer where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from solver.reach.closer import Closer
from solver.reach.flow import Holds, may
from solver.reach.guards import MAYBE, YES, literals
from solver.reach.places import Edge
from solver.reach.program import Program
from solver.reach.replay import Replay
from solver.reach.scout import scout
from solver.reach.search import Limits, Search, Towards, Way, missing_in
from solver.reach.vocabulary import Stopped

Verdict = Literal["reached", "unreachable", "unknown"]

ROUNDS = 60
"""How often an abstraction is made finer for one target."""


class Judge:
    """Verdicts on targets, each found once."""

    def __init__(
        self,
        program: Program,
        holds: dict[int, Holds],
        limits: Limits,
        stopped_by: Callable[[], str] = lambda: "",
    ) -> None:
        self.program = program
        self.holds = holds
        self.limits = limits
        self.stopped_by = stopped_by
        """What has ended the search before its time, in words; empty if nothing has."""
        self.closer = Closer(program, holds, limits.over)
        self.replay = Replay(program, limits.done, self.closer)
        self.verdicts: dict[str, Verdict] = {}
        self.ways: dict[str, list[str]] = {}
        self.kept: dict[int, list[Way]] = {}
        self.reasons: dict[str, str] = {}
        """Why a target is unknown."""
        self.traps_open = ""
        """What kept it from being proven that there are no other traps than those found; empty if it is."""
        self._tries: dict[str, int] = {}

    def look(self, targets: Iterable[str], states: int) -> None:
        """The wide look; what no invariant allows is unreachable at once."""
        wanted = set(targets)
        try:
            possible = {hit for number in self.holds for edge in self._edges(number) for hit in edge.hits}
        except Stopped:
            return
        possible |= set(self.program.start[1])
        for target in wanted - possible:
            self._refute(target)
        wanted &= possible
        left = self.limits.left
        share = states if left is None else min(states, max(0, left - self.limits.spent))
        limits = Limits(share, self.limits.over)
        scout(self.program, self.holds, wanted, self._met, limits, self.kept)
        self.limits.spent += limits.spent

    def _edges(self, number: int) -> list[Edge]:
        self.program.poll()
        here = self.holds[number]
        return [edge for edge in self.program.places[number].edges if may(edge.guard, here)]

    def _met(self, hit: str, way: Way) -> bool:
        """A target met by a search in every detail: reached if the real table agrees."""
        if hit.startswith(("true ", "false ")) and not _fought(way):
            self.verdicts[hit] = "reached"
            return True
        if self._tries.get(hit, 0) >= 12:
            return False
        self._tries[hit] = self._tries.get(hit, 0) + 1
        return self._reached(hit, way)

    def _reached(self, hit: str, way: Way) -> bool:
        if hit.startswith("option ") and not self.program.cut:
            # The table takes what it offers: nothing need be worked out beyond the option.
            answers = self.replay.offered(way)
            if answers is not None:
                self.verdicts[hit] = "reached"
                self.ways[hit] = answers
            return answers is not None
        played = self.replay.play(way)
        if played is None or not self.replay.shows(hit, way, played):
            return False
        self.verdicts[hit] = "reached"
        self.ways[hit] = self.replay.answers(played)
        return True

    def _refute(self, target: str) -> Verdict:
        """No way leads there: proven, unless the graph is not whole."""
        chapter = target.split(" ")[1].split(":")[0]
        before_tavern = self.program.tavern and chapter.isdecimal() and int(chapter) < self.program.tavern
        verdict: Verdict = "unknown" if self.program.cut and not before_tavern else "unreachable"
        if verdict == "unknown":
            self.reasons[target] = self.program.cut
        self.verdicts[target] = verdict
        return verdict

    def decide(self, target: str, share: int | None = None) -> Verdict:
        """Refine until a way that can be walked is found, or until there is none; ``share``: its most states."""
        if target in self.verdicts:
            return self.verdicts[target]
        if self.limits.done():
            self.verdicts[target] = "unknown"
            return "unknown"
        try:
            towards = Towards(self.program, self.holds, {target})
        except Stopped:
            self.verdicts[target] = "unknown"
            return "unknown"
        flags, amounts = self._first_guess(target, towards)
        reason = ""
        told = self.closer.told
        for _ in range(ROUNDS):
            if self.limits.done() or (share is not None and share <= 0):
                reason = ""
                break
            search = Search(self.program, self.holds, flags, amounts, towards)
            left = None if self.limits.left is None else self.limits.left - self.limits.spent
            limits = Limits(min((n for n in (share, left) if n is not None), default=None), self.limits.over)
            complete = search.run(limits)
            self.limits.spent += limits.spent
            share = None if share is None else share - limits.spent
            way = search.found.get(target)
            if way is None:
                if complete:
                    return self._refute(target)
                reason = ""
                break
            if any(step.edge is not None and step.edge.label[:1] == ("tavern",) for step in way.steps()):
                reason = self.program.cut
                break
            lacking = missing_in(self.program, way)
            if lacking is None:
                if (target.startswith(("true ", "false ")) and not _fought(way)) or self._reached(target, way):
                    self.verdicts[target] = "reached"
                    return "reached"
                if self.closer.told > told:
                    told = self.closer.told
                    towards = Towards(self.program, self.holds, {target})
                    continue
                reason = self.replay.stopped_by or "a way that the table does not allow"
                lacking = 0, frozenset()
            more, others = lacking[0] & ~flags, lacking[1] - amounts
            if not more and not others:
                more = self.program.read_flags & ~flags
                others = self.program.read_amounts - amounts
                if not more and not others:
                    break
            flags |= more
            amounts = self._closed(amounts | others)
        self.reasons[target] = reason
        self.verdicts[target] = "unknown"
        return "unknown"

    def _first_guess(self, target: str, towards: Towards) -> tuple[int, frozenset[int]]:
        """What the edges to the target ask for and the invariants leave open."""
        flags, amounts = 0, set()
        for number, edges in towards.edges.items():
            for edge in edges:
                if target in edge.hits and may(edge.guard, self.holds[number]) == MAYBE:
                    for literal in literals(edge.guard):
                        if may(literal, self.holds[number]) != YES:
                            if literal[0] == "f":
                                flags |= literal[1]
                            else:
                                amounts.add(literal[1])
        return flags, self._closed(frozenset(amounts))

    def _closed(self, amounts: frozenset[int]) -> frozenset[int]:
        """With the amounts that these are set to."""
        if 1 in amounts and any(place.kind == "fight" for place in self.program.places):
            return amounts | {2}
        return amounts


def _fought(way: Way) -> bool:
    """Whether an encounter lies on a way."""
    return any(step.edge is not None and step.edge.label == ("fight",) for step in way.steps())
