"""The floor that the fork server is held to: fork, the same jail, one reply, nothing else.

The same modules are loaded as in the fork server, because a fork costs what it must copy.
"""

from __future__ import annotations

import gc
import importlib
import os

from drivers import rate

from evaluators.sandbox import landlock
from evaluators.sandbox.jail import Jail
from evaluators.sandbox.zygote import COMMON


def prepare() -> tuple[Jail, int, int]:
    """Load and lock what the fork server loads and locks."""
    for name in COMMON:
        importlib.import_module(name)
    reading, writing = os.pipe()
    jail = Jail("jail")
    jail.lock_server(landlock.python_paths())
    gc.collect()
    gc.freeze()
    return jail, reading, writing


def one(prepared: tuple[Jail, int, int]) -> None:
    """Fork, jail, reply, reap."""
    jail, reading, writing = prepared
    pid = os.fork()
    if pid == 0:
        jail.lock_child(1 << 30, 0)
        os.write(writing, b"x")
        os._exit(0)
    os.read(reading, 1)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    rate(prepare, one)
