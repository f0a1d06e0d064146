"""Backups of a workspace, and what brings one back (AM-37).

A backup is a folder: copies of the databases that SQLite makes while others write, contents of
artifacts, all other files, and last a list of their hashes. Nothing is taken away while it is
made. To restore one, its hashes are checked first, and what it replaces is backed up itself.
Not here: what the files hold.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import content, replace_whole, sync
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.garbage import alone
from se_agent.memory.artifacts.schema import BLOBS
from se_agent.memory.workspace.layout import BACKUPS, KeptDatabase, databases, plain_files
from se_agent.memory.workspace.workspace import Workspace
from se_agent.store.backup import back_up
from se_agent.store.blob_files import (
    digest_at,
    is_intact,
    is_place,
    make_folders,
    places,
    write_blob,
)
from se_agent.store.database import Database
from se_agent.store.failures import is_damaged, is_unwritten, two_lines
from se_agent.store.restoring import bring_back, can_be_opened, without_traces

LIST = "backup.json"
"""Name of the list of hashes; a folder without it is no backup."""

DAMAGED = "damaged-"
"""Names of folders with databases that could not be opened begin so."""

_PART = ".part-"
_PAGES = "its pages"  # where damage is that nobody looks further into
_OTHER = "`ls` the folder `backups` of the workspace for another one"
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Backup:
    """A backup that was made.

    Attributes:
        folder: Where it lies.
        files: How many files it has.
        bytes: Their size.
        left_out: Contents that were lost before, by 12 hex digits.
        unsound: Databases that are not in it, for they cannot be read, with why.
    """

    folder: Path
    files: int
    bytes: int
    left_out: tuple[str, ...]
    unsound: tuple[str, ...] = ()


def back_up_all(
    workspace: Workspace, now: datetime, *, target: Path | None = None, told: Told | None = None
) -> Backup:
    """Copy a workspace; the copy is whole, or it is not there. What is not sound is left out.

    Args:
        workspace: Open to be written.
        now: The time.
        target: Folder of the copy, which is not there; None: one in `backups`, named by `now`.
        told: Is told how many contents are copied, and of how many.

    Raises:
        MemoryFileError: A part cannot be read, or the copy cannot be written.
    """
    place = target or _free(workspace.folder / BACKUPS / f"{now:%Y%m%dT%H%M%SZ}")
    with look_after(workspace.folder), _writing(place):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.exists():
            raise MemoryFileError(f"{place}: it is there already", hint="name another folder")
        part = place.with_name(f"{_PART}{place.name}")
        shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
        part.mkdir(mode=0o700)
        try:
            left_out, unsound = _fill(workspace, part, told or (lambda _, __: None))
            files = _listed(part)
            _write_list(part, {"at": f"{now:%FT%TZ}", "files": files})
            part.replace(place)
            sync(place.parent)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    size = sum((place / name).stat().st_size for name in files)
    return Backup(place, len(files), size, left_out, unsound)


def restore(
    workspace: Workspace, source: Path, now: datetime, *, told: Told | None = None
) -> Backup:
    """Bring a backup back, once all of it was found to be whole.

    Args:
        workspace: Open to be written.
        source: Folder of the backup.
        now: The time.
        told: Is told how many files are checked, and of how many.

    Returns:
        The backup of what was replaced.

    Raises:
        MemoryFileError: The backup is damaged, or of a newer version; nothing is changed. Or
            something cannot be written; what was replaced is in the backup that was made.
    """
    names = check_backup(source, told=told)
    with _writing(workspace.folder):
        set_aside(workspace.folder, databases(workspace.folder, workspace.results), now)
    before = back_up_all(workspace, now)
    store = workspace.artifacts()
    with look_after(store.folder), _writing(workspace.folder):
        for name in names:
            if name.startswith(f"{BLOBS}/"):
                _bring_content(store, source, name.removeprefix(f"{BLOBS}/"))
        for place in databases(workspace.folder, workspace.results):
            if place.name in names:
                put_database(source / place.name, place)
        kept = {place.name for place in databases(workspace.folder, workspace.results)}
        for name in names:
            if name not in kept and not name.startswith(f"{BLOBS}/"):
                _copy(source, name, workspace.folder)
    return before


def check_backup(source: Path, *, told: Told | None = None) -> list[str]:
    """Return the names of a backup's files, once all are found to be what they were.

    Raises:
        MemoryFileError: One is missing or has another hash, or it is no backup.
    """
    try:
        listed = json.loads(content(source / LIST))["files"]
        hashes = {str(name): str(digest) for name, digest in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as err:
        why = reason(err) if isinstance(err, OSError) else f"{LIST} cannot be read"
        raise MemoryFileError(f"{source}: no backup: {why}", hint=_OTHER) from err
    for number, (name, digest) in enumerate(hashes.items(), 1):
        if _hash(source, name) != digest:
            told_of = f"{source}: damaged: {name} is missing or not what it was"
            raise MemoryFileError(f"{told_of}; nothing is changed", hint=_OTHER)
        if told:
            told(number, len(hashes))
    for place in databases(source):
        if place.name in hashes:
            with without_traces(source / place.name):
                Database(source / place.name, place.kind, write=False).close()
    return [*hashes]


def _fill(
    workspace: Workspace, part: Path, told: Told
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Copy what is sound; return contents that are lost, and what is not sound."""
    unsound = list[str]()
    for place in databases(workspace.folder, workspace.results):
        if place.path.exists():
            try:
                _save_database(place, part / place.name)
            except MemoryFileError as err:
                unsound.append(str(err))
    for name in plain_files(workspace.folder):
        _copy(workspace.folder, name, part)
    blobs = workspace.folder / BLOBS
    found = {digest: place for place in places(blobs) if (digest := digest_at(place))}
    wanted = found
    with suppress(MemoryFileError):
        rows = workspace.artifacts().find()  # those of the copy, and later ones
        wanted = {row.digest: row.path.removeprefix(f"{BLOBS}/") for row in rows}
    return tuple(_copy_contents(blobs, wanted, part, told)), tuple(unsound)


