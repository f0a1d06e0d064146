from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.errors import ProblemError
from se_agent.problem.model import Case, Expr, Limits
from se_agent.values.evaluation import FailedCase, Status
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def test_a_program_is_not_told_that_an_exception_is_expected() -> None:
    sandbox = ScriptedSandbox()
    evaluator(timed_problem(), sandbox).evaluate(solution(program(0.001)))
    ran = [job for job in sandbox.jobs if job.program == program(0.001)]
    assert ran
    assert all(job.keep_errors for job in ran)


@pytest.mark.lm("LM-61")
def test_a_right_program_has_runtime_memory_and_status() -> None:
    evaluation = evaluator(timed_problem(), ScriptedSandbox()).evaluate(
        solution(program(0.001))
    )
    assert evaluation.status is Status.AC
    assert evaluation.measurement is not None
    assert evaluation.measurement.cpu_seconds == pytest.approx(0.009)
    assert evaluation.measurement.peak_bytes == 1 << 20


def test_preparing_the_cases_counts_and_is_paid_once() -> None:
    measuring = evaluator(timed_problem(), sandbox := ScriptedSandbox())
    costs = [measuring.evaluate(solution(program(0.001))).cost_seconds for _ in range(2)]
    assert sum(costs) == pytest.approx(sandbox.spent)
    assert costs[1] == pytest.approx(0.009)
    assert costs[0] > 0.03


@pytest.mark.lm("LM-61")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        pytest.param(program(0.001, "0"), Status.WA, id="wrong"),
        pytest.param(program(0.001, "[][1]"), Status.RE, id="raises"),
        pytest.param(program(9.0), Status.TLE, id="too-slow"),
        pytest.param("def solve(", Status.CE, id="no-program"),
        pytest.param("x = 1", Status.RE, id="no-entry-point"),
    ],
)
def test_a_failure_is_a_status_without_a_time(text: str, status: Status) -> None:
    evaluation = evaluator(timed_problem(), ScriptedSandbox()).evaluate(solution(text))
    assert (evaluation.status, evaluation.measurement) == (status, None)
    assert evaluation.feedback


def test_the_first_failing_case_is_shown_and_ends_it() -> None:
    evaluation = evaluator(timed_problem(), ScriptedSandbox()).evaluate(
        solution(program(0.001, "10 if size == 3 else 'no'"))
    )
    assert evaluation.failing == (
        FailedCase(name="four", expected="16", got="'no'", input="(4, 0)"),
    )


def test_all_cases_are_one_job() -> None:
    measuring = evaluator(timed_problem(), sandbox := ScriptedSandbox())
    measuring.evaluate(solution(program(0.001)))
    before = len(sandbox.jobs)
    measuring.evaluate(solution(program(0.002)))
    assert len(sandbox.jobs) == before + 1


def test_what_failed_before_changes_nothing() -> None:
    measuring = evaluator(timed_problem(), ScriptedSandbox())
    fails_at_four = solution(program(0.001, "10 if size == 3 else 0"))
    fails_always = solution(program(0.001, "0"))
    candidates = (fails_always, fails_at_four, fails_at_four, fails_always)
    names = [measuring.evaluate(candidate).failing[0].name for candidate in candidates]
    assert names == ["three", "four", "four", "three"]


def test_the_candidate_never_meets_an_expected_answer() -> None:
    problem = timed_problem(
        cases=(Case(name="secret", input=Expr(code="(3, 1)"), expected="987654321"),)
    )
    measuring = evaluator(problem, sandbox := ScriptedSandbox())
    assert measuring.evaluate(solution(program(0.001))).status is Status.WA
    sent = b"".join(data for job in sandbox.jobs for data in job.inputs)
    assert b"987654321" not in sent


def test_a_stated_answer_leaves_the_arguments_to_the_initial_program() -> None:
    text = "def solve(xs):\n    xs.sort()\n    return xs[0]\n"
    problem = timed_problem(
        programs={"initial": text},
        cases=(Case(name="sorts", input=Expr(code="([3, 1, 2],)"), expected="1"),),
    )
    measuring = evaluator(problem, ScriptedSandbox())
    assert measuring.evaluate(solution(text)).status is Status.AC
    pure = solution("def solve(xs):\n    return min(xs)\n")
    assert "arguments" in measuring.evaluate(pure).feedback


def test_the_limit_is_the_problems() -> None:
    problem = timed_problem(0.001, limits=Limits(cpu_seconds=0.02))
    measuring = evaluator(problem, ScriptedSandbox())
    assert measuring.evaluate(solution(program(0.002))).status is Status.AC
    assert measuring.evaluate(solution(program(0.003))).status is Status.TLE


def test_no_case_is_the_users_to_mend() -> None:
    problem = replace(timed_problem(), cases=())
    with pytest.raises(ProblemError, match="no visible test"):
        evaluator(problem, ScriptedSandbox()).evaluate(solution(program(0.001)))


def test_an_expected_value_that_is_no_literal_is_named() -> None:
    case = Case(name="odd", input=Expr(code="(3, 1)"), expected="f(3)")
    with pytest.raises(ProblemError, match="'f\\(3\\)' is not a Python literal"):
        evaluator(timed_problem(cases=(case,)), ScriptedSandbox()).evaluate(
            solution(program(0.001))
        )
