"""A run as an object: its tables, its programs, and a picture of it for a notebook.

It is read once, when the first table is asked for, and never written to. A run under way is
read as far as it goes; open it again to see more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.analysis.frames import frame
from se_agent.analysis.pictures import in_short, run_picture, solution_picture
from se_agent.analysis.records import ComparedRun, read_run
from se_agent.analysis.run_tables.columns import TABLES, names_of, row_maker
from se_agent.analysis.run_tables.run_reader import RunReader
from se_agent.analysis.run_tables.step_facts import Row, text_of
from se_agent.chat.messages import Message
from se_agent.engine.journal.result import Result
from se_agent.errors import ConfigError, did_you_mean
from se_agent.values.lesson import canonical_id
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    import pandas as pd


class RunFrames(ABC):
    """The tables of a run as frames, a method each."""

    @abstractmethod
    def frame(self, table: str) -> pd.DataFrame:
        """Return a table as a frame."""

    def solutions(self) -> pd.DataFrame:
        """Return a row for each program, the initial one first."""
        return self.frame("solutions")

    def steps(self) -> pd.DataFrame:
        """Return a row for each step, with what was spent until then."""
        return self.frame("steps")

    def evaluations(self) -> pd.DataFrame:
        """Return a row for each time that a program ran on tests."""
        return self.frame("evaluations")

    def blocks(self) -> pd.DataFrame:
        """Return a row for each block of a paired comparison."""
        return self.frame("blocks")

    def calls(self) -> pd.DataFrame:
        """Return a row for each call of a model."""
        return self.frame("calls")

    def memory(self) -> pd.DataFrame:
        """Return a row for each entry of the memory and each change of it.

        LocalMemory is made anew from the events, as exactly as in the run: less than half a
        millisecond a step.
        """
        return self.frame("memory")


_OF_SEVERAL = "the table 'runs' is one of several runs"


class RecordedRun(RunFrames):
    """A run in its folder."""

    def __init__(self, folder: Path, name: str = "") -> None:
        """Take the folder of a run, and what stands for it in tables; nothing is read yet."""
        self.folder = folder
        self.name = name or folder.name
        self._reader = RunReader(folder, self.name)

    def __repr__(self) -> str:
        return f"RecordedRun({str(self.folder)!r})"

    def __str__(self) -> str:
        return f"{self.name}: {in_short(self.result)}"

    def _repr_html_(self) -> str:
        return run_picture(self.result, self.rows("steps"))

    @cached_property
    def record(self) -> ComparedRun:
        """The run as it is compared with others.

        Raises:
            JournalError: The run cannot be read.
        """
        return read_run(self.folder)

    @property
    def result(self) -> Result:
        """What the run came to, as `--json` tells it."""
        return self.record.result

    def frame(self, table: str) -> pd.DataFrame:
        """Return a table as a frame.

        Raises:
            ConfigError: There is no such table, or pandas is not installed.
            JournalError: The run cannot be read.
        """
        return frame(known_table(table), self.rows(table))

    def rows(self, table: str) -> Sequence[Row]:
        """Return a table as named tuples, which needs no pandas; see `columns.TABLES`.

        Raises:
            ConfigError: There is no such table.
            JournalError: The run cannot be read.
        """
        if known_table(table) == "runs":
            hint = "se_agent.open(FOLDER) of several runs has it; this one has run.result"
            raise ConfigError(_OF_SEVERAL, hint=hint)
        is_memory = table == "memory"
        found = self._reader.memory if is_memory else self._reader.tables.rows(table)
        return [*map(row_maker(table), found)]

    def solution(self, name: str = "best") -> RecordedSolution:
        """Return a program of the run.

        Args:
            name: An id in any of its spellings, `initial` or `best`.

        Raises:
            ConfigError: There is no such program.
        """
        tables = self._reader.tables
        known = tables.programs
        given = {"best": tables.best, "initial": next(iter(known), "")}.get(name, name)
        try:
            wanted = canonical_id(str(given))
            parents = known[wanted].parents
        except (KeyError, ValueError):
            hint = did_you_mean(str(name), [*known]) or "run.solutions() has all ids"
            raise ConfigError(f"no solution {name!r} in {self.folder}", hint=hint) from None
        found = {
            one.id: one for one in self._reader.programs() if one.id in (wanted, *parents[:1])
        }
        return RecordedSolution(found[wanted], found.get(parents[0]) if parents else None)

    def messages(self, request: str) -> tuple[Message, ...]:
        """Return what a model was asked, by the digest in the column `request` of a call.

        Raises:
            ConfigError: There is no such request.
            JournalError: The run cannot be read.
        """
        place = names_of("calls").index("request")
        if not request or request not in {row[place] for row in self.rows("calls")}:
            hint = "the column `request` of run.calls() has the digests of all requests"
            raise ConfigError(f"no request {request!r} in {self.folder}", hint=hint)
        return self._reader.messages(request)


class RecordedSolution:
    """A program of a run, and the one that it was made from."""

    def __init__(self, solution: Solution, parent: Solution | None) -> None:
        """Take a program and its first parent; None: it has none."""
        self.solution = solution
        self.parent = parent

    def __repr__(self) -> str:
        return f"RecordedSolution({self.solution.id!r})"

    def __str__(self) -> str:
        return text_of(self.solution)

    def _repr_html_(self) -> str:
        return solution_picture(self.solution, self.parent)


def known_table(table: str) -> str:
    """Return the name of a table.

    Raises:
        ConfigError: There is no such table.
    """
    if table not in [*TABLES]:  # a table may be named by anything, such as by a number
        hint = did_you_mean(str(table), [*TABLES]) or f"there are: {', '.join(TABLES)}"
        raise ConfigError(f"no table {table!r} of a run", hint=hint)
    return table
