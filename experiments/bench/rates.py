"""Jailed jobs a second against two bare loops, interleaved: all see the same machine."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluators.sandbox.server.probe import tried
from experiments.bench.aim import at_least

LEAST = 90
"""Per cent of the bare loop that jailed evaluations reach, at least."""

_ROUNDS = 11
_SCRIPTS = {"bare": "bare_loop", "once": "locked_once", "jailed": "jailed"}
_NAMESPACE = {"namespace": "namespaced"}
_HERE = Path(__file__).parent
Row = dict[str, Any]  # JSON


@dataclass(frozen=True)
class Rate:
    """How often a second something was done, and how many milliseconds each time took."""

    per_second: float
    ms: Sequence[float]


def run(script: str, drivers: int) -> Rate:
    """Run one script once."""
    command = [sys.executable, str(_HERE / script), "--drivers", str(drivers)]
    output = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=60
    ).stdout
    return Rate(**json.loads(output))


def compare(drivers: int) -> Row:
    """Return the median rates, the median share of each floor that is reached, and latencies.

    `bare` locks each child wholly; `once` locks most of the jail before any child, as we do.
    `namespace` is there where this machine has that level; `p50_ms` and `p99_ms` are those of
    one evaluation in the jail, of all rounds together.
    """
    scripts = _SCRIPTS | ({} if tried("namespace") else _NAMESPACE)
    rounds = [
        {name: run(f"{script}.py", drivers) for name, script in scripts.items()}
        for _ in range(_ROUNDS)
    ]
    rates = {
        name: statistics.median(row[name].per_second for row in rounds) for name in scripts
    }
    shares = {f"of_{floor}": _share(rounds, floor) for floor in ("bare", "once")}
    taken = [ms for row in rounds for ms in row["jailed"].ms]
    return {"drivers": drivers} | rates | shares | latency(taken)


def latency(taken: Sequence[float]) -> Row:
    """Return the median and the 99th percentile of at least two times."""
    hundredths = statistics.quantiles(taken, n=100, method="inclusive")
    return {"p50_ms": round(hundredths[49], 2), "p99_ms": round(hundredths[98], 2)}


def words(row: Row) -> list[str]:
    """Return the row for people, with its target."""
    who = "one driver" if row["drivers"] == 1 else f"{row['drivers']} drivers"
    share = at_least(100 * row["of_bare"], LEAST, "%")
    beside = f", namespace {row['namespace']:.0f}" if "namespace" in row else ""
    return [
        f"jailed evaluations, {who}: {row['jailed']:.0f} a second{beside}; of bare {share}",
        f"latency of an evaluation, {who}: p50 {row['p50_ms']} ms, p99 {row['p99_ms']} ms",
    ]


def _share(rounds: Sequence[dict[str, Rate]], floor: str) -> float:
    shares = (row["jailed"].per_second / row[floor].per_second for row in rounds)
    return round(statistics.median(shares), 3)


if __name__ == "__main__":
    for drivers in (1, 2):
        print(json.dumps(compare(drivers)))
