"""The floor that an evaluator is held to: fork, the same jail, one reply, nothing else.

As one would write it: each child locks itself, with a handful of folders to read. The same
modules are loaded as in the fork server, because a fork costs what it must copy.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Callable

from drivers import rate

from evaluators.sandbox.child.zygote import COMMON
from evaluators.sandbox.isolation import landlock, seccomp
from evaluators.sandbox.isolation.jail import Jail
from evaluators.sandbox.isolation.kernel import PR_SET_NO_NEW_PRIVS, prctl

Prepared = tuple[Jail, seccomp.Filter, int, int]

_READABLE = [*filter(os.path.isdir, sys.path), "/lib", "/usr/lib"]


def prepare() -> Prepared:
    """Load what the fork server loads, and build the filters."""
    for name in COMMON:
        importlib.import_module(name)
    reading, writing = os.pipe()
    prepared = Jail("jail"), seccomp.server_filter(), reading, writing
    gc.collect()
    gc.freeze()
    return prepared


def one(prepared: Prepared) -> None:
    """Fork, jail, reply, reap."""
    jail, server_filter, reading, writing = prepared

    def lock() -> None:
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict(_READABLE)
        server_filter.install()
        jail.lock_child(1 << 30, 0)

    forked(lock, reading, writing)


def forked(lock: Callable[[], None], reading: int, writing: int) -> None:
    """Fork a child that locks itself and replies; reap it."""
    pid = os.fork()
    if pid == 0:
        lock()
        os.write(writing, b"x")
        os._exit(0)
    os.read(reading, 1)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    rate(prepare, one)
