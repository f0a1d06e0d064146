"""The answers of a job: inputs are read, the entry point is called, and frames go back.

A part of what runs beside a candidate (`entry`), and believed as little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from gc import callbacks, collect, disable, enable, isenabled
from sys import setprofile, settrace
from typing import Any  # values of candidates

from evaluators.sandbox.child import error_status
from evaluators.sandbox.child.caller import tied
from evaluators.sandbox.child.interpreter import RESTING, Settings
from evaluators.sandbox.child.job_request import JOB_DESCRIPTOR, JobRequest
from evaluators.sandbox.frames import (
    ANSWER,
    GO,
    INPUT,
    KEEP_ERRORS,
    LEFT_BYTES,
    LOAD_APART,
    OUT_OF_MEMORY,
    OWN_CLASSES,
    SCALARS,
    TIES,
    WHOLE_BYTES,
    FrameKind,
    read_exactly,
    write_all,
)
from se_agent.errors import WireError
from se_agent.wire import IMMUTABLE, Revival, dumps, loads

Told = tuple[FrameKind, bytes, bytes]
_Done = tuple[bool, Any]  # whether a call failed; what it gave, or its exception
_IMMUTABLE = frozenset(map(id, IMMUTABLE))  # a hash of a class could be code of its metaclass
_TOOLS = range(6 if sys.version_info >= (3, 12) else 0)  # of `sys.monitoring`


class JobEnded(BaseException):
    """The job is over; all of it goes to the parent: `whole` is what of `feedback` is cut."""

    def __init__(self, feedback: str, *, status: str = "RE", whole: str = "") -> None:
        self.feedback, self.status, self.whole = feedback, status, whole


def send(nonce: bytes, kind: FrameKind, first: bytes = b"", second: bytes = b"") -> None:
    """Send one frame."""
    head = ANSWER.pack(nonce, kind, len(first), len(second))
    write_all(JOB_DESCRIPTOR, head, first, second)


def send_all(nonce: bytes, frames: list[tuple[FrameKind, bytes, bytes]]) -> None:
    """Send frames, all in one go."""
    parts = [
        part
        for kind, body, more in frames
        for part in (ANSWER.pack(nonce, kind, len(body), len(more)), body, more)
    ]
    write_all(JOB_DESCRIPTOR, *parts)


def ended(error: BaseException, job: JobRequest, status: str) -> JobEnded:
    """Return the end of a job by an exception of the candidate's."""
    told = error_status.feedback(error, path=job.path, source=job.program)
    return JobEnded(told, status=status, whole=error_status.whole_text(error, WHOLE_BYTES))


def failed(error: BaseException, job: JobRequest) -> JobEnded:
    """Return the same, with the status that such an exception has."""
    if isinstance(error, MemoryError):
        os._exit(OUT_OF_MEMORY)
    return ended(error, job, error_status.status_of(error, jailed=job.jailed))


def answer_calls(
    job: JobRequest, settings: Settings, load: Callable[[JobRequest], Any]
) -> None:
    """Load the program and answer all inputs, a group at a time."""
    if job.warm:
        _answer_apart(job, settings, load)
    else:
        _answer_all(job, settings, load)


