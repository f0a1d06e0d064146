"""Where candidates are measured: the evaluators of a run, and the record of what they found.

Whatever is measured is recorded before it is returned, and what is on record is not measured
again. Not here: what is measured (the loop) and what follows from it (`judge`).
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial

from se_agent.abilities.evaluator import Challenger, Observing
from se_agent.abilities.optional import Attending
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.comparison import contest
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.engine.state.state import State
from se_agent.errors import FoldError, JournalError, SandboxError, SeAgentError
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Evaluated,
    Event,
    Failed,
    Observed,
    Retested,
)
from se_agent.memory_events import Noted, Offloaded
from se_agent.protocols import Evaluator, Listener
from se_agent.stats.sequential import SequentialRule
from se_agent.values.evaluation import (
    Block,
    Comparison,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Status,
)
from se_agent.values.solution import Solution

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
        self._broken_by: FoldError | None = None

    def __call__(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, with the texts that it names by digest.

        Raises:
            JournalError: It cannot be written.
            FoldError: A fold or a memory tier of others failed, and that is on record.
        """
        with self._guard:
            (event,) = self._journal.append(event, texts=texts)
            if self._broken_by is not None:  # the state stands where it broke
                raise self._broken_by
            try:
                self.state.apply(event)
            except FoldError as err:
                self.fail(err)
                raise
            for listener in self._listeners:
                listener.on_event(event)

    def text(self, digest: str) -> str:
        """Return a text that an event names by its digest.

        Raises:
            JournalError: There is none, or it is damaged.
        """
        with self._guard:
            return self._journal.text(digest)

    def numbered_events(self) -> Iterator[tuple[int, Event]]:
        """Yield all that is on record, with the numbers of the events.

        Raises:
            JournalError: The journal is damaged.
        """
        return self._journal.numbered_events()

    def fail(self, err: SeAgentError) -> None:
        """Record that the run has broken off; not where the journal itself is why."""
        with self._guard:
            failed = Failed(message=str(err))
            if isinstance(err, FoldError):
                if self._broken_by is None:  # the state is of no more use, the journal is
                    self._broken_by = err
                    self._journal.append(failed)
            elif self.state.ended is None and not isinstance(err, JournalError):
                self(failed)

    def busy(self, what: str) -> None:
        """Tell listeners what is begun now, where they attend to that."""
        for listener in self._listeners:
            if isinstance(listener, Attending):
                listener.on_work(what)


class EvaluatorQueue:
    """Evaluators, one for every worker, lent out to whichever thread needs one.

    Args:
        evaluators: To begin with.
        renewed: Gives new ones for those that were closed.

    Attributes:
        evaluators: Those that are open, or were last.
    """

    def __init__(
        self,
        evaluators: Sequence[Evaluator],
        renewed: Callable[[], Sequence[Evaluator]] | None = None,
    ) -> None:
        self._renewed = renewed
        self._fill(evaluators)

    def __len__(self) -> int:
        return len(self.evaluators)

    def _fill(self, evaluators: Sequence[Evaluator]) -> None:
        self.evaluators = evaluators
        self._closed = False
        self._idle: queue.SimpleQueue[Evaluator] = queue.SimpleQueue()
        for evaluator in evaluators:
            self._idle.put(evaluator)

    def open(self) -> None:
        """Have evaluators that can measure, where the last ones were closed."""
        if self._closed and self._renewed is not None:
            self._fill(self._renewed())

    def close(self) -> None:
        """End every process; see `Arena.close`."""
        self._closed = True
        with ExitStack() as closing:
            for evaluator in self.evaluators:
                closing.callback(evaluator.close)

    def check_open(self) -> None:
        """Raise SandboxError once it is closed."""
        if self._closed:
            raise SandboxError(_BROKEN_OFF, hint="`se-agent resume` goes on where it was")

    @contextmanager
    def borrowed(self) -> Iterator[Evaluator]:
        """Lend an evaluator out."""
        evaluator = self._idle.get()
        try:
            self.check_open()
            yield evaluator
        finally:
            self._idle.put(evaluator)


