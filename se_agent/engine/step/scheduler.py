"""When each slot is worked on: slots in flight, threads, the lag, and the end of time.

A shell around the four verbs (`loop`). One thread decides and records: which slots are
selected, whose proposal is next, what a closed step changes. Calls of models, evaluations, and
what closes a step (meetings, searches, lessons) go on beside it. What a slot may see is its
address, and nothing else:

* `schedule = "generation"`: all earlier generations. Its slots are selected at once.
* `schedule = "steady"`: all slots but the last `lag`. A slot is selected as soon as the step
  that many before it is closed; generations are counted, and no more. Only a generation that
  the budget may have no room for is not opened until all slots before it are closed.

Slots are selected in order and closed in order, and proposals have an order of their own
(`proposal_order`), so that neither workers nor calls in flight nor luck change anything but the
time: only the last calls that a budget of calls, tokens or money has room for are first come,
first served, and on record.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.state.meter import Act
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.generation import cut
from se_agent.engine.step.loop import Loop
from se_agent.engine.step.worker_pool import Work, WorkerPool
from se_agent.errors import JournalError, ModelError, SeAgentError, UnfinishedError
from se_agent.events import Learned
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal


class Scheduler:
    """Has the loop's verbs done for the slots of one run, several at a time."""

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record
        self._state = record.state
        self._loop = Loop(parts, arena, record)
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
                # Time may have run out since it was asked: then there is nothing to wait for.
                if not self._commit(crew) and crew.busy:
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
                if not meter.allows(Act.OPEN) or not self._loop.open(number):
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
        state, loop = self._state, self._loop
        stages = state.open.of(number)
        if stages.slot is None and _passed(state, number, self._parts.config.lag):
            return
        if not loop.select(number):
            return
        if stages.proposed is not None:
            self._have_measured(number, stages.candidate, crew)
            return
        written = loop.is_written(number)
        loop.turns.expect(number, written=written)
        proposal = loop.proposal(number)
        if written:
            crew.give(Work.ASK, number, proposal)
        else:
            slot = state.open[number].slot
            assert slot is not None, "it was selected"
            self._record.busy(f"step {number}: `{slot.operator}` makes a candidate")
            loop.turns.put(number, proposal())
            self._propose(crew)

    def _propose(self, crew: WorkerPool) -> None:
        """Record the proposals whose turn it is, and have what is new measured."""
        while (turn := self._loop.turns.next()) is not None:
            self._have_measured(turn.slot, self._loop.propose(*turn), crew)

    def _have_measured(self, number: int, candidate: Solution | None, crew: WorkerPool) -> None:
        if candidate is not None:
            crew.give(Work.MEASURE, number, partial(self._loop.measure, number))

    def _commit(self, crew: WorkerPool) -> bool:
        """Close the next step or have it closed; return whether that changed anything."""
        number = self._state.closed
        stages = self._state.open.of(number)
        if number == self._next or self._is_closing or _late(self._parts, self._state):
            return False
        if stages.slot is not None and stages.proposed is None:
            return False
        if not self._loop.is_slow_to_close(number):
            self._loop.commit(self._loop.learn(number))
            return True
        if stages.candidate is None or number in self._measured:
            self._measured.discard(number)
            self._is_closing = True
            crew.give(Work.CLOSE, number, partial(self._loop.learn, number))
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
                self._loop.turns.put(done.slot, done.result)
            case Work.MEASURE:
                self._measured.add(done.slot)
            case Work.CLOSE:
                assert isinstance(done.result, Learned)
                self._is_closing = False
                self._loop.commit(done.result)


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
