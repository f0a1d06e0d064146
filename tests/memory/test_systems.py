"""The memory systems together: tiers that a run file puts into the stack, and figures."""

from __future__ import annotations

import inspect

import pytest

from se_agent.chat.events import Told
from se_agent.config.context_limits import ContextLimits
from se_agent.config.sections import MemorySection
from se_agent.memory import KnowledgeRetriever, MemoryStack
from se_agent.memory.messages.histories import trim_messages_by_tokens
from se_agent.memory.session.entries import SessionLimits
from se_agent.memory_events import Surveyed
from se_agent.values.knowledge import KnowledgeExcerpt
from se_agent.values.session import Constraint, SessionMemory, SessionUpdates
from tests.contracts.memory_tier import a_slot
from tests.memory.examples import COUNTER

SHOWN = MemorySection.model_validate({"session": {"shown": True}, "knowledge": {"shown": True}})
AGREED = SessionUpdates(
    api_constraints=(Constraint(constraint="keep the order", source="survey", verified=True),)
)


def stack(section: MemorySection) -> MemoryStack:
    return MemoryStack.of(section, counter=COUNTER)


@pytest.mark.row("LF-01")
def test_what_is_known_beforehand_stands_before_what_the_run_learns_and_agrees_on() -> None:
    names = [tier.name for tier in stack(SHOWN).tiers]
    assert names == ["knowledge", "local", "session", "messages"]


@pytest.mark.parametrize(
    ("section", "names"),
    [
        pytest.param({}, ["local", "session"], id="kept, and not shown"),
        pytest.param({"session": {"enabled": False}}, ["local"], id="not kept"),
        pytest.param(
            {"knowledge": {"shown": True, "packs": "none"}}, ["local", "session"], id="no pack"
        ),
        pytest.param(
            {"knowledge": {"rules": True}}, ["knowledge", "local", "session"], id="for policies"
        ),
    ],
)
def test_a_tier_that_is_switched_off_is_not_in_the_stack(
    section: dict[str, object], names: list[str]
) -> None:
    found = stack(MemorySection.model_validate(section))
    assert [tier.name for tier in found.tiers] == [*names, "messages"]  # read by commands


@pytest.mark.row("LF-03", "LF-89")
def test_what_a_survey_found_is_agreed_on_and_each_role_is_shown_its_part() -> None:
    known = stack(SHOWN).apply(Surveyed(slot=-1, updates=AGREED))
    assert known.session.api_constraints == AGREED.api_constraints
    for role in ("plan", "rewrite", "repair"):
        assert "keep the order" in known.context(a_slot(), role).text
    assert known.context(a_slot(), "extract").text == ""
    assert known.advice().session == known.session


@pytest.mark.row("LF-89")
def test_who_writes_is_shown_the_bundle_of_the_archetype() -> None:
    excerpt = KnowledgeExcerpt(bundle="## Tables\n")
    known = stack(SHOWN).apply(Surveyed(slot=-1, pack="code_opt", excerpt=excerpt))
    assert known.context(a_slot(), "rewrite").text.startswith("## Tables\n")


def test_nothing_is_shown_by_default_but_what_the_run_learned() -> None:
    known = stack(MemorySection()).apply(Surveyed(slot=-1, updates=AGREED))
    assert known.context(a_slot(), "rewrite").text == ""
    told = known.apply(Told(slot=0, direction="use a heap", memory_version=1))
    (section,) = told.context(a_slot(), "rewrite").sections
    assert section.source == "local"


@pytest.mark.row("LF-108")
def test_the_figures_of_the_seed() -> None:
    known = KnowledgeRetriever("fuzz_api")
    assert (len(known.ARCHETYPES), len(known.PITFALLS)) == (6, 4)
    limits = SessionLimits()
    assert (limits.fixes, limits.decisions, limits.strategies) == (10, 10, 10)
    slots = set(SessionMemory.model_fields) - {"skeleton_components", "failure_analyses"}
    assert len(slots) == 5
    trimmed = inspect.signature(trim_messages_by_tokens).parameters
    assert trimmed["max_tokens"].default == ContextLimits().agent_token_limit == 100_000
    assert trimmed["system_max_tokens"].default == ContextLimits().system_token_limit == 10_000
