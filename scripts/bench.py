#!/usr/bin/env python3
"""How fast Cardwalk is here: the machine, and medians of start-up, key to repaint, loading, one solve, and checks.

Start-up and keys are measured from outside, through a terminal of 80 by 24 (not on Windows, which has none to lend);
everything runs on a home of its own in a temporary folder. ``bench.py solver`` holds the exact solver against its bars,
for some minutes.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import _environment
import generate_decks
from _measure import Failed, Run, whole_run

BARE_APP = """
from textual.app import App, ComposeResult
from textual.widgets import Static

class Bare(App[int]):
    def compose(self) -> ComposeResult:
        yield Static("bare")
    def on_ready(self) -> None:
        self.exit(0)

Bare().run()
"""

LOAD = """
import sys, time
from story.load import load_campaign
began = time.perf_counter()
campaign = load_campaign(sys.argv[1])
print(time.perf_counter() - began)
"""

SIZE = (24, 80)
QUIET = 0.06
"""Seconds without output after which a repaint counts as complete."""

EXAMPLE = """\
format: cardwalk/1
kind: encounter
title: The rulebook's example
rounds: 1
hero: {space: 3, crit: 20, miss: 5, wounds: 0, wound_limit: 9, ap: 7, ap_reset: 7, actions: [stun, lob, dodge]}
enemies: [{card: nalu, space: 8}, {card: bahooka, space: 11}, {card: woopu, space: 15}]
enemy_cards:
  nalu:
    {name: Nalu, wounds: 5, attack: {type: surrounding, wounds: 2}, moves: 1, crit: 18, miss: 4, rewards: {ap: 2}}
  bahooka:
    name: Bahooka
    wounds: 2
    attack: {type: long, wounds: 1}
    moves: 1
    crit: 19
    miss: 4
    rewards: {ap: 3}
    instances: [{when: {defeated_in_round: 1}, instead: {ap: 2}}]
  woopu:
    name: Woopu
    wounds: 2
    attack: {type: long, wounds: 1}
    moves: 1
    crit: 15
    miss: 2
    traits: [cowardly]
    rewards: {ap: 1}
    instances: [{when: {retreats: true}, lose: {ap: 2}, at: next_round}]
"""


class Terminal:
    """A program in a terminal of its own, watched from the other end."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        if sys.platform == "win32":
            raise Failed("needs a terminal that can be lent to a program; Windows has none")
        import fcntl
        import pty
        import struct
        import termios

        self._end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self.output = b""

    def read(self, seconds: float) -> bool:
        """Take in what comes within some seconds; False if nothing does."""
        import select

        if not select.select([self._end], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self._end, 65536)
        except OSError:  # how Linux says that the other end is closed
            chunk = b""
        self.output += chunk
        return bool(chunk)

    def run_out(self) -> None:
        """Read until the program has ended. Raises Failed if it fails."""
        while self.read(30):
            pass
        if self.process.wait(timeout=30):
            raise Failed(f"exit status {self.process.returncode}: {self.tail()}")

    def settle(self, patience: float) -> float:
        """Read until the program is quiet; when its last output came (``time.perf_counter``). Raises Failed."""
        if not self.read(patience):
            raise Failed(f"no repaint within {patience:g} s: {self.tail()}")
        last = time.perf_counter()
        while self.read(QUIET):
            last = time.perf_counter()
        return last

    def press(self, key: str) -> float:
        """Seconds from a key to the end of the repaint it caused. Raises Failed if there is none."""
        began = time.perf_counter()
        os.write(self._end, key.encode())
        return self.settle(2) - began

    def tail(self) -> str:
        """The end of the output, as text."""
        return self.output.decode(errors="replace")[-300:].strip()

    def close(self) -> None:
        """End the program."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._end)


def seconds_of(command: Sequence[str], environment: dict[str, str]) -> float:
    """How long a program takes in a terminal, from its start to its end."""
    began = time.perf_counter()
    terminal = Terminal(command, environment)
    try:
        terminal.run_out()
        return time.perf_counter() - began
    finally:
        terminal.close()


def output_of(command: Sequence[str], environment: dict[str, str]) -> str:
    """What a program prints. Raises Failed."""
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    if run.returncode:
        raise Failed((run.stderr or run.stdout).strip()[-300:] or f"exit status {run.returncode}")
    return run.stdout


def startup(folder: Path, environment: dict[str, str], runs: int) -> str:
    """From the command to the first screen and out again, beside a bare Textual app measured in turn with it."""
    bare = folder / "bare.py"
    bare.write_text(BARE_APP, encoding="utf-8")
    commands = {"ours": [sys.executable, "-m", "runner"], "bare": [sys.executable, str(bare)]}
    environment = environment | {"CARDWALK_EXIT_AFTER_FIRST_PAINT": "1"}
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            seconds = seconds_of(command, environment)
            if turn:  # the first one warms the disk
                taken[name].append(seconds)
    ours, plain = (statistics.median(taken[name]) for name in ("ours", "bare"))
    return f"{ours * 1000:.0f} ms to the first screen; bare Textual app {plain * 1000:.0f} ms; ratio {ours / plain:.2f}"


def key(folder: Path, environment: dict[str, str], runs: int) -> str:
    """From a key to the end of its repaint, choosing and taking back on the starter's first card, saving as always."""
    terminal = Terminal([sys.executable, "-m", "runner", "play", "starter", "--seed", "1"], environment)
    try:
        terminal.settle(20)
        taken = [terminal.press(key) for _ in range(runs * 5) for key in ("1", "u")]
    finally:
        terminal.close()
    ms = sorted(seconds * 1000 for seconds in taken)
    p95 = ms[min(len(ms) - 1, round(0.95 * len(ms)))]
    return f"{statistics.median(ms):.0f} ms at the median, {p95:.0f} ms at the 95th percentile ({len(ms)} keys)"


