"""The model without an endpoint."""

from __future__ import annotations

import pytest

from se_agent.errors import ModelError
from se_agent.llm.scripted import ScriptedModel
from se_agent.protocols import Model
from tests.contracts.model import ASKED, ModelContract


class TestScriptedModel(ModelContract):
    @pytest.fixture
    def model(self) -> Model:
        return ScriptedModel([self.REPLY])


def test_it_keeps_the_conversations_and_runs_out() -> None:
    model = ScriptedModel(["a", "b"])
    assert [model.complete(ASKED).text for _ in range(2)] == ["a", "b"]
    assert model.asked == [ASKED, ASKED]
    with pytest.raises(ModelError, match="no reply left after 2"):
        model.complete(ASKED)
