"""What may be concluded from a run, in one word."""

from __future__ import annotations

import pytest

from se_agent.engine.journal.result import Result, RunVerdict


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"status": "proven"}, "proven"),
        ({"status": "proven", "trusted": False}, "untrusted"),
        ({"status": "interrupted"}, "unfinished"),
        ({"status": "running"}, "unfinished"),
        ({"status": "failed"}, "unfinished"),
        ({"status": "not_tried", "budget_end": "wall_seconds"}, "too_short"),
        ({"status": "not_tried", "budget_end": "exhausted"}, "no_gain"),
        ({"budget_end": "evaluations", "generations": 1}, "too_short"),
        ({"budget_end": "evaluations", "generations": 2}, "no_gain"),
        ({"budget_end": "exhausted", "generations": 1}, "no_gain"),
        (
            {"budget_end": "cpu_seconds", "generations": 9, "unconfirmed": "no time"},
            "too_short",
        ),
    ],
)
def test_nothing_found_means_something_only_after_a_search(
    changes: dict[str, object], verdict: RunVerdict
) -> None:
    """A budget that ends a run early says nothing of what is possible."""
    given: dict[str, object] = {"status": "not_proven", **changes}
    found = Result(run="r", problem="p", best_solution_id="Gen0_Sol_0", **given)  # type: ignore[arg-type]
    assert found.verdict == verdict
