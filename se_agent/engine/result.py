"""What a run came to, in the words of `--json`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from se_agent.events import (
    BlockMeasured,
    Confirmed,
    Ended,
    Evaluated,
    Event,
    Failed,
    GenerationOpened,
    Learned,
    Resumed,
    SearchEnded,
    Started,
)
from se_agent.types import Kind

RunStatus = Literal["proven", "not_proven", "interrupted", "failed"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """One row of `--json`.

    Attributes:
        run: Path of the run folder.
        problem: Name of the problem.
        status: `interrupted` until the run has ended.
        best_solution_id: The confirmed champion, or the incumbent so far.
        gain: Net CPU of initial / best on final inputs; None for scored problems.
        gain_low: Lower end of its 99 % interval.
        gain_high: Upper end.
        score: Of the champion on final inputs; None for timed problems.
        score_initial: Of the initial program.
        direction: Whether a smaller or a larger score is better.
        evaluations: Distinct candidates that were evaluated.
        generations: Generations that were finished.
        cpu_seconds: Engine and candidates.
        budget_end: What ended the run; empty while it has not ended.
    """

    run: str
    problem: str
    status: RunStatus
    best_solution_id: str
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None
    score: float | None = None
    score_initial: float | None = None
    direction: str | None = None
    evaluations: int = 0
    generations: int = 0
    cpu_seconds: float = 0.0
    budget_end: str = ""


def summarize(folder: Path, events: Iterable[Event]) -> Result:
    """Fold a journal into its result; a journal without a start is a failed run."""
    row = Result(run=str(folder), problem="", status="failed", best_solution_id="")
    fields = dict(vars(row))
    for event in events:
        fields |= _news(event, fields)
    return Result(**fields)


def _news(event: Event, fields: dict[str, object]) -> dict[str, object]:
    match event:
        case Started():
            return _start(event)
        case Evaluated():
            return {"evaluations": _number(fields, "evaluations") + 1} | _cost(
                fields, event.evaluation.cost_seconds
            )
        case BlockMeasured():
            return _cost(fields, event.block.cost_seconds)
        case GenerationOpened():
            return {"generations": event.generation - 1, "cpu_seconds": event.cpu_seconds}
        case Learned():
            return _lesson(event, fields)
        case Confirmed():
            return _confirmation(event)
        case Failed():
            return {"status": "failed"}
        case Resumed():
            return {"status": "interrupted"}
        case SearchEnded():
            return {"generations": event.generations, "budget_end": event.budget_end}
        case Ended():
            return {"status": event.status, "cpu_seconds": event.cpu_seconds}
        case _:
            return {}


def _start(event: Started) -> dict[str, object]:
    timed = event.measure is Kind.TIMED
    return {
        "problem": event.name,
        "status": "interrupted",
        "best_solution_id": event.initial.id,
        "cpu_seconds": event.cost_seconds,
        **({"gain": 1.0, "gain_low": 1.0, "gain_high": 1.0} if timed else {}),
        "score_initial": None if timed else event.metric.value,
        "score": None if timed else event.metric.value,
        "direction": None if timed else event.metric.direction,
    }


def _lesson(event: Learned, fields: dict[str, object]) -> dict[str, object]:
    news: dict[str, object] = {"best_solution_id": event.best, "status": "interrupted"}
    if fields["score"] is not None and event.best == event.child and event.effect is not None:
        sign = 1 if fields["direction"] == "maximize" else -1
        news["score"] = _number(fields, "score_initial") + sign * event.effect
    return news


def _confirmation(event: Confirmed) -> dict[str, object]:
    if event.gain is None:
        return {
            "best_solution_id": event.solution,
            "score": event.score,
            "score_initial": event.score_initial,
        }
    return {
        "best_solution_id": event.solution,
        "gain": event.gain,
        "gain_low": event.low,
        "gain_high": event.high,
    }


def _number(fields: dict[str, object], key: str) -> float:
    value = fields[key]
    assert isinstance(value, int | float)
    return value


def _cost(fields: dict[str, object], seconds: float) -> dict[str, object]:
    return {"cpu_seconds": _number(fields, "cpu_seconds") + seconds}
