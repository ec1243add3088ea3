#!/usr/bin/env python3
"""Set up what the tests need, once and privately, and run them.

Without arguments: lint, format, types and the whole test suite. With arguments: pytest, with exactly these.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import subprocess
from pathlib import Path

import _environment

CHECKS = {
    "lint": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "tests": ("pytest", "-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"),
}


def from_here(argument: str) -> str:
    """The argument, its path made absolute if it names a file seen from the caller's folder."""
    path, colons, test = argument.partition("::")
    return f"{Path(path).resolve()}{colons}{test}" if not path.startswith("-") and Path(path).exists() else argument


def check_all(environment: _environment.Environment) -> int:
    """Run every check, the failed ones named at the end; 0 if all passed."""
    failed = []
    for name, (module, *arguments) in CHECKS.items():
        print(f"== {name}: {' '.join((module, *arguments))}", file=sys.stderr, flush=True)
        if subprocess.run(environment.module(module, *arguments), cwd=_environment.ROOT, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"Failed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    """Run the checks, or pytest with the given arguments; the exit status."""
    environment = _environment.ready("test")
    if not arguments:
        return check_all(environment)
    command = environment.module("pytest", *map(from_here, arguments))
    return subprocess.run(command, cwd=_environment.ROOT, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
