"""All benchmarks, one after the other: about three minutes, best on an idle machine."""

from __future__ import annotations

import json

from experiments.bench import begin, rates, steps


def main() -> None:
    """Print what it costs to begin, to take a step, and to evaluate."""
    for name, seconds in begin.measure().items():
        print(f"{name:18s} {1000 * seconds:6.1f} ms CPU", flush=True)
    for mark, seconds in steps.measure().items():
        print(f"engine, step {mark:6d} {1000 * seconds:5.2f} ms CPU", flush=True)
    found = [rates.compare(drivers) for drivers in (1, 2)]
    for row in found:
        print(json.dumps(row), flush=True)
    ours, bare = (found[1][key] / found[0][key] for key in ("jailed", "bare"))
    print(f"from one driver to two: {ours:.2f} times as many, the bare loop {bare:.2f}")


if __name__ == "__main__":
    main()
