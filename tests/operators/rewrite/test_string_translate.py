"""A text is mapped by a table of its distinct characters where each stands for itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.string_translate import StringTranslate
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(text):
    result = ""
    for ch in text:
        if ch.isdigit():
            continue
        if ch == " ":
            result += "_"  # a gap
        else:
            result += ch.upper()
    return result
"""
AFTER = """
def solve(text):
    result = ""
    pieces = dict.fromkeys(set(text), "")
    for ch in pieces:
        if ch.isdigit():
            continue
        if ch == " ":
            pieces[ch] += "_"  # a gap
        else:
            pieces[ch] += ch.upper()
    result += text.translate(str.maketrans(pieces))
    return result
"""
SHAPES = {
    "index": "def solve(s):\n    out = '>'\n    for i in range(len(s)):\n"
    "        if s[i] in 'ab':\n            out = out + s[i] * 2\n    return out\n",
    "function": "def turned(c, k):\n    if 'a' <= c <= 'z':\n"
    "        return chr((ord(c) - 97 + k) % 26 + 97)\n    return c\n\n\n"
    "def solve(s):\n    out = ''\n    for c in s:\n"
    "        out += turned(c, 3)\n    return out\n",
    "filter": "def solve(s):\n    return ''.join(c for c in s if c not in 'aeiou')\n",
    "filters": "def solve(s):\n"
    "    return ''.join([c.lower() for c in s if c > 'A' if c != 'b'])\n",
    "two-filters": "def solve(s):\n    return ''.join([c for c in s if c > 'A' if c != 'b'])\n",
    "table": "def solve(s):\n    t = {'a': 'b', 'x': ''}\n"
    "    return ''.join([t.get(c, c) for c in s])\n",
    "sliced": "def solve(s):\n    return ''.join(c.swapcase() for c in s[1:])\n",
    "chosen": "def solve(s):\n"
    "    return ''.join('1' if c == 'a' else '0' for c in s) or 'no'\n",
    "each-row": "def solve(s):\n"
    "    return [''.join(c.upper() for c in w) for w in s.split()]\n",
}


class TestContract(RuleContract):
    rule = StringTranslate
    slow = SLOW
    others = ("def solve(s, t):\n    return ''.join([t[c] for c in s])\n",)


def test_a_loop() -> None:
    translated, joined = rewritten(StringTranslate(), SLOW)
    assert translated == dedented(AFTER)
    assert 'result += "".join([pieces[ch] for ch in text])' in joined


def test_a_filter_takes_characters_away() -> None:
    at_once, one_by_one = rewritten(StringTranslate(), SHAPES["filter"])
    failing = "for c in set(s) if not ((c not in 'aeiou'))"
    assert f"return s.translate(dict.fromkeys([ord(c) {failing}]))" in at_once
    struck = 'lambda left, c: left.replace(c, "")'
    assert f"return reduce({struck}, [c {failing}], s)" in one_by_one


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if c != out[-1]:\n            out += c\n", id="asks-the-text"),
        pytest.param("if c == 'a':\n            out += last\n        last = c\n", id="carried"),
        pytest.param("if c == 'a':\n            return out\n        out += c\n", id="ends"),
        pytest.param("if c == 'a':\n            out += next(other)\n", id="another-stream"),
        pytest.param("if c == 'a':\n            out = c + out\n", id="in-front"),
        pytest.param("if c == 'a':\n            out += c\n        n += 1\n", id="a-count"),
    ],
)
def test_must_not_fire(body: str) -> None:
    loop = f"    out = ''\n    for c in s:\n        {body}"
    text = f"def f(s, other, last, n):\n{loop}    return out\n"
    assert rewritten(StringTranslate(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("t = ''.join(str(x) for x in xs)\n", id="numbers"),
        pytest.param("t = ''.join(c for c in s)\n", id="nothing-to-map"),
        pytest.param("t = ', '.join(c.upper() for c in s)\n", id="separated"),
        pytest.param("t = ''.join(a.upper() for a in s for b in s)\n", id="two-loops"),
        pytest.param("t = ''.join(c.upper() for c in open(s))\n", id="a-stream"),
        pytest.param("t = ''.join(d[k] for k in d.keys())\n", id="keys"),
        pytest.param("t = ''.join(k for k in sorted(d) if k != 'a')\n", id="a-list-cut"),
        pytest.param("n = 0\nfor c in s:\n    n += ord(c)\n", id="a-sum"),
    ],
)
def test_must_not_fire_either(text: str) -> None:
    assert rewritten(StringTranslate(), text) == []


def test_a_list_is_joined_by_a_table_and_not_translated() -> None:
    (new,) = rewritten(StringTranslate(), "t = ''.join(d[k].upper() for k in sorted(d))\n")
    assert "translate" not in new
    assert "join([pieces[k] for k in sorted(d)])" in new


@pytest.mark.parametrize("text", [SLOW, *SHAPES.values()], ids=["first", *SHAPES])
@given(s=st.text("aAbxz1 é", max_size=12))
def test_same_answers(text: str, s: str) -> None:
    assert_equivalent(StringTranslate(), text, s)
