"""What is wrong with a program's replies, told by those of the initial program.

Where the initial program raises what no seen input makes it raise, or exceeds its limits, it
says nothing, and no program is held to that; but who rests on what was seen alone is held to
what it raises at the edges (`refuses`). Where it answers, whatever is no answer is a
difference: an exception, an exit, a signal, a limit, or an act that the sandbox forbids. A
program that takes many times as long, or as much memory, is wrong only on inputs no larger
than those seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evaluators.answers.bench import Bench
from evaluators.counterexample.allowance import ENDLESS
from evaluators.counterexample.asking import UNASKED, Input, InputRunner, ProgramReply
from evaluators.counterexample.differences import Differences, Wrong
from evaluators.sandbox.job import JobAnswer
from se_agent.errors import SandboxError
from se_agent.values.evaluation import Calls, Status

ORACLE_SECONDS = 0.4
"""CPU seconds of the initial program for a piece of inputs, on top of its loading; who takes
longer is not asked."""

PROGRAM_SECONDS = 5 * ORACLE_SECONDS
"""The same of another program."""

_ROOM = ("RecursionError", "MemoryError")
_ALONE = 0.1  # CPU seconds of the initial program on one input, where a program took too long


class Judged(NamedTuple):
    """What is known of a program on an input.

    Attributes:
        compared: Whether both programs had their say; if not, nothing is known.
        wrong: How it fails; None where it does not.
    """

    compared: bool = False
    wrong: Wrong | None = None


_UNKNOWN = Judged()


@dataclass(frozen=True)
class Verdicts:
    """Compares a program's replies with the right ones.

    Attributes:
        bench: With the checker.
        asking: Asks.
        expected: Types of the exceptions that inputs seen are answered with; None: all count.
    """

    bench: Bench
    asking: InputRunner
    expected: frozenset[str] | None = None

    @property
    def differences(self) -> Differences:
        """What holds replies against right answers."""
        return Differences(self.bench)

    def right(self, inputs: Sequence[Input]) -> list[ProgramReply]:
        """Return what the initial program does with each input."""
        return self.asking.replies(
            self.bench.oracle.program, inputs, cpu_seconds=ORACLE_SECONDS
        )

    def counts(self, reply: ProgramReply) -> bool:
        """Say whether a reply of the initial program is an answer to hold others to."""
        error = error_type(reply.answer)
        fair = not error or self.expected is None or error in self.expected
        return reply.status is Status.AC and fair

    def refuses(self, reply: ProgramReply) -> bool:
        """Say whether the initial program raises what no input seen makes it raise.

        Where it comes to an end of its room, that is no answer.
        """
        error = error_type(reply.answer)
        return reply.status is Status.AC and not self.counts(reply) and error not in _ROOM

    def wrong(
        self, program: str, inputs: Sequence[Input], right: Sequence[ProgramReply]
    ) -> list[Wrong | None]:
        """Return what is known to be wrong with a program, input by input; see `judged`."""
        return [one.wrong for one in self.judged(program, inputs, right)]

    def judged(
        self, program: str, inputs: Sequence[Input], right: Sequence[ProgramReply]
    ) -> list[Judged]:
        """Return what is known of a program, input by input.

        Args:
            program: Its text.
            inputs: What it is asked.
            right: Replies of the initial program to them.
        """
        asked = [i for i, reply in enumerate(right) if self.counts(reply)]
        replies = self.asking.replies(
            program, [inputs[i] for i in asked], cpu_seconds=PROGRAM_SECONDS
        )
        # The first suspect is asked again even if the time is up by now: else a program could
        # hide behind an end that takes all the time there is.
        found, asking = [_UNKNOWN] * len(inputs), replace(self.asking, more=ENDLESS)
        for i, reply in zip(asked, replies, strict=True):
            if reply.status is Status.AC:
                wrong = self.differences.between(inputs[i], right[i].answer, reply)
                found[i] = Judged(True, wrong)
            elif _ended(reply):
                found[i] = self._again(asking, program, inputs[i], right[i].answer, reply)
                asking = self.asking
        return found

    def _again(
        self,
        asking: InputRunner,
        program: str,
        given: Input,
        right: JobAnswer,
        reply: ProgramReply,
    ) -> Judged:
        """Ask once more, alone: a piece may have been too much for one process."""
        if reply.status in (Status.TLE, Status.MLE) and not self._light(asking, given):
            return _UNKNOWN
        (theirs,) = asking.replies(program, [given], cpu_seconds=PROGRAM_SECONDS)
        if theirs.status is not Status.AC and not _ended(theirs):
            return _UNKNOWN
        return Judged(True, self.differences.between(given, right, theirs))

    def _light(self, asking: InputRunner, given: Input) -> bool:
        """Say whether the initial program needs so little that who ends there is at fault."""
        (ours,) = asking.replies(self.bench.oracle.program, [given], cpu_seconds=_ALONE)
        return ours.status is Status.AC

    def settled(self, program: str, asked: Input) -> Wrong | None:
        """Return what is wrong with a program on what refuted another, each asked alone.

        Each has the time of the problem. One that does not compile is left to the tests, which
        say so in better words.

        Raises:
            SandboxError: The initial program, which answered this once, does not.
        """
        seconds = self.bench.problem.limits.cpu_seconds
        (ours,) = self.asking.replies(self.bench.oracle.program, [asked], cpu_seconds=seconds)
        if ours.status is not Status.AC:
            raise SandboxError(
                f"{self.bench.problem.oracle} no longer answers what it answered before, "
                f"{self.differences.shown(asked)}: {ours.status}: {ours.feedback}",
                hint="it refuted a program; `se-agent resume` goes on, best on an idle machine",
            )
        (theirs,) = self.asking.replies(program, [asked], cpu_seconds=seconds)
        if theirs.status is Status.CE:
            return None
        return self.differences.between(asked, ours.answer, theirs)

    def alone(self, program: str, wrong: Wrong) -> Wrong | None:
        """Return what is still wrong where no caller changed the answers to other inputs."""
        if wrong.input.calls is Calls.SINGLE:
            return wrong
        inputs = [wrong.input]
        return self.wrong(program, inputs, self.right(inputs))[0]

    def within(self, more: Callable[[], bool]) -> Verdicts:
        """Return the same that asks nobody any more once there is no time."""
        return replace(self, asking=replace(self.asking, more=more))

    def expecting(self, seen: Sequence[ProgramReply]) -> Verdicts:
        """Return the same that holds programs to the exceptions of these replies."""
        types = {error_type(reply.answer) for reply in seen} - {""}
        return replace(self, expected=frozenset(types))


def _ended(reply: ProgramReply) -> bool:
    """Say whether a program that was asked ended without an answer.

    Whether a text compiles does not depend on the input, and may depend on the machine's load.
    """
    return reply is not UNASKED and reply.status not in (Status.AC, Status.CE)


def error_type(answer: JobAnswer) -> str:
    """Return the type of an exception; empty for a value."""
    return answer.error.partition(":")[0]
