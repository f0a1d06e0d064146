"""Runs of the little world, made once and read by many tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from se_agent.engine.record.journal import Journal
from se_agent.engine.run import start
from se_agent.events import Event
from se_agent.types import Kind
from tests.fakes import NumberEvaluator, number_problem, number_run


def finished(results: Path, *, timed: bool, name: str = "run", **changes: object) -> Path:
    """Make a run and return its folder."""
    kind = Kind.TIMED if timed else Kind.EXACT
    found = start(
        number_run(results, name=name, **changes),
        problem=number_problem(timed=timed),
        evaluators=lambda problem, config: NumberEvaluator(kind),
    )
    return Path(found.run)


@cache
def events(*, timed: bool) -> tuple[Event, ...]:
    """Return all events of a run."""
    with TemporaryDirectory(prefix="numbers-") as folder:
        return tuple(recorded(finished(Path(folder), timed=timed)))


def recorded(folder: Path) -> Iterator[Event]:
    """Yield what a run's journal holds."""
    with Journal(folder / "run.db", write=False) as journal:
        yield from journal.events()
