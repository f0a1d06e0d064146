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
        with _at_most(_SECONDS):
            return evaluator.preflight(initial_of(problem, run))
    finally:
        evaluator.close()


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise ProblemError in the body after so many seconds on the wall."""

    def stop(*_: object) -> None:
        raise ProblemError(
            f"the problem is not checked after {seconds} s: its program is slow, or its "
            "generator does not end",
            hint="make the inputs smaller; `se-agent run` waits longer and says which it is; "
            "--static runs nothing",
        )

    before = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)