def write_deck(folder: Path, cards: int) -> None:
    """A campaign of one chapter, its cards a long walk with a challenge here and there, and nothing wrong with it."""
    folder.mkdir()
    (folder / "campaign.yaml").write_text(
        "format: cardwalk/1\nkind: campaign\nid: long-walk\ntitle: A Long Walk\nauthor: bench\nlanguage: en\n"
        "chapters: [chapter-1.yaml]\nhero: {name: Walker, crit: 20, miss: 5, wound_limit: 9, ap: 7, ap_reset: 7}\n"
        "satchel:\n  uku: {name: Uku, holds: 4, ap: 1}\n",
        encoding="utf-8",
    )
    lines = ["format: cardwalk/1", "kind: story", "chapter: 1", "title: The Road", "start: 1", "cards:"]
    sentence = "The road goes on past the salt pans, and somebody has counted the stakes again and got another number."
    for card in range(1, cards + 1):
        on, far = min(card + 1, cards), min(card + 7, cards)
        lines += [f"  {card}:", f"    title: Mile {card}", "    text: |", *[f"      {sentence}"] * 3, "    steps:"]
        if card == cards:
            lines.append("      - ending: {id: home, title: Home, kind: victory}")
        elif card % 5 == 0:
            lines += [
                "      - challenge:",
                "          type: physical",
                "          level: 12",
                f"          succeed: {{reveal: {far}}}",
                f"          fail: [{{wound: 1}}, {{reveal: {on}}}]",
            ]
        else:
            lines += [
                "      - choose:",
                f"          - {{say: Walk on, reveal: {on}}}",
                f"          - {{say: Take the short cut, needs: {{ap: 1}}, cost: {{ap: 1}}, reveal: {far}}}",
            ]
    (folder / "chapter-1.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def load(folder: Path, environment: dict[str, str], runs: int) -> str:
    """A deck of 1,000 cards read, checked and frozen in a new process, without and with what the cache kept of it."""
    deck = folder / "deck"
    write_deck(deck, 1000)
    command = [sys.executable, "-c", LOAD, str(deck)]

    def once(cache: str) -> float:
        return float(output_of(command, environment | {"CARDWALK_CACHE_DIR": str(folder / cache)}))

    cold = statistics.median(once(f"cache-{run}") for run in range(max(3, runs // 2)))
    warm = statistics.median(once("cache-0") for _ in range(runs))
    return f"{cold:.2f} s cold, {warm:.2f} s warm (1,000 cards)"


def solve(folder: Path, environment: dict[str, str], runs: int) -> str:
    """The rulebook's example, one round of it, solved by ``cardwalk solve`` from start to end."""
    file = folder / "example.yaml"
    file.write_text(EXAMPLE, encoding="utf-8")
    taken, answer = [], {}
    for _ in range(max(1, runs // 3)):
        began = time.perf_counter()
        answer = json.loads(output_of([sys.executable, "-m", "runner", "solve", str(file), "--json"], environment))
        taken.append(time.perf_counter() - began)
    exact = "exact" if answer["exact"] else "not finished"
    return f"{statistics.median(taken):.2f} s, {answer['states']:,} states, {exact}, value {answer['value']}"


def check(folder: Path, environment: dict[str, str], runs: int) -> str:
    """Generated decks through ``cardwalk check``: the graph checks alone on a large one, all verdicts on hard ones."""
    turns = range(max(1, runs // 3))
    command = [sys.executable, "-m", "runner", "check", "--json"]

    def told(name: str, taken: list[Run], aim: int) -> str:
        seconds, processor = (
            statistics.median(getattr(run, word) for run in taken) for word in ("seconds", "processor")
        )
        return f"{name} {seconds:.2f} s, {processor:.2f} of the processor (aim {aim})"

    web = [*command, "--states", "0", str(generate_decks.write(generate_decks.web(), folder / "web"))]
    caches = [environment | {"CARDWALK_CACHE_DIR": str(folder / f"cache-{turn}")} for turn in turns]
    cold, warm = ([whole_run(web, own) for own in caches] for _ in range(2))
    parts = [told("10,000 cards:", cold, 3), told("cached", warm, 1)]
    parts.append(f"{max(run.memory for run in (*cold, *warm)):.0f} MB (aim 500)")
    hard = [("16 flags", generate_decks.flags(16), 1), ("60 flags", generate_decks.flags(60), 5)]
    hard += [("40 rooms", generate_decks.rooms(), 30), ("10,000 cards decided", generate_decks.web(), 8)]
    for name, files, aim in hard:
        deck = generate_decks.write(files, folder / name.replace(" ", "-"))
        taken = [whole_run([*command, "--seconds", "60", str(deck)], environment) for _ in turns]
        final = all(json.loads(run.output)["limit"] is None for run in taken)
        parts.append(f"{told(name, taken, aim)}{'' if final else ', verdicts not final'}")
    return "; ".join(parts)


def graph(folder: Path, environment: dict[str, str], runs: int) -> str:
    """Pages of ``cardwalk graph`` from start to end, without verdicts: one in layers, one of a tangle, in rows."""
    write_deck(folder / "walk", 1000)
    generate_decks.write(generate_decks.web(), folder / "web")
    parts = []
    for name, cards in (("walk", "1,000"), ("web", "10,000")):
        page = folder / f"{name}.html"
        command = [sys.executable, "-m", "runner", "graph", str(folder / name), "--no-verdicts", "-o", str(page)]
        taken = [whole_run(command, environment) for _ in range(max(1, runs // 3))]
        seconds = statistics.median(run.seconds for run in taken)
        drawn = "in rows" if "in rows" in taken[0].output else "in layers"
        parts.append(f"{cards} cards {seconds:.1f} s {drawn}, a page of {page.stat().st_size / 1e6:.1f} MB")
    return "; ".join(parts)


def solver(folder: Path, environment: dict[str, str], runs: int) -> str:
    """The exact solver against its bars, and against Storm where that is installed (``bench_solver``)."""
    from bench_solver import measure

    return measure(folder, environment, min(runs, 5))


BENCHES: dict[str, Callable[[Path, dict[str, str], int], str]] = {
    "startup": startup,
    "key": key,
    "load": load,
    "solve": solve,
    "check": check,
    "graph": graph,
    "solver": solver,
}
LONG = {"solver"}
"""Minutes long: taken only when asked for by name."""


def machine() -> str:
    """Processor, cores and Python, in one line."""
    name = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        models = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"


def main() -> int:
    """Take the measurements that were asked for; 1 if one could not be taken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", default="all", choices=["all", *BENCHES], help="default: all but solver")
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="runs for each median (default 9)")
    arguments = parser.parse_args()
    print(f"machine  {machine()}", flush=True)
    failed = False
    for name, bench in BENCHES.items():
        if arguments.what != name and (arguments.what != "all" or name in LONG):
            continue
        with tempfile.TemporaryDirectory(prefix="cardwalk-bench-") as temporary:
            folder = Path(temporary)
            home = {f"CARDWALK_{kind.upper()}_DIR": str(folder / kind) for kind in ("data", "config", "cache")}
            environment = os.environ | home | {"TERM": "xterm-256color", "PYTHONPATH": str(_environment.ROOT)}
            try:
                print(f"{name:8} {bench(folder, environment, max(1, arguments.runs))}", flush=True)
            except (Failed, subprocess.TimeoutExpired, ValueError, KeyError) as error:
                failed = True
                print(f"{name:8} not measured: {' '.join(str(error).split())}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    if importlib.util.find_spec("textual") is None:
        _environment.become([str(_environment.ready().python), __file__, *sys.argv[1:]])
    sys.exit(main())
