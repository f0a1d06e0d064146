"""Whether a search is ahead all over the surface of seeds and calls, or at one lucky place.

The arena once more, smaller, with a relay of policies, its parts, `best_of_n`, and an
autonomous agent: one conversation that sees each answer of the evaluator and keeps its whole
history. A cell is a seed and a number of calls; in it the lead is the mean over the problems of
the difference of areas (as in the arena, shares of the largest known gain). Calls are made
equal, then tokens, then the CPU seconds of evaluations and comparisons: there both runs count
up to what the thriftier one had spent after its calls. A win counts only with a lead in at
least 80 % of the cells. CPU seconds are worked out from the recorded times of the programs and
the number of pairs; the agent's tries count as an evaluation by one block of 12 pairs each.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from experiments.arena import recorded, runs
from experiments.arena.corpus import lot
from experiments.arena.figure import area_by_tokens
from experiments.figures.rows import HOME, Row, fill

SEEDS = 3
CALLS = (10, 20, 40)
SETTINGS = {"calls": max(CALLS), "row": 1}
NAME = "surface"
COUNTS = 0.8
"""Share of the cells with a lead from which on a win counts."""

PROBLEMS = ("code_words", "ferry_lines", "house_views", "mountain_cart", "near_words")
AGENT = "agent"
_PARTS = 'relay.parts=["portfolio","sequential_refine"]'
ARMS: dict[str, tuple[str, ...]] = {
    "relay": ("policy=relay", _PARTS, "relay.plateau=6"),
    "portfolio": ("policy=portfolio",),
    "sequential_refine": ("policy=sequential_refine",),
    "best_of_n": ("policy=best_of_n",),
    AGENT: (),
}


def rows(seeds: Iterable[int] = range(SEEDS)) -> dict[str, Row]:
    """Run what is missing and return a row an arm, problem and seed."""
    recorded.rows()
    tasks = {
        f"{name}/{arm}/{seed}": partial(_row, name, arm, seed)
        for seed in seeds
        for name in PROBLEMS
        for arm in ARMS
    }
    return fill(NAME, tasks, settings=SETTINGS, jobs=1)


def _row(name: str, arm: str, seed: int) -> Row:
    evaluator, place = recorded.recorded(lot(name)), HOME / NAME / arm / name / str(seed)
    if arm == AGENT:
        return runs.others(evaluator, place, seed, max(CALLS), arm)
    return runs.ours(evaluator, place, seed, max(CALLS), ARMS[arm])


def by_calls(row: Row, _beside: Row, calls: int) -> float:
    """Return the area of a run over its first calls, as a share of the largest gain."""
    return statistics.fmean(row["course"][:calls]) / float(row["top"])


def by(spent: str, row: Row, beside: Row, calls: int) -> float:
    """Return the same over what both have spent after these calls: `tokens` or `cpu`."""
    most = min(sum(each[spent][:calls]) for each in (row, beside))
    return area_by_tokens(row["course"], row[spent], most) / row["top"] if most else 0.0


MEASURES: dict[str, Callable[[Row, Row, int], float]] = {
    "equal calls": by_calls,
    "equal tokens": partial(by, "tokens"),
    "equal CPU": partial(by, "cpu"),
}


def leads(found: dict[str, Row], first: str, other: str, measure: str) -> Iterator[float]:
    """Yield by how much an arm is ahead of another in each cell where both ran."""
    of = MEASURES[measure]
    each = {tuple(key.split("/")): row for key, row in found.items()}
    for seed in sorted({seed for _, _, seed in each}):
        pairs = [
            (row, each[name, other, seed])
            for (name, arm, its), row in each.items()
            if arm == first and its == seed and (name, other, seed) in each
        ]
        for calls in CALLS if pairs else ():
            yield statistics.fmean(of(a, b, calls) - of(b, a, calls) for a, b in pairs)


def verdict(cells: Sequence[float]) -> str:
    """Return in how many cells an arm is ahead, how far on average, and whether that counts."""
    if not cells:
        return "not run"
    ahead, behind = (sum(sign * lead > 0 for lead in cells) for sign in (1, -1))
    enough = COUNTS * len(cells)
    word = "a win" if ahead >= enough else "a loss" if behind >= enough else "no win"
    return f"{ahead} of {len(cells)} ({statistics.fmean(cells):+.3f}): {word}"


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: an arm a line, the lead of the first over each."""
    first, problems = next(iter(ARMS)), {key.split("/")[0] for key in found}
    said = f"Cells in which `{first}` is ahead, and its mean lead:"
    lines = [
        f"{len(problems)} problems, {len(found)} runs. {said}",
        "",
        f"| arm | area, {max(CALLS)} calls | tokens | CPU s | {' | '.join(MEASURES)} |",
        f"|---|--:|--:|--:|{'---|' * len(MEASURES)}",
    ]
    for arm in ARMS:
        own = [row for key, row in found.items() if key.split("/")[1] == arm]
        if not own:
            continue
        area = statistics.fmean(by_calls(row, row, max(CALLS)) for row in own)
        tokens, cpu = (
            statistics.fmean(sum(row[name]) for row in own) for name in ("tokens", "cpu")
        )
        told = (
            "" if arm == first else verdict([*leads(found, first, arm, measure)])
            for measure in MEASURES
        )
        lines.append(f"| {arm} | {area:.3f} | {tokens:,.0f} | {cpu:.1f} | {' | '.join(told)} |")
    return "\n".join(lines)
