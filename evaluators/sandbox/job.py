"""What a sandbox is asked to run, and what it found. Values only; the seam is `Sandbox`.

Nothing here says whether an answer is right: the sandbox never knows what was expected.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, runtime_checkable

from evaluators.sandbox.usage import ProcessUsage, Watch
from se_agent.problem.model import EXCHANGES, INTERVALS, Limits
from se_agent.values.evaluation import Status
from se_agent.wire import holds_records, is_fixed

_LIMITS = Limits()
_NOTHING = Watch()
_UNREAD = ProcessUsage()


class Mode(enum.StrEnum):
    """How a program is given its input."""

    CALL = "call"  # its entry point is called once per input
    STDIO = "stdio"  # it is run as a script, with standard input and output


@dataclass(frozen=True, kw_only=True)
class Job:
    """One program and the inputs that one process answers, one after the other.

    Attributes:
        program: Source text.
        inputs: CALL: `wire.dumps` of each tuple of arguments. STDIO: exactly one, the bytes
            of standard input.
        mode: How the program is given its input.
        entry_point: CALL: name that is looked up after prelude and program were executed.
        path: Shown in tracebacks; no such file exists.
        prelude: Source executed before the program, in its namespace.
        limits: CPU seconds and memory of the process, and bytes that it may answer in all.
            The memory is what the candidate takes on top of the fork server's own.
        keep_errors: CALL: an exception of the entry point is an answer, and the next input
            is tried. Otherwise the first one ends the job as RE.
        load_apart: CALL: the program is loaded before it is given an input, and what that
            took is told apart; always where inputs hold values of its classes.
        at_once: CALL: inputs that pass at a time; 0: so many that there are at most `EXCHANGES`
            exchanges. Which input a program failed at is only known of those that pass alone.
        warm: CALL: so many of the inputs are answered first. The calls of all others are timed
            apart from what is done beside them: reading inputs, writing answers. A
            group's values are written when all of its calls are over. 0: nothing is apart.
        as_records: CALL: values of classes are given as records: the program has no such
            classes, as a checker.
        to_the_end: CALL: after its last answer the program ends as a script does, and what that
            takes is in the CPU seconds: all that it put off is done then.
        ties: CALL: what the value shares with the arguments is told with it; it costs time.
        executable: STDIO: descriptor of a compiled program, open for reading only, which is
            executed instead of the text.
        watch: What is to be read of the run besides its clocks.
    """

    program: str
    inputs: tuple[bytes, ...]
    mode: Mode = Mode.CALL
    entry_point: str = ""
    path: str = "main.py"
    prelude: str = ""
    limits: Limits = _LIMITS
    keep_errors: bool = False
    load_apart: bool = False
    at_once: int = 0
    warm: int = 0
    as_records: bool = False
    to_the_end: bool = False
    ties: bool = False
    executable: int | None = None
    watch: Watch = _NOTHING

    @cached_property
    def scalars(self) -> bool:
        """Whether no call can change its arguments: then nothing is said of them after it."""
        return all(map(is_fixed, self.inputs))

    @property
    def group(self) -> int:
        """How many inputs pass at a time."""
        if self.at_once or not self.warm:
            return self.at_once or -(-len(self.inputs) // EXCHANGES)
        return max(INTERVALS, -(-(len(self.inputs) - self.warm) // INTERVALS))

    @property
    def groups(self) -> tuple[tuple[bytes, ...], ...]:
        """The inputs as they pass."""
        parts = self.inputs[: self.warm], self.inputs[self.warm :]
        return tuple(
            part[start : start + self.group]
            for part in parts
            for start in range(0, len(part), self.group)
        )

    @cached_property
    def own_classes(self) -> bool:
        """Whether inputs hold values of classes that the program defines."""
        called = self.mode is Mode.CALL and not self.as_records
        return called and any(map(holds_records, self.inputs))

    @property
    def loads_first(self) -> bool:
        """Whether the program is loaded before it is given an input."""
        return self.load_apart or self.own_classes or bool(self.warm)

    def __post_init__(self) -> None:
        if self.mode is Mode.STDIO and len(self.inputs) != 1:
            raise ValueError(f"{len(self.inputs)} inputs: a stdio job has exactly one")
        if self.mode is Mode.CALL and self.executable is not None:
            raise ValueError(
                f"executable={self.executable}: a compiled program reads standard input"
            )
        if self.warm and (self.mode is Mode.STDIO or self.ties or self.to_the_end):
            raise ValueError(f"warm={self.warm}: only plain calls are timed apart")
        if not 0 <= self.warm < max(1, len(self.inputs)):
            raise ValueError(f"warm={self.warm}: of {len(self.inputs)} inputs, one is to count")
        if self.mode is Mode.CALL and not (self.inputs and self.entry_point):
            raise ValueError(
                f"{len(self.inputs)} inputs, entry point {self.entry_point!r}: "
                "a call job needs an entry point and at least one input"
            )


@dataclass(frozen=True, kw_only=True)
class JobAnswer:
    """What came back for one input.

    Attributes:
        value: Wire bytes of the returned value, or all of standard output.
        arguments: CALL: wire bytes of the arguments after the call; empty when they are the
            bytes that were sent. Other bytes may still mean equal values (sets, aliases).
        error: "ValueError: text" of an exception that was kept.
        lineage: Names of its class and of those that this one inherits from.
        ties: CALL, where they were asked for: wire bytes of what the value shares with the
            arguments (`evaluators.answers.ties`); empty: nothing. Equal answers may differ in
            it.
    """

    value: bytes = b""
    arguments: bytes = b""
    error: str = ""
    lineage: str = ""
    ties: bytes = field(default=b"", compare=False)

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return (
            len(self.value)
            + len(self.arguments)
            + len(self.error + self.lineage)
            + len(self.ties)
        )


@dataclass(frozen=True, kw_only=True)
class JobOutcome:
    """How a job ended.

    Attributes:
        status: AC: it ran to the end. TLE, MLE, RE, CE or REJECTED otherwise. Never WA.
        answers: One per input answered, in order; all of them only when AC.
        cpu_seconds: CPU clock of the process, read from outside: from fork to the last
            answer (STDIO: to its end).
        after_seconds: CALL: the part of it in which the arguments were described after the
            calls. A candidate may do less there, or something else: who subtracts what an
            empty program takes must do so for this part and the rest each on its own, and
            never go below zero.
        loading_seconds: CALL, with `load_apart`: the part of it until the program was loaded,
            but for the next but one.
        giving_seconds: CALL: the part of it in which inputs with values of the program's
            classes were made; as `after_seconds`, a part to be looked at on its own.
        compiling_seconds: CALL: the part of it in which the text was compiled, before any of
            it ran; what is more than usual for a text belongs to the rest.
        first_seconds: CALL, with `warm`: the part of it until the first calls were over, but
            for compiling.
        calls_seconds: CALL, with `warm`: the part of it in which the entry point was called
            after those; None where that is not told apart.
        peak_bytes: Largest resident memory of the process, what it shares with the fork
            server included.
        feedback: What went wrong, in the candidate's terms.
        usage: What it used besides, as far as that was read.
        left: CALL: settings of the interpreter that it left other than it found them; without
            `ties` only what the collector does.
        full_output: All that was said, where the feedback is cut; empty: it is all.
    """

    status: Status
    answers: tuple[JobAnswer, ...] = ()
    cpu_seconds: float = 0.0
    after_seconds: float = 0.0
    loading_seconds: float = 0.0
    giving_seconds: float = 0.0
    compiling_seconds: float = 0.0
    first_seconds: float = 0.0
    calls_seconds: float | None = None
    peak_bytes: int = 0
    feedback: str = ""
    usage: ProcessUsage = _UNREAD
    left: tuple[str, ...] = ()
    full_output: str = ""


class Sandbox(Protocol):
    """Runs one job at a time, for one thread; only `close` is for any.

    1. A job never sees anything of another job.
    2. What a candidate does is an `JobOutcome`; `SandboxError` means that we failed.
    3. All jobs between two restarts share one address-space layout.
    """

    @property
    def spent(self) -> float:
        """CPU seconds of all jobs so far, and of what it takes to start them."""
        ...

    def run(self, job: Job) -> JobOutcome:
        """Run the job in a process of its own, which is gone when this returns."""
        ...

    def restart(self) -> None:
        """Continue in a new address-space layout."""
        ...

    def close(self) -> None:
        """End every process, for good; may be called twice, and by another thread.

        Who runs a job meanwhile, or asks for one afterwards, gets a `SandboxError`.
        """
        ...


@runtime_checkable
class Obeying(Protocol):
    """What a sandbox may offer besides: that one program is compiled as it asks itself."""

    def obey(self, program: str) -> None:
        """Compile this text with the flags that it names, from now on."""
        ...


@runtime_checkable
class Moving(Protocol):
    """What a sandbox may offer besides: that the code of programs lies elsewhere."""

    def move(self) -> None:
        """Have the code of all programs lie at the next place, from the next job on."""
        ...


@runtime_checkable
class Preloading(Protocol):
    """What a sandbox may offer besides: that programs find modules loaded, or compiled."""

    def preload(self, library: Sequence[str], files: Sequence[str] = ()) -> None:
        """Have modules ready for programs, from a restart on.

        Args:
            library: Names of modules of the standard library: they are loaded.
            files: Paths of other modules: they are compiled, where nobody did.
        """
        ...
