"""What more than one command reads from the command line in the same way."""

from __future__ import annotations

import argparse
import math


def seconds(text: str) -> float:
    """A time limit; raises ArgumentTypeError."""
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not (math.isfinite(limit) and limit > 0):
        raise argparse.ArgumentTypeError(f"'{text[:40]}': a number of seconds above 0 is needed, such as 10 or 0.5")
    return limit
