"""Whole processes measured from outside, for the benches."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple


class Failed(Exception):
    """A measurement that could not be taken, and why."""


class Run(NamedTuple):
    """What a program printed, its seconds, those of the processor, and the most memory it held in MB (0 on Windows)."""

    output: str
    seconds: float
    processor: float
    memory: float
    ended: bool = False
    """Ended before it was done: the figures are the least that it takes."""


def whole_run(command: Sequence[str], environment: dict[str, str], limit: float | None = None) -> Run:
    """Run a program from start to end, or for so many seconds. Raises Failed."""
    processor = memory = 0.0
    ended = threading.Event()

    def end() -> None:
        ended.set()
        process.kill()

    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
        timer = threading.Timer(limit or threading.TIMEOUT_MAX, end)
        timer.start()
        if sys.platform == "win32":
            process.wait()
        else:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            processor = usage.ru_utime + usage.ru_stime
            memory = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e6 / 1024)
        seconds = time.perf_counter() - began
        timer.cancel()
        output.seek(0)
        text = output.read()
    if process.returncode and not ended.is_set():
        raise Failed(f"exit status {process.returncode}: {text[-300:]}")
    return Run(text, seconds, processor, memory, ended.is_set())
