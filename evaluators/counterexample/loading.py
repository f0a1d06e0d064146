"""What a process of a program takes before it is of use, which is no input's fault.

A search gives the inputs of a process a few tenths of a second: a program that fills a table
for as long would answer nothing at all. So loading is measured once a program, and comes on top
of what inputs may take. Not here: the asking (`asking`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from evaluators.answers.bench import Bench
from se_agent.values.evaluation import Status

SLOWER = 3.0
"""Times as long as the initial program that another may take to be loaded."""

GRACE = 2.0
"""CPU seconds on top of that."""

_VARIES = 1.5  # times as long as the first process another one of the program may take
_REMEMBERED = 64


@dataclass(frozen=True)
class Loading:
    """Knows how long programs of one problem are loaded.

    Attributes:
        bench: Where they run.
    """

    bench: Bench
    _known: dict[str, float] = field(default_factory=dict)

    def seconds(self, program: str, sample: bytes) -> float:
        """Return the CPU seconds that it takes, start included; measured at first.

        A script cannot be loaded and not run, so it is given the sample: what it takes for a
        small input is what it takes for each.

        Args:
            program: Its text.
            sample: A small input.

        Returns:
            0 for one that is not done within its limit: then it is slow, not to be excused.
        """
        if program not in self._known:
            found = self._measured(program, sample)
            if len(self._known) >= _REMEMBERED:
                self._known.pop(next(iter(self._known)))
            self._known[program] = found
        return self._known[program]

    def known(self, program: str) -> float:
        """Return the same where it was measured, else 0."""
        return self._known.get(program, 0.0)

    def _measured(self, program: str, sample: bytes) -> float:
        bench = self.bench
        limits = replace(bench.problem.limits, cpu_seconds=self._most(program, sample))
        idle = bench.runner.idle(program)
        outcome = bench.runner.run(bench.sandbox, idle, [sample], limits)
        return 0.0 if outcome.status is Status.TLE else outcome.cpu_seconds

    def _most(self, program: str, sample: bytes) -> float:
        """Return the limit: of the initial program that of the problem."""
        most, oracle = self.bench.problem.limits.cpu_seconds, self.bench.oracle.program
        if program == oracle:
            return most
        return min(most, SLOWER * self.seconds(oracle, sample) + GRACE)


def granted(seconds: float) -> float:
    """Return the CPU seconds that a process is granted for loading that took so many."""
    return _VARIES * seconds
