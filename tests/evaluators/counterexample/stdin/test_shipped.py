"""The search on the shipped problems that read standard input, in Python and in C++."""

from __future__ import annotations

import pytest

from experiments.figures.planted import plants, rewrites
from se_agent.problem.loading import load_problem
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.evaluation import Evaluation, Hunt, Status
from se_agent.values.solution import Solution
from tests.evaluators.counterexample.shared import evaluator_of
from tests.evaluators.counterexample.stdin.rewrites import RIGHT

PLENTY = 60.0
"""CPU seconds; a search that finds something ends long before."""

PLANTED = [
    "cents in a set",
    "passages once",
    "titles of stop words",
    "differences in a byte",
    "nothing below zero",
    "whole rounds",
    "one room",
    "shifts that change",
    "the last shift",
]


def hunted(problem: Problem, text: str, *, seconds: float) -> tuple[Evaluation, Hunt]:
    solution = Solution(id="Gen1_Sol_0", files={problem.path: text})
    evaluator = evaluator_of(problem)
    return evaluator.evaluate(solution), evaluator.hunt(solution, seconds=seconds)


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_program_that_passes_the_visible_tests_is_refuted(name: str) -> None:
    (plant,) = [plant for plant in plants() if plant.name == name]
    problem = load_problem(plant.problem)
    assert problem.kind is ProblemKind.STDIO
    tested, found = hunted(problem, plant.applied(problem.initial().text), seconds=PLENTY)
    assert tested.status is Status.AC
    assert found.found is not None
    assert len(found.found.failed.input) < 80


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_that_relies_on_what_is_shown_is_not_refuted(name: str) -> None:
    tested, found = hunted(load_problem(name), RIGHT[name], seconds=2.0)
    assert tested.status is Status.AC
    assert found.found is None
    assert found.tried > 20


@pytest.mark.parametrize("name", ["toll_gates", "tide_table"])
def test_the_rewrite_of_a_rule_is_not_refuted(name: str) -> None:
    problem = load_problem(name)
    solution = next(rewrites(problem))
    tested, found = hunted(problem, solution.text, seconds=1.0)
    assert (tested.status, found.found) == (Status.AC, None)
