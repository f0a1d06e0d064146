"""A whole set: rows in their folders, the unmeasurable counted apart, resumable."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config import Run
from se_agent.engine.problem_set import run_set
from se_agent.engine.wiring import EvaluatorFactory
from se_agent.errors import IsolationError, TooSmallError
from se_agent.problem import Problem
from se_agent.types import Kind, Preflight, Solution
from tests.fakes import NumberEvaluator, number_run
from tests.test_problem_set import row, written


class PickyEvaluator(NumberEvaluator):
    """Finds one problem too small, and breaks on another."""

    def __init__(self, problem: Problem, log: Path) -> None:
        super().__init__(Kind.TIMED, log=log)
        self._name = problem.name

    def preflight(self, solution: Solution) -> Preflight:
        if self._name == "small":
            raise TooSmallError("0.1 ms")
        if self._name == "caged":
            raise IsolationError("no landlock")
        return super().preflight(solution)


def picky(log: Path) -> EvaluatorFactory:
    return lambda problem, config: PickyEvaluator(problem, log)


def rows(path: Path, *names: str) -> Path:
    one = [{"expr": "[1]"}]
    made = [
        row(id=name, slow={"code": "x = 1"}, **({"perf_inputs": one} if name == "one" else {}))
        for name in names
    ]
    return written(path, *made)


def config(results: Path) -> Run:
    return number_run(results, budget={"evaluations": 9})


def test_each_row_is_run_or_counted_apart(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "one", "small", "b")
    told: list[str] = []
    found = run_set(
        path,
        config(tmp_path),
        on_row=lambda n, of, r: told.append(f"{n}/{of} {r.id}"),
        evaluators=picky(tmp_path / "log"),
    )
    assert [(r.id, r.status) for r in found.rows] == [
        ("a", "proven"),
        ("one", "not_measurable"),
        ("small", "too_small"),
        ("b", "proven"),
    ]
    assert told == ["1/4 a", "2/4 one", "3/4 small", "4/4 b"]
    assert found.counts == {"proven": 2, "not_measurable": 1, "too_small": 1}
    assert (tmp_path / "set" / "a" / "run.db").is_file()


def test_a_second_run_pays_for_nothing(tmp_path: Path) -> None:
    path, log = rows(tmp_path / "set.jsonl", "a", "one", "small"), tmp_path / "log"
    first = run_set(path, config(tmp_path), evaluators=picky(log))
    paid = log.read_text()
    assert run_set(path, config(tmp_path), evaluators=picky(log)) == first
    assert log.read_text() == paid


def test_a_machine_that_cannot_isolate_stops_the_set(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "caged")
    with pytest.raises(IsolationError, match="no landlock"):
        run_set(path, config(tmp_path), evaluators=picky(tmp_path / "log"))
