"""Events say who began what, what came of it, and who was told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from se_agent.chat.events import Planned, Replied
from se_agent.config.memory_sections import MessagesSection
from se_agent.events import Evaluated, Event, Learned, Proposed, Selected
from se_agent.memory.context.estimate import estimate
from se_agent.memory.messages.agents import Agents, agents_of
from se_agent.memory.messages.contexts import get_messages_for_agent, open_errors
from se_agent.memory.messages.tier import TOKEN_LIMIT, MessagesTier
from se_agent.values.evaluation import Branch, Evaluation, Measurement, Status, Verdict
from se_agent.values.search_context import Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.contracts.memory_tier import a_slot
from tests.finished import events as finished_events

RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1))
WRONG = Evaluation(status=Status.WA, feedback="solve(3): expected 1, got 2")


def a_step(
    slot: int, role: str, child: str, found: Evaluation, subject: str = ""
) -> Iterator[Event]:
    made = Solution(id=child, files={"main.py": child}, parents=("Gen0_Sol_0",))
    yield Selected(
        slot=slot, child=child, parents=("Gen0_Sol_0",), operator=role, subject=subject
    )
    yield Replied(slot=slot, role=role, model="large", text="...")
    yield Proposed(slot=slot, proposal=Proposal(solution=made, direction="Use a heap"))
    yield Evaluated(slot=slot, solution=child, content=child, evaluation=found)
    verdict = Verdict(
        status=found.status,
        perf_diff=0.0,
        effect=0.0,
        interval=(0.0, 0.0),
        significant=False,
        branch=Branch.FAILURE,
    )
    yield Learned(slot=slot, child=child, verdict=verdict, best="Gen0_Sol_0")


def told(*steps: Iterator[Event]) -> Agents:
    return agents_of((event for step in steps for event in step), {})


@pytest.mark.row("AM-39", "AM-40", "AM-41", "AM-42")
class TestEvents:
    def test_a_slot_begins_with_the_rules_and_belongs_to_who_is_asked(self) -> None:
        selected, replied, *_ = a_step(3, "refine", "Gen1_Sol_3", RIGHT)
        begun = agents_of([selected], {})
        assert begun.known.contexts["rules"].status == "starting"
        asked = begun.after(replied).known.contexts["mutate"]
        assert (asked.status, asked.slot) == ("starting", 3)
        assert "Gen1_Sol_3" in asked.task

    def test_a_failure_is_an_error_for_repair_until_it_is_mended(self) -> None:
        wrong = a_step(0, "refine", "Gen1_Sol_0", WRONG)
        failed = told(wrong)
        (error, *_) = get_messages_for_agent(failed.known, "repair", "error")
        assert error.content == WRONG.feedback
        assert open_errors(failed.known, "repair")
        mended = failed
        for event in a_step(1, "repair", "Gen1_Sol_1", RIGHT, subject="Gen1_Sol_0"):
            mended = mended.after(event)
        assert not open_errors(mended.known, "repair")
        (said,) = get_messages_for_agent(mended.known, "evaluator", "result")
        assert said.content == "Gen1_Sol_1 mends Gen1_Sol_0"

    def test_a_plan_is_context_for_who_waits_for_it(self) -> None:
        strategy = Strategy(name="heap", idea="use a heap")
        agents = agents_of([Planned(slot=0, strategies=(strategy,))], {})
        (said,) = get_messages_for_agent(agents.known, "mutate", "context")
        assert said.content == "plans heap"

    @pytest.mark.parametrize("timed", [True, False])
    def test_when_a_run_is_over_no_slot_is_open(self, timed: bool) -> None:
        found = agents_of(finished_events(timed=timed), {})
        assert found.slots == {}
        assert found.known.contexts["rules"].status in ("completed", "failed")


class TestPrompts:
    def tier(self, **given: Any) -> MessagesTier:
        tier = MessagesTier.of(MessagesSection(**given))
        for number in range(5):
            for event in a_step(number, "refine", f"Gen1_Sol_{number}", WRONG):
                tier = tier.apply(event)
        return tier

    def test_the_newest_three_are_shown_within_the_limit(self) -> None:
        text = self.tier(shown=True).context(a_slot(), "repair")
        assert text.startswith("## Messages for you\n- ")
        assert len([line for line in text.splitlines() if line.startswith("- ")]) == 3
        assert "step 4" in text
        assert estimate(text) <= TOKEN_LIMIT

    def test_nothing_is_shown_unless_it_is_asked_for(self) -> None:
        off = self.tier(shown=False)
        assert (off.token_limit, off.empty, off.context(a_slot(), "repair")) == (0, True, "")
        assert off.agents.known.messages

    @pytest.mark.row("AM-28")
    def test_a_run_file_says_who_waits_for_whom(self) -> None:
        tier = self.tier(shown=True, dependencies={"plan": ("evaluator",)})
        assert WRONG.feedback in tier.context(a_slot(), "plan")
        assert tier.context(a_slot(), "repair") == ""
