"""Laws of the histories of messages: united, cut, and kept apart."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from se_agent.chat.messages import Message
from se_agent.memory.context.tokens import CachedCounter
from se_agent.memory.messages.histories import (
    AgentHistory,
    MessageHistories,
    add_agent_message,
    add_agent_messages,
    get_agent_messages,
    trim_messages_by_tokens,
)

LETTERS = CachedCounter("letters", len)
texts = st.text("abc", max_size=6)
turns = st.builds(Message, st.sampled_from(["user", "assistant"]), texts)
RULES = Message("system", "aabb")
talks = st.builds(
    lambda front, said: [RULES, *said] if front else said,
    st.booleans(),
    st.lists(turns, max_size=6),
)
limits = st.integers(0, 24)
histories = st.dictionaries(st.sampled_from(["enhancer", "prototyper"]), talks).map(
    lambda said: MessageHistories.of(**said)
)


def united(
    left: MessageHistories, right: MessageHistories, limit: int = 24
) -> MessageHistories:
    return add_agent_messages(left, right, counter=LETTERS, max_tokens=limit)


def tokens(said: tuple[Message, ...]) -> int:
    return sum(len(message.content) for message in said)


def told(*contents: str) -> MessageHistories:
    return MessageHistories.of(enhancer=[Message("user", content) for content in contents])


@pytest.mark.row("LF-87")
@given(histories, histories, histories, limits)
@example(told("a"), told("bbbbbb"), told("ccc"), 4)  # what is older than what is cut goes, too
def test_the_reducer_is_associative(
    one: MessageHistories, two: MessageHistories, three: MessageHistories, limit: int
) -> None:
    first = united(united(one, two, limit), three, limit)
    assert first == united(one, united(two, three, limit), limit)


@pytest.mark.row("LF-87")
@given(histories, limits)
def test_the_same_messages_once_more_change_nothing(one: MessageHistories, limit: int) -> None:
    once = united(one, MessageHistories(), limit)
    assert united(once, once, limit) == once


@pytest.mark.row("LF-76", "LF-87")
@given(talks, talks, limits)
def test_agents_are_apart(one: list[Message], two: list[Message], limit: int) -> None:
    both = united(MessageHistories.of(a=one), MessageHistories.of(b=two), limit)
    alone = united(MessageHistories.of(a=one), MessageHistories(), limit)
    assert both.messages("a") == alone.messages("a")
    assert both.messages("b") == united(MessageHistories(), both, limit).messages("b")


@pytest.mark.row("LF-78", "LF-80", "LF-83")
@given(talks, limits, st.booleans(), st.integers(0, 8))
def test_trimming_keeps_the_newest_in_order_and_within_the_limit(
    said: list[Message], limit: int, keep: bool, most: int
) -> None:
    kept = trim_messages_by_tokens(said, limit, keep, most, counter=LETTERS)
    assert tokens(kept) <= limit
    front = 1 if keep and said and said[0].role == "system" else 0
    assert kept[front:] == tuple(said)[len(said) - len(kept) + front :] if kept else True
    left_out = said[front : len(said) - len(kept) + front]
    assert not left_out or tokens(kept) + len(left_out[-1].content) > limit
    assert trim_messages_by_tokens(kept, limit, keep, most, counter=LETTERS) == kept


@pytest.mark.row("LF-81", "LF-82")
@given(texts, st.lists(turns, max_size=6), limits, st.integers(0, 8))
def test_a_system_message_stays_and_is_cut_to_its_own_limit(
    system: str, said: list[Message], limit: int, most: int
) -> None:
    talk = [Message("system", system), *said]
    first, *_ = trim_messages_by_tokens(talk, limit, True, most, counter=LETTERS)
    assert first.role == "system"
    assert len(first.content) <= min(limit, most)
    if len(system) <= min(limit, most):
        assert first.content == system


@pytest.mark.row("LF-83")
def test_limits_are_those_of_the_seed() -> None:
    system, long = Message("system", "s" * 20_000), Message("user", "u" * 90_001)
    newest = Message("assistant", "a" * 90_000)
    kept = trim_messages_by_tokens([system, long, newest], counter=LETTERS)
    assert [len(message.content) for message in kept] == [10_000, 90_000]


@pytest.mark.row("LF-75", "LF-77", "LF-79", "LF-85", "LF-86")
def test_messages_are_added_to_an_agent_that_begins_with_its_system_message() -> None:
    assert get_agent_messages(None, "enhancer", "You mend.") == (
        Message("system", "You mend."),
    )
    state = add_agent_message(None, "enhancer", "user", "Fix this error.")
    assert get_agent_messages(None, "enhancer") == ()
    later = add_agent_message(state, "enhancer", "assistant", "Fixed.")
    later = add_agent_message(later, "enhancer", "system", "You mend.")
    assert [m.role for m in get_agent_messages(later, "enhancer", "Another.")] == [
        "system",
        "user",
        "assistant",
    ]
    assert get_agent_messages(later, "enhancer", "Another.")[0].content == "You mend."
    assert state.agents["enhancer"] == AgentHistory((Message("user", "Fix this error."),))
    assert get_agent_messages(later, "prototyper") == ()


@pytest.mark.row("LF-84")
@given(st.lists(turns, max_size=6), st.lists(turns, max_size=6), texts)
def test_early_noise_changes_nothing_late(
    one: list[Message], two: list[Message], last: str
) -> None:
    """What is left out is the oldest, whatever it says: the late messages decide alone."""
    late = [Message("user", "b" * 12), Message("assistant", last[:4])]
    limit = tokens((*late, RULES))
    for noise in (one, two):
        noisy = [Message(m.role, m.content + "c" * 13) for m in noise]
        kept = trim_messages_by_tokens([RULES, *noisy, *late], limit, counter=LETTERS)
        assert kept == (RULES, *late)


@pytest.mark.row("LF-84")
def test_a_history_of_any_length_fits_the_context_of_a_model() -> None:
    noise = [Message("user", "n" * 10_000) for _ in range(40)]
    kept = trim_messages_by_tokens([RULES, *noise, RULES], counter=LETTERS)
    assert tokens(kept) <= 100_000 < 128_000
    assert kept[-1] == RULES
