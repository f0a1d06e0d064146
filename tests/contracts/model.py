"""What every model keeps to."""

from __future__ import annotations

import pytest

from se_agent.conversation import Message
from se_agent.protocols import Model

ASKED = (Message("system", "You make programs faster."), Message("user", "x = 0"))


class ModelContract:
    """Inherited by the tests of every model; the fixture gives one that answers `REPLY`."""

    REPLY = "x = 1"

    @pytest.fixture
    def model(self) -> Model:
        raise NotImplementedError

    def test_a_reply_has_its_text_and_its_usage(self, model: Model) -> None:
        reply = model.complete(ASKED, max_tokens=100)
        assert reply.text == self.REPLY
        assert reply.usage.prompt >= reply.usage.cached >= 0
        assert reply.usage.completion >= reply.usage.reasoning >= 0
