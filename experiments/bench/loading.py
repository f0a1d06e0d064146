"""How long the tables of a long run take to load, and what they hold of memory.

`python -m experiments.bench.loading [STEPS] [--run FOLDER]`: makes a run of so many steps with
an operator and an evaluator that cost nothing (or takes one that is there), and reads it in a
fresh process. CPU seconds of this process: pandas itself is loaded before.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from experiments.figures.long_run import make_run
from experiments.figures.rows import ROOT

STEPS = 10_000
TARGET = 2.0
"""CPU seconds that the table of steps may take."""


def measure(folder: Path) -> dict[str, float]:
    """Return CPU seconds of each table of a run, and MB of the process, in this process."""
    import pandas

    from se_agent.analysis.frames import frame
    from se_agent.analysis.recorded_run import RecordedRun

    run, empty = RecordedRun(folder), frame("steps", [])
    assert isinstance(empty, pandas.DataFrame)
    found: dict[str, float] = {}
    for table in ("steps", "solutions", "evaluations", "blocks", "calls", "memory"):
        begun = time.process_time()
        found[table] = len(run.frame(table)) and time.process_time() - begun
    found["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def words(found: dict[str, float]) -> str:
    """Return the result in a line; the first table reads the journal for all of them."""
    held = "held" if found["steps"] <= TARGET else "not held"
    apart = ("steps", "memory", "mb")
    others = sum(seconds for name, seconds in found.items() if name not in apart)
    return (
        f"steps {found['steps']:.2f} s CPU (at most {TARGET:g} s: {held}), "
        f"all other tables {others:.2f} s more, memory {found['memory']:.2f} s, "
        f"{found['mb']:.0f} MB"
    )


def main() -> None:
    """Make the run if need be, and read it in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=STEPS)
    parser.add_argument("--run", type=Path, help="Folder of a run that is there.")
    parser.add_argument("--here", type=Path, help="Read a run in this process; print JSON.")
    given = parser.parse_args()
    if given.here is not None:
        print(json.dumps(measure(given.here)))
        return
    with tempfile.TemporaryDirectory() as results:
        if given.run is None:
            make_run(Path(results), given.steps)
        folder = given.run or Path(results) / "run"
        command = [sys.executable, "-m", "experiments.bench.loading", "--here", str(folder)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    print(words(json.loads(said.stdout)))


if __name__ == "__main__":
    main()
