"""What a run is to a tracker of experiments: parameters, tags, metrics by step, and programs.

Secrets are taken out of all texts here, so that no writer can forget it. Not here: how a
tracker keeps it (`trackers`).
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple  # a cell of a table may hold anything

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of
from se_agent.config.settings import flat
from se_agent.config.toml_text import value_text
from se_agent.engine.journal.folder import configuration_of
from se_agent.engine.journal.result import Result

STEP_METRICS = (
    *("effect", "total_effect", "best_effect", "evaluations", "calls", "tokens", "money"),
    *("run_cpu_seconds", "cost_seconds"),
)
"""Columns of the table `steps` that are metrics."""

OUTCOME_METRICS = ("gain", "gain_low", "gain_high", "score", "score_initial", "generations")
"""Fields of a result that are metrics of the whole run."""

Redact = Callable[[str], str]


class TrackedStep(NamedTuple):
    """The metrics of a step: its number, when it was written down, and those that are known."""

    number: int
    at: dt.datetime
    metrics: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class TrackedRun:
    """A run as trackers know runs.

    Attributes:
        experiment: The folder that the run belongs to; of a cell the name of its grid.
        name: Name of the run; of a cell with that of its arm.
        arm: Name of its arm; empty: it has none.
        status: As in a result.
        params: The whole run file by dotted key, as TOML.
        tags: What else is known of it, in words.
        steps: Its steps, by number.
        outcome: What it came to, as far as known.
        programs: Texts of the initial program and the best one, by path.
    """

    experiment: str
    name: str
    arm: str
    status: str
    params: Mapping[str, str]
    tags: Mapping[str, str]
    steps: tuple[TrackedStep, ...]
    outcome: Mapping[str, float]
    programs: Mapping[str, str]

    @property
    def key(self) -> str:
        """What it is known by in a tracker: exported again, it is the same run."""
        return sha256(f"{self.experiment}/{self.name}".encode()).hexdigest()[:16]


def tracked(run: RecordedRun, redact: Redact) -> TrackedRun:
    """Return a run as trackers know runs.

    Args:
        run: The run, finished or not.
        redact: Takes secrets out of a text.

    Raises:
        JournalError: It cannot be read.
    """
    found, arm = run.result, run.name.rpartition("/")[0]
    folder = run.folder.resolve()
    return TrackedRun(
        experiment=redact((folder.parent.parent if arm else folder.parent).name),
        name=redact(run.name),
        arm=redact(arm),
        status=found.status,
        params={key: redact(text) for key, text in _params(run)},
        tags={f"se_agent.{key}": redact(text) for key, text in _tags(run, found, arm) if text},
        steps=tuple(sorted(_steps(run), key=itemgetter(0))),
        outcome=_numbers(OUTCOME_METRICS, vars(found)),
        programs={path: redact(text) for path, text in _programs(run)},
    )


def _params(run: RecordedRun) -> Iterator[tuple[str, str]]:
    config = configuration_of(run.folder).model_dump(mode="json")
    for setting in flat(config, ""):
        yield ".".join(setting.path), value_text(setting.value)


def _tags(run: RecordedRun, found: Result, arm: str) -> Iterator[tuple[str, str]]:
    yield from {
        "run": run.name,
        "arm": arm,
        "problem": found.problem,
        "status": found.status,
        "best": found.best_solution_id,
        "budget_end": found.budget_end,
        "machine": run.record.machine,
    }.items()


def _steps(run: RecordedRun) -> Iterator[TrackedStep]:
    for row in run.rows("steps"):
        known: dict[str, Any] = dict(zip(names_of("steps"), row, strict=True))
        if known["at"] is not None:  # an open step has not come to anything yet
            yield TrackedStep(known["slot"], known["at"], _numbers(STEP_METRICS, known))


def _numbers(names: tuple[str, ...], known: Mapping[str, Any]) -> dict[str, float]:
    """Return the finite ones of some figures."""
    values = {name: known[name] for name in names if known[name] is not None}
    return {name: float(value) for name, value in values.items() if math.isfinite(value)}


def _programs(run: RecordedRun) -> Iterator[tuple[str, str]]:
    for name in ("initial", "best"):
        for path, text in run.solution(name).solution.files.items():
            yield f"{name}/{path}", text
