"""The candidate's side of a job: reads it, runs the program, answers. Runs in the jail.

Nothing here is safe from the candidate, and nothing that is done after its code began depends
on it: whatever a candidate does to this module, it can only make its own answers wrong.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import io
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from gc import callbacks, collect, disable, enable, isenabled
from sys import setprofile, settrace
from types import CodeType, ModuleType
from typing import Any, NoReturn  # values of candidates

from evaluators.sandbox.child import error_status
from evaluators.sandbox.child.caller import tied
from evaluators.sandbox.child.interpreter import RESTING, Settings
from evaluators.sandbox.child.job_request import JOB_DESCRIPTOR, JobRequest, read_request
from evaluators.sandbox.child.loading import OURS
from evaluators.sandbox.frames import (
    ANSWER,
    COMPILED,
    GO,
    INPUT,
    KEEP_ERRORS,
    LEFT_BYTES,
    LOAD_APART,
    OUT_OF_MEMORY,
    OWN_CLASSES,
    SCALARS,
    SCRIPT,
    TIES,
    TO_THE_END,
    WHOLE,
    WHOLE_BYTES,
    FrameKind,
    read_exactly,
    write_all,
)
from evaluators.sandbox.isolation import ordinary
from se_agent.errors import WireError
from se_agent.wire import IMMUTABLE, Revival, dumps, loads

_IMMUTABLE = frozenset(map(id, IMMUTABLE))  # a hash of a class could be code of its metaclass
_TOOLS = range(6 if sys.version_info >= (3, 12) else 0)  # of `sys.monitoring`


class _Ended(BaseException):
    """The job is over; all of it goes to the parent: `whole` is what of `feedback` is cut."""

    def __init__(self, feedback: str, *, status: str = "RE", whole: str = "") -> None:
        self.feedback, self.status, self.whole = feedback, status, whole


def serve(settings: Settings, *, jailed: bool) -> NoReturn:
    """Do the job that waits at `JOB_DESCRIPTOR`, then end the process."""
    enable()  # the fork server runs without
    job = read_request(jailed)
    script, own = job.flags & SCRIPT, os.getpid()
    # Reading the names copies pages of the fork server: only who ends its program pays for it.
    there = frozenset(sys.modules if job.flags & TO_THE_END else ())
    try:
        if script:
            _run_script(job)
        if job.flags & TIES:
            settings.enter()
        _answer_calls(job, settings)
        if job.flags & TO_THE_END:
            _end_program(job, there)
    except _Ended as end:
        if os.getpid() != own:  # a script's child, which came to the end of the script, too
            os._exit(0)
        told = end.feedback.encode("utf-8", "backslashreplace")
        if end.whole:
            told += WHOLE + end.whole.encode("utf-8", "backslashreplace")[:WHOLE_BYTES]
        _send(job.nonce, FrameKind.END, end.status.encode(), told)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    # Ending takes CPU time, which would count: await the kill. A script, whose end counts,
    # waits until its memory was read.
    with contextlib.suppress(OSError):
        os.read(JOB_DESCRIPTOR, 1)
    os._exit(0)


def _send(nonce: bytes, kind: FrameKind, first: bytes = b"", second: bytes = b"") -> None:
    head = ANSWER.pack(nonce, kind, len(first), len(second))
    write_all(JOB_DESCRIPTOR, head, first, second)


def _send_all(nonce: bytes, frames: list[tuple[FrameKind, bytes, bytes]]) -> None:
    """Send frames, all in one go."""
    parts = [
        part
        for kind, body, more in frames
        for part in (ANSWER.pack(nonce, kind, len(body), len(more)), body, more)
    ]
    write_all(JOB_DESCRIPTOR, *parts)


def _compiled(job: JobRequest) -> CodeType:
    try:
        return compile(job.program, job.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, OverflowError) as err:
        raise _ended(err, job, "CE") from None


def _module(name: str) -> ModuleType:
    """Return a new module for the program, with the builtins that all but our modules have."""
    module = sys.modules[name] = ModuleType(name)
    module.__dict__["__builtins__"] = vars(builtins)
    return module


def _run_prelude(job: JobRequest, module: ModuleType) -> None:
    if job.prelude:
        code = compile(job.prelude, "prelude", "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102


def _ended(error: BaseException, job: JobRequest, status: str) -> _Ended:
    told = error_status.feedback(error, path=job.path, source=job.program)
    return _Ended(told, status=status, whole=error_status.whole_text(error, WHOLE_BYTES))


def _failed(error: BaseException, job: JobRequest) -> _Ended:
    if isinstance(error, MemoryError):
        os._exit(OUT_OF_MEMORY)
    return _ended(error, job, error_status.status_of(error, jailed=job.jailed))


def _answer_calls(job: JobRequest, settings: Settings) -> None:
    # All that runs between two readings of the clock is held in locals, and the first inputs
    # are decoded before the candidate's code runs: the empty program pays as much for them.
    # Where loading does not count, there is none yet that the candidate could work on
    # meanwhile. Values of the program's own classes can only be made once these exist, and are
    # made sooner where a candidate declares them otherwise: that is told apart, too.
    take, call, changed, send, wait = _inputs, _call, _changed, _send_all, read_exactly
    unhook = _unhook
    decode: Callable[[bytes], Any] = loads
    rests, left = settings.rests, partial(_left, settings)
    own = job.flags & OWN_CLASSES
    if job.flags & LOAD_APART:
        entry_point = _load(job)
        decode = _reviving(job, entry_point) if own else decode
        unhook()
        send(job.nonce, [(FrameKind.LOADED, b"", b"")])
        given = take(job.group, decode)
    else:
        given = take(job.group, decode)
        entry_point = _load(job)
    budget, scalars, resting = job.room, job.flags & SCALARS, False
    for number in range(0, job.inputs, job.group):
        if number:
            given = take(min(job.group, job.inputs - number), decode)
        if own:
            send(job.nonce, [(FrameKind.GIVEN, b"", b"")])
            wait(JOB_DESCRIPTOR, len(GO))
        frames = [call(entry_point, arguments, job) for arguments, _ in given]
        resting = resting or rests()
        last = number + job.group >= job.inputs
        told = [(FrameKind.LEFT, left(job, resting), b"")] if last else []
        unhook()
        budget -= sum(len(value) + len(ties) for _, value, ties in frames)
        if budget < 0:
            return send(job.nonce, [(FrameKind.TOO_LARGE, b"", b"")])
        send(job.nonce, [*frames, *told])
        if scalars:
            continue
        wait(JOB_DESCRIPTOR, len(GO))
        frames = [(FrameKind.ARGUMENTS, changed(args, data, job), b"") for args, data in given]
        budget -= sum(len(after) for _, after, _ in frames)
        if budget < 0:
            return send(job.nonce, [(FrameKind.TOO_LARGE, b"", b"")])
        send(job.nonce, frames)
    return None


def _end_program(job: JobRequest, there: frozenset[str]) -> None:
    """End as Python does: what a program put off until then is done, and counts.

    Nothing of ours holds its module now, nor those that came with it. The collector runs what
    objects do at their end before it clears any of them, so they find all that they need.

    Args:
        job: The job that ends.
        there: Names of the modules that were there before its program.
    """
    read_exactly(JOB_DESCRIPTOR, len(GO))
    _run_exit_functions()
    for name in [*sys.modules]:
        if name not in there:
            sys.modules.pop(name, None)
    collect()
    _send(job.nonce, FrameKind.RELEASED)


def _left(settings: Settings, job: JobRequest, resting: bool) -> bytes:
    """Return what a program leaves changed; all of it only where no time is compared."""
    lines = [*([RESTING] if resting else []), *(settings.left() if job.flags & TIES else [])]
    return "\n".join(lines).encode("utf-8", "backslashreplace")[:LEFT_BYTES]


def hide() -> None:
    """Leave no module of ours by name: patching one would be patching what is measured.

    Called before the first job; what is running keeps what it holds.
    """
    for name in [*sys.modules]:
        if name.partition(".")[0] in OURS:
            del sys.modules[name]


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
            raise _Ended(f"the input cannot be given: {err}") from None
        except BaseException as err:  # noqa: BLE001  (such as a hash of the candidate's)
            raise _failed(err, job) from None

    return decoded


def _load(job: JobRequest) -> Any:
    module = _module(ordinary.MODULE)
    module.__file__ = job.path
    begin = time.process_time()
    code = _compiled(job)
    # None of its code has run in this process: this is the last of our words to be believed.
    _send(job.nonce, FrameKind.READY, COMPILED.pack(time.process_time() - begin))
    try:
        _run_prelude(job, module)
        exec(code, module.__dict__)  # noqa: S102
        return module.__dict__[job.entry_point]
    except KeyError as err:
        if err.args == (job.entry_point,):
            raise _Ended(f"the program defines no {job.entry_point!r}") from None
        raise _failed(err, job) from None
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        raise _failed(err, job) from None


def _call(entry_point: Any, arguments: Any, job: JobRequest) -> tuple[FrameKind, bytes, bytes]:
    try:
        value = entry_point(*arguments)
        return (
            FrameKind.VALUE,
            _written(value),
            _tied(value, arguments) if job.flags & TIES else b"",
        )
    except WireError as err:
        raise _Ended(f"{err} in the returned value") from None
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        if not (job.flags & KEEP_ERRORS and isinstance(err, Exception)):
            raise _failed(err, job) from None
        if (
            isinstance(err, MemoryError)
            or error_status.status_of(err, jailed=job.jailed) != "RE"
        ):
            raise _failed(err, job) from None
        told = (error_status.brief(err), error_status.lineage(err))
        text, classes = (one.encode("utf-8", "backslashreplace") for one in told)
        return FrameKind.ERROR, text, classes


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
        raise _Ended(f"{err} in the arguments after the call") from None
    except BaseException as err:  # noqa: BLE001  (such as a property of the candidate's)
        raise _failed(err, job) from None
    return b"" if after == data else after


def _run_script(job: JobRequest) -> NoReturn:
    main = _module("__main__")
    main.__file__ = job.path
    sys.argv = [job.path]
    sys.stdin = sys.__stdin__ = _stream(0, "r")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w")  # type: ignore[misc]
    code = _compiled(job)
    _send(
        job.nonce, FrameKind.READY, COMPILED.pack(0.0)
    )  # from here on nothing says that it is not
    end = _executed(code, main, job)
    try:
        _finish(main)
    except OSError as err:
        end = end if end.status != "AC" else _failed(err, job)
    raise end


def _executed(code: CodeType, main: ModuleType, job: JobRequest) -> _Ended:
    """Run a script; nothing of its frames is left when this returns."""
    try:
        _run_prelude(job, main)
        exec(code, main.__dict__)  # noqa: S102
    except SystemExit as err:
        if err.code not in (None, 0):
            return _Ended(f"exit code {str(err.code)[:200]}")
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        return _failed(err, job)
    return _Ended(feedback="", status="AC")


def _stream(descriptor: int, mode: str) -> io.TextIOWrapper:
    return open(  # type: ignore[return-value]
        descriptor, mode, encoding="utf-8", errors="surrogateescape", closefd=False
    )


def _run_exit_functions() -> None:
    if (threading := sys.modules.get("threading")) is not None:
        threading._shutdown()  # noqa: SLF001  (waits for threads)
    atexit._run_exitfuncs()  # noqa: SLF001


def _finish(main: ModuleType) -> None:
    """End as Python does, which `os._exit` would skip: files that are left open get flushed."""
    _run_exit_functions()
    _flush()
    main.__dict__.clear()
    collect()
    _flush()


def _flush() -> None:
    for name in ("stdout", "__stdout__", "stderr", "__stderr__"):
        with contextlib.suppress(AttributeError, ValueError):  # None, closed or detached
            getattr(sys, name).flush()
