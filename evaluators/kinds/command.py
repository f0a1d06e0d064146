"""Problems whose programs are run by a command that prints a score. Nothing here is trusted.

The program and what rates it share a process, or could: a program that set out to deceive can
print any score. So whatever comes of such a problem says that it is untrusted. Not here: how
two scores are compared (`evaluators.kinds.exact`).
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import threading
from base64 import b64decode
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.kinds.exact import ExactEvaluator
from evaluators.kinds.rating import Rated
from evaluators.sandbox.ends import ends_of_file, streams
from evaluators.sandbox.folder import fresh_folder, tail
from evaluators.sandbox.isolation.ordinary import environment
from evaluators.sandbox.server.probe import require
from evaluators.sandbox.tools.confined_process import Order, ProcessEnd, enclosed
from se_agent.config.sections import Measure
from se_agent.errors import IsolationError, ProblemError, SandboxError
from se_agent.problem.model import Problem
from se_agent.values.evaluation import InputSet, Measurement, Status
from se_agent.values.solution import Solution

LEVELS = ("jail", "none")
_PROGRAM = "{program}"
_PYTHONS = ("python", "python3")
_SYSTEM = ("/usr/local/bin", "/usr/local/lib", "/etc/ld.so.cache")
_TAIL = 64 << 10  # bytes of output that are looked at
_CLOSED = "the sandbox is closed"
_TOLD = 600  # characters of what a command complains that are told


class CommandEvaluator(ExactEvaluator):
    """Runs the command of a problem on a program, in a fresh folder each time.

    Args:
        problem: What is solved; its `command` prints the score on its last line.
        measure: Not used: a command has no inputs.
        isolation: `jail`: no network, home or keys, and one folder to write in, from which no
            programs are run; `none`: limits only.
        seed: Not used.

    Raises:
        IsolationError: The command cannot run at this level, or this machine has it not.
        ProblemError: The command cannot be started.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        measure: Measure,
        isolation: str = "jail",
        seed: int = 0,
    ) -> None:
        super().__init__(problem, CommandRater(problem, isolation), others="the command")


class CommandRater:
    """Runs a command for its score; see `CommandEvaluator`."""

    one_set = True

    def __init__(self, problem: Problem, isolation: str) -> None:
        if isolation not in LEVELS:
            raise IsolationError(
                f"a command cannot run at isolation `{isolation}`",
                hint=f"use `--set sandbox.isolation=` with one of {', '.join(LEVELS)}",
            )
        require(isolation)
        self._problem = problem
        self._isolation = isolation
        self._tool = _tool(problem)
        self._stopped = threading.Event()
        self._spent = 0.0

    @property
    def spent(self) -> float:
        """CPU seconds of all commands so far."""
        return self._spent

    def count(self, which: InputSet) -> int:
        """Return 1: the command is run once, whatever the set."""
        return 1

    def restart(self) -> None:
        """Do nothing: every run is a new process with a hash seed of its own."""

    def close(self) -> None:
        """End the command that is under way, and start none any more."""
        self._stopped.set()

    def rate(self, solution: Solution, which: InputSet) -> Rated:
        """Run the command once; see `Rater.rate`.

        Raises:
            SandboxError: This was closed.
        """
        self._require_open()
        with fresh_folder() as folder:
            order = self._order(solution, folder)
            ended = enclosed(order, folder / "out", folder / "err", self._stopped)
            self._spent += ended.cpu_seconds
            self._require_open()
            told, complained = (_tail(folder / each) for each in ("out", "err"))
            rated = self._rated(ended, told, complained)
            if rated.status is Status.AC:
                return rated
            return replace(rated, full_output=_whole(folder))

    def _require_open(self) -> None:
        if self._stopped.is_set():
            raise SandboxError(_CLOSED, hint="start again")

    def _order(self, solution: Solution, folder: Path) -> Order:
        scratch, place = folder / "scratch", folder / "program"
        scratch.mkdir()
        written = {path: b64decode(text) for path, text in self._problem.blobs.items()}
        for path, text in {**self._problem.files, **solution.files}.items():
            written[path] = text.encode("utf-8", "surrogateescape")
        for path, content in written.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        _, *words = self._problem.command
        limits = self._problem.limits
        return Order(
            command=[self._tool, *(w.replace(_PROGRAM, self._problem.path) for w in words)],
            isolation=self._isolation,
            folder=place,
            scratch=scratch,
            readable=[*_SYSTEM, *_homes(self._tool)],
            environment={
                **environment(str(place), home=str(scratch)),
                "PYTHONDONTWRITEBYTECODE": "1",
                "TMPDIR": str(scratch),
            },
            cpu_seconds=limits.cpu_seconds,
            memory_bytes=limits.memory_bytes,
            file_bytes=limits.output_bytes,
            shared_memory=True,
        )

    def _rated(self, ended: ProcessEnd, told: str, complained: str) -> Rated:
        cost = ended.cpu_seconds
        if ended.late:
            limit = self._problem.limits.cpu_seconds
            said = f"the command was ended: it may take {limit:g} s of CPU time"
            return Rated(status=Status.TLE, feedback=said, cost_seconds=cost)
        if ended.code:
            said = _complaint(complained) or f"the command ended with {ended.code}"
            return Rated(status=Status.RE, feedback=said, cost_seconds=cost)
        try:
            score = score_of(told)
        except ValueError as err:
            return Rated(status=Status.WA, feedback=str(err), cost_seconds=cost)
        measured = Measurement(cpu_seconds=cost, peak_bytes=ended.peak_bytes)
        return Rated(status=Status.AC, score=score, measurement=measured, cost_seconds=cost)


