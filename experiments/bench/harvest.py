"""CPU time of keeping what a run of ten thousand steps found out.

The run has an operator and an evaluator that cost nothing: all that a step takes is the engine,
and the share of memory in it is larger than in any run whose programs are measured.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from experiments.bench.steps import PROBLEM, free, plan
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.memory import Workspace, harvest_of, promote

STEPS = 10_000


def made_run(results: Path, steps: int) -> float:
    """Make a run that keeps nothing beside itself, and return the CPU seconds that it took."""
    before = time.process_time()
    config = plan(results, steps)
    memory = config.memory.model_copy(update={"prior": False})
    start(config.model_copy(update={"memory": memory}), problem=PROBLEM, evaluators=free)
    return time.process_time() - before


def measured(run: Path) -> dict[str, float]:
    """Return CPU seconds of reading, harvesting and writing what a run left."""
    marks = [time.process_time()]
    with Journal(run / "run.db", write=False) as journal:
        events = list(journal.numbered_events())
    marks.append(time.process_time())
    found = harvest_of(events, (), run="bench", problem=PROBLEM)
    marks.append(time.process_time())
    assert found is not None
    with tempfile.TemporaryDirectory() as folder, Workspace.open(Path(folder)) as opened:
        promote(found, opened.items(), at="2026-11-28T10:00:00+00:00")
    marks.append(time.process_time())
    read, harvest, write = (b - a for a, b in pairwise(marks))
    return {"read": read, "harvest": harvest, "write": write, "events": len(events)}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        given = Path(sys.argv[1]) if sys.argv[1:] else None
        if given is None:
            took = made_run(Path(place), STEPS)
            print(f"a run of {STEPS} steps: {took:.1f} s CPU")
            given = Path(place) / "run"
        for what, seconds in measured(given).items():
            print(f"{what}: {seconds:.2f}")
