"""The official client against a real server on loopback: what comes back, and what if not."""

from __future__ import annotations

import json
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import BaseModel

from se_agent.chat.messages import Message, Usage
from se_agent.chat.structured import schema_of
from se_agent.config.sections import Endpoint
from se_agent.errors import ModelError
from se_agent.llm.answers import LONGEST
from se_agent.llm.failures import SHOWN
from se_agent.llm.openai import OpenAIModel
from se_agent.protocols import Model
from tests.contracts.model import ASKED, ModelContract
from tests.llm.conftest import KEY, Models
from tests.llm.endpoint import (
    Answer,
    Request,
    completion,
    events,
    fails,
    says,
    streams,
    text,
)
from tests.llm.endpoint import Endpoint as Server


class TestWhole(ModelContract):
    @pytest.fixture
    def model(self, models: Models) -> Model:
        return models()

    @pytest.fixture
    def slow(self, models: Models, server: Server) -> Model:
        server.will(Answer(then="stall"))
        return models(timeout_seconds=60.0)

    @pytest.fixture
    def cut(self, models: Models, server: Server) -> Model:
        server.will(says(completion("x =", finish_reason="length")))
        return models()


class TestStreamed(ModelContract):
    @pytest.fixture
    def model(self, models: Models, server: Server) -> Model:
        server.will(streams("x", " = ", "1"))
        return models(stream=True)

    @pytest.fixture
    def slow(self, models: Models, server: Server) -> Model:
        server.will(events('{"choices": []}', then="stall"))
        return models(stream=True, timeout_seconds=60.0)

    @pytest.fixture
    def cut(self, models: Models, server: Server) -> Model:
        server.will(streams("x ", "=", end="length"))
        return models(stream=True)


def test_what_is_sent(models: Models, server: Server) -> None:
    models(temperature=0.5).complete(ASKED, max_tokens=77)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "fake",
        "messages": [
            {"role": "system", "content": "You make programs faster."},
            {"role": "user", "content": "x = 0"},
        ],
        "max_tokens": 77,
        "temperature": 0.5,
    }


def test_text_that_has_no_utf8_form_is_sent_all_the_same(
    models: Models, server: Server
) -> None:
    models().complete([Message("user", "a \ud83d b")])
    assert server.requests[0].body["messages"][0]["content"] == r"a \ud83d b"


@pytest.mark.parametrize("stream", [False, True])
def test_the_usage_is_that_of_the_endpoint(
    models: Models, server: Server, stream: bool
) -> None:
    server.will(streams("x") if stream else says(completion()))
    reply = models(stream=stream).complete(ASKED)
    assert reply.usage == Usage(prompt=20, cached=15, completion=7, reasoning=4)
    assert (reply.model, reply.complete) == ("fake-1", True)
    assert reply.seconds > 0


@pytest.mark.parametrize("stream", [False, True])
def test_usage_that_is_not_said_is_left_to_the_engine(
    models: Models, server: Server, stream: bool
) -> None:
    server.will(streams("x", usage=None) if stream else says(completion(usage=None)))
    assert models(stream=stream).complete(ASKED).usage == Usage()


class Answered(BaseModel):
    answer: int


class TestSchemas:
    SCHEMA = schema_of(Answered)

    def test_it_is_asked_for_where_the_endpoint_knows_schemas(
        self, models: Models, server: Server
    ) -> None:
        models().complete(ASKED, schema=self.SCHEMA)
        assert server.requests[0].body["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "Answered", "schema": self.SCHEMA, "strict": True},
        }

    def test_it_is_not_where_the_run_file_says_so(self, models: Models, server: Server) -> None:
        models(json_schema=False).complete(ASKED, schema=self.SCHEMA)
        assert "response_format" not in server.requests[0].body

    def test_the_reply_follows_it(self, models: Models, server: Server) -> None:
        def follow(request: Request) -> Answer:
            fields = request.body["response_format"]["json_schema"]["schema"]["properties"]
            return says(completion(json.dumps(dict.fromkeys(fields, 42))))

        server.will(follow)
        assert json.loads(models().complete(ASKED, schema=self.SCHEMA).text) == {"answer": 42}


def dialect(**forbidden: str) -> Any:
    """An endpoint that refuses a part of the request, in these words."""

    def answer(request: Request) -> Answer:
        for part, words in forbidden.items():
            if part in request.body:
                return fails(400, words)
        stream = request.body.get("stream")
        return streams("x = 1") if stream else says(completion())

    return answer


