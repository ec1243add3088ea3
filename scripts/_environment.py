"""The private environment in ``.venv`` for play.py and test.py: made once, checked in milliseconds, mended when broken.

Only the standard library is used here. What makes an environment good is written into a stamp after everything else,
so an interrupted installation is never taken for a finished one.
"""

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = os.name == "nt"
PROMPT = "cardwalk"
"""How an environment made here names itself."""

WELCOME = {"test": ("storm", "stormpy")}
"""For an extra, another that is installed beside it where its package has a wheel, and done without elsewhere."""

NETWORK_SIGNS = (
    "Failed to establish a new connection",
    "name resolution",
    "NewConnectionError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "Network is unreachable",
    "getaddrinfo failed",
)


class SetupError(Exception):
    """Why no environment could be made, in one line for the person at the keyboard."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment in a folder, whether or not it is there yet."""

    folder: Path

    @property
    def programs(self) -> Path:
        """The folder of its programs."""
        return self.folder / ("Scripts" if WINDOWS else "bin")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.programs / ("python.exe" if WINDOWS else "python")

    @property
    def stamp(self) -> Path:
        """The file that says what was installed, written when all of it was."""
        return self.folder / "cardwalk.json"

    def command(self, program: str, *arguments: str) -> list[str]:
        """The command line of an installed program (the working folder is not on its import path)."""
        if WINDOWS:
            return [str(self.programs / f"{program}.exe"), *arguments]
        return [str(self.python), str(self.programs / program), *arguments]

    def module(self, name: str, *arguments: str) -> list[str]:
        """The command line of an installed module."""
        return [str(self.python), "-m", name, *arguments]

    def packages(self) -> set[str]:
        """The installed distributions, as the names of their metadata folders."""
        libraries = self.folder / "Lib" if WINDOWS else next(self.folder.glob("lib/python3.*"), self.folder)
        try:
            return {
                entry.name for entry in os.scandir(libraries / "site-packages") if entry.name.endswith(".dist-info")
            }
        except OSError:
            return set()


