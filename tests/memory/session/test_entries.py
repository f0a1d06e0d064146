"""Entries of session memory: what is added stays within its limits, of each thing once."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from se_agent.memory.session.entries import (
    LONGEST,
    MOST_BYTES,
    SessionLimits,
    add_api_constraint,
    add_coverage_strategy,
    add_decision,
    add_known_fix,
    consolidate_session_memory,
    set_archetype,
)
from se_agent.memory.session.merge import merge_session_memory_updates
from se_agent.memory.session.seed_form import seed_form
from se_agent.values.session import (
    Constraint,
    CoverageStrategy,
    Decision,
    FailureAnalysis,
    KnownFix,
    SessionMemory,
    SessionUpdates,
)


@pytest.mark.row("LF-38", "LF-39", "LF-55")
def test_a_constraint_has_the_fields_of_the_seed() -> None:
    state = add_api_constraint(None, "Must initialize", "function_analyzer", "high", 3)
    assert seed_form(state)["api_constraints"] == [
        {
            "constraint": "Must initialize",
            "source": "function_analyzer",
            "confidence": "high",
            "iteration": 3,
        }
    ]


@pytest.mark.row("LF-45")
def test_a_confidence_is_high_medium_or_low_and_medium_unless_said() -> None:
    assert add_api_constraint(None, "a", "x").api_constraints[0].confidence == "medium"
    with pytest.raises(ValidationError, match="'low', 'medium' or 'high'"):
        add_api_constraint(None, "a", "x", "certain")  # type: ignore[arg-type]


@pytest.mark.row("LF-72")
@pytest.mark.parametrize("order", [("low", "high", "medium"), ("high", "medium", "low")])
def test_of_equal_constraints_the_surest_stays(order: tuple[str, ...]) -> None:
    state = None
    for place, confidence in enumerate(order):
        state = add_api_constraint(state, "Init  first.", f"s{place}", confidence, place)  # type: ignore[arg-type]
        state = add_api_constraint(state, "init first", "other", "low", place)
    assert state is not None
    (one,) = state.api_constraints
    assert one.confidence == "high"


def test_what_was_found_true_prevails_among_equally_sure_ones() -> None:
    state = add_api_constraint(None, "a", "evaluator", "high", 1, verified=True)
    state = add_api_constraint(state, "a", "analyse", "high", 9)
    assert state.api_constraints[0].verified


@pytest.mark.row("LF-40", "LF-46", "LF-56")
def test_there_is_one_archetype_the_last_that_was_set() -> None:
    state = set_archetype(None, "round_trip", ["a"], "function_analyzer")
    state = set_archetype(state, "object_lifecycle", ["create", "use"], "function_analyzer", 2)
    assert seed_form(state)["archetype"] == {
        "type": "object_lifecycle",
        "lifecycle_phases": ["create", "use"],
        "source": "function_analyzer",
        "iteration": 2,
    }


def test_a_pattern_without_a_document_is_kept_and_told() -> None:
    state = set_archetype(None, "stateful_decoder", [], "function_analyzer")
    assert state.archetype is not None
    assert not state.archetype.known


@pytest.mark.row("LF-41", "LF-48", "LF-57", "LF-73")
def test_of_the_fixes_of_an_error_the_latest_stays() -> None:
    state = add_known_fix(None, "undefined reference", "link it", "enhancer", 1)
    state = add_known_fix(state, "other", "wait", "enhancer", 1)
    state = add_known_fix(state, "undefined  reference", "include it", "enhancer", 2)
    state = add_known_fix(state, "undefined reference", "from before", "enhancer", 1)
    assert seed_form(state)["known_fixes"] == [
        {"error_pattern": "other", "solution": "wait", "source": "enhancer", "iteration": 1},
        {
            "error_pattern": "undefined  reference",
            "solution": "include it",
            "source": "enhancer",
            "iteration": 2,
        },
    ]


def test_a_claim_does_not_drive_out_a_fix_that_was_found_true() -> None:
    state = add_known_fix(None, "error", "measured", "repair", 1, verified=True)
    state = add_known_fix(state, "error", "claimed", "repair", 2)
    assert state.known_fixes[0].solution == "measured"


@pytest.mark.row("LF-49")
def test_the_latest_ten_fixes_stay() -> None:
    state = None
    for number in range(14):
        state = add_known_fix(state, f"error {number}", "mend", "enhancer", number)
    assert state is not None
    assert [fix.iteration for fix in state.known_fixes] == list(range(4, 14))


@pytest.mark.row("LF-42", "LF-51", "LF-58")
def test_the_latest_ten_decisions_stay() -> None:
    state = None
    for number in range(14):
        state = add_decision(state, f"decision {number}", "why", "supervisor", number)
    assert state is not None
    assert [one.iteration for one in state.decisions] == list(range(4, 14))
    assert seed_form(state)["decisions"][0] == {
        "decision": "decision 4",
        "reason": "why",
        "source": "supervisor",
        "iteration": 4,
    }


@pytest.mark.row("LF-43", "LF-53", "LF-59")
def test_of_strategies_of_the_same_words_the_latest_stays() -> None:
    state = add_coverage_strategy(None, "Add NULL test", "line 45", "coverage_analyzer", 1)
    state = add_coverage_strategy(state, "add null test", "line 50", "coverage_analyzer", 2)
    assert seed_form(state)["coverage_strategies"] == [
        {
            "strategy": "add null test",
            "target": "line 50",
            "source": "coverage_analyzer",
            "iteration": 2,
        }
    ]


@pytest.mark.row("LF-54")
def test_the_latest_ten_strategies_stay() -> None:
    state = None
    for number in range(14):
        state = add_coverage_strategy(state, f"try {number}", "there", "profiler", number)
    assert state is not None
    assert [one.iteration for one in state.coverage_strategies] == list(range(4, 14))


def test_what_was_found_out_about_failures_is_the_sixth_kind() -> None:
    state = None
    for number in range(12):
        found = FailureAnalysis(template=f"t{number}", details="d", source="e")
        state = merge_session_memory_updates(state, SessionUpdates(failure_analyses=(found,)))
    assert state is not None
    assert len(state.failure_analyses) == 10


@pytest.mark.row("HS-38", "HS-01", "HS-13")
def test_nothing_becomes_the_empty_structure() -> None:
    assert seed_form(consolidate_session_memory(None)) == {
        "api_constraints": [],
        "archetype": None,
        "known_fixes": [],
        "decisions": [],
        "coverage_strategies": [],
        "skeleton_components": {
            "headers": [],
            "input_validation": [],
            "setup_sequence": [],
            "cleanup_sequence": [],
            "parameter_construction": [],
        },
    }


@pytest.mark.row("LF-61", "LF-72", "LF-73")
def test_consolidation_puts_a_memory_of_anywhere_in_order() -> None:
    raw = SessionMemory(
        api_constraints=(
            Constraint(constraint="a", source="x", confidence="low"),
            Constraint(constraint="a", source="x", confidence="high"),
            Constraint(constraint="a", source="x", confidence="medium", iteration=9),
        ),
        known_fixes=(
            KnownFix(error_pattern="e", solution="old", source="x", iteration=1),
            KnownFix(error_pattern="e", solution="new", source="x", iteration=2),
        ),
        decisions=tuple(
            Decision(decision=f"{n}", reason="", source="x", iteration=n) for n in range(12)
        ),
        coverage_strategies=(
            *(
                CoverageStrategy(strategy="s", target="t", source="x", iteration=n)
                for n in (1, 2)
            ),
            *(
                CoverageStrategy(strategy=f"s{n}", target="t", source="x", iteration=3)
                for n in range(11)
            ),
        ),
    )
    found = consolidate_session_memory(raw)
    assert [one.confidence for one in found.api_constraints] == ["high"]
    assert [one.solution for one in found.known_fixes] == ["new"]
    assert [one.iteration for one in found.decisions] == list(range(2, 12))
    assert len(found.coverage_strategies) == 10
    assert consolidate_session_memory(found) == found


@pytest.mark.row("HS-61")
def test_of_too_many_constraints_the_surest_and_newest_stay() -> None:
    state = add_api_constraint(None, "sure", "evaluator", "high", 0, verified=True)
    for number in range(30):
        state = add_api_constraint(state, f"guess {number}", "analyse", "low", number)
    state = add_api_constraint(state, "inferred", "analyse", "medium", 0)
    kept = [one.constraint for one in state.api_constraints]
    assert kept == ["sure", *(f"guess {n}" for n in range(12, 30)), "inferred"]


def test_limits_are_those_that_are_given() -> None:
    state = None
    for number in range(8):
        state = add_decision(state, f"{number}", "", "x", number)
    found = consolidate_session_memory(state, SessionLimits(decisions=3))
    assert [one.decision for one in found.decisions] == ["5", "6", "7"]


@pytest.mark.row("LF-74")
def test_texts_are_cut_and_all_of_them_together_are_bounded() -> None:
    state = None
    for number in range(20):
        state = add_api_constraint(state, f"{number}" + "ß" * 5000, "x")
        state = add_known_fix(state, f"{number}" + "ß" * 5000, "ß" * 5000, "x")
        state = add_decision(state, f"{number}" + "ß" * 5000, "ß" * 5000, "x")
        state = add_coverage_strategy(state, f"{number}" + "ß" * 5000, "ß" * 5000, "x")
    assert state is not None
    assert max(len(one.constraint) for one in state.api_constraints) == LONGEST
    assert not state.coverage_strategies, "they are cut first"
    assert MOST_BYTES < len(state.model_dump_json().encode()) < 64_000


def test_an_entry_without_words_is_none() -> None:
    state = add_api_constraint(None, "  ", "x")
    state = add_known_fix(state, "", "solution", "x")
    state = set_archetype(state, " ", [], "x")
    assert state == SessionMemory()
