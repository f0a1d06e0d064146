"""Make every figure and write `docs/results.md`; stop and start it as you like."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Mapping, Sequence

from experiments.arena import figure as arena
from experiments.arena import surface
from experiments.figures import (
    ablation,
    compliance,
    foreign,
    kills,
    long_run,
    near_misses,
    packages,
    packings,
    patterns,
    planted,
    shipped,
    slow_programs,
    tuners,
)
from experiments.figures.packed import unpacked
from experiments.figures.rows import ROOT, Row, kept, made

PAGE = ROOT / "docs" / "results.md"

FIGURES = {
    "shipped": shipped,
    "slow": slow_programs,
    "foreign": foreign,
    "packages": packages,
    "packings": packings,
    "tuners": tuners,
    "kills": kills,
    "ablation": ablation,
    "compliance": compliance,
    "planted": planted,
    "near_misses": near_misses,
    "patterns": patterns,
    "long": long_run,
    "arena": arena,
    "surface": surface,
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
    "near_misses": "Functions that are nearly a known one",
    "patterns": "Functions with one slow idiom each",
    "long": f"A run of {long_run.STEPS:,} steps",
    "arena": f"The arena, budgets of {', '.join(map(str, arena.BUDGETS))} calls",
    "surface": f"The arena as a surface, {', '.join(map(str, surface.CALLS))} calls",
    "ablation": f"What memory is worth, {ablation.EVALUATIONS} evaluations, one verdict table",
    "compliance": f"What memory saves a model that listens, {len(compliance.SEEDS)} seeds",
}


def main() -> None:
    """Make the named figures, or all; the document holds whatever is on record."""
    names = asked()
    with unpacked():
        for name in names:
            FIGURES[name].rows()
        write()


def asked(words: Sequence[str] | None = None) -> list[str]:
    """Return the names of the figures that are to be made, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m experiments.figures", description=__doc__)
    parser.add_argument("figures", nargs="*", choices=[*FIGURES, "all"], default="all")
    found = parser.parse_args(words).figures
    return [*FIGURES] if "all" in found else found


def write() -> None:
    """Write the document from the rows on record; a section without any stays as it is."""
    sections = {
        TITLES[
            name
        ]: f"{(figure.__doc__ or '').strip()}\n\n{figure.table(found)}{origin(found)}"
        for name, figure in FIGURES.items()
        if (found := kept(name, settings=figure.SETTINGS))
    }
    old = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    PAGE.write_text(page(sections, old), encoding="utf-8")


def origin(found: Mapping[str, Row]) -> str:
    """Return the line that says which code made the rows, from the oldest to the youngest."""
    dated = sorted((row["at"], row["code"]) for row in map(made, found.values()) if row)
    if not dated:
        return ""
    times, codes = zip(*dated, strict=True)
    days = [time[:10] for time in times]
    return f"\n\nRows of {_span(days)}, by the code of {_span(codes)}."


def _span(found: Sequence[str]) -> str:
    return found[0] if found[0] == found[-1] else f"{found[0]} to {found[-1]}"


def page(sections: Mapping[str, str], old: str) -> str:
    """Return the document: new sections in place of those of their title, the others kept.

    Args:
        sections: Text by title.
        old: The document so far.
    """
    _, *parts = f"\n{old}".split("\n## ")
    before = {title: text.strip() for title, _, text in (p.partition("\n") for p in parts)}
    both = {**before, **sections}
    order = [title for title in TITLES.values() if title in both]
    order += [title for title in before if title not in order]
    head = (
        "# Results\n\n"
        f"Made by `make figures`; do not edit. Python {platform.python_version()}, two cores.\n"
        "A figure that was stopped holds the rows made so far, and says how many.\n"
    )
    return head + "".join(f"\n## {title}\n\n{both[title]}\n" for title in order)


if __name__ == "__main__":
    main()