NEW = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."


class TestDialects:
    @pytest.mark.parametrize(
        ("part", "words"),
        [
            pytest.param("max_tokens", NEW, id="newer-models"),
            pytest.param("temperature", "'temperature' is not supported", id="no-temperature"),
            pytest.param(
                "response_format", "json_schema is not supported by this model", id="no-schema"
            ),
            pytest.param("stream_options", "unknown field stream_options", id="no-usage"),
        ],
    )
    def test_what_is_refused_is_left_out_from_then_on(
        self, models: Models, server: Server, part: str, words: str
    ) -> None:
        server.will(dialect(**{part: words}))
        model = models(temperature=0.5, stream=True)
        for _ in range(2):
            assert model.complete(ASKED, schema=TestSchemas.SCHEMA).text == "x = 1"
        assert [part in request.body for request in server.requests] == [True, False, False]
        limits = {"max_tokens", "max_completion_tokens"}
        assert len(limits & set(server.requests[2].body)) == 1

    def test_several_are(self, models: Models, server: Server) -> None:
        server.will(dialect(temperature="no temperature", max_tokens=NEW))
        assert models(temperature=0.5).complete(ASKED).text == "x = 1"
        assert len(server.requests) == 3

    def test_an_endpoint_that_does_not_stream_is_asked_without(
        self, models: Models, server: Server
    ) -> None:
        server.will(says(completion()))
        model = models(stream=True)
        assert [model.complete(ASKED).text for _ in range(2)] == ["x = 1", "x = 1"]
        assert ["stream" in r.body for r in server.requests] == [True, False]

    def test_a_refusal_of_something_else_is_the_end(
        self, models: Models, server: Server
    ) -> None:
        server.will(fails(400, "messages: roles must alternate"))
        with pytest.raises(ModelError, match="400: messages: roles must alternate") as raised:
            models().complete(ASKED)
        assert not raised.value.fatal
        assert len(server.requests) == 1


class TestSaidNothing:
    """It was paid for: it is a reply, and its usage counts."""

    @pytest.mark.parametrize(
        "choice",
        [
            pytest.param({"text": None}, id="null"),
            pytest.param({"text": "", "finish_reason": "length"}, id="only-thoughts"),
            pytest.param({"text": "<think>hm</think>\n"}, id="thoughts-in-words"),
        ],
    )
    def test_an_empty_reply(
        self, models: Models, server: Server, choice: dict[str, Any]
    ) -> None:
        server.will(says(completion(**choice)))
        reply = models().complete(ASKED)
        assert (reply.text, reply.usage.completion) == ("", 7)

    def test_a_refusal_is_told_in_its_words(self, models: Models, server: Server) -> None:
        server.will(says(completion(None, message={"refusal": "I'm sorry."})))
        assert models().complete(ASKED).text == "I'm sorry."


class TestTheKey:
    @pytest.mark.tier("runs")
    def test_is_never_shown(self, models: Models, server: Server) -> None:
        spoken = f"key {KEY}, Authorization: Bearer {KEY}"
        for answer in (
            fails(401, spoken),
            fails(400, spoken),
            text(f"<html>{spoken}"),
            text(spoken),
            says({"error": {"message": spoken, "code": 402}}),
        ):
            server.will(answer)
            model = models()
            with pytest.raises(ModelError, match="fake at") as raised:
                model.complete(ASKED)
            err = raised.value
            chain = (err, err.__cause__, err.__context__)
            assert KEY not in f"{chain!r} {err.hint} {model!r}"

    @pytest.mark.tier("runs")
    @pytest.mark.parametrize("page", [False, True])
    def test_is_not_shown_in_part_where_what_came_is_cut(
        self, models: Models, server: Server, page: bool
    ) -> None:
        model = models()
        for offset in range(SHOWN - len(KEY) - 30, SHOWN + 5):
            said = f"{'.' * offset}{KEY} and more"
            server.will(text(f"<{said}") if page else fails(400, said))
            with pytest.raises(ModelError, match=r": <?\.+(\*{1,3}[ andmore]*)?…?$"):
                model.complete(ASKED)

    def test_is_not_shown_in_part_where_a_reply_is_cut(
        self, models: Models, server: Server
    ) -> None:
        server.will(says(completion("." * (LONGEST - 6) + KEY)))
        reply = models().complete(ASKED)
        assert (reply.text.strip("."), len(reply.text)) == ("***", LONGEST - 3)
        assert not reply.complete

    def test_none_is_said_before_anything_is_sent(self) -> None:
        with pytest.raises(ModelError, match="gpt: no key in OPENAI_API_KEY") as raised:
            OpenAIModel(Endpoint(name="gpt", base_url="https://example.com/v1"), {})
        assert raised.value.fatal

    def test_none_is_needed_on_this_machine(self, server: Server) -> None:
        model = OpenAIModel(Endpoint(name="fake"), {"OPENAI_BASE_URL": server.url})
        assert model.complete(ASKED).text == "x = 1"
        model.close()


