"""What a prompt has room for: laws of the builder of contexts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Message
from se_agent.memory.context.builder import ContextBuilder
from se_agent.memory.context.tokens import ESTIMATE, CachedCounter

LETTERS = CachedCounter("letters", len)
texts = st.text("abc", max_size=9)
turns = st.builds(Message, st.sampled_from(["user", "assistant"]), texts)
talks = st.lists(turns, max_size=8)
builders = st.builds(
    ContextBuilder,
    counter=st.just(LETTERS),
    response_buffer=st.integers(0, 40),
    safety_margin=st.sampled_from([0.0, 0.05, 0.1]),
    agent_cap=st.integers(1, 100),
    system_max_tokens=st.none() | st.integers(2, 9),
)


def tokens(said: Iterable[Message]) -> int:
    return sum(len(message.content) for message in said)


@pytest.mark.row("SQ-05", "SQ-15", "SQ-16", "SQ-18", "SQ-29", "SQ-31")
@given(builders, texts, talks, st.integers(0, 100), st.lists(turns, max_size=2))
def test_what_is_built_is_within_the_budget(
    builder: ContextBuilder,
    system: str,
    history: list[Message],
    window: int,
    task: list[Message],
) -> None:
    built = builder.build_context(system, history, window, task=task)
    front = built.messages[: 1 if built.messages and built.messages[0].role == "system" else 0]
    kept = built.messages[len(front) : len(built.messages) - len(task)]
    always = tokens((*front, *task))
    assert built.messages[len(front) + len(kept) :] == tuple(task)
    assert built.cut or [m.content for m in front] == [system] * bool(system)
    assert kept == tuple(history)[built.dropped :]
    assert built.tokens == tokens(built.messages)
    assert built.tokens <= max(builder.budget(window), always)
    whole = min(len(system), builder.system_max_tokens or len(system)) + tokens(task)
    if built.dropped and whole <= builder.budget(window):
        assert built.tokens + len(history[built.dropped - 1].content) > builder.budget(window)


@pytest.mark.row("SQ-30")
@given(texts.filter(bool), talks, st.integers(2, 12))
def test_a_system_prompt_that_is_too_long_comes_alone(
    system: str, history: list[Message], window: int
) -> None:
    builder = ContextBuilder(LETTERS, response_buffer=0, safety_margin=0.5)
    built = builder.build_context(system, history, window)
    if len(system) > builder.budget(window):
        assert [m.role for m in built.messages] == ["system"]
        assert built.dropped == len(history)
    assert built.cut == (len(system) > window)
    assert tokens(built.messages[:1]) <= window


@pytest.mark.row("SQ-17", "SQ-27", "SQ-28", "SQ-57")
def test_a_margin_is_left_free_and_a_wider_one_where_counts_may_differ() -> None:
    assert ContextBuilder(LETTERS, response_buffer=100).budget(1000) == 850
    assert ContextBuilder(LETTERS, response_buffer=100, surcharge=1.02).budget(1000) == 850
    assert ContextBuilder(LETTERS, response_buffer=100, surcharge=1.03).budget(1000) == 800
    assert ContextBuilder(ESTIMATE, response_buffer=100).budget(1000) == 800
    assert ContextBuilder(LETTERS, response_buffer=0).budget(10**6) == 100_000


@pytest.mark.row("SQ-03", "SQ-26", "SQ-31")
def test_the_window_slides_and_ends_at_the_first_message_without_room() -> None:
    said = [Message("user", "a"), Message("assistant", "b" * 50), Message("user", "c" * 40)]
    builder = ContextBuilder(LETTERS, response_buffer=10)
    built = builder.build_context("s", said, 105)
    assert [m.content[0] for m in built.messages] == ["s", "c"]
    assert (built.tokens, built.dropped, built.cut) == (41, 2, False)
