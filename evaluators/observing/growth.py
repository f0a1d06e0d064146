"""How CPU time of two programs grows with the size of the input: on the same inputs, by turns.

A program that is faster on the sizes that were measured, and whose time grows faster, is slower
beyond them. Exponents are slopes of straight lines through the logarithms, over the largest
rungs of the ladder, and their intervals come from what lies off the line: a bent one, or a
moment in which others used the core, makes them wide. Not here: what follows from it.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluators.answers.bench import Bench
from evaluators.measure.clock import Clock
from evaluators.measure.reading import ClockReading
from evaluators.sandbox.job import JobOutcome
from se_agent.errors import ProblemError
from se_agent.problem.model import Limits
from se_agent.stats.sequential import t_quantile
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.observation import Growth, GrowthPair
from se_agent.values.solution import Solution

RUNGS = 4
"""Rungs that count: the largest ones. Small ones would bend the line."""

_TURNS = 3  # runs of each program on a rung
_CALLS = 3  # of a run that count, while they are short; one more comes before them
_SHORT = 0.02  # CPU seconds of a call up to which it has so many
_LONG = 0.3  # the same from which on no larger rung is looked at
_SHORTEST = 3e-6  # net CPU seconds of a call that tell anything
_RISE = 0.05  # of the old one's time, by which a rise is larger than another
_STEEPER = 1.25  # times the share of the old one's rise that the new one has at first
_SPAN = 3.0  # times the smallest size that the largest is, at least


@dataclass(frozen=True)
class _Point:
    """Net CPU seconds of a call of both programs, old and new, on inputs of a size."""

    size: int
    seconds: tuple[float, float]


def growth_pair(bench: Bench, old: Solution, new: Solution) -> GrowthPair | None:
    """Return how two right programs grow; None where that cannot be told.

    Args:
        bench: Where they run. Its inputs must be generated, of at least three sizes.
        old: The reference.
        new: The other.
    """
    if not bench.problem.ladder.fresh or len(bench.problem.ladder.rungs) < 3:
        return None
    program_of = bench.runner.program_of
    points = [*_points(bench, (program_of(old), program_of(new)))]
    sizes = sorted({point.size for point in points})[-RUNGS:]
    if len(sizes) < 3 or sizes[0] < 1 or sizes[-1] < _SPAN * sizes[0]:
        return None
    used = [point for point in points if point.size in sizes]
    found = [_fitted([(p.size, p.seconds[side]) for p in used]) for side in (0, 1)]
    return GrowthPair(
        old=found[0], new=found[1], sizes=tuple(sizes), steeper=_is_steeper(used, sizes)
    )


def _is_steeper(points: Sequence[_Point], sizes: Sequence[int]) -> bool:
    """Say whether the new one's time rises more than the old one's, whatever they start at.

    It adds more over all sizes, or its share of what the old one adds becomes larger.
    """
    old, new = (
        [statistics.median(p.seconds[side] for p in points if p.size == n) for n in sizes]
        for side in (0, 1)
    )
    more = new[-1] - new[0] - (old[-1] - old[0])
    if more > _RISE * old[-1]:
        return True
    before, after = ((side[-2] - side[0], side[-1] - side[-2]) for side in (old, new))
    if min(*before, *after) <= 0:
        return False  # what does not rise is lost in the noise
    return after[1] / before[1] > _STEEPER * after[0] / before[0]


def _fitted(points: Sequence[tuple[int, float]]) -> Growth:
    """Return the slope of the line through the logarithms, with its 99 % interval."""
    xs, ys = ([math.log(value) for value in side] for side in zip(*points, strict=True))
    slope, offset = statistics.linear_regression(xs, ys)
    off = math.fsum((y - offset - slope * x) ** 2 for x, y in zip(xs, ys, strict=True))
    middle = statistics.fmean(xs)
    spread = math.fsum((x - middle) ** 2 for x in xs)
    half = t_quantile(len(xs) - 1) * math.sqrt(off / (len(xs) - 2) / spread)
    return Growth(exponent=slope, low=slope - half, high=slope + half)


def _points(bench: Bench, texts: tuple[str, str]) -> Iterator[_Point]:
    """Yield what calls take, rung by rung, some for each; sizes only grow."""
    seen, calls = 0, _CALLS
    for level in range(len(bench.problem.ladder.rungs)):
        exprs = bench.exprs(InputSet.SEARCH, 4 * _CALLS, level=level)
        try:
            inputs = bench.pool.real(bench.pool.distinct(exprs, calls + 1))
        except ProblemError:
            return
        size = exprs[0].size if exprs else None
        if len(inputs) < 2 or size is None or size <= seen:
            continue
        each = [*itertools.islice(_turns(bench, texts, inputs), _TURNS)]
        if len(each) < _TURNS:
            return
        if min(map(min, each)) > _SHORTEST:
            seen = size
            yield from (_Point(size, seconds) for seconds in each)
        slowest = max(map(max, each))
        if slowest > _LONG:
            return
        calls = 1 if slowest > _SHORT else calls


def _turns(
    bench: Bench, texts: tuple[str, str], inputs: Sequence[bytes]
) -> Iterator[tuple[float, float]]:
    """Yield net CPU seconds of a call of both; ends where one of them does not end well."""
    limits, runner = bench.problem.limits, bench.runner

    def ran(text: str, limits: Limits) -> JobOutcome:
        return runner.run(bench.sandbox, text, inputs, limits, keep_errors=True, warm=1)

    while True:
        outcomes = [ran(runner.empty(texts[0]), limits), *(ran(text, limits) for text in texts)]
        if any(outcome.status is not Status.AC for outcome in outcomes):
            return
        empty, old, new = (ClockReading.of(outcome).cpu for outcome in outcomes)
        startup = Clock.of([empty]).startup.answers
        nets = [max(run.answers - startup, 1e-9) / (len(inputs) - 1) for run in (old, new)]
        yield nets[0], nets[1]
