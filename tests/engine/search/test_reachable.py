"""How much there is to search in the shipped functions, without a model."""

from __future__ import annotations

import pytest

from se_agent.config import Run
from se_agent.engine.models.endpoints import is_written
from se_agent.engine.search.reachable import reachable
from se_agent.engine.wiring import initial_of, operators_of
from se_agent.load import find_problems, load_problem
from se_agent.problem import ProblemKind

FUNCTIONS = [
    name for name in find_problems() if load_problem(name).kind is ProblemKind.FUNCTION
]


def test_there_are_eight_of_them() -> None:
    assert len(FUNCTIONS) == 8


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_shipped_function_has_30_candidates_and_more(name: str) -> None:
    run, problem = Run(problem=name), load_problem(name)
    operators = [each for each in operators_of(run).values() if not is_written(each)]
    found = reachable(problem, initial_of(problem, run), operators, cap=30)
    assert (found.candidates, found.complete) == (30, False)
    assert sum(found.by_operator.values()) == 30
