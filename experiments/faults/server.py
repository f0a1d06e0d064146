"""Runs pytest many times, each in a fork of a process that has the libraries loaded.

Started by `bench` inside the copy, where all but the copy is read-only. A line of JSON comes in
(`args`, `cpu`, `wall`, `out`), a line goes out: the exit code, or OVER. Each run has processes
of its own: they end with it. Imports nothing of ours before the fork: there may be a fault.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

OVER = -1
_LIBRARIES = (
    *("pytest", "hypothesis", "numpy", "pydantic", "libcst.matchers", "libcst.metadata"),
    *("typer", "rich.console", "openai", "tiktoken", "scipy.stats", "xdist.plugin"),
    *("pytest_timeout", "pytest_rerunfailures", "anyio.pytest_plugin"),
    "_hypothesis_pytestplugin",
)
_NEW_MOUNTS, _NEW_PIDS = 0x00020000, 0x20000000
_PARENT_DEATH = 1
_READ_ONLY, _AGAIN, _BIND = 1, 32, 4096  # flags of mount
_KERNEL = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Serve until the input ends."""
    sys.path[0] = ""  # as `python -m pytest` has it: not the folder of this file
    _end_with_parent()
    for name in _LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError as err:
            print(err, file=sys.stderr)
    _shrink_nothing()
    for line in sys.stdin:
        asked = json.loads(line)
        print(_run(asked), flush=True)


def _run(asked: dict[str, Any]) -> int:
    outer = os.fork()
    if outer == 0:
        _apart(asked)
    until = time.monotonic() + asked["wall"]
    while time.monotonic() < until:
        done, status = os.waitpid(outer, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    first = map(int, Path(f"/proc/{outer}/task/{outer}/children").read_text().split())
    for pid in [*first, outer]:  # the first process of a namespace takes all others with it
        os.kill(pid, signal.SIGKILL)
    os.waitpid(outer, 0)
    return OVER


def _apart(asked: dict[str, Any]) -> None:
    """Become the process that waits for a new namespace of processes. Does not return."""
    _end_with_parent()
    os.setsid()
    if _KERNEL.unshare(_NEW_MOUNTS | _NEW_PIDS):
        os._exit(97)
    first = os.fork()
    if first == 0:
        _first(asked)
    _, status = os.waitpid(first, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _first(asked: dict[str, Any]) -> None:
    """Be the first process of the namespace: reap, and end with pytest. Does not return."""
    _end_with_parent()
    _KERNEL.mount(b"proc", b"/proc", b"proc", 0, None)
    _KERNEL.mount(b"/proc/sys", b"/proc/sys", None, _BIND, None)
    _KERNEL.mount(None, b"/proc/sys", None, _BIND | _AGAIN | _READ_ONLY, None)
    tests = os.fork()
    if tests == 0:
        _tests(asked)
    while True:
        pid, status = os.wait()
        if pid == tests:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _shrink_nothing() -> None:
    """Have a property fail with the first example found: a smaller one takes minutes."""
    from hypothesis import Phase, settings

    settings.register_profile("first", phases=[Phase.explicit, Phase.reuse, Phase.generate])
    settings.load_profile("first")  # profiles that come later begin with it


def _end_with_parent() -> None:
    _KERNEL.prctl(_PARENT_DEATH, signal.SIGKILL)


def _tests(asked: dict[str, Any]) -> None:
    """Run pytest. Does not return."""
    out = os.open(asked["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    null = os.open(os.devnull, os.O_RDONLY)
    for old, new in ((null, 0), (out, 1), (out, 2)):
        os.dup2(old, new)
    os.closerange(3, 20)
    resource.setrlimit(resource.RLIMIT_CPU, (asked["cpu"], asked["cpu"]))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 (as long as the process)
    sys.argv = ["pytest", *asked["args"]]
    import pytest

    code = pytest.main(asked["args"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(code))


main()
