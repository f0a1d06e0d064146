"""A run as rows: solutions, steps, evaluations, blocks and calls, in one pass over its events.

Pure. A run under way has a row for each step that was begun. Not here: what the columns mean
(`columns`), memory (`memory_table`), and frames (`frames`).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass

from se_agent.analysis.course import NOWHERE, CourseFold, CoursePoint
from se_agent.chat.events import Lost, Objected, Planned, Replied, Unanswered
from se_agent.chat.messages import LEARNING, Usage
from se_agent.events import (
    BlockMeasured,
    Confirmed,
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    Retested,
    Selected,
    Started,
    Trimmed,
)
from se_agent.values.evaluation import Evaluation, Status, Verdict
from se_agent.values.solution import Solution

Row = tuple[object, ...]
Call = Replied | Unanswered | Lost


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
    UNANSWERED = "no reply"  # no model could be asked for one
    INITIAL = "initial"  # the program that the run began with
    MINIMISED = "minimised"  # an edit was left out after the search


@dataclass
class _Step:
    """What is known of a step."""

    generation: int
    selected: Selected | None = None
    proposed: Proposed | None = None
    evaluated: Evaluated | None = None
    learned: Learned | None = None
    planned: bool = False
    unanswered: bool = False
    cost: float = 0.0
    point: CoursePoint = NOWHERE

    @property
    def solution(self) -> Solution | None:
        """What was proposed, if it is new."""
        proposed = self.proposed
        if proposed is None or proposed.proposal is None or proposed.duplicate_of:
            return None
        return proposed.proposal.solution

    @property
    def verdict(self) -> Verdict | None:
        return self.learned.verdict if self.learned else None

    @property
    def outcome(self) -> StepOutcome:
        if self.proposed is not None and self.proposed.duplicate_of:
            return StepOutcome.DUPLICATE
        if self.planned:
            return StepOutcome.PLANNED
        if self.learned is None:
            return StepOutcome.OPEN
        if self.learned.verdict is not None:
            return _outcome(self.learned.verdict)
        return StepOutcome.UNANSWERED if self.unanswered else StepOutcome.NOTHING

    @property
    def status(self) -> str | None:
        if self.verdict is not None:
            return self.verdict.status
        return self.evaluated.evaluation.status if self.evaluated else None


def _outcome(verdict: Verdict) -> StepOutcome:
    if verdict.status is not Status.AC:
        return StepOutcome.FAILED
    if verdict.significant:
        return StepOutcome.BETTER
    return StepOutcome.WORSE if verdict.interval[1] < 0 else StepOutcome.NOISE


class RunTables:
    """A fold of a run's events into rows, in the order of `columns.TABLES`."""

    def __init__(self, run: str) -> None:
        """Begin before the first event.

        Args:
            run: What stands in the column `run`.
        """
        self.solutions: dict[str, Solution] = {}
        self.best = ""
        self._run = run
        self._course = CourseFold()
        self._started: Started | None = None
        self._generation = 0
        self._steps: dict[int, _Step] = {}
        self._trimmed: dict[str, Trimmed] = {}
        self._evaluations: list[Row] = []
        self._blocks: list[Row] = []
        self._calls: list[Call] = []
        self._objected: dict[tuple[int, str, int], str] = {}

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self._course.apply(event)
        match event:
            case Started():
                self._started, self.best = event, event.initial.id
                self.solutions[event.initial.id] = event.initial
                self._evaluations.append(self._evaluation(event, event.initial.id))
            case GenerationOpened():
                self._generation = event.generation
            case Evaluated() | Retested():
                self._evaluations.append(self._evaluation(event, event.solution))
            case BlockMeasured():
                self._blocks.append(self._block(event))
            case Replied() | Unanswered() | Lost():
                self._calls.append(event)
            case Objected():
                self._objected[event.slot, event.role, event.attempt] = event.why
            case Trimmed():
                self._trim(event)
            case Confirmed():
                self.best = event.solution
            case _:
                pass
        if event.slot >= 0 and not isinstance(event, GenerationOpened):
            self._step(event)

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table.

        Raises:
            KeyError: There is no such table here.
        """
        made = {
            "solutions": self._solution_rows,
            "steps": self._step_rows,
            "evaluations": lambda: iter(self._evaluations),
            "blocks": lambda: iter(self._blocks),
            "calls": self._call_rows,
        }
        return list(made[table]())

    def _step(self, event: Event) -> None:
        step = self._steps.get(event.slot)
        if step is None:
            step = self._steps[event.slot] = _Step(self._generation)
        match event:
            case Selected():
                step.selected = event
            case Proposed():
                step.proposed = event
                if step.solution:
                    self.solutions[step.solution.id] = step.solution
            case Evaluated():
                step.evaluated = event
                step.cost += event.evaluation.cost_seconds
            case BlockMeasured():
                step.cost += event.block.cost_seconds
            case Planned():
                step.planned = True
            case Unanswered() if event.role not in LEARNING:
                step.unanswered = True
            case Learned():
                step.learned, step.point = event, self._course.last
                self.best = event.best
            case _:
                pass

    def _trim(self, event: Trimmed) -> None:
        if event.dropped:
            self.solutions[event.solution.id] = event.solution
            self._trimmed[event.solution.id] = event
            self.best = event.solution.id

    def _step_rows(self) -> Iterator[Row]:
        for slot, step in sorted(self._steps.items()):
            chosen, learned, verdict = step.selected, step.learned, step.verdict
            point = step.point if learned else None
            yield (
                self._run,
                slot,
                step.generation,
                chosen.child if chosen else None,
                " ".join(chosen.parents) if chosen else None,
                chosen.operator if chosen else None,
                chosen.variant if chosen else None,
                chosen.strategy if chosen else None,
                chosen.informed if chosen else None,
                str(step.outcome),
                step.status,
                *_effects(verdict),
                verdict.significant if verdict else None,
                learned.effect if learned else None,
                learned.best if learned else None,
                *(_spent(point) if point else (None,) * 6),
                step.cost,
                learned.memory_version if learned else None,
                learned.at if learned else None,
            )

    def _solution_rows(self) -> Iterator[Row]:
        slots = {step.solution.id: slot for slot, step in self._steps.items() if step.solution}
        for solution in self.solutions.values():
            slot = slots.get(solution.id)
            step = self._steps[slot] if slot is not None else None
            verdict = step.verdict if step else None
            proposal = step.proposed.proposal if step and step.proposed else None
            trimmed = self._trimmed.get(solution.id)
            yield (
                self._run,
                solution.id,
                slot,
                step.generation if step else 0 if not solution.parents else None,
                " ".join(solution.parents),
                solution.operator,
                solution.strategy,
                len(solution.edits),
                str(step.outcome if step else self._otherwise(trimmed)),
                step.status if step else str(Status.AC),
                _finite(verdict.effect) if verdict else None,
                verdict.significant if verdict else None,
                trimmed.effect if trimmed else self._course.effect_of(solution.id),
                solution.id == self.best,
                proposal.direction if proposal else "",
                text_of(solution),
            )

    @staticmethod
    def _otherwise(trimmed: Trimmed | None) -> StepOutcome:
        return StepOutcome.MINIMISED if trimmed else StepOutcome.INITIAL

    def _evaluation(self, event: Started | Evaluated | Retested, solution: str) -> Row:
        found: Evaluation = event.evaluation
        measured = found.measurement
        return (
            self._run,
            event.slot,
            solution,
            str(found.status),
            measured.cpu_seconds if measured else None,
            measured.peak_bytes if measured else None,
            found.score,
            found.cost_seconds,
            found.failing[0].name if found.failing else "",
            found.feedback,
            isinstance(event, Retested),
            event.at,
        )

    def _block(self, event: BlockMeasured) -> Row:
        block = event.block
        return (
            self._run,
            event.slot,
            self._phase(event.slot),
            event.reference,
            event.candidate,
            str(event.inputs),
            block.number,
            _finite(block.effect),
            block.reference,
            block.candidate,
            block.unit,
            block.pairs,
            block.inputs,
            block.level,
            str(block.status),
            str(block.reference_status),
            block.cost_seconds,
            event.at,
        )

    def _phase(self, slot: int) -> str:
        if slot >= 0:
            return "search"
        if slot < -1:
            return "minimisation"
        return "confirmation" if self._generation else "self_test"

    def _call_rows(self) -> Iterator[Row]:
        for call in self._calls:
            step = self._steps.get(call.slot)
            usage = call.usage if isinstance(call, Replied) else Usage()
            objected = self._objected.get((call.slot, call.role, call.attempt), "")
            yield (
                self._run,
                call.slot,
                step.selected.child if step and step.selected else None,
                str(call.role),
                call.model,
                call.attempt,
                call.kind,
                usage.prompt,
                usage.cached,
                usage.completion,
                usage.reasoning,
                call.lost.total,
                call.money,
                call.seconds,
                call.complete if isinstance(call, Replied) else None,
                objected if isinstance(call, Replied) else call.why,
                call.request,
                call.text if isinstance(call, Replied) else None,
                call.at,
            )


def text_of(solution: Solution) -> str:
    """Return a program as one text: several files each below a line with its path."""
    if len(solution.files) == 1:
        return solution.text
    return "\n".join(f"# {path}\n{text}" for path, text in sorted(solution.files.items()))


def _effects(verdict: Verdict | None) -> Row:
    if verdict is None:
        return None, None, None
    return _finite(verdict.effect), *(_finite(end) for end in verdict.interval)


def _spent(point: CoursePoint) -> Row:
    return (
        point.effect,
        int(point.evaluations),
        int(point.calls),
        int(point.tokens),
        _finite(point.money),
        point.cpu_seconds,
    )


def _finite(value: float) -> float | None:
    """Return a figure; None for one that stands for a program that is not right."""
    return value if math.isfinite(value) else None
