"""Answers of endpoints that are compatible in name only."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Usage
from se_agent.llm.answers import LONGEST, Pieces, spoken_text
from tests.llm.endpoint import completion


def whole(answer: Any) -> Pieces:  # whatever an endpoint may send
    pieces = Pieces()
    pieces.add(answer)
    return pieces


@pytest.mark.parametrize(
    ("usage", "found"),
    [
        pytest.param(None, Usage(), id="none"),
        pytest.param({}, Usage(), id="empty"),
        pytest.param({"prompt_tokens": 3}, Usage(prompt=3), id="in-part"),
        pytest.param(
            {"prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": None},
            Usage(prompt=3, completion=2),
            id="no-details",
        ),
        pytest.param({"prompt_tokens": "3", "completion_tokens": -2}, Usage(), id="nonsense"),
        pytest.param({"prompt_tokens": 10**400}, Usage(prompt=10**12), id="absurd"),
        pytest.param(
            {"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}},
            Usage(prompt=3, cached=3),
            id="more-cached-than-sent",
        ),
        pytest.param(
            {
                "prompt_tokens": 32,
                "completion_tokens": 9,
                "total_tokens": 141,
                "completion_tokens_details": {"reasoning_tokens": 100},
            },
            Usage(prompt=32, completion=109, reasoning=100),
            id="thoughts-beside-the-reply",
        ),
        pytest.param(
            {"prompt_tokens": 32, "total_tokens": 141},
            Usage(prompt=32, completion=109, reasoning=109),
            id="nothing-but-thoughts",
        ),
        pytest.param({"total_tokens": 141}, Usage(), id="a-total-of-nobody-knows-what"),
        pytest.param(
            {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 4},
            Usage(prompt=3, completion=2),
            id="a-total-that-is-too-small",
        ),
    ],
)
def test_usage(usage: dict[str, Any] | None, found: Usage) -> None:
    assert whole(completion(usage=usage)).reply().usage == found


def test_a_reply_without_end_is_not_complete() -> None:
    """It is cut where keys were taken out of it, see `test_openai`."""
    assert whole(completion("x" * LONGEST)).reply().complete
    assert not whole(completion("x" * (LONGEST + 1))).reply().complete


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param("x = 1", "x = 1", id="text"),
        pytest.param(None, "", id="null"),
        pytest.param(7, "", id="a-number"),
        pytest.param(
            [{"type": "thinking", "thinking": []}, {"type": "text", "text": "x = 1"}, None],
            "x = 1",
            id="parts",
        ),
        pytest.param("\ud83d\ude00", "😀", id="a-pair"),
        pytest.param("<think>\nhm\n</think>\n\nx = 1", "x = 1", id="thoughts"),
    ],
)
def test_content(content: Any, text: str) -> None:
    assert whole(completion(content)).reply().text == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        pytest.param("<think>hm</think>x", "x", id="before"),
        pytest.param(" <think>hm, <b></think>\n x", "x", id="with-space"),
        pytest.param("<think>hm", "", id="only"),
        pytest.param("x = '<think>y</think>'", "x = '<think>y</think>'", id="in-a-program"),
        pytest.param("<thinking>", "<thinking>", id="another-tag"),
    ],
)
def test_thoughts_are_not_said(said: str, text: str) -> None:
    assert spoken_text(said) == text


@pytest.mark.row("SQ-01")
@pytest.mark.parametrize(
    ("message", "thoughts"),
    [
        pytest.param({}, "", id="none"),
        pytest.param({"reasoning_content": "hm"}, "hm", id="apart"),
        pytest.param({"reasoning": "hm"}, "hm", id="by-another-name"),
        pytest.param({"reasoning_content": None, "reasoning": 7}, "", id="nonsense"),
        pytest.param({"content": "<think>hm</think>x = 1"}, "<think>hm</think>", id="before"),
        pytest.param({"content": [{"type": "thinking", "thinking": "hm"}]}, "hm", id="a-part"),
    ],
)
def test_thoughts_are_kept_apart(message: dict[str, Any], thoughts: str) -> None:
    reply = whole(completion("x = 1", message=message)).reply()
    assert reply.thoughts == thoughts
    assert "hm" not in reply.text


def test_thoughts_that_come_in_pieces_are_joined() -> None:
    pieces = Pieces()
    for said in ("h", "m"):
        pieces.add({"choices": [{"delta": {"reasoning_content": said}}]})
    assert (pieces.reply().thoughts, pieces.reply().text) == ("hm", "")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "delta", "content", "usage", "prompt_tokens", "model"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_anything_can_be_read(answer: Any) -> None:
    pieces = whole(answer)
    reply = pieces.reply()
    assert reply.usage.prompt >= reply.usage.cached >= 0
    assert isinstance(reply.text, str)
