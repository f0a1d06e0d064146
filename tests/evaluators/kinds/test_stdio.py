from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract
from tests.contracts.observing import ObservingContract
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import solution

BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
SLOW = """
numbers = [int(word) for word in open(0).read().split()]
seen = []
for number in numbers:
    if number not in seen:
        seen.append(number)
print(len(seen))
"""
FAST = "print(len(set(map(int, open(0).read().split()))))"


def stdio_problem(**changes: Any) -> Problem:
    problem = Problem(
        name="distinct",
        kind=ProblemKind.STDIO,
        programs={"initial": SLOW},
        cases=(
            Case(name="two", input=Expr(code="'1 2 1'"), expected="2\n"),
            Case(name="some", input=Expr(code="draw(rng, 50)")),
        ),
        generator=(
            "def draw(rng, size):\n"
            "    return ' '.join(str(rng.randrange(10**6)) for _ in range(size))\n"
        ),
        ladder=Ladder(rungs=(("draw(rng, 1000)",), ("draw(rng, 1500)",))),
        limits=Limits(cpu_seconds=0.5),
    )
    return replace(problem, **changes)


class TestStdioEvaluator(EvaluatorContract, ObservingContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = StdioEvaluator(stdio_problem(), measure=BRIEF)
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return stdio_problem().initial()

    @pytest.fixture
    def better(self) -> Solution:
        return solution(FAST)

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        return {
            Status.WA: solution("print(0)"),
            Status.RE: solution("raise SystemExit(3)"),
            Status.CE: solution("print("),
            Status.TLE: solution("while True: pass"),
            Status.MLE: solution("x = bytearray(1 << 32)"),
        }


class TestScripted:
    """What needs no processes; `cost` is charged on top of the start."""

    def scripted(self, **changes: Any) -> tuple[StdioEvaluator, ScriptedSandbox]:
        sandbox = ScriptedSandbox()
        problem = stdio_problem(
            programs={"initial": "import sys\nprint(len(sys.stdin.read().split()))\n" + COST},
            cases=(Case(name="two", input=Expr(code="'1 2'"), expected=" 2 \n"),),
            **changes,
        )
        return StdioEvaluator(problem, measure=Measure(), sandbox=sandbox), sandbox

    def test_each_input_is_a_cold_start(self) -> None:
        measuring, sandbox = self.scripted()
        same = solution("import sys\nprint(len(sys.stdin.read().split()))\n" + COST)
        block = measuring.block(same, same, number=0, pairs=2)
        assert block.inputs == 1
        assert all(len(job.inputs) == 1 for job in sandbox.jobs if job.program == same.text)
        assert block.reference == pytest.approx(0.05)

    def test_layout_is_free_and_words_are_not(self) -> None:
        measuring, _ = self.scripted()
        assert measuring.evaluate(solution("print('\\n2 ')")).status is Status.AC
        evaluation = measuring.evaluate(solution("print('2.0')"))
        assert evaluation.status is Status.WA
        assert (evaluation.failing[0].expected, evaluation.failing[0].got) == (" 2 \n", "2.0\n")

    def test_a_checker_is_given_texts(self) -> None:
        checker = (
            "def check(args, expected, output):\n"
            "    assert type(args) is type(expected) is type(output) is str\n"
            "    return float(output) == float(expected)\n"
        )
        measuring, _ = self.scripted(checker=checker)
        assert measuring.evaluate(solution("print('2.0')")).status is Status.AC
        assert measuring.evaluate(solution("print('2.5')")).status is Status.WA

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            pytest.param("1 // 0", r"\(RE\): expected 2, got ZeroDivisionError", id="raises"),
            pytest.param(
                "def cost(text): return 99", r"\(TLE\): expected 2, got CPU", id="slow"
            ),
        ],
    )
    def test_an_initial_program_that_fails_a_case_is_told_which(
        self, text: str, why: str
    ) -> None:
        problem = stdio_problem(programs={"initial": text})
        measuring = StdioEvaluator(problem, measure=Measure(), sandbox=ScriptedSandbox())
        with pytest.raises(ProblemError, match=f"'distinct' fails its own test 'two' {why}"):
            measuring.preflight(problem.initial())


COST = "def cost(text): return 0.05\n"
