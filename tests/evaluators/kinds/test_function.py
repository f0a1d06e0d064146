from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from evaluators.kinds.function import FunctionEvaluator
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError, SandboxError
from se_agent.problem.model import Case, Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract
from tests.contracts.observing import ObservingContract
from tests.evaluators.worlds import solution

BRIEF = Measure(fast_seconds=0.005, slow_seconds=0.05)
SLOW = """
def distinct(xs):
    seen = []
    for x in xs:
        if x not in seen:
            seen.append(x)
    return seen
"""
FAST = "def distinct(xs):\n    return list(dict.fromkeys(xs))\n"
MUTATING = (
    "def distinct(xs):\n    out = list(dict.fromkeys(xs))\n    xs.clear()\n    return out\n"
)


def function_problem(**changes: Any) -> Problem:
    problem = Problem(
        name="distinct",
        kind=ProblemKind.FUNCTION,
        programs={"initial": SLOW},
        entry_point="distinct",
        cases=(
            Case(name="two", input=Expr(code="([2, 1, 2],)"), expected="[2, 1]"),
            Case(name="some", input=Expr(code="draw(rng, 50)")),
        ),
        generator=(
            "def draw(rng, size):\n    return ([rng.randrange(10**6) for _ in range(size)],)\n"
        ),
        ladder=Ladder(rungs=(("draw(rng, 500)",), ("draw(rng, 1000)",))),
        limits=Limits(cpu_seconds=0.5),
    )
    return replace(problem, **changes)


class TestFunctionEvaluator(EvaluatorContract, ObservingContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = FunctionEvaluator(function_problem(), measure=BRIEF)
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return function_problem().initial()

    @pytest.fixture
    def better(self) -> Solution:
        return solution(FAST)

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        return {
            Status.WA: solution(MUTATING),
            Status.RE: solution("def distinct(xs): return xs[99]"),
            Status.CE: solution("def distinct("),
            Status.TLE: solution("def distinct(xs):\n    while True: pass"),
            Status.MLE: solution("def distinct(xs): return len(bytearray(1 << 32))"),
            Status.REJECTED: solution("import os\ndef distinct(xs): return os.fork()"),
        }

    @pytest.mark.lm("LM-61")
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("def distinct(xs): return set(xs)", id="another-type"),
            pytest.param("def distinct(xs): return (x for x in xs)", id="odd-type"),
            pytest.param(
                "class Yes:\n    def __eq__(self, other): return True\n"
                "def distinct(xs): return Yes()",
                id="equal-to-all",
            ),
            pytest.param(MUTATING, id="mutated-argument"),
            pytest.param("def other(xs): return xs", id="no-entry-point"),
        ],
    )
    def test_what_only_looks_right_is_not(self, evaluator: Evaluator, text: str) -> None:
        assert evaluator.evaluate(solution(text)).status in (Status.WA, Status.RE)

    @pytest.mark.tier("hunts")
    def test_it_is_much_faster_on_final_inputs(
        self, evaluator: Evaluator, initial: Solution, better: Solution
    ) -> None:
        block = evaluator.block(initial, better, number=0, pairs=3, inputs=InputSet.FINAL)
        assert block.effect > 2

    @pytest.mark.tier("hunts")
    def test_how_it_scales_and_what_takes_memory_is_seen(self) -> None:
        sizes = (100, 400, 1000, 2000, 4000)
        generator = "def generate(rng, n):\n    return ([*range(n)],)\n"
        ladder = Ladder(rungs=tuple((f"generate(rng, {n})",) for n in sizes), search_level=2)
        problem = function_problem(generator=generator, ladder=ladder)
        problem = replace(problem, cases=problem.cases[:1])
        with closing(FunctionEvaluator(problem, measure=BRIEF)) as evaluator:
            slow, fast = (evaluator.observe(s) for s in (problem.initial(), solution(FAST)))
        assert slow.scaling is not None
        assert 1.4 < slow.scaling.exponent < 2.6
        assert fast.scaling is None or fast.scaling.exponent < 1.6
        (line, *_) = fast.allocations
        assert (line.function, line.line) == ("distinct", 2)
        assert line.bytes > 8 * 1000

    @pytest.mark.tier("hunts")
    def test_closing_ends_a_long_run_at_once(self) -> None:
        problem = function_problem(limits=Limits(cpu_seconds=100.0))
        forever = "def distinct(xs):\n    while len(xs) > 100: pass\n    return xs\n"
        evaluator = FunctionEvaluator(problem, measure=BRIEF)
        with ThreadPoolExecutor(1) as pool:
            one, two = problem.initial(), solution(forever)
            running = pool.submit(evaluator.block, two, one, number=0, pairs=12)
            time.sleep(1.0)
            assert not running.done()
            evaluator.close()
            with pytest.raises(SandboxError, match="the sandbox is closed"):
                running.result(timeout=60)

    def test_an_exception_is_told_with_its_place(self, evaluator: Evaluator) -> None:
        text = "def distinct(xs):\n    return {}[xs[0]]\n"
        evaluation = evaluator.evaluate(solution(text))
        assert evaluation.status is Status.RE
        assert "main.py:2 in distinct: return {}[xs[0]]" in evaluation.feedback

    def test_a_class_of_the_same_name_is_no_right_exception(self) -> None:
        strict = "def distinct(xs):\n    raise ValueError(xs[0])\n"
        own = "class ValueError(Exception): pass\n" + strict
        problem = function_problem(
            programs={"initial": strict}, cases=(Case(name="a", input=Expr(code="([2],)")),)
        )
        with closing(FunctionEvaluator(problem, measure=BRIEF)) as evaluator:
            assert evaluator.evaluate(problem.initial()).status is Status.AC
            assert evaluator.evaluate(solution(own)).status is Status.WA

    @pytest.mark.tier("hunts")
    def test_a_loser_is_cheap(
        self, evaluator: Evaluator, initial: Solution, better: Solution
    ) -> None:
        evaluator.block(better, initial, number=0, pairs=2)  # right answers are made once
        loser = evaluator.block(better, initial, number=1, pairs=12)
        assert loser.effect < -1
        assert loser.cost_seconds < 2

    @pytest.mark.tier("hunts")
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            pytest.param(
                {"entry_point": "nobody"}, r"fails its own test .*'nobody'", id="no-entry-point"
            ),
            pytest.param(
                {
                    "programs": {
                        "initial": "def distinct(xs): return list({str(x) for x in xs})"
                    },
                    "cases": (Case(name="one", input=Expr(code="([2],)")),),
                },
                "non-deterministic",
                id="order-of-a-set",
            ),
            pytest.param(
                {"ladder": Ladder(rungs=(("nobody(rng)",),))},
                "NameError",
                id="generator-raises",
            ),
            pytest.param(
                {"ladder": Ladder(rungs=(("(open,)",),))}, "cannot be sent", id="odd-input"
            ),
            pytest.param(
                {"ladder": Ladder(rungs=(("([],)",),))}, "too small to measure", id="too-small"
            ),
        ],
    )
    def test_preflight_names_what_cannot_be_measured(
        self, changes: dict[str, Any], message: str
    ) -> None:
        problem = function_problem(**changes)
        evaluator = FunctionEvaluator(problem, measure=BRIEF)
        try:
            with pytest.raises(ProblemError, match=message):
                evaluator.preflight(problem.initial())
        finally:
            evaluator.close()


