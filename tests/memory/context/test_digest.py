"""Earlier steps in a few words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.messages import Message
from se_agent.memory.context.digest import PastTurn, summary_of_turns, turn
from se_agent.memory.context.tokens import CachedCounter

LETTERS = CachedCounter("letters", len)


def test_a_step_is_a_question_and_what_came_of_it() -> None:
    told = PastTurn(
        slot=7, agent="rewrite", strategy="a map", declared="Use a map", outcome="WA"
    )
    asked, said = turn(told)
    assert asked == Message(
        "user", "Earlier step 7 (rewrite, strategy a map): what came of it?", earlier=True
    )
    assert said.content == "Declared (step 7): Use a map\nOutcome (step 7): WA"
    assert said.earlier


@pytest.mark.row("LF-102")
def test_steps_without_room_are_counted_with_the_best_and_the_last_failure() -> None:
    steps = [
        PastTurn(slot=1, agent="a", declared="Sort", outcome="right, 2x", gain=0.7),
        PastTurn(slot=2, agent="a", outcome="WA on case 1", failed=True),
        PastTurn(slot=3, agent="a", outcome="WA on case 2", failed=True),
        PastTurn(slot=4, agent="a", outcome="right, no change"),
    ]
    _, said = summary_of_turns(steps, 1000)
    assert said.content.splitlines() == [
        "4 earlier steps: 1 proven better, 1 right, not proven better, 2 failed.",
        "Best: step 1, Sort: right, 2x",
        "Last failure: step 3, WA on case 2",
    ]


@given(st.integers(-5, 200))
def test_a_summary_has_its_room_or_is_not_there(room: int) -> None:
    found = summary_of_turns([PastTurn(slot=1, agent="a", outcome="x" * 90)], room, LETTERS)
    assert sum(len(message.content) for message in found) <= max(room, 0)
