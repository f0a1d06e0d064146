"""What it costs to keep outputs whole: a save, and both phases of the collector.

Usage: python -m experiments.bench.kept [CONTENTS]
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from se_agent.memory import ArtifactStore, GarbageCollector, Workspace

CONTENTS = 100_000
"""As many as some thousand runs would leave in three days."""

SAVES = 200
LINE = "line {n} of what a program said: expected 17, got {n}\n"


def measure(contents: int = CONTENTS) -> dict[str, float]:
    """Return CPU seconds: of a save of 15 KB (median), and of each phase over all contents."""
    with TemporaryDirectory() as folder, Workspace.open(Path(folder) / "w") as workspace:
        store, now = workspace.artifacts(), datetime.now(UTC)
        texts = ["".join(LINE.format(n=n * each) for n in range(300)) for each in range(SAVES)]
        saved = [_cpu(partial(store.save_artifact, text, title="t")) for text in texts]
        _fill(store, contents, now)
        collector = GarbageCollector(store, grace=timedelta(0))
        return {
            "save": statistics.median(saved),
            "nothing to expire": _cpu(lambda: collector.expire(now)),
            "nothing to sweep": _cpu(lambda: collector.sweep(now + timedelta(days=1))),
            "expire": _cpu(lambda: collector.expire(now + timedelta(days=4))),
            "sweep": _cpu(lambda: collector.sweep(now + timedelta(days=4))),
        }


def _fill(store: ArtifactStore, contents: int, now: datetime) -> None:
    """Put contents and rows there at once, without waiting for the disk each time."""
    rows = []
    for n in range(contents):
        digest = hashlib.sha256(str(n).encode()).hexdigest()
        place = f"artifacts/blobs/{now:%Y/%m/%d}/{digest[:2]}/{digest[2:4]}"
        (store.folder / place).mkdir(parents=True, exist_ok=True)
        (store.folder / place / digest).write_text(str(n), encoding="ascii")
        rows.append((digest, now.isoformat(timespec="seconds"), f"{place}/{digest}"))
    tags = "SELECT id, 'sys:ephemeral' FROM artifacts WHERE title = 'made'"
    previews = (
        "SELECT content_hash, title, size, '', '', NULL FROM artifacts WHERE title = 'made'"
    )
    with store.db.transaction():
        store.db.execute_each(
            "INSERT INTO artifacts VALUES"
            " (NULL, ?, '', 'made', '[\"sys:ephemeral\"]', '', ?, ?, 5, 'text/plain')",
            rows,
        )
        store.db.execute(f"INSERT INTO artifact_tags {tags}")
        store.db.execute(f"INSERT OR IGNORE INTO tombstones {previews}")


def _cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


if __name__ == "__main__":
    for name, seconds in measure(*map(int, sys.argv[1:])).items():
        print(f"{name}: {1000 * seconds:.1f} ms CPU", flush=True)
