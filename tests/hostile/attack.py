"""One hostile program: what it tries, where it runs, and how that has to end. Values only."""

from __future__ import annotations

import enum
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from se_agent.problem.model import Limits
from se_agent.values.evaluation import Status


class Place(enum.StrEnum):
    """How far up the program gets its chance; the word stands in the table."""

    CALL = "function call"  # one job of the sandbox
    SCRIPT = "script"  # one job of the sandbox
    FUNCTION = "tests of a function"  # FunctionEvaluator.evaluate
    STDIO = "tests of a script"  # StdioEvaluator.evaluate
    SCORE = "score"  # ScoreEvaluator.evaluate, and a block for what passes
    MEASURED = "measurement"  # evaluate, then a block of the search
    FINAL = "final inputs"  # evaluate, then a block on final inputs
    LOADED = "measurement without loading"  # the same, where loading does not count
    COUNTED = "count of instructions"  # the same, where instructions are counted
    COMPILED = "tests in C++"  # StdioEvaluator.evaluate of a program that is compiled first
    COMPILED_MEASURED = "measurement in C++"  # the same, then a block of the search
    PROJECT = "module of a project"  # one job of a sandbox that may read the project
    GATE = "pytest gate"  # the user's own tests, with the program as their module


HARMLESS = "nothing"
"""It answers what an honest program would: all that it tried had no effect."""

CAUGHT_LATER = "WA when measured"
"""Right on the visible tests, wrong on the inputs that it is measured on."""

WAITS = "TLE when measured"
"""Right on the visible tests, and seen to wait instead of computing when it is measured."""

NO_GAIN = "no gain"
"""Right, and measured no faster than the program whose work it does."""

SLOWER = "slower"
"""Right, and measured slower than the program whose work it does: what it hid was counted."""

_ENDLESS_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True)
class Attack:
    """A hostile program.

    Attributes:
        name: Unique, for people and for pytest.
        tries: What it tries, in one sentence of the table.
        program: Its text; `PPID`, `OURS` and `OWNED` stand for our pid, a file of ours and a
            key in the home of who runs it, `PROJECT` for the project that it is a module of.
        ends: A status, or one of the words above.
        place: Where it runs.
        answer: What HARMLESS means at a job: the one value, or the standard output.
        at: Levels of isolation at which it rightly ends in another way.
        says: A piece of the feedback.
        memory_bytes: Memory of a job in which it runs.
        cpu_seconds: What it may take where its end is another than TLE: ample, so that a
            slow machine does not decide how it ends.
    """

    name: str
    tries: str
    program: str
    ends: str
    place: Place = Place.CALL
    answer: object = 1
    at: Mapping[str, str] = field(default_factory=dict)
    says: str = ""
    memory_bytes: int = 128 << 20
    cpu_seconds: float = 10.0

    def ending(self, level: str) -> str:
        """Return the stated outcome at a level."""
        return self.at.get(level, self.ends)

    def limits(self, level: str) -> Limits:
        """Return the limits of its jobs at a level; an endless program gets little time."""
        endless = self.ending(level) == Status.TLE
        return Limits(
            cpu_seconds=_ENDLESS_SECONDS if endless else self.cpu_seconds,
            memory_bytes=self.memory_bytes,
            output_bytes=1 << 20,
        )

    @property
    def compiled(self) -> bool:
        """Whether it takes a compiler."""
        return self.place in (Place.COMPILED, Place.COMPILED_MEASURED)

    @property
    def text(self) -> str:
        """The program, without the margin of its table."""
        return textwrap.dedent(self.program).lstrip("\n")
