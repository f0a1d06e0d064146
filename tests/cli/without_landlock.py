"""A machine without Landlock: `python -m tests.cli.without_landlock -m MODULE ARGUMENTS`.

A system-call filter answers as such a kernel does, for this process and all it starts.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

from evaluators.sandbox.seccomp import Filter

_CREATE_RULESET = 444  # the same number on every architecture
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NO_NEW_PRIVILEGES = 38

if __name__ == "__main__":
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    Filter(
        [
            (_LOAD, 0, 0, 0),
            (_EQUAL, 0, 1, _CREATE_RULESET),
            (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
            (_RETURN, 0, 0, _ALLOW),
        ]
    ).install()
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
