"""Whether answers are right. Expected answers stay on this side of the pipe.

Not here: where expected answers come from (`evaluators.answers.oracle`). A checker of the
problem runs in the sandbox, in a process that never met the candidate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evaluators.answers.inputs import Cache, Room, patient
from evaluators.answers.ties import Tie, released, tie
from evaluators.running.disagreement import AnswerDifference
from evaluators.running.runner import Runner
from evaluators.running.shown import cut
from evaluators.sandbox.job import Job, JobAnswer, Sandbox
from se_agent import wire
from se_agent.errors import WireError
from se_agent.problem.model import Problem
from se_agent.values.evaluation import Status

_DRIVER = """

def _call_check(args, expected, output):
    return bool(check(args, expected, output))
"""


class _Wrong(NamedTuple):
    """What is wrong with an answer, and whether it is the state of the arguments, or a tie."""

    feedback: str
    arguments: bool = False
    tie: Tie | None = None


_YES = wire.dumps(True)
_SPARE = 64 << 10  # bytes that an answer may have more than four times the right one
_Compared = tuple[bytes, JobAnswer, JobAnswer]
_RIGHT = _Wrong("")


def _weight(key: _Compared, _: _Wrong) -> int:
    answers = key[1:]
    return sum(answer.size for answer in answers) + 200


def remembered(room: Room) -> Cache[_Compared, _Wrong]:
    """Return an empty memory of what was found of answers."""
    return Cache(_weight, room)


def _too_long(right: bytes, given: bytes) -> bool:
    """Say whether it is not looked at: decoding takes many times the memory of the bytes."""
    return len(given) > 4 * len(right) + _SPARE


@dataclass(frozen=True, kw_only=True)
class AnswerCheck:
    """The first answer that is not right.

    Attributes:
        index: Number of the input that it answers.
        status: WA, or RE for an exception.
        expected: What was expected, cut.
        got: What was given, cut, and how it differs where that is hard to see.
        feedback: What is wrong, in one line.
        relative: The largest relative difference, where nothing but floats differs.
    """

    index: int
    status: Status
    expected: str
    got: str
    feedback: str
    relative: float | None = None


@dataclass(frozen=True)
class Checker:
    """Compares answers with expected ones, type-exactly unless the problem has a checker.

    Runs of a block give the same answers again and again: what was found of a pair of
    answers that are not equal byte for byte is remembered.

    Attributes:
        problem: Says how answers are compared.
        sandbox: Where a checker runs.
        runner: Knows what an answer looks like.
        verdicts: What was found before.
    """

    problem: Problem
    sandbox: Sandbox
    runner: Runner
    verdicts: Cache[_Compared, _Wrong]

    def first_wrong(
        self,
        inputs: Sequence[bytes],
        expected: Sequence[JobAnswer],
        answers: Sequence[JobAnswer],
    ) -> AnswerCheck | None:
        """Return the first of the answers that is wrong, or None when all are right.

        Args:
            inputs: What was asked.
            expected: The right answers.
            answers: What was answered; shorter than `inputs` when a run ended early.
        """
        for index, (data, right, answer) in enumerate(
            zip(inputs, expected, answers, strict=False)
        ):
            wrong = _RIGHT if answer == right else self._wrong(data, right, answer)
            if wrong is _RIGHT and (found := tie(right.ties, answer.ties)):
                wrong = _Wrong(found.got, tie=found)
            if wrong is not _RIGHT:
                return self._finding(index, right, answer, wrong)
        return None

    def doubt(self, expected: Sequence[JobAnswer], answers: Sequence[JobAnswer]) -> str:
        """Return what right answers do for a caller that these, right as well, do not.

        A copy of an argument is as good as the argument, but for who changes it afterwards and
        relies on the other. It is a sentence, or nothing.
        """
        pairs = zip(expected, answers, strict=False)
        found = (released(right.ties, answer.ties) for right, answer in pairs)
        told = next(filter(None, found), "")
        return told and f"The old one hands out {told}, the new one a copy: not compared."

    def _wrong(self, data: bytes, right: JobAnswer, answer: JobAnswer) -> _Wrong:
        if not right.error and _too_long(right.value, answer.value):
            return _Wrong("wrong answer")
        key = (data, right, answer)
        known = self.verdicts.get(key)
        if known is None:
            known = self._compared(data, right, answer)
            self.verdicts.put(key, known)
        return known

    def _compared(self, data: bytes, right: JobAnswer, answer: JobAnswer) -> _Wrong:
        if right.error or answer.error:
            wrong = _compared_errors(right, answer)
            if self.problem.checker or wrong is not _RIGHT:
                return wrong
        elif self.problem.checker:
            return self._checked(data, right, answer)
        elif not self._same(right.value, answer.value):
            return _Wrong("wrong answer")
        if not self._same(right.arguments or data, answer.arguments or data):
            return _Wrong("the arguments are left in another state", arguments=True)
        return _RIGHT

    def _same(self, right: bytes, given: bytes) -> bool:
        if _too_long(right, given):
            return False
        return self.runner.same(right, given, self.problem.within)

    def _checked(self, data: bytes, right: JobAnswer, answer: JobAnswer) -> _Wrong:
        try:
            values = (data, right.value, answer.value)
            triple = wire.dumps(tuple(self.runner.typed(x) for x in values))
        except WireError as err:
            return _Wrong(f"unreadable answer: {err}")
        job = Job(
            program=self.problem.checker + _DRIVER,
            entry_point="_call_check",
            path="checker.py",
            inputs=(triple,),
            limits=patient(self.problem.limits),
            keep_errors=True,
            as_records=True,
        )
        outcome = self.sandbox.run(job)
        if outcome.status is not Status.AC:
            return _Wrong(f"the checker ended with {outcome.status}: {outcome.feedback}")
        (verdict,) = outcome.answers
        if verdict.error:
            return _Wrong(f"the checker says {verdict.error}")
        return _RIGHT if verdict.value == _YES else _Wrong("wrong answer")

    def _finding(
        self, index: int, right: JobAnswer, answer: JobAnswer, wrong: _Wrong
    ) -> AnswerCheck:
        both = right, answer
        found = None if wrong.tie else self._apart(*both, arguments=wrong.arguments)
        expected, got = wrong.tie or (
            self._shown(one, arguments=wrong.arguments) for one in both
        )
        if found and (expected == got or not wrong.arguments):
            expected, got = found.expected, found.told
        elif found:
            got = cut(f"{got} ({found.how})") if found.how else got
        return AnswerCheck(
            index=index,
            status=Status.RE if answer.error and not right.error else Status.WA,
            expected=expected,
            got=got,
            feedback=wrong.feedback,
            relative=found.relative if found else None,
        )

    def _apart(
        self, right: JobAnswer, answer: JobAnswer, *, arguments: bool
    ) -> AnswerDifference | None:
        """Return how they differ, where there are values of both that can be read."""
        ours, theirs = (one.arguments if arguments else one.value for one in (right, answer))
        if not (ours and theirs) or _too_long(ours, theirs) or _too_long(theirs, ours):
            return None
        try:
            return self.runner.apart(ours, theirs, self.problem.within)
        except WireError:
            return None

    def _shown(self, answer: JobAnswer, *, arguments: bool) -> str:
        if answer.error and not arguments:
            return cut(f"raises {answer.error}")
        if not arguments:
            return self.runner.show(answer.value)
        if not answer.arguments:
            return "arguments as they were"
        return cut(f"arguments become {self.runner.show(answer.arguments)}")


def _compared_errors(ours: JobAnswer, theirs: JobAnswer) -> _Wrong:
    # Only the type of an exception counts, its words do not.
    right, given = ours.error, theirs.error
    if not right:
        return _Wrong(given)
    if not given:
        return _Wrong(f"no exception where {right} is raised")
    if right.partition(":")[0] != given.partition(":")[0]:
        return _Wrong(f"{given} where {right} is raised")
    if ours.lineage != theirs.lineage:
        return _Wrong(
            f"another class of the same name is raised: {cut(theirs.lineage)} where "
            f"{cut(ours.lineage)} is right"
        )
    return _RIGHT