def _complaint(text: str) -> str:
    """Return the end of what a command complained, its last line first.

    That one names the error, and whoever shows a part shows the beginning.
    """
    lines = text[-_TOLD:].strip().splitlines()
    marks = " ~^"  # what Python puts below a line
    return "\n".join([*lines[-1:], *(line for line in lines[:-1] if line.strip(marks))])


def score_of(output: str) -> float:
    """Return the score that stands on the last line: a number, or `{"score": number}`.

    Raises:
        ValueError: There is none, or it is not finite.
    """
    line = next((line for line in reversed(output.splitlines()) if line.strip()), "")
    try:
        score = float(_stated(line.strip()))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ValueError(f"the last line is no score: {line[:200]!r}") from None
    if not math.isfinite(score):
        raise ValueError(f"the score is not finite: {score}")
    return score


def _stated(line: str) -> str | float:
    if not line.startswith("{"):
        return line
    found = json.loads(line)["score"]
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise TypeError(found)
    return found


def _tail(path: Path) -> str:
    """Return the end of a file in whole lines: half a number is another number."""
    data = tail(path, _TAIL)
    if path.stat().st_size > _TAIL:
        data = data.partition(b"\n")[2]
    return data.decode("utf-8", "backslashreplace")


def _whole(folder: Path) -> str:
    """Return what a command printed, or both ends of it: its complaints first."""
    err, out = folder / "err", folder / "out"
    sizes = err.stat().st_size, out.stat().st_size
    return streams(partial(ends_of_file, err), partial(ends_of_file, out), sizes)


def _tool(problem: Problem) -> str:
    """Return the path of what the command starts."""
    first = problem.command[0]
    if first in _PYTHONS:
        return sys.executable
    found = shutil.which(first)
    if found is None:
        raise ProblemError(
            f"the command of {problem.name!r} cannot start: there is no program {first!r}",
            hint="install it, or correct `run` in [command]",
        )
    return os.path.abspath(found)  # noqa: PTH100  (a link may be what names the tool)


def _homes(tool: str) -> list[str]:
    """Return what a tool reads besides the system's folders."""
    if tool != sys.executable:
        return [tool, str(Path(tool).resolve())]
    own = [sys.prefix, f"{sys.base_prefix}/lib", f"{sys.base_prefix}/lib64"]
    return [*own, str(Path(tool).resolve())]


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.kinds.rating import Rater
    from se_agent.protocols import Evaluator

    _: Callable[..., Evaluator] = CommandEvaluator
    _rater: Callable[..., Rater] = CommandRater
