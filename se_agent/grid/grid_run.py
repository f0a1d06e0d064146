"""Run a grid: what is missing, what broke off, and nothing twice.

Not here: what it comes to (`se_agent.analysis`), nor how it is shown (`se_agent.cli`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from se_agent.engine.journal.cell_record import CellRecord, ProblemSource
from se_agent.engine.journal.folder import JOURNAL
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run import budget_check
from se_agent.errors import JournalError, SeAgentError
from se_agent.events import Evaluated
from se_agent.grid.arm_totals import ArmTotals
from se_agent.grid.cell_log import cores, load, read_log
from se_agent.grid.cell_loop import EndedCell, RunningCell, run_cells
from se_agent.grid.cell_process import begin_process, on_record
from se_agent.grid.cell_run import SPOILED, CellResult
from se_agent.grid.cells import Grid, GridCell
from se_agent.grid.grid_folder import describe_grid, locked_grid
from se_agent.store.lock import is_locked

_WITHOUT_RESULT = {"failed", "interrupted", "not_measurable", "too_small"}


class PlannedCell(NamedTuple):
    """A cell, and what is on record of it: None where it was not begun yet.

    Attributes:
        cell: The cell.
        found: What is on record.
        seconds: How long it took so far.
        unusable: Why its problem cannot be used as it stands; empty: it can be read.
    """

    cell: GridCell
    found: CellResult | None
    seconds: float = 0.0
    unusable: str = ""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to run: it has a result, or has failed."""
        return self.found is not None and self.found.status not in ("interrupted", "running")


class BeginCell(Protocol):
    """What begins a cell, in a process of its own or otherwise."""

    def __call__(
        self, record: CellRecord, *, grid: str, cell: str, jobs: int, beside: int
    ) -> RunningCell[CellResult]:
        """Begin it; `begin_process` says what the arguments are."""


