"""Knock-outs in words: the largest first, each with its doubt."""

from __future__ import annotations

import math

import pytest

from se_agent.report.words.knock_outs import columns, ranked_alike, row, summary, worth
from se_agent.values.evaluation import Status
from se_agent.values.knock_out import KnockOut, KnockOutOutcome, KnockOutTable
from se_agent.values.solution import Edit


def knocked(
    name: str, effect: float | None, *, credited: float | None = None, **changes: object
) -> KnockOut:
    measured = {} if effect is None else {"low": effect - 0.1, "high": effect + 0.1}
    given: dict[str, object] = {"outcome": KnockOutOutcome.GAIN, **measured, **changes}
    edit = Edit(rule=name, function="f", node="0")
    return KnockOut(edit=edit, effect=effect, credited=credited, **given)  # type: ignore[arg-type]


def table(*rows: KnockOut) -> KnockOutTable:
    return KnockOutTable(
        solution="Gen1_Sol_0", content="c", seed=1, blocks=6, edits=len(rows), rows=rows
    )


MIXED = table(
    knocked("small", math.log(1.1)),
    knocked("wrong", None, outcome=KnockOutOutcome.NEEDED, status=Status.WA),
    knocked("idle", 0.0, outcome=KnockOutOutcome.UNSEEN),
    knocked("large", math.log(2.0)),
    knocked("bound", None, outcome=KnockOutOutcome.BOUND),
    knocked("worse", -0.3, outcome=KnockOutOutcome.HARM),
)


def test_the_largest_effect_comes_first_and_what_was_not_measured_last() -> None:
    lines = [str(line) for line in columns(MIXED, timed=True).lines(0)]
    order = [next(n for n in line.split() if n in NAMES) for line in lines[1:]]
    assert order == ["large", "small", "idle", "worse", "wrong", "bound"]


NAMES = {one.edit.rule for one in MIXED.rows}


def test_what_came_of_all_edits_is_counted() -> None:
    first, second = summary(MIXED)
    assert first == (
        "3 of 6 edits needed, 1 without a proven effect, 1 harmful, 1 not measured"
    )
    assert second.startswith("no rank correlation")


def test_a_ratio_has_its_interval_and_a_score_none() -> None:
    found = knocked("large", math.log(2.0))
    assert worth(found, timed=True) == "2.00x (1.81x to 2.21x)"
    assert worth(found, timed=False) == "0.693147"
    assert worth(knocked("wrong", None), timed=True) == ""


@pytest.mark.parametrize(("sign", "expected"), [(1, 1.0), (-1, -1.0)])
def test_beliefs_are_compared_by_their_order(sign: int, expected: float) -> None:
    rows = [knocked(str(n), n / 10, credited=sign * n * n) for n in range(4)]
    assert ranked_alike(table(*rows)) == pytest.approx(expected)
    assert ranked_alike(table(*rows[:3])) is None
    assert row(table(*rows))["rank_correlation"] == pytest.approx(expected)
