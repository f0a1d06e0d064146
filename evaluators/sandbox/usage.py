"""What a run used besides CPU time, as its parent read it. Values only; `memory` reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Watch:
    """What is to be read of a run besides its clocks; reading takes time, so it is asked for.

    Attributes:
        memory: The memory that it held at most.
        integral: Its memory over CPU time: sampled while it runs.
    """

    memory: bool = False
    integral: bool = False

    def __bool__(self) -> bool:
        return self.memory or self.integral


@dataclass(frozen=True, kw_only=True)
class Footprint:
    """Memory that a run held beyond what it shares with the fork server.

    Attributes:
        added_bytes: At most, at any moment. What the run gave back of the fork server's own is
            never subtracted: it counts against the run.
        byte_seconds: The same over its CPU time; 0 where it was not sampled.
        whole: Both are all memory of the process, as where a compiled program took the place
            of the fork server's copy: the larger of the two, and no sum of which a part could
            be subtracted.
    """

    added_bytes: int
    byte_seconds: float = 0.0
    whole: bool = False


@dataclass(frozen=True, kw_only=True)
class ProcessUsage:
    """What a run used besides CPU time.

    Attributes:
        wall_seconds: From the fork to the last word that it said (STDIO: or to its end).
        after_wall_seconds: CALL: the part of it in which arguments were described.
        giving_wall_seconds: CALL: that in which inputs with values of its classes were made.
        loading_wall_seconds: CALL, with `load_apart`: that until it was loaded, but for the
            time in which its text was compiled.
        first_wall_seconds: CALL, with `warm`: that until the first calls were over.
        calls_wall_seconds: CALL, with `warm`: that in which it was called after those; None
            where that is not told apart.
        delayed_seconds: The part of the time on the wall, but for the first three, in which it
            was ready to run and others had its core; with `warm` only of that in which it was
            called. None where the kernel does not tell.
        footprint: Its memory, where that was watched.
        instructions: Number of instructions that it executed, where they were counted.
    """

    wall_seconds: float = 0.0
    after_wall_seconds: float = 0.0
    giving_wall_seconds: float = 0.0
    loading_wall_seconds: float = 0.0
    first_wall_seconds: float = 0.0
    calls_wall_seconds: float | None = None
    delayed_seconds: float | None = None
    footprint: Footprint | None = None
    instructions: int | None = None

    def __add__(self, other: Self) -> ProcessUsage:
        """Return the usage of two runs, one after the other: peaks do not add up."""
        one, two = self.footprint, other.footprint
        both = None
        if one is not None and two is not None:
            both = Footprint(
                added_bytes=max(one.added_bytes, two.added_bytes),
                byte_seconds=one.byte_seconds + two.byte_seconds,
                whole=one.whole or two.whole,
            )
        delays = (self.delayed_seconds, other.delayed_seconds)
        counts = (self.instructions, other.instructions)
        return ProcessUsage(
            wall_seconds=self.wall_seconds + other.wall_seconds,
            after_wall_seconds=self.after_wall_seconds + other.after_wall_seconds,
            giving_wall_seconds=self.giving_wall_seconds + other.giving_wall_seconds,
            loading_wall_seconds=self.loading_wall_seconds + other.loading_wall_seconds,
            delayed_seconds=None if None in delays else sum(d or 0.0 for d in delays),
            footprint=both,
            instructions=None if None in counts else sum(c or 0 for c in counts),
        )
