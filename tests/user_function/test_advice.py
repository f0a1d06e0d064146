"""What is told of small inputs before anything is searched."""

from __future__ import annotations

import re

import pytest

from se_agent.user_function.advice import InputSizes, advice


def test_it_tells_how_short_calls_are_and_what_can_be_seen() -> None:
    told = advice(InputSizes(call=28.7e-6, inputs=20, wanted=0.02), tests="tests")
    assert "the inputs of tests are small: a call takes about 28.7 us" in told
    assert "a run of 20 calls 0.574 ms, where 20 ms would be good" in told
    assert "Gains below about 1.5x are lost in the noise" in told


def test_of_calls_that_are_long_enough_nothing_is_told() -> None:
    assert advice(InputSizes(call=0.01, inputs=3, wanted=0.02), tests="tests") == ""


@pytest.mark.parametrize("inputs", [1, 10, 100, 1000])
def test_more_calls_show_smaller_gains(inputs: int) -> None:
    fewer, more = (InputSizes(2e-5, count, 0.02) for count in (inputs, 2 * inputs))
    assert more.least < fewer.least or inputs == 1000
    assert re.search(r"below about [\d.]+x", advice(more, tests="t"))


def test_where_a_look_measured_nothing_no_figure_is_told() -> None:
    told = advice(InputSizes(call=0.0, inputs=500, wanted=0.02), tests="tests")
    assert "a call is too short for the clock" in told
    assert not re.search(r"\d", told)
