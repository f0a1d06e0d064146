"""All benchmarks, one after the other: about ten minutes, best on an idle machine."""

from __future__ import annotations

import json

from experiments.bench import begin, first, flight, footprint, rates, steps


def main() -> None:
    """Print what it costs to begin, to step, to evaluate, to hold a run, and to ask models."""
    for name, seconds in begin.measure().items():
        print(f"{name:18s} {1000 * seconds:6.1f} ms CPU", flush=True)
    for mark, seconds in steps.measure().items():
        print(f"engine, step {mark:6d} {1000 * seconds:5.2f} ms CPU", flush=True)
    found = [rates.compare(drivers) for drivers in (1, 2)]
    for row in found:
        _show(row, rates.words(row))
    for name in ("jailed", "bare", "once", "namespace"):
        if name in found[0]:
            print(f"{name}: from one driver to two {found[1][name] / found[0][name]:.2f} times")
    begun = first.measure()
    _show(begun, first.words(begun))
    held = footprint.measure()
    _show(held, [footprint.words(held)])
    for each in flight.measure():
        _show(each, [flight.words(each)])


def _show(row: object, lines: list[str]) -> None:
    """Print a row as JSON, and in words."""
    print(json.dumps(row))
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
