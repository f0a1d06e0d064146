"""What every tier of memory must do. Inherit and give the fixture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from se_agent.events import Event
from se_agent.memory import TokenCounter
from se_agent.protocols import MemoryTier
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import Advice
from se_agent.values.solution import Solution
from se_agent.values.step import Slot
from tests.engine.runs import ran
from tests.fakes import solution

Happening = tuple[Event, ClosedStep | None]


class Heard:
    """A tier that says nothing, and keeps all that it is told: what a run tells its tiers."""

    name, token_limit, empty = "heard", 0, True
    told: list[Happening] = []  # noqa: RUF012 - read by the test that runs it

    def __init__(self, counter: TokenCounter) -> None:
        """Need no counter."""

    def apply(self, event: Event, closed: ClosedStep | None = None) -> Heard:
        Heard.told.append((event, closed))
        return self

    def context(self, slot: Slot, role: str) -> str:
        return ""

    def advice(self) -> Advice:
        return Advice()


def happenings(results: Path) -> tuple[Happening, ...]:
    """Return all that a short run tells a tier."""
    Heard.told.clear()
    ran(results, timed=True, memory={"prior": False, "tiers": [f"{__name__}:Heard"]})
    return tuple(Heard.told)


def a_slot(parent: Solution | None = None) -> Slot:
    parents = (parent or solution("x = 0"),)
    return Slot(number=4, generation=3, child="Gen3_Sol_4", parents=parents, operator="any")


class MemoryTierContract:
    """Inherited by the tests of each tier, ours and a third party's."""

    @pytest.fixture
    def tier(self) -> MemoryTier:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def told(cls, tmp_path_factory: pytest.TempPathFactory) -> tuple[Happening, ...]:
        return happenings(tmp_path_factory.mktemp("tier"))

    def test_a_new_one_has_a_name_a_limit_and_nothing_to_say(self, tier: MemoryTier) -> None:
        assert tier.name
        assert tier.token_limit > 0
        assert tier.empty
        assert tier.context(a_slot(), "mutate") == ""

    def test_the_same_events_give_the_same(
        self, tier: MemoryTier, told: Sequence[Happening]
    ) -> None:
        one, other = folded(tier, told), folded(tier, told)
        assert said(one) == said(other)
        assert one.name == tier.name

    def test_what_was_given_out_does_not_change(
        self, tier: MemoryTier, told: Sequence[Happening]
    ) -> None:
        half = folded(tier, told[: len(told) // 2])
        before, new = said(half), said(tier)
        folded(half, told[len(told) // 2 :])
        assert (said(half), said(tier)) == (before, new)

    def test_a_run_teaches_it_something(
        self, tier: MemoryTier, told: Sequence[Happening]
    ) -> None:
        after = folded(tier, told)
        assert not after.empty
        assert said(after) != said(tier)

    def test_its_advice_is_never_a_ban(
        self, tier: MemoryTier, told: Sequence[Happening]
    ) -> None:
        advice = folded(tier, told).advice()
        assert all(factor > 0 for factor in advice.directions.values())
        assert all(min(evidence) >= 0 for evidence in advice.prior.values())


def folded(tier: MemoryTier, told: Sequence[Happening]) -> MemoryTier:
    for event, closed in told:
        tier = tier.apply(event, closed)
    return tier


def said(tier: MemoryTier) -> tuple[object, ...]:
    advice = tier.advice()
    believed = advice.believed() if advice.believed else None
    context = tier.context(a_slot(), "mutate")
    return tier.empty, context, advice.directions, believed, advice.prior
