"""Compiled classes, packed into one file: the same classes give the same bytes."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

MAIN = "Main.class"
"""The class that is started."""

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can tell


def packed(folder: Path, most: int) -> bytes:
    """Return the files of a folder as an archive that a JVM reads.

    Args:
        folder: What a compiler left there.
        most: Bytes that all files may have together.

    Raises:
        ValueError: The class to start is not among them, or they are too large.
    """
    names = sorted(_files(folder))
    if MAIN not in names:
        raise ValueError(
            f"there is no class `{Path(MAIN).stem}`: it is the one that is started"
        )
    if sum((folder / name).stat().st_size for name in names) > most:
        raise ValueError(f"its classes take more than {most >> 20} MB")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:  # not compressed: every start would pay for it
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), (folder / name).read_bytes())
    return data.getvalue()


def _files(folder: Path) -> Iterator[str]:
    """Give the names of all regular files; links are not followed."""
    for here, _, names in os.walk(folder):
        for name in names:
            path = Path(here) / name
            if path.is_file() and not path.is_symlink():
                yield str(path.relative_to(folder))
