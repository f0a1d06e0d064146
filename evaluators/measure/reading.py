"""What a run took, in every quantity that was read, and what of it is the program's own. Pure.

Not here: reading anything. The sandbox does that, from outside the process that is measured
(`sandbox.server.running` its CPU time, `sandbox.server.process_reader` the rest).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from evaluators.measure.clock import FINEST, Clock, Gross
from evaluators.sandbox.usage import Footprint, ProcessUsage
from se_agent.stats.waiting import Seconds
from se_agent.values.objective import Quantity

FINEST_BYTES = 256 << 10
"""Bytes that no net memory goes below: the kernel's own books are not finer."""

FINEST_COUNT = 1000.0
"""Instructions that no net count goes below."""


class TimedRun(Protocol):
    """What the sandbox, or the bench, says of a run."""

    @property
    def cpu_seconds(self) -> float:
        """Gross."""
        ...

    @property
    def after_seconds(self) -> float:
        """The part of it in which arguments were described."""
        ...

    @property
    def loading_seconds(self) -> float:
        """The part of it until the program was loaded, where that is told apart."""
        ...

    @property
    def giving_seconds(self) -> float:
        """The part of it in which values of its classes were made."""
        ...

    @property
    def compiling_seconds(self) -> float:
        """The part of it in which its text was compiled: no part of the program's time."""
        ...

    @property
    def first_seconds(self) -> float:
        """The part of it until the first calls were over, where calls are timed apart."""
        ...

    @property
    def calls_seconds(self) -> float | None:
        """The part of it in the calls after those; None where they are not."""
        ...

    @property
    def usage(self) -> ProcessUsage:
        """What it used besides."""
        ...


@dataclass(frozen=True)
class ClockReading:
    """One run, gross.

    Attributes:
        cpu: Seconds of its CPU clock.
        wall: Seconds on the wall.
        footprint: Its memory, where that was watched.
        instructions: Their number, where they were counted.
        delayed: Seconds on the wall of its answers in which it was ready to run, and others
            had its core; None where that was not read.
    """

    cpu: Gross
    wall: Gross
    footprint: Footprint | None = None
    instructions: int | None = None
    delayed: float | None = None

    @classmethod
    def of(cls, run: TimedRun) -> ClockReading:
        """Return what was read of a run."""
        if run.calls_seconds is not None:
            return cls._of_calls(run, run.calls_seconds)
        usage, apart = run.usage, (run.after_seconds, run.loading_seconds, run.giving_seconds)
        answers = run.cpu_seconds - sum(apart) - run.compiling_seconds
        beside = (
            usage.after_wall_seconds,
            usage.loading_wall_seconds,
            usage.giving_wall_seconds,
        )
        wall = usage.wall_seconds - sum(beside)
        # Its time may have begun late, while it was compiled. None at all: it was not read.
        wall = max(min(wall, FINEST), wall - run.compiling_seconds)
        return cls(
            Gross(answers, *apart),
            Gross(wall, *beside),
            usage.footprint,
            usage.instructions,
            usage.delayed_seconds,
        )

    @classmethod
    def _of_calls(cls, run: TimedRun, calls: float) -> ClockReading:
        """Return what was read of a run whose calls were timed apart from all the rest."""
        usage, whole = run.usage, run.cpu_seconds - run.compiling_seconds
        beside = max(0.0, whole - run.first_seconds - calls)
        wall = usage.wall_seconds - run.compiling_seconds - usage.first_wall_seconds
        on_the_wall = usage.calls_wall_seconds or 0.0
        return cls(
            Gross(calls, between=beside, first=run.first_seconds),
            Gross(
                on_the_wall,
                between=max(0.0, wall - on_the_wall),
                first=usage.first_wall_seconds,
            ),
            usage.footprint,
            usage.instructions,
            usage.delayed_seconds,
        )

    @property
    def present(self) -> ClockReading:
        """The same run, as if nobody else had wanted its core, as far as that is known."""
        late = min(self.delayed or 0.0, max(0.0, self.wall.answers - FINEST))
        return replace(self, wall=self.wall._replace(answers=self.wall.answers - late))

    @property
    def seconds(self) -> Seconds:
        """All that it took, by either clock; less what others took of its core, if known."""
        return Seconds(sum(self.cpu), sum(self.present.wall))

    @property
    def calls(self) -> Seconds:
        """The same without loading, where that is told apart, and without making its inputs."""
        return self.without_loading().seconds

    def without_loading(self) -> ClockReading:
        """Return the same run, as if it had been loaded, and its inputs made, in no time."""
        cpu, wall = (one._replace(loading=0.0, giving=0.0) for one in (self.cpu, self.wall))
        return replace(self, cpu=cpu, wall=wall)


