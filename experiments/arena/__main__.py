"""Run arms of the arena and print the table; rows on record are kept.

Usage: python -m experiments.arena [--seeds N] [--arms A,B] [--problems P,Q] [--jobs N]
"""

from __future__ import annotations

import argparse

from experiments.arena import figure
from experiments.arena.corpus import names
from experiments.figures.__main__ import write
from experiments.figures.packed import unpacked


def main() -> None:
    """Fill what is missing, and write the section of the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=figure.SEEDS)
    parser.add_argument("--arms", default=",".join(figure.available()))
    parser.add_argument("--problems", default=",".join(names()))
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    with unpacked():
        found = figure.rows(
            problems=given.problems.split(","),
            arms=given.arms.split(","),
            seeds=range(given.seeds),
            jobs=given.jobs,
        )
        print(figure.table(found))
        write()


if __name__ == "__main__":
    main()
