"""A recursion whose results are remembered hands out no list twice, and changes none."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.sandbox.child.caller import repeatedly
from operators.rewrite.iteration_by_table import IterationByTable
from operators.rewrite.memoize_recursion import MemoizeRecursion
from operators.rewrite.rule import Rule
from tests.operators.rewrite.cases import answer, rewritten

HEAD = "def solve(n):\n    if n < 2:\n        return [n]\n"
NESTED = "def solve(n):\n    if n < 2:\n        return [[n]]\n"
INNER = """
def solve(n):
    def go(k):
        if k < 2:
            return [k]
        return go(k - 1) + go(k - 2)
    return {}
"""

READER = "    return [*solve(n - 1), *solve(n - 2)]\n"

LENT = [
    pytest.param(HEAD + "    return [n, solve(n - 1), solve(n - 2)]\n", id="parts-of-a-list"),
    pytest.param(HEAD + "    return n, solve(n - 1), solve(n - 2)\n", id="parts-of-a-tuple"),
    pytest.param(
        HEAD + "    one = solve(n - 1)\n    two = solve(n - 2)\n    one.append(n)\n"
        "    return one + two\n",
        id="changed-by-a-method",
    ),
    pytest.param(
        HEAD + "    one = solve(n - 1)\n    one += solve(n - 2)\n    return one\n", id="grown"
    ),
    pytest.param(
        HEAD + "    one = solve(n - 1)\n    one[0] = len(solve(n - 2))\n    return one\n",
        id="written",
    ),
    pytest.param(
        HEAD + "    return max(solve(n - 1), solve(n - 2))\n", id="one-of-two-by-a-function"
    ),
    pytest.param(NESTED + "    return solve(n - 1) + solve(n - 2)\n", id="rows-of-a-sum"),
    pytest.param(
        NESTED + "    found = []\n    for k in (1, 2):\n        for row in solve(n - k):\n"
        "            row.append(n)\n            found.append(row)\n    return found\n",
        id="rows-changed",
    ),
    pytest.param(
        NESTED + "    return [row for k in (1, 2) for row in solve(n - k)]\n", id="rows-lent"
    ),
    *[
        pytest.param(
            f"{HEAD}    one = solve(n - 1)\n    two = solve(n - 2)\n    {line}\n"
            "    return one + two\n",
            id=name,
        )
        for name, line in [
            ("swapped", "one[0], two[0] = two[0], one[0]"),
            ("loop-target", "for one[0] in (n, n + 1): pass"),
            ("deleted", "del one[0], two[0]"),
            ("noted", "one[0]: int = n"),
        ]
    ],
    *[
        pytest.param(
            f"def rows(n):\n    return [n]\n\n\ndef solve(n):\n    if n < 2:\n        {base}\n"
            "    return n, solve(n - 1), solve(n - 2)\n",
            id=name,
        )
        for name, base in [
            ("unpacked", "a, b = [], []\n        return a"),
            ("unpacked-rows", "a, b = [[], []]\n        return b"),
            ("unpacked-call", "a, *b = str(n).split()\n        return b"),
            ("added-rows", "a = ()\n        a += ([n],)\n        return a"),
            ("generator-in-a-call", "return iter(k for k in range(n))"),
            ("rsplit", "return str(n).rsplit()"),
            ("splitlines", "return str(n).splitlines()"),
            ("array", "import numpy as np\n        return np.abs(np.zeros(n))"),
            ("helper", "return rows(n)"),
            ("rows-of-a-helper", "return tuple([rows(n)])"),
        ]
    ],
]
ITERATORS = [
    pytest.param(f"def solve(n):\n    if n < 2:\n        return {base}\n{READER}", id=name)
    for name, base in [
        ("generator", "(n for _ in range(n))"),
        ("map", "map(str, range(n))"),
        ("map-by-two-names", "(a := (b := map(str, range(n))))"),
        ("one-of-two", "[] if n else iter([n])"),
    ]
]
READ = [
    pytest.param(HEAD + "    return solve(n - 1) + solve(n - 2)\n", id="sums"),
    pytest.param(
        HEAD + "    return [a + b for a in solve(n - 1) for b in solve(n - 2)]\n", id="loops"
    ),
    pytest.param(
        HEAD + "    left = solve(n - 1)\n    right = solve(n - 2)\n    found = []\n"
        "    for a in left:\n        found.append(a + right[0])\n    return found\n",
        id="names",
    ),
    pytest.param(
        HEAD + "    found = []\n    for k in (1, 2):\n        found.extend(solve(n - k))\n"
        "    return found\n",
        id="extended",
    ),
    pytest.param(
        NESTED + "    return [[*row, n] for k in (1, 2) for row in solve(n - k)]\n",
        id="rows-unpacked",
    ),
    pytest.param(
        NESTED + "    return [row + [n] for k in (1, 2) for row in solve(n - k)]\n",
        id="rows-added",
    ),
    pytest.param(INNER.format("go(n)"), id="asked-once-from-outside"),
    pytest.param(
        "def solve(n):\n    if n < 2:\n        return n\n"
        "    return max([solve(n - 1), solve(n - 2)])\n",
        id="numbers-in-a-list",
    ),
    pytest.param(
        "def solve(n):\n    if n < 2:\n        return ()\n"
        "    return n, solve(n - 1), solve(n - 2)\n",
        id="tuples",
    ),
    *[
        pytest.param(
            "from math import gcd\n\n\ndef cost(n):\n    return abs(n - 3)\n\n\n"
            f"def solve(n):\n    if n < 2:\n        return {base}\n    {then}\n",
            id=name,
        )
        for name, base, then in [
            ("helper-of-numbers", "0", "return cost(n) + max(solve(n - 1), solve(n - 2))"),
            ("gcd", "n", "return min(gcd(n, 6), solve(n - 1), 2 * solve(n - 2))"),
            ("generator-in-max", "n", "return max(solve(n - k) + k for k in (1, 2))"),
            ("list-in-max", "n", "a = [solve(n - k) for k in (1, 2)]\n    return max(a)"),
            (
                "unpacked-numbers",
                "0, 1",
                "a, b = solve(n - 1)\n    c, d = solve(n - 2)\n    return max(a, d), b + c",
            ),
            (
                "added-to-itself",
                "n",
                "a = solve(n - 1)\n    a = a + solve(n - 2)\n    return a",
            ),
            (
                "two-names-of-each-other",
                "n",
                "a = b = solve(n - 1)\n    a = b + solve(n - 2)\n    b = a or b\n    return b",
            ),
            ("texts", "str(n)", "return max(solve(n - 1), solve(n - 2) + 'x', key=len)"),
            (
                "item-of-a-list",
                "n",
                "a = [0] * 3\n    a[1] = solve(n - 1) + solve(n - 2)\n    return a[1]",
            ),
            (
                "read-in-an-addition",
                "[n]",
                "a = 0\n    a += solve(n - 1)[0]\n    return [a, solve(n - 2)[0]]",
            ),
            (
                "read-in-an-index",
                "[0]",
                "b = solve(n - 1)\n    a = solve(n - 2) + [n]\n    a[b[0]] = 0\n    return a",
            ),
        ]
    ],
]


def shared(text: str, n: int) -> Any:
    return repeatedly(lambda k: answer(text, (k,))[0], (n,), (n,), (n,))[3]


@pytest.mark.parametrize("rule", [MemoizeRecursion(), IterationByTable()], ids=lambda r: r.name)
@pytest.mark.parametrize("text", [*LENT, *ITERATORS])
def test_what_is_lent_is_not_remembered(rule: Rule, text: str) -> None:
    assert rewritten(rule, text) == []


def test_a_decorated_function_is_asked_from_outside_too() -> None:
    text = INNER.format("[go(n), go(n)]")
    assert rewritten(MemoizeRecursion(), text) == []
    (new,) = rewritten(IterationByTable(), text)  # a table for each call
    assert shared(new, 4) == shared(text, 4)


@pytest.mark.parametrize("text", READ)
def test_what_is_read_is(text: str) -> None:
    (new,) = rewritten(MemoizeRecursion(), text)
    for n in range(6):
        assert answer(new, (n,)) == answer(text, (n,))
        assert shared(new, n) == shared(text, n)
