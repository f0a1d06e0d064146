"""Plant faults in se_agent and see whether its tests find them; stop it as you like.

Usage: python -m experiments.faults [--home DIR] draw | make | probe | fast ...

`draw` writes the faults of a seed, in a random order: those of `--first` are a sample of all.
`make` clones the repository for them: what runs then is the commit that was cloned. `probe`
runs `--tests` of the fast tier with probes instead of faults; `fast` runs with each fault some
tests of the fast tier that come by it, and `others` tests of other tiers near it. `chosen` runs
those of the fast tier that `plan.txt` names for one. `verify` runs what found something without
a fault. `report` writes the tables of docs/faults.md. Needs root on Linux: nothing is written
outside the clone. One process at a time.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from experiments.faults.bench import Bench
from experiments.faults.draw import Planted, draw
from experiments.faults.meet import FAST, OTHERS, Home, chosen, meet, probe, verify
from experiments.faults.report import by_room, fates, survivors
from experiments.figures.rows import ROOT, lines

DRAWN = Path(__file__).with_name("drawn.jsonl")
FOUND = Path(__file__).with_name("found.jsonl")
LOOKS = Path(__file__).with_name("looks.jsonl")
PAGE = ROOT / "docs" / "faults.md"
BEGIN, END = "<!-- faults: begin -->", "<!-- faults: end -->"
_KEPT = ("number", "stage", "found", "verdict", "tests", "seconds", "ran")


def main() -> None:
    """Make the named steps in their order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, default=ROOT / "results" / "faults")
    parser.add_argument("--count", type=int, default=200, help="of faults that are drawn")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument(
        "steps",
        nargs="+",
        choices=["draw", "make", "probe", FAST, "chosen", OTHERS, "verify", "report"],
    )
    parser.add_argument("--tests", nargs="+", default=["tests"], help="of `probe`")
    parser.add_argument("--first", type=int, help="how many faults; default: all")
    parser.add_argument("--only", type=int, nargs="+", help="numbers of faults")
    options = parser.parse_args()
    home, bench = Home(options.home), Bench(options.home)
    faults = [one for one in drawn() if not options.only or one.number in options.only]
    faults = faults[: options.first]
    for step in options.steps:
        if step == "draw":
            rows = [fault.row for fault in draw(ROOT, options.count, options.seed)]
            DRAWN.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        elif step == "make":
            bench.make(ROOT)
        elif step == "verify":
            verify(bench, home)
        elif step == "report":
            report(home)
        elif step == "probe":
            probe(faults, options.tests, bench, home)
        elif step == "chosen":
            for number, tests in home.plan():
                for fault in [one for one in faults if one.number == number]:
                    chosen(fault, tests, bench, home)
        else:
            meet(faults, step, bench, home)


def report(home: Home) -> None:
    """Keep the rows of a study beside its faults, where there are any, and write its tables."""
    if rows := home.found.rows:
        kept = [{key: row[key] for key in _KEPT if key in row} for row in rows]
        FOUND.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    rows, looks = ([*map(json.loads, lines(path))] for path in (FOUND, LOOKS))
    met = {row["number"] for row in rows}
    made = fates([one for one in drawn() if one.number in met], rows, looks)
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    text = "\n".join((BEGIN, *by_room(made), "", *survivors(made, looks), END))
    PAGE.write_text(head + text + rest.partition(END)[2], encoding="utf-8")


def drawn() -> list[Planted]:
    """Return the faults that come with the repository."""
    return [Planted(**json.loads(line)) for line in lines(DRAWN)]


if __name__ == "__main__":
    main()
