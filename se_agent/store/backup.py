"""Copies of databases, made while others read and write them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from se_agent.files.run_files import sync
from se_agent.store.connection import connect


def back_up(source: Path, target: Path, *, triggers: Iterable[str] = ()) -> None:
    """Copy what is committed in a database; the copy is whole, or it is not there.

    It may be read by whoever may read the original, and takes the place of an older copy.

    Args:
        source: Path of the database.
        target: Path of the copy.
        triggers: Texts of the triggers that the database may have.

    Raises:
        sqlite3.Error: It cannot be read, or the copy cannot be written.
        OSError: The copy cannot be put in its place.
    """
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)  # of a process that was killed
    part.touch(mode=0o600)
    try:
        _copy(source, part, tuple(triggers))
        part.chmod(source.stat().st_mode & 0o777)
        sync(part)  # the original is changed next: a power cut must not take both
        part.replace(target)
        sync(target.parent)
    except BaseException:
        part.unlink(missing_ok=True)  # the disk may be full
        raise


def _copy(source: Path, target: Path, triggers: tuple[str, ...]) -> None:
    with (
        closing(connect(source, write=False, triggers=triggers)) as old,
        closing(connect(target, triggers=triggers)) as new,
    ):
        new.execute("PRAGMA journal_mode = OFF")  # a copy that is not whole is thrown away
        old.backup(new)
