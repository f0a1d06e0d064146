"""The fork server as a `Sandbox`: each job in a process of its own, forked in no time."""

from __future__ import annotations

import contextlib
import importlib.machinery
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from evaluators.sandbox.frames import INPUT, JOB, OUT_OF_MEMORY, Kind
from evaluators.sandbox.job import Answer, Job, Mode, Outcome
from evaluators.sandbox.link import Link, LostError, Reaped
from evaluators.sandbox.probe import require
from evaluators.sandbox.running import ClosedError, ForgedError, OverrunError, Running
from se_agent.errors import ProblemError, SandboxError
from se_agent.types import Status

LEVELS = ("jail", "none")
_FORGED = "wrote to the answers' channel itself"
_STDERR_BYTES = _FEEDBACK_BYTES = 2000
_SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class _Talk(NamedTuple):
    """What came of talking to a child; `status` None: see how the process ended."""

    status: Status | None
    answers: tuple[Answer, ...] = ()
    feedback: str = ""


class ForkServer:
    """Runs jobs in children of an empty process that was started once and locked.

    Args:
        isolation: `jail` (limits, Landlock, seccomp) or `none` (limits only).
        imports: Modules loaded before the fork; programs may import these and the standard
            library.
        site: Folders of packages that programs may import and read besides.
        patience: Wall seconds that a job may take on top of five times its CPU seconds.

    Raises:
        IsolationError: This machine cannot give the isolation that was asked for.
        ProblemError: An import is not installed here.
    """

    def __init__(
        self,
        isolation: str = "jail",
        imports: tuple[str, ...] = (),
        site: tuple[str, ...] = (),
        *,
        patience: float = 5.0,
    ) -> None:
        if isolation not in LEVELS:
            raise ValueError(f"isolation={isolation!r}: it is one of {', '.join(LEVELS)}")
        require(isolation)
        self._settings = {
            "isolation": isolation,
            "imports": imports,
            "folders": [*site, *_folders_of(imports, site)],
            "site": site,
            "single_threaded": _SINGLE_THREADED,
        }
        self._patience = patience
        self._link: Link | None = None
        self._spent = 0.0

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs so far."""
        return self._spent

    def run(self, job: Job) -> Outcome:
        """Run the job in a process of its own, which is gone when this returns.

        Raises:
            SandboxError: The fork server died twice over this job.
        """
        try:
            return self._attempt(job)
        except LostError:
            self.restart()
        try:
            return self._attempt(job)
        except LostError as err:
            self.close()
            raise SandboxError(
                f"the fork server died twice over one job: {err}",
                hint="`se-agent doctor` shows what this machine allows",
            ) from err

    def restart(self) -> None:
        """Start a new fork server, hence a new address-space layout; it loads meanwhile."""
        self.close()
        self._link = Link(self._settings)

    def close(self) -> None:
        """End the fork server; the next job starts another."""
        if self._link is not None:
            self._link.close()
            self._link = None

    def _attempt(self, job: Job) -> Outcome:
        if self._link is None:
            self.restart()
        link = self._link
        assert link is not None
        error = link.wait_ready()
        if error:
            self.close()
            raise SandboxError(
                f"the fork server cannot start: {error}", hint="`se-agent doctor`"
            )
        try:
            return self._run_in(link, job)
        except BaseException:
            self.close()  # whatever state the two were in, nobody will find it
            raise

    def _run_in(self, link: Link, job: Job) -> Outcome:
        nonce = os.urandom(8)
        with contextlib.ExitStack() as open_:
            ours, theirs = map(open_.enter_context, socket.socketpair())
            files = open_.enter_context(_Files(job)) if job.mode is Mode.STDIO else None
            child = Running(ours, nonce, job.limits, self._patience)
            child.post(_described(job, nonce))  # so that the child need not wait for it
            inherited = [theirs.fileno(), *(files.descriptors if files else ())]
            pid = link.fork(inherited, job.limits, job.limits.output_bytes if files else 0)
            theirs.close()
            child.born(pid)
            try:
                talk = _run_script(child) if files else _call(child, job)
                cpu_seconds = child.cpu_seconds()
            finally:
                child.kill()
            self._spent += cpu_seconds
            return _outcome(job, talk, files, cpu_seconds, link.reap(pid))


def _folders_of(imports: tuple[str, ...], site: tuple[str, ...]) -> list[str]:
    """Return the folders where the top-level packages of the imports lie."""
    folders = []
    for name in imports:
        top = name.partition(".")[0]
        spec = importlib.machinery.PathFinder.find_spec(top, [*site, *sys.path])
        if spec is None and top not in sys.builtin_module_names:
            raise ProblemError(
                f"imports: no package {top!r} is installed here",
                hint=f"`pip install {top}` beside se-agent, or drop it from `imports`",
            )
        if spec is not None and spec.origin is not None and top not in sys.stdlib_module_names:
            package = spec.submodule_search_locations is not None
            folders.append(str(Path(spec.origin).parents[1 if package else 0]))
    return list(dict.fromkeys(folders))


class _Files:
    """Standard input, output and error of a script: files in memory, as behind `< >`.

    A file needs no pumping, so the script's time does not depend on ours, and its size is
    capped by the kernel.
    """

    def __init__(self, job: Job) -> None:
        self._limit = job.limits.output_bytes
        self.descriptors = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
        view = memoryview(job.inputs[0])
        while view:
            view = view[os.write(self.descriptors[0], view) :]
        os.lseek(self.descriptors[0], 0, os.SEEK_SET)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)

    def output(self) -> bytes:
        size = min(os.fstat(self.descriptors[1]).st_size, self._limit)
        return os.pread(self.descriptors[1], size, 0)

    def error_tail(self) -> str:
        size = os.fstat(self.descriptors[2]).st_size
        tail = os.pread(self.descriptors[2], _STDERR_BYTES, max(0, size - _STDERR_BYTES))
        return tail.decode("utf-8", "replace").strip()


def _described(job: Job, nonce: bytes) -> bytes:
    body = json.dumps(
        {
            "mode": job.mode,
            "program": job.program,
            "prelude": job.prelude,
            "path": job.path,
            "entry_point": job.entry_point,
            "keep_errors": job.keep_errors,
            "output_bytes": job.limits.output_bytes,
            "count": len(job.inputs),
        }
    ).encode()
    first = _framed(job.inputs[0]) if job.mode is Mode.CALL else b""
    return JOB.pack(nonce, len(body)) + body + first


def _framed(data: bytes) -> bytes:
    return INPUT.pack(len(data)) + data


def _call(child: Running, job: Job) -> _Talk:
    answers: list[Answer] = []
    try:
        for data in job.inputs:
            if answers:
                child.post(_framed(data))
            kind, first, second = child.receive()
            if kind is Kind.VALUE:
                answers.append(Answer(value=first, arguments=second))
            elif kind is Kind.ERROR:
                answers.append(Answer(error=first.decode("utf-8", "replace"), arguments=second))
            elif kind is Kind.TOO_LARGE:
                return _Talk(Status.RE, tuple(answers), _too_large(job))
            else:
                return _ended(first, second, tuple(answers))
    except ClosedError:
        return _Talk(None, tuple(answers))
    except OverrunError as err:
        return _Talk(Status.TLE, tuple(answers), str(err))
    except ForgedError:
        return _Talk(Status.REJECTED, tuple(answers), _FORGED)
    return _Talk(Status.AC, tuple(answers))


def _run_script(child: Running) -> _Talk:
    try:
        with contextlib.suppress(ClosedError):
            kind, first, second = child.receive()
            child.wait_end()
            return (
                _ended(first, second, ())
                if kind is Kind.END
                else _Talk(Status.REJECTED, (), _FORGED)
            )
        child.wait_end()
    except OverrunError as err:
        return _Talk(Status.TLE, (), str(err))
    except ForgedError:
        return _Talk(Status.REJECTED, (), _FORGED)
    return _Talk(None)


def _ended(status: bytes, feedback: bytes, answers: tuple[Answer, ...]) -> _Talk:
    """Read a child's own account of its end: whatever it says, it says against itself."""
    known = {s.value.encode(): s for s in Status if s is not Status.WA}
    text = feedback[:_FEEDBACK_BYTES].decode("utf-8", "replace")
    return _Talk(known.get(status, Status.RE), answers, text or "no reason given")


