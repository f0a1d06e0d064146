"""Rewrites that are no rules, for they bring nothing or too little: before / after, CPU time.

Of a loop that numba compiles it is told what a process pays before the loop is any faster, for
each run of a candidate is a fresh one. That needs numba; without it the lines are left out.

Usage: python -m experiments.bench.left_out
"""

from __future__ import annotations

import io
import itertools
import multiprocessing
import operator
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

_TIMES = 15
_LINES = "".join(f"{n} {n * 7}\n" for n in range(60_000))
_MANY = list(range(100_000))
_SIDE = list(range(300))
_ROWS = [[i * j % 97 for j in _SIDE] for i in _SIDE]

Act = Callable[[], object]


def pairs() -> Iterator[tuple[str, Act, Act]]:
    """Yield what is rewritten into what, and both as functions with equal answers."""
    yield "readline -> all input at once", lambda: _read(_lines()), lambda: _read(_bulk())
    yield (
        "for line in stdin -> all input at once",
        lambda: _read(io.StringIO(_LINES)),
        lambda: _read(_bulk()),
    )
    yield "nested loops -> itertools.product", _nested, _product
    yield (
        "nested comprehension -> itertools.product",
        lambda: [a * b for a in _SIDE for b in _SIDE],
        lambda: [a * b for a, b in itertools.product(_SIDE, _SIDE)],
    )
    yield (
        "scalar product -> numpy, boxed both ways",
        _scalar,
        lambda: int(np.array(_MANY) @ np.array(_MANY)),
    )
    yield (
        "scalar product -> sum(map(mul))",
        _scalar,
        lambda: sum(map(operator.mul, _MANY, _MANY)),
    )
    yield (
        "elementwise sum -> numpy, boxed both ways",
        lambda: [[_ROWS[i][j] + _ROWS[j][i] for j in _SIDE] for i in _SIDE],
        _summed,
    )
    yield (
        "matrix times vector -> numpy, boxed both ways",
        _times,
        _multiplied,
    )
    yield (
        "matrix times vector -> sum(map(mul))",
        _times,
        lambda: [sum(map(operator.mul, row, _SIDE)) for row in _ROWS],
    )


def ratio(before: Act, after: Act, times: int = _TIMES) -> float:
    """Return the median of before / after in CPU seconds, measured in turn."""
    return statistics.median(_seconds(before) / _seconds(after) for _ in range(times))


def _seconds(act: Act) -> float:
    begin = time.process_time()
    act()
    return max(time.process_time() - begin, 1e-9)


def _read(lines: Iterator[str]) -> int:
    total = 0
    for line in lines:
        if line:
            first, second = line.split()
            total += int(first) * int(second)
    return total


def _lines() -> Iterator[str]:
    return iter(io.StringIO(_LINES).readline, "")


def _bulk() -> Iterator[str]:
    return iter(io.StringIO(_LINES).read().split("\n"))


def _nested() -> int:
    total = 0
    for a in _SIDE:
        for b in _SIDE:
            if a * b > 100:
                total += 1
    return total


def _product() -> int:
    total = 0
    for a, b in itertools.product(_SIDE, _SIDE):
        if a * b > 100:
            total += 1
    return total


def _scalar() -> int:
    total = 0
    for i in range(len(_MANY)):
        total += _MANY[i] * _MANY[i]
    return total


def _summed() -> object:
    rows = np.array(_ROWS)
    return (rows + rows.T).tolist()


def _times() -> list[int]:
    return [sum(_ROWS[i][j] * _SIDE[j] for j in _SIDE) for i in _SIDE]


def _multiplied() -> object:
    rows, column = np.array(_ROWS), np.array(_SIDE)
    return (rows @ column).tolist()


def compiled() -> dict[str, float]:
    """Return what numba costs in a fresh process, and what it gives; see `_compiling`."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_compiling)


def _compiling() -> dict[str, float]:
    """Return CPU seconds to import numba, for the first loop, and for a second one.

    Then what of the plain loop's time a warm one takes, lists made into arrays included, and
    the memory of the process in MB.
    """
    loaded: list[Any] = []

    def load() -> None:
        import numba  # type: ignore[import-not-found, unused-ignore]

        loaded.append(numba)

    imported = _seconds(load)
    first, second = (loaded[0].njit(plain) for plain in (_squares, _distances))
    numbers = [0.5 * n for n in range(len(_MANY))]
    return {
        "import": imported,
        "first": _seconds(lambda: first(np.array(numbers))),
        "second": _seconds(lambda: second(np.array(numbers))),
        "plain": _seconds(lambda: _squares(numbers)),
        "warm": ratio(lambda: _squares(numbers), lambda: first(np.array(numbers))),
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _squares(numbers: Any) -> float:
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i] * numbers[i]
    return total


def _distances(numbers: Any) -> float:
    most = 0.0
    for i in range(1, len(numbers)):
        apart = abs(numbers[i] - numbers[i - 1])
        if apart > most:
            most = apart
    return most


if __name__ == "__main__":
    if find_spec("numba"):
        print(
            "numba: {import:.2f} s to import, {first:.2f} s for a first loop, {second:.2f} s "
            "for a second one, {mb:.0f} MB; a plain loop of {plain:.4f} s, once compiled: "
            "{warm:.1f}".format(**compiled())
        )
    for name, before, after in pairs():
        print(f"{name}: {ratio(before, after):.2f}")
