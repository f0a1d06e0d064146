"""What is said with one child, from the parent's side: a job goes in, answers come out.

Nothing that a child says is believed beyond its own loss; what its silence means is `ending`'s.
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from evaluators.sandbox.frames import INPUT, JOB, KEEP_ERRORS, SCRIPT, Kind
from evaluators.sandbox.job import Answer, Job, Mode
from evaluators.sandbox.running import ClosedError, ForgedError, Frame, OverrunError, Running
from se_agent.types import Status

_FORGED = "wrote to the answers' channel itself"
_FEEDBACK_BYTES = 2000


class Talk(NamedTuple):
    """What came of talking to a child; `status` None: see how the process ended."""

    status: Status | None
    answers: tuple[Answer, ...] = ()
    feedback: str = ""


def described(job: Job, nonce: bytes) -> bytes:
    """Return what a child reads first: the job, and the first input of a CALL."""
    flags = SCRIPT * (job.mode is Mode.STDIO) | KEEP_ERRORS * job.keep_errors
    texts = [
        text.encode("utf-8", "surrogatepass")
        for text in (job.path, job.entry_point, job.prelude, job.program)
    ]
    sizes = map(len, texts)
    head = JOB.pack(nonce, flags, len(job.inputs), job.limits.output_bytes, *sizes)
    first = _framed(job.inputs[0]) if job.mode is Mode.CALL else b""
    return b"".join([head, *texts, first])


def _framed(data: bytes) -> bytes:
    return INPUT.pack(len(data)) + data


def call(child: Running, job: Job) -> Talk:
    """Give one input at a time, and take its answer."""
    answers: list[Answer] = []
    try:
        for data in job.inputs:
            if answers:
                child.post(_framed(data))
            said = child.receive()
            after = child.after() if said.kind in (Kind.VALUE, Kind.ERROR) else said
            if after.kind is Kind.TOO_LARGE:
                return Talk(Status.RE, tuple(answers), too_large(job))
            if after.kind is Kind.END:
                return _ended(after.first, after.second, tuple(answers))
            if after is said or after.kind is not Kind.ARGUMENTS:
                return Talk(Status.REJECTED, tuple(answers), _FORGED)
            answers.append(_answer(said, after))
    except ClosedError:
        return Talk(None, tuple(answers))
    except OverrunError as err:
        return Talk(Status.TLE, tuple(answers), str(err))
    except ForgedError:
        return Talk(Status.REJECTED, tuple(answers), _FORGED)
    return Talk(Status.AC, tuple(answers))


def _answer(said: Frame, after: Frame) -> Answer:
    if said.kind is Kind.VALUE:
        return Answer(value=said.first, arguments=after.first)
    return Answer(error=said.first.decode("utf-8", "replace"), arguments=after.first)


def run_script(child: Running) -> Talk:
    """Wait for a script to say how it ended, and to end."""
    try:
        with contextlib.suppress(ClosedError):
            kind, first, second = child.receive()
            child.wait_end()
            return (
                _ended(first, second, ())
                if kind is Kind.END
                else Talk(Status.REJECTED, (), _FORGED)
            )
        child.wait_end()
    except OverrunError as err:
        return Talk(Status.TLE, (), str(err))
    except ForgedError:
        return Talk(Status.REJECTED, (), _FORGED)
    return Talk(None)


def _ended(status: bytes, feedback: bytes, answers: tuple[Answer, ...]) -> Talk:
    """Read a child's own account of its end: whatever it says, it says against itself."""
    known = {s.value.encode(): s for s in Status if s is not Status.WA}
    text = feedback[:_FEEDBACK_BYTES].decode("utf-8", "replace")
    return Talk(known.get(status, Status.RE), answers, text or "no reason given")


def too_large(job: Job) -> str:
    """Return the feedback for answers that would break the cap."""
    return f"answer larger than {job.limits.output_bytes} bytes"
