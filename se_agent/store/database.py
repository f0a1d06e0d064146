"""A database of ours: opened, locked, at its version, and with every failure in two lines.

Not here: what a database holds; each kind says so beside what it is used for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from se_agent.errors import SeAgentError
from se_agent.store.connection import IN_MEMORY, connect
from se_agent.store.failures import (
    is_damaged,
    is_newer,
    is_not_one,
    is_unwritten,
    two_lines,
    write_ahead,
)
from se_agent.store.kind import DatabaseKind
from se_agent.store.lock import hold_lock
from se_agent.store.migration import migrate, version_of

Record = TypeVar("Record")
Values = Sequence[object] | Mapping[str, object]
"""What stands in a statement's gaps."""


class Database:
    """An open database; any thread may use it, one at a time.

    Attributes:
        path: Path of its file.
        version: Version of its tables when it was opened; 0 where there were none.
    """

    def __init__(self, path: Path, kind: DatabaseKind, *, write: bool = True) -> None:
        """Open a file, and make it if it is to be written and is not there.

        A writer brings it to the version of today. A reader leaves it as it is, and where its
        tables are of an older version, it reads a copy in memory.

        Raises:
            SeAgentError: It is of another kind or a newer version, another process holds it,
                or it cannot be opened; the class is the kind's.
        """
        self.path, self._kind = path, kind
        with ExitStack() as held:
            if write and kind.one_writer and path != IN_MEMORY:
                held.enter_context(hold_lock(path, kind))
            with two_lines(kind, path, partial(is_not_one, kind, path)):
                self._db = connect(
                    path, write=write, patience=kind.patience, triggers=kind.triggers
                )
                held.callback(lambda: self._db.close())  # noqa: PLW0108 - it may be replaced
                self.version = version_of(self._db, kind)
            self._bring_to_version(write=write)
            self._held = held.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        err: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def rows(
        self, query: str, values: Values = (), *, where: Callable[[], str] | str
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query.

        Args:
            query: Reads only.
            values: For its gaps.
            where: What is being read, for the message of an error.

        Raises:
            SeAgentError: The file is damaged.
        """

        def failed(err: Exception) -> SeAgentError:
            return self.damage_error(where if isinstance(where, str) else where(), err)

        with two_lines(self._kind, self.path, failed):
            # `yield from` would close the cursor, which fails once the file is closed.
            for row in self._db.execute(query, values):  # noqa: UP028 - see above
                yield row

    def records(
        self,
        query: str,
        values: Values = (),
        *,
        make: Callable[[tuple[Any, ...]], Record],
        where: str,
    ) -> Iterator[Record]:
        """Yield what is made of each row of a query; one that nothing can be made of is damage.

        Args:
            query: Reads only.
            values: For its gaps.
            make: Makes a record of a row; a ValueError or a TypeError of it is the row's fault.
            where: What is being read, for the message of an error.

        Raises:
            SeAgentError: The file is damaged.
        """
        for row in self.rows(query, values, where=where):
            try:
                record = make(row)
            except (ValueError, TypeError) as err:
                raise self.damage_error(where, err) from err
            yield record

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all that is done within, or none of it; within another one, as a part of that.

        Raises:
            SeAgentError: It cannot be written.
        """
        if self._db.in_transaction:
            yield
            return
        with self._writing(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def execute(self, statement: str, values: Values = ()) -> None:
        """Carry out a statement.

        Raises:
            SeAgentError: It cannot be written.
        """
        with self._writing():
            self._db.execute(statement, values)

    def execute_each(self, statement: str, rows: Iterable[Values]) -> None:
        """Carry out a statement for each of some rows.

        Raises:
            SeAgentError: They cannot be written.
        """
        with self._writing():
            self._db.executemany(statement, rows)

    def damage_error(self, where: str, why: object) -> SeAgentError:
        """Return the error that a part of this file cannot be read."""
        return is_damaged(self._kind, self.path, where, why)

    def close(self) -> None:
        """Close the file and give the lock back."""
        self._held.close()

    def _writing(self) -> AbstractContextManager[None]:
        return two_lines(self._kind, self.path, partial(is_unwritten, self._kind, self.path))

    def _bring_to_version(self, *, write: bool) -> None:
        kind = self._kind
        if self.version > kind.version:
            raise is_newer(kind, self.path, self.version)
        if write:
            with self._writing():
                write_ahead(self._db, patience=kind.patience)
                migrate(self._db, self.path, kind)
        elif kind.migration(self.version):
            where = f"brought from schema {self.version} to {kind.version}"
            with two_lines(kind, self.path, partial(is_damaged, kind, self.path, where)):
                self._db = _migrated_copy(self._db, kind)


def _migrated_copy(db: sqlite3.Connection, kind: DatabaseKind) -> sqlite3.Connection:
    """Return a copy in memory that has the version of today, and close the original."""
    with ExitStack() as failed:
        copy = connect(IN_MEMORY, write=False)
        failed.callback(copy.close)
        db.backup(copy)
        migrate(copy, IN_MEMORY, kind)
        failed.pop_all()
    db.close()
    return copy
