"""Files of a results folder, which may be a stranger's: regular ones, and no links out of it.

A link would have us read or write elsewhere, a pipe or a device would keep us waiting. Not
here: what the files hold, and databases (`database`).
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

LARGEST = 256 << 20
"""Bytes of a file that is read."""

_ODD = "it is a link, a device, a pipe or a folder, where a file is due"
_SHARED = "it is the same file as another one (a hard link)"
_SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a regular file.

    Args:
        path: Path of the file.
        flags: As for `os.open`. A file that is written to has no other name.

    Raises:
        OSError: It is none, or cannot be opened.
    """
    require(path)
    try:
        descriptor = os.open(path, flags | _SAFE, 0o644)
    except OSError as err:
        if err.errno in (errno.ELOOP, errno.ENXIO):
            raise OSError(errno.EINVAL, _ODD) from err
        raise
    found = os.fstat(descriptor)
    shared = found.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR)
    if shared or not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, _SHARED if shared else _ODD)
    return descriptor


def require(path: Path) -> None:
    """Refuse what is there and is no regular file, without opening it.

    Raises:
        OSError: It is none.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _ODD)


def content(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        OSError: It is no regular file, cannot be read, or has more bytes than `LARGEST`.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST >> 20} MB")
    return data


def write_whole(path: Path, data: bytes) -> None:
    """Write a file anew; it has reached the disk when this returns.

    Raises:
        OSError: There is something else in its place, or it cannot be written.
    """
    with os.fdopen(open_regular(path, os.O_WRONLY | os.O_CREAT), "wb") as file:
        file.truncate(0)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, for its owner only; it has reached the disk then.

    Raises:
        OSError: Something is in its place, or it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)  # whatever the umask
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def close_to_others(path: Path) -> None:
    """Make a file if it is not there, and let nobody but its owner read or write it.

    Raises:
        OSError: There is something else in its place, or it cannot be made.
    """
    require(path)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _SAFE, 0o600)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def replace_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and put it there, wholly or not at all.

    Raises:
        OSError: There is something else in the place beside it, or it cannot be written.
    """
    torn = path.with_name(f".{path.name}")
    write_whole(torn, data)
    try:
        torn.replace(path)
    except OSError:
        torn.unlink()
        raise


def sync(path: Path) -> None:
    """Make a file, or the names in a folder, reach the disk.

    Raises:
        OSError: It cannot be opened, or the disk fails.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
