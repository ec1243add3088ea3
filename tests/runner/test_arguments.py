"""What several commands read from the command line in one way."""

import pytest

from runner.cli import main


@pytest.mark.parametrize("command", ["check", "graph", "solve"])
@pytest.mark.parametrize("limit", ["0", "-2", "nan", "inf", "1e999", "soon", "9s", "x" * 5000])
def test_a_time_limit_that_is_none_is_told_in_one_line(capsys, command, limit):
    assert main([command, "x.yaml", "--seconds", limit]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    said = f"{command}: argument --seconds: '{limit[:40]}': a number of seconds above 0 is needed, such as 10 or 0.5"
    assert line == said