@dataclass(frozen=True, kw_only=True)
class GridResult:
    """All cells that were chosen, and how many ended how."""

    name: str
    home: str
    cells: tuple[CellResult, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Number of cells by status."""
        return dict(Counter(cell.status for cell in self.cells))

    @property
    def has_results(self) -> bool:
        """Whether a run of any cell came to its end."""
        return not self.counts.keys() <= _WITHOUT_RESULT

    @property
    def is_in_vain(self) -> bool:
        """Whether cells have failed and none has a result."""
        return "failed" in self.counts and not self.has_results

    @property
    def totals(self) -> dict[str, ArmTotals]:
        """What the cells of each arm came to together, by its name."""
        arms: dict[str, list[CellResult]] = {}
        for cell in self.cells:
            arms.setdefault(cell.id.partition("/")[0], []).append(cell)
        return {name: ArmTotals(cells) for name, cells in arms.items()}

    def as_json(self) -> dict[str, object]:
        """Return the object of `--json`."""
        return {
            "grid": self.name,
            "results": self.home,
            "counts": self.counts,
            "arms": {name: each.as_json() for name, each in self.totals.items()},
            "cells": [cell.as_json() for cell in self.cells],
        }


def plan(grid: Grid, *, only: str = "", retry: bool = False) -> list[PlannedCell]:
    """Return the chosen cells in order, each with what is on record of it.

    Args:
        grid: The grid.
        only: Glob of the cells that are chosen; empty: all.
        retry: Whether cells that failed count as interrupted.

    Raises:
        ConfigError: No cell is chosen, a time limit is too small, or what is on record was
            made under another configuration, or of another problem.
    """
    for arm in grid.arms:
        budget_check.check(arm.config)
    unusable = {source.id: _why_unusable(source) for source in grid.sources}
    return [
        _planned(grid, cell, retry)._replace(unusable=unusable[cell.source.id])
        for cell in grid.chosen(only)
    ]


def ended_cells(grid: Grid) -> Iterator[PlannedCell]:
    """Yield the cells of a grid that are over; those that cannot be used are passed over."""
    for cell in grid.cells():
        with suppress(SeAgentError):
            if (found := _planned(grid, cell, retry=False)).is_over:
                yield found


def run_grid(
    grid: Grid,
    planned: Iterable[PlannedCell],
    *,
    jobs: int = 1,
    on_begin: Callable[[GridCell, int], None] | None = None,
    on_end: Callable[[GridCell, CellResult], None] | None = None,
    on_wait: Callable[[Sequence[GridCell]], None] | None = None,
    begin: BeginCell = begin_process,
) -> GridResult:
    """Run what is missing, and go on with what broke off.

    Args:
        grid: The grid.
        planned: Its cells, as `plan` returns them.
        jobs: Number of cells at a time.
        on_begin: Is told of each cell that begins, and how many run then.
        on_end: Is told what each of them came to.
        on_wait: Is told again and again of the cells that run.
        begin: Begins a cell.

    Raises:
        ConfigError: There is a run in the place of the grid.
        JournalError: The folder cannot be written, or another process runs the grid.
    """
    chosen = [*planned]
    done = {each.cell.name: each.found for each in chosen if each.is_over and each.found}

    def begin_one(cell: GridCell, beside: int) -> RunningCell[CellResult]:
        if on_begin:
            on_begin(cell, beside)
        return _begun(grid, cell, partial(begin, jobs=jobs, beside=beside))

    def end_one(cell: GridCell, found: CellResult) -> None:
        done[cell.name] = found
        if on_end:
            on_end(cell, found)

    missing = [each.cell for each in chosen if not each.is_over]
    if missing:
        describe_grid(grid)
        with locked_grid(grid.home):
            run_cells(missing, begin_one, end_one, jobs=jobs, on_wait=on_wait)
    cells = tuple(done[each.cell.name] for each in chosen)
    return GridResult(name=grid.name, home=str(grid.home), cells=cells)


def progress_of(folder: Path) -> tuple[int, bool]:
    """Return how many evaluations a run has made, and whether it confirms what it found.

    One without a journal has made none.
    """
    kinds = ["evaluated", "search_ended"]
    try:
        with Journal(folder / JOURNAL, write=False) as journal:
            found = [*journal.events(kinds=kinds, unread=lambda _: None)]
    except JournalError:
        return 0, False
    made = sum(isinstance(event, Evaluated) and event.slot >= 0 for event in found)
    return made, any(event.kind == "search_ended" for event in found)


def partial_result(grid: Grid, planned: Iterable[PlannedCell]) -> GridResult:
    """Return what is on record of a grid that was interrupted."""
    found = [each.found for each in planned if each.found is not None]
    return GridResult(name=grid.name, home=str(grid.home), cells=tuple(found))


def idle_cores() -> int:
    """Return how many processors are idle, by the load of the last minute; at least 0."""
    now = load()
    return max(0, int(cores() - (now[0] if now else 0.0) + 0.5))


def is_crowded(grid: Grid, jobs: int) -> bool:
    """Say whether timed programs would run beside each other on fewer idle processors."""
    workers = max(arm.config.workers for arm in grid.arms)
    return jobs > 1 and jobs * workers > idle_cores() and any(_timed(grid))


def timed_counts(grid: Grid) -> tuple[int, int]:
    """Return how many problems of a grid are timed, and how many have a score.

    One that cannot be used is neither.
    """
    found = [*_timed(grid)]
    return found.count(True), found.count(False)


def _timed(grid: Grid) -> Iterator[bool]:
    """Yield whether each problem is timed that can be used."""
    for source in grid.sources:
        with suppress(SeAgentError):
            yield source.load().timed


def _why_unusable(source: ProblemSource) -> str:
    try:
        source.load()
    except SeAgentError as err:
        return str(err)
    return ""


def _planned(grid: Grid, cell: GridCell, retry: bool) -> PlannedCell:
    record = grid.record(cell)
    if not record.folder.is_dir():
        return PlannedCell(cell, None)
    record.check()
    log = read_log(record.folder, grid.name, cell.name)
    try:
        found = on_record(record, log)
    except JournalError as err:
        found = CellResult(id=cell.name, status="failed", reason=str(err))
    if retry and found is not None and found.status == "failed":
        begun = (record.folder / JOURNAL).is_file()
        found = CellResult(id=cell.name, status="interrupted") if begun else None
    if (
        found is not None
        and found.status == "interrupted"
        and is_locked(record.folder / JOURNAL)
    ):
        found = replace(found, status="running")
    return PlannedCell(cell, found, log.seconds)


def _begun(
    grid: Grid, cell: GridCell, begin: Callable[..., RunningCell[CellResult]]
) -> RunningCell[CellResult]:
    """Begin a cell; one that cannot even be begun has failed."""
    try:
        return begin(grid.record(cell), grid=grid.name, cell=cell.name)
    except SPOILED as err:
        return EndedCell(CellResult(id=cell.name, status="failed", reason=str(err)))
