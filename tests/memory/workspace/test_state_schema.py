"""`state.db`: a file of the first version is brought to today's, and keeps what it holds."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.memory import Workspace
from se_agent.memory.workspace.runs import RunRow
from se_agent.store.migration import backup_path

OLD = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO meta VALUES ('schema', '1');
CREATE TABLE runs (
    run TEXT PRIMARY KEY, folder TEXT, problem TEXT, status TEXT, pid INTEGER, started TEXT,
    ended TEXT, harvested INTEGER NOT NULL DEFAULT 0
);
INSERT INTO runs VALUES ('/r/a', '/r/a', 'sums', 'proven', NULL, '2026-11-01', '2026-11-02', 0);
INSERT INTO runs VALUES ('/r/b', '/r/b', 'sums', 'running', 7, '2026-11-03', NULL, 0);
CREATE TABLE agent_states (
    run TEXT, agent TEXT, number INTEGER, at TEXT, body TEXT, PRIMARY KEY (run, agent, number)
);
INSERT INTO agent_states VALUES ('a', 'planner', 1, '2026-11-01', '{}');
"""
ROWS = [
    RunRow("/r/a", "/r/a", "sums", "proven", 0, "2026-11-01", "2026-11-02"),
    RunRow("/r/b", "/r/b", "sums", "running", 7, "2026-11-03", ""),
]


def schema(path: Path) -> list[tuple[object, ...]]:
    """Return the columns of the table of runs."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT name, type, pk FROM pragma_table_info('runs')").fetchall()


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_the_first_version_keeps_its_runs_and_states(
    tmp_path: Path, write: bool
) -> None:
    (tmp_path / "old").mkdir(mode=0o700)
    path = tmp_path / "old" / "state.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD)
    before = path.read_bytes()
    with Workspace.open(tmp_path / "old", write=write) as workspace:
        assert workspace.runs().rows() == ROWS
        assert workspace.runs().count_agent_states() == 1
    if not write:  # a reader changes nothing
        assert path.read_bytes() == before
        return
    with Workspace.open(tmp_path / "new") as workspace:
        assert workspace.runs().rows() == []
    assert schema(path) == schema(tmp_path / "new" / "state.db")
    with closing(sqlite3.connect(backup_path(path, 1))) as db:
        assert db.execute("SELECT COUNT(*) FROM runs").fetchone() == (2,)
