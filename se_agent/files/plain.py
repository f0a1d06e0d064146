"""Files that a user named, or that a folder of somebody else's holds: the one way to read them.

Nothing here waits, grows without end or leads elsewhere: a pipe, a device, a socket, a file
that is too large and a link out of its folder are refused with a reason. A file is looked at
before it is opened, for opening a device may do something; and what is read then is the file
that was looked at, whatever has been put in its place meanwhile.
Not here: what a text says (`bounded`), and files that we wrote ourselves.
"""

from __future__ import annotations

import errno
import os
import shlex
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

LARGEST = 64 << 20
"""Bytes of a file that is read."""

LARGEST_SOURCE = 1 << 20
"""Bytes of a program: parsing more takes Python many seconds, and a gigabyte of memory."""


def content(path: Path, *, inside: Path | None = None, most: int = LARGEST) -> bytes:
    """Return the bytes of an ordinary file.

    Args:
        path: Path of the file, which may be a link.
        inside: Folder that holds the file: no link on the way may lead out of it. None: the
            user named the file, and it may lie anywhere.
        most: Bytes that are read.

    Raises:
        OSError: It cannot be read, is no ordinary file, lies outside of the folder, or has
            more bytes, whatever size it claims to have.
    """
    with _opened(path, inside) as file:
        claimed = os.fstat(file.fileno()).st_size  # 0 where the kernel makes the file up
        data = file.read(most + 1) if claimed <= most else b""
    if data is None:
        raise OSError(errno.EAGAIN, "nothing to read in it so far", str(path))
    if max(claimed, len(data)) > most:
        raise OSError(errno.EFBIG, f"larger than {most >> 20} MB", str(path))
    return data


def text(path: Path, *, inside: Path | None = None, most: int = LARGEST) -> str:
    """Return the text of an ordinary file, as `content` reads it.

    Lines end with a line feed, and the mark that some editors begin a file with is left out.

    Raises:
        OSError: As of `content`.
        UnicodeDecodeError: It is not UTF-8.
    """
    found = content(path, inside=inside, most=most).decode("utf-8-sig")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def resolved_path(path: Path) -> Path:
    """Return a path in full: a leading `~` is a home, and links are followed.

    Raises:
        OSError: No file can have it.
    """
    try:
        return path.expanduser().resolve()
    except (RuntimeError, ValueError) as err:  # nobody's home, links in a circle, a NUL
        raise OSError(errno.EINVAL, f"no path: {err}", repr(str(path))) from err


def to_be_readable(path: Path) -> str:
    """Return the hint for a file that is there and may not be read."""
    return f"let yourself read it: {shlex.join(['chmod', 'u+r', str(path)])}"


def create(path: Path, written: str) -> None:
    """Write a text into a new file; where anything has its name, a link also, nothing is.

    Raises:
        OSError: It is there already, or cannot be written.
    """
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write(written)


def _opened(path: Path, inside: Path | None) -> BinaryIO:
    try:
        with _looked_at(path) as found:
            _require_plain(found, path, inside)
            flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
            return os.fdopen(os.open(_place(found), flags), "rb")
    except ValueError as err:  # a NUL, or half of a surrogate pair
        raise OSError(errno.EINVAL, f"no path: {err}", repr(str(path))) from err
    except OSError as err:
        raise OSError(err.errno, err.strerror, str(path)) from err


def _require_plain(found: int, path: Path, inside: Path | None) -> None:
    mode = os.fstat(found).st_mode
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    if inside is not None:
        with _looked_at(inside) as folder:
            lies_in = _place(folder).readlink() in _place(found).readlink().parents
        if not lies_in:
            raise OSError(errno.EXDEV, "a link that leads out of its folder", str(path))


@contextmanager
def _looked_at(path: Path) -> Iterator[int]:
    """Give a descriptor that nothing can be read from, but which stays with what it shows."""
    found = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        yield found
    finally:
        os.close(found)


def _place(descriptor: int) -> Path:
    return Path(f"/proc/self/fd/{descriptor}")
