"""The endpoint: a real client's requests over loopback, and those that are none."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from experiments.arena.corpus import lot
from experiments.arena.server import MODEL, Market, serving

OWN = lot("tank_mixing")
PROMPT = f"{OWN.problem.statement}\n# Current program\n```python\n{OWN.initial.text}```\n"


@pytest.fixture
def url() -> Iterator[str]:
    with serving(Market(seed=1, corpus=[OWN])) as found:
        yield found


def posted(url: str, body: object, path: str = "/chat/completions") -> tuple[int, str]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as err:
        with closing(err):
            return err.code, err.read().decode()


def chat(**more: object) -> dict[str, Any]:
    return {"model": "any", "messages": [{"role": "user", "content": PROMPT}], **more}


def test_a_completion_has_text_and_usage(url: str) -> None:
    status, body = posted(url, chat())
    answer = json.loads(body)
    assert status == 200
    assert answer["choices"][0]["message"]["content"]
    assert answer["usage"]["prompt_tokens"] > len(PROMPT) / 5
    assert answer["usage"]["completion_tokens"] > 0


def test_a_stream_says_the_same_in_pieces(url: str) -> None:
    _, body = posted(url, chat(stream=True))
    lines = [line.removeprefix("data: ") for line in body.split("\n") if line]
    chunks = [json.loads(line) for line in lines[:-1]]
    said = [c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]]
    assert lines[-1] == "[DONE]"
    assert chunks[-1]["usage"]["completion_tokens"] > 0
    assert "".join(said) == Market(seed=1, corpus=[OWN]).reply(chat()["messages"])


def test_a_prompt_that_comes_again_is_answered_anew_and_a_run_can_be_repeated() -> None:
    messages = chat()["messages"]

    def said() -> list[str]:
        market = Market(seed=3, corpus=[OWN])
        return [market.reply(messages) for _ in range(12)]

    assert said() == said()
    assert len(set(said())) > 3


def test_the_models_are_listed(url: str) -> None:
    with urllib.request.urlopen(f"{url}/models", timeout=20) as answer:
        assert json.load(answer)["data"][0]["id"] == MODEL


@pytest.mark.parametrize(
    ("body", "path", "status"),
    [
        pytest.param(b"{", "/chat/completions", 400, id="half a JSON"),
        pytest.param([], "/chat/completions", 400, id="a list"),
        pytest.param({"messages": 3}, "/chat/completions", 400, id="no messages"),
        pytest.param({"messages": []}, "/embeddings", 404, id="another path"),
    ],
)
def test_what_is_no_chat_is_refused(url: str, body: object, path: str, status: int) -> None:
    found, text = posted(url, body, path)
    assert found == status
    assert json.loads(text)["error"]["message"]
