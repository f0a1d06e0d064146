"""How programs of one mode are run, and how their inputs and answers are written.

Not here: which inputs are used (`evaluators.answers.inputs`), whether an answer is right
(`evaluators.answers.check`), and what a run cost beyond its gross CPU time
(`evaluators.measure`).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from evaluators.languages.table import TABLE
from evaluators.running.disagreement import AnswerDifference, apart
from evaluators.running.printed_words import apart_in_words, close
from evaluators.running.shown import SHOWN, cut, shown
from evaluators.sandbox.job import Job, JobAnswer, JobOutcome, Mode, Sandbox
from se_agent import wire
from se_agent.errors import ProblemError, WireError
from se_agent.problem.model import RUN_INPUTS, Limits, Problem
from se_agent.problem.packed import packed_program
from se_agent.program.parsing import literal_of
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.wire import Tolerance

_LONG = 256 << 10  # bytes that are decoded to be shown: it takes many times the memory


class Runner(Protocol):
    """All that differs between a function and a program on standard input."""

    @property
    def most(self) -> int:
        """Inputs that one run may answer."""
        ...

    @property
    def form(self) -> str:
        """Name of the type that a generator has to give."""
        ...

    def program_of(self, solution: Solution) -> str:
        """Return the text that is run for a solution."""
        ...

    def empty(self, program: str) -> str:
        """Return a program that does nothing: what its CPU time is, does not count.

        Where loading does not count, it loads what `program` does.
        """
        ...

    def idle(self, program: str) -> str:
        """Return a program that is loaded as `program` is, and does no more if that can be."""
        ...

    def run(
        self,
        sandbox: Sandbox,
        program: str,
        inputs: Sequence[bytes],
        limits: Limits,
        *,
        keep_errors: bool = False,
        ties: bool = False,
        warm: int = 0,
        at_once: int = 0,
    ) -> JobOutcome:
        """Run the program on the inputs, one after the other; the first failure ends it.

        With `ties` it is told what values share with arguments, where there are any. With
        `warm` so many inputs come first, and calls are timed apart; see `Job`.
        """
        ...

    def input(self, generated: bytes) -> bytes:
        """Return the input that a generated value stands for."""
        ...

    def literal(self, text: str) -> JobAnswer:
        """Return the answer that a case states.

        Raises:
            ProblemError: The text is not a Python literal.
        """
        ...

    def same(self, one: bytes, other: bytes, tolerance: Tolerance) -> bool:
        """Say whether two answers are equal."""
        ...

    def apart(self, right: bytes, given: bytes, tolerance: Tolerance) -> AnswerDifference:
        """Return how two answers differ that are not equal.

        Raises:
            WireError: One of them cannot be read.
        """
        ...

    def show(self, answer: bytes) -> str:
        """Return an answer as people write it, cut to `SHOWN` characters."""
        ...

    def typed(self, answer: bytes) -> object:
        """Return the answer as a value: what a checker of the problem is given."""
        ...


def headline(outcome: JobOutcome) -> str:
    """Return in one line how a job failed: the exception, or the status and why."""
    lines = outcome.feedback.strip().splitlines()
    if not lines:
        return str(outcome.status)
    return lines[0] if outcome.status is Status.RE else f"{outcome.status}: {lines[0]}"


@dataclass(frozen=True)
class CallRunner:
    """Calls the entry point, once an input, all in one process that is thrown away."""

    problem: Problem
    most: int = RUN_INPUTS
    form: str = "tuple"

    def program_of(self, solution: Solution) -> str:
        """Return the text of its single file; see `Runner.program_of`."""
        return solution.text

    def empty(self, program: str) -> str:
        """Return a program whose entry point returns None; see `Runner.empty`."""
        return self._nothing if self.problem.loading_counts else self.idle(program)

    def idle(self, program: str) -> str:
        """Return the program with an entry point that returns None; see `Runner.idle`."""
        return f"{program}\n\n{self._nothing}"

    @property
    def _nothing(self) -> str:
        return f"def {self.problem.entry_point}(*args):\n    return None\n"

    def run(
        self,
        sandbox: Sandbox,
        program: str,
        inputs: Sequence[bytes],
        limits: Limits,
        *,
        keep_errors: bool = False,
        ties: bool = False,
        warm: int = 0,
        at_once: int = 0,
    ) -> JobOutcome:
        """Run one job; see `Runner.run`."""
        job = Job(
            program=program,
            entry_point=self.problem.entry_point,
            path=self.problem.sent_path,
            prelude=self.problem.prelude,
            inputs=tuple(inputs),
            limits=limits,
            keep_errors=keep_errors,
            ties=ties,
            warm=warm,
            at_once=at_once,
            load_apart=not self.problem.loading_counts,
        )
        return sandbox.run(job)

    def input(self, generated: bytes) -> bytes:
        """Return the arguments as they came from the generator."""
        return generated

    def literal(self, text: str) -> JobAnswer:
        """Return the value of a Python literal; see `Runner.literal`."""
        try:
            return JobAnswer(value=wire.dumps(literal_of(text)))
        except (ValueError, SyntaxError, WireError) as err:
            raise ProblemError(
                f"expected value {cut(text)!r} is not a Python literal: {err}",
                hint="write it as Python prints it, or leave it out: the initial program says",
            ) from err

    def same(self, one: bytes, other: bytes, tolerance: Tolerance) -> bool:
        """Compare values type-exactly; equal bytes need no decoding."""
        if one == other:
            return True
        try:
            return wire.same(wire.loads(one), wire.loads(other), tolerance=tolerance)
        except WireError:
            return False

    def apart(self, right: bytes, given: bytes, tolerance: Tolerance) -> AnswerDifference:
        """Return how two values differ; see `Runner.apart`."""
        return apart(wire.loads(right), wire.loads(given), tolerance)

    def show(self, answer: bytes) -> str:
        """Return a value as Python writes it, within bounds."""
        if len(answer) > _LONG:
            return f"a value of {len(answer):,} bytes"
        try:
            return shown(wire.loads(answer))
        except WireError as err:
            return cut(f"unreadable answer: {err}")

    def typed(self, answer: bytes) -> object:
        """Return the value."""
        return wire.loads(answer)


@dataclass(frozen=True)
class WorkloadRunner(CallRunner):
    """Calls a workload, in one text with the modules that it calls."""

    def program_of(self, solution: Solution) -> str:
        """Return a text that holds all files of a solution; see `Runner.program_of`."""
        return packed_program(self.problem, solution.files)


@dataclass(frozen=True)
class StdioRunner:
    """Feeds standard input to a program that is started anew for each input."""

    problem: Problem
    most: int = 1
    form: str = "str"

    def program_of(self, solution: Solution) -> str:
        """Return the text of its single file; see `Runner.program_of`."""
        return solution.text

    def empty(self, program: str) -> str:
        """Return what does nothing: loading a script counts, whatever the problem says."""
        return TABLE[self.problem.language].nothing(program)

    def idle(self, program: str) -> str:
        """Return the program: a script is not loaded without being run."""
        return program

    def run(
        self,
        sandbox: Sandbox,
        program: str,
        inputs: Sequence[bytes],
        limits: Limits,
        *,
        keep_errors: bool = False,
        ties: bool = False,
        warm: int = 0,
        at_once: int = 0,
    ) -> JobOutcome:
        """Run a job an input and add them up; see `Runner.run`."""
        outcomes: list[JobOutcome] = []
        for data in inputs:
            job = Job(
                program=program,
                mode=Mode.STDIO,
                path=self.problem.sent_path,
                prelude=self.problem.prelude,
                inputs=(data,),
                limits=limits,
            )
            outcomes.append(sandbox.run(job))
            if outcomes[-1].status is not Status.AC:
                break
        return _added(outcomes)

    def input(self, generated: bytes) -> bytes:
        """Return the generated text as the bytes of standard input."""
        return str(wire.loads(generated)).encode("utf-8", "surrogateescape")

    def literal(self, text: str) -> JobAnswer:
        """Return the text as it stands."""
        return JobAnswer(value=text.encode("utf-8", "surrogateescape"))

    def same(self, one: bytes, other: bytes, tolerance: Tolerance) -> bool:
        """Compare the words: layout does not count, `one` says which are floats."""
        if one == other:
            return True
        ours, theirs = one.split(), other.split()
        return len(ours) == len(theirs) and all(
            a == b or close(a, b, tolerance) for a, b in zip(ours, theirs, strict=True)
        )

    def apart(self, right: bytes, given: bytes, tolerance: Tolerance) -> AnswerDifference:
        """Return how two outputs differ; see `Runner.apart`."""
        return apart_in_words(right, given, tolerance)

    def show(self, answer: bytes) -> str:
        """Return the output as text."""
        return cut(answer[: 4 * SHOWN].decode("utf-8", "backslashreplace"))

    def typed(self, answer: bytes) -> object:
        """Return the output as text; bytes that are not UTF-8 become lone surrogates."""
        return answer.decode("utf-8", "surrogateescape")


def _added(outcomes: Sequence[JobOutcome]) -> JobOutcome:
    if not outcomes:
        return JobOutcome(status=Status.AC)
    last = outcomes[-1]
    return JobOutcome(
        status=last.status,
        answers=tuple(
            answer for one in outcomes if one.status is Status.AC for answer in one.answers
        ),
        cpu_seconds=sum(one.cpu_seconds for one in outcomes),
        peak_bytes=max(one.peak_bytes for one in outcomes),
        feedback=last.feedback,
        full_output=last.full_output,
        usage=functools.reduce(operator.add, (one.usage for one in outcomes)),
    )


if TYPE_CHECKING:
    from collections.abc import Callable

    _call: Callable[[Problem], Runner] = CallRunner
    _stdio: Callable[[Problem], Runner] = StdioRunner
    _workload: Callable[[Problem], Runner] = WorkloadRunner
