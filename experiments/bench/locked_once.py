"""The bare loop with our own trick: most of the jail is locked once, before any child."""

from __future__ import annotations

import bare_loop
from drivers import rate

from evaluators.sandbox.isolation import landlock


def prepare() -> bare_loop.Prepared:
    """Load and lock what the fork server loads and locks."""
    prepared = bare_loop.prepare()
    prepared[0].lock_server(landlock.python_paths())
    return prepared


def one(prepared: bare_loop.Prepared) -> None:
    """Fork, lock the rest, reply, reap."""
    jail, _, reading, writing = prepared
    bare_loop.forked(lambda: jail.lock_child(1 << 30, 0), reading, writing)


if __name__ == "__main__":
    rate(prepare, one)
