"""Shuts itself in, then becomes a tool. Run by path: `python -I -S confine.py SETTINGS`.

The tools are pytest and compilers, which need files and processes of their own. So this is
weaker than the jail of a candidate: what stays out is home, keys, the network, and every folder
but one for writing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any  # the settings, as JSON

ROOT = str(Path(__file__).resolve().parents[3])

sys.path.insert(0, ROOT)
from evaluators.sandbox.isolation import landlock  # noqa: E402
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
    limit_tool(settings["memory"], settings["file"])
    seconds = int(settings["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if settings["isolation"] != "none":
        readable = [*landlock.python_paths(), *_SHARED, *settings["readable"]]
        refused = _REFUSED | (_LEAVING if settings["one_session"] else {})
        lock_tool(_RIGHTS, readable, settings["scratch"], refused)
    os.chdir(settings["folder"])
    command = settings["command"]
    os.execve(command[0], command, settings["environment"])  # noqa: S606


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
