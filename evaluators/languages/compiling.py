"""A sandbox for programs that are compiled first: each text once, then executed at will.

What is called (generator, checker, scorer) is Python always, and passed on as it is.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from evaluators.languages.binaries import Binaries, Kept
from evaluators.languages.compiler import Compiler
from evaluators.languages.hosts import require_host
from evaluators.languages.table import TABLE
from evaluators.sandbox.job import Job, Mode, Outcome, Sandbox
from se_agent.errors import ProblemError, SandboxError
from se_agent.problem import Language
from se_agent.types import Status

_CLOSED = "the sandbox is closed"


class CompilingSandbox:
    """Compiles the programs of jobs on standard input, and has another sandbox execute them.

    Args:
        inner: Where programs run; closed with this one.
        language: Of the programs.
        isolation: Of the compiler.

    Raises:
        ProblemError: No compiler of that language is installed here.
        IsolationError: What executes its programs cannot work at that level.
    """

    def __init__(self, inner: Sandbox, language: Language, isolation: str) -> None:
        require_host(isolation, language)
        self._inner = inner
        self._language = language
        self._compiler = Compiler(language, isolation)
        self._binaries = Binaries()
        self._works = False
        self._closed = False
        self._using = threading.RLock()

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs and compilations so far."""
        return self._inner.spent + self._compiler.spent

    def run(self, job: Job) -> Outcome:
        """Run the job; a text that cannot be compiled is CE.

        Raises:
            ProblemError: The compiler cannot even compile an empty program.
            SandboxError: As for the inner sandbox.
        """
        if job.mode is Mode.CALL:
            return self._inner.run(job)
        with self._using:
            kept = self._kept(job.program)
            if kept.descriptor < 0:
                return Outcome(status=Status.CE, feedback=kept.feedback)
            return self._inner.run(replace(job, executable=kept.descriptor))

    def restart(self) -> None:
        """Continue in a new address-space layout; compiled programs stay."""
        self._inner.restart()

    def close(self) -> None:
        """End compiler, programs and the inner sandbox; see `Sandbox.close`."""
        self._closed = True
        self._compiler.stop()
        self._inner.close()
        with self._using:
            self._binaries.close()

    def _kept(self, program: str) -> Kept:
        if not self._works:
            empty = self._compiled(TABLE[self._language].empty)
            if empty.descriptor < 0:
                raise ProblemError(
                    f"no program in {self._language} can be compiled here: "
                    f"{empty.feedback.splitlines()[0]}",
                    hint="install the compiler with its static libraries, such as g++ of the "
                    "system's packages",
                )
            self._works = True
        return self._compiled(program)

    def _compiled(self, program: str) -> Kept:
        key = self._key(program)
        kept = self._binaries.get(key)
        if kept is None and not self._closed:
            made = self._compiler.make(program)
            if made.late and not self._closed:
                # A busy machine is no error of the text: another attempt may succeed.
                return Kept(-1, feedback=made.feedback)
            if not self._closed:
                kept = self._binaries.put(key, made.program, made.feedback)
        if kept is None:
            raise SandboxError(_CLOSED, hint="start again: it starts nothing any more")
        return kept

    def _key(self, program: str) -> str:
        parts = (program, *self._compiler.command(program), self._compiler.version)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


if TYPE_CHECKING:
    from collections.abc import Callable

    _: Callable[..., Sandbox] = CompilingSandbox
