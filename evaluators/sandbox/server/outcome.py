"""How a job ended: from what was said, how the process ended, and what a script wrote."""

from __future__ import annotations

import contextlib
import os
import signal
from functools import partial
from typing import Self

from evaluators.sandbox.ends import ends_of_descriptor, streams
from evaluators.sandbox.frames import OUT_OF_MEMORY, write_all
from evaluators.sandbox.job import Job, JobAnswer, JobOutcome
from evaluators.sandbox.server.connection import Reaped
from evaluators.sandbox.server.exchange import Talk, too_large
from evaluators.sandbox.server.running import ProcessSpent
from se_agent.values.evaluation import Status

_STDERR_BYTES = 2000
_WITHOUT_MEMORY = ("std::bad_alloc", "memory allocation of ")
"""What compiled programs say before they are aborted, in C++ and Rust."""

_WITHOUT_HEAP = ("JavaScript heap out of memory", "java.lang.OutOfMemoryError")
"""What run times say when the heap that they were given is full; much may follow."""
_LONG_BYTES = 64 << 10


class ScriptFiles:
    """Standard input, output and error of a script: files in memory, as behind `< >`.

    A file needs no pumping, so the script's time does not depend on ours, and its size is
    capped by the kernel.
    """

    def __init__(self, job: Job) -> None:
        self._limit = job.limits.output_bytes
        self.descriptors: list[int] = []
        with contextlib.ExitStack() as undone:
            undone.callback(self.__exit__)
            for name in ("stdin", "stdout", "stderr"):
                self.descriptors.append(os.memfd_create(name))
            write_all(self.descriptors[0], job.inputs[0])
            os.lseek(self.descriptors[0], 0, os.SEEK_SET)
            undone.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)

    def output(self) -> bytes:
        """Return standard output, up to the limit."""
        size = min(os.fstat(self.descriptors[1]).st_size, self._limit)
        return os.pread(self.descriptors[1], size, 0)

    def printed(self) -> str:
        """Return what was printed, or both ends of it, complaints first."""
        _, out, err = self.descriptors
        sizes = os.fstat(err).st_size, os.fstat(out).st_size
        return streams(
            partial(ends_of_descriptor, err), partial(ends_of_descriptor, out), sizes
        )

    def error_tail(self, most: int = _STDERR_BYTES) -> str:
        """Return the end of standard error."""
        size = os.fstat(self.descriptors[2]).st_size
        tail = os.pread(self.descriptors[2], most, max(0, size - most))
        return tail.decode("utf-8", "backslashreplace").strip()


def outcome_of(
    job: Job,
    talk: Talk,
    files: ScriptFiles | None,
    spent: ProcessSpent,
    reaped: Reaped,
) -> JobOutcome:
    """Put together what was said, what was seen from outside, and what a script wrote."""
    status, answers, feedback, left, whole = talk
    cpu_seconds = spent.cpu_seconds
    if status is None:
        status, feedback = _verdict_of(reaped.status, ended_well=files is not None)
    if files and status in (Status.AC, Status.RE):
        output = files.output()
        if len(output) >= job.limits.output_bytes:
            status, feedback = Status.RE, too_large(job)
        answers = (JobAnswer(value=output),)
        tail = files.error_tail() if status is Status.RE else ""
        feedback = "\n".join(filter(None, (feedback, tail)))
        if job.executable is not None and any(words in tail for words in _WITHOUT_MEMORY):
            status, answers = Status.MLE, ()
        full = _full_heap(job, files) if status is Status.RE else ""
        if full:
            status, answers, feedback = Status.MLE, (), f"out of memory: {full}"
    if status is Status.AC:
        status, feedback = (
            (Status.AC, "")
            if len(answers) == len(job.inputs)
            else (Status.RE, "ended before the last answer")
        )
    if status is not Status.MLE and cpu_seconds > job.limits.cpu_seconds:
        status = Status.TLE
        feedback = f"used more than {job.limits.cpu_seconds:.3g} s of CPU time"
    if files and status is not Status.AC:
        said = files.printed()
        told = said.removeprefix("standard error:\n").strip() in feedback
        whole = whole if told else "\n".join(filter(None, (whole, said)))
    return JobOutcome(
        status=status,
        answers=answers,
        cpu_seconds=cpu_seconds,
        after_seconds=spent.after_seconds,
        loading_seconds=spent.loading_seconds,
        giving_seconds=spent.giving_seconds,
        compiling_seconds=spent.compiling_seconds,
        first_seconds=spent.first_seconds,
        calls_seconds=spent.calls_seconds,
        peak_bytes=reaped.peak_bytes,
        feedback=feedback,
        left=left,
        full_output=whole,
    )


def _full_heap(job: Job, files: ScriptFiles) -> str:
    """Return what a run time said of its heap before it gave up, or nothing."""
    if job.executable is None:
        return ""
    said = files.error_tail(_LONG_BYTES)
    return next((words for words in _WITHOUT_HEAP if words in said), "")


def _verdict_of(wait_status: int, *, ended_well: bool) -> tuple[Status, str]:
    """Judge a child that ended without a word."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        return Status.RE, f"killed by signal {number} ({signal.strsignal(number)})"
    code = os.WEXITSTATUS(wait_status)
    if code == OUT_OF_MEMORY:
        return Status.MLE, "out of memory"
    if code == 0 and ended_well:
        return Status.AC, ""
    return Status.RE, f"the process ended by itself with exit code {code}"
