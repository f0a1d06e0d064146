"""A change of the user's file: shown as a diff, written only when nothing stands against it.

Not here: whether the change is any good.
"""

from __future__ import annotations

import enum
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import ProblemError
from se_agent.files import plain
from se_agent.program.features import unified_diff
from se_agent.user_function.repository.committed import committed


class FileState(enum.StrEnum):
    """What a file is by now, in words."""

    AS_READ = "the file is as it was read"
    CHANGED_SO = "the file has this change already"
    ANOTHER = "the file changed meanwhile"


@dataclass(frozen=True)
class FileChange:
    """What a file was when it was read, and what it shall become.

    Attributes:
        path: Path of the file.
        old: Its text then.
        new: Its text to be.
    """

    path: Path
    old: str
    new: str

    def diff(self, shown: str = "") -> str:
        """Return the unified diff; `shown` is the path in its header."""
        return unified_diff(self.old, self.new, shown or self.path.name)

    @property
    def state(self) -> FileState:
        """What the file is by now; one that cannot be read is another."""
        if holds(self.path, self.old):
            return FileState.AS_READ
        return FileState.CHANGED_SO if holds(self.path, self.new) else FileState.ANOTHER

    def write(self) -> Path | None:
        """Put the new text into the file, in one step that keeps its mode.

        Returns:
            The copy of the old file, `FILE.orig`; None when the last commit has exactly that.

        Raises:
            ProblemError: The file is not what it was when it was read, a copy of another
                text is in the way, or the folder cannot be written to.
        """
        self.require_as_read()
        try:
            before = plain.content(self.path)
            kept = None if committed(self.path, before) else self._keep(before)
            self._replace(before)
        except OSError as err:
            raise ProblemError(
                f"{self.path}: cannot be written: {err.strerror}",
                hint="the diff above can be applied with `patch -p1`",
            ) from err
        return kept

    def require_as_read(self) -> None:
        """See that the file is what it was when it was read.

        Raises:
            ProblemError: It is not.
        """
        if self.state is not FileState.AS_READ:
            raise ProblemError(
                f"{self.path}: {self.state}; nothing was written",
                hint="run it again, or apply the diff above with `patch -p1`",
            )

    def _keep(self, before: bytes) -> Path:
        copy = self.path.with_name(self.path.name + ".orig")
        if copy.is_symlink() or (copy.exists() and plain.content(copy) != before):
            raise ProblemError(
                f"{copy}: another copy is in the way; nothing was written",
                hint="move it away, or commit the file to git",
            )
        _place(copy, before, like=self.path)
        return copy

    def _replace(self, before: bytes) -> None:
        mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
        _place(self.path, mark + self.new.encode(), like=self.path)


def write_all(changes: Sequence[FileChange]) -> dict[Path, Path | None]:
    """Write changes of several files: none of them where something stands against one.

    What was written before, by who was killed in between, is left as it is.

    Returns:
        The copies of old files, by the paths that were written; see `FileChange.write`.

    Raises:
        ProblemError: As `FileChange.write` does.
    """
    left = [change for change in changes if change.state is not FileState.CHANGED_SO]
    for change in left:
        change.require_as_read()
    return {change.path: change.write() for change in left}


def holds(path: Path, text: str) -> bool:
    """Say whether a file can be read and has this text."""
    with suppress(OSError):
        return plain.content(path).decode("utf-8-sig", "replace") == text
    return False


def _place(path: Path, data: bytes, *, like: Path) -> None:
    """Write a file whole or not at all, with owner and mode of another."""
    target = path.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        known = like.stat()
        temporary.chmod(known.st_mode & 0o7777)
        with suppress(PermissionError):  # the file then belongs to whoever wrote it
            os.chown(temporary, known.st_uid, known.st_gid)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
