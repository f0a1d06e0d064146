"""A prompt holds what its slot was shown of memory, and nothing of what was withheld."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Role
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.events import Selected
from tests.engine.talking import of, run_file, spoken
from tests.fakes import number_problem

SHOWN = {"enabled": True, "prior": False, "session": {"shown": True}}
CALLS = 30


@pytest.mark.tier("runs")
def test_prompts_hold_exactly_the_shown_items_and_none_of_the_withheld(tmp_path: Path) -> None:
    replies = [f"x = {n}" for n in range(8, 8 + CALLS)]
    kit: dict[str, object] = {"memory": SHOWN}
    events = spoken(tmp_path, *replies, **kit)
    with Journal(tmp_path / "run" / "run.db", write=False) as journal:
        held = {
            reply.slot: unpacked_messages(reply.request, journal.text)[0].content
            for reply in of(events, Replied)
        }
    config = run_file(tmp_path, **kit)
    state = ResolvedRun.of(config, number_problem()).new_state()
    with_items = without = 0
    for event in events:
        state.apply(event)
        if not isinstance(event, Selected) or event.slot not in held:
            continue
        stages = state.open.of(event.slot)
        assert stages.past is not None
        assert stages.slot is not None
        memory, system = stages.past.memory, held[event.slot]
        if memory is None:
            assert "Say x = " not in system
            assert system == ""
            without += state.memory is not None and bool(state.memory.local.reasoning_bank)
        else:
            assert system == memory.context(stages.slot, Role.MUTATE).text
            with_items += all(item.title in system for item in memory.local.reasoning_bank)
            with_items -= not memory.local.reasoning_bank
    assert with_items >= 10
    assert without >= 1
