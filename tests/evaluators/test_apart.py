"""Answers that differ far behind are shown where they differ."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from hypothesis import given

from evaluators.apart import apart
from se_agent import wire
from se_agent.wire.records import Record
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
            [Record("m", "Item", ("x", "y"), (LONG, n)) for n in (1, 2)],
            [Record("m", "Item", ("x", "y"), (LONG, n)) for n in (1, 3)],
            ("at [1].y: 2", "at [1].y: 3"),
            id="field",
        ),
        pytest.param(deque(LONG, 2000), deque(LONG, 2001), None, id="nothing inside differs"),
        pytest.param(
            "line\n" * 500 + "a\n",
            "line\n" * 500 + "b\n",
            ("at line 501: 'a'", "at line 501: 'b'"),
            id="line",
        ),
    ],
)
def test_both_are_shown_at_the_first_place_where_they_differ(
    right: Any, given: Any, told: tuple[str, str] | None
) -> None:
    found = apart(right, given)
    assert found[0] == found[1] if told is None else found == told


@given(values, values)
def test_anything_that_crosses_can_be_told_apart(one: Any, other: Any) -> None:
    found = apart(one, other)
    assert wire.same(one, other) or found[0] != found[1] or repr(one) == repr(other)
    assert all(len(text) <= 300 for text in found)
