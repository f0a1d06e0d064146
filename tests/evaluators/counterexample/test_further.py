"""Inputs made up to measure on: new ones, like those seen, the same each time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.counterexample.further import further
from evaluators.counterexample.shape import shape_of
from se_agent import wire

PROGRAM = "def f(*arguments):\n    return arguments\n"
ARGUMENTS = st.tuples(
    st.lists(st.integers(-50, 50), max_size=6) | st.text("ab c-", max_size=8),
    st.integers(0, 9) | st.none() | st.floats(0, 1),
)


def made(seen: Sequence[tuple[Any, ...]], most: int = 50) -> list[tuple[Any, ...]]:
    found = further([wire.dumps(one) for one in seen], PROGRAM, "f")
    return [wire.loads(data) for data in islice(found, most)]


@given(st.lists(ARGUMENTS, min_size=1, max_size=6))
def test_they_are_new_and_have_what_those_seen_have_in_common(
    seen: list[tuple[Any, ...]],
) -> None:
    found = made(seen)
    names = [repr(one) for one in found]
    assert len(set(names)) == len(names)
    assert not set(names) & {repr(one) for one in seen}
    shape = shape_of(seen)
    assert all(shape.admits(one) and shape.within(one) for one in found)
    assert made(seen) == found


@pytest.mark.parametrize(
    ("seen", "least"),
    [
        ([("the quick brown fox", "quick")], 50),
        ([([5, 3, 8, 1], 2), ([9, 9, 4], 1), ([7, 2, 2, 6, 0], 3)], 50),
        ([({"a": 1, "bc": 2},), ({"d": 7},)], 20),
    ],
)
def test_a_few_calls_lead_to_many(seen: list[tuple[Any, ...]], least: int) -> None:
    assert len(made(seen)) >= least


@pytest.mark.parametrize("seen", [[], [()], [(12,)], [(None, True)]], ids=repr)
def test_where_nothing_can_change_there_is_an_end(seen: list[tuple[Any, ...]]) -> None:
    assert all(one not in seen for one in made(seen))
