"""A lock on an open file that its process loses when it ends, however it ends."""

from __future__ import annotations

import sys
from io import FileIO

if sys.platform == "win32":
    import msvcrt
    from contextlib import suppress

    _FAR = 2**30
    """A byte no save reaches: Windows locks keep others from reading what they cover."""

    def lock(file: FileIO) -> bool:
        """Take the file for this process; False if another process has it. Raises OSError if it cannot be locked."""
        try:
            _at_far(file, msvcrt.LK_NBLCK)
        except PermissionError:
            return False
        return True

    def close(file: FileIO) -> None:
        """Let go of the file and close it, unless it is: closed alone, Windows frees it in its own time."""
        if not file.closed:
            with suppress(OSError):
                _at_far(file, msvcrt.LK_UNLCK)
            file.close()

    def _at_far(file: FileIO, mode: int) -> None:
        place = file.tell()
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), mode, 1)
        finally:
            file.seek(place)

else:
    import fcntl

    def lock(file: FileIO) -> bool:
        """Take the file for this process; False if another process has it. Raises OSError if it cannot be locked."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(file: FileIO) -> None:
        """Let go of the file and close it, unless it is."""
        file.close()
