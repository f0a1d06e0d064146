from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.answers.check import AnswerCheck, Checker, remembered
from evaluators.answers.inputs import Room
from evaluators.running.runner import CallRunner, StdioRunner
from evaluators.running.shown import shown
from evaluators.sandbox.job import JobAnswer
from se_agent import wire
from se_agent.problem.model import Problem
from se_agent.values.evaluation import Status
from se_agent.wire import EXACT, Tolerance
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import timed_problem
from tests.test_wire import values

CLOSE = "def check(args, expected, output):\n    return abs(expected - output) <= args[0]"


def found(
    expected: Any, got: Any, *, sandbox: ScriptedSandbox | None = None, **changes: Any
) -> AnswerCheck | None:
    """Compare two values, given for the arguments (1, [2])."""
    problem = timed_problem(**changes)
    checker = checking(problem, sandbox or ScriptedSandbox())
    return checker.first_wrong([wire.dumps((1, [2]))], [answer(expected)], [answer(got)])


def checking(problem: Problem, sandbox: ScriptedSandbox) -> Checker:
    return Checker(problem, sandbox, CallRunner(problem), remembered(Room()))


def answer(value: Any) -> JobAnswer:
    return value if isinstance(value, JobAnswer) else JobAnswer(value=wire.dumps(value))


class TestEquality:
    @pytest.mark.parametrize(
        ("expected", "got"),
        [
            pytest.param([1, 2], [1, 2], id="equal"),
            pytest.param({3, 1, 2}, {2, 3, 1}, id="sets-in-any-order"),
            pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="dicts-in-any-order"),
            pytest.param(float("nan"), float("nan"), id="nan"),
        ],
    )
    def test_same(self, expected: Any, got: Any) -> None:
        assert found(expected, got) is None

    @pytest.mark.parametrize(
        ("expected", "got"),
        [
            pytest.param(1, True, id="bool-is-not-int"),
            pytest.param([1], (1,), id="tuple-is-not-list"),
            pytest.param(1.0, 1, id="int-is-not-float"),
            pytest.param(0.3, 0.1 + 0.2, id="one-bit"),
            pytest.param(None, 0, id="none"),
        ],
    )
    def test_different(self, expected: Any, got: Any) -> None:
        finding = found(expected, got)
        assert finding is not None
        assert (finding.status, finding.feedback) == (Status.WA, "wrong answer")
        assert finding.expected == repr(expected)
        assert finding.got.partition(" (")[0] == repr(got).partition(" (")[0]
        assert finding.expected != finding.got

    @pytest.mark.parametrize(
        ("expected", "got", "told"),
        [
            pytest.param(0.3, 0.1 + 0.2, "differ by 1.9e-16 relative", id="one-bit"),
            pytest.param([[1.5]], [[1.0]], "differ by 0.33 relative, at [0][0]", id="inside"),
            pytest.param(1.0, 1, "int instead of float, equal in value", id="int"),
            pytest.param(2, 1.5, "float instead of int", id="float"),
            pytest.param(
                [1.0],
                [np.float64(1)],
                "numpy.float64 instead of float, equal in value, at [0]",
                id="numpy",
            ),
        ],
    )
    def test_what_is_easily_overlooked_is_said(
        self, expected: Any, got: Any, told: str
    ) -> None:
        finding = found(expected, got)
        assert finding is not None
        assert finding.got == f"{shown(got)} ({told})"

    @pytest.mark.parametrize(
        ("within", "right"),
        [
            ({"rel_tol": 1e-9}, (True, True, False)),
            ({"abs_tol": 1e-9}, (True, False, True)),
            ({"rel_tol": 1e-9, "abs_tol": 1e-9}, (True, True, True)),
            ({}, (False, False, False)),
        ],
        ids=str,
    )
    def test_a_tolerance_may_be_relative_or_absolute(
        self, within: dict[str, Any], right: tuple[bool, ...]
    ) -> None:
        pairs = [(0.3, 0.1 + 0.2), (1e12, 1e12 + 1.0 / 128), (1e-12, 2e-12)]
        assert tuple(found([a], [b], **within) is None for a, b in pairs) == right

    def test_tolerance_is_the_problems(self) -> None:
        assert found(0.3, 0.1 + 0.2, tolerance=1e-9) is None
        assert found(0.3, 0.31, tolerance=1e-9) is not None

    def test_garbage_is_a_wrong_answer(self) -> None:
        finding = found(1, JobAnswer(value=b"\xff{"))
        assert finding is not None
        assert "unreadable answer" in finding.got

    def test_what_is_shown_is_cut(self) -> None:
        finding = found("x" * 10_000, "y" * 10_000)
        assert finding is not None
        assert len(finding.expected) == len(finding.got) == 300

    @pytest.mark.tier("hunts")
    @given(values, values, st.sampled_from(["", CLOSE]), st.sampled_from([0.0, 1e-9]))
    def test_no_answer_is_an_error_of_ours(
        self, expected: Any, got: Any, checker: str, tolerance: float
    ) -> None:
        finding = found(expected, got, checker=checker, tolerance=tolerance)
        assert finding is None or finding.status is Status.WA

    def test_neither_is_one_of_many_digits(self) -> None:
        finding = found(1, 10**5000)
        assert finding is not None
        assert "bits" in finding.got

    def test_one_that_is_far_too_long_is_not_decoded(self) -> None:
        finding = found([1], JobAnswer(value=b"[1" + b" " * 300_000 + b"]"))
        assert finding is not None
        assert finding.feedback == "wrong answer"
        assert finding.got == "a value of 300,003 bytes"

    def test_whatever_a_checker_would_say_of_it(self) -> None:
        yes = "def check(args, expected, output): return True\n"
        assert found([1], [2], checker=yes) is None
        assert found([1], "x" * 300_000, checker=yes) is not None

    def test_neither_are_arguments(self) -> None:
        long = JobAnswer(value=wire.dumps(5), arguments=b"x" * 300_000)
        finding = found(5, long)
        assert finding is not None
        assert finding.got == "arguments become a value of 300,000 bytes"

    def test_a_long_answer_to_a_long_one_is_compared(self) -> None:
        numbers = {float(n) for n in range(5000)}
        spaced = wire.dumps(numbers).replace(b",", b", ")
        assert found(numbers, JobAnswer(value=spaced)) is None