def _too_large(job: Job) -> str:
    return f"answer larger than {job.limits.output_bytes} bytes"


def _outcome(
    job: Job, talk: _Talk, files: _Files | None, cpu_seconds: float, reaped: Reaped
) -> Outcome:
    status, answers, feedback = talk
    if status is None:
        status, feedback = _verdict_of(reaped.status, ended_well=files is not None)
    if files and status in (Status.AC, Status.RE):
        output = files.output()
        if len(output) >= job.limits.output_bytes:
            status, feedback = Status.RE, _too_large(job)
        answers = (Answer(value=output),)
        told = (feedback, files.error_tail()) if status is Status.RE else (feedback,)
        feedback = "\n".join(filter(None, told))
    if status is Status.AC:
        status, feedback = (
            (Status.AC, "")
            if len(answers) == len(job.inputs)
            else (Status.RE, "ended before the last answer")
        )
    if status is not Status.MLE and cpu_seconds > job.limits.cpu_seconds:
        status = Status.TLE
        feedback = f"used more than {job.limits.cpu_seconds:g} s of CPU time"
    return Outcome(
        status=status,
        answers=answers,
        cpu_seconds=cpu_seconds,
        peak_bytes=reaped.peak_bytes,
        feedback=feedback,
    )


def _verdict_of(wait_status: int, *, ended_well: bool) -> tuple[Status, str]:
    """Judge a child that ended without a word."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if number == signal.SIGXCPU:
            return Status.TLE, "used up its CPU time"
        return Status.RE, f"killed by signal {number} ({signal.strsignal(number)})"
    code = os.WEXITSTATUS(wait_status)
    if code == OUT_OF_MEMORY:
        return Status.MLE, "out of memory"
    if code == 0 and ended_well:
        return Status.AC, ""
    return Status.RE, f"the process ended by itself with exit code {code}"


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.sandbox.job import Sandbox

    _: Callable[..., Sandbox] = ForkServer
