"""Preferences of agents as files: `groups/FAMILY/kv_store/AGENT.json` in a workspace (SQ-14).

They are written for people and for other programs, out of the items, which alone count. Not
here: who is shown a preference (`se_agent.memory.retrieval.tier`).
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import replace_whole
from se_agent.memory.experience.item_rows import ItemKind, ItemRow, ItemStatus
from se_agent.memory.workspace.workspace import Workspace


def preferences_file(workspace: Path, family: str, agent: str) -> Path:
    """Return where the preferences of an agent in a family of problems lie."""
    group = quote(family, safe=" ").replace(".", "%2E")  # a family may be called anything
    return workspace / "groups" / group / "kv_store" / f"{agent}.json"


def write_preferences(workspace: Workspace, changed: ItemRow) -> Path:
    """Write the file of the agent and the family of a preference anew, and return its path.

    Args:
        workspace: Open to be written.
        changed: The preference that was added, retired or brought back.

    Raises:
        MemoryFileError: It cannot be written.
    """
    path = preferences_file(workspace.folder, changed.family, changed.operator)
    found = {
        row.id: row.content
        for row in workspace.items().rows(kinds=[ItemKind.PREFERENCE])
        if (row.family, row.operator) == (changed.family, changed.operator)
        and ItemStatus(row.status).is_valid
    }
    try:
        for folder in (path.parent.parent.parent, path.parent.parent, path.parent):
            folder.mkdir(mode=0o700, exist_ok=True)
        replace_whole(path, json.dumps(found, indent=2, ensure_ascii=False).encode())
        path.chmod(0o600)
    except OSError as err:
        told = f"{path}: cannot be written: {reason(err)}"
        raise MemoryFileError(told, hint="make room, or make its folder writable") from err
    return path
