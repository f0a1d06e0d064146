from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.answers.bench import Bench
from evaluators.answers.inputs import Cache, InputPool, Room
from evaluators.answers.oracle import fails_test
from evaluators.running.runner import CallRunner
from se_agent import wire
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr, Limits, Problem
from se_agent.values.evaluation import Status
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import program, timed_problem


def bench(problem: Problem) -> tuple[Bench, ScriptedSandbox]:
    sandbox = ScriptedSandbox()
    return Bench.of(problem, sandbox, CallRunner(problem)), sandbox


def exprs(*sizes: int) -> list[Expr]:
    return [Expr(code=f"({size}, 0)") for size in sizes]


def test_each_input_is_answered_once() -> None:
    at, sandbox = bench(timed_problem())
    batch = at.batch(exprs(3, 4, 3))
    assert [wire.loads(answer.value) for answer in batch.expected] == [9, 16, 9]
    before = len(sandbox.jobs)
    assert at.batch(exprs(4, 3)).expected == batch.expected[1:]
    assert len(sandbox.jobs) == before


def test_an_answer_belongs_to_the_input_not_to_its_expression() -> None:
    problem = timed_problem(generator="def draw(rng, size): return (size, LAYOUT)")
    at, sandbox = bench(problem)
    forgetful: Cache[Expr, bytes] = Cache(lambda _, data: len(data), Room(1))
    pool = InputPool(problem, sandbox, at.runner, forgetful)
    at = replace(at, pool=pool)
    seen = set()
    for _ in range(3):
        batch = at.batch([Expr(code="draw(rng, 2)"), Expr(code="draw(rng, 3)")])
        for data, answer in zip(batch.inputs, batch.expected, strict=True):
            size, salt = wire.loads(data)
            assert wire.loads(answer.value) == size * size + salt
        seen.add(batch.inputs)
        sandbox.restart()
    assert len(seen) == 3


def test_each_input_may_take_all_of_the_limit() -> None:
    problem = timed_problem(0.01, limits=Limits(cpu_seconds=0.06))
    at, _ = bench(problem)
    assert len(at.batch(exprs(4, 5, 3)).expected) == 3
    with pytest.raises(ProblemError, match=r"does not answer '\(9, 0\)' with seed 0: TLE"):
        at.batch(exprs(9))


def test_an_exception_is_an_answer() -> None:
    problem = timed_problem(programs={"initial": program(0.01, "[7][size]")})
    at, _ = bench(problem)
    first, second = at.batch(exprs(0, 4)).expected
    assert wire.loads(first.value) == 7
    assert second.error == "IndexError: list index out of range"


class TestSeconds:
    def test_a_rung_is_measured_once(self) -> None:
        at, sandbox = bench(timed_problem())
        assert at.oracle.seconds(exprs(10)[0]) == pytest.approx(0.052)
        before = len(sandbox.jobs)
        assert at.oracle.seconds(exprs(100)[0]) == pytest.approx(0.052)
        assert len(sandbox.jobs) == before

    def test_what_takes_longer_than_asked_is_infinite(self) -> None:
        at, _ = bench(timed_problem())
        assert at.oracle.seconds(exprs(1000)[0], at_most=0.5) == float("inf")


@pytest.mark.parametrize(
    ("got", "hint"),
    [
        ("$: unsupported value of type A in the returned value", "answers are None, numbers"),
        (f"$...[0]: {wire.TOO_DEEP} in the returned value", "answers are None, numbers"),
        ("IndexError: list index out of range", "correct the program or the case"),
    ],
)
def test_a_failed_test_says_what_to_do(got: str, hint: str) -> None:
    err = fails_test(timed_problem(), "three", Status.RE, expected="an answer", got=got)
    assert got in str(err)
    assert err.hint.startswith(hint)
