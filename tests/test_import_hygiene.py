"""Who may import whom: runner → solver → story, and what a quick command must not wait for."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CODE = """
import importlib, sys
for name in sys.argv[1].split():
    importlib.import_module(name)
print("\\n".join(sorted({name.partition(".")[0] for name in sys.modules} | set(sys.modules))))
"""


def modules(package):
    """The dotted names of all modules below a folder, from its files."""
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def loaded_after(*names):
    """All modules that are loaded after importing these in a fresh interpreter."""
    run = subprocess.run(
        [sys.executable, "-c", CODE, " ".join(names)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("story", {"textual", "rich", "runner", "solver"}), ("solver", {"textual", "rich", "runner"})],
)
def test_a_package_loads_nothing_above_it(package, forbidden):
    names = list(modules(package))
    loaded = loaded_after(*names)
    assert set(names) <= loaded
    assert loaded & forbidden == set()


@pytest.mark.parametrize("slow", ["textual", "networkx", "ruamel"])
def test_the_command_line_starts_without(slow):
    assert slow not in loaded_after("runner.cli")


def test_random_numbers_stay_out_of_the_rules():
    assert loaded_after(*modules("story/playfield")) & {"random", "secrets"} == set()
