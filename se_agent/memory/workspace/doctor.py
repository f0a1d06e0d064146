"""The doctor of a workspace: what is damaged or lost in it, and what to do. It changes nothing.

Each database is checked page by page, each row of an artifact against its content, and each
content against its hash. Not here: what mends it (`backup`, `maintain`).
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from se_agent.errors import MemoryFileError, reason
from se_agent.files.run_files import content
from se_agent.memory.artifacts.artifact_store import ArtifactStore
from se_agent.memory.artifacts.schema import BLOBS
from se_agent.memory.artifacts.schema import FILE as ARTIFACTS_FILE
from se_agent.memory.workspace.backup import LIST
from se_agent.memory.workspace.layout import BACKUPS, KeptDatabase, databases
from se_agent.store.blob_files import PART, digest_at, is_place, places
from se_agent.store.database import Database

_BRING_BACK = "`se-agent memory restore FOLDER` brings a backup back"
_SAVE_AGAIN = "it comes back when the same output is seen again, or with a backup"
_COLLECT = "`se-agent memory gc` takes it when it is a day old"
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be.

    Attributes:
        what: What it is, with its path or its name.
        todo: What to do.
        is_harm: Whether something is lost or may get lost; False: it is only untidy.
    """

    what: str
    todo: str
    is_harm: bool = True


def examine(
    folder: Path, *, results: Path | None = None, told: Told = lambda _, __: None
) -> Iterator[Finding]:
    """Yield what is wrong in a workspace; one that is not there has nothing wrong.

    Args:
        folder: The workspace.
        results: The folder of the runs; None: the one above.
        told: Is told how many contents are checked, and of how many.
    """
    try:
        if not folder.is_dir():
            return
        yield from _rights(folder)
        for place in databases(folder, results):
            if place.path.exists():
                yield from _database(place, folder, told)
        yield from _backups(folder / BACKUPS)
    except OSError as err:
        yield Finding(f"{folder}: cannot be read: {reason(err)}", "use a workspace of your own")


def _rights(folder: Path) -> Iterator[Finding]:
    if folder.is_symlink():  # whoever followed it would change what it leads to
        yield Finding(f"{folder}: it is a link", "remove it; what it leads to stays as it is")
        return
    found = folder.stat()
    if found.st_uid != os.geteuid():
        yield Finding(f"{folder}: it is another user's", "use a workspace of your own")
    if stat.S_IMODE(found.st_mode) & 0o077:
        yield Finding(f"{folder}: others may enter it", f"chmod 700 {folder}")


def _database(place: KeptDatabase, folder: Path, told: Told) -> Iterator[Finding]:
    try:
        with Database(place.path, place.kind, write=False) as db:
            checked = [str(one) for (one,) in db.rows("PRAGMA integrity_check(3)", where="it")]
            if checked != ["ok"]:
                yield Finding(f"{place.path}: damaged: {checked[0]}", _BRING_BACK)
            if place.name == ARTIFACTS_FILE:
                yield from _artifacts(ArtifactStore(folder, db), told)
    except MemoryFileError as err:
        yield Finding(str(err), err.hint)


def _artifacts(store: ArtifactStore, told: Told) -> Iterator[Finding]:
    found = {place: digest_at(place) for place in places(store.blobs)}
    rows = store.find()
    lost = set[str]()
    for row in rows:
        place = row.path.removeprefix(f"{BLOBS}/")
        if not is_place(place, row.digest):
            yield Finding(
                f"artifact {row.id}: {row.path!r} is the place of no content", _BRING_BACK
            )
        elif place not in found and place not in lost:
            lost.add(place)
            yield Finding(f"artifact {row.digest[:12]}: its content is missing", _SAVE_AGAIN)
    named = {row.path.removeprefix(f"{BLOBS}/") for row in rows}
    for number, (place, digest) in enumerate(found.items(), 1):
        yield from _content(store.blobs / place, digest, is_named=place in named)
        told(number, len(found))
    yield from _tags(store)


def _content(path: Path, digest: str, *, is_named: bool) -> Iterator[Finding]:
    if not digest:
        is_part = path.name.startswith(PART)
        todo = _COLLECT if is_part else "move it away"
        what = "a save that was broken off" if is_part else "no content of an artifact"
        yield Finding(f"{path}: {what}", todo, is_harm=False)
        return
    try:
        is_whole = hashlib.sha256(content(path)).hexdigest() == digest
    except OSError:
        is_whole = False
    if not is_whole:
        yield Finding(f"artifact {digest[:12]}: its content is damaged", _SAVE_AGAIN)
    if not is_named:
        yield Finding(f"{path}: no artifact names it", _COLLECT, is_harm=False)


def _tags(store: ArtifactStore) -> Iterator[Finding]:
    """Yield rows whose two lists of tags differ: what is pinned in one might end."""
    beside: dict[int, set[str]] = {}
    query = "SELECT artifact_id, tag FROM artifact_tags"
    for number, tag in store.db.rows(query, where="its tags"):
        beside.setdefault(number, set()).add(tag)
    for row in store.find():
        if set(row.tags) != beside.get(row.id, set()):
            todo = f"`se-agent artifact pin {row.id}` or `unpin {row.id}` writes both anew"
            yield Finding(f"artifact {row.id}: its two lists of tags differ", todo)


def _backups(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if (
            path.is_dir()
            and not (path / LIST).is_file()
            and not path.name.startswith("damaged")
        ):
            yield Finding(f"{path}: a backup that was broken off", "delete it", is_harm=False)
