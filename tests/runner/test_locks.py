"""Locks on saves: by this platform's means, and by those of Windows, whose C runtime is played by a table."""

import errno
import importlib.util
import os
import sys
from io import FileIO
from types import ModuleType

import pytest

from runner import locks

FAR = 2**30


class Msvcrt(ModuleType):
    """``msvcrt.locking`` as it is documented: regions from the file's position, each held by one handle at a time."""

    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self):
        super().__init__("msvcrt")
        self.held = {}
        self.trouble = None

    def locking(self, fd, mode, nbytes):
        if self.trouble is not None:
            raise self.trouble
        region = (os.fstat(fd).st_ino, os.lseek(fd, 0, os.SEEK_CUR), nbytes)
        if mode == self.LK_UNLCK:
            if self.held.get(region) != fd:
                raise PermissionError(errno.EACCES, "Permission denied")
            del self.held[region]
        elif region in self.held:
            raise PermissionError(errno.EACCES, "Permission denied")
        else:
            self.held[region] = fd


@pytest.fixture
def msvcrt():
    return Msvcrt()


@pytest.fixture
def windows(monkeypatch, msvcrt):
    """The module as Windows reads it."""
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    spec = importlib.util.spec_from_file_location("locks_of_windows", locks.__file__)
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def two(tmp_path):
    """Two handles on one file, each past its first bytes."""
    (tmp_path / "save").write_bytes(b"0123456789")
    files = [FileIO(tmp_path / "save", "r+") for _ in range(2)]
    for file in files:
        file.seek(4)
    yield files
    for file in files:
        file.close()


def test_windows_locks_a_byte_beyond_every_save_and_frees_it_before_closing(windows, msvcrt, two):
    first, second = two
    assert windows.lock(first)
    assert not windows.lock(second)
    assert [place for _, place, _ in msvcrt.held] == [FAR]
    assert (first.tell(), second.tell()) == (4, 4)
    assert first.read(2) == b"45"
    windows.close(first)
    assert first.closed
    assert not msvcrt.held
    assert windows.lock(second)
    windows.close(second)
    windows.close(second)


def test_windows_tells_a_file_that_cannot_be_locked_from_one_that_is(windows, msvcrt, two):
    msvcrt.trouble = OSError(errno.EINVAL, "Invalid argument")
    with pytest.raises(OSError, match="Invalid argument"):
        windows.lock(two[0])
    assert two[0].tell() == 4
    windows.close(two[0])
    assert two[0].closed


def test_one_handle_at_a_time_has_a_file(two):
    first, second = two
    assert locks.lock(first)
    assert not locks.lock(second)
    locks.close(first)
    assert locks.lock(second)
    locks.close(second)
    locks.close(second)