class TestTheAddress:
    """One with secrets comes from the environment: a run file is kept."""

    @pytest.fixture(params=["me:w%C3%B6rd-1234", "t%C3%B6ken-of-sixteen"])
    def model(self, server: Server, request: pytest.FixtureRequest) -> Iterator[OpenAIModel]:
        url = server.url.replace("://", f"://{request.param}@") + "?v=2024-02&code=c0de-5678"
        endpoint = Endpoint(name="fake", timeout_seconds=5.0, total_seconds=5.0)
        model = OpenAIModel(endpoint, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url})
        yield model
        model.close()

    def test_its_query_is_sent_behind_the_path(
        self, model: OpenAIModel, server: Server
    ) -> None:
        model.complete(ASKED)
        assert server.requests[0].path == "/v1/chat/completions?v=2024-02&code=c0de-5678"

    @pytest.mark.parametrize("status", [200, 400])
    def test_what_is_secret_in_it_is_never_shown(
        self, model: OpenAIModel, server: Server, status: int
    ) -> None:
        def repeating(request: Request) -> Answer:
            sent = request.headers["authorization"].partition(" ")[2]
            user, _, password = b64decode(sent).decode().partition(":")
            said = f"I see {sent}, {password or user} and {request.path}"
            return says(completion(said)) if status == 200 else fails(status, said)

        server.will(repeating)
        try:
            said = model.complete(ASKED).text
        except ModelError as err:
            said = str(err)
        assert "I see ***, *** and /v1/chat/completions?v=2024-02&code=***" in said


@pytest.mark.parametrize("status", [200, 500])
def test_what_the_package_takes_from_the_environment_besides_is_never_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-sixteen-letters")

    def repeating(request: Request) -> Answer:
        said = f"I see {request.headers['openai-organization']}"
        return says(completion(said)) if status == 200 else fails(status, said)

    server.will(repeating)
    model = OpenAIModel(Endpoint(name="fake", base_url=server.url, total_seconds=0.2))
    try:
        said = model.complete(ASKED).text
    except ModelError as err:
        said = str(err)
    model.close()
    assert "I see ***" in said


class TestManyThreads:
    @pytest.mark.tier("runs")
    def test_all_get_their_own_replies(self, models: Models, server: Server) -> None:
        server.will(lambda request: says(completion(request.body["messages"][0]["content"])))
        model = models()
        with ThreadPoolExecutor(64) as pool:
            asked = [f"x = {number}" for number in range(128)]
            calls = [pool.submit(model.complete, [Message("user", each)]) for each in asked]
            assert [call.result().text for call in calls] == asked

    def test_closing_ends_all_of_them(self, models: Models, server: Server) -> None:
        server.will(Answer(then="stall"))
        model = models(timeout_seconds=60.0)
        with ThreadPoolExecutor(32) as pool:
            calls = [pool.submit(model.complete, ASKED) for _ in range(32)]
            while len(server.requests) < 32:
                time.sleep(0.01)
            model.close()
            for call in calls:
                with pytest.raises(ModelError, match="broken off"):
                    call.result(timeout=5)
        assert not [t for t in threading.enumerate() if t.name.startswith("model ")]

    def test_closing_ends_a_wait(self, models: Models, server: Server) -> None:
        server.will(fails(500, "oh", headers={"Retry-After": "60"}))
        model = models()
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(model.complete, ASKED)
            while not server.requests:
                time.sleep(0.01)
            model.close()
            with pytest.raises(ModelError, match="broken off"):
                call.result(timeout=5)
