"""Means and shares over a set."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.summary import (
    FirstCall,
    busy,
    costly_start,
    first_call,
    less_on_the_wall,
    merged_medians,
    reached_share,
    summary,
    told_apart,
)
from se_agent.values.evaluation import Block, Figure
from se_agent.values.objective import Quantity

ratios = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30)


@given(ratios)
def test_means_lie_within_and_in_their_order(values: list[float]) -> None:
    found = summary(values)
    assert found is not None
    assert min(values) <= found.harmonic * (1 + 1e-9)
    assert found.harmonic <= found.geometric * (1 + 1e-9)
    assert found.geometric <= max(values) * (1 + 1e-9)
    assert 0 <= found.from_large <= found.from_small <= 1


@given(ratios)
def test_means_of_what_is_turned_round_are_turned_round(values: list[float]) -> None:
    there, back = summary(values), summary([1 / value for value in values])
    assert there is not None
    assert back is not None
    assert there.geometric == pytest.approx(1 / back.geometric)


def test_a_failure_is_not_averaged_away() -> None:
    found = summary([0.0, 1.0, 1.0])
    assert found is not None
    assert (found.harmonic, found.geometric, found.median) == (0.0, 0.0, 1.0)


def test_the_figures_of_a_small_set() -> None:
    found = summary([1.0, 1.1, 2.0, 8.0])
    assert found is not None
    assert found.count == 4
    assert found.harmonic == pytest.approx(4 / (1 + 1 / 1.1 + 0.5 + 0.125))
    assert found.geometric == pytest.approx((1.1 * 16) ** 0.25)
    assert found.median == pytest.approx(1.55)
    assert (found.from_small, found.from_large) == (0.75, 0.5)


def test_nothing_has_no_mean() -> None:
    assert summary([]) is None


@pytest.mark.parametrize("value", [-1.0, math.inf, math.nan])
def test_what_is_no_ratio_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="each is a finite number"):
        summary([1.0, value])


@given(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_no_more_than_all_of_a_reference_is_reached(reference: float, candidate: float) -> None:
    found = reached_share(Figure(Quantity.CPU, reference, candidate))
    assert 0 < found <= 1
    assert (found == 1) == (candidate <= reference)


def test_blocks_are_merged_where_all_of_them_know() -> None:
    cpu = [Figure(Quantity.CPU, value, 1.0) for value in (3.0, 1.0, 2.0)]
    blocks = [[cpu[0], Figure(Quantity.MEMORY, 5.0, 5.0)], [cpu[1]], [cpu[2]]]
    assert merged_medians(blocks) == (Figure(Quantity.CPU, 2.0, 1.0),)
    assert merged_medians(blocks[:1]) == tuple(blocks[0])
    assert merged_medians([]) == ()


_BLOCK = Block(number=0, effect=1.0, reference=0.002, candidate=0.001)


@pytest.mark.parametrize(
    ("alone", "found"),
    [
        pytest.param([], None, id="no-block"),
        pytest.param([()] * 6, None, id="never-looked-at"),
        pytest.param([(0.002, 0.03)] * 6, (0.002, 0.03), id="a-table"),
        pytest.param([(0.002, 0.03)] * 5 + [(0.03, 0.002)], (0.002, 0.03), id="one-apart"),
        pytest.param([(0.002, 0.03)] * 4 + [(0.03, 0.002)] * 2, None, id="two-apart"),
        pytest.param([(0.002, 0.0024)] * 6, None, id="too-short-to-tell"),
        pytest.param([(0.2, 0.21)] * 6, None, id="hardly-more"),
        pytest.param([(0.03, 0.002)] * 6, None, id="less"),
    ],
)
def test_a_start_is_costly_where_nearly_all_blocks_say_so(
    alone: list[tuple[float, ...]], found: tuple[float, float] | None
) -> None:
    assert costly_start([replace(_BLOCK, alone=each) for each in alone]) == found


@pytest.mark.parametrize(
    ("alone", "pays_after"),
    [
        pytest.param((0.002, 0.001), 1, id="at-once"),
        pytest.param((0.002, 0.0025), 2, id="with-the-second-call"),
        pytest.param((0.002, 0.03), 29, id="a-table"),
    ],
)
def test_a_change_pays_from_a_call_on(alone: tuple[float, float], pays_after: int) -> None:
    half = replace(_BLOCK, effect=math.log(2.0), alone=alone)
    found = first_call([half] * 6)
    assert found == FirstCall(*alone, pays_after)


def test_what_saves_nothing_never_pays() -> None:
    found = first_call([replace(_BLOCK, effect=0.0, alone=(0.002, 0.03))])
    assert found is not None
    assert found.pays_after is None
    assert first_call([_BLOCK]) is None


def test_what_is_no_gain_needs_no_doubt() -> None:
    slower = replace(_BLOCK, effect=-0.1, alone=(0.002, 0.03))
    assert costly_start([slower] * 6) is None


def _on_the_wall(ratio: float, cpu: float = 4.0) -> Block:
    wall = Figure(Quantity.WALL, 0.1, 0.1 / ratio)
    return replace(
        _BLOCK, effect=math.log(cpu), reference=0.1, candidate=0.1 / cpu, figures=(wall,)
    )


@pytest.mark.parametrize(
    ("ratios", "found"),
    [
        pytest.param([], None, id="no-block"),
        pytest.param([1.4] * 6, 1.4, id="it-waits"),
        pytest.param([0.5] * 6, 0.5, id="slower"),
        pytest.param([1.4] * 5 + [4.0], 1.4, id="one-apart"),
        pytest.param([1.4] * 4 + [4.0] * 2, None, id="two-apart"),
        pytest.param([3.5] * 6, None, id="hardly-less"),
        pytest.param([8.0] * 6, None, id="more"),
    ],
)
def test_time_on_the_wall_is_told_where_nearly_all_blocks_say_that_it_is_less(
    ratios: list[float], found: float | None
) -> None:
    assert less_on_the_wall(list(map(_on_the_wall, ratios))) == pytest.approx(found)


def test_of_runs_too_short_for_the_clock_on_the_wall_nothing_is_told() -> None:
    late = Figure(Quantity.WALL, 0.002, 0.002)
    short = replace(_BLOCK, reference=0.002, candidate=0.0001, figures=(late,))
    assert less_on_the_wall([short] * 6) is None


def test_where_memory_is_compared_the_wall_is_no_doubt() -> None:
    memory = replace(_on_the_wall(1.0), unit="B")
    assert less_on_the_wall([memory] * 6) is None
    assert less_on_the_wall([_BLOCK] * 6) is None


def test_who_was_off_its_core_because_others_had_it_did_not_wait() -> None:
    late = _on_the_wall(1.4)
    computed = replace(late, present=(0.1, 0.025))
    assert less_on_the_wall([computed] * 6) is None
    slept = replace(late, present=(0.1, 0.1 / 1.3))
    assert less_on_the_wall([slept] * 6) == pytest.approx(1.3)
    assert told_apart([slept] * 6)
    assert not told_apart([slept] * 5 + [late])


def test_the_load_of_a_machine_is_the_share_of_the_time_that_others_took() -> None:
    wall = Figure(Quantity.WALL, 0.3, 0.1)
    block = replace(_BLOCK, figures=(wall,), present=(0.15, 0.05))
    assert busy([block] * 3) == pytest.approx(0.5)
    assert busy([replace(block, present=())]) is None
    assert busy([]) is None
