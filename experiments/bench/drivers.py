"""Runs one action over and over in one or two processes, and prints how often a second."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")


def rate(prepare: Callable[[], T], one: Callable[[T], None]) -> None:
    """Read `--drivers` and `--seconds`, measure, print {"per_second": ...}.

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
    total = sum(reading.recv() for _ in processes)
    for process in processes:
        process.join()
    print(json.dumps({"per_second": round(total, 1)}))


def _drive(
    prepare: Callable[[], T],
    one: Callable[[T], None],
    writing: Connection,
    seconds: float,
) -> None:
    prepared = prepare()
    count = 0
    begin = now = time.perf_counter()
    while now - begin < seconds:
        one(prepared)
        count += 1
        now = time.perf_counter()
    writing.send(count / (now - begin))