def _answer_all(job: JobRequest, settings: Settings, load: Callable[[JobRequest], Any]) -> None:
    # All that runs between two readings of the clock is held in locals, and the first inputs
    # are decoded before the candidate's code runs: the empty program pays as much for them.
    # Where loading does not count, there is none yet that the candidate could work on
    # meanwhile. Values of the program's own classes can only be made once these exist, and are
    # made sooner where a candidate declares them otherwise: that is told apart, too.
    take, call, changed, tell, wait = _inputs, _call, _changed, send_all, read_exactly
    unhook = _unhook
    decode: Callable[[bytes], Any] = loads
    rests, left = settings.rests, partial(_left, settings)
    own = job.flags & OWN_CLASSES
    if job.flags & LOAD_APART:
        entry_point = load(job)
        decode = _reviving(job, entry_point) if own else decode
        unhook()
        tell(job.nonce, [(FrameKind.LOADED, b"", b"")])
        given = take(job.group, decode)
    else:
        given = take(job.group, decode)
        entry_point = load(job)
    budget, scalars, resting = job.room, job.flags & SCALARS, False
    for number in range(0, job.inputs, job.group):
        if number:
            given = take(min(job.group, job.inputs - number), decode)
        if own:
            tell(job.nonce, [(FrameKind.GIVEN, b"", b"")])
            wait(JOB_DESCRIPTOR, len(GO))
        frames = [call(entry_point, arguments, job) for arguments, _ in given]
        resting = resting or rests()
        last = number + job.group >= job.inputs
        told = [(FrameKind.LEFT, left(job, resting), b"")] if last else []
        unhook()
        budget -= sum(len(value) + len(ties) for _, value, ties in frames)
        if budget < 0:
            return tell(job.nonce, [(FrameKind.TOO_LARGE, b"", b"")])
        tell(job.nonce, [*frames, *told])
        if scalars:
            continue
        wait(JOB_DESCRIPTOR, len(GO))
        frames = [(FrameKind.ARGUMENTS, changed(args, data, job), b"") for args, data in given]
        budget -= sum(len(after) for _, after, _ in frames)
        if budget < 0:
            return tell(job.nonce, [(FrameKind.TOO_LARGE, b"", b"")])
        tell(job.nonce, frames)
    return None


def _answer_apart(
    job: JobRequest, settings: Settings, load: Callable[[JobRequest], Any]
) -> None:
    """Answer so that the parent can tell the calls from all that is done beside them.

    Before each group of calls, and after it, this process waits until the clock was read. What
    the calls gave is written down after them, and released with the next ones: releasing it
    is work of the program. After the last group it is released beside the calls, and no input
    is read: what a candidate does only then for earlier calls is done for these as well.
    """
    take, call, wait, tell, written = _inputs, _called, read_exactly, send_all, _frames
    unhook, rests, left = _unhook, settings.rests, partial(_left, settings)
    entry_point = load(job)
    decode = _reviving(job, entry_point) if job.flags & OWN_CLASSES else loads
    unhook()
    tell(job.nonce, [(FrameKind.LOADED, b"", b"")])
    budget, resting, done = job.room, False, list[_Done]()
    for begin, end in job.groups():
        given = take(end - begin, decode)
        tell(job.nonce, [(FrameKind.GIVEN, b"", b"")])
        wait(JOB_DESCRIPTOR, len(GO))
        del done[:]
        done = [call(entry_point, arguments, job) for arguments, _ in given]
        resting = resting or rests()
        unhook()
        tell(job.nonce, [(FrameKind.CALLED, b"", b"")])
        wait(JOB_DESCRIPTOR, len(GO))
        last = [(FrameKind.LEFT, left(job, resting), b"")] if end == job.inputs else []
        frames = written(done, given, last, job)
        budget -= sum(len(first) + len(second) for _, first, second in frames)
        if budget < 0:
            return tell(job.nonce, [(FrameKind.TOO_LARGE, b"", b"")])
        if last:
            del done[:]
            take(0, decode)
        tell(job.nonce, frames)
    return None


def _called(entry_point: Any, arguments: Any, job: JobRequest) -> _Done:
    """Return what a call gives, or how it fails, where that is an answer."""
    try:
        return False, entry_point(*arguments)
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        if not _is_kept(err, job):
            raise failed(err, job) from None
        return True, err


def _frames(
    done: list[_Done], given: list[tuple[Any, bytes]], last: list[Told], job: JobRequest
) -> list[Told]:
    """Write down a group of answers, and what became of their arguments."""
    frames = [_failure(one) if fell else _value(one, (), job) for fell, one in done]
    if job.flags & SCALARS:
        return [*frames, *last]
    after = [(FrameKind.ARGUMENTS, _changed(args, data, job), b"") for args, data in given]
    return [*frames, *last, *after]


