"""The workspace: the one entry to everything that lies beside the runs (AM-03, AM-38).

Whatever the umask, its folders are open to their owner only, and so are its files (AM-49). Each
database is opened when it is first asked for. Not here: what the databases hold.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import close_to_others
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.schema import FILE as ARTIFACTS_FILE
from se_agent.memory.artifacts.schema import KIND as ARTIFACTS_KIND
from se_agent.memory.artifacts.schema import moment
from se_agent.memory.artifacts.spare_room import hold_room
from se_agent.memory.experience.items import Items
from se_agent.memory.experience.schema import KIND as MEMORY_KIND
from se_agent.memory.graph.writing import Graph
from se_agent.memory.workspace.layout import memory_path
from se_agent.memory.workspace.runs import RunRegister
from se_agent.memory.workspace.state_schema import FILE as STATE_FILE
from se_agent.memory.workspace.state_schema import KIND as STATE_KIND
from se_agent.memory.workspace.states import AgentStateManager
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from se_agent.store.kind import DatabaseKind

FOLDER = ".se_agent"
"""Its name in the folder that holds the run folders (SQ-09)."""

NONE = "none"
"""Path of a run file that says: nothing is kept beside the runs."""

_OTHER = (
    'name another folder: `memory.workspace.path` of a run file ("none": none), or '
    "`--workspace FOLDER` of a command"
)


@dataclass(frozen=True)
class Workspace:
    """An open workspace; any thread may use it.

    Attributes:
        folder: Path of its folder.
        write: Whether anything in it may be changed.
        secrets: Known ones; nothing that is written holds any of them.
        results: The folder of the runs; None: the one above.
    """

    folder: Path
    write: bool = True
    secrets: tuple[str, ...] = field(default=(), repr=False)
    results: Path | None = None
    _held: ExitStack = field(default_factory=ExitStack, repr=False, compare=False)
    _stores: list[ArtifactStore] = field(default_factory=list, repr=False, compare=False)
    _registers: list[RunRegister] = field(default_factory=list, repr=False, compare=False)
    _items: list[Items] = field(default_factory=list, repr=False, compare=False)
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        write: bool = True,
        secrets: Iterable[str] = (),
        results: Path | None = None,
    ) -> Workspace:
        """Open a workspace, and make its folder if it is to be written and is not there.

        Args:
            folder: Path of the folder.
            write: Whether it may be changed. A reader finds an empty one where there is none.
            secrets: Known ones.
            results: The folder of the runs; None: the one above.

        Raises:
            MemoryFileError: It is no folder, another user's, or cannot be made or written.
        """
        try:
            _prepare(folder, write=write)
        except OSError as err:
            told = f"{folder}: cannot be a workspace: {reason(err)}"
            raise MemoryFileError(told, hint=_OTHER) from err
        return cls(folder, write, tuple(secrets), results)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        err: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def artifacts(self) -> ArtifactStore:
        """Return the store of outputs that are kept whole.

        Raises:
            ArtifactError: It is damaged, of a newer version, or cannot be opened.
        """
        with self._lock:
            if not self._stores:
                db = self._database(self.folder / ARTIFACTS_FILE, ARTIFACTS_KIND)
                if self.write:
                    hold_room(self.folder)
                self._stores.append(ArtifactStore(self.folder, db, secrets=self.secrets))
            return self._stores[0]

    def runs(self) -> RunRegister:
        """Return the table of runs and how each stands.

        Raises:
            MemoryFileError: It is damaged, of a newer version, or cannot be opened.
        """
        with self._lock:
            if not self._registers:
                db = self._database(self.folder / STATE_FILE, STATE_KIND)
                self._registers.append(RunRegister(db))
            return self._registers[0]

    def states(self) -> AgentStateManager:
        """Return what agents did last, by run.

        Raises:
            MemoryFileError: It is damaged, of a newer version, or cannot be opened.
        """
        return AgentStateManager(self.folder, self.runs().db, secrets=self.secrets)

    def items(self) -> Items:
        """Return what the runs learned, which lies beside them.

        Raises:
            MemoryFileError: It is damaged, of a newer version, or cannot be opened.
        """
        with self._lock:
            if not self._items:
                db = self._database(memory_path(self.folder, self.results), MEMORY_KIND)
                self._items.append(Items(db, secrets=self.secrets))
            return self._items[0]

    def graph(self) -> Graph:
        """Return the knowledge graph, which lies with the items, for what is done now.

        Raises:
            MemoryFileError: It is damaged, of a newer version, or cannot be opened.
        """
        now = moment(datetime.now(UTC))
        return Graph(db=self.items().db, at=now, secrets=self.secrets)

    def close(self) -> None:
        """Close all that was opened."""
        self._held.close()

    def _database(self, path: Path, kind: DatabaseKind) -> Database:
        try:
            if not self.write and not path.exists():
                return self._held.enter_context(Database(IN_MEMORY, kind))
            if self.write:
                close_to_others(path)
        except OSError as err:
            told = f"{path}: cannot be opened or written: {reason(err)}"
            raise kind.error(told, hint=_OTHER) from err
        return self._held.enter_context(Database(path, kind, write=self.write))


def workspace_folder(path: str, results: Path) -> Path | None:
    """Return the folder that a run file means; None: nothing is kept beside the runs.

    Args:
        path: `memory.workspace.path`.
        results: The folder that holds the run folders.
    """
    if path == NONE:
        return None
    return Path(path) if path else results / FOLDER


def group_of(run: Path, workspace: Path) -> str:
    """Return the name that the outputs and logs of a run bear in a workspace.

    That is the run's own name, and in a workspace that runs of several folders share also eight
    hex digits of its path: two of them may have one name.

    Args:
        run: Folder of the run.
        workspace: Folder of the workspace.
    """
    path, own = os.path.abspath(run), os.path.abspath(run.parent / FOLDER)  # noqa: PTH100
    if os.path.abspath(workspace) == own:  # noqa: PTH100 - neither need be there
        return run.name
    return f"{run.name}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}"


def _prepare(folder: Path, *, write: bool) -> None:
    if write:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(folder)
    elif not folder.is_symlink() and not folder.exists():
        return
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(0, "it is a link or a file, where a folder is due")
    if not write:
        return
    if found.st_uid != os.geteuid():
        raise PermissionError(0, "it is another user's")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(found.st_mode & 0o700)
    if not os.access(folder, os.W_OK):
        raise PermissionError(0, "it cannot be written")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    folder.chmod(0o700)  # whatever the umask
