"""At its end a run looks after what is kept beside runs: what has had its days ends.

Not here: what ends and when (`se_agent.memory`), and what a run keeps.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.errors import MemoryFileError
from se_agent.memory import ARTIFACTS_FILE, GarbageCollector, Workspace, workspace_folder


def collect_garbage(folder: Path, config: Run) -> str:
    """End outputs that have had their days; return why nothing ended, or nothing.

    A workspace that cannot be used costs the run a sentence, and so does a clock that may be
    wrong.

    Args:
        folder: The run folder.
        config: Of the run.
    """
    section = config.memory.artifacts
    place = workspace_folder(config.memory.workspace.path, folder.parent)
    if place is None or not section.enabled or not (place / ARTIFACTS_FILE).exists():
        return ""
    try:
        with Workspace.open(place) as workspace:
            collector = GarbageCollector(
                workspace.artifacts(),
                retention_days=section.retention_days,
                sweep_days=section.sweep_days,
            )
            return collector.collect(datetime.now(UTC)).note
    except (MemoryFileError, OSError) as err:
        return str(err)