def _left(settings: Settings, job: JobRequest, resting: bool) -> bytes:
    """Return what a program leaves changed; all of it only where no time is compared."""
    lines = [*([RESTING] if resting else []), *(settings.left() if job.flags & TIES else [])]
    return "\n".join(lines).encode("utf-8", "backslashreplace")[:LEFT_BYTES]


def _inputs(count: int, decode: Callable[[bytes], Any]) -> list[tuple[Any, bytes]]:
    """Read inputs: each as arguments, and as it came.

    The collector rests meanwhile, and has then seen all that is new: to a program that put it
    out of work, reading would else be cheaper than to the empty one, and so its calls.
    """
    found, on = [], isenabled()
    disable()
    del callbacks[:]  # of the candidate: they would run in our collection
    for _ in range(count):
        (length,) = INPUT.unpack(read_exactly(JOB_DESCRIPTOR, INPUT.size))
        data = bytes(read_exactly(JOB_DESCRIPTOR, length))
        found.append((decode(data), data))
    collect(0)
    if on:
        enable()
    return found


def _unhook() -> None:
    """Take away what a candidate has hooked into all that runs: from here on we run."""
    setprofile(None)
    settrace(None)
    for tool in _TOOLS:
        if sys.monitoring.get_tool(tool) is not None:  # type: ignore[attr-defined]
            sys.monitoring.set_events(tool, 0)  # type: ignore[attr-defined]


def _written(value: Any) -> bytes:
    """Encode a value; the collector rests, whatever the program made of it."""
    on = isenabled()
    disable()
    try:
        return dumps(value)
    finally:
        if on:
            enable()


def _reviving(job: JobRequest, entry_point: Any) -> Callable[[bytes], Any]:
    home, name = (str(getattr(entry_point, n, "")) for n in ("__module__", "__name__"))
    revival = Revival(home, name)

    def decoded(data: bytes) -> Any:
        try:
            return revival.of(loads(data))
        except WireError as err:
            raise JobEnded(f"the input cannot be given: {err}") from None
        except BaseException as err:  # noqa: BLE001  (such as a hash of the candidate's)
            raise failed(err, job) from None

    return decoded


def _call(entry_point: Any, arguments: Any, job: JobRequest) -> Told:
    try:
        value = entry_point(*arguments)
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        if not _is_kept(err, job):
            raise failed(err, job) from None
        return _failure(err)
    return _value(value, arguments, job)


def _is_kept(err: BaseException, job: JobRequest) -> bool:
    """Say whether an exception is an answer."""
    if not (job.flags & KEEP_ERRORS and isinstance(err, Exception)):
        return False
    own = error_status.status_of(err, jailed=job.jailed) == "RE"
    return own and not isinstance(err, MemoryError)


def _failure(err: Any) -> Told:
    told = (error_status.brief(err), error_status.lineage(err))
    text, classes = (one.encode("utf-8", "backslashreplace") for one in told)
    return FrameKind.ERROR, text, classes


def _value(value: Any, arguments: Any, job: JobRequest) -> Told:
    try:
        ties = _tied(value, arguments) if job.flags & TIES else b""
        return FrameKind.VALUE, _written(value), ties
    except WireError as err:
        raise JobEnded(f"{err} in the returned value") from None
    except BaseException as err:  # noqa: BLE001  (such as a property of the candidate's)
        raise failed(err, job) from None


def _tied(value: Any, arguments: Any) -> bytes:
    """Describe what a value shares with the arguments; a class may refuse to be looked into."""
    try:
        found = tied(value, arguments)
        return dumps(found) if found else b""
    except Exception:  # noqa: BLE001  (a property of the candidate's, or a key that cannot cross)
        return b""


def _changed(arguments: tuple[Any, ...], data: bytes, job: JobRequest) -> bytes:
    if all(id(type(argument)) in _IMMUTABLE for argument in arguments):
        return b""
    try:
        after = _written(arguments)
    except WireError as err:
        raise JobEnded(f"{err} in the arguments after the call") from None
    except BaseException as err:  # noqa: BLE001  (such as a property of the candidate's)
        raise failed(err, job) from None
    return b"" if after == data else after
