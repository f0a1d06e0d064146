"""What is foretold of a proof: it grows with what makes it longer, and never says nothing."""

from __future__ import annotations

import pytest

from se_agent.config.sections import Judge, Measure
from se_agent.user_function.outlook import Outlook, outlook


def foretold(seconds: float = 0.02, size: int = 100) -> Outlook:
    return outlook(seconds, size, Judge(), Measure())


def test_all_blocks_that_there_may_be_are_counted() -> None:
    assert foretold().blocks == 6 + (1 + 9) + 6


def test_a_large_gain_is_measured_twice_and_the_noise_once() -> None:
    assert foretold().twice == 6 + 2 * (1 + 9) + 2 * 6


def test_noise_makes_it_longer() -> None:
    assert 0 < foretold().least < foretold().most


@pytest.mark.parametrize(
    "longer", [foretold(0.2), foretold(size=1_000_000)], ids=["calls", "inputs"]
)
def test_slow_calls_and_large_inputs_make_it_longer(longer: Outlook) -> None:
    assert longer.least > 1.5 * foretold().least


def test_quick_calls_are_made_until_a_run_is_long_enough() -> None:
    assert foretold(0.002).least == pytest.approx(foretold().least, rel=0.1)


def test_a_call_that_takes_no_time_at_all_is_no_fault() -> None:
    assert foretold(0.0).least > 0
