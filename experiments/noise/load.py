"""A process that keeps a core busy until its parent is gone: loops, dictionaries, memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

_NUMBERS = 4 << 20  # of 8 bytes: more than a processor keeps close by


@contextmanager
def loaded(count: int) -> Iterator[None]:
    """Keep so many processes busy meanwhile."""
    command = [sys.executable, "-m", "experiments.noise.load"]
    with ExitStack() as stack:
        for _ in range(count):
            child = stack.enter_context(subprocess.Popen(command))
            stack.callback(child.kill)
        yield


def others() -> int:
    """Return how many cores are left beside the one that a comparison uses."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


def main() -> None:
    """Work until the parent is gone, however it ends."""
    import numpy as np

    parent = os.getppid()
    numbers = np.arange(_NUMBERS)
    while os.getppid() == parent:
        numbers = numbers[::-1].copy()
        table = {number: str(number) for number in range(20_000)}
        sum(len(text) for text in table.values())


if __name__ == "__main__":
    main()
