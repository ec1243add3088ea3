"""What every test shares: a home of its own, and property tests that give the same verdict every time."""

import importlib.util
import os

import pytest
from hypothesis import settings

settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("CARDWALK_HYPOTHESIS", "ci"))

STORM = importlib.util.find_spec("stormpy") is not None
collect_ignore = [] if STORM else ["solver/test_storm.py"]


def pytest_report_header():
    """Say openly whether the comparisons with Storm take part."""
    return "storm: compared with" if STORM else "storm: not installed here, tests/solver/test_storm.py is left out"


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory):
    """Keep the saves, options and caches of whoever runs the tests apart from those of the tests."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"CARDWALK_{kind}_DIR", str(folder / kind.lower()))
        for name in ("NO_COLOR", "FORCE_COLOR", "CARDWALK_EXIT_AFTER_FIRST_PAINT"):
            patch.delenv(name, raising=False)
        yield folder
