"""What a row states is compared loosely, and a difference is a note, no error."""

from __future__ import annotations

import pytest

from evaluators.answers.stated import alike
from se_agent.problem.model import Case, Expr
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
    assert noted(answer, "(3, 1)") == notes


COST = "cost(size, *others)"
RAISES = "The row states [3, 1] for 'test 1', but its program raises"
TUPLE = "it is the tuple of arguments, ([1, 2],) where there is one."


@pytest.mark.parametrize(
    ("answer", "args", "note"),
    [
        pytest.param(
            "1 // (size - 3)",
            "(3, 1)",
            f"{RAISES} ZeroDivisionError: integer division or modulo by zero. "
            "The program is believed.",
            id="any-exception",
        ),
        pytest.param(
            "size",
            "(3, 1, 2)",
            f"{RAISES} TypeError: solve() takes 2 positional arguments but 3 were given. "
            f"The program is believed; most likely `args` is wrong: {TUPLE}",
            id="too-many-arguments",
        ),
        pytest.param(
            "size",
            "(3,)",
            f"{RAISES} TypeError: solve() missing 1 required positional argument: 'salt'. "
            f"The program is believed; most likely `args` is wrong: {TUPLE}",
            id="too-few-arguments",
        ),
        pytest.param(
            "len(size, salt) if size == 3 else 0",
            "(3, 1)",
            f"{RAISES} TypeError: len() takes exactly one argument (2 given). "
            "The program is believed.",
            id="another-call",
        ),
    ],
)
def test_an_exception_where_a_value_is_stated(answer: str, args: str, note: str) -> None:
    assert noted(answer, args)[0] == note


def noted(answer: str, args: str) -> tuple[str, ...]:
    """Return the notes on a program that answers this, the first case of which is this."""
    problem = timed_problem(
        programs={"initial": program(0.005, answer).replace("cost(size, salt)", COST)},
        cases=tuple(
            Case(name=f"test {n}", input=Expr(code=code))
            for n, code in enumerate((args, "(4, 2)", "(5, 0)"), 1)
        ),
        stated=("[3, 1]", "[4, 2]", "no literal"),
    )
    return evaluator(problem, ScriptedSandbox()).preflight(problem.initial()).notes
