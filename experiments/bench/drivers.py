"""Runs one action over and over in one or two processes: how often a second, how long each."""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")


def rate(prepare: Callable[[], T], one: Callable[[T], None]) -> None:
    """Read `--drivers` and `--seconds`, measure, print {"per_second": ..., "ms": [...]}.

    Args:
        prepare: Called once in each driver, outside the measured time.
        one: The action; it gets what `prepare` returned.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--drivers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    processes = [
        context.Process(target=_drive, args=(prepare, one, writing, options.seconds))
        for _ in range(options.drivers)
    ]
    for process in processes:
        process.start()
    writing.close()
    found = [reading.recv() for _ in processes]
    for process in processes:
        process.join()
    total = sum(per_second for per_second, _ in found)
    taken = [round(1000 * seconds, 3) for _, each in found for seconds in each]
    print(json.dumps({"per_second": round(total, 1), "ms": taken}))


def _drive(
    prepare: Callable[[], T],
    one: Callable[[T], None],
    writing: Connection,
    seconds: float,
) -> None:
    prepared = prepare()
    times = [time.perf_counter()]
    while times[-1] - times[0] < seconds:
        one(prepared)
        times.append(time.perf_counter())
    taken = [end - begin for begin, end in itertools.pairwise(times)]
    writing.send((len(taken) / (times[-1] - times[0]), taken))
