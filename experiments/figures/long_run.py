"""A long run, with an operator and an evaluator that cost nothing: does a step stay cheap?

CPU time of a step is the median over the 100 steps before a mark. Memory is that of the whole
process at the mark, the journal is what lies on disk. After the last mark the run is broken
off; a fresh process takes it up until it opens the next generation, and all it took is counted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from experiments.bench.steps import PROBLEM, WINDOW, free, per_step, plan
from experiments.figures.rows import ROOT, Row, fill
from se_agent.engine.run.start import resume, start
from se_agent.environment.process_files import SELF, peak_bytes, resident_bytes
from se_agent.events import Event, GenerationOpened, Learned, Resumed

STEPS = 100_000
MARKS = (1_000, 10_000, 20_000, 50_000, 100_000)
SETTINGS = {"marks": [*MARKS]}


class _EnoughError(Exception):
    """All was seen; the run is broken off, as Ctrl-C would."""


class Marks:
    """Notes what a run takes at each mark, and breaks it off at the last one."""

    def __init__(self, folder: Path, steps: int) -> None:
        """Take the run folder to be, and the last mark."""
        self.rows: dict[int, Row] = {}
        self._journal = folder / "run.db"
        self._steps = steps
        self._closed = 0
        self._seconds: deque[float] = deque(maxlen=WINDOW)

    def on_event(self, event: Event) -> None:
        """Count closed steps."""
        if not isinstance(event, Learned):
            return
        self._closed += 1
        self._seconds.append(time.process_time())
        if self._closed in (*MARKS, self._steps):
            self.rows[self._closed] = {
                "step_ms": 1000 * per_step(list(self._seconds)),
                "rss_mb": resident_bytes(SELF) / (1 << 20),
                "journal_mb": _on_disk(self._journal),
            }
        if self._closed == self._steps:
            raise _EnoughError


class UntilNext:
    """Breaks a resumed run off at the next generation that it opens."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._resumed = False

    def snapshot(self) -> None:
        """It knows nothing of the past, and needs not be told of it event by event."""

    def restore(self, past: object) -> None:
        """Nothing is to be known."""

    def on_event(self, event: Event) -> None:
        """Past events are told of first."""
        self._resumed |= isinstance(event, Resumed)
        if self._resumed and isinstance(event, GenerationOpened):
            raise _EnoughError


def rows() -> dict[str, Row]:
    """Run what is missing and return a row a length."""
    return fill("long", {str(STEPS): partial(measured, STEPS)}, settings=SETTINGS, jobs=1)


def measured(steps: int) -> Row:
    """Return the row of a run of so many steps; each of its processes does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        marks = _child("run", folder, str(steps))
        begun = time.monotonic()
        resumed = _child("resume", folder)
    return {"marks": marks, "resume": {**resumed, "wall_seconds": time.monotonic() - begun}}


def _child(*args: str) -> Row:
    command = [sys.executable, "-m", "experiments.figures.long_run", *args]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    found: Row = json.loads(said.stdout)
    return found


def make_run(results: Path, steps: int) -> Row:
    """Make a run of so many steps, below `results`, and return what it took at each mark."""
    marks = Marks(results / "run", steps)
    with suppress(_EnoughError):
        start(plan(results, 2 * steps), problem=PROBLEM, listeners=[marks], evaluators=free)
    return {str(mark): row for mark, row in marks.rows.items()}


def _resume(results: Path) -> Row:
    with suppress(_EnoughError):
        resume(results / "run", listeners=[UntilNext()], evaluators=free)
    return {"cpu_seconds": time.process_time(), "peak_mb": peak_bytes(SELF) / (1 << 20)}


def _on_disk(journal: Path) -> float:
    """Return what a journal takes, in MB, with what was not yet moved into it."""
    return sum(path.stat().st_size for path in journal.parent.glob(journal.name + "*")) / 1e6


def table(found: Mapping[str, Row]) -> str:
    """Return the Markdown of the figure."""
    lines = ["| steps | CPU a step, ms | memory, MB | journal, MB |", "|--:|--:|--:|--:|"]
    longest = found[max(found, key=int)]
    for mark, row in longest["marks"].items():
        figures = f"{row['step_ms']:.2f} | {row['rss_mb']:.0f} | {row['journal_mb']:.1f}"
        lines.append(f"| {int(mark):,} | {figures} |")
    taken = longest["resume"]
    cpu, wall = (f"{taken[name]:.1f}" for name in ("cpu_seconds", "wall_seconds"))
    peak = f"{taken['peak_mb']:.0f}"
    words = f"Taken up after the last step: {cpu} s CPU, {wall} s on the wall, {peak} MB."
    return "\n".join([*lines, "", words])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder, steps]:
            print(json.dumps(make_run(Path(folder), int(steps))))
        case ["resume", folder]:
            print(json.dumps(_resume(Path(folder))))
        case [steps]:
            print(table({steps: measured(int(steps))}))
