"""What a search makes of the calls of a model: the arena, on equal terms.

A loopback endpoint answers from a corpus of programs, blind to who asks: the nearer to what the
prompt shows and names, the likelier. Ours and two published searches ask the same market with
the same seeds and draw from the same verdicts. Ours make one step at a time, as theirs do here,
with operators of a model only; ShinkaEvolve has no embeddings. Counted is every call, in every
role. The figure is the mean over the calls of the best gain so far,
ln(initial / best), as a share of the largest gain in the corpus; the difference is that of the
first arm to each other, paired by problem and seed, with a 95 % bootstrap over problems.

The areas at 30 and 60 calls are those of the first calls of each run of 150, not of runs that
had such a budget. Where a prompt names a strategy below a heading such as our templates have
("strategy to follow", `_WANTED` in `prompt.py`), the market gives its programs eight times the
weight (`FOLLOWED` in `draw.py`). The published searches name none as they run here (without the
recommendations of ShinkaEvolve), and one in other words would not be understood: a part of the
lead over them may be that factor, and how far a real model follows a strategy is not measured.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from experiments.arena import recorded, runs
from experiments.arena.corpus import lot, names
from experiments.figures.ablation import bootstrap
from experiments.figures.rows import HOME, Row, fill

SEEDS = 10
BUDGETS = (30, 60, 150)
SETTINGS = {"calls": max(BUDGETS)}
NAME = "arena"

ARMS: dict[str, tuple[str, ...]] = {
    "portfolio": ("policy=portfolio",),
    "lessons each": ("policy=portfolio", "memory.extraction=each"),
    "lessons batch": ("policy=portfolio", "memory.extraction=batch", "generation_size=4"),
    "cse": ("policy=cse",),
    "best_of_n": ("policy=best_of_n",),
    "sequential_refine": ("policy=sequential_refine",),
    "map_elites": ("policy=map_elites",),
    "random": ("policy=random",),
    "fixed": ("policy=fixed",),
    "openevolve": (),
    "shinka": (),
}
PEERS = ("openevolve", "shinka")


def rows(
    problems: Sequence[str] = (),
    arms: Sequence[str] = (),
    seeds: Iterable[int] = range(SEEDS),
    jobs: int = 1,
) -> dict[str, Row]:
    """Run what is missing and return a row an arm, problem and seed.

    Args:
        problems: Names; none: all of the corpus.
        arms: Which of them; none: all that can be run here.
        seeds: Of the searches and of the market.
        jobs: Runs at a time.
    """
    recorded.rows()
    tasks = {
        f"{name}/{arm}/{seed}": partial(_row, name, arm, seed)
        for seed in seeds
        for name in problems or names()
        for arm in arms or available()
    }
    return fill(NAME, tasks, settings=SETTINGS, jobs=jobs)


def available() -> list[str]:
    """Return the arms that can be run here: those of others need their packages."""
    return [arm for arm in ARMS if arm not in PEERS or runs.installed(arm)]


def _row(name: str, arm: str, seed: int) -> Row:
    evaluator, place = recorded.recorded(lot(name)), HOME / NAME / arm / name / str(seed)
    if arm in PEERS:
        return runs.others(evaluator, place, seed, max(BUDGETS), arm)
    return runs.ours(evaluator, place, seed, max(BUDGETS), ARMS[arm])


def area(course: Sequence[float], calls: int) -> float:
    """Return the mean over the first calls of the best gain so far."""
    return statistics.fmean(course[:calls])


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: an arm a line, a budget a pair of columns."""
    present = [arm for arm in ARMS if any(key.split("/")[1] == arm for key in found)]
    tops = {key.split("/")[0]: row["top"] for key, row in found.items()}
    heads = [f"{n} calls | {present[0]} is ahead by" for n in BUDGETS]
    lines = [
        f"{len(tops)} problems, {len(found)} runs.",
        "",
        f"| arm | runs | {' | '.join(heads)} |",
        f"|---|--:|{'--:|---|' * len(BUDGETS)}",
    ]
    open_at: dict[str, list[str]] = {}
    for arm in present:
        own = {key: row for key, row in found.items() if key.split("/")[1] == arm}
        cells = [_cell(found, arm, present[0], calls, tops) for calls in BUDGETS]
        lines.append(f"| {arm} | {len(own)} | {' | '.join(cell.text for cell in cells)} |")
        for calls, cell in zip(BUDGETS, cells, strict=True):
            if cell.low <= 0:
                open_at.setdefault(arm, []).append(str(calls))
    told = "; ".join(f"{arm} at {', '.join(budgets)} calls" for arm, budgets in open_at.items())
    return "\n".join([*lines, "", f"Not proven to be ahead of: {told or 'none'}."])


class Cell(NamedTuple):
    """Of the table: what it says, and the lower end of the interval of the difference."""

    text: str
    low: float = math.inf


def _cell(
    found: dict[str, Row], arm: str, first: str, calls: int, tops: dict[str, float]
) -> Cell:
    """Return the share of an arm, and how far the first arm is ahead where both ran."""
    shares: dict[str, list[float]] = {}
    ahead: dict[str, list[float]] = {}
    for key, row in found.items():
        name, own, seed = key.split("/")
        if own != arm:
            continue
        share = area(row["course"], calls) / tops[name]
        shares.setdefault(name, []).append(share)
        if (other := found.get(f"{name}/{first}/{seed}")) is not None:
            more = area(other["course"], calls) / tops[name] - share
            ahead.setdefault(name, []).append(more)
    mean = statistics.fmean(map(statistics.fmean, shares.values()))
    if arm == first or not ahead:
        return Cell(f"{mean:.3f} | ")
    differences = [statistics.fmean(each) for each in ahead.values()]
    low, high = bootstrap(differences, of=statistics.fmean)
    told = f"{statistics.fmean(differences):+.3f} ({low:+.3f} to {high:+.3f})"
    return Cell(f"{mean:.3f} | {told}", low)
