"""The report of requirements: covered is what passed, and nothing else."""

from __future__ import annotations

import pytest

from tests.rows import ASKED, RowReport


def report_of(outcome: str, *rows: str, when: str = "call") -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=f"test_{outcome}",
        location=("test_it.py", 1, "test_it"),
        keywords={},
        outcome=outcome,  # type: ignore[arg-type]
        longrepr=None,
        when=when,  # type: ignore[arg-type]
        user_properties=[("row", row) for row in rows],
    )


def test_a_row_is_covered_by_a_test_that_passed() -> None:
    found = RowReport()
    found.pytest_runtest_logreport(report_of("passed", "SQ-08", "LF-01"))
    assert next(line for line in found.lines() if line.startswith("SQ")).startswith("SQ  1 of ")


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
def test_a_row_with_a_failed_test_is_not_covered(when: str) -> None:
    found = RowReport()
    found.pytest_runtest_logreport(report_of("passed", "SQ-08"))
    found.pytest_runtest_logreport(report_of("failed", "SQ-08", when=when))
    lines = list(found.lines())
    assert "SQ-08  failed: test_failed" in lines
    assert next(line for line in lines if line.startswith("SQ")).startswith("SQ  0 of ")


def test_a_skipped_test_covers_nothing() -> None:
    found = RowReport()
    found.pytest_runtest_logreport(report_of("skipped", "SQ-08"))
    assert not found.passed


def test_a_row_that_nobody_names_is_told() -> None:
    assert any("AM-02" in line for line in RowReport().lines())


def test_rows_of_what_is_not_built_yet_are_not_asked_for() -> None:
    assert {"HS-26", "AM-05", "AM-82", "LF-105"}.isdisjoint(ASKED)
    assert len(ASKED) == 292
