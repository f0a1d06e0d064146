"""`state.db`: the global state of a workspace (SQ-10): its runs, and their agents.

Not here: who writes which of its tables.
"""

from __future__ import annotations

from se_agent.errors import MemoryFileError
from se_agent.store.kind import DatabaseKind

FILE = "state.db"
"""Its name in a workspace."""

_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE runs (
    run TEXT PRIMARY KEY, folder TEXT, problem TEXT, status TEXT, pid INTEGER, started TEXT,
    ended TEXT, harvested INTEGER NOT NULL DEFAULT 0
)""",
    """CREATE TABLE agent_states (
    run TEXT, agent TEXT, number INTEGER, at TEXT, body TEXT, PRIMARY KEY (run, agent, number)
)""",
)
KIND = DatabaseKind(
    noun="a state that can be used",
    error=MemoryFileError,
    tables=frozenset({"meta", "runs", "agent_states"}),
    version=1,
    migrations={0: _TABLES},
    patience=30.0,  # other processes write for a short time only
    saved="what was kept before is saved",
    not_one="`se-agent memory restore` brings a backup back; without one, move it away",
    damaged="`se-agent memory restore` brings a backup back; without one, move it away",
    newer="update se_agent, or name another workspace: `--set memory.workspace.path=...`",
)
