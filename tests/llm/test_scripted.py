"""The models without an endpoint."""

from __future__ import annotations

import itertools

import pytest

from se_agent.chat.messages import Message, Usage
from se_agent.errors import ModelError
from se_agent.llm.scripted import ScriptedModel
from se_agent.protocols import Model
from tests.contracts.model import ASKED, ModelContract


class TestScriptedModel(ModelContract):
    @pytest.fixture
    def model(self) -> Model:
        return ScriptedModel(itertools.repeat(self.REPLY))

    @pytest.fixture
    def slow(self) -> Model:
        return ScriptedModel([self.REPLY] * 2, latency=60.0)

    @pytest.fixture
    def cut(self) -> Model:
        return ScriptedModel([self.REPLY * 2])

    def test_a_reply_that_was_cut_says_so(self, cut: Model) -> None:
        reply = cut.complete(ASKED, max_tokens=2)
        assert (reply.text, reply.complete, reply.usage.completion) == ("x = 1x =", False, 2)


class TestScriptedByAFunction(ModelContract):
    @pytest.fixture
    def model(self) -> Model:
        return ScriptedModel(lambda asked: asked[-1].content.replace("0", "1"))

    @pytest.fixture
    def slow(self) -> Model:
        return ScriptedModel(lambda _: self.REPLY, latency=60.0)

    @pytest.fixture
    def cut(self) -> Model:
        return ScriptedModel(lambda _: self.REPLY + " + 2 + 3 + 4")

    def test_a_reply_that_was_cut_says_so(self, cut: Model) -> None:
        assert not cut.complete(ASKED, max_tokens=2).complete


def test_it_keeps_the_conversations_and_runs_out() -> None:
    model = ScriptedModel(["a", "b"])
    assert [model.complete(ASKED).text for _ in range(2)] == ["a", "b"]
    assert model.asked == [ASKED, ASKED]
    with pytest.raises(ModelError, match="no reply left after 2"):
        model.complete(ASKED)


def test_tokens_are_counted_roughly() -> None:
    reply = ScriptedModel(["12345"]).complete([Message("system", "1234"), Message("user", "1")])
    assert reply.usage == Usage(prompt=2, completion=2)
