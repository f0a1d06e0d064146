"""Levels and what they have room for; nothing gets a weaker one than it asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.kinds.function import FunctionEvaluator
from evaluators.measure.means import require
from evaluators.sandbox.isolation.levels import LEVELS, require_room
from evaluators.sandbox.server.probe import tried
from se_agent.config.sections import Measure
from se_agent.errors import ConfigError, IsolationError
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.evaluation import Status
from se_agent.values.objective import Objective

ROOT = Path(__file__).parents[4]
THREADS = """
from concurrent.futures import ThreadPoolExecutor
def squares(xs):
    with ThreadPoolExecutor(2) as pool: return list(pool.map(lambda x: x * x, xs))
"""
PROBLEM = Problem(
    name="squares",
    kind=ProblemKind.FUNCTION,
    programs={"initial": THREADS},
    entry_point="squares",
    cases=(Case(name="two", input=Expr(code="([1, 2],)"), expected="[1, 4]"),),
    needs=("threads",),
)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_without_room_is_refused_and_named(level: str) -> None:
    require_room(level, ())
    if LEVELS[level].room:
        require_room(level, ("threads",))
        return
    with pytest.raises(IsolationError, match=f"`{level}` has no room for them") as caught:
        require_room(level, ("threads", "files"))
    assert "needs threads, files" in str(caught.value)
    assert "sandbox.isolation=namespace" in caught.value.hint


def test_an_evaluator_refuses_before_it_starts_anything() -> None:
    with pytest.raises(IsolationError, match="the problem needs threads"):
        FunctionEvaluator(PROBLEM, measure=Measure(), isolation="jail")


REFUSING = """
import sys
from evaluators.sandbox.isolation import kernel, seccomp
from evaluators.sandbox.server.fork_server import ForkServer
from se_agent.errors import IsolationError
from tests.contracts.sandbox import call
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
seccomp.refusing({"refused": (int(sys.argv[1]), int(sys.argv[2]))}).install()
try: print(ForkServer("namespace", patience=0.5).run(call("def f(): pass")).status)
except IsolationError as err: print(err, err.hint, sep="\\n")
"""


@pytest.mark.parametrize(
    ("numbers", "what"),
    [
        pytest.param((272, 97), "new namespaces: Operation not permitted", id="namespaces"),
        pytest.param((165, 40), "mounts below /: Operation not permitted", id="mounts"),
        pytest.param((56, 220), "a process in new namespaces: Operation not", id="processes"),
        pytest.param((444, 444), "no landlock here: a candidate could", id="landlock"),
    ],
)
def test_what_the_machine_refuses_is_named_and_nothing_weaker_is_taken(
    numbers: tuple[int, int], what: str
) -> None:
    program = [sys.executable, "-c", REFUSING, *map(str, numbers)]
    ended = subprocess.run(program, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ended.stderr == ""
    error, hint = ended.stdout.splitlines()
    assert what in error
    assert hint


@pytest.mark.skipif(bool(tried("namespace")), reason="no namespaces here")
def test_programs_with_threads_are_evaluated_where_there_is_room() -> None:
    evaluator = FunctionEvaluator(PROBLEM, measure=Measure(), isolation="namespace")
    try:
        found = evaluator.evaluate(PROBLEM.initial())
        assert found.status is Status.AC, found.feedback
    finally:
        evaluator.close()


def test_what_is_read_of_one_process_is_no_objective_where_there_may_be_more() -> None:
    objective = Objective.weighted({"memory": 1.0})
    require(objective, "jail")
    with pytest.raises(ConfigError, match="'memory' is read of one process") as caught:
        require(objective, "namespace")
    assert "isolation=jail" in caught.value.hint
