"""Run a whole problem set, one run folder a row; a set that broke off goes on where it was.

A row that cannot be measured is counted apart, never an error that stops the set.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from se_agent.config import Run
from se_agent.engine.journal import Journal
from se_agent.engine.result import Result, RunStatus, summarize
from se_agent.engine.run import resume, start
from se_agent.engine.wiring import EvaluatorFactory, registered
from se_agent.errors import (
    IsolationError,
    JournalError,
    NotMeasurableError,
    ProblemError,
    SandboxError,
    TooSmallError,
)
from se_agent.problem_set import Row, problem, read
from se_agent.protocols import Listener

RowStatus = RunStatus | Literal["not_measurable", "too_small"]

_SKIPPED = "skipped.json"


@dataclass(frozen=True, kw_only=True)
class RowResult:
    """One row: its run, or why there is none.

    Attributes:
        id: Of the row.
        status: Of its run, or `not_measurable`, `too_small`, `failed` without one.
        reason: Why there is no run.
        result: Of the run.
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

    def as_json(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return {
            "problem_set": self.path,
            "results": self.results,
            "counts": self.counts,
            "rows": [row.as_json() for row in self.rows],
        }


def run_set(
    path: Path,
    config: Run,
    *,
    listeners: Callable[[Row], Sequence[Listener]] | None = None,
    on_row: Callable[[int, int, RowResult], None] | None = None,
    evaluators: EvaluatorFactory = registered,
) -> SetResult:
    """Run every row of a file that is not finished yet.

    Args:
        path: The JSONL file.
        config: Of every row; `problem` and `name` are set by the row.
        listeners: Makes the listeners of a row's run.
        on_row: Is told of each finished row, with its number and the number of rows.
        evaluators: Makes the evaluators.

    Raises:
        ProblemError: The file cannot be used.
        IsolationError: This machine cannot give the isolation that was asked for.
    """
    rows = read(path)
    home = Path(config.results) / path.stem
    done: list[RowResult] = []
    for number, row in enumerate(rows, 1):
        own = config.model_copy(
            update={"problem": row.id, "name": row.folder, "results": str(home)}
        )
        found = _row(row, own, listeners(row) if listeners else (), evaluators)
        if on_row:
            on_row(number, len(rows), found)
        done.append(found)
    return SetResult(path=str(path), results=str(home), rows=tuple(done))


def _row(
    row: Row, config: Run, listeners: Sequence[Listener], evaluators: EvaluatorFactory
) -> RowResult:
    folder = Path(config.results) / config.name
    found = _recorded(row, folder)
    if found is not None and found.status not in {"interrupted", "failed"}:
        return found
    try:
        if (folder / "run.db").is_file():
            result = resume(folder, listeners=listeners, evaluators=evaluators)
        else:
            result = start(
                config, problem=problem(row), listeners=listeners, evaluators=evaluators
            )
    except IsolationError:
        raise
    except NotMeasurableError as err:
        return _skip(row, folder, "not_measurable", err)
    except TooSmallError as err:
        return _skip(row, folder, "too_small", err)
    except (ProblemError, SandboxError, JournalError) as err:
        return RowResult(id=row.id, status="failed", reason=str(err))
    return RowResult(id=row.id, status=result.status, result=result)


def _recorded(row: Row, folder: Path) -> RowResult | None:
    if (folder / _SKIPPED).is_file():
        noted = json.loads((folder / _SKIPPED).read_text(encoding="utf-8"))
        return RowResult(id=row.id, status=noted["status"], reason=noted["reason"])
    if not (folder / "run.db").is_file():
        return None
    with Journal(folder / "run.db", write=False) as journal:
        result = summarize(folder, journal.events())
    return RowResult(id=row.id, status=result.status, result=result)


def _skip(row: Row, folder: Path, status: RowStatus, err: ProblemError) -> RowResult:
    found = RowResult(id=row.id, status=status, reason=str(err))
    folder.mkdir(parents=True, exist_ok=True)
    note = {"status": found.status, "reason": found.reason}
    (folder / _SKIPPED).write_text(json.dumps(note), encoding="utf-8")
    return found
