"""Contents on disk, each in a file named after its SHA-256, in a folder of the day it came.

A file is whole, or it is not there: it is written beside its place, flushed, and renamed. Not
here: which contents are still wanted (an index says so), and texts within a database (`blobs`).
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from datetime import date
from errno import EINVAL
from pathlib import Path

from se_agent.files.run_files import content, sync, write_new

PART = ".part-"
"""Names of files that are being written begin so."""

_PLACE = re.compile(
    r"[0-9]{4}/[0-9]{2}/[0-9]{2}/([0-9a-f]{2})/([0-9a-f]{2})/(\1\2[0-9a-f]{60})"
)
_TRIES = 8  # a sweep may take a folder away that was just made, and is empty


def place_of(digest: str, day: date) -> str:
    """Return where a content lies below the folder of blobs (SQ-12).

    The day keeps those of a time together (SQ-44), two levels of the hash keep each folder
    small (SQ-45), and the name makes equal contents one file (SQ-46).
    """
    return f"{day.year:04}/{day:%m/%d}/{digest[:2]}/{digest[2:4]}/{digest}"


def is_place(place: str, digest: str) -> bool:
    """Say whether a path is one that a content of this digest may have."""
    found = _PLACE.fullmatch(place)
    return found is not None and found[3] == digest


def digest_at(place: str) -> str:
    """Return the digest that a path names; empty: it is the path of no content."""
    found = _PLACE.fullmatch(place)
    return found[3] if found else ""


def is_intact(root: Path, place: str, digest: str) -> bool:
    """Say whether a file is there and holds the content of its name."""
    try:
        return hashlib.sha256(content(root / place)).hexdigest() == digest
    except OSError:
        return False


def write_blob(root: Path, place: str, data: bytes) -> None:
    """Put a content in its place; it has reached the disk when this returns.

    Args:
        root: The folder of blobs, which is there.
        place: As of `place_of`.
        data: The content.

    Raises:
        OSError: It cannot be written; nothing of it is left.
    """
    for _ in range(_TRIES):
        try:
            _write(root, place, data)
        except FileNotFoundError:
            continue
        return
    _write(root, place, data)


def _write(root: Path, place: str, data: bytes) -> None:
    target = root / place
    make_folders(root, target.parent)
    part = target.parents[2] / f"{PART}{os.getpid()}-{secrets.token_hex(4)}"
    try:
        write_new(part, data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync(target.parent)


def make_folders(root: Path, folder: Path) -> None:
    """Make folders below one that is there, open to their owner only.

    Raises:
        OSError: They cannot be made, or a link or a file has the name of one.
    """
    here = root
    for name in folder.relative_to(root).parts:
        above, here = here, here / name
        try:
            here.mkdir(mode=0o700)
        except FileExistsError:
            if not stat.S_ISDIR(here.lstat().st_mode):
                raise OSError(EINVAL, "it is a link or a file, where a folder is due") from None
        else:
            here.chmod(0o700)
            sync(above)


def places(root: Path) -> Iterator[str]:
    """Yield the paths below a folder of blobs, unfinished files among them; links are none.

    Folders are entered in their order, and the files of one come together.
    """
    waiting = [] if root.is_symlink() else [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as found:
                entries = sorted(found, key=lambda one: one.name, reverse=True)
        except (FileNotFoundError, NotADirectoryError):
            continue  # another sweep took it away
        for one in entries:
            if one.is_dir(follow_symlinks=False):
                waiting.append(f"{folder}{one.name}/")
            elif one.is_file(follow_symlinks=False):
                yield f"{folder}{one.name}"
