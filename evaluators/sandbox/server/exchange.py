"""What is said with one child, from the parent's side: a job goes in, answers come out.

Nothing that a child says is believed beyond its own loss, but for what compiling took, which
it says before any code of the program has run; what its silence means is for `outcome` to say.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import NamedTuple

from evaluators import reported
from evaluators.sandbox.frames import (
    COMPILED,
    GO,
    INPUT,
    JOB,
    KEEP_ERRORS,
    LOAD_APART,
    OWN_CLASSES,
    SCALARS,
    SCRIPT,
    TIES,
    TIES_BYTES,
    TO_THE_END,
    WHOLE,
    WHOLE_BYTES,
    FrameKind,
)
from evaluators.sandbox.job import Job, JobAnswer, Mode
from evaluators.sandbox.server.running import (
    ClosedError,
    ForgedError,
    Frame,
    OverrunError,
    Running,
)
from se_agent.values.evaluation import Status

_ANSWERS = frozenset({FrameKind.VALUE, FrameKind.ERROR})
_AFTER = frozenset({FrameKind.ARGUMENTS})
_UNCHANGED = Frame(FrameKind.ARGUMENTS, b"", b"")

_FORGED = "wrote to the answers' channel itself"
_FEEDBACK_BYTES = 2000
_LINEAGE_BYTES = 1 << 18  # all of it is compared
_COMPILING = 0.01  # CPU seconds for a text at most; 20 kB of it take that long


class Talk(NamedTuple):
    """What came of talking to a child; `status` None: see how the process ended.

    `whole` has what of the feedback is cut.
    """

    status: Status | None
    answers: tuple[JobAnswer, ...] = ()
    feedback: str = ""
    left: tuple[str, ...] = ()
    whole: str = ""


def described(job: Job, nonce: bytes) -> bytes:
    """Return what a child reads first: the job, and the first input of a CALL.

    An input that must not be there while the program is loaded comes later.
    """
    flags = SCRIPT * (job.mode is Mode.STDIO) | KEEP_ERRORS * job.keep_errors
    flags |= LOAD_APART * job.loads_first | SCALARS * job.scalars
    flags |= OWN_CLASSES * job.own_classes | TIES * job.ties | TO_THE_END * job.to_the_end
    texts = [
        text.encode("utf-8", "surrogatepass")
        for text in (job.path, job.entry_point, job.prelude, job.program)
    ]
    sizes = map(len, texts)
    counts = len(job.inputs), job.group, job.warm
    head = JOB.pack(nonce, flags, *counts, job.limits.output_bytes, *sizes)
    given = job.mode is Mode.CALL and not job.loads_first
    first = _framed(job.inputs[: job.group]) if given else b""
    return b"".join([head, *texts, first])


def _framed(inputs: Sequence[bytes]) -> bytes:
    return b"".join(part for data in inputs for part in (INPUT.pack(len(data)), data))


def call(child: Running, job: Job) -> Talk:
    """Give a group of inputs at a time, and take their answers."""
    answers: list[JobAnswer] = []
    left: tuple[str, ...] = ()
    try:
        if (begun := _compiled(child)).kind is not FrameKind.READY:
            return _ended(begun) if begun.kind is FrameKind.END else _last(begun)
        if job.loads_first and (begun := _loaded(child)).kind is not FrameKind.LOADED:
            return _last(begun)
        for group in job.groups:
            if (unready := _begun(child, job, group, len(answers))) is not None:
                return _last(unready, tuple(answers))
            last = len(answers) + len(group) == len(job.inputs)
            said = child.receive(len(group) + last, _ANSWERS)
            if last and len(said) > len(group) and said[-1].kind is FrameKind.LEFT:
                left = tuple(_text(said.pop().first).splitlines())
            elif last or said[-1].kind not in _ANSWERS:
                return _unanswered(said[-1], job, tuple(answers))
            after = _after(child, job, len(group))
            if after[-1].kind is not FrameKind.ARGUMENTS:
                return _unanswered(after[-1], job, tuple(answers))
            answers += map(_answer, said, after)
        if job.to_the_end and _released(child).kind is not FrameKind.RELEASED:
            return Talk(Status.REJECTED, tuple(answers), _FORGED)
    except ClosedError:
        return Talk(None, tuple(answers))
    except OverrunError as err:
        return Talk(Status.TLE, tuple(answers), str(err))
    except ForgedError:
        return Talk(Status.REJECTED, tuple(answers), _FORGED)
    return Talk(Status.AC, tuple(answers), left=left)


def _begun(child: Running, job: Job, group: Sequence[bytes], done: int) -> Frame | None:
    """Give a group, and have it called where calls are apart; return a frame that ends it."""
    if not (job.own_classes or job.warm):
        if done or job.load_apart:
            child.post(_framed(group))
        return None
    frame, awaited = _given(child, group), FrameKind.GIVEN
    if frame.kind is awaited and job.warm:
        frame, awaited = _called(child, first=done < job.warm), FrameKind.CALLED
    if frame.kind is not awaited:
        return frame
    child.post(GO)
    return None


def _called(child: Running, *, first: bool) -> Frame:
    """Have a child call its entry point for a group of inputs that it has read; it waits then.

    Those that come `first` are apart from all others. What the process does while its clock is
    read lies in no call, and is no less its own: it is in the whole.
    """
    observed = child.observed
    before, moment, delayed = child.cpu_seconds(), time.monotonic(), observed.delayed()
    child.post(GO)
    (frame,) = child.receive()
    after = child.cpu_seconds()
    observed.sample(after)
    if first:
        child.calls_seconds, observed.calls = 0.0, 0.0
        child.first_seconds = max(0.0, after - child.compiling_seconds)
        observed.first = max(0.0, observed.elapsed() - child.compiling_seconds)
    else:
        child.calls_seconds = (child.calls_seconds or 0.0) + after - before
        observed.calls = (observed.calls or 0.0) + time.monotonic() - moment
        observed.delayed_calls += observed.delayed() - delayed
    return frame


def _after(child: Running, job: Job, count: int) -> list[Frame]:
    """Read what became of the arguments of so many calls."""
    if job.scalars:
        return [_UNCHANGED] * count
    return child.receive(count, _AFTER) if job.warm else child.after(count)


def _compiled(child: Running) -> Frame:
    """Read what compiling took: the child says so before any code of the program has run.

    Who uses a module compiles it once, and has the code from then on. But compiling leaves
    memory behind that the program need not ask for: half a megabyte of dead text made another
    program 7 % faster. So what takes longer than honest texts do counts.
    """
    (frame,) = child.receive()
    if frame.kind is FrameKind.READY:
        if len(frame.first) != COMPILED.size:
            raise ForgedError
        (told,) = COMPILED.unpack(frame.first)
        child.compiling_seconds = reported.seconds(told, _COMPILING)
    return frame


def _loaded(child: Running) -> Frame:
    """Read the frame that ends loading, and the clock then: the child waits for its input."""
    (frame,) = child.receive()
    child.loading_seconds = max(0.0, child.cpu_seconds() - child.compiling_seconds)
    child.observed.loading = max(0.0, child.observed.elapsed() - child.compiling_seconds)
    child.observed.delayed_apart = child.observed.delayed()
    return frame


def _unanswered(frame: Frame, job: Job, answers: tuple[JobAnswer, ...]) -> Talk:
    """Read a frame that stands where an answer is due, or what became of arguments."""
    if frame.kind is FrameKind.TOO_LARGE:
        return Talk(Status.RE, answers, too_large(job))
    return _last(frame, answers)


def _given(child: Running, inputs: Sequence[bytes]) -> Frame:
    """Send inputs that are made before the clock is read; making them is no part of a call."""
    before, moment = child.cpu_seconds(), time.monotonic()
    delayed = child.observed.delayed()
    child.post(_framed(inputs))
    (frame,) = child.receive()
    child.giving_seconds += child.cpu_seconds() - before
    child.observed.giving += time.monotonic() - moment
    child.observed.delayed_apart += child.observed.delayed() - delayed
    return frame


def _released(child: Running) -> Frame:
    """Have the program end; until here it waits, so this is in no part but the whole."""
    child.post(GO)
    (frame,) = child.receive()
    return frame


def _last(said: Frame, answers: tuple[JobAnswer, ...] = ()) -> Talk:
    """Read a frame after which nothing can come: it has to be the child's own account."""
    if said.kind is FrameKind.END:
        told = _ended(said, answers)
        # It was compiled: what says otherwise is the program, and not our code.
        return told._replace(status=Status.RE) if told.status is Status.CE else told
    return Talk(Status.REJECTED, answers, _FORGED)


