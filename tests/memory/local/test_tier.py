"""LocalMemory keeps to what a tier of the memory stack is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from se_agent.chat.events import RolledBack, Told
from se_agent.memory.local.rendering import render_markdown
from se_agent.memory.local.tier import LocalTier
from tests.contracts.memory_tier import Happening, MemoryTierContract, a_slot, folded
from tests.memory.examples import memory


class TestLocalTier(MemoryTierContract):
    @pytest.fixture
    def tier(self) -> LocalTier:
        return LocalTier(memory=memory())

    def test_it_shows_the_rendered_memory(
        self, tier: LocalTier, told: Sequence[Happening]
    ) -> None:
        after = folded(tier, told)
        assert isinstance(after, LocalTier)
        assert after.context(a_slot(), "") == render_markdown(after.memory) != ""

    def test_a_suggestion_and_a_rollback_are_versions(self, tier: LocalTier) -> None:
        told = tier.apply(Told(slot=0, direction="use a heap", memory_version=1))
        assert told.update is not None
        assert [entry.direction for entry in told.update.learned] == ["use a heap"]
        back = told.apply(RolledBack(slot=0, version=0, directions=(), memory_version=2))
        assert back.memory.version == 2
        assert back.memory.attempted_directions == ()
