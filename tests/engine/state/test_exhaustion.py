"""What was asked in vain: who had nothing new, whatever else a slot was asked."""

from __future__ import annotations

import pytest

from se_agent.chat.events import Unanswered
from se_agent.chat.messages import Role
from se_agent.engine.state.exhaustion import Idle
from se_agent.engine.state.open_steps import OpenSlot
from se_agent.events import GenerationOpened
from se_agent.values.solution import Solution
from se_agent.values.step import Slot

INITIAL = Solution(id="Gen0_Sol_0", files={"main.py": "x = 0"})


@pytest.mark.parametrize(
    ("role", "in_vain"),
    [
        pytest.param(None, {"step"}, id="a-rule"),
        pytest.param(Role.EXTRACT, {"step"}, id="a-rule-in-the-slot-of-a-lesson"),
        pytest.param(Role.COMPRESS, {"step"}, id="a-rule-in-the-slot-of-a-compression"),
        pytest.param(Role.MUTATE, set(), id="a-model"),
        pytest.param(Role.PLAN, set(), id="a-model-that-plans"),
    ],
)
def test_a_rule_without_a_candidate_was_asked_in_vain(
    role: Role | None, in_vain: set[str]
) -> None:
    idle = Idle()
    idle.open(GenerationOpened(slot=0, generation=1, size=1, cpu_seconds=0, wall_seconds=0))
    slot = Slot(number=0, generation=1, child="Gen1_Sol_1", parents=(INITIAL,), operator="step")
    stages = OpenSlot(slot=slot)
    if role is not None:
        stages.answers[role, 0] = Unanswered(role=role, model="main", why="no route")
    idle.close(0, stages)
    assert idle.in_vain == in_vain


def test_generations_that_bring_nothing_new_are_told_apart_by_their_last_slot() -> None:
    idle = Idle()
    for generation in (1, 2):
        first = 2 * generation - 2
        idle.open(
            GenerationOpened(
                slot=first, generation=generation, size=2, cpu_seconds=0, wall_seconds=0
            )
        )
        for number in (first, first + 1):
            assert not idle.exhausted(["step"])
            slot = Slot(
                number=number,
                generation=generation,
                child=f"Gen{generation}_Sol_{number}",
                parents=(INITIAL,),
                operator="step",
            )
            idle.close(number, OpenSlot(slot=slot))
    assert idle.exhausted(["step"])
    assert not idle.unfinished
