"""What the compiled form refuses, and how it is stopped."""

from __future__ import annotations


class NotCovered(Exception):
    """The compiled form does not cover the position; the text names the feature. The reference solver does."""


class Stopped(Exception):
    """The time is over or the caller asked to stop."""


class Full(Stopped):
    """There is no more room for what is worked out."""


class Paused(Exception):
    """A slice of the search is over."""
