"""Holm's correction: an example from the field, and its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.stats.holm import holm

CHANCES = st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=6)


def test_the_smallest_is_multiplied_by_the_number_of_arms() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert list(found) == ["a", "b", "c", "d"]


def test_a_single_arm_needs_no_correction() -> None:
    assert holm({"a": 0.2}) == {"a": 0.2}
    assert holm({}) == {}


@given(CHANCES)
def test_it_lowers_nothing_and_keeps_the_order(chances: dict[str, float]) -> None:
    found = holm(chances)
    assert all(chances[name] <= found[name] <= 1 for name in chances)
    by_chance = sorted(chances, key=lambda name: (chances[name], name))
    assert [found[n] for n in by_chance] == sorted(found.values())


@given(CHANCES, st.floats(0, 1))
def test_one_more_arm_makes_no_other_one_more_certain(
    chances: dict[str, float], chance: float
) -> None:
    before, after = holm(chances), holm({**chances, "another": chance})
    assert all(before[name] <= after[name] for name in chances)
