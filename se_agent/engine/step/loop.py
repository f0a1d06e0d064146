"""The loop: the only place that sees all parts, and it reads like this.

    while budget and not exhausted:
        slot       = policy.ask(view)                  # parents and operator: what to try next
        proposal   = operator.propose(brief)           # None: nothing new to offer
        evaluation = evaluator.evaluate(proposal)      # duplicates never get here
        comparison = contest(parent, proposal)         # blocks, until the rule has seen enough
        verdict    = judge(evaluation, comparison)     # perf_diff > 0: success, else failure
        lesson     = extract(step, directions)
        close(step)                                    # memory, population, policy: once

One thread decides and records: which slots are selected, whose proposal is next, what a closed
step changes. Calls of models, evaluations, and what closes a step (meetings, searches, lessons)
go on beside it. What a slot may see is its address, and nothing else:

* `schedule = "generation"`: all earlier generations. Its slots are selected at once.
* `schedule = "steady"`: all slots but the last `lag`. A slot is selected as soon as the step
  that many before it is closed; generations are counted, and no more. Only a generation that
  the budget may have no room for is not opened until all slots before it are closed.

Slots are selected in order and closed in order, and proposals have an order of their own
(`proposal_order`), so that neither workers nor calls in flight nor luck change anything but the
time: only the last calls that a budget of calls, tokens or money has room for are first come,
first served, and on record. Every stage is recorded before anything that depends on it starts;
a stage that is on record is not repeated.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.judging.judge import judge
from se_agent.engine.state.meter import Act
from se_agent.engine.state.state import State
from se_agent.engine.step.commit import Closing
from se_agent.engine.step.components import Parts
from se_agent.engine.step.generation import Opening, cut
from se_agent.engine.step.proposal_order import Turns
from se_agent.engine.step.propose import Filling
from se_agent.engine.step.worker_pool import Work, WorkerPool
from se_agent.errors import JournalError, ModelError, SeAgentError, UnfinishedError
from se_agent.events import Learned
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Step


class Search:
    """One run's loop over the state that its journal folds to."""

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record
        self._state = record.state
        self._closing = Closing(arena, record.state, parts)
        self._turns = Turns(steady=self._state.steady)
        self._filling = Filling(parts, record, self._turns)
        self._opening = Opening(parts, record, self._filling)
        self._next = self._state.closed
        self._measured: set[int] = set()
        self._is_closing = False

    def run(self) -> None:
        """Go on until a budget ends or nothing is left to try, and record which.

        Where time runs out, whatever is under way is broken off, and can be taken up again.
        """
        in_flight = self._parts.config.asking.in_flight
        try:
            with WorkerPool(in_flight=in_flight, workers=self._arena.workers) as crew:
                self._go_on(crew)
        except JournalError:
            raise
        except SeAgentError:
            if self._state.search_ended is not None or not _late(self._parts, self._state):
                raise
        if self._state.search_ended is None:
            cut(self._parts, self._record)

    def _go_on(self, crew: WorkerPool) -> None:
        try:
            self._enter(crew)
            while self._state.search_ended is None:
                if not crew.busy and _late(self._parts, self._state):
                    break
                self._propose(crew)
                if not self._close(crew):
                    self._take(crew)
                self._enter(crew)
            if self._state.search_ended is None:
                _end(self._arena, self._parts)
        except BaseException as err:
            self._break_off(err)
            raise

    def _break_off(self, err: BaseException) -> None:
        """End what is under way, because of an error."""
        try:
            if isinstance(err, ModelError) and not _late(self._parts, self._state):
                self._parts.calls.finish()  # what other models are paid for is used
        finally:
            _end(self._arena, self._parts)

    def _enter(self, crew: WorkerPool) -> None:
        """Select what may be selected by now, and have it proposed."""
        meter = self._parts.meter
        while self._state.search_ended is None:
            number, opened = self._next, self._state.generation
            if opened is None or number == opened.slot + opened.size:
                if not meter.allows(Act.OPEN) or not self._opening.open(number):
                    return
            elif (
                self._state.open.of(number).slot is None
                and not meter.allows(Act.SELECT, number)
            ) or self._state.closed < _reach(self._state, number, self._parts.config.lag):
                return
            else:
                self._next += 1
                self._fill(number, crew)

    def _fill(self, number: int, crew: WorkerPool) -> None:
        """Select a slot and have a candidate proposed, as far as that is not on record."""
        state = self._state
        stages = state.open.of(number)
        self._record.busy(f"step {number}: what to try next is chosen")
        if stages.slot is None and (
            _passed(state, number, self._parts.config.lag) or not self._filling.select(number)
        ):
            return
        if stages.proposed is not None:
            self._have_measured(number, stages.candidate, crew)
            return
        written = self._filling.written(number)
        self._turns.expect(number, written=written)
        propose = self._filling.proposing(number)
        if written:
            crew.give(Work.ASK, number, propose)
        else:
            slot = state.open[number].slot
            assert slot is not None, "it was selected"
            self._record.busy(f"step {number}: `{slot.operator}` makes a candidate")
            self._turns.put(number, propose())
            self._propose(crew)

    def _propose(self, crew: WorkerPool) -> None:
        """Record the proposals whose turn it is, and have what is new measured."""
        while (turn := self._turns.next()) is not None:
            self._filling.propose(turn)
            self._have_measured(turn.slot, self._state.open[turn.slot].candidate, crew)

    def _have_measured(self, number: int, candidate: Solution | None, crew: WorkerPool) -> None:
        if candidate is not None:
            crew.give(Work.MEASURE, number, partial(self._measure, number))

    def _close(self, crew: WorkerPool) -> bool:
        """Close the next step or have it closed; return whether that changed anything."""
        number = self._state.closed
        stages = self._state.open.of(number)
        if number == self._next or self._is_closing or _late(self._parts, self._state):
            return False
        if stages.slot is not None and stages.proposed is None:
            return False
        if stages.candidate is None and not self._closing.contrasts(number):
            self._record(self._closing.unfilled(number))
            return True
        if stages.candidate is None or number in self._measured:
            self._measured.discard(number)
            self._is_closing = True
            crew.give(Work.CLOSE, number, partial(self._learned, number))
        return False

    def _take(self, crew: WorkerPool) -> None:
        """Go on with what a thread has finished.

        In a replay some never are: the record has what was finished when time ran out.
        """
        try:
            done = crew.wait()
        except UnfinishedError:
            if crew.busy:
                return
            raise
        match done.work:
            case Work.ASK:
                assert done.result is None or isinstance(done.result, Proposal)
                self._turns.put(done.slot, done.result)
            case Work.MEASURE:
                self._measured.add(done.slot)
            case Work.CLOSE:
                assert isinstance(done.result, Learned)
                self._is_closing = False
                self._record(done.result)

    def _measure(self, number: int) -> None:
        """Evaluate a new candidate and, if it is right, compare it with its parent."""
        stages = self._state.open[number]
        assert stages.slot is not None
        assert stages.candidate is not None
        evaluation = self._arena.evaluate(number, stages.candidate)
        if evaluation.status is Status.AC:
            parent = stages.slot.parents[0]
            self._arena.compare(number, parent, stages.candidate, self._parts.rule)

    def _learned(self, number: int) -> Learned:
        """Judge a measured step, let it meet the incumbent, and distil its lesson."""
        stages = self._state.open.of(number)
        if stages.slot is None or stages.candidate is None:
            return self._closing.unfilled(number)
        evaluation = self._arena.evaluate(number, stages.candidate)
        comparison = None
        if evaluation.status is Status.AC:
            parent = stages.slot.parents[0]
            comparison = self._arena.compare(number, parent, stages.candidate, self._parts.rule)
        step = Step(
            slot=stages.slot,
            proposal=stages.proposed.proposal if stages.proposed else None,
            evaluation=evaluation,
            comparison=comparison,
            verdict=judge(evaluation, comparison),
        )
        return self._closing.learned(step, stages.candidate)


def _reach(state: State, number: int, lag: int) -> int:
    """Return how many steps are closed when a slot is selected."""
    return max(state.since, number + 1 - lag) if state.steady else state.since


def _passed(state: State, number: int, lag: int) -> bool:
    """Say whether a slot was asked for before: it found nothing, and left no record."""
    assert state.generation is not None
    return number < state.generation.slot or state.closed > _reach(state, number, lag)


def _late(parts: Parts, state: State) -> bool:
    """Say whether there is no time any more to close another step."""
    return not parts.meter.allows(Act.CLOSE, state.closed)


def _end(arena: Arena, parts: Parts) -> None:
    """End what is under way: threads deep in a call or a measurement are waited for."""
    with ExitStack() as ending:
        ending.callback(arena.close)
        ending.callback(parts.calls.close)
