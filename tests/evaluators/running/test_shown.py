from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from evaluators.running.shown import SHOWN, shown
from se_agent.wire import RecordMember, WireRecord
from tests.test_wire import values


@given(values)
def test_nothing_that_crosses_the_wire_cannot_be_shown(value: Any) -> None:
    assert len(shown(value)) <= SHOWN


@pytest.mark.parametrize(
    "value",
    [
        None,
        -7,
        0.5,
        1j,
        "it's",
        b"x",
        bytearray(b"y"),
        [1, [2, "a"]],
        (),
        (1,),
        {1: (2, 3), "b": []},
        {1},
        set(),
        frozenset({2}),
        frozenset(),
        range(3),
        range(9, 1, -2),
        deque([1, 2]),
        deque([1], maxlen=4),
        defaultdict(list, {1: [2]}),
        Counter("aab"),
        OrderedDict(a=1),
        np.float64(0.5),
        np.array([1, 2]),
    ],
    ids=repr,
)
def test_it_reads_as_python_writes_it(value: Any) -> None:
    expected = repr(value)
    if type(value) is OrderedDict:
        expected = "OrderedDict({'a': 1})"
    assert shown(value) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (WireRecord("m", "Item", ("name", "tags"), ("a", [1])), "Item(name='a', tags=[1])"),
        (WireRecord("m", "Bare", (), ()), "Bare()"),
        ([RecordMember("m", "Kind", "TOY")], "[Kind.TOY]"),
        ([Decimal("1.50")], "[Decimal('1.50')]"),
    ],
)
def test_a_record_reads_as_its_class_writes_it(value: Any, text: str) -> None:
    assert shown(value) == text


def test_a_number_of_any_length_is_shown() -> None:
    assert shown([10**5000]).endswith("... (16610 bits)]")
    assert shown(-(10**5000)).startswith("-0x")
    assert shown(10**300) == str(10**300)[:296] + " ..."


def test_deep_values_are_shown_in_part() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    assert "[...]" in shown(deep)
