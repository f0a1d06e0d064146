"""What stays true of session memory, whatever is done to it in whatever order.

A profile of hypothesis with more examples draws more sequences.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from se_agent.memory.session.entries import (
    COMPONENTS,
    KINDS,
    LIMITS,
    add_api_constraint,
    add_decision,
    consolidate_session_memory,
    room_of,
)
from se_agent.memory.session.merge import merge_session_memory_updates
from se_agent.memory.session.precedence import confidence_rank, key, words
from se_agent.values.session import Constraint, Decision, SessionMemory, SessionUpdates
from tests.memory.session.draws import memories, updates

_DEEDS = st.one_of(
    updates(),
    st.sampled_from(["consolidate", "challenge", "add"]),
)


def _check(state: SessionMemory) -> None:
    for owner, names in ((state, KINDS), (state.skeleton_components, COMPONENTS)):
        for name in names:
            entries = getattr(owner, name)
            assert len(entries) <= room_of(name, LIMITS)
            assert len({key(entry) for entry in entries}) == len(entries)
    assert len(state.model_dump_json().encode()) < 64 * 1024
    assert consolidate_session_memory(state) == state


@pytest.mark.tier("runs")
@pytest.mark.timeout(900)  # for a profile of thousands
@pytest.mark.row("LF-74", "LF-61")
@given(st.lists(_DEEDS, max_size=8))
def test_limits_hold_and_consolidation_changes_nothing(
    deeds: list[SessionUpdates | str],
) -> None:
    state = SessionMemory()
    for number, deed in enumerate(deeds):
        if isinstance(deed, SessionUpdates):
            state = merge_session_memory_updates(state, deed)
        elif deed == "challenge":
            state = add_decision(state, "against: a", f"{number}", "plan", number)
        elif deed == "add":
            state = add_api_constraint(state, f"must {number}", "plan", "low", number)
        state = consolidate_session_memory(state) if deed == "consolidate" else state
        _check(state)


@pytest.mark.tier("runs")
@given(memories(25))
def test_consolidation_is_idempotent_and_supports_what_it_keeps(raw: SessionMemory) -> None:
    found = consolidate_session_memory(raw)
    _check(found)
    for one in found.api_constraints:
        alike = [c for c in raw.api_constraints if words(c.constraint) == words(one.constraint)]
        assert confidence_rank(one) <= max(map(confidence_rank, alike))
        assert not one.verified or any(c.verified for c in alike)


@pytest.mark.tier("runs")
@given(memories(25))
@example(SessionMemory(decisions=(Decision(decision="a", reason="`\r", source="user"),)))
def test_what_stays_keeps_its_order(raw: SessionMemory) -> None:
    found = consolidate_session_memory(raw)
    firsts = dict.fromkeys(key(e) for e in raw.api_constraints)
    kept = [key(e) for e in found.api_constraints]
    assert kept == [k for k in firsts if k in set(kept)]
    stamps = [key(e) for e in found.decisions]
    lasts = list(dict.fromkeys(key(e) for e in reversed(raw.decisions)))[::-1]
    assert stamps == [k for k in lasts if k in set(stamps)]


@settings(max_examples=25)
@given(st.permutations([Constraint(constraint="a", source=s) for s in ("x", "y", "z")]))
def test_equal_keys_of_a_step_come_in_any_order(entries: list[Constraint]) -> None:
    found = merge_session_memory_updates(None, SessionUpdates(api_constraints=tuple(entries)))
    assert [one.source for one in found.api_constraints] == ["z"]
