"""Single looks at a function: it is called on a few inputs in the jail, and what came of it.

Not here: which inputs are looked at (`survey`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.stats import waiting
from se_agent.stats.waiting import Seconds
from se_agent.user_function.context import program
from se_agent.user_function.function import UserFunction
from se_agent.user_function.site import NO_MORE, Access

ENTRY = "entry"

PATIENCE = 3.0
"""CPU seconds for one look."""

_IDLE = f"\n\ndef {ENTRY}(*arguments):\n    return None\n"


_HELD_UP = 0.05  # seconds at most that others, or a disk, are taken to have held up a process
_BULKY = 1 << 20  # bytes of answers that a pipe does not hold: who gives them waits for us

TOO_MUCH = "answer larger than"
"""How the failure of calls begins whose answers do not fit."""

PACKAGES = "packages of a virtual environment are found with --python VENV"
"""What to do where a module is not found."""

_ANSWERABLE = "give it inputs that it can answer, without files to write or network"
_HINTS = (
    (
        r"REJECTED|Read-only file system",
        (
            "--set sandbox.isolation=namespace permits processes and files in /tmp, `none` all "
            "else as well, for code that you trust"
        ),
    ),
    (
        r"PackageNotFoundError",
        "metadata is found where the package is installed: name its environment, --python VENV",
    ),
    (
        r"ImportError: cannot import name",
        "is a part of it compiled? Install it, and name that environment: --python VENV",
    ),
)

_STOPPED = ("TLE", "MLE", TOO_MUCH)  # how failures of inputs that are too large begin


@dataclass(frozen=True)
class Answered:
    """What a call gave: its value in wire form, or the exception that it raised.

    Of the arguments after the call it has the wire form only where they changed.
    """

    data: bytes = b""
    error: str = ""
    arguments: bytes = b""


@dataclass(frozen=True, kw_only=True)
class CallResult:
    """What came of some calls in one process.

    Attributes:
        answers: Answers of the calls that were made, in order.
        cpu_seconds: CPU seconds of the process.
        wall_seconds: On the wall, from its start to its last answer; 0 where nobody looked.
        calls_seconds: CPU seconds of the calls after the first ones; None: none were apart.
        failure: Why it ended before its time; empty when it did not.
    """

    answers: tuple[Answered, ...]
    cpu_seconds: float
    wall_seconds: float = 0.0
    calls_seconds: float | None = None
    failure: str = ""


class CallJail(Protocol):
    """Calls a function of a program, once for each tuple of arguments, in a process jailed."""

    def call(
        self,
        program: str,
        entry_point: str,
        arguments: Sequence[bytes],
        *,
        cpu_seconds: float,
        warm: int = 0,
    ) -> CallResult:
        """Return what came of it; `arguments` are in wire form, so many of them come first."""
        ...


@dataclass(frozen=True)
class Look:
    """What came of calls on some inputs.

    Attributes:
        seconds: CPU seconds; infinite where they took too long, or needed too much memory.
        bytes: Size of the first input in wire form.
        answer: Bytes of the largest answer, with arguments that changed.
        error: What every call raised; empty when one did not.
        failure: Why they did not come to an end; empty when they did.
        answered: How many calls did.
    """

    seconds: float
    bytes: int
    answer: int = 0
    error: str = ""
    failure: str = ""
    answered: int = 0


@dataclass(frozen=True)
class Caller:
    """Calls a function, to see what it does.

    Attributes:
        jail: Where it runs.
        target: The function.
        may_wait: Whether something else than CPU time is measured.
        access: What it may read.
        text: Program whose entry point it is; empty: its own module.
    """

    jail: CallJail
    target: UserFunction
    may_wait: bool = False
    access: Access = NO_MORE
    text: str = ""

    def require_loaded(self) -> None:
        """Load the module of the function, and call nothing.

        Raises:
            ProblemError: It cannot be loaded.
        """
        loaded = self.idle([wire.dumps(())])
        if loaded.failure:
            raise self.unanswered(loaded.failure)

    def called(self, inputs: Sequence[bytes], warm: int = 0) -> CallResult:
        """Return what comes of calls on inputs in wire form, whatever that is."""
        return self.jail.call(self._program, ENTRY, inputs, cpu_seconds=PATIENCE, warm=warm)

    def idle(self, inputs: Sequence[bytes]) -> CallResult:
        """Return what comes of calls that do nothing: the module is loaded, inputs are read."""
        text = self._program + _IDLE
        return self.jail.call(text, ENTRY, inputs, cpu_seconds=PATIENCE)

    @property
    def _program(self) -> str:
        return self.text or program(self.target, ENTRY)

    def look(self, inputs: Sequence[bytes], after: Sequence[bytes] = ()) -> Look:
        """Call the function on inputs in wire form; loading its module does not count.

        Args:
            inputs: The inputs.
            after: Inputs of calls before them, which are not looked at: what a first call does
                alone, such as an import within, is no time of these.

        Raises:
            ProblemError: It cannot be loaded, or it waits instead of computing.
        """
        given, size = [*after, *inputs], len(inputs[0])
        done = self.called(given, warm=len(after))
        if done.failure and not done.failure.startswith(_STOPPED):
            raise self.unanswered(done.failure)
        idle = self.idle(given)
        self._require_computing(done, idle, given)
        answers = done.answers[len(after) :]
        if done.failure:
            return Look(float("inf"), size, failure=done.failure, answered=len(answers))
        seconds = max(0.0, done.cpu_seconds - idle.cpu_seconds)
        if done.calls_seconds is not None:
            seconds = done.calls_seconds
        raised = answers[0].error if all(a.error for a in answers) else ""
        largest = max(len(a.data) + len(a.arguments) for a in answers)
        return Look(seconds, size, largest, raised, answered=len(answers))

    def _require_computing(
        self, done: CallResult, idle: CallResult, inputs: Sequence[bytes]
    ) -> None:
        """Raise if the calls waited, and do so again.

        Files of the module that are read for the first time are no waiting of the function; nor
        is it that a large answer is read as slowly as others let its reader.
        """
        bulky = sum(len(answer.data) for answer in done.answers) > _BULKY
        if self.may_wait or bulky or not _waited(done, idle):
            return
        again = self.called(inputs[len(done.answers) :][:1] or inputs)
        if _waited(again, idle):
            cpu, wall = _beyond(again, idle)
            raise self.unanswered(waiting.waiting_finding(cpu, wall), hint=waiting.HINT)

    def require_quick(self, found: Look, name: str) -> None:
        """Raise ProblemError if a call on what has this name did not come to an end."""
        if found.failure:
            raise self.unanswered(
                f"{name} is too large for one call: {found.failure}",
                hint="make it smaller: 20 to 200 ms of CPU time a call is good",
            )

    def unanswered(self, why: str, hint: str = "") -> ProblemError:
        """Return the error of a function that does not answer, and why."""
        if wire.is_refused(why):
            why = why.replace("$", "its result", 1).removesuffix(" in the returned value")
            cure = (
                "let the workload return what it finds out of its objects, in these"
                if self.text
                else "wrap the function in one that turns its result into these, on both sides "
                "alike"
            )
            hint = f"results are {wire.CROSSING}: {cure}"
        hint = hint or self.access.hint(why)
        if "No module named" in why:
            hint = hint or PACKAGES
        return ProblemError(
            f"{self.target.module.path.name}:{self.target.function}: {first_line(why)}",
            hint=hint or hint_of(why),
        )


def _beyond(done: CallResult, idle: CallResult) -> tuple[float, float]:
    """Return the CPU and wall seconds of calls beyond those that did nothing.

    Quick calls are lost in what loading takes, which differs from process to process: the clock
    of the calls knows them. As long as a process that does nothing stood still, one that calls
    may have, up to a limit: a file that was read for the first time is read once.
    """
    cpu = max(done.cpu_seconds - idle.cpu_seconds, done.calls_seconds or 0.0)
    stood = min(max(0.0, idle.wall_seconds - idle.cpu_seconds), _HELD_UP)
    return cpu, max(0.0, done.wall_seconds - idle.wall_seconds - stood)


def _waited(done: CallResult, idle: CallResult) -> bool:
    """Say whether calls waited, by what others on the core did to those that did nothing."""
    cpu, wall = _beyond(done, idle)
    crowding = waiting.crowding(Seconds(idle.cpu_seconds, idle.wall_seconds))
    return waiting.waits_mostly(cpu * crowding, wall)


def hint_of(why: str) -> str:
    """Return what to do about a program that does not answer, by what it said."""
    return next((hint for mark, hint in _HINTS if re.search(mark, why)), _ANSWERABLE)


def first_line(text: str) -> str:
    """Return the first line that says anything."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0] if lines else "no reason given"
