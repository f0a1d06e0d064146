"""Objectives: weights, effects, and what is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.values.objective import CPU_TIME, Objective, Quantity, amount, seconds

NOISY = [quantity for quantity in Quantity if quantity is not Quantity.INSTRUCTIONS]
figures = st.fixed_dictionaries(dict.fromkeys(Quantity, st.floats(1e-6, 1e12)))
objectives = st.dictionaries(
    st.sampled_from([q.value for q in NOISY]), st.floats(0.01, 100), min_size=1
).map(Objective.weighted)


@given(objectives, figures, figures)
def test_an_effect_changes_its_sign_with_the_sides(
    objective: Objective, one: dict[Quantity, float], other: dict[Quantity, float]
) -> None:
    there, back = objective.effect(one, other), objective.effect(other, one)
    assert there == pytest.approx(-back)
    assert objective.effect(one, one) == 0.0


@given(objectives, figures, figures)
def test_a_weighted_gain_lies_between_those_that_it_is_made_of(
    objective: Objective, one: dict[Quantity, float], other: dict[Quantity, float]
) -> None:
    single = [math.log(one[q] / other[q]) for q in objective.quantities]
    effect = objective.effect(one, other)
    assert min(single) - 1e-9 <= effect <= max(single) + 1e-9


@given(objectives, figures, figures)
def test_figures_have_the_ratio_of_the_gain(
    objective: Objective, one: dict[Quantity, float], other: dict[Quantity, float]
) -> None:
    ratio = objective.figure(one, one) / objective.figure(other, one)
    assert math.log(ratio) == pytest.approx(objective.effect(one, other), abs=1e-9)


def test_weights_are_scaled_and_put_in_order() -> None:
    found = Objective.weighted({"memory": 3, "cpu": 7})
    assert found.weights == ((Quantity.CPU, 0.7), (Quantity.MEMORY, 0.3))
    assert (found.only, found.unit, found.exact) == (None, "", False)
    assert found.title == "0.7 CPU time and 0.3 peak memory"


def test_one_quantity_is_itself_whatever_its_weight() -> None:
    assert Objective.weighted({"cpu": 5}) == CPU_TIME
    assert Objective.weighted({"instructions": 1}).exact


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({}, "one quantity at least"),
        ({"cpus": 1}, "'cpus' is none of cpu, wall"),
        ({"cpu": 0}, "not a positive number"),
        ({"cpu": math.nan}, "not a positive number"),
        ({"cpu": math.inf, "memory": 1}, "not a positive number"),
        ({"cpu": 1e308, "memory": 1e308}, "give smaller ones"),
        ({"cpu": 1, "instructions": 1}, "instructions have no weight beside others"),
    ],
)
def test_nonsense_is_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Objective.weighted(weights)


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (8.13e6, "B", "8.13 MB"),
        (262144, "B", "262 kB"),
        (12, "B", "12 B"),
        (1.009e5, "B s", "101 kB s"),
        (4.2e6, "instructions", "4.2e+06 instructions"),
        (0.394, "", "0.394"),
    ],
)
def test_figures_are_written_as_people_do(value: float, unit: str, shown: str) -> None:
    assert amount(value, unit) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(125.0, "2 min 5 s", id="minutes"),
        pytest.param(12.34, "12.3 s", id="seconds"),
        pytest.param(0.9996, "1000 ms", id="nearly-a-second"),
        pytest.param(0.16, "160 ms", id="part-of-a-second"),
        pytest.param(0.0105, "10.5 ms", id="ms"),
        pytest.param(0.00011, "0.11 ms", id="part-of-a-ms"),
        pytest.param(2.5e-6, "2.5 us", id="us"),
        pytest.param(0.0, "0 us", id="nothing"),
        pytest.param(-0.2, "-200 ms", id="negative"),
        pytest.param(math.inf, "inf s", id="for-ever"),
    ],
)
def test_seconds(value: float, text: str) -> None:
    assert seconds(value) == text


def test_what_no_clock_can_tell_is_told_as_less() -> None:
    assert seconds(3e-6, least=1e-5) == "less than 10 us"
    assert seconds(2e-5, least=1e-5) == "20 us"
