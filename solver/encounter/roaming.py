"""Nodes of her own turn, in which she may be on any space: one node serves for all of them.

Their rows are asked for by purse and space. A lane of such a node is ``space * lanes.size`` more than the lane that it
stands for.
"""

from __future__ import annotations

from solver.encounter.lanes import Lanes, Row, Value
from solver.encounter.nodes import Faces, Follow, Future, Node, Nodes, Place, answered, followed


class Roaming(Future):
    """Something that happens with her on any space."""

    __slots__ = ()

    closed = False
    """Whether eating food that heals first is never better. If it may be, rows are interned."""

    def fed(self, purse: int, space: int) -> Row:
        """The row where food that heals may be eaten first (HEAL-4)."""
        row = self.row(purse, space)
        return row if self.closed else self.lanes.sated(row)

    def row(self, purse: int, space: int) -> Row:
        """The value for every lane of a space."""
        raise NotImplementedError

    def at(self, purse: int, lane: int) -> Value:
        """The value of one lane."""
        space, lane = divmod(lane, self.lanes.size)
        value: Value = self.row(purse, space)[lane].item()
        return value


class Here(Node):
    """A roaming node with her on one space."""

    __slots__ = ("roaming", "space")

    def __init__(self, nodes: Nodes, roaming: Roaming, space: int) -> None:
        super().__init__(nodes)
        self.roaming = roaming
        self.space = space

    def work(self, purse: int) -> Row:
        """Its row for the space."""
        return self.roaming.row(purse, self.space)

    def fed(self, purse: int) -> Row:
        """The row, where that is fed already."""
        return self.row(purse) if self.roaming.closed else Node.fed(self, purse)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.roaming, purse, self.space * self.lanes.size + lane


class There(Roaming):
    """A node that knows where she is, or comes to be, wherever she was."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        super().__init__(node.lanes)
        self.node = node

    def row(self, purse: int, space: int) -> Row:
        """The same row for each space."""
        return self.node.row(purse)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.node, purse, lane % self.lanes.size


class Apart(Roaming):
    """Different things for different spaces, as masks."""

    __slots__ = ("closed", "parts")

    def __init__(self, lanes: Lanes, parts: tuple[tuple[int, Roaming], ...]) -> None:
        super().__init__(lanes)
        self.parts = parts
        self.closed = all(node.closed for _, node in parts)

    def row(self, purse: int, space: int) -> Row:
        """The row of the part that a space is in."""
        return self._part(space).row(purse, space)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self._part(lane // self.lanes.size), purse, lane

    def _part(self, space: int) -> Roaming:
        return next(node for mask, node in self.parts if mask >> space & 1)


class Kept(Roaming):
    """A node that keeps its rows."""

    __slots__ = ("memo",)

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        self.memo: dict[int, Row] = {}

    def row(self, purse: int, space: int) -> Row:
        """The row, worked out once; equal rows are one object."""
        key = purse << 4 | space
        row = self.memo.get(key)
        if row is None:
            row = self.memo[key] = self.lanes.interned(self.work(purse, space))
        return row

    def work(self, purse: int, space: int) -> Row:
        """Work the row out."""
        raise NotImplementedError


class Gained(Kept):
    """Action Points gained or lost, those in hand to 0 at most (AP-4)."""

    __slots__ = ("closed", "n", "then")

    def __init__(self, n: int, then: Roaming) -> None:
        super().__init__(then.lanes)
        self.n = n
        self.then = then
        self.closed = then.closed

    def work(self, purse: int, space: int) -> Row:
        """The row of the other purse."""
        then = self.then.row
        return self.lanes.changed(lambda purse: then(purse, space), purse, self.n)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.then, *self.lanes.change(purse, lane, self.n)


class Stocked(Kept):
    """A food gained or lost, within its bounds (HEAL-4)."""

    __slots__ = ("food", "n", "then")

    def __init__(self, food: int, n: int, then: Roaming) -> None:
        super().__init__(then.lanes)
        self.food = food
        self.n = n
        self.then = then

    def work(self, purse: int, space: int) -> Row:
        """The row of another purse or moved by the packs."""
        then = self.then.row
        return self.lanes.stocked(lambda purse: then(purse, space), purse, self.food, self.n)

    def lead(self, purse: int, lane: int) -> Place:
        """What follows."""
        return self.then, *self.lanes.stock(purse, lane, self.food, self.n)


class Rolled(Roaming):
    """A D20 of hers and what may be done after it is seen: food, then influence (CHAL-10)."""

    __slots__ = ("_followed", "faces", "outcomes")

    closed = True

    def __init__(self, faces: Faces, outcomes: tuple[Roaming, ...]) -> None:
        super().__init__(outcomes[0].lanes)
        self.faces = faces
        self.outcomes = outcomes
        self._followed: dict[int, Row] | None = None
        """Rows that single lanes were asked of: the best play comes back to them. No others are asked for twice."""

    def at(self, purse: int, lane: int) -> Value:
        """The value of one lane."""
        space, lane = divmod(lane, self.lanes.size)
        if self._followed is None:
            self._followed = {}
        row = self._followed.get(purse << 4 | space)
        if row is None:
            row = self._followed[purse << 4 | space] = self.row(purse, space)
        value: Value = row[lane].item()
        return value

    def row(self, purse: int, space: int) -> Row:
        """The mean over the faces of the best answer to each."""
        row = self.improving(purse, space, None)
        assert row is not None
        return row

    def improving(self, purse: int, space: int, instead: Row | None) -> Row | None:
        """The row, or ``None`` if nothing can be gained by it instead of something else."""
        rows = [node.fed if self.lanes.bites else node.row for node in self.outcomes]
        return answered(self.lanes, self.faces, rows, purse, space, instead=instead)

    def follow(self, purse: int, lane: int) -> Follow:
        """The best answers to every face."""
        return followed(self.lanes, self.faces, self.outcomes, purse, lane)
