"""The search on programs that read standard input: real processes, one a text."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from evaluators.kinds.stdio import StdioEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Hunt, Status
from se_agent.values.solution import Solution
from tests.evaluators.counterexample import shared

INITIAL = """
count, *rest = open(0).read().split()
pairs = list(zip(rest[::2], map(int, rest[1::2])))
for name, points in sorted(pairs, key=lambda pair: -pair[1]):
    print(name, points)
print("best", max((points for _, points in pairs), default="-"))
"""
GENERATOR = """
def draw(rng, size):
    rows = ["%s %d" % (rng.choice("abcdefgh"), rng.randrange(5, 500)) for _ in range(size)]
    return "\\n".join(["%d" % size, *rows]) + "\\n"

def valid(text):
    head, *rows = text.split("\\n")[:-1]
    return head == str(len(rows)) and all(int(row.split()[1]) >= 0 for row in rows)
"""
TIES = INITIAL.replace("-pair[1])", "(-pair[1], pair[0]))")
SET = INITIAL.replace("sorted(pairs", "sorted(dict.fromkeys(pairs)")
EMPTY = INITIAL.replace(', default="-"', "")
LOW = INITIAL.replace("-pair[1])", "-pair[1] if pair[1] > 4 else -999)")
FAST = """
import sys
count, *rows = sys.stdin.read().split("\\n")[:-1]
assert int(count) == len(rows), "a count that is wrong"
pairs = [row.split() for row in rows]
pairs.sort(key=lambda pair: int(pair[1]), reverse=True)
print("".join("%s %s\\n" % (name, points) for name, points in pairs), end="")
print("best", pairs[0][1] if pairs else "-")
"""
CHANCE = "import os\n" + INITIAL.replace('print("best"', 'print(os.urandom(9).hex(), "best"')


PLENTY = 60.0
"""CPU seconds; a search that finds something ends long before."""


def problem(initial: str = INITIAL, *, valid: bool = False) -> Problem:
    return Problem(
        name="points",
        kind=ProblemKind.STDIO,
        programs={"initial": initial},
        cases=(
            Case(name="some", input=Expr(code="draw(rng, 3)", seed=1)),
            Case(name="none", input=Expr(code="'0\\n'")),
        ),
        generator=GENERATOR,
        valid=GENERATOR if valid else "",
        ladder=Ladder(rungs=(("draw(rng, 4)",), ("draw(rng, 9)",))),
    )


def hunt(text: str, given: Problem, *, seconds: float = PLENTY, strict: bool = False) -> Hunt:
    return shared.hunt(given, text, seconds=seconds, strict=strict)


def test_numbers_beside_those_seen_are_asked_whatever_the_generator_draws() -> None:
    """No points below 5 are drawn, nor in the cases; `LOW` takes 4 for less than none."""
    given = problem()
    given = replace(given, cases=given.cases[:1])
    assert hunt(LOW, given, seconds=8.0).found is None
    found = hunt(LOW, given, strict=True).found
    assert found is not None
    assert not found.fair


@pytest.mark.parametrize(
    ("text", "status", "shown"),
    [
        pytest.param(TIES, Status.WA, r"'2\n", id="ties"),
        pytest.param(SET, Status.WA, r"'2\n", id="duplicates"),
        pytest.param(EMPTY, Status.RE, r"'0\n'", id="nothing"),
    ],
)
def test_a_wrong_program_is_refuted_by_a_small_text(
    text: str, status: Status, shown: str
) -> None:
    found = hunt(text, problem()).found
    assert found is not None
    assert found.status is status
    assert found.failed.input.startswith(shown)
    assert "\n" not in found.failed.expected
    assert found.arguments.startswith(shown[1:].replace(r"\n", "\n").removesuffix("'"))


@pytest.mark.parametrize("valid", [False, True])
def test_a_right_program_that_relies_on_the_count_is_not(valid: bool) -> None:
    found = hunt(FAST, problem(valid=valid), seconds=1.5)
    assert found.found is None
    assert found.tried > 20


def test_numbers_never_seen_count_where_the_problem_says_so() -> None:
    assert hunt(LOW, problem(), seconds=1.5).found is None
    assert hunt(LOW, problem(valid=True)).found is not None


def test_an_initial_program_that_answers_by_chance_refutes_nobody() -> None:
    assert hunt(INITIAL, problem(CHANCE), seconds=1.0).found is None


def test_a_text_that_was_found_is_a_test_for_others() -> None:
    with closing(StdioEvaluator(problem(), measure=Measure())) as evaluator:
        found = evaluator.hunt(Solution(id="a", files={"main.py": TIES}), seconds=PLENTY).found
        assert found is not None
        wrong = evaluator.retest(Solution(id="b", files={"main.py": TIES}), [found])
        right = evaluator.retest(Solution(id="c", files={"main.py": FAST}), [found])
    assert (wrong.status, right.status) == (Status.WA, Status.AC)
    assert wrong.failing[0].input == found.failed.input
