"""Processes that save and collect in one workspace until they are killed, at random moments.

`python -m tests.memory.artifacts.killed save FOLDER NAME` saves without end, and prints the
hash of each content that is meant to stay once it is saved; `collect FOLDER [GROUP]` ends and
sweeps without end, and without grace. With a number instead of these it kills that many times,
and says what was lost.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from se_agent.errors import ArtifactError
from se_agent.memory.artifacts.garbage import GarbageCollector
from se_agent.memory.artifacts.schema import EPHEMERAL, PERSISTENT
from se_agent.memory.workspace.workspace import Workspace

ROOT = Path(__file__).parents[3]
_LONGEST = 0.4  # seconds from the first save to the kills


def kill_round(folder: Path, seed: int, *, savers: int = 3) -> list[str]:
    """Run processes, kill them all at a random moment, and return what they acknowledged."""
    rng = random.Random(seed)
    kinds = [
        *(("save", str(folder), f"{seed} {n}") for n in range(savers)),
        ("collect", str(folder)),
    ]
    started = [_process(*words) for words in kinds]
    first = [one.stdout.readline() for one in started if one.stdout]  # all are at work
    time.sleep(rng.uniform(0, _LONGEST))
    rng.shuffle(started)
    for one in started:
        one.send_signal(signal.SIGKILL)
    lines = [line for one in started for line in one.communicate()[0].splitlines(keepends=True)]
    whole = [line.split() for line in (*first, *lines) if line.endswith("\n")]
    return [words[1] for words in whole if words[0] == "saved"]


def check(folder: Path, acknowledged: list[str]) -> list[str]:
    """Return what was lost: acknowledged contents, and contents of rows."""
    lost = []
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        for digest in {*acknowledged, *(row.digest for row in store.find())}:
            try:
                store.content_of(digest)
            except ArtifactError as err:
                lost.append(str(err))
    return lost


def _process(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.memory.artifacts.killed", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _save(folder: Path, name: str) -> None:
    rng = random.Random(name)
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        for n in count():
            # Contents that others save too, and that come and go, are the ones in danger.
            text = f"{rng.randrange(8)}" * 3000 if n % 2 else f"{name} {n} " * 200
            stays = rng.random() < 0.5
            tag = PERSISTENT if stays else EPHEMERAL
            ref = store.save_artifact(text, title="t", tags=(tag,), group_id=f"{name} {n % 3}")
            _say("saved" if stays else "passed", ref.digest)


def _collect(folder: Path, group: str | None = None) -> None:
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        collector = GarbageCollector(store, grace=timedelta(0), group_id=group)
        for n in count():
            report = collector.collect(datetime.now(UTC) + timedelta(days=4), force=True)
            _say("collected", report.removed, n)


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def _main(words: list[str]) -> None:
    if words[0] == "save":
        _save(Path(words[1]), words[2])
    elif words[0] == "collect":
        _collect(Path(words[1]), *words[2:])
    else:
        _repeat(int(words[0]))


def _repeat(rounds: int) -> None:
    with TemporaryDirectory() as folder:
        acknowledged = list[str]()
        for seed in range(rounds):
            acknowledged += kill_round(Path(folder), seed)
        lost = check(Path(folder), acknowledged)
    _say(rounds, "rounds,", len(acknowledged), "acknowledged,", len(lost), "lost", *lost)


if __name__ == "__main__":
    _main(sys.argv[1:])
