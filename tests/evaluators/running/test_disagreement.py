"""Answers that differ far behind are shown where they differ."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from evaluators.running.disagreement import apart
from evaluators.running.printed_words import apart_in_words
from se_agent import wire
from se_agent.wire import EXACT, Tolerance
from se_agent.wire.records import WireRecord
from tests.test_wire import values

LONG = list(range(1000))


def changed(place: int, value: Any) -> list[Any]:
    return [*LONG[:place], value, *LONG[place + 1 :]]


@pytest.mark.parametrize(
    ("right", "given", "told"),
    [
        pytest.param([1], [2], ("[1]", "[2]"), id="short"),
        pytest.param(
            LONG, changed(600, -1), ("at [600]: 600", "at [600]: -1"), id="an element"
        ),
        pytest.param(LONG, [*LONG, 5], ("at [1000]: nothing", "at [1000]: 5"), id="longer"),
        pytest.param(
            LONG, changed(999, 999.0), ("at [999]: 999", "at [999]: 999.0"), id="type"
        ),
        pytest.param(
            {"a": LONG, "b": [LONG]},
            {"a": LONG, "b": [changed(7, None)]},
            ("at ['b'][0][7]: 7", "at ['b'][0][7]: None"),
            id="inside",
        ),
        pytest.param(
            [WireRecord("m", "Item", ("x", "y"), (LONG, n)) for n in (1, 2)],
            [WireRecord("m", "Item", ("x", "y"), (LONG, n)) for n in (1, 3)],
            ("at [1].y: 2", "at [1].y: 3"),
            id="field",
        ),
        pytest.param(
            "line\n" * 500 + "a\n",
            "line\n" * 500 + "b\n",
            ("at line 501: 'a'", "at line 501: 'b'"),
            id="line",
        ),
    ],
)
def test_both_are_shown_at_the_first_place_where_they_differ(
    right: Any, given: Any, told: tuple[str, str]
) -> None:
    found = apart(right, given)
    assert (found.expected, found.got) == told
    assert found.expected != found.told


ONE = 1.0 + 2**-52
THIRDS = [[1 / 3, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("right", "given", "how", "relative"),
    [
        pytest.param(1.0, ONE, "differ by 2.2e-16 relative", 2**-52, id="float"),
        pytest.param(1 + 0j, ONE + 0j, "differ by 2.2e-16 relative", 2**-52, id="complex"),
        pytest.param([[0], [1.0]], [[0], [ONE]], "relative, at [1][0]", 2**-52, id="nested"),
        pytest.param({"a": (1.0,)}, {"a": (ONE,)}, "relative, at ['a'][0]", 2**-52, id="dict"),
        pytest.param({1.0, 5.0}, {ONE, 5.0}, "relative, at {1.0}", 2**-52, id="set"),
        pytest.param(
            [1.0, 2.0], [ONE, 3.0], "; 1 other place, by up to 0.33 rel", 1 / 3, id="two"
        ),
        pytest.param([1.0, 2], [ONE, 3], "2.2e-16 relative, at [0]", None, id="not all floats"),
        pytest.param(
            np.array([2.0, 1.0]), np.array([2.0, ONE]), ", at [1]", 2**-52, id="array"
        ),
        pytest.param(np.array(THIRDS), np.array(THIRDS) * ONE, ", at [0][0]", 0.0, id="rows"),
        pytest.param(np.float32(1), np.float32(1.0000001), "1.2e-07", 2**-23, id="scalar"),
        pytest.param(
            np.array([1.0]), np.array([1]), "dtype int64 instead of float64", None, id="dtype"
        ),
        pytest.param(
            np.zeros((0, 3)),
            np.zeros((0, 2)),
            "shape (0, 2) instead of (0, 3)",
            None,
            id="shape",
        ),
        pytest.param([1.0], np.array([1.0]), "numpy.ndarray instead of list", None, id="list"),
        pytest.param(
            1.0, np.float64(1), "numpy.float64 instead of float, equal", None, id="numpy"
        ),
        pytest.param(True, 1, "int instead of bool, equal in value", None, id="bool"),
        pytest.param(math.nan, 1.0, "", None, id="nan"),
        pytest.param(math.inf, 1e308, "", None, id="infinity"),
        pytest.param(0.0, 1e-300, "differ by 1 relative", 1.0, id="zero"),
        pytest.param(1, 2, "", None, id="integers"),
        pytest.param("1", 1, "", None, id="text"),
        pytest.param([1.0], [1.0, 2.0], "", None, id="longer"),
        pytest.param(deque([1], 2), deque([1], 3), "", None, id="room"),
        pytest.param(
            deque(LONG, 2000), deque(LONG, 2001), "maxlen 2001", None, id="room behind"
        ),
    ],
)
def test_what_is_easily_overlooked_is_said(
    right: Any, given: Any, how: str, relative: float | None
) -> None:
    found = apart(right, given)
    assert how in found.how
    assert bool(how) == bool(found.how)
    assert found.expected != found.told
    assert found.relative == (
        None if relative is None else pytest.approx(relative, rel=1e-6, abs=3e-16)
    )


def test_what_is_within_the_tolerance_is_no_difference() -> None:
    found = apart([1.0] * 400 + [2.0], [ONE] * 400 + [3.0], Tolerance(rel=1e-9))
    assert found.how == "differ by 0.33 relative, at [400]"


@pytest.mark.tier("isolation")
@given(values, values)
def test_anything_that_crosses_can_be_told_apart(one: Any, other: Any) -> None:
    found = apart(one, other)
    assert wire.same(one, other) or found.expected != found.told
    assert len(found.expected) <= 300
    assert len(found.told) <= 300


@pytest.mark.parametrize(
    ("right", "given", "told"),
    [
        pytest.param(
            b"1.5 2.0",
            b"1.5 2.5",
            ("1.5 2.0", "1.5 2.5 (differ by 0.2 relative, at line 1, word 2)"),
        ),
        pytest.param(
            b"a\n" * 500 + b"x 1.0",
            b"a\n" * 400 + b"a " * 100 + b"\n\n x 1.1",
            (
                "at line 501: 'x 1.0'",
                "at line 403: ' x 1.1' (differ by 0.091 relative, at line 501, word 2)",
            ),
        ),
        pytest.param(b"7\n" * 500, b"7\n" * 499, ("at line 500: '7'", "the output ends")),
        pytest.param(b"no", b"yes", ("no", "yes")),
    ],
)
def test_outputs_are_compared_by_words(
    right: bytes, given: bytes, told: tuple[str, str]
) -> None:
    found = apart_in_words(right, given, EXACT)
    assert found.expected == told[0]
    assert found.told == told[1]


def test_a_word_that_is_near_enough_is_no_difference() -> None:
    found = apart_in_words(b"1.0 2.0", b"1.0000001 3.0", Tolerance(rel=1e-6))
    assert found.how == "differ by 0.33 relative, at line 1, word 2"
