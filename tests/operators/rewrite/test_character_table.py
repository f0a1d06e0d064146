"""Characters are asked once each; what depends on more than the character stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.character_table import CharacterTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(text):
    n = 0
    for ch in text:
        if ch.isupper() and ord(ch) % 2:
            n += 1
    return n
"""
AFTER = """
def solve(text):
    n = 0
    n += len(text.translate(kept))
    return n
class Kept(dict):
    def __missing__(self, code):
        ch = chr(code)
        self[code] = code if ch.isupper() and ord(ch) % 2 else None
        return self[code]
kept = Kept()
"""
SHAPES = {
    "index": "def solve(s):\n    n = 0\n    for i in range(len(s)):\n"
    "        if s[i].lower() not in ['a', 'b']:\n            n = n + 1\n    return n\n",
    "length": "def solve(s):\n    return len([c for c in s if c.isdigit()])\n",
    "ones": "def solve(s):\n    return sum(1 for c in s if c in 'abc')\n",
    "truths": "def solve(s):\n    return sum(c.isupper() and c > 'B' for c in s)\n",
    "chosen": "def solve(s):\n    return sum(ord(c) if c.isupper() else 0 for c in s)\n",
    "chosen-one": "def solve(s):\n    return sum([1 if c == 'a' else 0 for c in s])\n",
    "terms": "def solve(s):\n    return sum(ord(c) % 7 for c in s if c.islower() if c > 'b')\n",
    "list": "def solve(s):\n    return [c for c in s if c.isalpha()]\n",
    "results": "def solve(s):\n    return [c * 2 for c in s if not c.isalpha()]\n",
    "joined": "def solve(s):\n    return ''.join(c for c in s if c.isalnum())\n",
    "indices": "def solve(s):\n    return [ord(s[i]) for i in range(len(s)) if s[i] != 'a']\n",
    "all": "def solve(s):\n    return all(c in 'abc' for c in s)\n",
    "any": "def solve(s):\n    return any([s[i].isdigit() for i in range(len(s))])\n",
    "named": "def solve(s):\n    vowels = ['a', 'e']\n    out = []\n    for c in s:\n"
    "        if c.lower() in vowels:\n            # one\n            out.append(c)\n"
    "            out.append('-')\n    return out\n",
    "each-word": "def solve(s):\n    return [len([c for c in w if c.isalpha()])"
    " for w in s.split()]\n",
    "digits": "def solve(s):\n    return [int(c) for c in str(len(s))]\n",
    "digit-sum": "def solve(s):\n    return sum(int(c) ** 2 for c in str(len(s) ** 9))\n",
    "mapped-digits": "def solve(s):\n    return sum(map(int, str(len(s) ** 9)))\n",
    "codes": "def solve(s):\n    return [ord(c) % 26 for c in s], sum([ord(c) for c in s])\n",
    "inner": "def solve(s):\n    def digits(w):\n        return sum(c.isdigit() for c in w)\n"
    "    return digits(s)\n",
}


class TestContract(RuleContract):
    rule = CharacterTable
    slow = SLOW


def test_a_loop() -> None:
    assert rewritten(CharacterTable(), SLOW) == [dedented(AFTER)]


def test_answers_keep_the_early_end() -> None:
    (after,) = rewritten(CharacterTable(), SHAPES["all"])
    assert "return all(map(answers.__getitem__, s))" in after


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("n = len([c for c in s if c > k])", id="another-variable"),
        pytest.param("n = len([c for c in xs if c > 3])", id="no-characters"),
        pytest.param("n = len([c for c in s if t[c] == 'a'])", id="a-lookup-that-may-fail"),
        pytest.param("n = [int(c) for c in s]", id="words-perhaps"),
        pytest.param("n = (ord(c) for c in s)", id="a-generator"),
        pytest.param("n = sum(c == 'a' for c in 'banana')", id="a-literal"),
        pytest.param("n = sum(print(c) == 'a' for c in s)", id="a-trace"),
        pytest.param("n = sum(f(c, 'a') for c in s if c.isdigit() if f(c, 'b'))", id="own"),
        pytest.param("k = 'a'\n    k += 'b'\n    n = [c for c in s if c in k]", id="grows"),
        pytest.param("m = ['a']\n    m.append(k)\n    n = [c for c in s if c in m]", id="list"),
    ],
)
def test_must_not_fire(line: str) -> None:
    text = f"def solve(s, k, xs, t):\n    {line}\n    return n\n\ndef f(c, d):\n    return c\n"
    assert rewritten(CharacterTable(), text) == []


def test_must_not_fire_where_the_others_matter() -> None:
    assert rewritten(CharacterTable(), SLOW.replace("return n", "return n, ch")) == []
    other = SLOW.replace("    return", "        else:\n            n = 0\n    return")
    assert rewritten(CharacterTable(), other) == []


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["loop", *SHAPES])
@given(s=st.text(st.characters() | st.sampled_from("abcABC12 ")))
def test_same_answers(text: str, s: str) -> None:
    assert_equivalent(CharacterTable(), text, s)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("return next(c for c in s if c.isdigit())", id="next"),
        pytest.param("g = (c for c in s if c.isdigit())\n    return next(g)", id="a-generator"),
        pytest.param("return [[ord(c), 0] for c in s]", id="a-list-each"),
        pytest.param("return [set(c.lower()) for c in s]", id="a-set-each"),
    ],
)
def test_what_is_more_than_an_answer_stays(body: str) -> None:
    assert rewritten(CharacterTable(), f"def solve(s, xs):\n    {body}\n") == []


def test_a_trace_of_the_elements_is_left() -> None:
    text = "def solve(s, xs):\n    return len([xs.append(c) for c in s if c.isdigit()])\n"
    assert_equivalent(CharacterTable(), text, "a1b2", [])


def test_names_of_builtins_may_be_variables() -> None:
    text = "def solve(s, max):\n    return sum(1 for c in s if ord(c) > max)\n"
    assert rewritten(CharacterTable(), text) == []


def test_a_loop_that_leaves_in_one_line_is_left_alone() -> None:
    text = "def f(text):\n    for c in text:\n        if c == 'x': return 1\n    return 0\n"
    assert rewritten(CharacterTable(), text) == []
