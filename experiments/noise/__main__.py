"""Make the noise study and write its tables into docs/measurement.md; stop it as you like.

Usage: python -m experiments.noise [--hours H] [--no-load] [PART ...]

The parts, in their order: `counts` (true sizes, by valgrind), `idle` and `loaded` (each 600
comparisons of identical programs, and 168 pairs a gain), `more` (as many pairs again in both
halves), `table`. On two cores about 5, 45, 50, 50 and no minutes. Nothing else should run on
the machine meanwhile. A part goes on where it was; the tables are written once both halves
hold all of `idle` and `loaded`.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from experiments.figures.__main__ import origin
from experiments.figures.packed import unpacked
from experiments.figures.rows import ROOT, kept
from experiments.noise import counts
from experiments.noise.measure import counted, measure, missing
from experiments.noise.plan import FIRST, HALVES, MORE, Session, sessions
from experiments.noise.table import Rows, page

PARTS = ("counts", "idle", "loaded", "more", "table")
PAGE = ROOT / "docs" / "measurement.md"
BEGIN, END = "<!-- noise: begin -->", "<!-- noise: end -->"


def main() -> None:
    """Make the named parts, or all; the table holds whatever is on record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0, help="Begin nothing after these.")
    parser.add_argument(
        "--no-load",
        action="store_true",
        help="Start no load for the loaded half: something else keeps the other cores busy.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    wanted = options.parts or list(PARTS)
    if strange := set(wanted) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(strange))}")
    until = time.monotonic() + 3600 * options.hours
    with unpacked():
        if "counts" in wanted:
            counts.rows()
        for session in planned(wanted):
            if time.monotonic() < until:
                measure(session, load=not options.no_load)
        if left := sum(map(missing, HALVES)):
            print(f"the tables stay as they are: {left} of their comparisons are still missing")
            return
        halves = {half: counted(half) for half in HALVES}
        write(PAGE, halves, kept(counts.NAME))


def planned(parts: Sequence[str]) -> list[Session]:
    """Return the sessions of the named parts; half and half in turn, where there are both."""
    first = [sessions(half, FIRST) for half in HALVES if half in parts]
    more = [sessions(half, MORE) for half in HALVES if "more" in parts]
    return [
        session
        for group in (first, more)
        for together in zip(*group, strict=True)
        for session in together
    ]


def write(document: Path, halves: Mapping[str, Rows], counted: Rows) -> None:
    """Put the tables between the marks of a document.

    Args:
        document: Markdown.
        halves: The rows of each half, by its name.
        counted: Instructions of the edits, by world.
    """
    head, _, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    cores = len(os.sched_getaffinity(0))
    note = f"Python {platform.python_version()}, {platform.machine()}, {cores} cores."
    note += origin(
        {f"{half}/{key}": r for half, rows in halves.items() for key, r in rows.items()}
    )
    made = "\n".join((BEGIN, note, "", page(halves, counted), END))
    document.write_text(head + made + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
