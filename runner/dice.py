"""The program's dice: the n-th roll depends on the seed, the attempt and n alone, so that undo is no lottery."""

from __future__ import annotations

import secrets
from hashlib import sha256

from story.prompts import Roll

SEED_LIMIT = 2**63
"""Seeds are whole numbers from 0 up to, and without, this one."""

_RANGE = 2**64


def new_seed() -> int:
    """A seed nobody has chosen, short enough to be read out."""
    return secrets.randbelow(10**9)


def pick(seed: int, attempt: int, n: int, sides: int) -> int:
    """The n-th roll of a die with ``sides`` equally likely sides, 0 to ``sides`` - 1."""
    fair = _RANGE - _RANGE % sides
    draw = 0
    while True:
        digest = sha256(f"cardwalk/{seed}/{attempt}/{n}/{draw}".encode()).digest()
        number = int.from_bytes(digest[:8], "big")
        if number < fair:
            return number % sides
        draw += 1


def roll_face(roll: Roll, seed: int, attempt: int, n: int) -> str:
    """The answer to ``roll``, its faces as likely as their weights say."""
    left = pick(seed, attempt, n, sum(face.weight for face in roll.faces))
    for face in roll.faces:
        left -= face.weight
        if left < 0:
            return face.answer
    raise AssertionError("the weights of the faces add up to the sides of the die")
