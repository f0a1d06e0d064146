"""A workspace on a disk that is small, or read-only: what is said, and what is left.

`python -m tests.memory.workspace.narrow FOLDER HOW` mounts a disk of its own at FOLDER, which
no other process sees, and prints what was said and what is whole. Only root can.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evaluators.sandbox.isolation import kernel
from se_agent.errors import SeAgentError
from se_agent.memory import Workspace

_MOST = 1000  # contents, which are more than there is room for
_READ_ONLY = 32 | 1  # mount it once more, and so


def _saved(folder: Path, most: int = _MOST) -> list[str]:
    """Save until there is no room, and return the digests of what was saved."""
    saved = list[str]()
    try:
        with Workspace.open(folder / "w") as workspace:
            for n in range(most):
                ref = workspace.artifacts().save_artifact(f"{n} " * 10_000, title="t")
                saved.append(ref.digest)
    except SeAgentError as err:
        sys.stdout.write(f"{err}\n{err.hint}\n")
    return saved


def _left(folder: Path, saved: list[str]) -> None:
    with Workspace.open(folder / "w", write=False) as workspace:
        store = workspace.artifacts()
        whole = [digest for digest in saved if store.content_of(digest)]
        parts = [*folder.rglob(".part-*")]
        sys.stdout.write(f"{len(saved)} {len(whole)} {len(store.find())} {len(parts)}\n")


def _filled(folder: Path) -> None:
    """Take all room that is left."""
    with (folder / "fill").open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass


def _full(folder: Path) -> None:
    _left(folder, _saved(folder))


def _read_only(folder: Path) -> None:
    saved = _saved(folder, 3)
    kernel.mount("disk", str(folder), "tmpfs", _READ_ONLY)
    _saved(folder)
    _left(folder, saved)


def _closed(folder: Path) -> None:
    """Fill the disk after all was closed: SQLite can make no files beside the index."""
    saved = _saved(folder, 3)
    _filled(folder)
    sys.stdout.write(f"{sorted(path.name for path in (folder / 'w').glob('*.db*'))}\n")
    _left(folder, saved)


def _collected(folder: Path) -> None:
    """Collect on the full disk."""
    from tests.cli.calls import call

    saved = _saved(folder)
    _filled(folder)
    time.sleep(1.1)  # times are kept in whole seconds
    before = os.statvfs(folder)
    called = call("memory", "gc", "--days", "0", "--workspace", folder / "w")
    free = os.statvfs(folder).f_bavail * before.f_frsize
    sys.stdout.write(f"{called.code} {len(saved)} {before.f_bavail} {free}\n{called.err}")
    _left(folder, [])


def _run(folder: Path) -> None:
    """Run with a workspace that has room for one output only."""
    from se_agent.engine.journal.journal import Journal
    from se_agent.memory_events import Noted, Offloaded
    from tests.cli.calls import call
    from tests.engine.talkative import PLACE, config_of, ran
    from tests.engine.talking import of

    memory = {"prior": False, "workspace": {"path": str(folder / "w")}}
    config = config_of(folder.parent / "results", memory=memory, budget={"evaluations": 6})
    result = ran(config, {"start": PLACE - 100})
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        events = [*journal.events()]
    notes = [event.text for event in of(events, Noted)]
    sys.stdout.write(f"{result.status} {len(of(events, Offloaded))} {len(notes)}\n")
    sys.stdout.write(f"{notes[0]}\n{call('show', result.run, '--all').out}")


_WAYS: dict[str, tuple[Callable[[Path], None], str]] = {
    "full": (_full, "512k"),
    "read-only": (_read_only, "512k"),
    "closed": (_closed, "512k"),
    "collected": (_collected, "9m"),
    "run": (_run, "1600k"),
}


def _main(folder: Path, how: str) -> None:
    work, size = _WAYS[how]
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("disk", str(folder), "tmpfs", 0, f"size={size}")
    work(folder)


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2])
