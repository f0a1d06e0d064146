"""What a file of slow programs holds, and how large their inputs have to be; runs its code.

It is a process of its own, for the file's code is not ours:
`python -m experiments.figures.slow_clock FILE` lists the programs as JSON, and with a NAME
after it measures one. Not here: the runs (`slow_programs`).
"""

from __future__ import annotations

import ast
import importlib.util
import json
import math
import random
import resource
import runpy
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

QUICKEST, SLOWEST = 0.02, 0.2
"""CPU seconds of the slow program between which an input is good for measurement."""

_PATIENCE = 2.0  # CPU seconds for one input and one call
_MEMORY = 2 << 30
_LARGEST = 1 << 26


def fitting(seconds: Callable[[int], float], start: int) -> int:
    """Return a size on which a program takes between `QUICKEST` and `SLOWEST`.

    The size is doubled or halved; where a step leads past both ends, the middle is tried.
    Without such a size, it is the largest below.

    Args:
        seconds: CPU seconds of a size, infinite for one that is too large; it grows.
        start: Size to begin with, at least 1.
    """
    low, high, size = 0, 0, start
    while True:
        took = seconds(size)
        if QUICKEST <= took <= SLOWEST:
            return size
        low, high = (size, high) if took < QUICKEST else (low, size)
        size = 2 * low if not high else (low + high) // 2
        if size == low or size > _LARGEST:
            return max(low, 1)


def packages(source: str) -> tuple[str, ...]:
    """Return what a program imports besides the standard library."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return tuple(sorted(names - sys.stdlib_module_names))


class _Late(BaseException):
    """No program may catch it."""


def _late(_number: int, _frame: FrameType | None) -> None:
    raise _Late


def seconds(solve: Callable[..., object], generate: Callable[..., Any], size: int) -> float:
    """Return the CPU seconds of a call, infinite if it takes too long or runs too deep."""
    signal.signal(signal.SIGVTALRM, _late)
    signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE)
    try:
        arguments = generate(random.Random(size), size)
        start = time.process_time()
        solve(*arguments)
        return time.process_time() - start
    except (_Late, RecursionError, MemoryError, OverflowError):
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def main() -> None:
    """Print what was asked for, as one line of JSON."""
    path, *names = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    programs = runpy.run_path(path)["PR"]
    if not names:
        print(json.dumps({name: _described(program) for name, program in programs.items()}))
        return
    _, source, generate, _, start = programs[names[0]]
    namespace: dict[str, Any] = {"__name__": "program"}  # Any: a program's globals
    exec(compile(source, names[0], "exec"), namespace)
    size = fitting(lambda size: seconds(namespace["solve"], generate, size), start)
    took = seconds(namespace["solve"], generate, size)
    print(json.dumps({"final": size, "slow_ms": round(1000 * took, 3)}))


def _described(program: tuple[str, str, object, int, int]) -> dict[str, object]:
    family, source, _, tests, _ = program
    wanted = packages(source)
    absent = [name for name in wanted if importlib.util.find_spec(name) is None]
    return {
        "family": family,
        "source": source,
        "tests": tests,
        "imports": wanted,
        "absent": absent,
    }


if __name__ == "__main__":
    main()
