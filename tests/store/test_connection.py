"""Databases that may be a stranger's, and that there is one place that opens any."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.store.connection import ForeignError, connect
from se_agent.store.failures import write_ahead
from tests.house import nodes

ENDLESS = "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT "
TRIGGER = "CREATE TRIGGER kept BEFORE DELETE ON t BEGIN SELECT RAISE(ABORT, 'no'); END"


def made(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"CREATE TABLE t (x); {script}")
    return path


@pytest.mark.parametrize(
    ("script", "why"),
    [
        pytest.param("CREATE VIEW v AS SELECT 1", "it has a view", id="view"),
        pytest.param("CREATE VIRTUAL TABLE v USING fts5(x)", "it has a view", id="virtual"),
        pytest.param("CREATE TABLE w (x, y AS (hex(x)))", "a column that is worked", id="made"),
        pytest.param("ALTER TABLE t ADD y AS (hex(x))", "a column that is worked", id="added"),
        pytest.param(TRIGGER.replace("kept", "other"), "it has a trigger", id="trigger"),
        pytest.param(TRIGGER.replace("DELETE", "INSERT"), "it has a trigger", id="same-name"),
    ],
)
def test_what_no_database_of_ours_holds_is_refused(
    tmp_path: Path, script: str, why: str
) -> None:
    path = made(tmp_path / "a.db", script)
    with pytest.raises(ForeignError, match=why):
        connect(path, triggers=[TRIGGER])


@pytest.mark.parametrize("write", [True, False])
def test_tables_and_known_triggers_are_taken(tmp_path: Path, write: bool) -> None:
    path = made(tmp_path / "a.db", TRIGGER.replace(" BEGIN", "\n   BEGIN"))
    with closing(connect(path, write=write, triggers=[TRIGGER])) as db:
        assert db.execute("SELECT count(*) FROM t").fetchone() == (0,)


@pytest.mark.tier("runs")
def test_an_endless_query_of_a_reader_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    connect(path).close()
    with (
        closing(connect(path, write=False)) as db,
        pytest.raises(sqlite3.OperationalError, match="interrupted"),
    ):
        db.execute(f"{ENDLESS} count(*) FROM n").fetchone()


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_link_is_not_followed(tmp_path: Path, end: str) -> None:
    made(tmp_path / "other.db", "")
    path = tmp_path / "a.db"
    path.with_name(f"a.db{end}").symlink_to(tmp_path / "other.db")
    with pytest.raises(OSError, match="it is a link"):
        connect(path)


@pytest.mark.tier("runs")
def test_one_place_opens_all_databases() -> None:
    found = {
        where
        for where, node in nodes("se_agent", "evaluators", "operators")
        if isinstance(node, ast.Attribute) and node.attr == "connect"
        if isinstance(node.value, ast.Name) and node.value.id == "sqlite3"
    }
    assert found == {"se_agent/store/connection.py"}


class Busy(sqlite3.Connection):
    """A database that another process is about to change, at first."""

    times = 2

    def execute(self, *statement: str) -> sqlite3.Cursor:  # type: ignore[override]
        if self.times:
            self.times -= 1
            err = sqlite3.OperationalError("database is locked")
            err.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise err
        return super().execute(*statement)


class TestWriteAhead:
    @pytest.fixture
    def busy(self, tmp_path: Path) -> Iterator[Busy]:
        with closing(sqlite3.connect(tmp_path / "a.db", factory=Busy)) as db:
            yield db

    def test_it_waits_for_others_that_do_the_same(self, busy: Busy) -> None:
        write_ahead(busy, patience=60.0)
        assert busy.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_it_does_not_wait_for_ever(self, busy: Busy) -> None:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            write_ahead(busy, patience=-1.0)
