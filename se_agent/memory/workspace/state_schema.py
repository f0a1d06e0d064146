"""`state.db`: the global state of a workspace (SQ-10): its runs, and their agents.

Not here: who writes which of its tables.
"""

from __future__ import annotations

from se_agent.errors import MemoryFileError
from se_agent.store.kind import DatabaseKind

FILE = "state.db"
"""Its name in a workspace."""

_RUNS = """CREATE TABLE runs (
    run TEXT PRIMARY KEY, folder TEXT, problem TEXT, status TEXT, pid INTEGER, started TEXT,
    ended TEXT
)"""
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    _RUNS,
    """CREATE TABLE agent_states (
    run TEXT, agent TEXT, number INTEGER, at TEXT, body TEXT, PRIMARY KEY (run, agent, number)
)""",
)
_WITHOUT_HARVESTED = (  # a column of version 1 that nothing ever filled
    "ALTER TABLE runs RENAME TO runs_1",
    _RUNS,
    """INSERT INTO runs SELECT run, folder, problem, status, pid, started, ended
    FROM runs_1""",
    "DROP TABLE runs_1",
)
KIND = DatabaseKind(
    noun="a state that can be used",
    error=MemoryFileError,
    tables=frozenset({"meta", "runs", "agent_states"}),
    version=2,
    migrations={0: _TABLES, 1: _WITHOUT_HARVESTED},
    patience=30.0,  # other processes write for a short time only
    saved="what was kept before is saved",
    not_one="`se-agent memory restore` brings a backup back; without one, move it away",
    damaged="`se-agent memory restore` brings a backup back; without one, move it away",
    newer="update se_agent, or name another workspace: `--set memory.workspace.path=...`",
)
