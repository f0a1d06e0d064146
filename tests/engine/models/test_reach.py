"""A run whose models cannot be reached does not begin, and pays for no check."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config.sections import Endpoint
from se_agent.engine.models.endpoints import reach
from se_agent.engine.run.start import start
from se_agent.errors import ModelError
from se_agent.llm.scripted import ScriptedModel
from se_agent.protocols import Model
from se_agent.values.evaluation import ComparisonKind, Preflight
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, number_problem, number_run


class Dead(ScriptedModel):
    """Nobody listens there."""

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        super().__init__([])

    def reach(self) -> None:
        raise ModelError("dead: it cannot be reached: Connection refused", hint="start it")


class Unchecked(NumberEvaluator):
    """Must not be asked for a check."""

    def preflight(self, solution: Solution) -> Preflight:
        raise AssertionError("the check was begun")


def test_a_dead_endpoint_is_told_before_the_check_begins(tmp_path: Path) -> None:
    config = number_run(
        tmp_path,
        operators=["mutation"],
        models={"main": {"name": "any", "provider": f"{__name__}:Dead"}},
    )
    with pytest.raises(ModelError, match="cannot be reached"):
        start(
            config,
            problem=number_problem(),
            evaluators=lambda *_: Unchecked(ComparisonKind.EXACT),
        )
    assert not [*tmp_path.iterdir()]


def test_one_model_that_can_be_reached_is_enough() -> None:
    models: dict[str, Model] = {"dead": Dead(), "well": ScriptedModel([])}
    reach(models)
    with pytest.raises(ModelError, match="cannot be reached"):
        reach({"dead": Dead()})
