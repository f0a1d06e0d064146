"""What is wrong with a program's replies, told by those of the initial program.

Where the initial program raises what no seen input makes it raise, or exceeds its limits, it
says nothing, and no program is held to that. A program that takes many times as long, or as
much memory, is wrong only on inputs no larger than those seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluators.bench import Bench
from evaluators.check import Finding
from evaluators.counterexample.asking import Asking, Input, Reply
from evaluators.counterexample.repeated import first_fault, first_of
from evaluators.sandbox.job import Answer
from evaluators.shown import cut
from se_agent.types import Calls, FailedCase, Status

ORACLE_SECONDS = 0.4
"""CPU seconds of the initial program for a piece of inputs; who takes longer is not asked."""

PROGRAM_SECONDS = 5 * ORACLE_SECONDS
"""The same of another program."""

_ALONE = 0.1  # CPU seconds of the initial program on one input, where a program took too long


@dataclass(frozen=True)
class Wrong:
    """How a program fails on an input that has a right answer."""

    input: Input
    right: Answer
    status: Status
    failed: FailedCase


@dataclass(frozen=True)
class Verdicts:
    """Compares a program's replies with the right ones.

    Attributes:
        bench: With the checker.
        asking: Asks.
        expected: Types of the exceptions that inputs seen are answered with.
    """

    bench: Bench
    asking: Asking
    expected: frozenset[str] = frozenset()

    def right(self, inputs: Sequence[Input]) -> list[Reply]:
        """Return what the initial program does with each input."""
        return self.asking.replies(
            self.bench.oracle.program, inputs, cpu_seconds=ORACLE_SECONDS
        )

    def counts(self, reply: Reply) -> bool:
        """Say whether a reply of the initial program is an answer to hold others to."""
        error = error_type(reply.answer)
        return reply.status is Status.AC and (not error or error in self.expected)

    def wrong(
        self, program: str, inputs: Sequence[Input], right: Sequence[Reply]
    ) -> list[Wrong | None]:
        """Return what is wrong with a program, input by input.

        Args:
            program: Its text.
            inputs: What it is asked.
            right: Replies of the initial program to them.
        """
        asked = [i for i, reply in enumerate(right) if self.counts(reply)]
        replies = self.asking.replies(
            program, [inputs[i] for i in asked], cpu_seconds=PROGRAM_SECONDS
        )
        found: list[Wrong | None] = [None] * len(inputs)
        for i, reply in zip(asked, replies, strict=True):
            found[i] = self._compared(program, inputs[i], right[i], reply)
        return found

    def _compared(self, program: str, asked: Input, right: Reply, reply: Reply) -> Wrong | None:
        if reply.status is Status.AC:
            return self._answered(asked, right.answer, reply.answer)
        if reply.status not in (Status.TLE, Status.MLE, Status.RE):
            return None
        return self._ended(program, asked, right)

    def _answered(self, asked: Input, right: Answer, given: Answer) -> Wrong | None:
        found = self._finding(asked, right, given)
        if found is None:
            return None
        failed = FailedCase(
            name=_name(asked),
            expected=_one_line(found.expected),
            got=_one_line(found.got),
            input=self._show(asked.data),
        )
        return Wrong(asked, right, found.status, failed)

    def _finding(self, asked: Input, right: Answer, given: Answer) -> Finding | None:
        if asked.calls is Calls.REPEATED:
            return first_fault(self.bench, asked.data, right, given)
        return self.bench.checker.first_wrong([asked.sent], [right], [given])

    def _ended(self, program: str, asked: Input, right: Reply) -> Wrong | None:
        """Ask once more, each alone: a piece may have been too much for one process."""
        (ours,) = self.asking.replies(self.bench.oracle.program, [asked], cpu_seconds=_ALONE)
        (theirs,) = self.asking.replies(program, [asked], cpu_seconds=PROGRAM_SECONDS)
        if ours.status is not Status.AC:
            return None
        if theirs.status is Status.AC:
            return self._answered(asked, right.answer, theirs.answer)
        failed = FailedCase(
            name=_name(asked),
            expected=self._expected(asked, right.answer),
            got=" ".join(f"{theirs.status}: {theirs.feedback}".split())[:200],
            input=self._show(asked.data),
        )
        return Wrong(asked, right.answer, theirs.status, failed)

    def _expected(self, asked: Input, right: Answer) -> str:
        first = first_of(right) if asked.calls is Calls.REPEATED else right
        return f"raises {first.error}" if first.error else self._show(first.value)

    def _show(self, data: bytes) -> str:
        return _one_line(self.bench.runner.show(data))

    def agree(self, one: Wrong, other: Wrong) -> bool:
        """Say whether the initial program gave the same answer to an input twice."""
        return self._finding(one.input, one.right, other.right) is None

    def alone(self, program: str, wrong: Wrong) -> Wrong | None:
        """Return what is still wrong where no caller changed the answers to other inputs."""
        if wrong.input.calls is Calls.SINGLE:
            return wrong
        inputs = [wrong.input]
        return self.wrong(program, inputs, self.right(inputs))[0]

    def expecting(self, seen: Sequence[Reply]) -> Verdicts:
        """Return the same that holds programs to the exceptions of these replies."""
        types = {error_type(reply.answer) for reply in seen} - {""}
        return replace(self, expected=frozenset(types))


def error_type(answer: Answer) -> str:
    """Return the type of an exception; empty for a value."""
    return answer.error.partition(":")[0]


def _one_line(text: str) -> str:
    """Return a text of several lines as Python writes it: it stands within sentences."""
    return cut(repr(text)) if "\n" in text else text


def _name(asked: Input) -> str:
    if asked.calls is Calls.REPEATED:
        return "a counterexample for a caller who keeps answers and changes them"
    if not asked.links:
        return "a counterexample"
    one, other = asked.links[0]
    return f"a counterexample where {_place(other)} and {_place(one)} are one object"


def _place(path: tuple[object, ...]) -> str:
    first, *rest = path
    return f"argument {first}" + "".join(f"[{step!r}]" for step in rest)
