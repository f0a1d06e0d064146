"""A sandbox without processes: programs run here, and their CPU time is scripted.

A program may define `cost`, which is called with the arguments (or the text of standard
input) and returns the CPU seconds of that input, `LOADING`, those of its loading,
`COMPILING`, those of compiling its text, `at_end`, which returns those of its end, and
`WAITING`, the seconds on the wall that each input waits.
Everything else behaves like the real one.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from evaluators.sandbox.job import Job, JobAnswer, JobOutcome, Mode
from evaluators.sandbox.usage import ProcessUsage
from se_agent import wire
from se_agent.errors import SandboxError, WireError
from se_agent.values.evaluation import Status

STARTUP = 0.002


class ScriptedSandbox:
    """Runs jobs with `exec`, charges what their `cost` says, and keeps the jobs.

    Attributes:
        jobs: All jobs so far, in order.
        restarts: How often the layout was changed.
        closed: Whether `close` was called.

    Args:
        startup: CPU seconds of every run.
        noise: CPU seconds more, at most, from run to run.
        shared: Share of runs that take half as long again: another uses the core, too.
        late: Share of runs that others on the core keep waiting for 50 ms.
        crowded: Times its CPU time that a run takes on the wall, where it does not wait.
        uneven: Times that, at most, from run to run.
        seed: Seed of both.
    """

    def __init__(
        self,
        *,
        startup: float = STARTUP,
        noise: float = 0.0,
        shared: float = 0.0,
        late: float = 0.0,
        crowded: float = 1.0,
        uneven: float = 1.0,
        seed: int = 0,
    ) -> None:
        self.jobs: list[Job] = []
        self.restarts = 0
        self.closed = False
        self.spent = 0.0
        self._startup = startup
        self._noise = noise
        self._shared = shared
        self._late = late
        self._crowded = crowded
        self._uneven = uneven
        self._moods = random.Random(seed)  # by itself: other draws stay what they are
        self._random = random.Random(seed)

    def run(self, job: Job) -> JobOutcome:
        """Return what the real sandbox would, with the scripted CPU time."""
        self._check_open()
        self.jobs.append(job)
        outcome = self._outcome(job)
        self.spent += outcome.cpu_seconds
        return outcome

    def restart(self) -> None:
        """Count it."""
        self._check_open()
        self.restarts += 1

    def close(self) -> None:
        """Remember it."""
        self.closed = True

    def _check_open(self) -> None:
        if self.closed:
            raise SandboxError("the sandbox is closed", hint="start again")

    def _outcome(self, job: Job) -> JobOutcome:
        # Each layout has a hash seed of its own; programs may ask for it.
        space: dict[str, Any] = {"__name__": "program", "LAYOUT": self.restarts}
        try:
            code = compile(job.program, job.path, "exec")
        except SyntaxError as err:
            return JobOutcome(status=Status.CE, cpu_seconds=self._startup, feedback=str(err))
        if job.mode is Mode.STDIO:
            return self._script(job, code, space)
        try:
            exec(code, space)
            entry = space[job.entry_point]
        except Exception as err:  # noqa: BLE001 - whatever the program raises
            return JobOutcome(status=Status.RE, cpu_seconds=self._startup, feedback=_said(err))
        return self._calls(job, space, entry)

    def _calls(self, job: Job, space: dict[str, Any], entry: Callable[..., Any]) -> JobOutcome:
        cpu, answers = self._start() + space.get("LOADING", 0.0), list[JobAnswer]()
        loading = cpu if job.load_apart else 0.0
        cost = space.get("cost", lambda *args: 0.0)
        first = cpu
        for number, data in enumerate(job.inputs):
            arguments = wire.loads(data)
            cpu += cost(*arguments)
            first = cpu if number < job.warm else first
            if cpu > job.limits.cpu_seconds:
                return _ended(Status.TLE, answers, job.limits.cpu_seconds, "CPU limit")
            try:
                answers.append(_answer(entry(*arguments), arguments, data))
            except Exception as err:  # noqa: BLE001 - whatever the program raises
                if not job.keep_errors:
                    return _ended(Status.RE, answers, cpu, _said(err))
                left = _answer(None, arguments, data).arguments
                answers.append(JobAnswer(error=_said(err), arguments=left))
        if job.to_the_end:
            cpu += space.get("at_end", float)()
        slowed = 1.5 if self._random.random() < self._shared else 1.0
        compiling = space.get("COMPILING", 0.0)
        ended = _ended(Status.AC, answers, slowed * cpu + compiling, loading=loading)
        waited = (len(job.inputs) - job.warm) * space.get("WAITING", 0.0)
        waited += 0.05 * (self._random.random() < self._late)
        crowded = self._crowded * self._moods.uniform(1.0, self._uneven)
        usage = ProcessUsage(wall_seconds=crowded * ended.cpu_seconds + waited)
        ended = replace(ended, compiling_seconds=compiling, usage=usage)
        return _apart(ended, slowed * first, crowded) if job.warm else ended

    def _script(self, job: Job, code: Any, space: dict[str, Any]) -> JobOutcome:
        (data,) = job.inputs
        written, stdin = io.StringIO(), sys.stdin
        sys.stdin = io.StringIO(data.decode())
        try:
            with contextlib.redirect_stdout(written):
                exec(code, space)
        except Exception as err:  # noqa: BLE001 - whatever the program raises
            return _ended(Status.RE, [], self._startup, _said(err))
        finally:
            sys.stdin = stdin
        cpu = self._start() + space.get("cost", lambda text: 0.0)(data.decode())
        if cpu > job.limits.cpu_seconds:
            return _ended(Status.TLE, [], job.limits.cpu_seconds, "CPU limit")
        return _ended(Status.AC, [JobAnswer(value=written.getvalue().encode())], cpu)

    def _start(self) -> float:
        return self._startup + self._noise * self._random.random()


def _apart(ended: JobOutcome, first: float, crowded: float) -> JobOutcome:
    """Return how a job ended whose calls are apart from what came first."""
    calls = ended.cpu_seconds - ended.compiling_seconds - first
    wall, before = ended.usage.wall_seconds, crowded * first
    usage = replace(ended.usage, first_wall_seconds=before, calls_wall_seconds=wall - before)
    return replace(ended, first_seconds=first, calls_seconds=calls, usage=usage)


def _answer(value: Any, arguments: Any, data: bytes) -> JobAnswer:
    try:
        left = wire.dumps(arguments)
        return JobAnswer(value=wire.dumps(value), arguments=b"" if left == data else left)
    except WireError as err:
        raise TypeError(str(err)) from err


def _said(err: Exception) -> str:
    kind = type(err)
    place = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{place}{kind.__name__}: {err}"


def _ended(
    status: Status,
    answers: list[JobAnswer],
    cpu: float,
    feedback: str = "",
    loading: float = 0.0,
) -> JobOutcome:
    return JobOutcome(
        status=status,
        answers=tuple(answers),
        cpu_seconds=cpu,
        loading_seconds=loading,
        peak_bytes=1 << 20,
        feedback=feedback,
    )
