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


def whole(text: str, least: int, most: int, what: str) -> int:
    """A whole number; ``what`` says what is wanted. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"'{text[:40]}': {what} from {least} to {most} is needed")
    return int(text)
