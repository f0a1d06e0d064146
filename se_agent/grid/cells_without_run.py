"""Cells of a grid that nobody can compare: they failed, cannot be run, or were not run yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from se_agent.analysis.records import read_run
from se_agent.engine.journal.cell_record import note_in
from se_agent.engine.journal.folder import JOURNAL
from se_agent.errors import JournalError
from se_agent.grid.cell_log import read_log
from se_agent.grid.grid_folder import GridFolder, read_grid_folder
from se_agent.grid.problem_sources import cell_run_name
from se_agent.wording import command, counted

_NAMED = 8


def notes_on_cells(folder: Path) -> Iterator[str]:
    """Yield what is known of the cells of a grid that have no run, a sentence each.

    Args:
        folder: Folder of a grid; of any other nothing is known.
    """
    grid = read_grid_folder(folder)
    if grid is None:
        return
    failed, refused, missing = list[str](), list[str](), list[str]()
    for name in _names(grid):
        if (folder / name / JOURNAL).is_file():
            continue
        note = note_in(folder / name)
        if failure := read_log(folder / name).failure:
            failed.append(f"{name} ({failure})")
        elif note is not None:
            refused.append(f"{name} ({note.reason})")
        else:
            missing.append(name)
    if failed:
        yield f"{counted(len(failed), 'cell')} failed, left out: {_listed(failed)}"
    if refused:
        yield f"{counted(len(refused), 'cell')} cannot be run, left out: {_listed(refused)}"
    if missing:
        told = f"{counted(len(missing), 'cell')} not run yet, left out"
        yield f"{told} (`{command('grid', grid.file)}` goes on): {_listed(missing)}"


def failed_grid(folder: Path) -> JournalError | None:
    """Return the error of a grid whose cells have failed, and none has a result; else None.

    Args:
        folder: Folder of a grid, or any other.
    """
    grid = read_grid_folder(folder)
    if grid is None:
        return None
    fates, reasons = Counter[str](), list[str]()
    for name in (names := [*_names(grid)]):
        if _has_result(folder / name):
            return None
        note, failure = note_in(folder / name), read_log(folder / name).failure
        if why := failure or (note.reason if note else ""):
            fates["failed" if failure else "cannot be run"] += 1
            reasons.append(f"{name} ({why})")
    if not reasons:
        return None
    count = f"{sum(fates.values())} of {counted(len(names), 'cell')}"
    again = f"`{command('grid', grid.file, '--retry')}` runs those again that failed"
    mended = "mend the problem, and remove the folder of the cell"
    return JournalError(
        f"{folder}: {count} {' or '.join(fates)}, and none has a result: {reasons[0]}",
        hint=again if fates["failed"] else mended,
    )


def _has_result(folder: Path) -> bool:
    """Say whether a run has come to its end: what failed after that takes no result away."""
    with suppress(JournalError):
        return (folder / JOURNAL).is_file() and read_run(folder).is_over
    return False


def _names(grid: GridFolder) -> Iterator[str]:
    """Yield the name of each cell, which is its place in the folder."""
    for arm in grid.arms:
        for problem in grid.problems:
            yield from (f"{arm}/{cell_run_name(problem, seed)}" for seed in grid.seeds)


def _listed(cells: Sequence[str]) -> str:
    more = len(cells) - _NAMED
    return ", ".join(cells[:_NAMED]) + (f" and {more} more" if more > 0 else "")
