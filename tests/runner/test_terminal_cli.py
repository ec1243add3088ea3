"""The interface in a terminal that is lent to the process."""

import os
import subprocess
import sys
import threading

import pytest

from runner.app import EXIT_AFTER_FIRST_PAINT


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of POSIX")
@pytest.mark.parametrize("closed", [False, True])
def test_the_screen_is_drawn_where_standard_error_is_no_terminal(closed, tmp_path, data_folder):
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    log = tmp_path / "log"
    redirection = "2>&-" if closed else f"2>'{log}'"
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"'{sys.executable}' -m runner {redirection}"],
        stdin=theirs,
        stdout=theirs,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), EXIT_AFTER_FIRST_PAINT: "1"},
        cwd=tmp_path,
    )
    os.close(theirs)
    patience = threading.Timer(30, process.kill)
    patience.start()
    drawn = b""
    try:
        while chunk := os.read(ours, 65536):
            drawn += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(ours)
        patience.cancel()
    assert process.wait(timeout=30) == 0
    assert b"\x1b[?1049h" in drawn, "the other screen of the terminal is never asked for"
    assert closed or log.read_bytes() == b""
