"""A sandbox for programs that are compiled first, then executed at will.

Their code can be moved: each place favours one of two programs of the same work, as a layout of
the address space does. A text is compiled once, and linked once for each place.

What is called (generator, checker, scorer) is Python always, and passed on as it is.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from evaluators.languages.binaries import Binaries, BinaryCache
from evaluators.languages.compiler import Compiler, Made
from evaluators.languages.hosts import require_host
from evaluators.languages.table import TABLE
from evaluators.sandbox.job import Job, JobOutcome, Mode, Sandbox
from se_agent.errors import ProblemError, SandboxError
from se_agent.program.language import Language
from se_agent.values.evaluation import Status

_CLOSED = "the sandbox is closed"
_RECENT = 3  # programs that are linked before they run: two that are compared, and an empty one


class CompilingSandbox:
    """Compiles the programs of jobs on standard input, and has another sandbox execute them.

    Args:
        inner: Where programs run; closed with this one.
        language: Language of the programs.
        isolation: Level that the compiler runs under.
        flags: Flags for all programs, whatever they name; None: each has its own.

    Raises:
        ProblemError: No compiler of that language is installed here.
        IsolationError: What executes its programs cannot work at that level.
    """

    def __init__(
        self,
        inner: Sandbox,
        language: Language,
        isolation: str,
        *,
        flags: tuple[str, ...] | None = None,
    ) -> None:
        require_host(isolation, language)
        self._inner = inner
        self._language = language
        self._compiler = Compiler(language, isolation, flags)
        self._binaries = Binaries()
        self._place = 0
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._works = False
        self._closed = False
        self._using = threading.RLock()

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs and compilations so far."""
        return self._inner.spent + self._compiler.spent

    def run(self, job: Job) -> JobOutcome:
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
                return JobOutcome(
                    status=Status.CE, feedback=kept.feedback, full_output=kept.full_output
                )
            self._recent[job.program] = None
            self._recent.move_to_end(job.program)
            if len(self._recent) > _RECENT:
                self._recent.popitem(last=False)
            return self._inner.run(replace(job, executable=kept.descriptor))

    def restart(self) -> None:
        """Continue in a new address-space layout; compiled programs stay."""
        self._inner.restart()

    def move(self) -> None:
        """Continue at the next place for the code of programs; see `Moving`.

        Those that ran last are linked now: a linker leaves the caches of a core to whoever runs
        next, which would be the new one of two programs.
        """
        with self._using:
            self._place = (self._place + 1) % self._compiler.places
            for program in self._recent:
                self._compiled(program)

    def obey(self, program: str) -> None:
        """Compile one text with the flags that it names; see `Obeying`."""
        self._compiler.obey(program)

    def close(self) -> None:
        """End compiler, programs and the inner sandbox; see `Sandbox.close`."""
        self._closed = True
        self._compiler.stop()
        self._inner.close()
        with self._using:
            self._binaries.close()

    def _kept(self, program: str) -> BinaryCache:
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

    def _compiled(self, program: str) -> BinaryCache:
        place = self._place
        key = self._key(program, place)
        kept = self._binaries.get(key)
        if kept is None and not self._closed:
            made = self._compiler.make(program, place)
            if not made.program:
                self._check_new(program, made)
            if made.late and not self._closed:
                # A busy machine is no error of the text: another attempt may succeed.
                return BinaryCache(-1, feedback=made.feedback)
            if not self._closed:
                kept = self._binaries.put(key, made.program, made.feedback, made.full_output)
        if kept is None:
            raise SandboxError(_CLOSED, hint="start again: it starts nothing any more")
        return kept

    def _check_new(self, program: str, failed: Made) -> None:
        """Blame a text for not being compiled only if it never was."""
        keys = (self._key(program, place) for place in range(self._compiler.places))
        known = [kept for key in keys if (kept := self._binaries.get(key)) is not None]
        if any(kept.descriptor >= 0 for kept in known) and not self._closed:
            raise SandboxError(
                "a program that was compiled before cannot be linked again: "
                f"{failed.feedback.splitlines()[0]}",
                hint="see to it that there is room for files and memory, then "
                "`se-agent resume` the run",
            )

    def _key(self, program: str, place: int) -> str:
        parts = (place, program, *self._compiler.command(program), self._compiler.version)
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluators.sandbox.job import Moving, Obeying

    _: Callable[..., Sandbox] = CompilingSandbox
    _too: Callable[..., Moving] = CompilingSandbox
    _obeying: Callable[..., Obeying] = CompilingSandbox
