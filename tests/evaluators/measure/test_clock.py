from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.measure.clock import FINEST, Clock

seconds = st.floats(min_value=1e-6, max_value=10)


def test_the_median_of_the_empty_runs_is_subtracted() -> None:
    clock = Clock.of([0.002, 0.0021, 0.9])
    assert clock.net(0.0521) == pytest.approx(0.05)


def test_a_noisy_start_makes_the_clock_coarser() -> None:
    assert Clock.of([0.002, 0.003, 0.004]).resolution == pytest.approx(0.002)
    assert Clock.of([0.002, 0.002, 0.002]).resolution == FINEST


@given(st.lists(seconds, min_size=1), seconds)
def test_net_is_never_below_the_resolution(empty: list[float], gross: float) -> None:
    clock = Clock.of(empty)
    assert clock.net(gross) >= clock.resolution >= FINEST


@given(st.lists(seconds, min_size=1), seconds, seconds)
def test_a_gain_is_never_turned_into_a_loss(empty: list[float], one: float, two: float) -> None:
    clock = Clock.of(empty)
    assert (clock.net(one) <= clock.net(two)) or one > two
