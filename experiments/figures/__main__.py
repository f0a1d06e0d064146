"""Make every figure and write `docs/results.md`; stop and start it as you like.

Usage: python -m experiments.figures [FIGURE ...]
"""

from __future__ import annotations

import platform
import sys

from experiments.figures import (
    ablation,
    foreign,
    kills,
    long_run,
    packages,
    packings,
    planted,
    shipped,
    slow_programs,
    tuners,
)
from experiments.figures.rows import ROOT

FIGURES = {
    "shipped": shipped,
    "slow": slow_programs,
    "foreign": foreign,
    "packages": packages,
    "packings": packings,
    "tuners": tuners,
    "kills": kills,
    "ablation": ablation,
    "planted": planted,
    "long": long_run,
}
TITLES = {
    "shipped": f"The shipped functions, {shipped.EVALUATIONS} evaluations",
    "foreign": f"A foreign problem set, {foreign.EVALUATIONS} evaluations a row",
    "slow": f"Slow programs, {slow_programs.EVALUATIONS} evaluations",
    "packages": f"Functions of published packages, {packages.EVALUATIONS} evaluations",
    "tuners": f"Tuners, {tuners.EVALUATIONS} evaluations",
    "packings": "Packings, without a model",
    "kills": "Killed at random moments",
    "planted": "Wrong programs that pass the visible tests",
    "long": f"A run of {long_run.STEPS:,} steps",
    "ablation": f"What memory is worth, {ablation.EVALUATIONS} evaluations, one verdict table",
}


def main() -> None:
    """Make the named figures, or all; the document holds whatever is on record."""
    names = sys.argv[1:] or list(FIGURES)
    for name in names:
        FIGURES[name].rows()
    write()


def write() -> None:
    """Write the document from the rows on record."""
    from experiments.figures.rows import kept

    parts = [
        "# Results",
        "",
        f"Made by `make figures`; do not edit. Python {platform.python_version()}, two cores.",
        "A figure that was stopped holds the rows made so far, and says how many.",
    ]
    for name, figure in FIGURES.items():
        if found := kept(name):
            parts += ["", f"## {TITLES[name]}", "", (figure.__doc__ or "").strip(), ""]
            parts.append(figure.table(found))
    (ROOT / "docs" / "results.md").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
