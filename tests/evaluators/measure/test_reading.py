"""What of a run is the program's own, quantity by quantity."""

from __future__ import annotations

import pytest

from evaluators.measure.clock import Gross
from evaluators.measure.reading import FINEST_BYTES, FINEST_COUNT, Base, ClockReading
from evaluators.measure.watched import watch_for
from evaluators.sandbox.job import JobOutcome
from evaluators.sandbox.usage import Footprint, ProcessUsage, Watch
from se_agent.values.evaluation import Status
from se_agent.values.objective import Quantity

MB = 1_000_000


def reading(
    cpu: float, *, wall: float = 0.0, added: int = 0, integral: float = 0.0, count: int = 0
) -> ClockReading:
    footprint = Footprint(added_bytes=added, byte_seconds=integral) if added else None
    return ClockReading(Gross(cpu), Gross(wall), footprint, count or None)


def test_all_but_the_peak_of_memory_are_for_one_input() -> None:
    base = Base([reading(0.002, wall=0.003, added=7 * MB, integral=14_000, count=100_000)])
    run = reading(0.102, wall=0.203, added=27 * MB, integral=2_714_000, count=1_100_000)
    nets = {quantity: base.net(quantity, [run], 10) for quantity in Quantity}
    assert nets == {
        Quantity.CPU: pytest.approx(0.01),
        Quantity.WALL: pytest.approx(0.02),
        Quantity.MEMORY: pytest.approx(20 * MB),
        Quantity.MEMORY_TIME: pytest.approx((2_700_000 - 0.1 * 7 * MB) / 10),
        Quantity.INSTRUCTIONS: pytest.approx(100_000),
    }


def test_what_was_not_read_is_not_known() -> None:
    base = Base([reading(0.002)])
    nets = {quantity: base.net(quantity, [reading(0.1)], 1) for quantity in Quantity}
    assert [q for q, net in nets.items() if net is not None] == [Quantity.CPU]


def test_a_run_that_was_compiled_before_its_time_began_was_read_all_the_same() -> None:
    """On a busy machine a child may have run for a while when its parent hears of it."""
    usage = ProcessUsage(wall_seconds=0.001)
    outcome = JobOutcome(
        status=Status.AC, cpu_seconds=0.004, compiling_seconds=0.003, usage=usage
    )
    base = Base([ClockReading.of(outcome)])
    assert base.net(Quantity.WALL, [reading(0.1, wall=0.2)], 1) == pytest.approx(0.2, rel=1e-3)


def test_what_is_below_the_resolution_is_raised_to_it() -> None:
    empty = reading(0.002, added=7 * MB, integral=14_000, count=5000)
    base = Base([empty])
    assert base.net(Quantity.MEMORY, [empty], 1) == FINEST_BYTES
    assert base.net(Quantity.INSTRUCTIONS, [empty], 1) == FINEST_COUNT
    least = base.net(Quantity.MEMORY_TIME, [empty], 1)
    assert least == pytest.approx(FINEST_BYTES * 20e-6)


def test_empty_programs_that_differ_widen_the_resolution() -> None:
    base = Base([reading(0.002, added=added * MB) for added in (5, 7, 9)])
    assert base.net(Quantity.MEMORY, [reading(0.1, added=8 * MB)], 1) == 4 * MB


def test_nothing_is_subtracted_from_the_whole_of_a_process() -> None:
    def compiled(cpu: float, peak: int, integral: float) -> ClockReading:
        footprint = Footprint(added_bytes=peak, byte_seconds=integral, whole=True)
        return ClockReading(Gross(cpu), Gross(0.0), footprint)

    base, run = Base([compiled(0.002, 14 * MB, 14_000)]), compiled(0.102, 24 * MB, 2_414_000)
    assert base.net(Quantity.MEMORY, [run], 1) == 24 * MB
    assert base.net(Quantity.MEMORY_TIME, [run], 1) == 2_400_000


def test_runs_are_averaged() -> None:
    base = Base([reading(0.002, added=7 * MB)])
    runs = [reading(0.1, added=added * MB) for added in (17, 27)]
    assert base.net(Quantity.MEMORY, runs, 1) == 15 * MB


def test_nothing_is_watched_for_nothing() -> None:
    assert not watch_for([Quantity.CPU, Quantity.WALL, Quantity.INSTRUCTIONS])
    assert watch_for([Quantity.CPU, Quantity.MEMORY]) == Watch(memory=True)
    assert watch_for([Quantity.MEMORY_TIME]) == Watch(memory=True, integral=True)


def test_one_run_after_the_other_adds_up_but_for_the_peak() -> None:
    one = ProcessUsage(wall_seconds=1, footprint=Footprint(added_bytes=5, byte_seconds=2))
    two = ProcessUsage(wall_seconds=2, footprint=Footprint(added_bytes=3, byte_seconds=4))
    both = one + two
    assert both.wall_seconds == 3
    assert both.footprint == Footprint(added_bytes=5, byte_seconds=6)
    whole = ProcessUsage(footprint=Footprint(added_bytes=3, whole=True))
    assert (one + whole).footprint == Footprint(added_bytes=5, byte_seconds=2, whole=True)
    assert (one + ProcessUsage()).footprint is None
    assert both.instructions is None


def test_time_in_which_others_had_the_core_is_no_part_of_what_a_run_took() -> None:
    run = ClockReading(cpu=Gross(0.01), wall=Gross(0.05), delayed=0.039)
    assert run.seconds == pytest.approx((0.01, 0.011))
    assert run.wall.answers == 0.05  # which is what is compared where time on the wall is
    unknown = ClockReading(cpu=Gross(0.01), wall=Gross(0.05))
    assert unknown.seconds == (0.01, 0.05)


def test_a_delay_leaves_no_run_without_time() -> None:
    run = ClockReading(cpu=Gross(0.01), wall=Gross(0.05), delayed=0.2)
    assert run.seconds.wall > 0


def test_delays_add_up_where_both_are_known() -> None:
    one, two = ProcessUsage(delayed_seconds=0.25), ProcessUsage(delayed_seconds=0.5)
    assert (one + two).delayed_seconds == 0.75
    assert (one + ProcessUsage()).delayed_seconds is None
