"""A history never makes a prompt too long, and gives way message by message."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from se_agent.chat.messages import Message
from se_agent.engine.models.calls import longest_reply, tokens_of
from se_agent.engine.models.prompt_room import SHORTEST, PromptRoom
from se_agent.memory.context.tokens import CachedCounter
from tests.engine.runs import new_state
from tests.engine.talking import models, run_file

LETTERS = CachedCounter("letters", len)


@pytest.mark.row("SQ-03", "SQ-15", "SQ-18")
@example(0, 0, [0], 1086)
@given(
    st.integers(0, 900),
    st.integers(0, 900),
    st.lists(st.integers(0, 900), max_size=20),
    st.integers(300, 4000),
)
def test_no_prompt_is_refused_for_its_history(
    system: int, task: int, history: list[int], context: int
) -> None:
    config = run_file(Path("results"), models=models("Counting", context=context))
    roles = ("user", "assistant")
    said = [
        Message(
            "assistant" if number % 2 else "user", f"{roles[number % 2]}{'x' * length}", True
        )
        for number, length in enumerate(history)
    ]
    fixed = [Message("system", "s" * system), Message("user", "t" * task)]
    asked = [fixed[0], *said, fixed[1]]
    found = PromptRoom(config, new_state(config), LETTERS).fitting(0, "main", asked)
    kept = found[1:-1]
    assert [found[0], found[-1]] == fixed
    assert kept == said[len(said) - len(kept) :]
    assert not kept or kept[0].role == "user"
    endpoint = config.models["main"]
    if longest_reply(endpoint, tokens_of(LETTERS, fixed)) >= min(endpoint.max_tokens, SHORTEST):
        prompt = tokens_of(LETTERS, found)
        assert longest_reply(endpoint, prompt) >= min(endpoint.max_tokens, SHORTEST)


def test_a_prompt_without_a_history_is_left_as_it_is() -> None:
    config = run_file(Path("results"), models=models("Counting", context=10))
    asked = [Message("system", "s" * 99), Message("user", "t")]
    assert PromptRoom(config, new_state(config), LETTERS).fitting(0, "main", asked) == asked
