"""Where candidates are measured: the evaluators of a run, and the record of what they found.

Whatever is measured is recorded before it is returned, and what is on record is not measured
again. Not here: what is measured (the loop) and what follows from it (`judge`).
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from se_agent.engine.contest import contest
from se_agent.engine.journal import Journal
from se_agent.engine.state import OpenSlot, State
from se_agent.errors import SandboxError
from se_agent.events import BlockMeasured, Evaluated, Event
from se_agent.protocols import Evaluator, Listener
from se_agent.stats import Rule
from se_agent.types import Block, Comparison, Evaluation, InputSet, Solution

RUN = -1
"""The slot of what belongs to the run itself: self-test and confirmation."""

_BROKEN_OFF = "the run was broken off"


class Recorder:
    """Makes an event durable, moves the state on, and tells whoever listens; thread-safe."""

    def __init__(self, journal: Journal, state: State, listeners: Sequence[Listener]) -> None:
        self.state = state
        self._journal = journal
        self._listeners = listeners
        self._guard = threading.RLock()

    def __call__(self, event: Event) -> None:
        """Record one event."""
        with self._guard:
            self._journal.append(event)
            self.state.apply(event)
            for listener in self._listeners:
                listener.on_event(event)


class Arena:
    """Evaluators, one for every worker, lent out to whichever thread needs one."""

    def __init__(self, evaluators: Sequence[Evaluator], record: Recorder) -> None:
        self._evaluators = evaluators
        self._record = record
        self._closed = False
        self._idle: queue.SimpleQueue[Evaluator] = queue.SimpleQueue()
        for evaluator in evaluators:
            self._idle.put(evaluator)

    @property
    def workers(self) -> int:
        """How many threads can measure at a time."""
        return len(self._evaluators)

    def close(self) -> None:
        """End every process; a measurement that is under way raises.

        Raises:
            SandboxError: An evaluator could not be closed; all others are.
        """
        self._closed = True
        with ExitStack() as closing:
            for evaluator in self._evaluators:
                closing.callback(evaluator.close)

    def evaluate(self, slot: int, solution: Solution) -> Evaluation:
        """Run a solution on the tests, unless that is on record."""
        evaluated = self._stages(slot).evaluated
        if evaluated is not None:
            return evaluated.evaluation
        with self._borrowed() as evaluator:
            evaluation = evaluator.evaluate(solution)
        self._record(
            Evaluated(
                slot=slot,
                solution=solution.id,
                content=solution.content,
                evaluation=evaluation,
            )
        )
        return evaluation

    def compare(
        self,
        slot: int,
        reference: Solution,
        candidate: Solution,
        rule: Rule,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Comparison:
        """Compare two right solutions, block by block, beginning with those on record."""
        known = self._stages(slot).known(reference, candidate, inputs)
        record = partial(self._block, slot, reference.id, candidate.id, inputs)
        with self._borrowed() as evaluator:
            return contest(
                evaluator,
                rule,
                reference,
                candidate,
                inputs=inputs,
                known=known,
                record=record,
            )

    def _block(
        self, slot: int, reference: str, candidate: str, inputs: InputSet, block: Block
    ) -> None:
        self._check_open()
        self._record(
            BlockMeasured(
                slot=slot, reference=reference, candidate=candidate, inputs=inputs, block=block
            )
        )

    def _check_open(self) -> None:
        if self._closed:
            raise SandboxError(_BROKEN_OFF, hint="`se-agent resume` goes on where it was")

    def _stages(self, slot: int) -> OpenSlot:
        return self._record.state.open.get(slot, OpenSlot())

    @contextmanager
    def _borrowed(self) -> Iterator[Evaluator]:
        evaluator = self._idle.get()
        try:
            self._check_open()
            yield evaluator
        finally:
            self._idle.put(evaluator)
