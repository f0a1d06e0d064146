"""What a run does for the workspace beside it: it says how it stands, and what is old ends.

Not here: what ends and when (`se_agent.memory`), and what a run keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.journal.named_outputs import named_digests, runs_beside
from se_agent.errors import MemoryFileError
from se_agent.memory import (
    ARTIFACTS_FILE,
    AgentContexts,
    GarbageCollector,
    RunRegister,
    Workspace,
    group_of,
    open_errors,
    workspace_folder,
)


def note_begin(folder: Path, config: Run, problem: str) -> str:
    """Note in the workspace that a run is under way; return what kept it from that, or nothing.

    A workspace that is not there is not made for that.
    """
    return _noted(folder, config, lambda runs: runs.begin(folder, problem, datetime.now(UTC)))


def note_end(folder: Path, config: Run, status: str) -> str:
    """Note in the workspace how a run has ended; return what kept it from that, or nothing."""
    return _noted(folder, config, lambda runs: runs.end(folder, status, datetime.now(UTC)))


def keep_states(folder: Path, config: Run, agents: AgentContexts) -> str:
    """Keep what each agent did last; return what kept it from that, or nothing."""
    section = config.memory.workspace
    place = workspace_folder(section.path, folder.parent)
    try:
        if section.states and place is not None and place.is_dir():
            with Workspace.open(place) as workspace:
                states, run = workspace.states(), group_of(folder, place)
                for name, context in agents.contexts.items():
                    picture = {
                        **context._asdict(),
                        "waits_for": agents.dependencies.get(name, ()),
                        "open_errors": [one._asdict() for one in open_errors(agents, name)],
                    }
                    states.save_agent_state(name, picture, run=run)
    except (MemoryFileError, OSError) as err:
        return str(err)
    return ""


def _noted(folder: Path, config: Run, note: Callable[[RunRegister], None]) -> str:
    place = workspace_folder(config.memory.workspace.path, folder.parent)
    try:
        if place is not None and place.is_dir():
            with Workspace.open(place) as workspace:
                note(workspace.runs())
    except (MemoryFileError, OSError) as err:
        return str(err)
    return ""


def collect_garbage(folder: Path, config: Run) -> str:
    """End outputs of a run that have had their days; return why nothing ended, or nothing.

    A workspace that cannot be used costs the run a sentence, and so does a clock that may be
    wrong.

    Args:
        folder: The run folder.
        config: Configuration of the run.
    """
    section = config.memory.artifacts
    place = workspace_folder(config.memory.workspace.path, folder.parent)
    if place is None or not section.enabled:
        return ""
    try:
        if not (place / ARTIFACTS_FILE).exists():
            return ""
        with Workspace.open(place) as workspace:
            collector = GarbageCollector(
                workspace.artifacts(),
                retention_days=section.retention_days,
                sweep_days=section.sweep_days,
                group_id=group_of(folder, place),
                named=lambda: named_digests(runs_beside(folder.parent, workspace)),
            )
            return collector.collect(datetime.now(UTC)).note
    except (MemoryFileError, OSError) as err:
        return str(err)
