"""The arena: what it lends out it also ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.judging.arena import Arena, Recorder
from se_agent.engine.record.journal import Journal
from se_agent.engine.search.policies import BestOfN
from se_agent.engine.state.state import State
from se_agent.errors import SandboxError
from se_agent.types import Hunt, Solution
from tests.engine.challengers import Doubter
from tests.fakes import NumberEvaluator, solution


class StubbornEvaluator(NumberEvaluator):
    """Cannot be closed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def close(self) -> None:
        super().close()
        raise SandboxError(f"{self._name} does not end")


def test_one_that_cannot_be_closed_leaves_no_other_open() -> None:
    evaluators = [
        NumberEvaluator(),
        StubbornEvaluator("the second"),
        NumberEvaluator(),
        StubbornEvaluator("the fourth"),
    ]
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, State(policy=BestOfN({}), memory=None), [])
        arena = Arena(evaluators, record)
        with pytest.raises(SandboxError, match="the second does not end"):
            arena.close()
        assert all(evaluator.closed for evaluator in evaluators)
        with pytest.raises(SandboxError, match="broken off"):
            arena.evaluate(0, solution("x = 1"))


class Helpless(Doubter):
    """Cannot make an input that the initial program answers in time, and pays for trying."""

    def hunt(self, solution: Solution, *, seconds: float) -> Hunt:
        self.hunted.append(solution.id)
        return Hunt(cost_seconds=2.5)


def test_a_search_that_came_to_nothing_is_paid_for_once() -> None:
    evaluator = Helpless()
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, State(policy=BestOfN({}), memory=None), [])
        arena = Arena([evaluator], record)
        for _ in range(2):
            arena.hunt(3, solution("x = 1"), seconds=5.0)
        assert record.state.costs.child_seconds == 2.5
        assert len(evaluator.hunted) == 1
        assert not arena.unrefuted(solution("x = 1"))
