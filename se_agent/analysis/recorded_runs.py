"""Many runs as one object: their tables below each other, and what each came to.

Not here: how arms are compared (`comparison`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.analysis.comparison import ArmComparison, compare_runs
from se_agent.analysis.frames import frame
from se_agent.analysis.pictures import in_short
from se_agent.analysis.recorded_run import RecordedRun, known_table
from se_agent.analysis.records import (
    ComparedRun,
    LeftOut,
    ReadRuns,
    folders_of,
    read_folders,
    told_by_grid,
)
from se_agent.analysis.run_tables.columns import names_of, row_maker
from se_agent.analysis.run_tables.step_facts import Row
from se_agent.wire.spelling import visible

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 50
"""Runs of which a picture has a row."""


class RecordedRuns:
    """Runs of one place or of several; a damaged one is named and left out."""

    def __init__(self, places: Sequence[str | Path]) -> None:
        """Take the places of runs (see `records.read_runs`); no run is read yet.

        Raises:
            ConfigError: There is no run in a place.
        """
        self._folders = tuple(folders_of(places))
        self._places = tuple(places)

    def __len__(self) -> int:
        return len(self._folders)

    def __iter__(self) -> Iterator[RecordedRun]:
        return iter(self.runs)

    def __getitem__(self, name: str) -> RecordedRun:
        """Return a run by its name, `arm/folder` where there are arms.

        Raises:
            KeyError: There is no such run.
        """
        return {run.name: run for run in self.runs}[name]

    def __repr__(self) -> str:
        told = [f"{_name(run)}: {in_short(run.result)}" for run in self._read.runs[:_SHOWN]]
        if more := len(self._read.runs) - len(told):
            told.append(f"and {more} more")
        told += [visible(f"left out: {each.folder}: {each.why}") for each in self.left_out]
        return "\n".join(told)

    def _repr_html_(self) -> str:
        names = names_of("runs")
        head = "".join(f"<th>{name}</th>" for name in names)
        rows = self.rows("runs")[:_SHOWN]
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(visible(_cell(each)))}</td>' for each in row)}</tr>"
            for row in rows
        )
        more = len(self._read.runs) - len(rows)
        told = f"<p>and {more} more</p>" if more else ""
        return f"<table><tr>{head}</tr>{body}</table>{told}"

    @cached_property
    def runs(self) -> tuple[RecordedRun, ...]:
        """Each run, in the order of arms and folders."""
        return tuple(
            RecordedRun(folder, f"{arm}/{folder.name}" if arm else folder.name)
            for folder, arm in self._folders
        )

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Runs that cannot be read, and why."""
        return self._read.left_out

    def frame(self, table: str = "runs") -> pd.DataFrame:
        """Return a table of all runs; `runs` has a row for each of them.

        Raises:
            ConfigError: There is no such table, or pandas is not installed.
        """
        return frame(known_table(table), self.rows(table))

    def rows(self, table: str = "runs") -> Sequence[Row]:
        """Return a table of all runs as named tuples, which needs no pandas.

        Raises:
            ConfigError: There is no such table.
        """
        if known_table(table) == "runs":
            return [*map(row_maker(table), map(_row, self._read.runs))]
        return [row for run in readable(self) for row in run.rows(table)]

    def compare(self, base: str = "") -> ArmComparison:
        """Return the comparison of the arms among these runs with one of them.

        Args:
            base: Name of that arm; empty: the first of a grid, else the one with the fewest
                settings of its own.

        Raises:
            ConfigError: They cannot be compared.
        """
        return compare_runs(self._read.over(), base=base)

    @cached_property
    def _read(self) -> ReadRuns:
        return told_by_grid(read_folders(self._folders), self._places)


def readable(runs: RecordedRuns) -> list[RecordedRun]:
    """Return each run that can be read."""
    bad = {left.folder for left in runs.left_out}
    return [run for run in runs.runs if run.folder not in bad]


def _name(run: ComparedRun) -> str:
    return f"{run.arm}/{run.folder.name}" if run.arm else run.folder.name


def _row(run: ComparedRun) -> Row:
    found = run.result
    return (
        _name(run),
        run.arm,
        found.problem,
        found.seed,
        found.status,
        found.gain,
        found.gain_low,
        found.gain_high,
        found.score,
        found.score_initial,
        found.evaluations,
        found.generations,
        found.calls,
        found.tokens,
        found.money,
        found.cpu_seconds,
        found.budget_end,
        run.machine,
        json.dumps(dict(found.settings), sort_keys=True, default=str),
        str(run.folder),
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)
