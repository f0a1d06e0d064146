"""The credit of operators: each step counts once, and costs are shares of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.analysis.operator_credit import operator_credit
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of, row_maker
from se_agent.report.html.report import report_text
from tests.analysis.arms import run_in
from tests.report.html.runs import island_of


def step(operator: str | None, outcome: str, cost: float) -> tuple[object, ...]:
    told = {"operator": operator, "outcome": outcome, "cost_seconds": cost}
    return row_maker("steps")(told.get(name) for name in names_of("steps"))


def test_those_with_the_most_gains_come_first_and_shares_are_of_the_whole() -> None:
    found = operator_credit(
        [
            step("slow", "worse", 2.0),
            step("good", "better", 1.0),
            step("slow", "better", 4.0),
            step("good", "better", 1.0),
            step("idle", "nothing new", 0.0),
            step(None, "open", 0.0),
        ]
    )
    assert [(each.operator, each.tries, each.gains, each.share) for each in found] == [
        ("good", 2, 2, 0.25),
        ("slow", 2, 1, 0.75),
        ("idle", 1, 0, 0.0),
    ]


def test_where_nothing_cost_anything_there_is_no_share() -> None:
    (found,) = operator_credit([step("idle", "nothing new", 0.0)])
    assert found.share is None
    assert operator_credit([]) == ()


@pytest.mark.tier("runs")
def test_the_page_of_a_run_has_the_credit_that_notebooks_draw(tmp_path: Path) -> None:
    folder = run_in(tmp_path, "run")
    told = island_of(report_text(folder))["run"]["operators"]
    found = operator_credit(RecordedRun(folder).rows("steps"))
    assert [each[:3] for each in told] == [[o.operator, o.tries, o.gains] for o in found]
    assert sum(share for *_, share in told) == pytest.approx(1)
    steps = RecordedRun(folder).steps()
    assert sum(each.gains for each in found) == steps.proven.fillna(value=False).sum() > 0
