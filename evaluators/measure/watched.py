"""A sandbox that reads more of every run than its clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evaluators.sandbox.job import Job, JobOutcome, Sandbox
from evaluators.sandbox.usage import Watch
from se_agent.values.objective import Quantity


@dataclass(frozen=True)
class Watched:
    """Runs jobs in another sandbox, and has it watch them.

    Attributes:
        sandbox: Where they run.
        watch: What is to be read of them.
    """

    sandbox: Sandbox
    watch: Watch

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs so far."""
        return self.sandbox.spent

    def run(self, job: Job) -> JobOutcome:
        """Run the job, watched unless it says itself how; see `Sandbox.run`."""
        return self.sandbox.run(replace(job, watch=job.watch or self.watch))

    def restart(self) -> None:
        """Continue in a new layout; see `Sandbox.restart`."""
        self.sandbox.restart()

    def close(self) -> None:
        """End every process; see `Sandbox.close`."""
        self.sandbox.close()


EVERYTHING = Watch(memory=True, integral=True)


def watch_for(quantities: Iterable[Quantity]) -> Watch:
    """Return what has to be watched to know these quantities; no more, for it takes time."""
    wanted = set(quantities)
    integral = Quantity.MEMORY_TIME in wanted
    return Watch(memory=integral or Quantity.MEMORY in wanted, integral=integral)


if TYPE_CHECKING:
    from collections.abc import Callable

    _: Callable[..., Sandbox] = Watched
