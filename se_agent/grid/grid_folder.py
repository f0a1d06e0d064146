"""The folder of a grid: `grid.json` says what is in it, and a lock that one process runs it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any  # a setting may have any value that JSON has

from pydantic import BaseModel, ConfigDict, ValidationError

from se_agent.analysis.records import GRID_FILE
from se_agent.config.deviations import deviations
from se_agent.config.run_file import as_record
from se_agent.engine.journal.folder import JOURNAL, make_folder, make_root
from se_agent.errors import ConfigError, JournalError, reason
from se_agent.files.run_files import content, open_regular, replace_whole
from se_agent.grid.cells import Grid

_LOCK = "grid.lock"


class GridFolder(BaseModel):
    """What lies in the folder of a grid; for people and for `ls`, it decides nothing.

    Attributes:
        name: Name of the grid.
        file: The file that it was last run from.
        arms: Settings that differ from the default, by arm.
        problems: Ids of its problems.
        seeds: Its seeds.
        cells: Number of its cells.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    file: str
    arms: dict[str, dict[str, Any]]
    problems: tuple[str, ...]
    seeds: tuple[int, ...]
    cells: int


def described(grid: Grid) -> GridFolder:
    """Return what is written down of a grid."""
    return GridFolder(
        name=grid.name,
        file=str(grid.path.resolve()),
        arms={arm.name: deviations(as_record(arm.config)) for arm in grid.arms},
        problems=tuple(source.id for source in grid.sources),
        seeds=grid.seeds,
        cells=len(grid),
    )


def describe_grid(grid: Grid) -> None:
    """Make the folder of a grid and write down what is in it, wholly or not at all.

    Raises:
        ConfigError: There is a run in its place, or runs of no grid lie in it.
        JournalError: It cannot be written.
    """
    home = grid.home
    if (home / JOURNAL).exists():
        raise ConfigError(
            f"{home}: a run, and no place for a grid",
            hint='give the grid another name: name = "NAME" above [grid], or `--set name=NAME`',
        )
    if not (home / GRID_FILE).exists() and (runs := sorted(home.glob(f"*/{JOURNAL}"))):
        raise ConfigError(
            f"{home}: holds runs of no grid, such as {runs[0].parent.name}",
            hint="move it away, or give another place with `--set results=FOLDER`; rows of a "
            "problem set that lie there so have to be run again",
        )
    make_root(home.parent)
    make_folder(home)
    try:
        replace_whole(home / GRID_FILE, described(grid).model_dump_json(indent=1).encode())
    except OSError as err:
        raise JournalError(
            f"{home}: cannot be written: {reason(err)}; nothing was spent",
            hint="make room, or give another place with `--set results=FOLDER`",
        ) from err


def read_grid_folder(folder: Path) -> GridFolder | None:
    """Return what is written down of a grid; None: there is none, or it cannot be read."""
    with suppress(OSError, ValidationError):
        return GridFolder.model_validate_json(content(folder / GRID_FILE))
    return None


@contextmanager
def locked_grid(home: Path) -> Iterator[None]:
    """Keep other processes from running the same grid.

    Raises:
        JournalError: One does, or the folder cannot be locked.
    """
    try:
        lock = os.fdopen(open_regular(home / _LOCK, os.O_RDWR | os.O_CREAT), "r+b")
    except OSError as err:
        raise JournalError(
            f"{home}: cannot be locked: {reason(err)}", hint="make it a folder of your own"
        ) from err
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as err:
            raise JournalError(
                f"{home}: another process runs this grid",
                hint="wait for it, or stop it with Ctrl-C; it saves as it goes",
            ) from err
        yield
