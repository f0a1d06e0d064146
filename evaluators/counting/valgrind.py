"""A sandbox that counts instructions: each job runs in valgrind's simulated processor.

It takes about a hundred times as long, and gives the same count every time, to a few parts in
ten thousand. CPU seconds of limits and outcomes are such as a program takes outside, so that a
limit that comes from an outcome is one of the same kind.

Valgrind shares the address space of the program that it simulates, and takes requests from it:
what would let a program write to addresses of its choice, or run machine code of its own, is
refused (`refusing`). Answers are checked as always.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from evaluators import reported
from evaluators.sandbox.folder import fresh_folder
from evaluators.sandbox.job import Job, JobOutcome, Mode
from evaluators.sandbox.server.connection import Reaped
from evaluators.sandbox.server.exchange import Talk, call, described, run_script
from evaluators.sandbox.server.outcome import ScriptFiles, outcome_of
from evaluators.sandbox.server.running import ProcessSpent, Running
from evaluators.sandbox.tools.confined_process import ends
from evaluators.sandbox.usage import ProcessUsage
from se_agent.environment.child_process import environment
from se_agent.errors import SandboxError
from se_agent.values.evaluation import Status

SLOWER = 150
"""Simulated CPU seconds that stand for one of a limit or an outcome."""

_OPTIONS = (
    "--tool=callgrind", "--callgrind-out-file=/dev/null", "--vgdb=no", "--quiet", "-v",
)  # fmt: skip
_CLOSED = "the sandbox is closed"
_UNCOUNTED = "its instructions were not counted: it became another program, or was killed"
_PATIENCE = 30.0  # seconds on the wall that a report may take
_ROOM = 8 << 30  # bytes of address space that valgrind takes for itself
_FILE = 1 << 20
_COLLECTED = re.compile(rb"Collected\s*:\s*([0-9]+)")
_REPORT = 1 << 20  # bytes of a log that are looked at: the count is at its end
_PROGRAM = Path(__file__).with_name("counted.py")
_REPORTED = (Status.AC, None)
"""What may have a count: a job that answered, and one that ended without a word."""


def installed() -> str:
    """Return the path of valgrind, or nothing."""
    return shutil.which("valgrind") or ""


@dataclass
class CountingSandbox:
    """Runs each job in a process of its own, simulated from its start to its end.

    Attributes:
        jailed: Whether files and system calls are refused, as far as valgrind can do without.
        imports: Modules that programs may import, loaded before the job.
        spent: CPU seconds of all jobs so far, as they were simulated.
    """

    jailed: bool = True
    imports: Sequence[str] = ()
    spent: float = 0.0
    _closed: bool = False
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def run(self, job: Job) -> JobOutcome:
        """Run the job; its `usage` has the count.

        Raises:
            SandboxError: It is closed, or valgrind does not work here.
        """
        self._check_open()
        with contextlib.ExitStack() as open_:
            scratch = str(open_.enter_context(fresh_folder()))
            log = open_.enter_context(tempfile.TemporaryFile())
            ours, theirs = map(open_.enter_context, socket.socketpair())
            files = open_.enter_context(ScriptFiles(job)) if job.mode is Mode.STDIO else None
            nonce = os.urandom(8)
            limits = replace(job.limits, cpu_seconds=SLOWER * job.limits.cpu_seconds)
            child = Running(ours, nonce, limits, _PATIENCE)
            child.post(described(job, nonce))
            process = self._process = self._started(job, scratch, theirs, log.fileno(), files)
            open_.callback(process.wait)
            open_.callback(process.kill)
            self._check_open()  # who closed it meanwhile saw no process to end
            theirs.close()
            child.born(process.pid)
            with _losing():
                talk, spent = _talked(job, child, script=files is not None)
                ours.shutdown(socket.SHUT_WR)  # it has said its last word, and may end
                self.spent += _end(child, process.pid, reports=talk.status in _REPORTED)
            reaped = _reaped(process)
            self._check_open()
            count = _counted(log)
            given = outcome_of(job, talk, files, spent, reaped)
            if given.status is Status.AC and count is None:
                return replace(given, status=Status.RE, feedback=_UNCOUNTED)
            return replace(given, usage=ProcessUsage(instructions=count))

    def restart(self) -> None:
        """Do nothing: no two jobs share a layout, and a count does not depend on it."""
        self._check_open()

    def close(self) -> None:
        """End what runs, for good; see `Sandbox.close`."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

    def _check_open(self) -> None:
        if self._closed:
            raise SandboxError(_CLOSED, hint="start again")

    def _started(
        self,
        job: Job,
        scratch: str,
        theirs: socket.socket,
        log: int,
        files: ScriptFiles | None,
    ) -> subprocess.Popen[bytes]:
        # Numbers above those that a job's own descriptors have.
        end, report = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in (theirs, log))
        settings = {
            "jailed": self.jailed,
            "memory": 2 * job.limits.memory_bytes + _ROOM,
            "file": max(_FILE, job.limits.output_bytes),
            "imports": list(self.imports),
            "scratch": scratch,
            "socket": end,
            "report": report,
            "command": [installed(), *_OPTIONS, f"--log-fd={report}"],
        }
        given = files.descriptors if files else [subprocess.DEVNULL] * 3
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PROGRAM), json.dumps(settings)],
                stdin=given[0],
                stdout=given[1],
                stderr=given[2],
                env=environment(),
                pass_fds=(end, report),
                start_new_session=True,
            )
        finally:
            os.close(end)
            os.close(report)


def _talked(job: Job, child: Running, *, script: bool) -> tuple[Talk, ProcessSpent]:
    talk = run_script(child) if script else call(child, job)
    return talk, ProcessSpent(child.cpu_seconds() / SLOWER, child.after_seconds / SLOWER)


def _end(child: Running, pid: int, *, reports: bool) -> float:
    """End the process, and return all CPU seconds that it took.

    Args:
        child: The child that runs in the process.
        pid: Id of the process.
        reports: Whether its count is waited for, which comes at its end. Who was stopped has
            none to give, and could go on and on.
    """
    if reports:
        ends(pid, _PATIENCE)
    child.kill()
    return child.cpu_seconds()


def _counted(log: IO[bytes]) -> int | None:
    """Return the count that valgrind wrote at the end of its log; None where there is none."""
    log.seek(max(0, log.seek(0, os.SEEK_END) - _REPORT))
    found = _COLLECTED.findall(log.read(_REPORT))
    return reported.count(found[-1]) if found else None


def _reaped(process: subprocess.Popen[bytes]) -> Reaped:
    code = process.wait()
    return Reaped(-code if code < 0 else code << 8, 0)


@contextlib.contextmanager
def _losing() -> Iterator[None]:
    try:
        yield
    except OSError as err:  # somebody else reaped it
        raise SandboxError(f"a run in valgrind is gone: {err}") from err


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.sandbox.job import Sandbox

    _: Callable[..., Sandbox] = CountingSandbox
