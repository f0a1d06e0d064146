"""Real runs of the little world of numbers, in arms, and what was read of runs made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any  # a setting may have any value

from se_agent.analysis.records import ComparedRun, ReadRuns
from se_agent.analysis.run_tables.course import CoursePoint
from se_agent.engine.journal.result import Result
from se_agent.engine.run.start import start
from se_agent.values.evaluation import ComparisonKind
from tests.fakes import NumberEvaluator, number_problem, number_run


def run_in(
    results: Path, name: str, *, problem: str = "numbers", timed: bool = True, **changes: object
) -> Path:
    """Make a run of a problem of this name and return its folder."""
    kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
    found = start(
        number_run(results, name=name, **changes),
        problem=replace(number_problem(timed=timed), name=problem),
        evaluators=lambda *_: NumberEvaluator(kind),
    )
    return Path(found.run)


def arm_in(results: Path, *, problems: Iterable[str], seeds: int = 2, **changes: Any) -> Path:
    """Make a run for each problem and seed, and return the folder that holds them."""
    for problem in problems:
        for seed in range(seeds):
            run_in(results, f"{problem}-{seed}", problem=problem, seed=seed, **changes)
    return results


def record(
    arm: str = "",
    *,
    problem: str = "p",
    seed: int = 0,
    gain: float = 1.0,
    doubt: float = 1.0,
    settings: Mapping[str, object] | None = None,
    machine: str = "a machine",
    evaluations: float = 10.0,
    effect: float | None = None,
    calls: int = 0,
    written: int = 0,
) -> ComparedRun:
    """Return a run as if it had been read; `doubt` is a factor to each side of its gain."""
    folder = Path("results") / (arm or str(settings)) / f"{problem}-{seed}"
    result = Result(
        run=str(folder),
        problem=problem,
        status="proven",
        best_solution_id="Gen1_Sol_1",
        gain=gain,
        gain_low=gain / doubt,
        gain_high=gain * doubt,
        seed=seed,
        settings=settings or {},
        evaluations=int(evaluations),
        cpu_seconds=evaluations,
        calls=calls,
        written=written,
    )
    point = CoursePoint(
        evaluations=evaluations, cpu_seconds=evaluations, calls=calls, effect=effect or 0.0
    )
    return ComparedRun(
        folder=folder,
        arm=arm,
        result=result,
        machine=machine,
        course=() if effect is None else (point,),
        searched=point,
    )


def records(*runs: ComparedRun) -> ReadRuns:
    """Return runs as if they had been read."""
    return ReadRuns(runs)
