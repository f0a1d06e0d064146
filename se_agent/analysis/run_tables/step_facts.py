"""What is known of a step and of a program, in small values: a long run has many. Pure.

Not here: the rows that are made of them (`tables`).
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import NamedTuple

from se_agent.analysis.run_tables.course import CoursePoint
from se_agent.events import Learned, Selected
from se_agent.values.evaluation import Status, Verdict
from se_agent.values.solution import Solution

Row = tuple[object, ...]


class StepOutcome(enum.StrEnum):
    """How a step ended."""

    OPEN = "open"  # it is not closed yet
    BETTER = "better"  # proven better than its parent
    NOISE = "within noise"  # right, and no difference is shown
    WORSE = "worse"  # right, and its whole interval is below zero
    FAILED = "failed"  # not right; the status says how
    DUPLICATE = "duplicate"  # of a program that was tried before
    NOTHING = "nothing new"  # the operator had no proposal
    PLANNED = "planned"  # it made strategies instead
    UNUSABLE = "unusable reply"  # and a second one was no better, or was not to be had
    UNANSWERED = "no reply"  # no model could be asked for one
    INITIAL = "initial"  # the program that the run began with
    MINIMISED = "minimised"  # an edit was left out after the search


class ProgramRecord(NamedTuple):
    """A program as the table of solutions has it: no events are held, which are many."""

    id: str
    parents: tuple[str, ...]
    operator: str
    strategy: str
    edits: int
    text: str
    direction: str = ""

    @classmethod
    def of(cls, solution: Solution, direction: str = "") -> ProgramRecord:
        """Return the record of a program."""
        return cls(
            id=solution.id,
            parents=solution.parents,
            operator=solution.operator,
            strategy=solution.strategy,
            edits=len(solution.edits),
            text=text_of(solution),
            direction=direction,
        )


class ClosedFacts(NamedTuple):
    """What closed a step: the columns that it alone has."""

    outcome: StepOutcome | None
    status: str | None
    effects: Row
    proven: bool | None
    total: float | None
    best: str
    spent: Row
    version: int
    at: object


@dataclass(slots=True)
class StepFacts:
    """What is known of a step."""

    generation: int
    selected: Row = (None,) * 6
    program: ProgramRecord | None = None
    status: str | None = None
    duplicate: bool = False
    empty: bool = False
    planned: bool = False
    unanswered: bool = False
    unusable: bool = False
    cost: float = 0.0
    closed: ClosedFacts | None = None

    @property
    def outcome(self) -> StepOutcome:
        """How it ended, as far as that is known."""
        if self.duplicate:
            return StepOutcome.DUPLICATE
        if self.planned:
            return StepOutcome.PLANNED
        if self.closed is None:
            return self._nothing if self.empty else StepOutcome.OPEN
        return self.closed.outcome or self._nothing

    @property
    def _nothing(self) -> StepOutcome:
        if self.unusable:
            return StepOutcome.UNUSABLE
        return StepOutcome.UNANSWERED if self.unanswered else StepOutcome.NOTHING


def _outcome(verdict: Verdict) -> StepOutcome:
    if verdict.status is not Status.AC:
        return StepOutcome.FAILED
    if verdict.significant:
        return StepOutcome.BETTER
    return StepOutcome.WORSE if verdict.interval[1] < 0 else StepOutcome.NOISE


def text_of(solution: Solution) -> str:
    """Return a program as one text: several files each below a line with its path."""
    if len(solution.files) == 1:
        return solution.text
    return "\n".join(f"# {path}\n{text}" for path, text in sorted(solution.files.items()))


def selected_columns(event: Selected) -> Row:
    """Return the columns from `solution` to `informed`."""
    return (
        event.child,
        " ".join(event.parents),
        event.operator,
        event.variant,
        event.strategy,
        event.informed,
    )


def closed_facts(event: Learned, point: CoursePoint) -> ClosedFacts:
    """Return what a lesson says of its step, and what the run had spent then."""
    verdict = event.verdict
    return ClosedFacts(
        outcome=_outcome(verdict) if verdict else None,
        status=str(verdict.status) if verdict else None,
        effects=_effects(verdict),
        proven=verdict.significant if verdict else None,
        total=event.effect,
        best=event.best,
        spent=_spent(point),
        version=event.memory_version,
        at=event.at,
    )


def _effects(verdict: Verdict | None) -> Row:
    """Return effect and both ends of its interval."""
    if verdict is None:
        return None, None, None
    return finite(verdict.effect), *(finite(end) for end in verdict.interval)


def _spent(point: CoursePoint) -> Row:
    return (
        point.effect,
        int(point.evaluations),
        int(point.calls),
        int(point.tokens),
        finite(point.money),
        point.cpu_seconds,
    )


def finite(value: float) -> float | None:
    """Return a figure; None for one that stands for a program that is not right."""
    return value if math.isfinite(value) else None