class Arena:
    """Measures with a pool of evaluators, and records what they found.

    Args:
        evaluators: To begin with.
        record: Makes durable what they found.
        renewed: Gives new ones for those that were closed.
        guessing: Operators whose candidates rest on observed behaviour alone: what refutes
            them is searched for beyond what was seen, too.
        outputs: Keeps what evaluators saw of failures; None: nowhere.
    """

    def __init__(
        self,
        evaluators: Sequence[Evaluator],
        record: Recorder,
        renewed: Callable[[], Sequence[Evaluator]] | None = None,
        guessing: frozenset[str] = frozenset(),
        outputs: KeptOutputs | None = None,
    ) -> None:
        self._record = record
        self._outputs = outputs or KeptOutputs()
        self._guessing = guessing
        self._pool = EvaluatorQueue(evaluators, renewed)

    def open(self) -> None:
        """Have evaluators that can measure, where the last ones were closed."""
        self._pool.open()

    @property
    def evaluators(self) -> Sequence[Evaluator]:
        """All of them."""
        return self._pool.evaluators

    @property
    def workers(self) -> int:
        """How many threads can measure at a time."""
        return len(self._pool)

    def close(self) -> None:
        """End every process; a measurement that is under way raises.

        Raises:
            SandboxError: An evaluator could not be closed; all others are.
        """
        self._pool.close()

    def evaluate(self, slot: int, solution: Solution) -> Evaluation:
        """Run a solution on the tests, unless that is on record."""
        evaluated = self._record.state.open.of(slot).evaluated
        if evaluated is not None:
            return evaluated.evaluation
        state = self._record.state
        tests = state.tests[: state.tested_of(slot)]
        self._record.busy(f"{solution.id}: its tests are run")
        with self._pool.borrowed() as evaluator:
            evaluation = tested(evaluator, solution, tests)
        evaluation = kept_evaluation(self._record, self._outputs, slot, solution, evaluation)
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
        rule: SequentialRule,
        inputs: InputSet = InputSet.SEARCH,
        *,
        patient: bool = False,
    ) -> Comparison:
        """Compare two right solutions, block by block, beginning with those on record.

        A patient comparison measures a loser to the end, where an evaluator can.
        """
        known = self._record.state.open.of(slot).recorded_blocks(reference, candidate, inputs)
        record = partial(self._block, slot, reference.id, candidate.id, inputs)
        started = self._record.state.started
        with self._pool.borrowed() as evaluator:
            return contest(
                evaluator,
                rule,
                reference,
                candidate,
                inputs=inputs,
                known=known,
                record=record,
                patient=patient,
                brief=started is not None and started.thrifty,
            )

    def hunt(
        self, slot: int, solution: Solution, *, seconds: float, left: float = math.inf
    ) -> Hunt:
        """Look for a counterexample, unless that is on record, or nothing here can.

        Args:
            slot: Slot of the step that it belongs to.
            solution: Right on all tests so far.
            seconds: CPU seconds that it may take; 0: none is made.
            left: Seconds of the budget; where they do not suffice, it is put off.
        """
        known = self._record.state.open.of(slot).hunts.get(solution.id)
        if known is not None or seconds == 0:
            return known or Hunt()
        self._record.busy(f"{solution.id}: inputs are made up to refute it")
        with self._pool.borrowed() as evaluator:
            hunt = Hunt()
            if isinstance(evaluator, Challenger):
                strict = any(edit.rule in self._guessing for edit in solution.edits)
                hunt = (
                    Hunt(put_off=True)
                    if left < seconds
                    else evaluator.hunt(solution, seconds=seconds, strict=strict)
                )
                hunt = replace(hunt, strict=strict)
        if hunt.tried or hunt.cost_seconds or hunt.note or hunt.put_off:
            self._record(Challenged(slot=slot, solution=solution.id, hunt=hunt))
        return hunt

    def unrefuted(self, solution: Solution) -> bool:
        """Say whether a search found no counterexample to a solution."""
        return solution.id in self._record.state.unrefuted

    def retest(self, slot: int, solution: Solution, test: Counterexample) -> Evaluation:
        """Run a right solution on a counterexample to another, unless that is on record."""
        known = self._record.state.open.of(slot).retested.get((solution.id, test.key))
        if known is not None:
            return known
        with self._pool.borrowed() as evaluator:
            assert isinstance(evaluator, Challenger), "who found it can run it"
            evaluation = evaluator.retest(solution, [test])
        evaluation = kept_evaluation(self._record, self._outputs, slot, solution, evaluation)
        self._record(
            Retested(
                slot=slot,
                solution=solution.id,
                arguments=test.arguments,
                links=test.links,
                calls=test.calls,
                evaluation=evaluation,
            )
        )
        return evaluation

    def observe(self, slot: int, solution: Solution) -> None:
        """Watch a right solution, unless that is on record, or nothing here can.

        Args:
            slot: Slot of the step that it belongs to.
            solution: The initial program, or a new best.
        """
        if solution.id in self._record.state.observed:
            return
        with self._pool.borrowed() as evaluator:
            if not isinstance(evaluator, Observing):
                return
            self._record.busy(f"{solution.id}: is watched on small inputs")
            seen = evaluator.observe(solution)
        if seen or seen.cost_seconds:
            self._record(Observed(slot=slot, solution=solution.id, observation=seen))

    def _block(
        self, slot: int, reference: str, candidate: str, inputs: InputSet, block: Block
    ) -> None:
        self._record(
            BlockMeasured(
                slot=slot, reference=reference, candidate=candidate, inputs=inputs, block=block
            )
        )
        self._pool.check_open()


def kept_evaluation(
    record: Recorder,
    outputs: KeptOutputs,
    slot: int,
    solution: Solution,
    evaluation: Evaluation,
) -> Evaluation:
    """Keep what was seen whole, and record that before the event that will name it."""
    kept, why_lost = outputs.kept(evaluation, solution.id)
    if why_lost:
        record(Noted(slot=slot, text=why_lost))
    if kept.output is not None and kept.output.digest not in record.state.outputs:
        record(Offloaded(slot=slot, artifact=kept.output))
    return kept


def fallen(
    arena: Arena, slot: int, solutions: Iterable[Solution], test: Counterexample
) -> tuple[str, ...]:
    """Run right solutions on a new test, and return the ids of those that fail on it.

    One that is unlike the inputs seen is no test of others.
    """
    if not test.fair:
        return ()
    wrong = (s for s in solutions if arena.retest(slot, s, test).status is not Status.AC)
    return tuple(solution.id for solution in wrong)


def tested(
    evaluator: Evaluator, solution: Solution, tests: Sequence[Counterexample]
) -> Evaluation:
    """Return the evaluation of a solution; what refuted others comes first."""
    if not tests or not isinstance(evaluator, Challenger):
        return evaluator.evaluate(solution)
    first = evaluator.retest(solution, tests)
    if first.status is not Status.AC:
        return first
    evaluation = evaluator.evaluate(solution)
    return replace(evaluation, cost_seconds=first.cost_seconds + evaluation.cost_seconds)
