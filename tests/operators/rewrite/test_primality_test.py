"""A search for any divisor becomes a primality test; a search for a certain one stays."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from operators.rewrite.primality_test import PrimalityTest
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import answer, assert_equivalent, dedented, rewritten

SLOW = """
from math import isqrt

def solve(n):
    if n < 2:
        return False
    for d in range(2, isqrt(n) + 1):
        if n % d == 0:
            return False
    return True
"""
AFTER = """
from math import isqrt

def solve(n):
    if n < 2:
        return False
    if has_divisor(n):
        return False
    return True
"""
SHAPES = {
    "else": "def solve(n):\n    found = []\n    for i in range(2, n):\n"
    "        for j in range(2, i):\n            if i % j == 0:\n                break\n"
    "        else:\n            found.append(i)\n    return found\n",
    "flag": "def solve(n):\n    prime = True\n    for j in range(2, int(n ** 0.5) + 1):\n"
    "        if not n % j:\n            prime = False\n            break\n    return prime\n"
    .replace("n ** 0.5", "abs(n) ** 0.5").replace("not n % j", "not abs(n) % j"),
    "least": "import math\ndef solve(n):\n    n = abs(n)\n"
    "    for k in range(2, min(int(math.sqrt(n)) + 1, n - 1)):\n"
    "        if n % k == 0:\n            return 0\n    return 1\n",
    "odd": "def solve(n):\n    if n % 2 == 0:\n        return n == 2\n"
    "    for k in range(3, n, 2):\n        if n % k == 0:\n            return False\n"
    "    return n > 1\n",
    "while": "def solve(n):\n    i = 2\n    while i * i <= n:\n        if n % i == 0:\n"
    "            return False\n        i += 1\n    return n > 1\n",
    "while-all": "def solve(n):\n    i = 2\n    while i < n:\n        if n % i == 0:\n"
    "            return False\n        i += 1\n    return n > 1\n",
    "all": "def solve(n):\n    return n > 1 and all(n % d for d in range(2, n // 2 + 1))\n",
    "any": "def solve(n):\n    return any(n % d == 0 for d in range(2, n))\n",
}  # fmt: skip


class TestContract(RuleContract):
    rule = PrimalityTest
    slow = SLOW


def test_a_loop() -> None:
    (after,) = rewritten(PrimalityTest(), SLOW)
    assert after.startswith(dedented(AFTER) + "def has_divisor(n):\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return False\n    return True", "return d\n    return 0", id="which"),
        pytest.param("isqrt(n) + 1", "isqrt(n)", id="too-short"),
        pytest.param("isqrt(n) + 1", "1000", id="a-fixed-end"),
        pytest.param("range(2,", "range(1,", id="one-divides-all"),
        pytest.param("range(2,", "range(3,", id="not-two"),
        pytest.param("n % d == 0", "n % d == 1", id="another-rest"),
        pytest.param("return True", "return d", id="the-last-one-tried"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(PrimalityTest(), SLOW.replace(old, new)) == []


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
@given(n=st.integers(-3, 200))
def test_same_answers(text: str, n: int) -> None:
    assert_equivalent(PrimalityTest(), text, n)


@given(n=st.integers(0, 10**7) | st.integers(2, 3000).map(lambda n: n * n))
@example(41 * 43)
@example(2047)
@example(3215031751)
def test_larger_numbers(n: int) -> None:
    assert_equivalent(PrimalityTest(), SLOW, n)


@pytest.mark.parametrize(
    ("n", "prime"),
    [
        (2**61 - 1, True),
        ((2**31 - 1) * (2**19 - 1), False),
        (3474749660383, False),
        (341550071728321, False),
        (3825123056546413051, False),
        (10**18 + 9, True),
    ],
)
def test_numbers_that_mislead_weaker_tests(n: int, prime: bool) -> None:
    (after,) = rewritten(PrimalityTest(), SLOW)
    assert answer(after, (n,))[0] is prime


def test_odd_divisors_only_where_even_numbers_are_decided_before() -> None:
    odd = "return all(n % d for d in range(3, int(n ** 0.5) + 1, 2))"
    text = f"def solve(n):\n    even = n % 2 == 0\n    print(even)\n    {odd}\n"
    assert rewritten(PrimalityTest(), text) == []
    text = f"def solve(n):\n    if n % 2 == 0:\n        return False\n    {odd}\n"
    assert len(rewritten(PrimalityTest(), text)) == 1
