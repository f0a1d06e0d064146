"""Copies that nobody changes go, and deep ones become as deep as they are changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.needless_copy import NeedlessCopy
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(xs, x):
    low = sorted(xs)[0] + sorted(xs, reverse=True)[-1]
    high = sorted(xs)[-1] + sorted(xs, reverse=True)[0]
    near = sorted(xs, key=lambda v: abs(v - x))[0]
    found = x in list(range(x)) or x + 1 not in tuple(sorted(xs))  # either
    return low, high, near, found, set(sorted(xs))
"""
AFTER = """
def solve(xs, x):
    low = min(xs) + min(xs)
    high = max(xs) + max(xs)
    near = min(xs, key=lambda v: abs(v - x))
    found = x in range(x) or x + 1 not in sorted(xs)  # either
    return low, high, near, found, set(xs)
"""
DEEP = """
import copy

def solve(rows, moves):
    out = []
    for i, j in moves:
        changed = copy.deepcopy(rows)
        changed[i][j] = 9
        out.append(changed)
    return out, rows
"""


class TestContract(RuleContract):
    rule = NeedlessCopy
    slow = SLOW


def test_looked_at() -> None:
    assert rewritten(NeedlessCopy(), SLOW) == [dedented(AFTER)]


@pytest.mark.parametrize(
    ("body", "copies"),
    [
        pytest.param("b = copy.deepcopy(a)\n    b[0][1] = 2", ["[row.copy() for row in a]"],
                     id="rows-are-changed"),
        pytest.param("b = copy.deepcopy(a)\n    b[0] = 2\n    return b",
                     ["a.copy()", "[row.copy() for row in a]"], id="elements-are-changed"),
        pytest.param("b = copy.deepcopy(a)\n    return b[0] + len(b)",
                     ["b = a", "[row.copy() for row in a]"], id="only-read"),
        pytest.param("return copy.deepcopy(a[1])",
                     ["[row.copy() for row in a[1]]", "a[1].copy()"], id="handed-on"),
        pytest.param("b = json.loads(json.dumps(a))\n    a.pop()\n    return b[0]",
                     ["a.copy()", "[row.copy() for row in a]"], id="by-a-text-of-it"),
        pytest.param("return pickle.loads(pickle.dumps(a, -1))",
                     ["[row.copy() for row in a]", "a.copy()"], id="by-bytes-of-it"),
    ],
)  # fmt: skip
def test_deep_copies(body: str, copies: list[str]) -> None:
    texts = rewritten(NeedlessCopy(), f"import copy\ndef f(a):\n    {body}\n")
    assert len(texts) == len(copies)
    for text, made in zip(texts, copies, strict=True):
        assert made in text


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a = sorted(xs)[1]", id="the-second"),
        pytest.param("a = sorted(xs, key=f)[-1]", id="the-last-of-equal-keys"),
        pytest.param("a = sorted(xs, reverse=r)[0]", id="either-way"),
        pytest.param("a = sum(sorted(xs))", id="the-order-of-a-sum"),
        pytest.param("a = len(list(xs))", id="without-a-length"),
        pytest.param("a = list(xs)", id="kept"),
        pytest.param("a = x in list(xs)", id="perhaps-parts-of-a-text"),
        pytest.param("a = list(xs)[0]", id="perhaps-there-is-no-first"),
        pytest.param("while xs:\n    xs.pop()\n    a = list(xs)[0]", id="no-first-any-more"),
        pytest.param("a = copy.copy(xs)", id="not-deep"),
        pytest.param("a = copy.deepcopy(f(xs))", id="unknown-call"),
        pytest.param("a = json.loads(json.dumps(xs, default=str))", id="made-to-texts"),
        pytest.param("a = json.loads(xs)", id="read"),
    ],
)
def test_must_not_fire(line: str) -> None:
    assert rewritten(NeedlessCopy(), f"{line}\n") == []


@given(st.lists(st.integers(-3, 9), min_size=1, max_size=7), st.integers(-3, 9))
def test_same_answers(xs: list[int], x: int) -> None:
    assert_equivalent(NeedlessCopy(), SLOW, xs, x)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), max_size=4))
def test_same_answers_for_rows(moves: list[tuple[int, int]]) -> None:
    assert_equivalent(NeedlessCopy(), DEEP, [[1, 2, 3], [4, 5, 6]], moves)


FEW = """
from copy import deepcopy

def solve(groups):
    rest = deepcopy(groups)
    order = []
    while rest:
        key = list(rest)[0]
        order.append((key, sorted(rest.get(key), reverse=True)[:2]))
        rest[key].append(1)
        del rest[key]
    return order, sorted(groups, key=lambda g: g % 3)[:2]
"""


def test_the_first_few_are_asked_for_and_rows_of_a_dictionary_copied() -> None:
    found = "".join(rewritten(NeedlessCopy(), FEW))
    assert "key = next(iter(rest))" in found
    assert "nlargest(2, rest.get(key))" in found
    assert "nsmallest(2, groups, key=lambda g: g % 3)" in found


def test_rows_of_what_has_keys_are_its_values() -> None:
    loop = "    for k, v in g.items():\n        g[k][0] = 1\n"
    text = f"def f(g):\n    g = deepcopy(g)\n{loop}    return g\n"
    (new,) = rewritten(NeedlessCopy(), text)
    assert "g = {key: row.copy() for key, row in g.items()}" in new


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("list(xs)[1]", id="another"),
        pytest.param("sorted(xs)[:99]", id="many"),
        pytest.param("sorted(xs)[:n]", id="unknown"),
        pytest.param("sorted(xs)[1:3]", id="not-the-first"),
        pytest.param("sorted(xs, reverse=n)[:3]", id="either-way"),
    ],
)
def test_no_first_few(code: str) -> None:
    assert rewritten(NeedlessCopy(), f"def f(xs, n):\n    return {code}\n") == []


@given(st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 5), max_size=4), max_size=5))
def test_same_answers_for_the_first_few(groups: dict[int, list[int]]) -> None:
    assert_equivalent(NeedlessCopy(), FEW, groups)
