"""One cell: what is on record of it, or its run, from the beginning or from where it broke off.

A problem that cannot be measured is noted and counted apart, never an error that stops others.
Not here: which cells there are (`cells`), and several of them (`cell_loop`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from se_agent.engine.journal.cell_record import CellRecord, Note, Skipped
from se_agent.engine.journal.result import Result, RunStatus
from se_agent.engine.run.resolve import EvaluatorFactory, registered_evaluator
from se_agent.engine.run.start import resume, start
from se_agent.errors import (
    JournalError,
    NotMeasurableError,
    ProblemError,
    SandboxError,
    SmallBudgetError,
    TooSmallError,
)

CellStatus = RunStatus | Skipped

SPOILED = (ProblemError, SandboxError, JournalError, SmallBudgetError)
"""Errors that are of one cell alone: others go on."""


@dataclass(frozen=True, kw_only=True)
class CellResult:
    """What a cell came to: its run, or why there is none.

    Attributes:
        id: Name of the cell.
        status: Status of its run, or `not_measurable`, `too_small`, `failed` without one.
        reason: Why there is no run.
        result: Result of the run.
    """

    id: str
    status: CellStatus
    reason: str = ""
    result: Result | None = None

    def as_json(self) -> dict[str, object]:
        """Return the row of `--json`."""
        found = asdict(self.result) if self.result else {}
        return found | {"id": self.id, "status": self.status, "reason": self.reason}


def cell_result(id: str, found: Result | Note) -> CellResult:
    """Return what a run, or the note why there is none, comes to."""
    if isinstance(found, Note):
        return CellResult(id=id, status=found.status, reason=found.reason)
    return CellResult(id=id, status=found.status, result=found)


def run_cell(
    record: CellRecord,
    evaluators: EvaluatorFactory = registered_evaluator,
) -> Result | Note:
    """Return what is on record, or go on from there, or run the cell.

    Raises:
        SeAgentError: As `start` and `resume` raise it.
    """
    if note := record.note():
        return note
    try:
        if record.start_event() is None:
            return start(
                record.config,
                problem=record.row.load(),
                evaluators=evaluators,
            )
        result = record.result()
        if result.status in {"interrupted", "failed"}:
            result = resume(record.folder, evaluators=evaluators)
    except NotMeasurableError as err:
        return record.skip("not_measurable", str(err))
    except TooSmallError as err:
        return record.skip("too_small", str(err))
    return result
