"""Shuts itself in, then becomes a tool. Run by path: `python -I -S confine.py SETTINGS`.

The tools are pytest and compilers, which need files and processes of their own. So this is
weaker than the jail of a candidate: what stays out is home, keys, the network, and every folder
but one for writing. Some need locks and queues between their processes as well: these get an
empty place for shared memory, where the host permits it.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any  # the settings, as JSON

ROOT = str(Path(__file__).resolve().parents[3])

sys.path.insert(0, ROOT)
from evaluators.sandbox.isolation import landlock  # noqa: E402
from evaluators.sandbox.isolation.own_mounts import SHARED, own_shared_memory  # noqa: E402
from evaluators.sandbox.isolation.syscalls import STARTING, WORKING  # noqa: E402
from evaluators.sandbox.tools.isolation import limit_tool, lock_tool  # noqa: E402

_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "add_key": (248, 217),
    "ioprio_set": (251, 30),
    "keyctl": (250, 219),
    "request_key": (249, 218),
    "setns": (308, 268),
}
"""System calls by name, with their numbers on x86-64 and arm64. `socketpair` stays."""

_LEAVING = {"setpgid": WORKING["setpgid"], "setsid": STARTING["setsid"]}
"""What a process calls to outlive the session that it was started in."""

_RIGHTS = 0b1101_1011
"""What root keeps, by bit: the owner and mode of files, and becoming another user. Not the
clock, devices, marks that make a file undeletable, nor limits beyond the given ones."""

_SHARED = ("/usr/share/zoneinfo", "/etc/localtime", "/usr/bin", "/bin", "/usr/lib", "/lib")


def main(settings: dict[str, Any]) -> None:
    """Give up what the tool does not need, and run the command."""
    confined, shared = settings["isolation"] != "none", False
    if confined and settings["shared_memory"]:
        with contextlib.suppress(OSError):  # without it, locks between processes are refused
            own_shared_memory()
            shared = True
    limit_tool(settings["memory"], settings["file"])
    seconds = int(settings["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if confined:
        readable = [*landlock.python_paths(), *_SHARED, *settings["readable"]]
        refused = _REFUSED | (_LEAVING if settings["one_session"] else {})
        writable = [settings["scratch"], *([SHARED] if shared else ())]
        lock_tool(_RIGHTS, readable, writable, refused)
    os.chdir(settings["folder"])
    command = settings["command"]
    os.execve(command[0], command, settings["environment"])  # noqa: S606


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
