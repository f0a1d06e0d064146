"""`memory.db`: what the runs of a workspace learned, for the runs to come.

SQLite in WAL mode; a run is written once, as a whole, and writing it again changes nothing. Any
number of runs may read and write at a time. Here is what kind of database it is, and the counts
of operators in it. Not here: its tables (`tables`), its items (`items`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from se_agent.errors import MemoryFileError
from se_agent.memory.experience.operator_counts import OperatorCounts
from se_agent.memory.experience.tables import VERSION_1, VERSION_2, VERSION_3
from se_agent.store.database import Database
from se_agent.store.kind import DatabaseKind

FILE = "memory.db"
"""Its name in the folder that holds the run folders."""

SCHEMA_VERSION = 3
"""1 knows counts of operators; 2 runs, items, episodes and the graph as well; 3 what each
solution began as (`tables`)."""

_MADE_ANEW = "`se-agent memory doctor --rebuild` makes it anew, and keeps this one aside"
KIND = DatabaseKind(
    noun="a memory that can be used",
    error=MemoryFileError,
    tables=frozenset({"meta", "trials"}),
    version=SCHEMA_VERSION,
    migrations={0: VERSION_1, 1: VERSION_2, 2: VERSION_3},
    patience=30.0,  # other runs write for a short time only
    saved="what earlier runs learned is saved",
    not_one=_MADE_ANEW,
    damaged=_MADE_ANEW,
    newer="update se_agent, or use another results folder",
)
_READ = (
    "SELECT rule, family, traits, tries, wins, credit, gain, cpu_seconds FROM trials"
    " ORDER BY run, rule"
)


class OperatorMemory(NamedTuple):
    """The rows of a memory, and how many runs they come from."""

    trials: tuple[OperatorCounts, ...]
    runs: int


def read(path: Path) -> OperatorMemory:
    """Return what is known; a file that does not exist knows nothing.

    Raises:
        MemoryFileError: It is damaged, none of ours, or of a newer version.
    """
    if not path.is_file():
        return OperatorMemory((), 0)
    with Database(path, KIND, write=False) as db:
        where = "its rows"
        rows = tuple(db.rows(_READ, where=where))
        ((runs,),) = db.rows("SELECT COUNT(DISTINCT run) FROM trials", where=where)
        try:
            return OperatorMemory(tuple(map(_trials, rows)), runs)
        except (ValueError, TypeError) as err:
            raise db.damage_error(where, err) from err


def write(path: Path, run: str, trials: Iterable[OperatorCounts]) -> None:
    """Put a run's rows in place of what is known of it.

    Args:
        path: Path of the file; made if it does not exist.
        run: What tells this run from all others, for good.
        trials: One row for each operator that was tried.

    Raises:
        MemoryFileError: It is damaged, none of ours, of a newer version, or cannot be written.
    """
    with Database(path, KIND) as db, db.transaction():
        put_counts(db, run, trials)


def put_counts(db: Database, run: str, trials: Iterable[OperatorCounts]) -> None:
    """Put a run's counts in place of what is known of it, within a transaction.

    Args:
        db: An open database of this kind.
        run: What tells this run from all others, for good.
        trials: One row for each operator that was tried.

    Raises:
        MemoryFileError: They cannot be written.
    """
    rows = [
        (
            *(run, one.rule, one.family, json.dumps(one.traits)),
            *(one.tries, one.wins, one.credit, one.gain, one.cpu_seconds),
        )
        for one in trials
    ]
    db.execute("DELETE FROM trials WHERE run = ?", (run,))
    db.execute_each("INSERT INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _trials(row: tuple[str, str, str, int, int, float, float, float]) -> OperatorCounts:
    rule, family, traits, tries, wins, credit, gain, cpu_seconds = row
    return OperatorCounts(
        rule=rule,
        family=family,
        traits=tuple(json.loads(traits)),
        tries=tries,
        wins=wins,
        credit=credit,
        gain=gain,
        cpu_seconds=cpu_seconds,
    )
