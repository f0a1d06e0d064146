"""A right program in the jail that forges what is seen of it: the run goes on, and is read."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from evaluators.kinds.function import FunctionEvaluator
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.engine.journal.journal import Journal
from se_agent.events import Evaluated, Event, Observed
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from tests.hostile.channel import FORGE

INITIAL = "def f(n):\n    return n\n"
WATCHED = """
def told():
    frame = sys._getframe()
    while frame is not None and "watch" not in frame.f_locals:
        frame = frame.f_back
    if frame is not None:
        forge_answer({body!r})

def f(n):
    told()
    return n
"""
ANSWERED = "def f(n):\n    forge_answer({body!r})\n    return n\n"


def lines(*row: Any, least: Any = 0.0) -> bytes:
    return wire.dumps([True, [("f", *row)], [("f", 1, 1.0)], least])


PROFILES = {
    "hits-for-ever": lines(2, math.inf, 0.5, 1),
    "no-hits": lines(2, math.nan, 0.5, 1),
    "a-huge-least": lines(2, 1, 0.5, 1, least=10**400),
    "huge-hits": lines(2, 10**5000, 0.5, 1),
    "endless": wire.dumps(range(10**20)),
    "calls-with-half-a-letter": wire.dumps([("f", ("\ud800",), 10**5000, None)]),
    "no-json": b"\xff",
}
ANSWERS = {
    "no-time": b'{"n":["<M8","0100000000000000",[1]]}',
    "half-a-letter": b'"\\ud800"',
    "huge": wire.dumps({10**5000: [10**400, math.inf]}),
    "endless": wire.dumps(range(10**20)),
    "no-json": b"\xff" * 9,
}


def evaluator() -> FunctionEvaluator:
    problem = Problem(
        name="f",
        kind=ProblemKind.FUNCTION,
        programs={"initial": INITIAL},
        entry_point="f",
        cases=(Case(name="one", input=Expr(code="(1,)")),),
        generator="def generate(rng, size):\n    return (rng.randrange(size),)\n",
        ladder=Ladder(rungs=(("generate(rng, 6)",), ("generate(rng, 12)",))),
    )
    return FunctionEvaluator(problem, measure=Measure())


def forging(text: str, body: bytes) -> Solution:
    return Solution(id="Gen1_Sol_0", files={"main.py": FORGE + text.format(body=body)})


def comes_back(event: Event, folder: Path) -> bool:
    with Journal(folder / "run.db") as journal:
        written = journal.append(event)
    with Journal(folder / "run.db", write=False) as journal:
        return tuple(journal.events()) == written


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("body", PROFILES.values(), ids=PROFILES)
def test_a_forged_observation_ends_nothing(tmp_path: Path, body: bytes) -> None:
    with closing(evaluator()) as jail:
        seen = jail.observe(forging(WATCHED, body))
    assert all(0 <= line.hits < 1 << 62 and 0 <= line.share <= 1 for line in seen.hot)
    assert comes_back(Observed(solution="Gen1_Sol_0", observation=seen), tmp_path)


@pytest.mark.tier("hunts")
@pytest.mark.parametrize("body", ANSWERS.values(), ids=ANSWERS)
def test_a_forged_answer_is_a_wrong_one(tmp_path: Path, body: bytes) -> None:
    with closing(evaluator()) as jail:
        found = jail.evaluate(forging(ANSWERED, body))
    assert found.status is not Status.AC
    event = Evaluated(solution="Gen1_Sol_0", content="c", evaluation=found)
    assert comes_back(event, tmp_path)
