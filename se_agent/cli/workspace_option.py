"""The workspace that a command means, and how it is opened.

Not here: what lies in it (`se_agent.memory`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from se_agent.cli.run_path import RESULTS
from se_agent.errors import ConfigError

if TYPE_CHECKING:
    from se_agent.memory import Workspace

ResultsOption = Annotated[Path, typer.Option(metavar="DIR", help="Folder of runs.")]
WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace", metavar="DIR", help="What is kept beside the runs, if not in RESULTS."
    ),
]


def folder_of(results: Path, workspace: Path | None) -> Path:
    """Return the folder of the workspace that a command means."""
    from se_agent.memory import workspace_folder

    return workspace or workspace_folder("", results) or RESULTS


def open_workspace(results: Path, workspace: Path | None, *, write: bool) -> Workspace:
    """Open the workspace that a command means; to be written, it has to be there.

    Raises:
        ConfigError: There is none.
        MemoryFileError: It cannot be used.
    """
    from se_agent.memory import Workspace

    folder = folder_of(results, workspace)
    if write and not os.path.isdir(folder):  # noqa: PTH112 - `is_dir` fails where none may look
        raise ConfigError(
            f"no workspace {folder}/",
            hint="a run makes one beside itself; name another with --workspace or --results",
        )
    return Workspace.open(folder, write=write, results=results)
