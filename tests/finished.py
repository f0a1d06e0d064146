"""Runs of the little world, made once and read by many tests."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.start import start
from se_agent.events import Event, Learned
from se_agent.memory_events import Surveyed
from se_agent.values.evaluation import ComparisonKind
from tests.fakes import NumberEvaluator, number_problem, number_run


def finished(results: Path, *, timed: bool, name: str = "run", **changes: object) -> Path:
    """Make a run and return its folder."""
    kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
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


def unfinished(tmp_path: Path, events: int) -> Path:
    """Return a run whose journal ends after so many events."""
    return cut_off(tmp_path, lambda known: itertools.islice(known, events))


def after_one_lesson(tmp_path: Path) -> Path:
    """Return a run whose journal ends when the first step is closed.

    How many are closed after so many events is for threads to say: steps are measured while
    others are closed.
    """

    def begun(known: Iterator[Event]) -> Iterator[Event]:
        for event in known:
            yield event
            if isinstance(event, Learned) and event.lesson is not None:
                return

    return cut_off(tmp_path, begun)


def cut_off(tmp_path: Path, begun: Callable[[Iterator[Event]], Iterable[Event]]) -> Path:
    """Return a run whose journal holds the beginning of another one's."""
    return beginning_of(finished(tmp_path / "whole", timed=True), tmp_path / "part", begun)


def beginning_of(
    whole: Path, folder: Path, begun: Callable[[Iterator[Event]], Iterable[Event]]
) -> Path:
    """Return a new run folder with the beginning of a run, and the texts of its survey."""
    folder.mkdir()
    (folder / "problem.json").write_bytes((whole / "problem.json").read_bytes())
    with Journal(whole / "run.db", write=False) as old, Journal(folder / "run.db") as journal:
        events = list(begun(old.events()))
        surveys = [event for event in events if isinstance(event, Surveyed)]
        digests = [digest for one in surveys for digest in one.documents.values()]
        journal.append(*events, texts=map(old.text, digests))
    return folder
