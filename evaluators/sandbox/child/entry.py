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
from gc import collect, enable
from types import CodeType, ModuleType
from typing import Any, NoReturn  # values of candidates

from evaluators.sandbox.child.answering import JobEnded, answer_calls, ended, failed, send
from evaluators.sandbox.child.interpreter import Settings
from evaluators.sandbox.child.job_request import JOB_DESCRIPTOR, JobRequest, read_request
from evaluators.sandbox.child.loading import OURS
from evaluators.sandbox.frames import (
    COMPILED,
    GO,
    OUT_OF_MEMORY,
    SCRIPT,
    TIES,
    TO_THE_END,
    WHOLE,
    WHOLE_BYTES,
    FrameKind,
    read_exactly,
)
from evaluators.sandbox.isolation import ordinary


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
        answer_calls(job, settings, _load)
        if job.flags & TO_THE_END:
            _end_program(job, there)
    except JobEnded as end:
        if os.getpid() != own:  # a script's child, which came to the end of the script, too
            os._exit(0)
        told = end.feedback.encode("utf-8", "backslashreplace")
        if end.whole:
            told += WHOLE + end.whole.encode("utf-8", "backslashreplace")[:WHOLE_BYTES]
        send(job.nonce, FrameKind.END, end.status.encode(), told)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    # Ending takes CPU time, which would count: await the kill. A script, whose end counts,
    # waits until its memory was read.
    with contextlib.suppress(OSError):
        os.read(JOB_DESCRIPTOR, 1)
    os._exit(0)


def _compiled(job: JobRequest) -> CodeType:
    try:
        return compile(job.program, job.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, OverflowError) as err:
        raise ended(err, job, "CE") from None


def _module(name: str) -> ModuleType:
    """Return a new module for the program, with the builtins that all but our modules have."""
    module = sys.modules[name] = ModuleType(name)
    module.__dict__["__builtins__"] = vars(builtins)
    return module


def _run_prelude(job: JobRequest, module: ModuleType) -> None:
    if job.prelude:
        code = compile(job.prelude, "prelude", "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102


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
    send(job.nonce, FrameKind.RELEASED)


def hide() -> None:
    """Leave no module of ours by name: patching one would be patching what is measured.

    Called before the first job; what is running keeps what it holds.
    """
    for name in [*sys.modules]:
        if name.partition(".")[0] in OURS:
            del sys.modules[name]


def _load(job: JobRequest) -> Any:
    module = _module(ordinary.MODULE)
    module.__file__ = job.path
    begin = time.process_time()
    code = _compiled(job)
    # None of its code has run in this process: this is the last of our words to be believed.
    send(job.nonce, FrameKind.READY, COMPILED.pack(time.process_time() - begin))
    try:
        _run_prelude(job, module)
        exec(code, module.__dict__)  # noqa: S102
        return module.__dict__[job.entry_point]
    except KeyError as err:
        if err.args == (job.entry_point,):
            raise JobEnded(f"the program defines no {job.entry_point!r}") from None
        raise failed(err, job) from None
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        raise failed(err, job) from None


def _run_script(job: JobRequest) -> NoReturn:
    main = _module("__main__")
    main.__file__ = job.path
    sys.argv = [job.path]
    sys.stdin = sys.__stdin__ = _stream(0, "r")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "w")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "w")  # type: ignore[misc]
    code = _compiled(job)
    send(
        job.nonce, FrameKind.READY, COMPILED.pack(0.0)
    )  # from here on nothing says that it is not
    end = _executed(code, main, job)
    try:
        _finish(main)
    except OSError as err:
        end = end if end.status != "AC" else failed(err, job)
    raise end


def _executed(code: CodeType, main: ModuleType, job: JobRequest) -> JobEnded:
    """Run a script; nothing of its frames is left when this returns."""
    try:
        _run_prelude(job, main)
        exec(code, main.__dict__)  # noqa: S102
    except SystemExit as err:
        if err.code not in (None, 0):
            return JobEnded(f"exit code {str(err.code)[:200]}")
    except BaseException as err:  # noqa: BLE001  (the candidate's code ends here)
        return failed(err, job)
    return JobEnded(feedback="", status="AC")


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
