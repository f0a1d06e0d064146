"""Inputs that the old function refuses, though no input seen: who is held to them."""

from __future__ import annotations

from contextlib import closing

import pytest

from evaluators.kinds.function import FunctionEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.evaluation import Hunt
from se_agent.values.solution import Solution

TURNED = """
def turned(ring, times):
    ring = list(ring)
    for _ in range(times):
        ring.insert(0, ring.pop())
    return ring
"""
ROTATED = """
def turned(ring, times):
    times = max(times, 0) % len(ring) if ring else 0
    return ring[len(ring) - times:] + ring[:len(ring) - times]
"""
RAISING = ROTATED.replace("if ring else 0", "if ring else [].pop()").replace(
    "    times =", "    if not ring and times <= 0:\n        return []\n    times ="
)
DEEP = """
def turned(ring, times):
    return turned(ring, times - 2) if times else list(ring)
"""
FLAT = """
def turned(ring, times):
    return list(ring)
"""


def turning(initial: str, text: str, *, strict: bool) -> Hunt:
    """An empty ring is seen, and only without a turn: with one `TURNED` raises."""
    problem = Problem(
        name="turned",
        kind=ProblemKind.FUNCTION,
        programs={"initial": initial},
        entry_point="turned",
        cases=tuple(
            Case(name=str(n), input=Expr(code=f"generate(rng, {n})", seed=1)) for n in range(5)
        ),
        generator="def generate(rng, size):\n    return list(range(size * 4)), size * 2\n",
    )
    with closing(FunctionEvaluator(problem, measure=Measure())) as evaluator:
        solution = Solution(id="a", files={"main.py": text})
        return evaluator.hunt(solution, seconds=2.0, strict=strict)


def test_who_rests_on_what_was_seen_has_to_raise_what_edges_make_the_old_one_raise() -> None:
    found = turning(TURNED, ROTATED, strict=True).found
    assert found is not None
    assert found.failed.input == "([], 1)"
    assert found.failed.expected == "raises IndexError: pop from empty list"
    assert not found.fair


@pytest.mark.tier("hunts")
@pytest.mark.parametrize(
    ("initial", "text", "strict"),
    [
        pytest.param(TURNED, ROTATED, False, id="a-rule"),
        pytest.param(TURNED, RAISING, True, id="who-raises-it-too"),
        pytest.param(DEEP, FLAT, True, id="where-the-old-one-has-no-room"),
    ],
)
def test_nobody_else_is_held_to_what_no_input_seen_makes_it_raise(
    initial: str, text: str, strict: bool
) -> None:
    assert turning(initial, text, strict=strict).found is None
