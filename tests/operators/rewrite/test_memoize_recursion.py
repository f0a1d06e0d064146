"""Pure recursions remember their results, for one outer call and no longer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.memoize_recursion import MemoizeRecursion
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = '''
def count(coins, m, amount):
    """Ways to pay."""
    # nothing left
    if amount == 0:
        return 1
    if amount < 0 or m == 0:
        return 0
    return count(coins, m - 1, amount) + count(coins, m, amount - coins[m - 1])

def solve(coins, amount):
    return count(coins, len(coins), amount)
'''
AFTER = '''
from functools import cache

def count(coins, m, amount):
    """Ways to pay."""
    @cache
    def count_cached(m, amount):
        # nothing left
        if amount == 0:
            return 1
        if amount < 0 or m == 0:
            return 0
        return count_cached(m - 1, amount) + count_cached(m, amount - coins[m - 1])
    return count_cached(m, amount)

def solve(coins, amount):
    return count(coins, len(coins), amount)
'''
NESTED = """
def solve(a, b):
    def go(i, j):
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + go(i + 1, j + 1)
        return max(go(i + 1, j), go(i, j + 1))

    return go(0, 0)
"""
LOOPED = """
def solve(n):
    total = 1
    for step in (1, 3):
        if step <= n:
            total += solve(n - step)
    return total
"""


class TestContract(RuleContract):
    rule = MemoizeRecursion
    slow = SLOW


def test_what_is_passed_on_is_no_part_of_the_key() -> None:
    assert rewritten(MemoizeRecursion(), SLOW) == [dedented(AFTER)]


def test_a_nested_function_is_decorated() -> None:
    (text,) = rewritten(MemoizeRecursion(), NESTED)
    assert text == "from functools import cache\n\n" + dedented(NESTED).replace(
        "    def go", "    @cache\n    def go"
    )


def test_nothing_is_carried_from_one_call_to_the_next() -> None:
    (text,) = rewritten(MemoizeRecursion(), LOOPED.replace("total = 1", "total = len(str(n))"))
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    counted: list[int] = []

    def counting(value: int) -> str:
        counted.append(value)
        return str(value)

    namespace["str"] = counting
    namespace["solve"](6)
    first = len(counted)
    namespace["solve"](6)
    assert len(counted) == 2 * first == 2 * 7


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("return n * f(n - 1)", id="one-call"),
        pytest.param("if n:\n        return f(n - 1)\n    return f(n - 2)", id="one-of-two"),
        pytest.param("print(n)\n    return f(n - 1) + f(n - 2)", id="prints"),
        pytest.param("out.append(n)\n    return f(n - 1) + f(n - 2)", id="fills-a-list"),
        pytest.param("x = out.pop()\n    return f(n - 1) + f(n - 2)", id="takes-from-a-list"),
        pytest.param("return out.append(n) or f(n - 1) + f(n - 2)", id="fills-on-the-way"),
        pytest.param("keep(n)\n    return f(n - 1) + f(n - 2)", id="fills-by-a-function"),
        pytest.param("return tell(n) or f(n - 1) + f(n - 2)", id="prints-by-a-function"),
        pytest.param("seen[n] = 1\n    return f(n - 1) + f(n - 2)", id="writes"),
        pytest.param("global k\n    return f(n - 1) + f(n - 2)", id="global"),
        pytest.param("yield f(n - 1) + f(n - 2)", id="generator"),
        pytest.param("return f([n]) + f(n - 2)", id="a-list"),
        pytest.param("return f(*n) + f(n - 2)", id="unpacked"),
        pytest.param("return f(n) + f(n)", id="nothing-changes"),
    ],
)
def test_must_not_fire(body: str) -> None:
    head = "out = []\n\n\ndef keep(n):\n    out.append(n)\n\n\ndef tell(n):\n    print(n)\n\n\n"
    assert rewritten(MemoizeRecursion(), f"{head}def f(n):\n    {body}\n") == []


def test_what_is_remembered_goes_where_what_is_read_changes() -> None:
    text = """
def solve(ns):
    k, out = 0, []
    def f(n):
        return k if n < 2 else f(n - 1) + f(n - 2)
    for n in ns:
        k += 1
        out.append(f(n))
    return out
