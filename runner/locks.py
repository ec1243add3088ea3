"""A lock on an open file that its process loses when it ends, however it ends."""

from __future__ import annotations

import sys
from io import FileIO

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**30
    """A byte no save reaches: Windows locks keep others from reading what they cover."""

    def lock(file: FileIO) -> bool:
        """Take the file for this process; False if another process has it."""
        place = file.tell()
        try:
            file.seek(_FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(place)
        return True

else:
    import fcntl

    def lock(file: FileIO) -> bool:
        """Take the file for this process; False if another process has it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
