"""Vectors by the official client from a real server on loopback, and what comes of bad ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from se_agent.config.sections import Endpoint
from se_agent.errors import EmbedderError
from se_agent.llm.embeddings import EndpointEmbedder
from tests.llm.conftest import KEY
from tests.llm.endpoint import Answer, Request, fails, says, text
from tests.llm.endpoint import Endpoint as Server

Make = Callable[..., EndpointEmbedder]


@pytest.fixture
def make(server: Server) -> Iterator[Make]:
    with ExitStack() as stack:

        def made(**keys: Any) -> EndpointEmbedder:
            told = {"name": "small", "base_url": server.url, "timeout_seconds": 5.0} | keys
            embedder = EndpointEmbedder(Endpoint.model_validate(told), {"OPENAI_API_KEY": KEY})
            stack.callback(embedder.close)
            return embedder

        yield made


def vectors(*rows: Sequence[object], shuffled: bool = False) -> Answer:
    data = [{"index": place, "embedding": row} for place, row in enumerate(rows)]
    return says({"data": data[::-1] if shuffled else data})


@pytest.mark.tier("runs")
def test_what_is_sent(make: Make, server: Server) -> None:
    server.will(vectors([3.0, 4.0], [0.0, 2.0]))
    make().embed(["one", "two"])
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "small",
        "input": ["one", "two"],
        "encoding_format": "float",
    }


@pytest.mark.row("AM-15")
@pytest.mark.parametrize("shuffled", [False, True])
def test_vectors_have_length_one_and_the_order_of_the_texts(
    make: Make, server: Server, shuffled: bool
) -> None:
    server.will(vectors([3.0, 4.0], [0.0, 2.0], shuffled=shuffled))
    made = make().embed(["one", "two"])
    assert made.dtype == np.float16
    assert made == pytest.approx(np.array([[0.6, 0.8], [0.0, 1.0]]), abs=1e-3)


def test_dimensions_are_asked_for_once(make: Make, server: Server) -> None:
    server.will(vectors([1.0, 0.0, 0.0]))
    embedder = make()
    assert (embedder.dimensions, embedder.dimensions) == (3, 3)
    assert len(server.requests) == 1


def test_nothing_is_asked_of_no_texts(make: Make, server: Server) -> None:
    assert make().embed([]).shape == (0, 0)
    assert server.requests == []


def test_trouble_is_tried_again(make: Make, server: Server) -> None:
    server.will(fails(503, "busy", headers={"Retry-After": "0"}), vectors([1.0]))
    assert make().embed(["one"]).shape == (1, 1)
    assert len(server.requests) == 2


def test_a_model_that_is_not_there_is_told_at_once(make: Make, server: Server) -> None:
    server.will(fails(404, f"no model small; your key {KEY}"))
    with pytest.raises(EmbedderError, match="no model small") as told:
        make().embed(["one"])
    assert KEY not in str(told.value)
    assert told.value.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        says({}),
        says({"data": []}),
        says({"data": "vectors"}),
        says([[1.0]]),
        vectors([]),
        vectors(["1.0"]),
        vectors([None]),
        vectors([True]),
        vectors([1.0], [1.0, 2.0]),
        vectors([1.0]),
        vectors([1e40], [1.0]),
        text("<html>a page</html>"),
        text("[" * 100_000, kind="application/json"),
    ],
)
def test_what_is_no_vector_for_each_text_is_told_in_two_lines(
    make: Make, server: Server, answer: Answer
) -> None:
    server.will(answer)
    with pytest.raises(EmbedderError, match="it answers without vectors") as told:
        make().embed(["one", "two"])
    assert len(str(told.value)) < 500
    assert "\n" not in str(told.value)
    assert told.value.hint


def test_a_vector_of_no_direction_is_told(make: Make, server: Server) -> None:
    server.will(vectors([0.0, 0.0]))
    with pytest.raises(EmbedderError, match="no direction"):
        make().embed(["one"])


def test_an_endpoint_that_never_answers_is_given_up(make: Make, server: Server) -> None:
    server.will(Answer(then="stall"))
    with pytest.raises(EmbedderError, match=r"0\.2 s|0\.5 s"):
        make(timeout_seconds=0.2, total_seconds=0.5).embed(["one"])


def test_the_name_tells_address_and_model(make: Make, server: Server) -> None:
    assert make().name == f"{server.url} small"
    assert make(name="large").name != make().name


def test_texts_keep_their_letters(make: Make, server: Server) -> None:
    seen: list[Any] = []

    def answer(request: Request) -> Answer:
        seen.extend(request.body["input"])
        return vectors([1.0], [1.0])

    server.will(answer)
    make().embed(["a\0b", "\u00fc\n\U0001f600"])
    assert seen == ["a\0b", "\u00fc\n\U0001f600"]
