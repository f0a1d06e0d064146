"""A share of the time that is left is counted from now."""

from __future__ import annotations

import pytest

from evaluators.counterexample.allowance import ENDLESS, Allowance


@pytest.mark.parametrize(
    ("now", "until"), [(10.0, 15.0), (26.0, 27.0), (30.0, 30.0), (40.0, 40.0)]
)
def test_a_share_begins_now_and_takes_nothing_that_is_gone(now: float, until: float) -> None:
    part = Allowance(lambda: now, until=30.0).part(0.25)
    assert part.until == until
    assert part() == (now < 30.0)


def test_who_has_for_ever_has_a_share_without_an_end() -> None:
    assert ENDLESS.part(0.1)()
