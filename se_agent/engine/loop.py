"""The loop: the only place that sees all parts, and it reads like this.

    while budget and not exhausted:
        slot       = policy.ask(view)                  # parents and operator: what to try next
        proposal   = operator.propose(brief)           # None: nothing new to offer
        evaluation = evaluator.evaluate(proposal)      # duplicates never get here
        comparison = contest(parent, proposal)         # blocks, until the rule has seen enough
        verdict    = judge(evaluation, comparison)     # perf_diff > 0: success, else failure
        lesson     = extract(step, directions)
        close(step)                                    # memory, population, policy: once

A generation's slots see the same past. They are filled in order, measured in parallel, and
closed in order, so that the number of workers changes nothing but the time. Every stage is
recorded before anything that depends on it starts; a stage that is on record is not repeated.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from se_agent.engine.arena import Arena, Recorder
from se_agent.engine.budget import Limits
from se_agent.engine.closing import Closing
from se_agent.engine.filling import Filling
from se_agent.engine.judge import judge
from se_agent.engine.parts import Parts
from se_agent.engine.state import OpenSlot, State
from se_agent.events import GenerationOpened, SearchEnded
from se_agent.types import Status, Step


class Search:
    """One run's loop over the state that its journal folds to."""

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record
        self._closing = Closing(arena, record.state, parts)
        self._filling = Filling(parts, record)

    def run(self) -> None:
        """Go on until a budget ends or nothing is left to try, and record which."""
        with ThreadPoolExecutor(self._arena.workers) as pool:
            try:
                while self._state.search_ended is None:
                    if self._state.finished():
                        self._open_generation()
                    else:
                        self._generation(pool)
            except BaseException:
                # A worker may be deep in a measurement: end it, or the pool waits for it.
                self._parts.calls.close()
                self._arena.close()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    @property
    def _state(self) -> State:
        return self._record.state

    def _open_generation(self) -> None:
        """Record the next generation, or the end of the search."""
        state = self._state
        assert state.started is not None
        limits = Limits.of(self._parts.config, state.started)
        done = state.generation.generation if state.generation else 0
        reading = self._parts.meter.read(state.costs.child_seconds)
        end = limits.ended(state.spent, reading, generations=done)
        if not end and state.exhausted(self._filling.unfinished()):
            end = "exhausted"
        cpu, wall = reading.cpu_seconds, reading.wall_seconds
        if end:
            self._record(
                SearchEnded(
                    budget_end=end, generations=done, cpu_seconds=cpu, wall_seconds=wall
                )
            )
            return
        wanted = self._parts.config.generation_size
        self._record(
            GenerationOpened(
                slot=state.closed,
                generation=done + 1,
                size=limits.affordable(state.spent, reading, wanted=wanted),
                cpu_seconds=cpu,
                wall_seconds=wall,
            )
        )

    def _generation(self, pool: ThreadPoolExecutor) -> None:
        """Fill, measure and close the slots of the open generation."""
        opened = self._state.generation
        assert opened is not None
        slots = range(self._state.closed, opened.slot + opened.size)
        if self._state.closed == opened.slot:
            # Once a slot is closed, all were filled: a policy that is asked again has moved on.
            for slot in slots:
                self._filling.fill(slot, slot - opened.slot)
        for done in [pool.submit(self._measure, slot) for slot in slots]:
            done.result()
        for slot in slots:
            self._close(slot)

    def _measure(self, number: int) -> None:
        """Evaluate a new candidate and, if it is right, compare it with its parent."""
        stages = self._state.open.get(number, OpenSlot())
        if stages.slot is None or stages.candidate is None:
            return
        evaluation = self._arena.evaluate(number, stages.candidate)
        if evaluation.status is Status.AC:
            parent = stages.slot.parents[0]
            self._arena.compare(number, parent, stages.candidate, self._parts.rule)

    def _close(self, number: int) -> None:
        """Judge, meet the incumbent, distil the lesson, and close the step."""
        stages = self._state.open.get(number, OpenSlot())
        if stages.slot is None or stages.candidate is None:
            self._record(self._closing.unfilled(number))
            return
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
        self._record(self._closing.learned(step, stages.candidate))
