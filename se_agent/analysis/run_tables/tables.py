"""A run as rows: solutions, steps, evaluations, blocks and calls, in one pass over its events.

Pure. A run under way has a row for each step that was begun. Not here: what the columns mean
(`columns`), memory (`memory_table`), and frames (`frames`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.analysis.run_tables.course import CourseFold
from se_agent.analysis.run_tables.step_facts import (
    ProgramRecord,
    Row,
    StepFacts,
    StepOutcome,
    closed_facts,
    finite,
    selected_columns,
)
from se_agent.chat.events import Lost, Replied, Unanswered
from se_agent.chat.messages import LEARNING, Usage
from se_agent.events import (
    BlockMeasured,
    Confirmed,
    Evaluated,
    Event,
    Proposed,
    Retested,
    Started,
    Trimmed,
)
from se_agent.values.evaluation import Evaluation, Status

Call = Replied | Unanswered | Lost


class RunTables:
    """A fold of a run's events into rows, in the order of `columns.TABLES`.

    Attributes:
        programs: Every program by id, the initial one first.
        best: Id of the incumbent, or of the confirmed one.
    """

    def __init__(self, run: str) -> None:
        """Begin before the first event.

        Args:
            run: What stands in the column `run`.
        """
        self.programs: dict[str, ProgramRecord] = {}
        self.best = ""
        self._run = run
        self._course = CourseFold()
        self._generation = 0
        self._steps: dict[int, StepFacts] = {}
        self._trimmed: dict[str, float | None] = {}
        self._evaluations: list[Row] = []
        self._blocks: list[Row] = []
        self._calls: list[Call] = []
        self._objected: dict[tuple[int, str, int], str] = {}

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self._course.apply(event)
        match event.kind:
            case "evaluated" | "retested":
                self._evaluations.append(self._evaluation(event, event.solution))
            case "block_measured":
                self._blocks.append(self._block(event))
            case "generation_opened":
                self._generation = event.generation
                return
            case "replied" | "unanswered" | "lost":
                self._calls.append(event)
            case "objected":
                self._objected[event.slot, event.role, event.attempt] = event.why
            case _:
                self._rare(event)
        if event.slot >= 0:
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

    def _rare(self, event: Event) -> None:
        """Go on by an event that a run has once, or a few times."""
        match event:
            case Started():
                self.best = event.initial.id
                self.programs[self.best] = ProgramRecord.of(event.initial)
                self._evaluations.append(self._evaluation(event, self.best))
            case Trimmed():
                self._trim(event)
            case Confirmed():
                self.best = event.solution
            case _:
                pass

    def _step(self, event: Event) -> None:
        step = self._steps.get(event.slot)
        if step is None:
            step = self._steps[event.slot] = StepFacts(self._generation)
        match event.kind:
            case "selected":
                step.selected = selected_columns(event)
            case "proposed":
                self._propose(step, event)
            case "evaluated":
                step.status = str(event.evaluation.status)
                step.cost += event.evaluation.cost_seconds
            case "block_measured":
                step.cost += event.block.cost_seconds
            case "planned":
                step.planned = True
            case "unanswered":
                step.unanswered |= event.role not in LEARNING
            case "replied" | "objected" if event.role not in LEARNING:
                step.unusable = event.kind == "objected"
            case "learned":
                step.closed, self.best = closed_facts(event, self._course.last), event.best
            case _:
                pass

    def _propose(self, step: StepFacts, event: Proposed) -> None:
        step.duplicate = bool(event.duplicate_of)
        step.empty = event.proposal is None
        if event.proposal is None or event.duplicate_of:
            return
        step.program = ProgramRecord.of(event.proposal.solution, event.proposal.direction)
        self.programs[step.program.id] = step.program

    def _trim(self, event: Trimmed) -> None:
        if event.dropped:
            self.best = event.solution.id
            self.programs[self.best] = ProgramRecord.of(event.solution)
            self._trimmed[self.best] = event.effect

    def _step_rows(self) -> Iterator[Row]:
        for slot, step in sorted(self._steps.items()):
            closed = step.closed
            yield (
                self._run,
                slot,
                step.generation,
                *step.selected,
                str(step.outcome),
                closed.status if closed and closed.status else step.status,
                *(closed.effects if closed else (None,) * 3),
                closed.proven if closed else None,
                closed.total if closed else None,
                closed.best if closed else None,
                *(closed.spent if closed else (None,) * 6),
                step.cost,
                closed.version if closed else None,
                closed.at if closed else None,
            )

    def _solution_rows(self) -> Iterator[Row]:
        steps = {each.program.id: (n, each) for n, each in self._steps.items() if each.program}
        for program in self.programs.values():
            slot, step = steps.get(program.id, (None, None))
            closed = step.closed if step else None
            is_trimmed = program.id in self._trimmed
            otherwise = StepOutcome.MINIMISED if is_trimmed else StepOutcome.INITIAL
            total = self._course.effect_of(program.id)
            yield (
                self._run,
                program.id,
                slot,
                step.generation if step else 0 if not program.parents else None,
                " ".join(program.parents),
                program.operator,
                program.strategy,
                program.edits,
                str(step.outcome if step else otherwise),
                step.status if step else str(Status.AC),
                closed.effects[0] if closed else None,
                closed.proven if closed else None,
                self._trimmed[program.id] if is_trimmed else total,
                program.id == self.best,
                program.direction,
                program.text,
            )

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
            _phase(event.slot, searched=self._generation > 0),
            event.reference,
            event.candidate,
            str(event.inputs),
            block.number,
            finite(block.effect),
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

    def _call_rows(self) -> Iterator[Row]:
        for call in self._calls:
            step = self._steps.get(call.slot)
            usage = call.usage if isinstance(call, Replied) else Usage()
            objected = self._objected.get((call.slot, call.role, call.attempt), "")
            yield (
                self._run,
                call.slot,
                step.selected[0] if step else None,
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


def _phase(slot: int, *, searched: bool) -> str:
    """Return in which part of a run a block of this slot was measured."""
    if slot >= 0:
        return "search"
    if slot < -1:
        return "minimisation"
    return "confirmation" if searched else "self_test"
