"""What two clocks say of a program: it computes, it waits, or others keep it waiting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.waiting import Seconds, waiting_finding, waits, waits_beside, waits_mostly

CPU = st.floats(1e-5, 10.0)
CROWD = st.floats(1.0, 50.0)


@given(CPU)
def test_who_computes_all_the_time_does_not_wait(cpu: float) -> None:
    assert not waits(cpu, cpu)
    assert not waits_mostly(cpu, cpu)


@pytest.mark.parametrize("late", [0.0, 0.003, 0.0099])
def test_a_late_start_of_a_process_is_no_waiting(late: float) -> None:
    assert not waits(0.0, late)
    assert not waits_mostly(0.0, late)


@pytest.mark.parametrize(
    ("cpu", "wall", "some", "most"),
    [
        (0.1, 0.3, False, False),
        (0.1, 0.4, True, False),
        (0.1, 1.0, True, False),
        (0.1, 1.1, True, True),
        (0.0, 0.011, True, True),
    ],
)
def test_it_takes_three_times_the_cpu_time_to_wait_and_ten_times_to_do_little_else(
    cpu: float, wall: float, some: bool, most: bool
) -> None:
    assert (waits(cpu, wall), waits_mostly(cpu, wall)) == (some, most)


@given(CPU, CPU, CROWD)
def test_whom_others_keep_waiting_as_long_as_its_reference_computes(
    cpu: float, other: float, crowd: float
) -> None:
    run, reference = Seconds(cpu, crowd * cpu), Seconds(other, crowd * other)
    assert not waits_beside(run, reference)


@given(CPU, CPU, CROWD)
def test_who_takes_four_times_as_long_as_others_explain_waits(
    cpu: float, other: float, crowd: float
) -> None:
    run = Seconds(cpu, 4 * crowd * cpu + 0.02)
    assert waits_beside(run, Seconds(other, crowd * other))


@given(CPU, CPU)
def test_a_reference_with_threads_makes_nobody_wait(cpu: float, other: float) -> None:
    """On the wall it takes less than its CPU time."""
    assert not waits_beside(Seconds(cpu, cpu), Seconds(other, other / 8))


def test_both_times_are_told() -> None:
    assert (
        waiting_finding(0.0012345, 0.2) == "it waits: 1.23 ms of CPU time in 200 ms on the wall"
    )
