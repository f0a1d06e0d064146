"""What a row states is compared loosely, and a difference is a note, no error."""

from __future__ import annotations

import pytest

from evaluators.stated import alike
from se_agent.problem import Case, Expr
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, timed_problem

DIFFERS = "The row states [3, 1] for 'test 1', its program answers"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param([1, (2, 3)], (1, [2, 3]), True, id="list-and-tuple"),
        pytest.param([1, 2], [1, 2, 3], False, id="length"),
        pytest.param({"a": [1]}, {"a": (1,)}, True, id="in-a-dict"),
        pytest.param({"a": 1}, {"b": 1}, False, id="keys"),
        pytest.param(0.3, 0.1 + 0.2, True, id="near"),
        pytest.param(1, 1.0, True, id="int-and-float"),
        pytest.param(1.0, 1.1, False, id="not-near"),
        pytest.param(10**400, 1.0, False, id="beyond-floats"),
        pytest.param(1.0, "1.0", False, id="text"),
        pytest.param({1, 2}, {2, 1}, True, id="set"),
    ],
)
def test_alike(one: object, other: object, same: bool) -> None:
    assert alike(one, other) is same


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        pytest.param("(size, salt)", (), id="a-tuple-for-a-list"),
        pytest.param(
            "(size, 0)",
            (f"{DIFFERS} (3, 0): the program is believed.",),
            id="another-value",
        ),
    ],
)
def test_the_first_case_that_differs_is_noted(answer: str, notes: tuple[str, ...]) -> None:
    problem = timed_problem(
        programs={"initial": program(0.005, answer)},
        cases=tuple(
            Case(name=f"test {n}", input=Expr(code=code))
            for n, code in enumerate(("(3, 1)", "(4, 2)", "(5, 0)"), 1)
        ),
        stated=("[3, 1]", "[4, 2]", "no literal"),
    )
    found = evaluator(problem, ScriptedSandbox()).preflight(problem.initial())
    assert found.notes == notes
