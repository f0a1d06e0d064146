"""Whether an endpoint is there: it is connected to, and asked nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping

import pytest

from se_agent.config.sections import Endpoint
from se_agent.errors import ModelError
from se_agent.llm.openai import OpenAIModel
from se_agent.llm.reaching import silence


@pytest.fixture
def listening() -> Iterator[int]:
    """Yield a port at which somebody listens, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def deaf() -> int:
    """Return a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def test_who_listens_is_reached(listening: int) -> None:
    assert silence(f"http://127.0.0.1:{listening}/v1", {}) == ""


def test_where_nobody_listens_the_reason_is_told(deaf: int) -> None:
    assert silence(f"http://127.0.0.1:{deaf}/v1", {}) == "Connection refused"


def test_a_host_that_there_is_not_is_told() -> None:
    assert silence("http://no.such.host.invalid/v1", {})


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy"])
def test_behind_a_proxy_it_is_the_proxy_that_has_to_be_there(
    name: str, listening: int, deaf: int
) -> None:
    known: Mapping[str, str] = {name: f"http://127.0.0.1:{listening}"}
    assert silence("http://no.such.host.invalid/v1", known) == ""
    assert silence("http://no.such.host.invalid/v1", {name: f"127.0.0.1:{deaf}"})


def test_a_model_whose_endpoint_is_dead_says_so_in_two_lines(deaf: int) -> None:
    endpoint = Endpoint(name="any", base_url=f"http://127.0.0.1:{deaf}/v1")
    model = OpenAIModel(endpoint, {})
    with pytest.raises(ModelError, match="it cannot be reached: Connection refused") as dead:
        model.reach()
    assert dead.value.hint == "see that it is running, and `base_url` of the model"
    assert dead.value.fatal
    model.close()


def test_a_model_whose_endpoint_listens_is_reached(listening: int) -> None:
    model = OpenAIModel(Endpoint(name="a", base_url=f"http://127.0.0.1:{listening}/v1"), {})
    model.reach()
    model.close()