"""
    assert_equivalent(MemoizeRecursion(), text, [3, 3, 4])


@pytest.mark.parametrize(
    "head",
    ["@other\ndef f(n):", "def f(n=[]):", "def f(*n):", "def f(cls, n):", "async def f(n):"],
)
def test_must_not_fire_with_such_a_head(head: str) -> None:
    text = f"{head}\n    return f(n - 1) + f(n - 2)\n"
    assert rewritten(MemoizeRecursion(), text) == []


@given(st.lists(st.integers(1, 4), max_size=3), st.integers(-1, 7))
def test_same_answers(coins: list[int], amount: int) -> None:
    assert_equivalent(MemoizeRecursion(), SLOW, coins, amount)


@given(st.text("ab", max_size=5), st.text("ab", max_size=5))
def test_same_answers_when_nested(a: str, b: str) -> None:
    assert_equivalent(MemoizeRecursion(), NESTED, a, b)


@given(st.integers(0, 12))
def test_same_answers_when_looped(n: int) -> None:
    assert_equivalent(MemoizeRecursion(), LOOPED, n)


DEFAULTS = """
def f(a, b, i=0, j=0):
    if i == len(a) or j == len(b):
        return 0
    if a[i] == b[j]:
        return 1 + f(a, b, i + 1, j + 1)
    return max(f(a, b, i + 1, j), f(a, b, i, j + 1))

def solve(a, b):
    return f(a, b), f(b, a, 1)
"""


def test_fixed_defaults_stay_with_the_outer_call() -> None:
    (text,) = rewritten(MemoizeRecursion(), DEFAULTS)
    assert "def f(a, b, i=0, j=0):\n    @cache\n    def f_cached(i, j):\n" in text
    assert_equivalent(MemoizeRecursion(), DEFAULTS, [1, 2, 1], [2, 1, 1])


WEIGHTS = "    def weights(self): return self.stored\n"
METHOD = """
class Sack:
    def __init__(self, weights):
        self.weights = weights

    def size(self):
        self.asked = True
        return len(self.weights)

    def most(self, i, room):
        \"\"\"The most that goes in.\"\"\"
        if i == len(self.weights):
            return 0
        least = self.most(i + 1, room)
        if self.weights[i] > room:
            return least
        return max(least, self.weights[i] + self.most(i + 1, room - self.weights[i]))

def solve(weights):
    return Sack(weights).most(0, 9)
"""


def test_a_method_asks_a_function_of_its_own() -> None:
    (text,) = rewritten(MemoizeRecursion(), METHOD)
    assert "        @cache\n        def most_cached(i, room):\n" in text
    assert "least = most_cached(i + 1, room)\n" in text
    assert_equivalent(MemoizeRecursion(), METHOD, [3, 4, 5, 3])


def test_a_method_may_ask_its_object_for_methods_that_only_read_it() -> None:
    told = METHOD.replace("        self.asked = True\n", "").replace(
        "== len(self.weights)", "== self.size()"
    )
    (text,) = rewritten(MemoizeRecursion(), told)
    assert "if i == self.size():\n" in text
    assert_equivalent(MemoizeRecursion(), told, [3, 4, 5, 3])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("least = self.most", "self.last = self.most", id="sets-an-attribute"),
        pytest.param("return least", "return self.other(i)", id="asks-another-method"),
        pytest.param(
            "= self.most(i + 1, room)", "= other.most(i + 1, room)", id="another-object"
        ),
        pytest.param("return 0", "self = i; return 0", id="is-another-object"),
        pytest.param("    def most", f"    @property\n{WEIGHTS}    def most", id="a-property"),
        pytest.param("room - self.weights[i]", "self.left(room, i)", id="asks-one-unseen"),
        pytest.param("len(self.weights)", "self.size()", id="asks-who-writes"),
        pytest.param("return 0", "w = self.weights; w[0] = 1; return 0", id="by-another-name"),
        pytest.param("return 0", "w = self.weights; w.sort(); return 0", id="sorts-it"),
        pytest.param("return 0", "return other(self)", id="hands-itself-on"),
        pytest.param("\ndef solve", "class C:\n    def most(s): 0\ndef solve", id="of-another"),
    ],
)
def test_methods_that_stay(old: str, new: str) -> None:
    assert old in METHOD
    assert rewritten(MemoizeRecursion(), METHOD.replace(old, new)) == []
