"""Costly calls are remembered in a loop, where nobody can tell but by the time they take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.cached_calls import CachedCalls
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def cost(n, step):
    total = 0
    for k in range(0, n, step):
        total += k * k
    return total

def solve(values):
    result = []
    for v in values:
        result.append(cost(v, 2) + cost(v, 3))  # twice
    return result
"""
AFTER = """
from functools import lru_cache

def cost(n, step):
    total = 0
    for k in range(0, n, step):
        total += k * k
    return total

def solve(values):
    result = []
    cached_cost = lru_cache(maxsize=None, typed=True)(cost)
    for v in values:
        result.append(cached_cost(v, 2) + cached_cost(v, 3))  # twice
    return result
"""
FILLING = """
seen = {}

def cost(n, step):
    total = 0
    for k in range(0, n, step):
        total += k * k
    return total

def solve(values):
    result = []
    for v in values:
        result.append(cost(v, 2))
        seen[v] = 1
    return result
"""
LIBRARY = """
from datetime import datetime as Date
import ipaddress

def solve(rows):
    return [(Date.strptime(day, "%d.%m.%Y").weekday(), ipaddress.ip_address(a).packed)
            for day, a in rows]
"""


class TestContract(RuleContract):
    rule = CachedCalls
    slow = SLOW
    others = (LIBRARY,)


def test_of_the_program() -> None:
    assert rewritten(CachedCalls(), SLOW) == [dedented(AFTER)]


def test_of_the_standard_library_under_any_name() -> None:
    texts = rewritten(CachedCalls(), LIBRARY)
    assert len(texts) == 2
    assert "cached_strptime = lru_cache(maxsize=None, typed=True)(Date.strptime)" in texts[0]
    assert "cached_ip_address(a).packed" in texts[1]
    assert_equivalent(CachedCalls(), LIBRARY, [("01.02.2020", "::1"), ("01.02.2020", "::1")])


@given(st.lists(st.one_of(st.integers(0, 9), st.booleans()), max_size=9))
def test_answers_stay(values: list[int]) -> None:
    assert_equivalent(CachedCalls(), SLOW, values)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("total = 0\n", "total = seen.get(n, 0)\n", id="reads-what-the-loop-fills"),
        pytest.param("total = 0\n", "total = n.start\n", id="reads-an-attribute"),
        pytest.param("total = 0\n", "total = 0; print(n)\n", id="leaves-a-trace"),
        pytest.param("return total", "return [total]", id="gives-lists-that-are-kept"),
        pytest.param("return total", "yield total", id="is-a-generator"),
        pytest.param("cost(v, 2)", "(lambda: cost(v, 2))()", id="is-called-later"),
    ],
)
def test_not_where_it_could_be_told(old: str, new: str) -> None:
    text = SLOW.replace(" + cost(v, 3)", "").replace(old, new)
    text = text.replace("# twice", "\n        seen[v] = 1").replace(
        "def cost", "seen = {}\ndef cost"
    )
    assert rewritten(CachedCalls(), text) == []


def test_the_same_texts_are_changed_without_these() -> None:
    text = SLOW.replace("# twice", "\n        seen[v] = 1").replace(
        "def cost", "seen = {}\ndef cost"
    )
    assert len(rewritten(CachedCalls(), text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        SLOW.replace("cost(v, 2) + cost(v, 3)", "cost([v], 2)"),
        SLOW.replace("for v in values:", "cost = max\n    for v in values:"),
        LIBRARY.replace("from datetime import", "from dates import").replace(
            "import ipaddress", "import network as ipaddress"
        ),
        "def twice(n):\n    return n * 2\ndef solve(v):\n    return [twice(n) for n in v]\n",
    ],
    ids=["lists-are-no-keys", "another-function", "other-modules", "quicker-than-a-table"],
)
def test_not_where_there_is_nothing_to_gain(text: str) -> None:
    assert rewritten(CachedCalls(), text) == []


@pytest.mark.parametrize("note", ["list[int]", "Record", "dict"])
def test_what_is_given_lists_or_dictionaries_cannot_be_cached(note: str) -> None:
    noted = f"Record = dict[str, int]\n{SLOW.replace('n, step)', f'n: {note}, step)', 1)}"
    assert rewritten(CachedCalls(), noted) == []
    assert rewritten(CachedCalls(), noted.replace(f"n: {note}", "n: int")) != []
