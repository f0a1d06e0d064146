"""A run whose instructions are counted. Run by path: `python -I -S counted.py SETTINGS`.

First it shuts itself in and becomes valgrind; valgrind runs this file again, in its simulated
processor, and now it does the job that waits. Nothing is given up inside: valgrind's own system
calls are made under the same filter. What it needs beyond a jail is one folder to write to.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any  # the settings, as JSON

ROOT = str(Path(__file__).resolve().parents[2])

sys.path.insert(0, ROOT)
from evaluators.counting.refusing import refuse_machine_code  # noqa: E402
from evaluators.sandbox.child import entry  # noqa: E402
from evaluators.sandbox.child.interpreter import Settings  # noqa: E402
from evaluators.sandbox.child.job_request import JOB_DESCRIPTOR  # noqa: E402
from evaluators.sandbox.isolation import ordinary  # noqa: E402
from evaluators.sandbox.isolation.syscalls import CLONE3, STARTING, WORKING  # noqa: E402

if __name__ == "__main__" and "inside" not in json.loads(sys.argv[1]):
    # Not inside: they need ctypes, and no program that is counted may have it.
    from evaluators.sandbox.isolation import landlock
    from evaluators.sandbox.tools.isolation import limit_tool, lock_tool

sys.path.remove(ROOT)

PRELOADED = (
    "bisect", "collections", "functools", "heapq", "io", "itertools", "json", "math",
    "operator", "random", "re", "string", "typing",
)  # fmt: skip
"""Modules that candidates often import: loaded before the job, so that none pays for them."""

_REFUSED = {
    **{name: STARTING[name] for name in ("clone", "execveat", "fork", "setsid", "vfork")},
    "clone3": CLONE3,
    "kill": WORKING["kill"],
}
"""System calls by name, with their numbers on x86-64 and arm64."""

_READING = 0b10  # of root's rights: files of any owner, where paths allow it
_PROGRAMS = ("/usr/bin", "/usr/lib", "/usr/libexec", "/usr/local/lib", "/proc/self")


def enter(settings: dict[str, Any]) -> None:
    """Give up what no program may have, and become valgrind, which comes back to `serve`."""
    python = os.path.realpath(sys.executable)  # else it looks for the file of its environment
    limit_tool(settings["memory"], settings["file"])
    if settings["jailed"]:
        library = str(Path(os.__file__).parent)  # whole: Python lists it to find a module
        readable = [*landlock.python_paths(), *_PROGRAMS, library, ROOT, python]
        lock_tool(_READING, readable, [settings["scratch"]], _REFUSED)
    os.chdir("/")
    # The same hash seed in each run: else no two counts would be the same.
    environment = {"TMPDIR": settings["scratch"], "PYTHONHASHSEED": "0"}
    inside = {**settings, "inside": True}
    options = ["-P", "-s", "-S", "-B", __file__, json.dumps(inside)]
    command = [*settings["command"], python, *options]
    os.execve(command[0], command, environment)  # noqa: S606


def serve(settings: dict[str, Any]) -> None:
    """Load what programs may import, and do the job at the other end of the socket."""
    gc.disable()
    os.dup2(settings["socket"], JOB_DESCRIPTOR, inheritable=False)
    for descriptor in (settings["socket"], settings["report"]):  # valgrind has its own copies
        os.close(descriptor)
    for name in (*PRELOADED, *settings["imports"]):
        importlib.import_module(name)
    entry.hide()
    ordinary.furnish("/")
    gc.collect()
    gc.freeze()
    found = Settings()
    sys.addaudithook(refuse_machine_code)
    entry.serve(found, jailed=settings["jailed"])


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    (serve if given.get("inside") else enter)(given)
