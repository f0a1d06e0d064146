"""Agents wait for each other and tell each other what came of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.messages.contexts import (
    KEPT,
    AgentContexts,
    get_agent_context,
    get_conversation_between_agents,
    get_dependency_outputs,
    get_messages_for_agent,
    open_errors,
    send_message,
    suggest_next_actions,
    update_agent_context,
)

NAMES = st.sampled_from(["plan", "mutate", "repair", "evaluator", "extract"])
STATUSES = st.sampled_from(["starting", "completed", "failed"])
STEPS = st.lists(st.tuples(NAMES, STATUSES, st.sampled_from(["A", "B", "C"])), max_size=90)
START = AgentContexts()


def after(steps: list[tuple[str, str, str]]) -> AgentContexts:
    state = START
    for number, (agent, status, about) in enumerate(steps):
        state = update_agent_context(
            state, agent, status, output=f"{about} {number}", slot=number, about=about
        )
    return state


@pytest.mark.row("AM-07", "AM-24", "AM-25", "AM-26", "AM-28")
class TestAgents:
    def test_who_waits_is_told_and_what_came_is_there_for_it(self) -> None:
        state = update_agent_context(START, "plan", "starting", task="find strategies")
        assert get_dependency_outputs(state, "mutate") == {}
        state = update_agent_context(state, "plan", "completed", output="use a heap")
        assert get_dependency_outputs(state, "mutate") == {"plan": "use a heap"}
        (said,) = get_messages_for_agent(state, "mutate", "result")
        assert (said.sender, said.content) == ("plan", "use a heap")
        assert get_messages_for_agent(state, "mutate", "error") == ()
        assert get_conversation_between_agents(state, "mutate", "plan") == (said,)
        context = get_agent_context(state, "plan")
        assert context is not None
        assert (context.status, context.task) == ("completed", "find strategies")
        assert get_agent_context(state, "nobody") is None

    @given(STEPS)
    def test_nobody_tells_itself_anything_and_what_is_kept_is_bounded(
        self, steps: list[tuple[str, str, str]]
    ) -> None:
        state = after(steps)
        assert len(state.messages) <= KEPT
        assert all(one.sender != one.receiver for one in state.messages)
        numbers = [one.number for one in state.messages]
        assert numbers == list(range(state.told - len(numbers), state.told))

    @given(STEPS)
    def test_every_error_is_answered_by_a_result_or_is_open(
        self, steps: list[tuple[str, str, str]]
    ) -> None:
        state = after(steps)
        results = [one for one in state.messages if one.message_type == "result"]
        for one in state.messages:
            if one.message_type == "error":
                is_answered = any(
                    r.about == one.about and r.number > one.number for r in results
                )
                assert is_answered != (one in open_errors(state))

    def test_nothing_is_told_to_oneself(self) -> None:
        assert send_message(START, "plan", "plan", "advice", "x") is START


@pytest.mark.row("AM-29")
class TestNextActions:
    def test_errors_with_a_known_fix_come_first_then_errors_then_what_can_begin(self) -> None:
        state = update_agent_context(START, "plan", "completed", output="use a heap")
        state = update_agent_context(state, "evaluator", "failed", output="E1", about="A")
        state = update_agent_context(state, "evaluator", "failed", output="E2", about="B")
        state = send_message(state, "profiler", "mutate", "advice", "line 3 costs most")
        actions = suggest_next_actions(state, known_fixes={"E1": "use a loop"})
        assert [one.action for one in actions if one.agent in ("repair", "mutate")] == [
            "mend A: use a loop",
            "mend B",
            "begin",
            "follow advice",
        ]
        assert {one.agent for one in suggest_next_actions(state, "repair")} == {"repair"}

    def test_an_error_that_was_answered_is_no_action(self) -> None:
        state = update_agent_context(START, "evaluator", "failed", output="E", about="A")
        state = send_message(state, "repair", "evaluator", "result", "mended", about="A")
        assert suggest_next_actions(state, "repair") == ()
