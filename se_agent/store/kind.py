"""What a database of ours is: its tables, their versions, and the words for what goes wrong.

A new kind of database is one value of this class. Not here: how a file is opened and brought
to its version (`se_agent.store.database`, `se_agent.store.migration`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import SeAgentError

Statements = tuple[str, ...]
"""Statements of SQL that belong together."""


def _make_room(path: Path) -> str:
    return f"make room on the disk of {path.parent}, and try again"


@dataclass(frozen=True, kw_only=True)
class DatabaseKind:
    """A kind of database.

    Attributes:
        noun: What a file of this kind is, with its article.
        error: Class of every error that is told about such a file.
        tables: Names of the tables that each file has, `meta` among them.
        version: The version that this package writes.
        migrations: Statements by the version that they are for. Those for 0 make the tables of
            an empty file. They lead to the next version in this mapping, and the last ones to
            `version`. What lies between has the same tables, and is opened as it is.
        triggers: Texts of the triggers that a file may have.
        one_writer: What only one process at a time may write, in words. Empty: any number may.
        patience: Seconds to wait for another process's write.
        saved: What is not lost when a write fails.
        not_one: Hint where a file is of another kind.
        damaged: Hint where a file cannot be read.
        newer: Hint where a newer version wrote a file.
        full: Returns the hint where the disk is full, given the path of the file.
    """

    noun: str
    error: type[SeAgentError]
    tables: frozenset[str]
    version: int
    migrations: Mapping[int, Statements]
    saved: str
    not_one: str
    damaged: str
    newer: str
    full: Callable[[Path], str] = _make_room
    triggers: Statements = ()
    one_writer: str = ""
    patience: float = 5.0

    def migration(self, version: int) -> tuple[Statements, int] | None:
        """Return the next statements for a file of a version, and the version they lead to."""
        due = sorted(known for known in self.migrations if known >= version)
        if not due or version >= self.version:
            return None
        return self.migrations[due[0]], (*due, self.version)[1]