@dataclass(frozen=True)
class Base:
    """What empty programs took in the same block: it is subtracted from everybody.

    Attributes:
        empty: Their readings; to subtract anything takes one at least.
    """

    empty: Sequence[ClockReading]

    @property
    def clock(self) -> Clock:
        """The CPU clock."""
        return Clock.of([reading.cpu for reading in self.empty])

    def net(
        self, quantity: Quantity, runs: Sequence[ClockReading], inputs: int
    ) -> float | None:
        """Return what the program itself took; None where it was not read.

        Args:
            quantity: The quantity to return. All but the peak of memory are for one input.
            runs: Runs of one program on the same inputs; they are averaged.
            inputs: Number of inputs that each of the runs answered.
        """
        match quantity:
            case Quantity.MEMORY:
                return self._memory(runs)
            case Quantity.CPU:
                found: float | None = self._cpu(runs)
            case Quantity.WALL:
                found = self._wall(runs)
            case Quantity.MEMORY_TIME:
                found = self._memory_time(runs)
            case Quantity.INSTRUCTIONS:
                found = self._instructions(runs)
        return None if found is None else found / inputs

    def _cpu(self, runs: Sequence[ClockReading]) -> float:
        return self.clock.net(Gross.mean([run.cpu for run in runs]))

    def _wall(self, runs: Sequence[ClockReading]) -> float | None:
        if not all(sum(run.wall) for run in (*self.empty, *runs)):
            return None
        return self._wall_clock.net(Gross.mean([run.wall for run in runs]))

    @property
    def blur(self) -> float:
        """Seconds on the wall that say nothing: others on the core make it so many."""
        return self._wall_clock.resolution

    @property
    def _wall_clock(self) -> Clock:
        return Clock.of([reading.wall for reading in self.empty])

    def _memory(self, runs: Sequence[ClockReading]) -> float | None:
        base, own = _footprints(self.empty), _footprints(runs)
        if not base or not own:
            return None
        level, finest = _level(base)
        nets = (one.added_bytes - (0.0 if one.whole else level) for one in own)
        return max(statistics.fmean(nets), finest)

    def _memory_time(self, runs: Sequence[ClockReading]) -> float | None:
        """Subtract the integral of an empty program, and its level as long as others run.

        Where the whole of a process was read, an empty one holds nothing that others add to.
        """
        base, own = _footprints(self.empty), _footprints(runs)
        if not (base and own and all(one.byte_seconds for one in (*base, *own))):
            return None
        level, finest = _level(base)
        level = 0.0 if any(one.whole for one in own) else level
        start = statistics.median(one.byte_seconds for one in base)
        longer = statistics.fmean(sum(run.cpu) for run in runs) - statistics.median(
            sum(reading.cpu) for reading in self.empty
        )
        integral = statistics.fmean(one.byte_seconds for one in own)
        return max(integral - start - level * max(longer, 0.0), finest * self._cpu(runs))

    def _instructions(self, runs: Sequence[ClockReading]) -> float | None:
        base = [one.instructions for one in self.empty if one.instructions is not None]
        own = [one.instructions for one in runs if one.instructions is not None]
        if not base or not own:
            return None
        return max(statistics.fmean(own) - statistics.median(base), FINEST_COUNT)


def _footprints(readings: Sequence[ClockReading]) -> list[Footprint]:
    return [reading.footprint for reading in readings if reading.footprint is not None]


def _level(base: Sequence[Footprint]) -> tuple[float, float]:
    """Return the bytes of an empty program, and those below which nothing can be told."""
    level = statistics.median(one.added_bytes for one in base)
    spread = statistics.median(abs(one.added_bytes - level) for one in base)
    return level, max(FINEST_BYTES, 2 * spread)
