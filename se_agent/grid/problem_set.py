"""Run a whole problem set, one run folder a row; a set that broke off goes on where it was.

A row that cannot be measured is counted apart, never an error that stops the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.journal.folder import make_root
from se_agent.engine.journal.overall import as_json, overall
from se_agent.engine.journal.result import Result, RunStatus
from se_agent.engine.journal.row_record import Note, RowRecord, Skipped
from se_agent.engine.journal.shares import FAILED
from se_agent.engine.run import budget_check
from se_agent.engine.run.resolve import EvaluatorFactory, operators_of, registered_evaluator
from se_agent.engine.run.start import resume, start
from se_agent.errors import (
    JournalError,
    NotMeasurableError,
    ProblemError,
    SandboxError,
    SmallBudgetError,
    TooSmallError,
)
from se_agent.problem.dataset import DatasetRow, problem, read
from se_agent.protocols import Listener
from se_agent.stats.memory_worth import Worth
from se_agent.stats.summary import Summary

RowStatus = RunStatus | Skipped


@dataclass(frozen=True, kw_only=True)
class RowResult:
    """One row: its run, or why there is none.

    Attributes:
        id: Id of the row.
        status: Status of its run, or `not_measurable`, `too_small`, `failed` without one.
        reason: Why there is no run.
        result: Result of the run.
    """

    id: str
    status: RowStatus
    reason: str = ""
    result: Result | None = None

    def as_json(self) -> dict[str, object]:
        """Return the row of `--json`."""
        found = asdict(self.result) if self.result else {}
        return found | {"id": self.id, "status": self.status, "reason": self.reason}


@dataclass(frozen=True, kw_only=True)
class SetResult:
    """All rows, and how many ended how."""

    path: str
    results: str
    rows: tuple[RowResult, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows by status."""
        return dict(Counter(row.status for row in self.rows))

    @property
    def overall(self) -> dict[str, Summary]:
        """The gains of all rows that ended, and their shares of the reference's figures."""
        return overall(row.result or _without(row) for row in self.rows)

    @property
    def memory(self) -> Worth:
        """Steps with a proven gain, with memory and without it, of all rows."""
        return sum((row.result.memory for row in self.rows if row.result), Worth())

    def as_json(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return {
            "problem_set": self.path,
            "results": self.results,
            "counts": self.counts,
            "overall": as_json(self.overall),
            "memory": asdict(self.memory),
            "rows": [row.as_json() for row in self.rows],
        }


def _without(row: RowResult) -> Result:
    """Return what a row without a run counts for: nothing, unless it failed."""
    status: RunStatus = "failed" if row.status == "failed" else "interrupted"
    gain = 1.0 if status == "failed" else None
    nothing = Result(run="", problem=row.id, status=status, best_solution_id="", gain=gain)
    return replace(nothing, et=FAILED["et"], mp=FAILED["mp"], mi=FAILED["mi"])


def run_set(
    path: Path,
    config: Run,
    *,
    listeners: Callable[[DatasetRow], Sequence[Listener]] | None = None,
    on_row: Callable[[int, int, RowResult], None] | None = None,
    evaluators: EvaluatorFactory = registered_evaluator,
) -> SetResult:
    """Run every row of a file that is not finished yet.

    No row learns from another one, so their order changes nothing: see `with_frozen_prior`.

    Args:
        path: The JSONL file.
        config: Configuration of every row; `problem` and `name` are set by the row.
        listeners: Makes the listeners of a row's run.
        on_row: Is told of each finished row, with its number and the number of rows.
        evaluators: Makes the evaluators.

    Raises:
        ProblemError: The file cannot be used.
        ConfigError: What is on record was made of another row, or under a configuration that
            differs in more than `workers`, or a time limit is too small; no row was run.
        IsolationError: This machine cannot give the isolation that was asked for.
        JournalError: The folder of results cannot be made.
    """
    budget_check.check(config)
    rows = read(path)
    home = Path(config.results) / path.stem
    make_root(Path(config.results))
    common = {"results": str(home), "operators": tuple(operators_of(config))}
    records = [
        RowRecord(
            row,
            config.model_copy(
                update=common | {"problem": row.id or row.folder, "name": row.folder}
            ),
        ).with_prior()
        for row in rows
    ]
    for record in records:
        record.check()
    done: list[RowResult] = []
    for number, record in enumerate(records, 1):
        found = _row(record, listeners(record.row) if listeners else (), evaluators)
        if on_row:
            on_row(number, len(rows), found)
        done.append(found)
    return SetResult(path=str(path), results=str(home), rows=tuple(done))


def _row(
    record: RowRecord, listeners: Sequence[Listener], evaluators: EvaluatorFactory
) -> RowResult:
    try:
        found = _found(record, listeners, evaluators)
    except (ProblemError, SandboxError, JournalError, SmallBudgetError) as err:
        return RowResult(id=record.row.id, status="failed", reason=str(err))
    if isinstance(found, Note):
        return RowResult(id=record.row.id, status=found.status, reason=found.reason)
    return RowResult(id=record.row.id, status=found.status, result=found)


def _found(
    record: RowRecord, listeners: Sequence[Listener], evaluators: EvaluatorFactory
) -> Result | Note:
    """Return what is on record, or go on from there, or run the row."""
    if note := record.note():
        return note
    try:
        if record.start_event() is None:
            return start(
                record.config,
                problem=problem(record.row),
                listeners=listeners,
                evaluators=evaluators,
            )
        result = record.result()
        if result.status in {"interrupted", "failed"}:
            result = resume(record.folder, listeners=listeners, evaluators=evaluators)
    except NotMeasurableError as err:
        return record.skip("not_measurable", str(err))
    except TooSmallError as err:
        return record.skip("too_small", str(err))
    return result
