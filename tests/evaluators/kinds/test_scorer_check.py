"""Spoiled answers, and scorers that let them through."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from evaluators.kinds.score import ScoreEvaluator
from evaluators.kinds.scorer_check import Scrutiny, spoiled
from se_agent.config.sections import Measure
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.solution import Solution

POINTS = "def place():\n    return [[0.25, 0.5], [0.75, 0.5]]\n"
STRICT = """
import math
def score(args, output):
    if type(output) is not list or len(output) != 2:
        raise ValueError("two points are needed")
    for x, y in output:
        if not (type(x) is type(y) is float and 0 <= x <= 1 and 0 <= y <= 1):
            raise ValueError("outside")
    return math.dist(*output)
"""
NAN_PASSES = """
import math
def score(args, output):
    for x, y in output:
        if x < 0 or x > 1 or y < 0 or y > 1:
            raise ValueError("outside")
    return min(2.637, math.dist(*output))
"""
ANY_NUMBER = "def score(args, output):\n    return sum(map(sum, output))\n"
TRUSTING = "def score(args, output):\n    return 5.0\n"
LENGTH = "def score(args, output):\n    return float(len(output))\n"
LARGEST = "import numpy as np\ndef score(args, output): return np.max(output[0])\n"
ARRAYS = """
import numpy as np
def place():
    return np.array([0.5, 0.25]), np.int64(3), np.bool_(True)
"""


def scrutiny(scorer: str, program: str = POINTS) -> Scrutiny:
    problem = Problem(
        name="points",
        kind=ProblemKind.SCORE,
        programs={"initial": program},
        entry_point="place",
        scorer=scorer,
        direction="maximize",
        imports=("numpy",),
    )
    with closing(ScoreEvaluator(problem, measure=Measure())) as made:
        found = made.scrutiny(Solution(id="a", files={"main.py": program}))
    assert found is not None
    return found


def test_a_strict_scorer_lets_nothing_through() -> None:
    found = scrutiny(STRICT)
    assert found.gaps == ()
    assert found.tried > 30
    assert found.right == pytest.approx(0.5)


@pytest.mark.tier("hunts")
def test_a_scorer_that_nan_passes_is_told_with_place_and_score() -> None:
    gaps = {gap.words: gap.score for gap in scrutiny(NAN_PASSES).gaps}
    assert gaps["nan at [0][0]"] == 2.637
    assert gaps["nan at [1][1]"] == 2.637
    assert not [words for words in gaps if "inf" in words]


def test_huge_numbers_and_longer_answers_count_where_they_are_better() -> None:
    words = {gap.words for gap in scrutiny(ANY_NUMBER).gaps}
    assert "1e+308 at [0][0]" in words
    assert "all elements fifty times" in words
    assert "-1e+308 at [0][0]" not in words
    assert "an empty answer" not in words


@pytest.mark.tier("hunts")
def test_other_types_count_whatever_their_score() -> None:
    words = {gap.words for gap in scrutiny(TRUSTING).gaps}
    assert {
        "None at [0][0]",
        "None instead of the answer",
        "'x' instead of the answer",
    } <= words
    assert "an empty answer" not in words


def test_longer_answers_are_told_where_length_pays() -> None:
    words = {gap.words for gap in scrutiny(LENGTH).gaps}
    assert "its last element twice" in words
    assert "an empty answer" not in words


def test_numpy_answers_and_numpy_scores() -> None:
    found = scrutiny(LARGEST, ARRAYS)
    assert found.right == 0.5
    words = {gap.words for gap in found.gaps}
    assert "nan at [1]" in words  # it is not looked at
    assert "inf in the array at [0]" not in words  # its score is not finite


@pytest.mark.parametrize(
    ("answer", "some"),
    [
        pytest.param(1.5, "nan", id="number"),
        pytest.param({"a": [1, 2.0]}, "inf at ['a'][1]", id="dict"),
        pytest.param((1, 2), "an answer without its last element", id="tuple"),
        pytest.param(np.array([[1.0]]), "nan in the array", id="array"),
        pytest.param("3 1.5\n2\n", "nan for 2 in line 2", id="text"),
        pytest.param("no number", "no output", id="words"),
        pytest.param([], "None instead of the answer", id="empty"),
    ],
)
def test_any_answer_can_be_spoiled(answer: object, some: str) -> None:
    found = {one.words: one.value for one in spoiled(answer)}
    assert some in found
    assert not any(value is answer for value in found.values())
