"""Plant faults in se_agent and see whether its tests find them; stop it as you like.

Usage: python -m experiments.faults [--home DIR] draw | make | mirror | room | verify ...

`draw` writes the faults of a seed; `make` clones the repository for them; `mirror` and `room`
run tests against them, the nearest first; `verify` runs what found something without a fault.
One process at a time, never parallel. Needs root on Linux: nothing is written outside.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from experiments.faults.bench import Bench
from experiments.faults.choice import MIRROR, ROOM
from experiments.faults.draw import Planted, draw
from experiments.faults.meet import WIDE, Home, chosen, meet, probe, verify, wide
from experiments.figures.rows import ROOT, lines

DRAWN = Path(__file__).with_name("drawn.jsonl")


def main() -> None:
    """Make the named steps in their order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, default=ROOT / "results" / "faults")
    parser.add_argument("--count", type=int, default=200, help="of faults that are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument(
        "steps",
        nargs="+",
        choices=["draw", "make", MIRROR, ROOM, "probe", WIDE, "chosen", "verify"],
    )
    parser.add_argument("--tests", nargs="+", default=["tests"], help="of `probe`")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of faults")
    options = parser.parse_args()
    home, bench = Home(options.home), Bench(options.home)
    faults = [one for one in drawn() if not options.only or one.number in options.only]
    for step in options.steps:
        if step == "draw":
            rows = [fault.row for fault in draw(ROOT, options.count, options.seed)]
            DRAWN.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        elif step == "make":
            bench.make(ROOT)
        elif step == "verify":
            verify(bench, home)
        elif step == "probe":
            probe(faults, options.tests, bench, home)
        elif step == WIDE:
            wide(faults, bench, home)
        elif step == "chosen":
            for number, tests in home.plan():
                for fault in [one for one in faults if one.number == number]:
                    chosen(fault, tests, bench, home)
        else:
            meet(faults, step, bench, home)


def drawn() -> list[Planted]:
    """Return the faults that come with the repository."""
    return [Planted(**json.loads(line)) for line in lines(DRAWN)]


if __name__ == "__main__":
    main()
