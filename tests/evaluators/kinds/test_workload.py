"""Workloads that call modules of a package: a contract, and what is their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from evaluators.kinds.workload import WorkloadEvaluator
from evaluators.sandbox.job import Job
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import Ladder, Limits, PackageModule, Problem, ProblemKind, Workload
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract
from tests.contracts.observing import ObservingContract
from tests.evaluators.kinds.test_function import (
    BRIEF,
    FAST,
    MUTATING,
    SLOW,
    function_problem,
)
from tests.evaluators.worlds import solution

USE = """\
from rows import distinct

def workload(xs):
    return distinct(xs)
"""
METHOD = """\
class Rows:
    def __init__(self, xs):
        self.xs = xs

    def distinct(self):
        return list(dict.fromkeys(self.xs))

    def other(self):
        return 0

def distinct(xs):
    return Rows(xs).distinct()
"""


def workload_problem(text: str = SLOW, editable: str = "") -> Problem:
    use = Workload(
        name="use",
        package="",
        file="/nowhere/use.py",
        text=USE,
        function="workload",
        modules={"main.py": PackageModule(name="rows", file="/nowhere/rows.py")},
    )
    return replace(
        function_problem(),
        kind=ProblemKind.WORKLOAD,
        programs={"original": text},
        workload=use,
        editable=editable,
        entry_point="entry",
        loading_counts=False,
    )


class TestWorkloadEvaluator(EvaluatorContract, ObservingContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = WorkloadEvaluator(workload_problem(), measure=BRIEF)
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return workload_problem().initial()

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

    def test_an_error_names_the_line_of_the_module(self, evaluator: Evaluator) -> None:
        found = evaluator.evaluate(solution("def distinct(xs):\n    return xs[99]\n"))
        assert "main.py:2 in distinct: return xs[99]" in found.feedback

    def test_a_program_that_does_not_compile_is_told_with_its_line(
        self, evaluator: Evaluator
    ) -> None:
        found = evaluator.evaluate(solution("def distinct(xs):\n    return (\n"))
        assert found.status is Status.CE
        assert found.feedback == "SyntaxError: '(' was never closed (main.py:2)"

    def test_other_files_are_refused(self, evaluator: Evaluator, initial: Solution) -> None:
        more = replace(initial, files={**initial.files, "more.py": ""})
        assert evaluator.evaluate(more).status is Status.REJECTED


class TestAMethod:
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        problem = workload_problem(METHOD, "Rows.distinct")
        evaluator = WorkloadEvaluator(problem, measure=BRIEF)
        yield evaluator
        evaluator.close()

    def test_may_change(self, evaluator: Evaluator) -> None:
        text = METHOD.replace("list(dict.fromkeys(self.xs))", "[*dict.fromkeys(self.xs)]")
        assert evaluator.evaluate(solution(text)).status is Status.AC

    def test_is_all_that_may(self, evaluator: Evaluator) -> None:
        found = evaluator.evaluate(solution(METHOD.replace("return 0", "return 1")))
        assert found.status is Status.REJECTED
        assert found.feedback == "it changes more than `Rows.distinct` of main.py"

    def test_keeps_doing_what_it_did_besides(self) -> None:
        text = METHOD.replace(
            "        return list", "        print('asked')\n        return list"
        )
        problem = workload_problem(text, "Rows.distinct")
        evaluator = WorkloadEvaluator(problem, measure=BRIEF)
        try:
            found = evaluator.evaluate(solution(METHOD))
        finally:
            evaluator.close()
        assert (found.status, found.feedback) == (Status.WA, "it no longer prints")


def test_the_fingerprint_of_a_problem_knows_its_files() -> None:
    assert fingerprint(workload_problem()) != fingerprint(workload_problem(FAST))


@pytest.mark.tier("runs")
def test_growth_is_told_of_programs_with_several_files() -> None:
    problem = workload_problem()
    assert problem.workload is not None
    more = {"more.py": PackageModule(name="more", file="/nowhere/more.py")}
    rungs = tuple((f"generate(rng, {size})",) for size in (400, 900, 2000))
    problem = replace(
        problem,
        files={"more.py": ""},
        workload=replace(problem.workload, modules={**problem.workload.modules, **more}),
        generator="def generate(rng, size):\n    return ([*range(rng.randrange(9), size)],)\n",
        ladder=Ladder(rungs=rungs),
    )
    initial = problem.initial()
    fast = replace(initial, files={**initial.files, problem.path: FAST})
    evaluator = WorkloadEvaluator(problem, measure=BRIEF)
    try:
        found = evaluator.growth(initial, fast)
    finally:
        evaluator.close()
    assert found is not None
    assert found.sizes == (400, 900, 2000)


@pytest.mark.tier("runs")
def test_all_files_are_watched_and_named() -> None:
    problem = workload_problem()
    assert problem.workload is not None
    more = {"more.py": PackageModule(name="more", file="/nowhere/more.py")}
    use = "import more\n" + USE.replace(
        "return distinct(xs)", "return more.twice(distinct(xs))"
    )
    workload = replace(problem.workload, text=use, modules={**problem.workload.modules, **more})
    twice = "def twice(xs):\n    return [x + x for x in xs]\n"
    problem = replace(problem, files={"more.py": twice}, workload=workload)
    evaluator = WorkloadEvaluator(problem, measure=BRIEF)
    try:
        seen = evaluator.observe(problem.initial())
    finally:
        evaluator.close()
    assert {"main.py:distinct", "more.py:twice"} <= seen.functions.keys()
    assert {line.function for line in seen.hot} <= {"main.py:distinct", "more.py:twice"}
    assert seen.in_file("more.py").calls["twice"] == seen.calls["more.py:twice"]
    assert all(
        call.result == [2 * x for x in call.arguments[0]]
        for call in seen.calls["more.py:twice"]
    )


def test_what_a_package_imports_of_the_library_is_loaded_before_its_programs() -> None:
    problem = workload_problem(f"import colorsys, sys\n{SLOW}")
    sandbox = ForkServer()
    evaluator = WorkloadEvaluator(problem, measure=Measure(), sandbox=sandbox)
    call = Job(
        program="import sys\ndef loaded():\n    return [n in sys.modules for n in names]\n"
        "names = 'colorsys', 'rows', 'use', 'wave'\n",
        entry_point="loaded",
        inputs=(wire.dumps(()),),
        limits=problem.limits,
    )
    with contextlib.closing(evaluator):
        evaluator.preflight(problem.initial())
        sandbox.restart()
        outcome = sandbox.run(call)
    assert wire.loads(outcome.answers[0].value) == [True, False, False, False]


def test_a_library_that_does_not_load_is_left_to_the_programs() -> None:
    sandbox = ForkServer()
    sandbox.preload(["colorsys", "colorsys.nothing", "numpy"])
    with contextlib.closing(sandbox):
        program = (
            "import sys\ndef f():\n    return 'colorsys' in sys.modules, 'numpy' in sys.modules"
        )
        job = Job(program=program, entry_point="f", inputs=(wire.dumps(()),), limits=Limits())
        assert wire.loads(sandbox.run(job).answers[0].value) == (True, False)


def test_a_module_of_the_project_goes_before_one_of_the_library() -> None:
    problem = workload_problem()
    assert problem.workload is not None
    use = replace(
        problem.workload,
        text=USE.replace("rows", "calendar"),
        modules={"main.py": PackageModule(name="calendar", file="/nowhere/calendar.py")},
    )
    evaluator = WorkloadEvaluator(replace(problem, workload=use), measure=Measure())
    with contextlib.closing(evaluator):
        block = evaluator.block(problem.initial(), solution(FAST), number=0, pairs=2)
    assert (block.status, block.reference_status) == (Status.AC, Status.AC)
