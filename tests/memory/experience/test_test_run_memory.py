"""Test-run memory: whole, parsed, analysed, and a guide for whoever mends a program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.experience import test_runs as memory
from se_agent.memory.experience.schema import KIND
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database
from se_agent.values.artifact import ArtifactRef
from se_agent.values.evaluation import Evaluation, FailedCase, Status
from se_agent.values.session import KnownFix, SessionMemory

WRONG = Evaluation(
    status=Status.WA,
    failing=(
        FailedCase(name="first", expected="3", got="4", input="[1, 2]"),
        FailedCase(name="second", expected="0", got="None"),
    ),
    feedback="2 cases fail",
)
ERROR = "NameError: name <*> is not defined"
RAISED = Evaluation(status=Status.RE, feedback="NameError: name 'math' is not defined")


def record(found: Evaluation, slot: int = 1) -> memory.TestRun:
    return memory.test_run_of(found, "first", slot, 0, "Gen1_Sol_1", "T")


@pytest.mark.row("AM-08", "AM-30", "AM-46")
def test_a_record_is_raw_parsed_and_analysed() -> None:
    row = record(WRONG)
    assert row.raw == "2 cases fail"
    assert [case["got"] for case in row.parsed["cases"]] == ["4", "None"]
    assert row.analysis["type"] == "complete_unit_test"
    assert row.analysis["suggestions"]
    assert (row.failures_count, row.errors_count, row.success) == (2, 0, False)
    raised = record(RAISED)
    assert (raised.failures_count, raised.errors_count) == (0, 1)
    assert raised.analysis["pattern"] == ERROR
    assert raised.parsed["values"] == ["math"]


@pytest.mark.row("AM-30")
def test_a_large_output_is_named_and_its_files_are_counted() -> None:
    kept = ArtifactRef(
        digest="ab" * 32, size=9000, title="t", head="tests/test_a.py F", tail="test_b.py F"
    )
    row = record(Evaluation(status=Status.WA, feedback="cut", output=kept))
    assert "abababababab" in row.raw
    assert row.raw.startswith("tests/test_a.py")
    assert row.test_files_count == 2
    assert row.parsed["artifact"] == kept.digest


def test_rows_are_read_as_they_were_written_and_secrets_are_not() -> None:
    secret = "a-known-secret-4711"
    told = Evaluation(status=Status.RE, feedback=f"ValueError: {secret}")
    with Database(IN_MEMORY, KIND) as db:
        log = memory.TestRunLog(db, secrets=(secret,))
        log.put([record(WRONG), record(told, 2)])
        log.put([record(WRONG)])
        first, second = log.rows()
    assert first == record(WRONG)
    assert secret not in second.raw
    assert secret not in str(second.parsed)


@pytest.mark.row("AM-13", "AM-31")
def test_a_guide_has_patterns_advice_details_and_fixes() -> None:
    fix = KnownFix(error_pattern=ERROR, solution="Add `import math`", source="mend")
    known = SessionMemory(known_fixes=(fix.model_copy(update={"verified": True}), fix))
    past = [record(RAISED, 1), record(RAISED, 2), record(WRONG, 3)]
    guide = memory.get_detailed_test_info_for_refactoring(RAISED, past, known)
    assert guide.first_case == RAISED.feedback
    assert guide.patterns == (f"{ERROR} (2 times)",)
    assert guide.fixes == ("Add `import math`",)
    assert guide.advice
    wrong = memory.get_detailed_test_info_for_refactoring(WRONG, past)
    assert wrong.first_case == "first: expected 3, got 4 for [1, 2]"
    assert wrong.details == ("second: expected 0, got None",)
    assert f"{ERROR} (2 times)" in wrong.patterns
    assert wrong.fixes == ()


@given(st.integers(1, 2000), st.lists(st.text(max_size=80), max_size=6))
def test_a_guide_keeps_to_its_room_and_names_the_first_case(room: int, told: list[str]) -> None:
    guide = memory.GuidePack(
        first_case="first: expected 3, got 4", advice=tuple(told), fixes=tuple(told)
    )
    text = guide.within(room)
    assert len(text) <= max(room, 1)
    assert text[:1] in ("f", "…")
    if room > 30:
        assert text.startswith(guide.first_case)