class TestArguments:
    def test_a_changed_argument_is_found(self) -> None:
        changed = JobAnswer(value=wire.dumps(5), arguments=wire.dumps((1, [])))
        finding = found(5, changed)
        assert finding is not None
        assert "arguments are left in another state" in finding.feedback
        assert finding.got == "arguments become (1, [])"

    def test_the_same_change_as_the_initial_program_makes_is_right(self) -> None:
        changed = JobAnswer(value=wire.dumps(5), arguments=wire.dumps((1, [])))
        assert found(changed, changed) is None
        assert found(changed, 5) is not None

    def test_other_bytes_of_equal_arguments_are_no_change(self) -> None:
        problem = timed_problem()
        checker = checking(problem, ScriptedSandbox())
        spaced = wire.dumps((1, [2])).replace(b",", b", ")
        got = JobAnswer(value=wire.dumps(5), arguments=spaced)
        assert checker.first_wrong([wire.dumps((1, [2]))], [answer(5)], [got]) is None


class TestErrors:
    def test_an_exception_where_none_is_expected_is_re(self) -> None:
        finding = found(5, JobAnswer(error="KeyError: 7"))
        assert finding is not None
        assert (finding.status, finding.feedback) == (Status.RE, "KeyError: 7")

    def test_only_the_type_of_an_expected_exception_counts(self) -> None:
        right = JobAnswer(error="ValueError: empty")
        assert found(right, JobAnswer(error="ValueError: nothing there")) is None
        for other in (JobAnswer(error="TypeError: empty"), 5):
            finding = found(right, other)
            assert finding is not None
            assert finding.status is Status.WA

    def test_a_class_of_the_same_name_is_another_type(self) -> None:
        right = JobAnswer(error="ValueError: empty")
        assert found(right, JobAnswer(error="main.ValueError: empty")) is not None

    def test_a_class_of_the_same_name_with_other_bases_is_another_type(self) -> None:
        right = JobAnswer(error="main.Lacking: 7", lineage="main.Lacking < KeyError")
        assert found(right, replace(right, error="main.Lacking: 8")) is None
        finding = found(right, replace(right, lineage="main.Lacking < Exception"))
        assert finding is not None
        assert finding.status is Status.WA
        assert "another class of the same name is raised" in finding.feedback

    def test_the_arguments_count_after_an_exception_too(self) -> None:
        right = JobAnswer(error="ValueError: empty")
        finding = found(right, replace(right, arguments=wire.dumps((1, []))))
        assert finding is not None
        assert (finding.status, finding.got) == (Status.WA, "arguments become (1, [])")
        assert found(right, replace(right, arguments=wire.dumps((1, [2])))) is None


