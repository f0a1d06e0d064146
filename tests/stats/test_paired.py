"""Pairs of runs: what an arm is ahead by, and the laws of that."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.paired import DoubtedValue, PairKey, Values, paired_effect

KEYS = st.builds(PairKey, st.sampled_from("abc"), st.integers(0, 4))
ARMS = st.dictionaries(
    KEYS, st.builds(DoubtedValue, st.floats(-3, 3, width=16), st.floats(0, 1)), max_size=12
)


def arm(**values: tuple[float, ...]) -> dict[PairKey, DoubtedValue]:
    """Return exact values by problem, those of seed 0 first."""
    return {
        PairKey(problem, seed): DoubtedValue(value)
        for problem, each in values.items()
        for seed, value in enumerate(each)
    }


def test_a_problem_counts_once_however_many_seeds_it_has() -> None:
    found = paired_effect(arm(a=(1.0, 1.0, 1.0, 1.0), b=(0.0,)), arm(a=(0.0,) * 4, b=(0.0,)))
    assert found is not None
    assert (found.overall.mean, found.over, found.pairs) == (0.5, "problems", 5)
    assert [problem.effect.mean for problem in found.problems] == [1.0, 0.0]


def test_one_problem_is_judged_over_its_seeds() -> None:
    found = paired_effect(arm(a=(1.0, 2.0, 3.0)), arm(a=(0.0, 0.0, 0.0)))
    assert found is not None
    assert found.over == "seeds"
    assert (found.overall.mean, found.overall.low) == pytest.approx((2.0, -0.484), abs=1e-3)


def test_runs_without_a_partner_count_not() -> None:
    assert paired_effect(arm(a=(1.0,)), arm(b=(1.0,))) is None
    found = paired_effect(arm(a=(1.0, 5.0), b=(1.0,)), arm(a=(0.0,), c=(3.0,)))
    assert found is not None
    assert (found.overall.mean, found.pairs) == (1.0, 1)
    assert not found.overall.is_known


def test_a_difference_within_both_doubts_is_a_tie() -> None:
    key = PairKey("a", 0)
    mine, other = {key: DoubtedValue(0.5, 0.3)}, {key: DoubtedValue(0.0, 0.4)}
    found = paired_effect(mine, other)
    assert found is not None
    assert found.standings == (0, 1, 0)
    clear = paired_effect({key: DoubtedValue(0.6, 0.3)}, other)
    assert clear is not None
    assert clear.standings == (1, 0, 0)


def test_lost_seeds_are_named_the_clearest_first() -> None:
    found = paired_effect(arm(a=(0.0, -2.0, 1.0, -1.0)), arm(a=(0.0,) * 4))
    assert found is not None
    (problem,) = found.problems
    assert problem.lost == ((2.0, ("a", 1)), (1.0, ("a", 3)))
    assert (problem.standings, problem.standings.share(2)) == ((1, 1, 2), 0.5)


@given(ARMS, ARMS)
def test_to_swap_the_arms_turns_every_sign_and_nothing_else(one: Values, two: Values) -> None:
    found, other = paired_effect(one, two), paired_effect(two, one)
    if found is None or other is None:
        assert found is other is None
        return
    assert other.overall.mean == pytest.approx(-found.overall.mean)
    assert other.overall.low == pytest.approx(-found.overall.high)
    assert other.overall.chance == pytest.approx(found.overall.chance)
    assert other.standings == tuple(reversed(found.standings))


@given(ARMS, ARMS, st.randoms())
def test_the_order_of_the_runs_changes_nothing(one: Values, two: Values, rng: object) -> None:
    mixed = dict(sorted(one.items(), key=lambda _: rng.random()))  # type: ignore[attr-defined]
    assert paired_effect(mixed, two) == paired_effect(one, two)


@given(ARMS)
def test_an_arm_is_not_ahead_of_itself(one: Values) -> None:
    found = paired_effect(one, one)
    if found is not None:
        assert found.overall.mean == 0.0
        assert found.overall.chance == 1.0
        assert found.standings == (0, found.pairs, 0)
    assert (found is None) == (not one)


@given(ARMS, ARMS, st.floats(-2, 2, width=16))
def test_to_lift_an_arm_lifts_its_effect_by_as_much(
    one: Values, two: Values, lift: float
) -> None:
    lifted = {key: DoubtedValue(v.value + lift, v.doubt) for key, v in one.items()}
    found, higher = paired_effect(one, two), paired_effect(lifted, two)
    if found is not None and higher is not None:
        assert higher.overall.mean == pytest.approx(found.overall.mean + lift, abs=1e-9)
        assert math.isfinite(higher.overall.low) == math.isfinite(found.overall.low)
