"""How CPU time grows with the size of the input: measured on the ladder of sizes.

A program is run on a few inputs of each rung, from the smallest on, until a run is long or the
time is used up; the slope of a straight line through the logarithms is the exponent. Not here:
which of two programs is faster. These times are of one moment and one layout.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evaluators.answers.bench import Bench
from evaluators.measure.clock import Clock
from evaluators.measure.reading import ClockReading
from evaluators.sandbox.job import JobOutcome
from se_agent.errors import ProblemError
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.observation import Scaling

SECONDS = 0.3
"""CPU seconds after which no further rung is begun; the last one may take half as long."""

RUNGS = 4
"""Rungs that count: the largest ones, while they lie on a line. Small ones would bend it."""

_INPUTS = 4  # of a rung, answered in one run, while they are short
_EMPTY = 3  # runs of a program that does nothing, whose time is subtracted
_SHORT = 0.01  # CPU seconds of a run up to which it takes several, or several inputs
_LONG = 0.1  # the same from which on the next rung would take too long
_SHORTEST = 2e-4  # net CPU seconds of a run that tell anything
_GROWTH = 1.5  # of the smallest size to the largest, at least
_ASTRAY = 0.2  # from the line, as a logarithm, at most


def scaling(bench: Bench, program: str, loading: float = 0.0) -> Scaling | None:
    """Return how a right program scales; None where that cannot be told.

    Args:
        bench: Where it runs. Its inputs must be generated, of at least two sizes.
        program: Its text.
        loading: CPU seconds that it is granted for being loaded.
    """
    ladder = bench.problem.ladder
    if not ladder.fresh or len(ladder.rungs) < 2:
        return None
    return fitted([*_points(bench, program, loading)][-RUNGS:])


def fitted(points: Sequence[tuple[int, float]]) -> Scaling | None:
    """Return the straight line through the logarithms of sizes and seconds.

    By least squares; smaller sizes are left out until the others, three or more, lie on a
    line. Where no three do, one of them was measured in a bad moment: the middle one of the
    slopes of all pairs bears that, of four. Of three it is always that of the outer two, and
    the smallest errs most: it is left out. None where sizes do not grow.
    """
    sizes = [size for size, _ in points]
    if any(b <= a for a, b in itertools.pairwise(sizes)) or len(points) < 2 or sizes[0] < 1:
        return None
    if sizes[-1] < _GROWTH * sizes[0]:
        return None
    logs = [(math.log(size), math.log(seconds)) for size, seconds in points]
    for first in range(len(points) - 2):
        slope = _line(logs[first:])
        if slope is not None and sizes[-1] >= _GROWTH * sizes[first]:
            return _told(slope, points[first:])
    first = 1 if len(points) == 3 and sizes[-1] >= _GROWTH * sizes[1] else 0
    pairs = itertools.combinations(logs[first:], 2)
    slope = statistics.median((v - y) / (u - x) for (x, y), (u, v) in pairs)
    return _told(slope, points[first:])


def _line(logs: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of the line through all points; None where one is astray."""
    slope, offset = statistics.linear_regression(*zip(*logs, strict=True))
    astray = any(abs(y - offset - slope * x) > _ASTRAY for x, y in logs)
    return None if astray else slope


def _told(slope: float, points: Sequence[tuple[int, float]]) -> Scaling:
    sizes, seconds = zip(*points, strict=True)
    shown = tuple(float(f"{value:.3g}") for value in seconds)
    return Scaling(exponent=round(slope, 2), sizes=sizes, seconds=shown)


def _points(bench: Bench, program: str, loading: float) -> Iterator[tuple[int, float]]:
    """Yield the size of a rung, and net CPU seconds of one of its inputs, where they tell."""
    end, most = bench.sandbox.spent + SECONDS, min(_INPUTS, bench.runner.most)
    ladder = bench.problem.ladder
    # Small sizes would use up the time, and are nearly all start-up.
    for level in range(max(0, ladder.final_level + 1 - RUNGS), len(ladder.rungs)):
        exprs = bench.exprs(InputSet.SEARCH, most, level=level)
        try:
            inputs = bench.pool.real(exprs)
        except ProblemError:  # the run will end by it where it needs them
            return
        net = _net(bench, program, inputs, loading) if bench.sandbox.spent < end else None
        if net is None:
            return
        if net > _SHORTEST:
            size = exprs[0].size
            yield len(inputs[0]) if size is None else size, net / len(inputs)
        if net > _LONG:
            return
        most = 1 if net > _SHORT else most


def _net(bench: Bench, program: str, inputs: Sequence[bytes], loading: float) -> float | None:
    """Return the net CPU seconds of a run on these inputs; None where it does not end well.

    Below what the clock can resolve it is 0. Loading the program is no part of it.
    """
    seconds = SECONDS / 2 + loading
    limits = replace(bench.problem.limits, cpu_seconds=seconds)

    def ran(text: str) -> JobOutcome:
        return bench.runner.run(bench.sandbox, text, inputs, limits, keep_errors=True)

    idle = _idle(bench, program)
    clock = Clock.of([ClockReading.of(ran(idle)).cpu for _ in range(_EMPTY)])
    nets: list[float] = []
    while len(nets) < (3 if nets and nets[0] < _SHORT else 2):
        outcome = ran(program)
        if outcome.status is not Status.AC:
            return None
        nets.append(clock.net(ClockReading.of(outcome).cpu))
    # Another on the same core makes a run slower, nothing makes it faster; but of a short one
    # the start-up is as large a part, and errs both ways.
    net = min(nets) if len(nets) == 2 else statistics.median(nets)
    return net if net > 3 * clock.resolution else 0.0


def _idle(bench: Bench, program: str) -> str:
    """Return a program that is loaded like this one, if it is called, and does nothing."""
    entry = bench.problem.entry_point
    if not entry:
        return bench.runner.empty(program)
    return f"{program}\n\ndef {entry}(*args):\n    return None\n"
