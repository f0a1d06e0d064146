from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.measure.clock import FINEST, Clock, Gross

seconds = st.floats(min_value=1e-6, max_value=10)
runs = st.builds(Gross, seconds, seconds)


def clock(*empty: float) -> Clock:
    return Clock.of([Gross(each) for each in empty])


def test_the_median_of_the_empty_runs_is_subtracted() -> None:
    assert clock(0.002, 0.0021, 0.9).net(Gross(0.0521)) == pytest.approx(0.05)


def test_a_noisy_start_makes_the_clock_coarser() -> None:
    assert clock(0.002, 0.003, 0.004).resolution == pytest.approx(0.002)
    assert clock(0.002, 0.002, 0.002).resolution == FINEST


@given(st.lists(runs, min_size=1), runs)
def test_net_is_never_below_the_resolution(empty: list[Gross], gross: Gross) -> None:
    made = Clock.of(empty)
    assert made.net(gross) >= made.resolution >= FINEST


@given(st.lists(runs, min_size=1), runs, seconds)
def test_a_gain_is_never_turned_into_a_loss(
    empty: list[Gross], gross: Gross, more: float
) -> None:
    made = Clock.of(empty)
    for part in Gross._fields:
        longer = gross._replace(**{part: getattr(gross, part) + more})
        assert made.net(gross) <= made.net(longer)


def test_what_is_left_out_of_one_part_is_not_refunded_in_the_other() -> None:
    """A program that leaves out describing its arguments has won nothing for its answers."""
    made = Clock.of([Gross(0.002, 0.010)])
    assert made.net(Gross(0.052, 0.0)) == made.net(Gross(0.052, 0.010)) == pytest.approx(0.05)


def test_runs_are_averaged_part_by_part() -> None:
    mean = Gross.mean([Gross(1.0, 0.1, 5.0), Gross(3.0, 0.3, 6.0)])
    assert mean == pytest.approx((2.0, 0.2, 5.5, 0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("loading", "net"),
    [
        pytest.param(0.0, 0.05, id="less-is-no-gain"),
        pytest.param(0.3, 0.05, id="as-much"),
        pytest.param(0.5, 0.25, id="more-counts"),
    ],
)
def test_loading_counts_beyond_that_of_the_empty_program(loading: float, net: float) -> None:
    made = Clock.of([Gross(0.002, 0.0, 0.3)])
    assert made.net(Gross(0.052, 0.0, loading)) == pytest.approx(net)
