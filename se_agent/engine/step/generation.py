"""The next generation is opened, or the search ends: what a budget and idle slots decide.

Not here: what is selected in a generation (`propose`), and the limits themselves
(`state.budget`).
"""

from __future__ import annotations

from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.state.budget import BudgetLimits
from se_agent.engine.state.extension import finished, last_opened
from se_agent.engine.step.components import Parts
from se_agent.engine.step.propose import ProposalWork
from se_agent.events import GenerationOpened, SearchEnded
from se_agent.stats.costs import Reading


class GenerationStart:
    """Opens generations, one after the other, and records the end of the search."""

    def __init__(self, parts: Parts, record: Recorder, filling: ProposalWork) -> None:
        self._parts = parts
        self._record = record
        self._state = record.state
        self._filling = filling
        self._end: SearchEnded | None = None

    def open(self, number: int) -> bool:
        """Open the generation that begins at a slot, or end the search; say whether it is open.

        Both wait until all before it is closed. Only a steady schedule opens one earlier, and
        only if it will be opened whatever becomes of the slots that are open.
        """
        state = self._state
        done = state.generation.generation if state.generation else 0
        all_closed = state.closed == number
        if not all_closed and (self._end is not None or not self._certain(number, done)):
            return False
        if self._end is None:
            reading = self._parts.meter.read(state.costs.child_seconds)
            self._end = self._ended(reading, done)
            if self._end is None:
                self._record(self._opened(number, reading))
                return True
        if all_closed:
            self._record(self._end)
        return False

    @property
    def _limits(self) -> BudgetLimits:
        return self._state.limits(self._parts.config)

    def _certain(self, number: int, generations: int) -> bool:
        if not self._state.steady:
            return False
        reading = self._parts.meter.glance(self._state.costs.child_seconds)
        spent = self._filling.reserved(number)
        if self._limits.ended(spent, reading, generations=generations):
            return False
        return not self._state.idle.exhausted(self._filling.unfinished())

    def _ended(self, reading: Reading, generations: int) -> SearchEnded | None:
        """Return the end of the search, if a limit is reached or nothing is left to try."""
        end = self._limits.ended(self._state.spent, reading, generations=generations)
        if not end and self._state.idle.exhausted(self._filling.unfinished()):
            end = "exhausted"
        if not end:
            return None
        return SearchEnded(
            budget_end=end,
            generations=generations,
            cpu_seconds=reading.cpu_seconds,
            wall_seconds=reading.wall_seconds,
        )

    def _opened(self, number: int, reading: Reading) -> GenerationOpened:
        wanted = self._parts.config.generation_size
        return GenerationOpened(
            slot=number,
            generation=last_opened(self._state) + 1,
            size=self._limits.affordable(self._state.spent, reading, wanted=wanted),
            cpu_seconds=reading.cpu_seconds,
            wall_seconds=reading.wall_seconds,
        )


def cut(parts: Parts, record: Recorder) -> None:
    """Record the end of a search whose time ran out, although steps may be open."""
    state = record.state
    reading = parts.meter.read(state.costs.child_seconds)
    record(
        SearchEnded(
            budget_end=state.limits(parts.config).scarcest(reading),
            generations=finished(state),
            cpu_seconds=reading.cpu_seconds,
            wall_seconds=reading.wall_seconds,
            closed=state.closed,
        )
    )
