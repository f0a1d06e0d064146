"""The preflight of a problem outside of a run, for `check`: right, and measurable, and soon."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from se_agent.environment.process_files import cpu_seconds
from se_agent.errors import ProblemError
from se_agent.stats import waiting

if TYPE_CHECKING:
    from se_agent.config.run_file import Run
    from se_agent.problem.model import Problem
    from se_agent.values.evaluation import Preflight

_SECONDS = 20  # compilers and their virtual machines take half of it where they are slow
_STRETCHED = 3  # times that others on the machine, or waiting, may make them longer
_OFTEN = 0.01  # seconds, at least, from one look at the clocks to the next


def preflight(run: Run, problem: Problem) -> Preflight:
    """Try the initial program of a problem out, for 20 seconds at most; see `at_most`.

    Raises:
        ProblemError: It will not do, or is not done by then.
    """
    from se_agent.engine.run.resolve import initial_of, registered_evaluator

    evaluator, before = registered_evaluator(problem, run), programs_seconds()
    try:
        with at_most(_SECONDS):
            return evaluator.preflight(initial_of(problem, run))
    except _UnfinishedError as err:
        used = programs_seconds() - before
        raise explained(err, used=used, seconds=err.seconds) from err
    finally:
        evaluator.close()


def explained(err: ProblemError, *, used: float, seconds: float) -> ProblemError:
    """Return what to tell when the time was up, after so many CPU seconds of programs."""
    if not waiting.waits(used, seconds):
        return err
    return ProblemError(
        f"the check was not finished within {seconds:.2g} s, in which programs used "
        f"{used:.2g} s of CPU time: they wait, or others use the machine",
        hint=waiting.HINT,
    )


def programs_seconds() -> float:
    """Return the CPU seconds of processes below this one, that ended and that still run."""
    return cpu_seconds(os.getpid()) - time.process_time()


class _UnfinishedError(ProblemError):
    """The time was up, and nobody knows who was slow; `seconds` is what it was, on the wall."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(
            f"the check was not finished within {seconds:.2g} s, and nothing wrong was found "
            "so far: the machine may be busy, the program slow, or its generator without end",
            hint="try again when the machine is idle, or make the inputs smaller; `se-agent "
            "run` waits longer; --static runs nothing",
        )


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise _UnfinishedError in the body after so many seconds.

    The time is up when so many have gone by on the wall, and as many of CPU time in this
    process and those below it: who shares the machine has longer, up to three times as long.
    """
    begin, used = time.monotonic(), cpu_seconds(os.getpid())

    def stop(*_: object) -> None:
        wall = time.monotonic() - begin
        left = min(seconds - (cpu_seconds(os.getpid()) - used), _STRETCHED * seconds - wall)
        if left <= 0:
            raise _UnfinishedError(wall)
        signal.setitimer(signal.ITIMER_REAL, max(left, _OFTEN))

    before = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)
