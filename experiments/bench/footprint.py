"""Memory of a run of 60 evaluations: the engine's process, and its fork servers told apart."""

from __future__ import annotations

import time

from experiments.bench.aim import at_most
from experiments.bench.user_run import started
from se_agent.environment import process_files

EVALUATIONS = 60
MOST = 120
"""Megabytes of the engine, at most."""

_PAUSE = 0.05
_MB = 1 << 20


def measure() -> dict[str, float]:
    """Return peaks in megabytes: of the engine, of its largest fork server; and how it went."""
    engine = server = servers = 0
    with started(f"budget.evaluations={EVALUATIONS}") as run:
        while not run.over:
            engine = max(engine, process_files.peak_bytes(run.pid))
            now = process_files.fork_servers(run.pid)
            servers = max(servers, len(now))
            server = max([server, *map(process_files.peak_bytes, now)])
            time.sleep(_PAUSE)
        made = sum(event.kind == "evaluated" for event in run.events())
        seconds = time.time() - run.begun
    return {
        "evaluations": made,
        "seconds": round(seconds),
        "engine_mb": round(engine / _MB, 1),
        "fork_server_mb": round(server / _MB, 1),
        "fork_servers": servers,
    }


def words(row: dict[str, float]) -> str:
    """Return the row for people, with its target."""
    return (
        f"memory of the engine in {row['evaluations']:g} evaluations: "
        f"{at_most(row['engine_mb'], MOST, 'MB')}; beside it {row['fork_servers']:g} "
        f"fork servers of at most {row['fork_server_mb']:.3g} MB each"
    )


if __name__ == "__main__":
    print(words(measure()))
