"""Inputs made up to measure on: new ones, like those seen, the same each time."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
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
        ([([5, 3, 8, 1], 2), ([9, 9, 4], 2), ([7, 2, 2, 6, 0], 3)], 50),
        ([({"a": 1, "bc": 2},), ({"d": 7},)], 20),
    ],
)
def test_a_few_calls_lead_to_many(seen: list[tuple[Any, ...]], least: int) -> None:
    assert len(made(seen)) >= least


@pytest.mark.parametrize("seen", [[], [()], [(12,)], [(None, True)]], ids=repr)
def test_where_nothing_can_change_there_is_an_end(seen: list[tuple[Any, ...]]) -> None:
    assert made(seen, most=1 << 20) == []


def test_no_argument_comes_again_more_often_than_it_did() -> None:
    seen = [
        ("one two", 430, "a"),
        ("three four", 450, "a"),
        ("five", 440, "b"),
        ("six", 444, "a"),
    ]
    found = [*seen, *made(seen, most=1 << 20)]
    often = [max(Counter(values).values()) for values in zip(*found, strict=True)]
    assert len(found) > 10
    assert often[:2] == [1, 1]
    assert often[2] <= 0.75 * len(found)


def test_an_integer_that_no_float_holds_makes_no_trouble() -> None:
    seen = [([math.inf, 10**400],), ([-math.inf, 10**400],)]
    assert len(made(seen)) < 50


def test_large_inputs_are_few() -> None:
    seen = [(list(range(n, n + 1500)), n) for n in range(9)]
    assert sum(len(wire.dumps(one)) for one in made(seen, most=1 << 20)) < 4 << 20


def test_other_processes_make_the_same() -> None:
    code = (
        "from evaluators.counterexample.further import further; from itertools import islice; "
        "from se_agent.wire import dumps; seen = [dumps((['ab', 'c'], n)) for n in (3, 9)]; "
        f"print([*islice(further(seen, {PROGRAM!r}, 'f'), 20)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "012"
    }
    assert len(told) == 1
