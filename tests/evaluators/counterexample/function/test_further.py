"""Inputs made up to measure on: new ones, like those seen, the same each time."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.counterexample.function.further import further
from evaluators.counterexample.function.shape import name_of, shape_of
from se_agent import wire

PROGRAM = "def f(*arguments):\n    return arguments\n"
ARGUMENTS = st.tuples(
    st.lists(st.integers(-50, 50), max_size=6) | st.text("ab c-", max_size=8),
    st.integers(0, 9) | st.none() | st.floats(0, 1),
)


def made(seen: Sequence[tuple[Any, ...]], most: int = 50) -> list[tuple[Any, ...]]:
    found = further([wire.dumps(one) for one in seen], PROGRAM, "f")
    return [wire.loads(data) for data in islice(found, most)]


@settings(max_examples=25)  # each draws thousands of inputs, and a few seconds are enough
@given(st.lists(ARGUMENTS, min_size=1, max_size=6))
def test_they_are_new_and_have_what_those_seen_have_in_common(
    seen: list[tuple[Any, ...]],
) -> None:
    found = made(seen, most=20)
    names = [repr(one) for one in found]
    assert len(set(names)) == len(names)
    assert not set(names) & {repr(one) for one in seen}
    shape = shape_of(seen)
    assert all(shape.admits(one) and shape.within(one) for one in found)
    assert made(seen, most=20) == found


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


def often(values: Sequence[Any]) -> int:
    return max(Counter(map(repr, values)).values())


def words(count: int) -> list[str]:
    """Return texts of which no two are the same."""
    return [f"{'abcdefghij'[n % 10]} lorem {n:03d} ipsum dolor" for n in range(count)]


def test_one_that_came_often_does_not_let_others_come_again() -> None:
    """Two empty texts in the tests, and a program that remembers long ones."""
    random = Random(1)
    texts = ["", "", *(" ".join(random.choices(words(40), k=9)) for _ in range(10))]
    seen = [(text, random.randrange(10**6), random.randrange(10**6)) for text in texts]
    found = made(seen, most=1 << 20)
    assert len(found) > 100
    texts = [text for text, *_ in (*seen, *found)]
    assert often([text for text in texts if len(text) > 1]) == 1
    assert texts.count("") <= 1 + 2 / 12 * len(texts)


@pytest.mark.parametrize("count", [3, 4])
def test_arguments_that_never_came_together_twice_do_not(count: int) -> None:
    four = words(4)
    pairs = [(a, b) for a in four for b in four if a != b]
    seen = [(a, b, *range(997 * n, 997 * n + count - 2)) for n, (a, b) in enumerate(pairs)]
    found = made(seen, most=1 << 20)
    assert len(found) > 20
    assert often([(a, b) for a, b, *_ in (*seen, *found)]) == 1


@pytest.mark.parametrize(
    "holder",
    [lambda text, n: (text, n), lambda text, n: {"text": text, "n": n}],
    ids=["a record", "a mapping"],
)
def test_what_is_in_a_record_does_not_come_again(holder: Callable[[str, int], Any]) -> None:
    seen = [(holder(word, n),) for n, word in enumerate(words(8))]
    found = made(seen, most=1 << 20)
    assert len(found) > 20
    texts = [
        next(v for v in tuple(one.values() if isinstance(one, dict) else one))
        for (one,) in (*seen, *found)
    ]
    assert often(texts) == 1


def test_of_a_single_call_no_text_comes_again() -> None:
    found = [
        ("the quick brown fox", "quick dog"),
        *made([("the quick brown fox", "quick dog")]),
    ]
    assert len(found) > 20
    assert [often(column) for column in zip(*found, strict=True)] == [1, 1]


def test_integers_of_any_size_make_no_trouble() -> None:
    """Neither those that no float holds, nor those of more digits than Python writes."""
    seen = [([math.inf, 10**400],), ([-math.inf, 10**400],)]
    assert len(made(seen)) < 50
    huge = [(10**4400 + k, [10**4400 + k, "a"], k) for k in range(5)]
    assert all(len(one) == 3 for one in made(huge))


def test_large_inputs_are_few() -> None:
    random = Random(1)
    seen = [
        ([random.randrange(10**6) for _ in range(600)], random.randrange(10**6))
        for _ in range(9)
    ]
    size = sum(len(wire.dumps(one)) for one in made(seen, most=1 << 20))
    assert 1 << 18 < size < 4 << 20


def test_many_arguments_are_drawn_in_time() -> None:
    """With 200 arguments nobody asks how they are tied together: that took minutes."""
    seen = [tuple(range(n, n + 200)) for n in range(5)]
    began = time.process_time()
    assert len(made(seen, most=1 << 20)) < 1 << 12
    assert time.process_time() - began < 60


def test_what_is_nested_deeply_has_a_short_name() -> None:
    def nested(depth: int, seed: int) -> Any:
        return (seed + depth, nested(depth - 1, seed)) if depth else None

    assert len(name_of(nested(45, 0))) < 10_000
    seen = [(nested(40, n),) for n in range(3)]
    assert len(made(seen)) <= 50


def test_other_processes_make_the_same() -> None:
    code = (
        "from evaluators.counterexample.function.further import further; "
        "from itertools import islice; "
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