def _answer(said: Frame, after: Frame) -> JobAnswer:
    if said.kind is FrameKind.VALUE:
        ties = said.second if len(said.second) <= TIES_BYTES else b""
        return JobAnswer(value=said.first, arguments=after.first, ties=ties)
    error = _text(said.first)
    lineage = said.second[:_LINEAGE_BYTES].decode("utf-8", "backslashreplace")
    return JobAnswer(error=error, lineage=lineage, arguments=after.first)


def _text(told: bytes) -> str:
    """Return what a child says of itself, cut."""
    return told[:_FEEDBACK_BYTES].decode("utf-8", "backslashreplace")


def run_script(child: Running) -> Talk:
    """Wait for a script to say how it ended, and to end."""
    try:
        with contextlib.suppress(ClosedError):
            begun = _compiled(child)
            said = child.receive()[0] if begun.kind is FrameKind.READY else begun
            child.observed.settle(child.cpu_seconds())
            child.post(GO)
            child.wait_end()
            return _ended(begun) if begun.kind is FrameKind.END else _last(said)
        child.wait_end()
    except OverrunError as err:
        return Talk(Status.TLE, (), str(err))
    except ForgedError:
        return Talk(Status.REJECTED, (), _FORGED)
    return Talk(None)


def _ended(said: Frame, answers: tuple[JobAnswer, ...] = ()) -> Talk:
    """Read a child's own account of its end: whatever it says, it says against itself."""
    known = {s.value.encode(): s for s in Status if s is not Status.WA}
    cut, _, rest = said.second.partition(WHOLE)
    status, text = known.get(said.first, Status.RE), _text(cut) or "no reason given"
    whole = rest[:WHOLE_BYTES].decode("utf-8", "backslashreplace")
    return Talk(status, answers, text, whole=whole)


def too_large(job: Job) -> str:
    """Return the feedback for answers that would break the cap."""
    return f"answer larger than {job.limits.output_bytes} bytes"
