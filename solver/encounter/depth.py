"""Room for the search, which calls itself thousands of times over."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

DEEPEST = 200_000
"""Calls within calls."""

P = ParamSpec("P")
T = TypeVar("T")


class _Limit:
    """The recursion limit, which all threads share: raised while any of them searches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._searching = 0
        self._before = 0

    def raised(self) -> None:
        with self._lock:
            if not self._searching:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, DEEPEST))
            self._searching += 1

    def lowered(self) -> None:
        with self._lock:
            self._searching -= 1
            if not self._searching:
                sys.setrecursionlimit(self._before)


_limit = _Limit()


def deeply(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that recurses deeply."""
    _limit.raised()
    try:
        return function(*args, **kwargs)
    finally:
        _limit.lowered()


# CPython keeps the frames of calls in chunks of 16 kB and gives a chunk back to the operating system whenever the calls
# in it are over: going to and fro over such an edge took a tenth of the search. The frame of ``deeply`` says that it
# needs 8 MB, so that a chunk of 16 MB is made for it, and the frames of the search fit into the rest; memory that is
# not touched costs nothing.
deeply.__code__ = deeply.__code__.replace(co_stacksize=(1 << 20) + 1)
