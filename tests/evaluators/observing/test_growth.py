"""How two programs grow, in a world where time is scripted."""

from __future__ import annotations

import pytest

from evaluators.observing.growth import growth_pair
from se_agent.values.observation import Growth, GrowthPair
from tests.evaluators.observing.test_scaling import SIZES, bench, problem, program
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import solution


def grown(old: str, new: str, noise: float = 0.0) -> GrowthPair | None:
    sandbox = ScriptedSandbox(noise=noise)
    return growth_pair(
        bench(problem(*SIZES), sandbox), solution(program(old)), solution(program(new))
    )


def test_both_exponents_are_told_with_intervals() -> None:
    found = grown("2e-8 * size ** 2", "1e-6 * size")
    assert found is not None
    assert found.old.exponent == pytest.approx(2.0, abs=0.01)
    assert found.new.exponent == pytest.approx(1.0, abs=0.01)
    assert found.sizes == (100, 300, 1000, 3000)
    assert not found.is_worse


def test_half_the_time_up_to_a_size_and_its_square_beyond_is_worse() -> None:
    late = "5e-7 * size * max(1.0, size / 300)"
    found = grown("1e-6 * size", late)
    assert found is not None
    assert found.is_worse


@pytest.mark.parametrize(
    "new", ["5e-7 * size", "2e-7 * size * size ** 0.15", "1e-5 + 5e-7 * size"]
)
def test_what_grows_alike_is_not_worse(new: str) -> None:
    found = grown("1e-6 * size", new)
    assert found is not None
    assert not found.is_worse


def test_intervals_that_meet_prove_nothing() -> None:
    old, new = (
        Growth(exponent=1.0, low=0.6, high=1.4),
        Growth(exponent=1.9, low=1.3, high=2.5),
    )
    assert not GrowthPair(old=old, new=new, sizes=(1, 2, 4)).is_worse


def test_a_ladder_of_two_rungs_tells_nothing() -> None:
    of = problem(100, 1000)
    one = solution(program("1e-6 * size"))
    assert growth_pair(bench(of), one, one) is None


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_who_leaves_out_what_each_call_took_is_not_worse(noise: float) -> None:
    for old, new in (
        ("1e-3 + 1e-7 * size", "1e-7 * size"),
        ("1e-3 + 2e-8 * size ** 2", "2e-8 * size ** 2"),
    ):
        found = grown(old, new, noise)
        assert found is not None
        assert found.new.low > found.old.high
        assert not found.is_worse


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("1e-3", "1e-7 * size", id="the old one does not grow"),
        pytest.param("1e-5 * size", "1e-9 * size ** 2", id="far below where they meet"),
    ],
)
def test_what_adds_more_and_more_is_worse(old: str, new: str) -> None:
    found = grown(old, new)
    assert found is not None
    assert found.is_worse
