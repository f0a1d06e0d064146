"""A position moves through a text or list, where its front was sliced off step by step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.front_offset import FrontOffset
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(text):
    found = []
    while text:
        if text[0] in "+-":
            found.append(text[0])
            text = text[1:]
        elif text[0].isdigit():
            n = 1
            while n < len(text) and text[n].isdigit():
                n += 1
            found.append(text[:n])
            text = text[n:]  # the number
        elif text.startswith("ab"):
            text = text[2:]
        else:
            return found, text
    return found, text
"""
AFTER = """
def solve(text):
    found = []
    start = 0
    while start < len(text):
        if text[start] in "+-":
            found.append(text[start])
            start += 1
        elif text[start].isdigit():
            n = 1
            while n < len(text) - start and text[start + n].isdigit():
                n += 1
            found.append(text[start:start + n])
            start = min(start + n, len(text))  # the number
        elif text.startswith("ab", start):
            start = min(start + 2, len(text))
        else:
            return found, text[start:]
    text = text[start:]
    return found, text
"""
MERGE = """
def solve(text):
    left, right = sorted(text[::2]), sorted(text[1::2])
    out = []
    while left and right:
        if left[0] <= right[0]:
            x, left = left[0], left[1:]
        else:
            x, right = right[0], right[1:]
        out.append(x)
    return out + left + right
"""
RECORDS = """
def solve(text):
    out = []
    for part in (text, text[::-1]):
        while len(part) >= 3:
            out.append((part[1:3], part[-1], len(part) * 2))
            part = part[2:]
            part = part[len(part) // 3:]
        out.append(part)
    return out
"""


class TestContract(RuleContract):
    rule = FrontOffset
    slow = SLOW
    others = (MERGE, RECORDS)


def test_a_text() -> None:
    assert rewritten(FrontOffset(), SLOW) == [dedented(AFTER)]


def test_lists_one_by_one() -> None:
    first, second = rewritten(FrontOffset(), MERGE)
    assert "            x = left[start]\n            start += 1\n" in first
    assert "    while left and start < len(right):\n" in second


def test_what_is_asked_from_behind_gets_the_rest() -> None:
    (text,) = rewritten(FrontOffset(), RECORDS)
    assert "part[start + 1:start + 3], part[start:][-1], (len(part) - start) * 2" in text
    assert "        part = part[start:]\n        out.append(part)\n" in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("buf = buf[-1:]", id="from-behind"),
        pytest.param("buf = buf[1:-1]", id="both-ends"),
        pytest.param("buf = buf[::2]", id="with-a-step"),
        pytest.param("buf = other[1:]", id="of-another"),
        pytest.param("buf = buf[1:]\nbuf.append(x)", id="grows"),
        pytest.param("buf = buf[1:]\nbuf[0] = x", id="is-written"),
        pytest.param("buf = buf[1:]\nf(buf)", id="is-handed-on"),
        pytest.param("buf = buf[1:]\nkept.append(buf)", id="is-kept"),
        pytest.param("buf = buf[1:]\nbuf += x", id="is-extended"),
        pytest.param("buf = buf[1:]\ndel buf[0]", id="is-shortened"),
    ],
)
def test_must_not_fire(body: str) -> None:
    inner = "\n".join(f"        {line}" for line in body.splitlines())
    text = f"def f(buf, other, kept, x):\n    while buf:\n{inner}\n    return buf\n"
    assert rewritten(FrontOffset(), text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f(b):\n    b = b[1:]\n    return b\n", id="no-loop"),
        pytest.param("def f(b, n):\n    for _ in n:\n        b = b[1:]\n", id="a-for-loop"),
        pytest.param(
            "def f(b):\n    while b:\n        b = b[1:]\n    else:\n        b = 1\n",
            id="else",
        ),
        pytest.param(
            "def f(b):\n    def g():\n        return b\n"
            "    while b:\n        b = b[1:]\n        g()\n",
            id="read-by-a-function",
        ),
    ],
)
def test_must_not_fire_elsewhere(text: str) -> None:
    assert rewritten(FrontOffset(), text) == []


@pytest.mark.parametrize("text", [SLOW, MERGE, RECORDS], ids=["text", "merge", "records"])
@given(st.text("ab1+x", max_size=9))
def test_same_answers(text: str, given_text: str) -> None:
    assert_equivalent(FrontOffset(), text, given_text)


def test_a_step_by_what_the_same_line_sets_is_none() -> None:
    text = """
        def solve(data):
            size, found = 1, []
            while data:
                size, data = data[0], data[size:]
                found.append(size)
            return found
        """
    assert rewritten(FrontOffset(), text) == []
