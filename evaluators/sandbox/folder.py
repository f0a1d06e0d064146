"""A folder for one command: fresh, and gone afterwards, whatever the command left in it.

What stands in it was made by a stranger: folders a thousand deep or closed to their owner, and
links to what is none of ours. Nothing is followed, and no path is longer than a name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

from se_agent.errors import SandboxError

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWN = 0o700
_ROOM = 16 << 20  # bytes, without which a compiler fails on what is right
_SCARCE = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
_FREE = "free space, memory or descriptors, or set TMPDIR to a folder with room"


@contextlib.contextmanager
def fresh_folder() -> Iterator[Path]:
    """Yield the path of a new folder, without symbolic links; it is removed at the end.

    All that could still write to it has to have ended by then.

    Raises:
        SandboxError: It cannot be made, has no room, or what it is for ran out of something:
            a program is not to blame for that.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="se-agent-")).resolve()
    except OSError as err:
        raise SandboxError(f"no temporary folder can be made: {err}", hint=_FREE) from err
    try:
        folder.chmod(_OWN)  # whatever the umask
        _require_room(folder)
        yield folder
    except OSError as err:
        if err.errno not in _SCARCE:
            raise
        raise SandboxError(f"a command cannot be run: {err}", hint=_FREE) from err
    finally:
        removed(folder)


def tail(path: Path, most: int) -> bytes:
    """Return the last bytes of a file, at most so many; the rest is not read."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - most))
        return file.read(most)


def _require_room(folder: Path) -> None:
    found = os.statvfs(folder)
    if found.f_bavail * found.f_frsize < _ROOM:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def removed(folder: Path) -> None:
    """Remove a folder and all in it.

    Raises:
        OSError: It cannot be.
    """
    top = os.open(folder, _OPEN)
    try:
        for name, is_folder in _entries(top):
            if is_folder:
                _flattened(top, name)
            else:
                os.unlink(name, dir_fd=top)
    finally:
        os.close(top)
    folder.rmdir()


def _flattened(top: int, name: str) -> None:
    """Remove a folder of the top one; what folders it has become folders of the top one."""
    os.chmod(name, _OWN, dir_fd=top)
    inner = os.open(name, _OPEN, dir_fd=top)
    try:
        for each, is_folder in _entries(inner):
            if is_folder:
                os.chmod(each, _OWN, dir_fd=inner)  # it is written to: its parent changes
                moved = secrets.token_hex(16)
                os.rename(each, moved, src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(each, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _entries(descriptor: int) -> Iterator[tuple[str, bool]]:
    """Give the entries of a folder, and whether each is a folder, until there are none."""
    found = True
    while found:
        found = False
        with os.scandir(descriptor) as entries:
            for entry in entries:
                found = True
                yield entry.name, entry.is_dir(follow_symlinks=False)
