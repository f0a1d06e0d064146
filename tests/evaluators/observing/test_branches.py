"""Branches that no watched input takes: which are told, and which are no branch of interest."""

from __future__ import annotations

from contextlib import closing

import pytest

from evaluators.kinds.function import FunctionEvaluator
from evaluators.observing.branches import untaken
from evaluators.observing.report import ProgramText, reached
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind

TEXT = """
def f(n):
    if n < 0:
        raise ValueError(n)
    if n > 5000:
        return 0
    elif n == 7:
        return 1
    else:
        n += 1
    for k in range(n):
        if k:
            n += k
        else:
            n -= 1
    try:
        n = 1 // n
    except ZeroDivisionError:
        n = 0
    return n


def unused(n):
    if n:
        return 1
"""


def told(lines: set[int], text: str = TEXT) -> list[tuple[str, str]]:
    seen = {("", line) for line in lines}
    return [(one.text, one.way) for one in untaken(ProgramText.of(text), seen)]


@pytest.mark.parametrize(
    ("lines", "branches"),
    [
        pytest.param(set(range(3, 22)), [], id="all-were-taken"),
        pytest.param(set(range(3, 22)) - {6}, [("if n > 5000:", "true")], id="one-was-not"),
        pytest.param(set(range(3, 22)) - {4}, [], id="a-refusal-is-none"),
        pytest.param(
            set(range(3, 22)) - {7, 8, 9, 10}, [("if n > 5000:", "false")], id="its-other-side"
        ),
        pytest.param(
            set(range(3, 22)) - {12, 13, 14, 15},
            [("for k in range(n):", "entered")],
            id="the-outermost-only",
        ),
        pytest.param(
            set(range(3, 22)) - {19},
            [("except ZeroDivisionError:", "taken")],
            id="no-exception",
        ),
        pytest.param(set(), [], id="a-function-that-nobody-called"),
    ],
)
def test_the_outermost_branches_that_were_never_taken_are_told(
    lines: set[int], branches: list[tuple[str, str]]
) -> None:
    assert told(lines) == branches


def test_what_is_no_report_reaches_no_line() -> None:
    reports = [None, [1], [True, None], [True, [("f", 3, 1, 0.0, 1), ("f", 10**9, 1, 0, 1)]]]
    assert reached(ProgramText.of(TEXT), reports) == {("", 3)}


def test_an_initial_program_is_watched_for_them() -> None:
    text = (
        "def f(words):\n    if chr(35) in words:\n        return 0\n"
        "    return sum(map(len, words))\n"
    )
    problem = Problem(
        name="f",
        kind=ProblemKind.FUNCTION,
        programs={"initial": text},
        entry_point="f",
        cases=(Case(name="some", input=Expr(code="(['ab', 'b'],)")),),
        generator="def generate(rng, size):\n    return ([rng.choice(['a', 'bc'])] * size,)\n",
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )
    with closing(FunctionEvaluator(problem, measure=Measure())) as evaluator:
        seen = evaluator.observe(problem.initial("initial"))
    assert [(one.function, one.line, one.way) for one in seen.untaken] == [("f", 2, "true")]
