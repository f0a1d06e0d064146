"""A server, and models that ask it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from se_agent.config.sections import Endpoint
from se_agent.llm.openai import OpenAIModel
from tests.llm.endpoint import Endpoint as Server
from tests.llm.endpoint import serving

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as endpoint:
        yield endpoint


class Models:
    """Makes models of a server, and closes them."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.server, self.stack = server, stack

    def __call__(self, **keys: Any) -> OpenAIModel:
        keys = {"name": "fake", "base_url": self.server.url, "timeout_seconds": 5.0} | keys
        model = OpenAIModel(Endpoint.model_validate(keys), {"OPENAI_API_KEY": KEY})
        self.stack.callback(model.close)
        return model


@pytest.fixture
def models(server: Server) -> Iterator[Models]:
    with ExitStack() as stack:
        yield Models(server, stack)
