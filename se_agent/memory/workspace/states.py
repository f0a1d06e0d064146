"""What each agent did last, kept whenever a run stops: for people, and to compare two stops.

A picture is a row of `state.db` and a file `agent_states/AGENT_state.json` (AM-32, X-42).
Taking up a run never reads it: the journal has all that counts. Not here: who takes pictures,
and when (`se_agent.engine`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from se_agent.chat.messages import is_name
from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import replace_whole
from se_agent.redaction.patterns import json_free_of_secrets
from se_agent.store.database import Database
from se_agent.wire.spelling import encodable

FOLDER = "agent_states"
"""The folder of the files, in a workspace."""

_WHERE = "its agents' states"
_ADD = """INSERT INTO agent_states SELECT ?, ?, 1 + COALESCE(MAX(number), 0), ?, ?
    FROM agent_states WHERE run = ? AND agent = ?"""
_LAST = """SELECT body FROM agent_states WHERE agent = :agent AND :run IN ('', run)
    AND COALESCE(:number, number) = number ORDER BY at DESC, number DESC LIMIT 1"""


class AgentStateManager:
    """Keeps pictures of agents; any process may add to them."""

    def __init__(self, folder: Path, db: Database, *, secrets: Iterable[str] = ()) -> None:
        """Use the folder of a workspace and its open `state.db`."""
        self._folder = folder / FOLDER
        self._db = db
        self._secrets = tuple(secrets)

    def save_agent_state(self, agent: str, state: Mapping[str, Any], *, run: str) -> Path:
        """Keep what an agent did last, and return the file that says so.

        Args:
            agent: Its name, of small letters, digits and underscores.
            state: Anything that JSON can hold; a key `timestamp` is replaced.
            run: The run that it is an agent of.

        Raises:
            MemoryFileError: It cannot be written, or the name could be no file's.
        """
        if not is_name(agent):
            told = f"no agent is called {agent[:80]!r}"
            raise MemoryFileError(told, hint="use small letters, digits and underscores")
        now = datetime.now(UTC).isoformat()
        body = {**state, "timestamp": now}
        freed = json_free_of_secrets(body, self._secrets, indent=2, ensure_ascii=False)
        text = encodable(freed)
        self._db.execute(_ADD, (run, agent, now, text, run, agent))
        path = self._folder / f"{agent}_state.json"
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            replace_whole(path, text.encode())
            path.chmod(0o600)
        except OSError as err:
            told = f"{path}: cannot be written: {reason(err)}"
            raise MemoryFileError(told, hint="make room, or make its folder writable") from err
        return path

    def load_agent_state(
        self, agent: str, *, run: str = "", number: int | None = None
    ) -> dict[str, Any] | None:
        """Return what an agent did last; None: nothing is kept.

        Args:
            agent: Its name.
            run: The run; empty: the one that stopped last.
            number: Number of the stop of the run, from 1; None: the last one.

        Raises:
            MemoryFileError: It is damaged.
        """
        values = {"agent": agent, "run": run, "number": number}
        for (body,) in self._db.rows(_LAST, values, where=_WHERE):
            try:
                found = json.loads(body)
            except ValueError as err:
                raise self._db.damage_error(_WHERE, err) from err
            return found if isinstance(found, dict) else None
        return None
