"""Who plays the games: this process, several of this machine, or the workers of a cluster. All come to the same."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from solver.playtest.game import ANSWERS, Route, play_game, route
from solver.playtest.tally import Tally, add_game
from solver.policies import Policy, policy
from story.cards import Campaign, EncounterFile

CHUNK = 50
"""Games that are handed out at once, at most."""

MOST_CHUNKS = 20_000

CONNECT = "10s"
"""How long a cluster's scheduler may take to answer."""

Progress = Callable[[int], None]
"""Is told how many games have been played."""


class CrewError(Exception):
    """The games could not be played there; its text is one line."""


@dataclass(frozen=True)
class Job:
    """Games 0 to ``runs`` - 1 of a seed."""

    deck: Campaign | EncounterFile
    policy: str
    runs: int
    seed: int
    answers: int = ANSWERS


def usable_cores() -> int:
    """How many processes this machine runs side by side for us."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Player:
    """A deck laid out, a policy, and the games played with both."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.route: Route = route(job.deck)
        self.policy: Policy = policy(job.policy, self.route.table.library)

    def play(self, numbers: range) -> Tally:
        """Play some of the games."""
        tally = Tally()
        for number in numbers:
            game = play_game(self.route, self.policy, self.job.seed, number, answers=self.job.answers)
            add_game(tally, game, number)
        return tally


def play_all(
    job: Job, *, workers: int | None = None, scheduler: str | None = None, progress: Progress | None = None
) -> Tally:
    """Play every game of a job; raises CrewError where workers or a cluster fail."""
    if scheduler is not None:
        tallies = _on_cluster(job, scheduler)
    else:
        crew = min(usable_cores() if workers is None else workers, job.runs)
        tallies = _here(job) if crew <= 1 else _in_processes(job, crew)
    total = Tally()
    for tally in tallies:
        total.merge(tally)
        if progress is not None:
            progress(total.games)
    return total


def chunks(job: Job, crew: int) -> list[range]:
    """The games in pieces, small enough that nobody waits long for the last."""
    size = max(1, min(CHUNK, job.runs // (crew * 8)), job.runs // MOST_CHUNKS)
    return [range(first, min(job.runs, first + size)) for first in range(0, job.runs, size)]


def _here(job: Job) -> Iterator[Tally]:
    player = Player(job)
    for numbers in chunks(job, 1):
        yield player.play(numbers)


# ---------------------------------------------------------------- processes

_player: Player | None = None
"""A worker process lays its deck out once."""


def _enlist(job: Job) -> None:
    global _player
    _player = Player(job)


def _play(numbers: range) -> Tally:
    assert _player is not None
    return _player.play(numbers)


def _in_processes(job: Job, crew: int) -> Iterator[Tally]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    others = set(multiprocessing.active_children())
    # Spawned, not forked: the same on every system, and no thread of ours is copied in the middle of something.
    pool = ProcessPoolExecutor(crew, multiprocessing.get_context("spawn"), _enlist, (job,))
    try:
        with _interrupts_put_off():
            futures = [pool.submit(_play, numbers) for numbers in chunks(job, crew)]
        for future in as_completed(futures):
            yield future.result()
        pool.shutdown()
    except BrokenProcessPool:
        raise CrewError("a worker process ended unexpectedly (out of memory?); fewer --workers may help") from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        ours = set(multiprocessing.active_children()) - others
        for process in ours:
            process.terminate()
        for process in ours:
            process.join(1)
        raise


@contextlib.contextmanager
def _interrupts_put_off() -> Iterator[None]:
    """Processes started meanwhile leave Ctrl-C to this one, which gets what was pressed at the end."""
    if threading.current_thread() is not threading.main_thread():
        yield
    elif hasattr(signal, "pthread_sigmask"):
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    else:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


# ---------------------------------------------------------------- a cluster


_kept = threading.local()


def play_part(job: Job, numbers: range) -> Tally:
    """What a worker of a cluster does; each of its threads lays the deck out once."""
    player: Player | None = getattr(_kept, "player", None)
    if player is None or player.job is not job:
        player = _kept.player = Player(job)
    return player.play(numbers)


def _on_cluster(job: Job, scheduler: str) -> Iterator[Tally]:
    try:
        from distributed import Client, as_completed
        from distributed.comm import get_address_host_port
    except ImportError:
        raise CrewError("--scheduler needs Dask: pip install 'cardwalk[cluster]'") from None
    try:
        # A client that was given no address at all would not only fail but complain again when it is forgotten.
        get_address_host_port(scheduler)
        client: Any = Client(scheduler, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        # Dask's TimeoutError is an OSError.
        raise CrewError(f"no scheduler answers at {scheduler} ({_one_line(error)})") from None
    try:
        yield from _with_client(client, as_completed, job)
    finally:
        client.close()


def _with_client(client: Any, as_completed: Any, job: Job) -> Iterator[Tally]:
    """Hand the games to a Dask client's workers."""
    crew = sum(client.nthreads().values())
    if not crew:
        raise CrewError("the cluster has no workers")
    futures: list[Any] = []
    try:
        shared = client.scatter(job, broadcast=True, hash=False)
        # Not pure: a cluster may not answer with what it remembers of another version of the rules.
        futures += [client.submit(play_part, shared, numbers, pure=False) for numbers in chunks(job, crew)]
        for future in as_completed(futures, loop=client.loop):
            yield future.result()
    except Exception as error:
        raise CrewError(f"the cluster failed: {_one_line(error)}") from None
    finally:
        client.cancel(futures)


def _one_line(error: BaseException) -> str:
    text = " ".join(f"{error}".split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
