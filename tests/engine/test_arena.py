"""The arena: what it lends out it also ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.arena import Arena, Recorder
from se_agent.engine.journal import Journal
from se_agent.engine.policies import BestOfN
from se_agent.engine.state import State
from se_agent.errors import SandboxError
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
