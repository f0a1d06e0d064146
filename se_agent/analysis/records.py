"""Runs as they are compared: read from their folders, never written to.

A run under way and a torn tail are read as far as they go. A run that is damaged is named and
left out. Not here: what one run holds in all (`recorded_run`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from se_agent.analysis.run_tables.course import NOWHERE, CourseFold, CoursePoint
from se_agent.engine.journal.folder import JOURNAL
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.engine.journal.result import Result, summarize
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Event
from se_agent.files.run_files import content
from se_agent.stats.paired import PairKey
from se_agent.store.lock import is_locked
from se_agent.wording import command

GRID_FILE = "grid.json"
"""In the folder of a grid: its name, problems, seeds, and its arms in their order."""

_UNDER_WAY = "it has no result yet"
_NAMED = re.compile(r"([\w.-]+)=(.+)")


@dataclass(frozen=True, kw_only=True)
class ComparedRun:
    """A run as it is compared with others.

    Attributes:
        folder: Folder of the run.
        arm: Name of the arm that it belongs to; empty: its settings say so.
        result: What it came to.
        machine: The machine that it began on, in words; empty: not on record.
        course: What was spent when its best program became how good.
        searched: Where it stood when its last step was closed.
    """

    folder: Path
    arm: str = ""
    result: Result
    machine: str = ""
    course: tuple[CoursePoint, ...] = ()
    searched: CoursePoint = NOWHERE

    @property
    def pair_key(self) -> PairKey:
        """What a run of another arm has in common with it that is held against it."""
        return PairKey(self.result.problem, self.result.seed)

    @property
    def is_timed(self) -> bool:
        """Whether gains are ratios; else scores are compared."""
        return self.result.direction is None

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self.result.is_over


class LeftOut(NamedTuple):
    """A run that cannot be compared, and why."""

    folder: Path
    why: str


@dataclass(frozen=True)
class ReadRuns:
    """Runs that were read, those that were left out, and what is known of runs that are not.

    Attributes:
        notes: A sentence each, such as that cells of a grid have failed.
        base: Arm that others are compared with, where runs of it are among these and no other
            is asked for; empty: the one with the fewest settings of its own.
    """

    runs: tuple[ComparedRun, ...]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    base: str = ""

    def over(self) -> ReadRuns:
        """Return the same with those that have come to their end; the others are left out."""
        open_ones = (
            LeftOut(run.folder, f"{run.result.status}: {_UNDER_WAY}")
            for run in self.runs
            if not run.is_over
        )
        return replace(
            self,
            runs=tuple(run for run in self.runs if run.is_over),
            left_out=(*self.left_out, *open_ones),
        )


def read_run(folder: Path, arm: str = "") -> ComparedRun:
    """Read a run, finished or not.

    Args:
        folder: Folder of the run.
        arm: Name of its arm; empty: its settings say so.

    Raises:
        JournalError: The folder holds no journal that can be read.
    """
    course = CourseFold()
    with Journal(folder / JOURNAL, write=False) as journal, belonging(folder):
        result = summarize(folder, _heard(journal.events(lessons=False), course))
    if result.status in ("interrupted", "failed") and is_locked(folder / JOURNAL):
        result = replace(result, status="running")
    return ComparedRun(
        folder=folder,
        arm=arm,
        result=result,
        machine=course.machine,
        course=tuple(course.points),
        searched=course.last,
    )


def _heard(events: Iterable[Event], course: CourseFold) -> Iterator[Event]:
    """Yield the events, each after the course has heard of it."""
    for event in events:
        course.apply(event)
        yield event


def read_runs(
    places: Sequence[str | Path], on_run: Callable[[int, int], None] | None = None
) -> ReadRuns:
    """Read all runs of some places; those that have not ended are left out.

    Args:
        places: Folders of runs, folders that hold some, and folders of such folders: there each
            is an arm of its name. `NAME=FOLDER` gives the arm's name.
        on_run: Is told how many runs were read, and of how many.

    Raises:
        ConfigError: There is no run in a place.
    """
    return told_by_grid(read_folders(folders_of(places), on_run), places).over()


def read_folders(
    folders: Sequence[tuple[Path, str]], on_run: Callable[[int, int], None] | None = None
) -> ReadRuns:
    """Read runs, finished or not; those that cannot be read are left out.

    Args:
        folders: Folders of runs, each with the name of its arm.
        on_run: Is told how many runs were read, and of how many.
    """
    runs, left_out = list[ComparedRun](), list[LeftOut]()
    for number, (folder, arm) in enumerate(folders, 1):
        try:
            runs.append(read_run(folder, arm))
        except JournalError as err:
            left_out.append(LeftOut(folder, str(err)))
        if on_run is not None:
            on_run(number, len(folders))
    return ReadRuns(tuple(runs), tuple(left_out))


def told_by_grid(found: ReadRuns, places: Sequence[str | Path]) -> ReadRuns:
    """Return runs with what their grid says: the base arm, and how many are missing.

    Args:
        found: The runs.
        places: Where they are from; several, or one that is no grid, say nothing.
    """
    if len(places) != 1 or (grid := _grid_of(Path(places[0]))) is None:
        return found
    ended = len({run.folder for run in found.runs if run.is_over and run.arm in grid.arms})
    if not ended < grid.cells:
        return replace(found, base=grid.base)
    goes_on = f"; `{command('grid', grid.file)}` goes on, `--retry` where cells failed"
    note = f"{ended} of {grid.cells} cells of the grid have ended{goes_on if grid.file else ''}"
    return replace(found, base=grid.base, notes=(*found.notes, note))


def base_arm_of(place: str | Path) -> str:
    """Return the arm that others are compared with: the first of a grid; empty: no grid."""
    grid = _grid_of(Path(place))
    return grid.base if grid else ""


class _GridNote(NamedTuple):
    """What is written down of a grid."""

    arms: tuple[str, ...]
    cells: int
    file: str

    @property
    def base(self) -> str:
        return self.arms[0] if self.arms else ""


def _grid_of(place: Path) -> _GridNote | None:
    """Return what is written down of a grid; None: there is none, or it cannot be read."""
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        told = json.loads(content(place / GRID_FILE))
        cells = told.get("cells", 0)
        return _GridNote(
            arms=tuple(map(str, told["arms"])),
            cells=cells if isinstance(cells, int) else 0,
            file=str(told.get("file", "")),
        )
    return None


def folders_of(places: Iterable[str | Path]) -> list[tuple[Path, str]]:
    """Return the folders of runs in some places, each once, with the name of its arm.

    Args:
        places: See `read_runs`.

    Raises:
        ConfigError: There is no place, or no run in one.
    """
    found = [each for place in places for each in run_folders_of(place)]
    if not found:
        told = "no place of runs was given"
        raise ConfigError(told, hint="give a folder, such as `results`")
    return [*{(folder.resolve(), arm): (folder, arm) for folder, arm in found}.values()]


def run_folders_of(place: str | Path) -> Sequence[tuple[Path, str]]:
    """Return the folders of runs in a place, each with the name of its arm.

    Args:
        place: See `read_runs`.

    Raises:
        ConfigError: There is none.
    """
    named = _NAMED.fullmatch(str(place))
    given = Path(place)
    if named and not given.exists():
        arm, given = named[1], Path(named[2])
    else:
        arm = ""
    found = list(_runs_below(given, arm))
    if not found:
        there = given.exists()
        raise ConfigError(
            f"{given}: {'there is no run in it' if there else 'no such folder'}",
            hint=f"`{command('ls', '--results', given.parent if there else 'results')}` "
            "lists runs; give the folder of a run, or a folder of runs",
        )
    return found


def _runs_below(given: Path, arm: str) -> Iterator[tuple[Path, str]]:
    if given.name == JOURNAL and given.is_file():
        yield given.parent, arm
    elif (given / JOURNAL).is_file():
        yield given, arm
    elif inside := _runs_in(given):
        yield from ((folder, arm) for folder in inside)
    elif given.is_dir():
        for each in sorted(path for path in given.iterdir() if path.is_dir()):
            yield from ((folder, arm or each.name) for folder in _runs_in(each))


def _runs_in(given: Path) -> list[Path]:
    """Return the folders in a folder that hold a journal, by name."""
    if not given.is_dir():
        return []
    return sorted(path for path in given.iterdir() if (path / JOURNAL).is_file())
