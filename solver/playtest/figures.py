"""Shares with their intervals, and quantiles of counted amounts."""

from __future__ import annotations

import math
from collections.abc import Mapping

Z95 = 1.959963984540054
"""The normal quantile of a two-sided interval of 95 %."""


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """The score interval of a share (Wilson, J. Amer. Statist. Assoc. 22, 1927); (0, 1) where nothing was counted."""
    if not of:
        return 0.0, 1.0
    share, square = count / of, z * z
    middle = share + square / (2 * of)
    half = z * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    whole = 1 + square / of
    low = 0.0 if count == 0 else max(0.0, (middle - half) / whole)
    return low, 1.0 if count == of else min(1.0, (middle + half) / whole)


def quantile(counts: Mapping[int, int], part: float) -> float:
    """The quantile of amounts that occurred so often, linear between neighbours; raises ValueError without any."""
    total = sum(counts.values())
    if not total:
        raise ValueError("no amounts")
    place = part * (total - 1)
    below, rest = int(place), place - int(place)
    low = _at(counts, below)
    return low + rest * (_at(counts, below + 1) - low) if rest else float(low)


def _at(counts: Mapping[int, int], place: int) -> int:
    """The amount at a 0-based place in order."""
    for amount in sorted(counts):
        place -= counts[amount]
        if place < 0:
            return amount
    raise AssertionError("the place lies within the counts")


def mean(counts: Mapping[int, int]) -> float:
    """The mean amount."""
    return sum(amount * n for amount, n in counts.items()) / sum(counts.values())
