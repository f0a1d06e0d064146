"""All benchmarks, one after the other: about ten minutes, best on an idle machine.

Usage: python -m experiments.bench [--write]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path

from experiments.bench import begin, first, flight, footprint, kept, rates, steps

PAGE = Path(__file__).parents[2] / "docs" / "costs.md"
_HEAD = """# What it costs

Made by `python -m experiments.bench --write`; do not edit. {machine}.
Medians; a target stands beside its figure, with whether it is held. `bare` is a loop that
forks, jails, takes one byte and reaps, and nothing else, measured in turn with ours.

"""


def main() -> None:
    """Print what it costs to begin, to step, to evaluate, to hold a run, and to ask models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"Write {PAGE.name}, too.")
    write, lines = parser.parse_args().write, []
    for line in measured():
        print(line, flush=True)
        lines.append(line)
    if write:
        PAGE.write_text(page(lines), encoding="utf-8")


def measured() -> Iterator[str]:
    """Measure one thing after the other, and yield what came of it in words."""
    for name, seconds in begin.measure().items():
        yield f"{name}: {1000 * seconds:.1f} ms CPU"
    for mark, seconds in steps.measure().items():
        yield f"engine, step {mark}: {1000 * seconds:.2f} ms CPU"
    for name, seconds in kept.measure().items():
        yield f"outputs kept whole, {name}: {1000 * seconds:.1f} ms CPU"
    found = [rates.compare(drivers) for drivers in (1, 2)]
    for row in found:
        yield from _told(row, rates.words(row))
    for name in ("jailed", "bare", "once", "namespace"):
        if name in found[0]:
            ratio = found[1][name] / found[0][name]
            yield f"{name}: from one driver to two {ratio:.2f} times as many a second"
    begun = first.measure()
    yield from _told(begun, first.words(begun))
    held = footprint.measure()
    yield from _told(held, [footprint.words(held)])
    for each in flight.measure():
        yield from _told(each, [flight.words(each)])


def page(lines: Sequence[str]) -> str:
    """Return the page of the documents that holds these lines."""
    cores = len(os.sched_getaffinity(0))
    machine = f"Python {platform.python_version()}, {platform.machine()}, {cores} cores"
    return _HEAD.format(machine=machine) + "".join(f"- {line}\n" for line in lines)


def _told(row: object, lines: Sequence[str]) -> Sequence[str]:
    """Print a row as JSON, for who wants all of it; return it in words."""
    print(json.dumps(row), flush=True)
    return lines


if __name__ == "__main__":
    main()
