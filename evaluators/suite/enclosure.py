"""Shuts itself in, then becomes pytest. Run by path: `python -I -S enclosure.py SETTINGS`.

Tests need files and often processes of their own, so this is weaker than the jail of a
candidate: what stays out is home, keys, the network, and every folder but one for writing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any  # the settings, as JSON

ROOT = str(Path(__file__).resolve().parents[2])

sys.path.insert(0, ROOT)
from evaluators.sandbox import landlock, seccomp  # noqa: E402
from evaluators.sandbox.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG, prctl  # noqa: E402

_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "add_key": (248, 217),
    "bind": (49, 200),
    "bpf": (321, 280),
    "connect": (42, 203),
    "io_uring_setup": (425, 425),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "perf_event_open": (298, 241),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "setns": (308, 268),
    "socket": (41, 198),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
"""System calls by name, with their numbers on x86-64 and arm64. `socketpair` stays."""

_KILL = 9
_SHARED = ("/usr/share/zoneinfo", "/etc/localtime", "/usr/bin", "/bin", "/usr/lib", "/lib")


def main(settings: dict[str, Any]) -> None:
    """Give up what the tests do not need, and run the command."""
    prctl(PR_SET_PDEATHSIG, _KILL)
    seconds = int(settings["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (settings["memory"],) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (settings["file"],) * 2)
    if settings["isolation"] == "jail":
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        readable = [*landlock.python_paths(), *_SHARED, *settings["readable"]]
        landlock.restrict(readable, workshop=[settings["scratch"]])
        seccomp.refusing(_REFUSED).install()
    os.chdir(settings["folder"])
    command = settings["command"]
    os.execve(command[0], command, settings["environment"])  # noqa: S606


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