class TestChecker:
    def test_the_problem_decides(self) -> None:
        assert found(5.0, 5.9, checker=CLOSE) is None
        finding = found(5.0, 6.5, checker=CLOSE)
        assert finding is not None
        assert finding.status is Status.WA

    def test_it_decides_on_arguments_too(self) -> None:
        changed = JobAnswer(value=wire.dumps(5), arguments=wire.dumps((1, [])))
        assert found(5, changed, checker=CLOSE) is None

    def test_a_checker_that_chokes_says_why(self) -> None:
        finding = found(5.0, "five", checker=CLOSE)
        assert finding is not None
        assert "TypeError" in finding.feedback

    def test_an_answer_as_deep_as_one_may_be_is_refused(self) -> None:
        deep: Any = 1
        for _ in range(wire.MAX_DEPTH + 1):
            deep = [deep]
        finding = found(5.0, deep, checker=CLOSE)
        assert finding is not None
        assert finding.status is Status.WA
        assert "unreadable answer" in finding.feedback

    def test_the_same_answer_is_checked_once(self) -> None:
        problem = timed_problem(checker=CLOSE)
        checker = checking(problem, sandbox := ScriptedSandbox())
        for _ in range(5):
            checker.first_wrong([wire.dumps((1, [2]))], [answer(5.0)], [answer(5.5)])
        assert len(sandbox.jobs) == 1


def test_the_first_wrong_one_is_named() -> None:
    problem = timed_problem()
    checker = checking(problem, ScriptedSandbox())
    inputs = [wire.dumps((n, 0)) for n in range(4)]
    given = [answer(n) for n in (0, 1, 9, 9)]
    finding = checker.first_wrong(inputs, [answer(n) for n in range(4)], given)
    assert finding is not None
    assert finding.index == 2
    assert checker.first_wrong(inputs, [answer(n) for n in range(4)], given[:2]) is None


class TestWords:
    @pytest.mark.parametrize(
        ("expected", "got", "right"),
        [
            (b"1 2\n3\n", b"1  2 3", True),
            (b"1 2", b"1 2 3", False),
            (b"yes", b"Yes", False),
            (b"0.50", b"0.5", False),
        ],
    )
    def test_layout_is_free(self, expected: bytes, got: bytes, right: bool) -> None:
        assert StdioRunner(timed_problem()).same(expected, got, EXACT) is right

    @pytest.mark.parametrize(
        ("expected", "got", "right"),
        [
            (b"2.0", b"2", True),
            (b"1e3", b"1000.0001", True),
            (b"-inf", b"-Infinity", True),
            (b"1000000", b"1000000.1", False),
            (b"1000000", b"1000001", False),
            (b"10.0", b"1_0.0", False),
            (b"1.", b"\xd9\xa1", False),
            (b"inf", b"1e999", True),
            (b"nan", b"0.0", False),
        ],
    )
    def test_tolerance_is_for_what_is_written_as_a_float(
        self, expected: bytes, got: bytes, right: bool
    ) -> None:
        assert StdioRunner(timed_problem()).same(expected, got, Tolerance(1e-6, 1e-6)) is right

    def test_tolerance_holds_for_numbers_only(self) -> None:
        same = StdioRunner(timed_problem()).same
        assert same(b"x 0.50", b"x 0.5000000001", Tolerance(1e-6))
        assert not same(b"x 0.50", b"y 0.50", Tolerance(1e-6))
