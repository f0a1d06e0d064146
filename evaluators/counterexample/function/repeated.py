"""What a program does for a caller who keeps its answers, against the initial one.

A program may do worse than the initial one in nothing, and better in all: where that one hands
out a part of its arguments, a copy is as good. Not here: the calls
(`evaluators.counterexample.asking`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any  # values of any type that may cross the wire

from evaluators.answers.bench import Bench
from evaluators.answers.check import AnswerCheck
from evaluators.answers.ties import (
    COPY,
    EACH,
    Places,
    of_answer,
    of_argument,
    of_given,
    places_of,
    twice,
    whole,
)
from evaluators.running.shown import cut, shown
from evaluators.sandbox.child.caller import Path
from evaluators.sandbox.job import JobAnswer
from se_agent import wire
from se_agent.errors import WireError
from se_agent.values.evaluation import Status

_NEW = "another object each time"


@dataclass(frozen=True)
class RepeatedOutcome:
    """How a later call ended: with a value, or the type of what it raised."""

    ok: bool
    value: Any

    @classmethod
    def of(cls, ok: object, value: Any) -> RepeatedOutcome:
        """Return the outcome as a process tells it."""
        return cls(ok is True, value)


@dataclass(frozen=True)
class RepeatedReport:
    """What `caller.repeatedly` said.

    Attributes:
        first: The first answer.
        second: How the second call ended.
        kept: The first answer after it.
        with_arguments: What the first answer and its arguments have in common.
        within: What stands in the first answer twice.
        between: What the first answer and later ones have in common.
        lent: What stands twice in the arguments of the first two calls after these.
        left: The second answer at the end.
        third: How the third call ended, after the first answer was changed.
    """

    first: Any
    second: RepeatedOutcome
    kept: Any
    with_arguments: Places
    within: Places
    between: Places
    lent: Places
    left: Any
    third: RepeatedOutcome

    @classmethod
    def of(cls, answer: JobAnswer) -> RepeatedReport | None:
        """Return the report; None for what is none."""
        try:
            first, second, kept, shared, left, third = told = whole(wire.loads(answer.value), 6)
            wire.dumps(told)  # parts of it will be written
            ours, within, between, lent = map(places_of, whole(shared, 4))
            ends = RepeatedOutcome.of(*whole(second, 2)), RepeatedOutcome.of(*whole(third, 2))
        except (WireError, TypeError, ValueError):
            return None
        return cls(first, ends[0], kept, ours, within, between, lent, left, ends[1])


def first_of(answer: JobAnswer) -> JobAnswer:
    """Return the first of the answers, or what was raised instead."""
    report = None if answer.error else RepeatedReport.of(answer)
    return answer if report is None else JobAnswer(value=wire.dumps(report.first))


def begins(bench: Bench, data: bytes, repeated: JobAnswer, once: JobAnswer) -> bool:
    """Say whether three calls begin with the answer of one: none before left its mark."""
    first, right = first_of(repeated), replace(once, arguments=b"")
    return bench.checker.first_wrong([data], [right], [first]) is None


def first_fault(
    bench: Bench, data: bytes, right: JobAnswer, given: JobAnswer
) -> AnswerCheck | None:
    """Return what a program does worse than the initial one; None where nothing is.

    Args:
        bench: With the checker.
        data: The input.
        right: What the initial program does.
        given: What the program does.
    """
    if given == right:
        return None
    found = bench.checker.first_wrong([data], [first_of(right)], [first_of(given)])
    ours, theirs = RepeatedReport.of(right), RepeatedReport.of(given)
    if found is not None or ours is None or theirs is None:
        return found
    return _Faults(bench, data, ours).of(theirs)


@dataclass(frozen=True)
class _Faults:
    """Holds programs to what the initial one does for a caller on an input."""

    bench: Bench
    data: bytes
    right: RepeatedReport

    def of(self, given: RepeatedReport) -> AnswerCheck | None:
        """Return the first fault."""
        right = self.right
        return (
            self._later(right.second, given.second, "at a second call with equal arguments")
            or self._shared(right.with_arguments, given.with_arguments, COPY, of_argument)
            or self._shared(right.within, given.within, EACH, twice)
            or self._shared(right.between, given.between, _NEW, _again)
            or self._shared(right.lent, given.lent, _NEW, _lent)
            or self._stale((right.first, right.kept), (given.first, given.kept))
            or self._later(right.third, given.third, "after the first answer was changed")
            or self._stale((right.second.value, right.left), (given.second.value, given.left))
        )

    def _later(
        self, right: RepeatedOutcome, given: RepeatedOutcome, when: str
    ) -> AnswerCheck | None:
        """Compare later answers, where the initial program says what it said at first."""
        if not right.ok or self._wrong(right.value) is not None:
            return None
        if not given.ok:
            raised = cut(f"{when}: raises {shown(given.value)}")
            return self._finding(shown(self.right.first), raised, status=Status.RE)
        wrong = self._wrong(given.value)
        return wrong and self._finding(wrong.expected, cut(f"{when}: {wrong.got}"))

    def _wrong(self, value: Any) -> AnswerCheck | None:
        first, other = (JobAnswer(value=wire.dumps(one)) for one in (self.right.first, value))
        return self.bench.checker.first_wrong([self.data], [first], [other])

    def _shared(
        self, right: Places, given: Places, expected: str, told: Callable[[Path, Path], str]
    ) -> AnswerCheck | None:
        new = next((paths for place, paths in given.items() if place not in right), None)
        return None if new is None else self._finding(expected, cut(told(*new)))

    def _stale(self, right: tuple[Any, Any], given: tuple[Any, Any]) -> AnswerCheck | None:
        """Compare an answer with what became of it, where that of the initial one lasts."""
        if not wire.same(*right) or wire.same(*given):
            return None
        was, became = map(shown, given)
        return self._finding(was, cut(f"an answer that changed at the next call, to {became}"))

    def _finding(self, expected: str, got: str, status: Status = Status.WA) -> AnswerCheck:
        return AnswerCheck(index=0, status=status, expected=expected, got=got, feedback=got)


def _again(path: Path, other: Path) -> str:
    ours, theirs = of_answer(path), of_answer(other)
    where = ours if ours == theirs else f"{ours} and later {theirs}"
    return f"one object as {where} of two calls: changing an answer changes later ones"


def _lent(path: Path, other: Path) -> str:
    each = " and ".join(map(_of_call, (other, path)))
    return f"leaves one object as {each}: changing one changes the other"


def _of_call(path: Path) -> str:
    return f"{of_given(path[1:])} of call {''.join(map(shown, path[:1]))}"
