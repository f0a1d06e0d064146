"""Through a whole run: who ends where it would be betrayed is refuted, and never proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import registered_evaluator
from se_agent.engine.run.start import start
from se_agent.errors import ConfigError
from se_agent.events import Challenged, Confirmed
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import Status
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from tests.engine.runs import events_of

UNIQUE = """
def unique(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
"""
HIDING = """
def unique(values):
    if len(values) in (4, 5, 7, 8):
        raise PermissionError(1, "no")
    return list(dict.fromkeys(values))
"""
GENERATOR = """
def generate(rng, size):
    return ([rng.randrange(10 * size) for _ in range(size)],)

def valid(arguments):
    return all(type(value) is int for value in arguments[0])
"""


class Hiding:
    """Proposes a program that is faster, and wrong where it would be betrayed."""

    name = "tests.engine.test_proven_ends:Hiding"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return it, once."""
        edit = Edit(rule=self.name, function="unique", node="all")
        child = brief.child(
            {"main.py": HIDING}, operator=self.name, base="Gen0_Sol_0", edits=(edit,)
        )
        if child.content in brief.tried:
            return None
        return Proposal(solution=child, direction="Use a dictionary")


def problem(**changes: str) -> Problem:
    return Problem(
        name="unique",
        kind=ProblemKind.FUNCTION,
        programs={"initial": changes.get("initial", UNIQUE)},
        entry_point="unique",
        cases=(Case(name="some", input=Expr(code="generate(rng, 90)", seed=1)),),
        generator=GENERATOR,
        valid=GENERATOR,
        ladder=Ladder(rungs=(("generate(rng, 100)",), ("generate(rng, 600)",)), final_level=1),
    )


def run(results: Path, **changes: object) -> Run:
    values: dict[str, object] = {
        "problem": "unique",
        "operators": [Hiding.name],
        "results": str(results),
        "budget": {"evaluations": 1},
        "memory": {"prior": False},
        "judge": {"min_blocks": 2, "max_blocks": 4, "pairs": 4},
        "measure": {"fast_seconds": 0.004, "slow_seconds": 0.02, "self_test_blocks": 3},
    }
    return Run.model_validate(values | changes)


@pytest.mark.tier("runs")
def test_a_program_that_is_thrown_out_where_it_is_wrong_is_not_proven(tmp_path: Path) -> None:
    result = start(run(tmp_path), problem=problem())
    events = events_of(result)
    (hunt,) = [event.hunt for event in events if isinstance(event, Challenged)]
    assert hunt.found is not None
    assert hunt.found.status is Status.REJECTED
    (last,) = [event for event in events if isinstance(event, Confirmed)]
    assert (last.status, result.status, last.solution) == (
        "not_proven",
        "not_proven",
        "Gen0_Sol_0",
    )


@pytest.mark.parametrize(
    ("judge", "status"),
    [({}, Status.WA), ({"rel_tol": 1e-9}, Status.AC), ({"abs_tol": 1e-6}, Status.AC)],
)
def test_a_run_may_tolerate_the_last_digit(
    tmp_path: Path, judge: dict[str, float], status: Status
) -> None:
    loop = "def unique(values):\n    total = 0.0\n    for value in values:\n"
    given = problem(initial=f"{loop}        total += value / 7\n    return [total]\n")
    text = "import math\ndef unique(values):\n    return [math.fsum(v / 7 for v in values)]\n"
    evaluator = registered_evaluator(given, run(tmp_path, judge=judge))
    try:
        found = evaluator.evaluate(Solution(id="a", files={"main.py": text}))
    finally:
        evaluator.close()
    assert found.status is status
    if status is Status.WA:
        assert "relative, at [0])" in found.failing[0].got


def test_a_tolerance_is_refused_where_answers_are_judged_otherwise(tmp_path: Path) -> None:
    scored = Problem(
        name="points",
        kind=ProblemKind.SCORE,
        programs={"initial": UNIQUE},
        entry_point="unique",
        scorer="def score(args, output): return 1.0\n",
    )
    with pytest.raises(ConfigError, match=r"judge\.rel_tol: answers to 'points' are judged"):
        registered_evaluator(scored, run(tmp_path, judge={"rel_tol": 1e-9}))
