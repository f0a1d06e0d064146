"""Runs in the little world of numbers, and listeners that break them."""

from __future__ import annotations

from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result
from se_agent.engine.run.resolve import EvaluatorFactory, ResolvedRun
from se_agent.engine.run.start import start
from se_agent.engine.state.state import State
from se_agent.errors import SandboxError
from se_agent.events import (
    Event,
)
from se_agent.values.evaluation import ComparisonKind
from tests.fakes import (
    NumberEvaluator,
    number_problem,
    number_run,
)

ROOT = Path(__file__).parents[2]


def new_state(config: Run, *, tokenizer: str = "") -> State:
    """Return the state of a run before its first event."""
    return ResolvedRun.of(config, number_problem(), tokenizer=tokenizer).new_state()


def factory(
    kind: ComparisonKind, log: Path | None = None, seconds: float = 0.0
) -> EvaluatorFactory:
    return lambda problem, config: NumberEvaluator(kind, log=log, seconds=seconds)


def ran(
    results: Path, *, timed: bool = False, log: Path | None = None, **changes: object
) -> Result:
    kind = ComparisonKind.TIMED if timed else ComparisonKind.EXACT
    return start(
        number_run(results, **changes),
        problem=number_problem(timed=timed),
        evaluators=factory(kind, log),
    )


def events_of(result: Result) -> list[Event]:
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        return list(journal.events())


class Crash:
    """A listener that breaks the run at its n-th event, as a full machine might."""

    def __init__(self, after: int) -> None:
        self._left = after

    def on_event(self, event: Event) -> None:
        self._left -= 1
        if self._left == 0:
            raise SandboxError("the machine gave up")


class CrashAt:
    """A listener that breaks the run at the first event of a kind."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def on_event(self, event: Event) -> None:
        if event.kind == self._kind:
            raise SandboxError("the machine gave up")