def become(command: list[str]) -> NoReturn:
    """Go on as another program, in this very process where the system can: keys and signals then reach it directly."""
    if not WINDOWS:
        os.execv(command[0], command)
    try:
        sys.exit(subprocess.run(command, check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(130)


def ready(extra: str = "") -> Environment:
    """The environment with the project and the named extra installed; exits with one line if that cannot be had."""
    environment = Environment(ROOT / ".venv")
    if is_good(environment, extra):
        return environment
    try:
        with alone():
            if not is_good(environment, extra):
                build(environment, extra)
    except SetupError as error:
        sys.exit(f"Cardwalk: {error}")
    except KeyboardInterrupt:
        print("\nCardwalk: set-up interrupted; the next run starts it afresh.", file=sys.stderr)
        sys.exit(130)
    return environment


@functools.cache
def recipe() -> dict[str, str]:
    """What an environment is made from: the Python version, the folder, what pyproject.toml asks to install."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    asked = [project["build-system"], project["project"], project["tool"]["setuptools"]]
    return {
        "python": f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}",
        "folder": str(ROOT),
        "project": hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest(),
    }


def read_stamp(environment: Environment) -> dict[str, object]:
    """The stamp, empty if there is none or it cannot be read."""
    try:
        stamp = json.loads(environment.stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def is_intact(environment: Environment, stamp: dict[str, object]) -> bool:
    """Whether the environment was finished by this Python for this folder, and still has all it had then."""
    wanted, had = recipe(), stamp.get("packages")
    return (
        all(stamp.get(key) == wanted[key] for key in ("python", "folder"))
        and isinstance(had, list)
        and set(had) <= environment.packages()
        and os.access(environment.python, os.X_OK)
        and (environment.programs / ("cardwalk.exe" if WINDOWS else "cardwalk")).exists()
    )


def is_good(environment: Environment, extra: str) -> bool:
    """Whether nothing needs to be installed."""
    stamp = read_stamp(environment)
    return (
        bool(stamp)
        and stamp.get("project") == recipe()["project"]
        and stamp.get("extra") in {extra, "test"}
        and is_intact(environment, stamp)
    )


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hold off a second set-up of the same folder until this one is done, where the system has file locks."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):  # a network folder may know no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(environment: Environment, extra: str) -> None:
    """Make the environment, or bring it up to date, and stamp it. Raises SetupError."""
    if os.path.lexists(environment.folder) and not environment.folder.is_dir():
        raise SetupError(f"{environment.folder} is not a folder; move it away and run this again.")
    intact = is_intact(environment, read_stamp(environment))
    print(
        f"Cardwalk: {'updating' if intact else 'setting up'} {environment.folder} (once; takes a minute) …",
        file=sys.stderr,
    )
    try:
        environment.stamp.unlink(missing_ok=True)
        if not intact and not belongs_to_someone(environment):
            create(environment)
        install(environment, extra)
        stamp = {**recipe(), "extra": extra, "packages": sorted(environment.packages())}
        draft = environment.stamp.with_suffix(".new")
        draft.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
        draft.replace(environment.stamp)
    except PermissionError as error:
        place = error.filename or ROOT
        raise SetupError(
            f"{place} cannot be written; copy the project to a folder of your own and run it there."
        ) from error
    except OSError as error:
        raise SetupError(f"{environment.folder} could not be made: {error}") from error


def belongs_to_someone(environment: Environment) -> bool:
    """Whether a working environment is there that these scripts did not make: it is installed into, never deleted."""
    try:
        settings = (environment.folder / "pyvenv.cfg").read_text(encoding="utf-8")
        if f"prompt = {PROMPT!r}" in settings:
            return False
        pip = [str(environment.python), "-I", "-m", "pip", "--version"]
        return subprocess.run(pip, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def create(environment: Environment) -> None:
    """Make an empty environment with pip, over whatever half-made one is there. Raises SetupError, OSError."""
    missing = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if missing:
        raise SetupError(
            f"this Python lacks the module {missing[0]}, which private environments need; "
            f"on Debian or Ubuntu: sudo apt install python3.{sys.version_info.minor}-venv"
        )
    import venv

    try:
        venv.EnvBuilder(with_pip=True, clear=True, symlinks=not WINDOWS, prompt=PROMPT).create(environment.folder)
    except subprocess.CalledProcessError as error:
        raise SetupError(f"pip could not be put into {environment.folder} (exit status {error.returncode}).") from error


def install(environment: Environment, extra: str) -> None:
    """Install the project, editable, with the extra and all it depends on. Raises SetupError."""
    run = pip_install(environment, "--retries", "2", "--editable", f"{ROOT}[{extra}]" if extra else str(ROOT))
    if run.returncode == 0:
        welcome(environment, extra)
        compile_packages(environment)
        return
    said = run.stdout + run.stderr
    log = environment.folder / "set-up.log"
    log.write_text(said, encoding="utf-8")
    if any(sign in said for sign in NETWORK_SIGNS):
        raise SetupError(
            f"the packages could not be fetched; connect to a network once and run this again (details: {log})."
        )
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    why = errors[0] if errors else f"exit status {run.returncode}"
    raise SetupError(f"the packages could not be installed: {why} (details: {log}).")


def welcome(environment: Environment, extra: str) -> None:
    """Install what is welcome beside an extra; say so if it cannot be had."""
    if extra not in WELCOME:
        return
    other, package = WELCOME[extra]
    run = pip_install(environment, "--only-binary", package, "--editable", f"{ROOT}[{other}]")
    if run.returncode:
        print(f"Cardwalk: {package} cannot be had here; what needs it is left out.", file=sys.stderr)


def compile_packages(environment: Environment) -> None:
    """Compile the project as pip compiles what it copies, for a quick first start; a folder that is closed stays so."""
    command = environment.module("compileall", "-q", "story", "solver", "runner")
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


def pip_install(environment: Environment, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pip in the environment, and nowhere else."""
    pip = [str(environment.python), "-I", "-m", "pip", "install", "--no-user", "--no-input"]
    return subprocess.run(
        [*pip, "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
