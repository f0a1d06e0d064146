"""What runs are compared by: what they came to, and what it took them. Pure.

A value is such that more of it is better, and that a difference of two means something: the
logarithm of a gain, a score, the negative logarithm of what was spent.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from se_agent.analysis.records import ComparedRun
from se_agent.analysis.run_tables.course import SPENDINGS, CoursePoint
from se_agent.stats.anytime import Course, area, spent_to_reach
from se_agent.stats.paired import DoubtedValue, PairKey

SHARES = (0.5, 0.9, 1.0)
"""Shares of the best effect known of a problem that a search has to reach."""

USUAL_SHARE = 0.9
"""The one of these that says most: half is near the start, and all of it few searches reach."""

_LEAST = {"cpu_seconds": 1e-3, "money": 1e-6}
"""The least that is told apart from nothing; of what is counted it is 1."""

_NEAR = 1e-9
_LARGEST = 709.0
_TITLES = {
    "evaluations": "evaluations",
    "calls": "calls of models",
    "tokens": "tokens",
    "cpu_seconds": "CPU seconds",
    "money": "money",
}

Scale = Literal["gain", "cost", "difference"]
"""How an effect is told: a factor of more is better, a factor of less is better, or a sum."""

ValueOf = Callable[[ComparedRun, "Known"], DoubtedValue | None]


def on_scale(
    effect: float, low: float, high: float, scale: Scale
) -> tuple[float, float, float]:
    """Return an effect and its ends as people read them, the smaller end first.

    Returns:
        A gain as arm / base, where more is better; a cost as arm / base, where less is better;
        a difference as it is.
    """
    if scale == "difference":
        return effect, low, high
    if scale == "gain":
        return _factor(effect), _factor(low), _factor(high)
    return _factor(-effect), _factor(-high), _factor(-low)


def _factor(logarithm: float) -> float:
    """Return e to this power; infinity where no float holds it."""
    return math.exp(logarithm) if logarithm < _LARGEST else math.inf


@dataclass(frozen=True, kw_only=True)
class Known:
    """What all compared runs of a problem found out about it.

    Attributes:
        best: Largest effect that any of them reached in its search.
        evaluations: Most evaluations that any of them made.
        most: The most that any of them spent, by name.
    """

    best: float
    evaluations: float
    most: Mapping[str, float]

    @classmethod
    def of(cls, runs: Sequence[ComparedRun]) -> Known:
        """Return what these runs of one problem found out; at least one."""
        points = [point for run in runs for point in (*run.course, run.searched)]
        most = {name: _most(points, name) for name in SPENDINGS}
        best = max(point.effect for point in points)
        return cls(best=best, evaluations=most["evaluations"], most=most)


@dataclass(frozen=True, kw_only=True)
class RunMeasure:
    """One thing that runs are compared by.

    Attributes:
        name: Name in files, such as `evaluations_to_90`.
        title: Name in a sentence.
        scale: How a difference of it is told.
        is_result: Whether it is what a run came to: only then is a lost pair a regression.
        is_detail: Whether it is one of several shares of the best known, and not the usual one.
        value_of: Returns the value of a run, or None where it has none.
    """

    name: str
    title: str
    scale: Scale
    value_of: ValueOf
    is_result: bool = False
    is_detail: bool = False

    def values(
        self, runs: Iterable[ComparedRun], known: Mapping[str, Known]
    ) -> dict[PairKey, DoubtedValue]:
        """Return the values of runs; of runs with the same problem and seed the mean."""
        found: dict[PairKey, list[DoubtedValue]] = {}
        for run in runs:
            value = self.value_of(run, known[run.result.problem])
            if value is not None:
                found.setdefault(run.pair_key, []).append(value)
        return {key: _mean(values) for key, values in found.items()}


def known_of(runs: Iterable[ComparedRun]) -> dict[str, Known]:
    """Return what runs found out about each of their problems."""
    by_problem: dict[str, list[ComparedRun]] = {}
    for run in runs:
        by_problem.setdefault(run.result.problem, []).append(run)
    return {name: Known.of(each) for name, each in by_problem.items()}


def all_measures() -> Iterator[RunMeasure]:
    """Yield the measures: what runs came to, what they spent, and how soon they were there."""
    yield RunMeasure(
        name="gain", title="proven gain", scale="gain", is_result=True, value_of=_gain
    )
    yield RunMeasure(
        name="score", title="gained score", scale="difference", is_result=True, value_of=_score
    )
    for spending, title in _TITLES.items():
        yield RunMeasure(
            name=spending,
            title=f"{title} in all",
            scale="cost",
            value_of=partial(_spent, spending=spending),
        )
    for spending, title in _TITLES.items():
        for share in SHARES:
            yield RunMeasure(
                name=f"{spending}_to_{share * 100:.0f}",
                title=f"{title} to {share:.0%} of the best known",
                scale="cost",
                is_detail=share != USUAL_SHARE,
                value_of=partial(_spent_to, spending=spending, share=share),
            )
    yield RunMeasure(
        name="anytime_area",
        title="mean share of the best known, over all evaluations",
        scale="difference",
        value_of=_area,
    )


def _gain(run: ComparedRun, _: Known) -> DoubtedValue | None:
    """Return the logarithm of the confirmed gain, with half of its 99 % interval as doubt."""
    found = run.result
    if not (run.is_timed and found.gain and found.gain_low and found.gain_high):
        return None
    return DoubtedValue(
        math.log(found.gain), (math.log(found.gain_high) - math.log(found.gain_low)) / 2
    )


def _score(run: ComparedRun, _: Known) -> DoubtedValue | None:
    """Return by how much a run is better than its initial program.

    Each run draws final inputs of its own, which both of its programs have been scored on.
    """
    found = run.result
    if found.score is None or found.score_initial is None or run.is_timed:
        return None
    gained = found.score - found.score_initial
    return DoubtedValue(gained if found.direction == "maximize" else -gained)


def _spent(run: ComparedRun, known: Known, *, spending: str) -> DoubtedValue | None:
    """Return the negative logarithm of what a run spent.

    None where that is not known, or nothing: no ratio says by how much that is less.
    """
    del known
    spent = getattr(run.result, spending)
    return DoubtedValue(-math.log(spent)) if spent else None


def _spent_to(
    run: ComparedRun, known: Known, *, spending: str, share: float
) -> DoubtedValue | None:
    """Return the negative logarithm of what a run spent until it had so much of the best.

    One that never had it counts with the most that any run of its problem spent.
    """
    if known.best <= 0 or not known.most[spending] > 0:
        return None
    target = share * known.best * (1 - _NEAR)
    spent = spent_to_reach(_by(spending, run.course), target)
    least = _LEAST.get(spending, 1.0)
    return DoubtedValue(-math.log(max(least, known.most[spending] if spent is None else spent)))


def _area(run: ComparedRun, known: Known) -> DoubtedValue | None:
    if known.best <= 0:
        return None
    return DoubtedValue(area(_by("evaluations", run.course), known.evaluations) / known.best)


def _by(spending: str, course: Iterable[CoursePoint]) -> Course:
    return [(getattr(point, spending), point.effect) for point in course]


def _most(points: Iterable[CoursePoint], spending: str) -> float:
    """Return the most that was spent; not a number where that is not known of a run."""
    values = [getattr(point, spending) for point in points]
    return math.nan if any(map(math.isnan, values)) else max(values)


def _mean(values: Sequence[DoubtedValue]) -> DoubtedValue:
    return DoubtedValue(
        statistics.fmean(each.value for each in values),
        max(each.doubt for each in values),
    )