LOGGING = SLOW.replace("def distinct", "LOG = []\ndef distinct").replace(
    "            seen.append(x)", "            seen.append(x)\n            LOG.append(x)"
)


@pytest.mark.tier("hunts")
def test_a_program_that_no_longer_changes_its_module_is_refused() -> None:
    problem = function_problem(programs={"initial": LOGGING})
    with closing(FunctionEvaluator(problem, measure=BRIEF)) as evaluator:
        notes = evaluator.preflight(problem.initial()).notes
        lost = evaluator.evaluate(solution(FAST))
        kept = FAST.replace("    return", "    LOG.extend(dict.fromkeys(xs))\n    return")
        assert evaluator.evaluate(solution(f"LOG = []\n{kept}")).status is Status.AC
    assert any(note.startswith("`distinct` changes `LOG`. ") for note in notes)
    assert (lost.status, lost.feedback) == (Status.WA, "it no longer changes `LOG`")
    (failed,) = lost.failing
    assert (failed.expected, failed.got) == ("changes `LOG`", "nothing of the kind")


LEAVING = "import sys\nsys.setrecursionlimit({})\n" + FAST


def test_a_program_may_leave_what_the_initial_one_leaves_and_nothing_else() -> None:
    initial = LEAVING.format(3000)
    problem = function_problem(programs={"initial": initial})
    judging = FunctionEvaluator(problem, measure=BRIEF)
    try:
        texts = (initial, FAST, LEAVING.format(4000))
        found = [judging.evaluate(solution(text)) for text in texts]
    finally:
        judging.close()
    assert [one.status for one in found] == [Status.AC, Status.AC, Status.WA]
    assert "(the recursion limit: 4000): put them back" in found[-1].feedback
    assert found[-1].failing[0].expected == "settings of the interpreter as they were"
