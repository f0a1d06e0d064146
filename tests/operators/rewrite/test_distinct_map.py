"""Equal elements share their work; what depends on more than the element stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.distinct_map import DistinctMap
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(text):
    vowels = other = 0
    for ch in text:
        if ch in "aeiou":
            vowels += 1  # one more
        elif ch.isalpha():
            other += ord(ch) % 7
    return vowels, other
"""
AFTER = """
def solve(text):
    vowels = other = 0
    for ch, number in [(each, text.count(each)) for each in set(text)]:
        if ch in "aeiou":
            vowels += number  # one more
        elif ch.isalpha():
            other += (ord(ch) % 7) * number
    return vowels, other
"""
SHAPES = {
    "index": "def solve(s):\n    n = 0\n    for i in range(len(s)):\n"
    "        if s[i].lower() in 'ab':\n            n = n + 2\n    return n\n",
    "length": "def solve(s):\n    size, total = 0, 0\n    size = len(s)\n"
    "    for c in s:\n        total += ord(c)\n    return total, size\n",
    "local": "def solve(s):\n    n = 0\n    for c in s:\n        k = ord(c) - 90\n"
    "        if k < 0:\n            continue\n        n += k\n    return n\n",
    "sum": "def solve(s):\n    return sum(ord(c) for c in s if c.isupper())\n",
    "sum-index": "def solve(s):\n    return sum(1 for i in range(len(s)) if s[i] == 'a')\n",
    "len": "def solve(s):\n    return len([c for c in s if c not in 'xyz'])\n",
    "all": "def solve(s):\n    return all(c in 'abc' for c in s)\n",
    "any": "def solve(s):\n    return any([c.isdigit() for c in s])\n",
    "function": "def cost(c, k):\n    out = []\n    for i in range(k):\n"
    "        out.append(i * len(c))\n    return sum(out)\n\n\n"
    "def solve(s):\n    return [cost(c, 3) for c in s]\n",
    "function-loop": "def cost(c):\n    return ord(c) if c > 'A' else 0\n\n\n"
    "def solve(s):\n    n = 1\n    for c in s:\n        n += cost(c)\n    return n\n",
}


class TestContract(RuleContract):
    rule = DistinctMap
    slow = SLOW
    others = ("def solve(s):\n    return all(c in 'abc' for c in s)\n",)


def test_a_loop() -> None:
    assert rewritten(DistinctMap(), SLOW) == [dedented(AFTER)]


def test_what_may_be_no_text_is_counted_in_a_table() -> None:
    (text,) = rewritten(DistinctMap(), SHAPES["function-loop"])
    assert "for c, number in Counter(s).items():" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if ch == 'a':\n            n += n\n", id="the-total-itself"),
        pytest.param("if ch == 'a' and n < 3:\n            n += 1\n", id="asks-the-total"),
        pytest.param("if ch == 'a':\n            n += 1\n            break\n", id="ends"),
        pytest.param("if ch == 'a':\n            n += old\n        old = 1\n", id="carried"),
        pytest.param("if ch == 'a':\n            n = 1\n", id="no-sum"),
        pytest.param("if ch == 'a':\n            n += next(other)\n", id="another-stream"),
        pytest.param("if ch == 'a':\n            n += 1\n            t.add(ch)\n", id="trace"),
        pytest.param("n += ch\n", id="numbers"),
        pytest.param("n += ch.upper()\n", id="a-text"),
        pytest.param("n += 'one %s' % ch\n", id="a-text-that-is-filled-in"),
        pytest.param("if ch == 'a':\n            n += [ch]\n", id="a-list"),
        pytest.param(
            "if ch == 'a':\n            n += 1\n        o.append(n)\n", id="each-step"
        ),
    ],
)
def test_must_not_fire(body: str) -> None:
    loop = f"    n = 0\n    for ch in text:\n        {body}"
    text = f"def f(text, other, t, o):\n{loop}    return n\n"
    assert rewritten(DistinctMap(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("n = sum(x * x for x in xs)\n", id="numbers"),
        pytest.param("n = sum(f(c) for c in s if c == 'a')\n", id="unknown-function"),
        pytest.param("n = sum(i for i, c in enumerate(s) if c == 'a')\n", id="positions"),
        pytest.param(
            "n = 0\nfor c in s:\n    if c == 'a':\n        n += 1\nprint(c)\n", id="last-one"
        ),
        pytest.param("n = ''\nfor c in s:\n    if c != 'a':\n        n += k\n", id="text"),
        pytest.param("n = any(c in s for c in 'xyz')\n", id="a-few-letters"),
        pytest.param("n = [c.upper() for c in s]\n", id="cheap"),
        pytest.param(
            "def row(k):\n    return [0] * k\n\n\ndef f(s):\n"
            "    rows = [row(k) for k in s]\n    rows[0][0] = 1\n    return rows\n",
            id="an-object-each",
        ),
        pytest.param(
            "def row(k):\n    out = []\n    out.append(k)\n    return out\n\n\n"
            "def f(s):\n    return [row(k) for k in s]\n",
            id="an-object-each-by-name",
        ),
        pytest.param(
            "def part(k):\n    return 9 // k\n\n\n"
            "def f(s, deep):\n    return [part(k) for k in s] if deep else []\n",
            id="perhaps-never",
        ),
        pytest.param(
            "def part(k):\n    return 9 // k\n\n\n"
            "def f(s):\n    while max([part(k) for k in s]) < 9:\n        s.append(1)\n",
            id="again-and-again",
        ),
    ],
)
def test_must_not_fire_either(text: str) -> None:
    assert rewritten(DistinctMap(), text) == []


@pytest.mark.parametrize("xs", [["5", "x"], ["1", "5", "x", "y", "z"]])
def test_a_function_is_asked_no_more_than_before(xs: list[str]) -> None:
    text = "def big(x):\n    return int(x) > 3\n\n\n"
    text += "def solve(xs):\n    return any(big(x) for x in xs)\n"
    assert_equivalent(DistinctMap(), text, xs)


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(s=st.text("aAbxz1 é", max_size=12))
def test_same_answers(text: str, s: str) -> None:
    assert_equivalent(DistinctMap(), text, s)
