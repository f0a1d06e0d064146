"""LocalMemory keeps to what a tier of the memory stack is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from se_agent.chat.events import RolledBack, Told
from se_agent.events import Learned, Selected
from se_agent.memory.local.rendering import render_markdown
from se_agent.memory.local.tier import LocalTier
from se_agent.memory_events import ShownMemory
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Status
from se_agent.values.lesson import GlobalStatus, Item, Outcome
from tests.contracts.memory_tier import Happening, MemoryTierContract, a_slot, folded
from tests.fakes import solution
from tests.memory.examples import comparison, direction, item, judged, memory


class TestLocalTier(MemoryTierContract):
    @pytest.fixture
    def tier(self) -> LocalTier:
        return LocalTier(memory=memory())

    def test_it_shows_the_rendered_memory(
        self, tier: LocalTier, told: Sequence[Happening]
    ) -> None:
        after = folded(tier, told)
        assert isinstance(after, LocalTier)
        slot = a_slot(solution("def f(x):\n    return x\n"))
        assert after.context(slot, "") == render_markdown(after.memory) != ""

    def test_a_suggestion_and_a_rollback_are_versions(self, tier: LocalTier) -> None:
        told = tier.apply(Told(slot=0, direction="use a heap", memory_version=1))
        assert told.update is not None
        assert [entry.direction for entry in told.update.learned] == ["use a heap"]
        back = told.apply(RolledBack(slot=0, version=0, directions=(), memory_version=2))
        assert back.memory.version == 2
        assert back.memory.attempted_directions == ()


SCAN = "def first(xs):\n    for x in xs:\n        if x not in out:\n            out.append(x)\n"
KNOWN = (
    direction("Use a set", Outcome.SUCCESS, number=1, key="set_membership@first"),
    direction("Use a heap", Outcome.FAILED, number=2, key="heap@other"),
    direction("Sort first", Outcome.FAILED, number=3),
)


def bank() -> tuple[Item, ...]:
    about = {1: ("if _ not in _:",), 2: ("return sorted(_)",), 3: ()}
    status = {1: Status.AC, 2: Status.WA, 3: Status.AC}
    return tuple(
        item(f"lesson {n}", 1.0, status[n], number=n, content=f"It is {n}.").model_copy(
            update={"constructs": about[n]}
        )
        for n in (1, 2, 3)
    )


def learned_tier() -> LocalTier:
    kept = replace(memory(), attempted_directions=KNOWN, reasoning_bank=bank())
    return LocalTier(memory=kept)


GOLDEN = """\
## Memory of this run
Generation 0, best Gen0_Sol_0.
### Recommended directions
- Use a set (Gen1_Sol_1)
### Tabu directions
- Sort first (Gen1_Sol_3)
### What worked
- **lesson 1** (mutation, Gen1_Sol_1 from Gen0_Sol_0) It is 1. `x in a` asks a set.
- **lesson 3** (mutation, Gen1_Sol_3 from Gen0_Sol_0) It is 3. `x in a` asks a set.
"""


class TestShown:
    """What a prompt shows is what holds for the program that it is about."""

    def test_what_the_program_has_nothing_of_is_left_out_and_named(self) -> None:
        tier, slot = learned_tier(), a_slot(solution(SCAN))
        assert tier.context(slot, "mutate") == GOLDEN
        assert tier.exposure(slot) == (("Gen1_Sol_1", "Gen1_Sol_3"), ("Gen1_Sol_2",))

    def test_each_program_is_told_what_holds_for_it(self) -> None:
        other = a_slot(solution("def other(xs):\n    return sorted(xs)\n"))
        text = learned_tier().context(other, "mutate")
        assert "lesson 2" in text
        assert "lesson 1" not in text
        assert "Use a heap" in text
        assert "Use a set" not in text

    def asked(self, tier: LocalTier, number: int, lesson: str, *, gained: bool) -> LocalTier:
        made = judged(comparison(2.0, 1.0)) if gained else judged(comparison(1.0, 1.0))
        selected = Selected(
            slot=number,
            child="",
            parents=(),
            operator="",
            shown_memory=ShownMemory(lessons=(lesson,)),
        )
        closing = Learned(slot=number, best="Gen0_Sol_0", verdict=made.verdict)
        closed = ClosedStep(made, GlobalStatus())
        after = tier.apply(selected).apply(closing, closed)
        assert after.asked == {}
        return replace(after, memory=tier.memory)

    def test_what_led_to_gains_at_this_stage_comes_first(self) -> None:
        tier = replace(learned_tier(), has_gained=True)
        for number in range(8):
            tier = self.asked(tier, 2 * number, "Gen1_Sol_3", gained=True)
            tier = self.asked(tier, 2 * number + 1, "Gen1_Sol_1", gained=False)
        slot = a_slot(solution(SCAN))
        text = tier.context(slot, "mutate")
        assert text.index("**lesson 3**") < text.index("**lesson 1**")
        mending = replace(slot, subject="Gen1_Sol_9")
        told = tier.context(mending, "repair")
        assert told.index("**lesson 1**") < told.index("**lesson 3**"), "another stage"

    def test_stages_are_told_from_one_another(self) -> None:
        tier = self.asked(learned_tier(), 0, "Gen1_Sol_1", gained=True)
        assert set(tier.uplift.all) == {"first_gain"}
        assert set(self.asked(tier, 1, "Gen1_Sol_1", gained=True).uplift.all) == {
            "first_gain",
            "polish",
        }
