"""Session memory in a prompt: each role sees its part, and may change its part."""

from __future__ import annotations

import re

import pytest

from se_agent.config.session_section import SessionSection
from se_agent.memory.context.estimate import estimate
from se_agent.memory.session.entries import add_decision
from se_agent.memory.session.injector import (
    build_prompt_with_session_memory,
    footer,
    header,
    read_by,
    section,
    updates_within,
    written_by,
)
from se_agent.memory.session.merge import merge_session_memory_updates
from se_agent.memory.session.render import ALL, format_session_memory_for_prompt
from se_agent.memory.session.tags import (
    LONGEST_TAG,
    extract_session_memory_updates_from_response,
)
from se_agent.values.session import FailureAnalysis, SessionMemory, SessionUpdates
from tests.memory.session.test_render import sample

CONSTRAINTS = "### API Usage Constraints"
ARCHETYPE = "### Identified Architecture Pattern"
FIXES = "### Known Error Fixes"
DECISIONS = "### Decisions"
STRATEGIES = "### Coverage Optimization Strategies"
FAILURES = "### Failure Analysis"
HEADINGS = (CONSTRAINTS, ARCHETYPE, FIXES, DECISIONS, STRATEGIES, FAILURES)


def whole() -> SessionMemory:
    state = add_decision(sample(), "Start again", "3 failed", "supervisor")
    found = FailureAnalysis(template="segv", details="at line 3", source="crash_analyzer")
    return merge_session_memory_updates(state, SessionUpdates(failure_analyses=(found,)))


@pytest.mark.row("LF-62", "LF-95", "HS-02")
def test_a_prompt_is_header_memory_task_and_footer() -> None:
    state = sample()
    prompt = build_prompt_with_session_memory(state, "Fix this.", "unknown")
    parts = header(empty=False), format_session_memory_for_prompt(state)
    end = footer(["decisions"])
    assert prompt == f"{parts[0]}\n{parts[1]}\n\nFix this.\n{end}"


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        pytest.param(
            "prototyper", {CONSTRAINTS, ARCHETYPE}, marks=pytest.mark.row("LF-63", "LF-44")
        ),
        pytest.param(
            "enhancer",
            {CONSTRAINTS, FIXES, STRATEGIES},
            marks=pytest.mark.row("LF-64", "LF-47"),
        ),
        pytest.param(
            "context_analyzer", {CONSTRAINTS, FAILURES}, marks=pytest.mark.row("LF-65")
        ),
        pytest.param("crash_analyzer", {FAILURES}, marks=pytest.mark.row("LF-66")),
        pytest.param("supervisor", {DECISIONS}, marks=pytest.mark.row("LF-50")),
        ("plan", {CONSTRAINTS, ARCHETYPE, DECISIONS}),
        ("refine", {CONSTRAINTS, ARCHETYPE}),
        ("repair", {CONSTRAINTS, FIXES, STRATEGIES}),
        ("extract", set()),
        ("unknown", set(HEADINGS)),
    ],
)
def test_a_role_sees_its_part(role: str, seen: set[str]) -> None:
    prompt = build_prompt_with_session_memory(whole(), "Task.", role)
    assert {heading for heading in HEADINGS if heading in prompt} == seen


def test_a_family_of_roles_is_configured_by_its_name_and_a_role_by_its_own() -> None:
    section = SessionSection(roles={"mutate": ("fixes",), "refine": ("decisions",)})
    assert section.read_by("rewrite") == ("fixes",)
    assert section.read_by("refine") == ("decisions",)


@pytest.mark.parametrize(
    ("role", "categories"),
    [
        pytest.param(
            "function_analyzer",
            {"constraints", "archetype", "skeleton", "decisions"},
            marks=pytest.mark.row("LF-44", "LF-46"),
        ),
        pytest.param(
            "context_analyzer", {"constraints", "decisions"}, marks=pytest.mark.row("LF-44")
        ),
        pytest.param("prototyper", {"decisions"}, marks=pytest.mark.row("LF-50")),
        pytest.param("another", {"decisions"}, marks=pytest.mark.row("LF-50")),
        pytest.param(
            "enhancer",
            {"fixes", "constraints", "skeleton", "decisions"},
            marks=pytest.mark.row("LF-47", "HS-62"),
        ),
        pytest.param(
            "coverage_analyzer", {"strategies", "decisions"}, marks=pytest.mark.row("LF-52")
        ),
    ],
)
def test_a_role_changes_its_part(role: str, categories: set[str]) -> None:
    reply = (
        "<api_constraint>a</api_constraint><archetype type='round_trip'/>"
        "<known_fix error='e'>s</known_fix><decision>d</decision>"
        "<coverage_strategy target='t'>s</coverage_strategy>"
        "<setup_step order='1'>s</setup_step>"
    )
    said = extract_session_memory_updates_from_response(reply, role, 1)
    found = updates_within(said, written_by(role))
    names = {
        "constraints": found.api_constraints,
        "archetype": found.archetype,
        "fixes": found.known_fixes,
        "decisions": found.decisions,
        "strategies": found.coverage_strategies,
        "skeleton": found.skeleton_components.setup_sequence,
    }
    assert {name for name, value in names.items() if value} == categories
    asked = footer(written_by(role))
    assert ("<api_constraint" in asked) == ("constraints" in categories)
    assert ("<known_fix" in asked) == ("fixes" in categories)


@pytest.mark.row("LF-52")
def test_strategies_are_read_by_who_mends() -> None:
    assert "strategies" in read_by("enhancer")
    assert "strategies" not in read_by("coverage_analyzer")


@pytest.mark.row("HS-63")
def test_what_was_not_found_true_is_for_reference_and_an_empty_memory_no_excuse() -> None:
    told = header(empty=False)
    assert "for reference, not mandatory" in told
    assert "say why you depart from one, or why you use it" in told
    assert "analyse on your own" in build_prompt_with_session_memory(None, "Task.", "plan")


def test_the_matrix_is_configuration() -> None:
    config = SessionSection.model_validate({"roles": {"plan": ["fixes"]}, "archetype": False})
    assert config.read_by("plan") == ("fixes",)
    assert config.read_by("rewrite") == ("constraints", "skeleton")
    assert config.read_by("somebody") == ("constraints",)
    prompt = build_prompt_with_session_memory(whole(), "T", "plan", readers=config.roles)
    assert FIXES in prompt
    assert CONSTRAINTS not in prompt


@pytest.mark.parametrize("room", [0, 60, 100, 150, 1000])
def test_a_section_has_the_room_of_its_tier(room: int) -> None:
    text = section(whole(), read_by("enhancer"), room)
    assert sum(map(estimate, text.splitlines(keepends=True))) <= room
    assert not text or text.endswith("\n")
    assert (room >= 1000) == (STRATEGIES in text)


@pytest.mark.row("LF-95", "HS-32")
def test_each_tag_is_explained_in_a_line_with_its_limits() -> None:
    lines = [line for line in footer(ALL).splitlines() if line.startswith("- <")]
    assert len(lines) == 10
    for line in lines:
        said = line.rpartition(">: ")[2]
        assert re.search(r"\b(?:1|at most \d)\b|none", said), line
        assert line.endswith(".")
    assert f"at most {LONGEST_TAG} characters" in footer(ALL)
