"""A workspace on a disk that is small, or read-only: what is said, and what is left.

`python -m tests.memory.workspace.narrow FOLDER full|read-only` mounts a disk of its own at
FOLDER, which no other process sees, and prints what a save says and which contents are whole.
Only root can.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evaluators.sandbox.isolation import kernel
from se_agent.errors import SeAgentError
from se_agent.memory import Workspace

_MOST = 100  # contents, which are more than there is room for
_READ_ONLY = 32 | 1  # mount it once more, and so


def _main(folder: Path, how: str) -> None:
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("disk", str(folder), "tmpfs", 0, "size=512k")
    saved = []
    try:
        with Workspace.open(folder / "w") as workspace:
            for n in range(_MOST if how == "full" else 3):
                saved.append(  # noqa: PERF401 - one after the other, until one fails
                    workspace.artifacts().save_artifact(f"{n} " * 10_000, title="t")
                )
        kernel.mount("disk", str(folder), "tmpfs", _READ_ONLY)
        with Workspace.open(folder / "w") as workspace:
            workspace.artifacts().save_artifact("one more", title="t")
    except SeAgentError as err:
        sys.stdout.write(f"{err}\n{err.hint}\n")
    with Workspace.open(folder / "w", write=False) as workspace:
        store = workspace.artifacts()
        whole = [ref for ref in saved if len(store.content_of(ref.digest)) == ref.size]
        parts = [*folder.rglob(".part-*")]
        sys.stdout.write(f"{len(saved)} {len(whole)} {len(store.find())} {len(parts)}\n")


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2])