def _save_database(place: KeptDatabase, copy: Path) -> None:
    with two_lines(place.kind, place.path, partial(is_damaged, place.kind, place.path, _PAGES)):
        back_up(place.path, copy, triggers=place.kind.triggers)
        copy.chmod(0o600)
    with without_traces(copy):
        is_sound = can_be_opened(copy, place.kind)
    if not is_sound:
        copy.unlink()
        raise MemoryFileError(f"{place.path}: damaged", hint=place.kind.damaged)


def _copy_contents(
    blobs: Path, wanted: Mapping[str, str], part: Path, told: Told
) -> Iterator[str]:
    """Copy contents and yield names of those that are lost; each is checked by its hash."""
    for number, (digest, place) in enumerate(sorted(wanted.items()), 1):
        if not is_place(place, digest) or not is_intact(blobs, place, digest):
            yield digest[:12]
            continue
        make_folders(part, part / BLOBS)
        write_blob(part / BLOBS, place, content(blobs / place))
        told(number, len(wanted))


def _bring_content(store: ArtifactStore, source: Path, place: str) -> None:
    digest = place.rpartition("/")[2]
    if not is_intact(store.blobs, place, digest):
        make_folders(store.folder, store.blobs)
        write_blob(store.blobs, place, content(source / BLOBS / place))


def put_database(copy: Path, place: KeptDatabase) -> None:
    """Put a copy in the place of a database, while others may have it open.

    Raises:
        MemoryFileError: It cannot be read, or the database cannot be written.
    """
    is_new = not place.path.exists()
    with two_lines(place.kind, place.path, partial(is_unwritten, place.kind, place.path)):
        bring_back(copy, place.path, place.kind)
    if is_new:
        place.path.chmod(0o600)


def set_aside(folder: Path, among: Iterable[KeptDatabase], now: datetime) -> Path | None:
    """Move databases away that cannot be opened: nothing can be written into them.

    Args:
        folder: The workspace, which keeps them among its backups.
        among: Those that are looked at.
        now: The time.

    Returns:
        Where the last one lies; None: all can be opened.

    Raises:
        OSError: One cannot be moved.
    """
    aside = None
    for place in among:
        if not place.path.exists() or can_be_opened(place.path, place.kind):
            continue
        aside = _free(folder / BACKUPS / f"{DAMAGED}{now:%Y%m%dT%H%M%SZ}")
        aside.mkdir(mode=0o700, parents=True)
        for end in ("", "-wal", "-shm", "-journal"):
            part = place.path.with_name(f"{place.path.name}{end}")
            if part.exists():
                part.replace(aside / part.name)
    return aside


def _copy(source: Path, name: str, target: Path) -> None:
    place = target / name
    make_folders(target, place.parent)
    replace_whole(place, content(source / name))
    place.chmod(0o600)


def _write_list(part: Path, told: dict[str, object]) -> None:
    replace_whole(part / LIST, json.dumps(told).encode())
    (part / LIST).chmod(0o600)


def _listed(part: Path) -> dict[str, str]:
    found = (path for path in part.rglob("*") if path.is_file() and not path.is_symlink())
    names = sorted(str(path.relative_to(part)) for path in found)
    return {name: _hash(part, name) for name in names}


def _hash(folder: Path, name: str) -> str:
    """Return the hash of a file; of none that lies elsewhere."""
    with suppress(OSError, ValueError):
        if (folder / name).resolve().is_relative_to(folder.resolve()):
            return hashlib.sha256(content(folder / name)).hexdigest()
    return ""


def _free(place: Path) -> Path:
    """Return a path that nothing has: two backups may be made in a second."""
    number, free = 1, place
    while free.exists():
        number, free = number + 1, place.with_name(f"{place.name}-{number + 1}")
    return free


@contextmanager
def look_after(folder: Path) -> Iterator[None]:
    """Let nothing be taken away from a workspace within.

    Raises:
        MemoryFileError: Another process looks after it.
    """
    with alone(folder) as is_alone:
        if not is_alone:
            told = f"{folder}: another process is collecting, or makes a backup"
            raise MemoryFileError(told, hint="wait until it is done, and try again")
        yield


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as err:
        raise MemoryFileError(
            f"{place}: cannot be written: {reason(err)}",
            hint="make room, or name a folder that can be written",
        ) from err
