"""The runs of a workspace and how each stands: which were broken off, and wait to be resumed.

A run says when it begins and when it has ended; one that did not get to its end, and whose
journal no process holds, was broken off. Not here: what a run did (its journal says so).
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from se_agent.memory.artifacts.schema import moment
from se_agent.store.database import Database
from se_agent.store.lock import is_locked

RUNNING = "running"
_JOURNAL = "run.db"
_BEGIN = """INSERT INTO runs (run, folder, problem, status, pid, started)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (run) DO UPDATE
    SET status = excluded.status, pid = excluded.pid, ended = NULL"""
_END = "UPDATE runs SET status = ?, pid = NULL, ended = ? WHERE run = ?"
_ALL = """SELECT run, folder, problem, status, COALESCE(pid, 0), started, COALESCE(ended, '')
    FROM runs ORDER BY started, run"""


class RunRow(NamedTuple):
    """What a workspace knows of a run; times are UTC, `ended` is empty until it has ended."""

    run: str
    folder: str
    problem: str
    status: str
    pid: int
    started: str
    ended: str


class RunRegister:
    """The table of runs; any process may write its own row, again and again."""

    def __init__(self, db: Database) -> None:
        """Use an open `state.db`."""
        self.db = db

    def begin(self, folder: Path, problem: str, at: datetime) -> None:
        """Note that this process begins a run, or goes on with it.

        Raises:
            MemoryFileError: It cannot be written.
        """
        place = folder.absolute()
        row = (str(place), str(place), problem, RUNNING, os.getpid(), moment(at))
        self.db.execute(_BEGIN, row)

    def end(self, folder: Path, status: str, at: datetime) -> None:
        """Note that a run has ended, and how.

        Raises:
            MemoryFileError: It cannot be written.
        """
        self.db.execute(_END, (status, moment(at), str(folder.absolute())))

    def rows(self) -> list[RunRow]:
        """Return all runs, those that began first at first.

        Raises:
            MemoryFileError: They cannot be read.
        """
        return [RunRow(*row) for row in self.db.rows(_ALL, where="its runs")]

    def count_agent_states(self) -> int:
        """Return how many states of agents are kept.

        Raises:
            MemoryFileError: They cannot be read.
        """
        ((number,),) = self.db.rows("SELECT COUNT(*) FROM agent_states", where="its states")
        return int(number)

    def broken_off(self) -> list[RunRow]:
        """Return runs that are there, did not get to their end, and that nobody is at.

        Raises:
            MemoryFileError: They cannot be read.
        """
        begun = (row for row in self.rows() if row.status == RUNNING)
        journals = ((row, Path(row.folder) / _JOURNAL) for row in begun)
        return [row for row, path in journals if path.is_file() and not is_locked(path)]
