"""Student's distribution agrees with tables and with itself."""

from __future__ import annotations

import math

import pytest

from se_agent.stats.student import chance_beyond, reach


@pytest.mark.parametrize(
    ("degrees", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_a_95_percent_interval_reaches_as_far_as_the_tables_say(
    degrees: int, expected: float
) -> None:
    assert reach(0.95, degrees) == pytest.approx(expected, abs=6e-4)


def test_many_degrees_are_the_normal_distribution() -> None:
    assert reach(0.95, 1_000_000) == pytest.approx(1.95996, abs=1e-4)


@pytest.mark.parametrize("degrees", [1, 2, 7, 40])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_reach_undoes_chance_beyond(degrees: int, confidence: float) -> None:
    found = chance_beyond(reach(confidence, degrees), degrees)
    assert found == pytest.approx(1 - confidence, rel=1e-6)


def test_chances_fall_from_one_to_nothing() -> None:
    steps = [chance_beyond(t, 3) for t in (0.0, 0.5, 1.0, 2.0, 10.0, 1e9, math.inf)]
    assert steps[0] == 1.0
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] == 0.0
    assert chance_beyond(-2.0, 3) == chance_beyond(2.0, 3)
