"""The preflight of a problem outside of a run, for `check`: right, and measurable, and soon."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from se_agent.errors import ProblemError

if TYPE_CHECKING:
    from se_agent.config import Run
    from se_agent.problem import Problem
    from se_agent.types import Preflight

_SECONDS = 10


def preflight(run: Run, problem: Problem) -> Preflight:
    """Try the initial program of a problem out, for 10 seconds at most.

    Raises:
        ProblemError: It will not do, or is not done by then.
    """
    from se_agent.engine.wiring import initial_of, registered

    evaluator = registered(problem, run)
    try:
        with at_most(_SECONDS):
            return evaluator.preflight(initial_of(problem, run))
    finally:
        evaluator.close()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise ProblemError in the body after so many seconds on the wall."""

    def stop(*_: object) -> None:
        raise ProblemError(
            f"the check was not finished within {seconds} s, and nothing wrong was found so "
            "far: the machine may be busy, the program slow, or its generator without end",
            hint="try again when the machine is idle, or make the inputs smaller; `se-agent "
            "run` waits longer; --static runs nothing",
        )

    before = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)
