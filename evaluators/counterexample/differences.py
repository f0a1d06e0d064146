"""How what a program did with an input differs from what is right, in words. Asks nobody.

Not here: asking, and who is asked again before a difference counts (`verdicts`).
"""

from __future__ import annotations

from dataclasses import dataclass

from evaluators.answers.bench import Bench
from evaluators.answers.check import AnswerCheck
from evaluators.counterexample.asking import Input, ProgramReply
from evaluators.counterexample.function.repeated import first_fault, first_of
from evaluators.running.shown import cut
from evaluators.sandbox.job import JobAnswer
from se_agent.values.evaluation import Calls, FailedCase, Status


@dataclass(frozen=True)
class Wrong:
    """How a program fails on an input that has a right answer."""

    input: Input
    right: JobAnswer
    status: Status
    failed: FailedCase


@dataclass(frozen=True)
class Differences:
    """Holds replies against right answers.

    Attributes:
        bench: With the checker.
    """

    bench: Bench

    def between(self, asked: Input, right: JobAnswer, reply: ProgramReply) -> Wrong | None:
        """Return what is wrong with a reply, an end without an answer included."""
        if reply.status is Status.AC:
            return self._answered(asked, right, reply.answer)
        failed = FailedCase(
            name=_name(asked),
            expected=self._expected(asked, right),
            got=" ".join(f"{reply.status}: {reply.feedback}".split())[:200],
            input=self.shown(asked),
        )
        return Wrong(asked, right, reply.status, failed)

    def agree(self, one: Wrong, other: Wrong) -> bool:
        """Say whether the initial program gave the same answer to an input twice."""
        return self._finding(one.input, one.right, other.right) is None

    def shown(self, asked: Input) -> str:
        """Return an input as people write it."""
        return self._show(asked.data)

    def _answered(self, asked: Input, right: JobAnswer, given: JobAnswer) -> Wrong | None:
        found = self._finding(asked, right, given)
        if found is None:
            return None
        failed = FailedCase(
            name=_name(asked),
            expected=_one_line(found.expected),
            got=_one_line(found.got),
            input=self.shown(asked),
            relative=found.relative,
        )
        return Wrong(asked, right, found.status, failed)

    def _finding(self, asked: Input, right: JobAnswer, given: JobAnswer) -> AnswerCheck | None:
        if asked.calls is Calls.REPEATED:
            return first_fault(self.bench, asked.data, right, given)
        return self.bench.checker.first_wrong([asked.sent], [right], [given])

    def _expected(self, asked: Input, right: JobAnswer) -> str:
        first = first_of(right) if asked.calls is Calls.REPEATED else right
        return f"raises {first.error}" if first.error else self._show(first.value)

    def _show(self, data: bytes) -> str:
        return _one_line(self.bench.runner.show(data))


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
