"""A lesser machine: `python -m tests.cli.without landlock|seccomp|mounts -m MODULE ARGUMENTS`.

A system-call filter refuses the call as such a kernel does, or such a host, for this process
and all it starts.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

from evaluators.sandbox.isolation.seccomp import Filter

_CREATE_RULESET = 444  # the same number on every architecture
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_REFUSED = {
    "landlock": (_CREATE_RULESET, errno.ENOSYS),
    "seccomp": (_SECCOMP.get(platform.machine(), 0), errno.EPERM),
    "mounts": (_UNSHARE.get(platform.machine(), 0), errno.EPERM),
}
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NO_NEW_PRIVILEGES = 38

if __name__ == "__main__":
    number, error = _REFUSED[sys.argv[1]]
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    Filter(
        [
            (_LOAD, 0, 0, 0),
            (_EQUAL, 0, 1, number),
            (_RETURN, 0, 0, _ERRNO | error),
            (_RETURN, 0, 0, _ALLOW),
        ]
    ).install()
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
