"""Parts of a list are sliced, not walked to from its front."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.islice_window import IsliceWindow
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
from itertools import islice

def solve(values, size):
    found = []
    if len(values) % 2:
        for start in range(0, len(values), size):
            found.append(list(islice(values, start, start + size)))
    for start in range(1, len(values), size):
        for value in islice(values, start, None):  # the rest
            found.append(value)
    return found
"""
AFTER = """
from itertools import islice

def solve(values, size):
    found = []
    if len(values) % 2:
        values_items = values if isinstance(values, list) else list(values)
        for start in range(0, len(values), size):
            found.append(values_items[start : start + size])
    values_items = values if isinstance(values, list) else list(values)
    for start in range(1, len(values), size):
        for value in values_items[start:]:  # the rest
            found.append(value)
    return found
"""
ALONE = """
import itertools

def parts(values, count, size):
    for start in range(0, count, size):
        yield sum(itertools.islice(values, start, start + size))

def solve(values, size):
    return list(parts(values, len(values), size))
"""
OWN = """
from itertools import islice as part

def solve(values, size):
    rows = sorted(values)
    return [rows] + [tuple(part(rows, at, size)) for at in range(size) for _ in [0]]

def other(values, size):
    rows = sorted(values)
    for at in range(size):
        yield tuple(part(rows, at, size))
"""


class TestContract(RuleContract):
    rule = IsliceWindow
    slow = SLOW
    others = (ALONE, OWN)


def test_a_slice_takes_the_part() -> None:
    assert rewritten(IsliceWindow(), SLOW) == [dedented(AFTER)]


def test_a_parameter_that_is_asked_for_nothing_else_becomes_a_list() -> None:
    (text,) = rewritten(IsliceWindow(), ALONE)
    assert (
        "    values = values if isinstance(values, list) else list(values)\n    for start"
        in text
    )
    assert "yield sum(values[start : start + size])\n" in text


def test_a_list_is_sliced_as_it_is() -> None:
    (text,) = rewritten(IsliceWindow(), OWN)
    assert "        yield tuple(rows[at:size])\n" in text
    assert "list(rows)" not in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("start, start + size", "size", id="from-the-front"),
        pytest.param("start, start + size", "0, start + size", id="from-nought"),
        pytest.param("start, start + size", "None, size", id="from-none"),
        pytest.param("start, start + size", "start, size, 2", id="in-steps"),
        pytest.param("start, start + size", "start, values.pop()", id="not-pure"),
        pytest.param("list(islice(", "next(islice(", id="the-first-of-it"),
        pytest.param("found.append(list(", "values.append(list(", id="changes"),
        pytest.param("    found = []", "    found = []; next(values)", id="an-iterator"),
        pytest.param("    found = []", "    found = []; kept(values)", id="handed-on"),
        pytest.param("from itertools", "from elsewhere", id="another-islice"),
        pytest.param("for start in range(0", "for values in range(0", id="bound-by-the-loop"),
        pytest.param("    found = []", "    values = iter(values)", id="iterated"),
        pytest.param("(values, size)", "(size)", id="of-the-module"),
        pytest.param("    found = []", "    values = size.rows", id="of-an-object"),
        pytest.param("(values, size)", "(values, size, islice)", id="a-parameter-named-so"),
        pytest.param("found.append(list(", "found.append(lambda: list(", id="asked-for-later"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text, rest = SLOW.split("    for start in range(1")
    assert old in text
    assert rest
    assert rewritten(IsliceWindow(), text.replace(old, new) + "    return found\n") == []


@pytest.mark.parametrize("text", [SLOW, ALONE], ids=["beside-others", "alone"])
@pytest.mark.parametrize("kind", ["list", "tuple", "keys", "range"])
@given(st.lists(st.integers(), max_size=12), st.integers(1, 5))
def test_same_answers(text: str, kind: str, values: list[int], size: int) -> None:
    kinds: dict[str, Any] = {
        "list": values,
        "tuple": tuple(values),
        "keys": dict.fromkeys(values),
        "range": range(len(values)),
    }
    assert_equivalent(IsliceWindow(), text, kinds[kind], size)
