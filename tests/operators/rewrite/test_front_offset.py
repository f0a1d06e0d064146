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
        pytest.param("def f(b):\n    for _ in b:\n        b = b[1:]\n", id="walked-over"),
        pytest.param(
            "def f(n):\n    b = [*n]\n    n.append(b)\n    while b:\n        del b[:2]\n",
            id="shorter-for-others",
        ),
        pytest.param(
            "def f(b):\n    while b:\n        del b[:2]\n        b = b[1:]\n", id="both"
        ),
        pytest.param("def f(b):\n    while b:\n        del b[2:]\n", id="from-the-end"),
        pytest.param("def f(b):\n    while b:\n        del b[:-2]\n", id="all-but-two"),
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


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "def f(items):\n    buf = items\n    while buf:\n        items.append(1)\n"
            "        buf = buf[1:]\n",
            id="a-list-under-another-name",
        ),
        pytest.param(
            "def f(buf, others):\n    while buf:\n        others[0] = buf[0]\n"
            "        buf = buf[1:]\n",
            id="two-arguments-may-be-one",
        ),
        pytest.param(
            "KEPT = []\ndef g():\n    KEPT.pop()\ndef f(buf):\n    while buf:\n        g()\n"
            "        buf = buf[1:]\n",
            id="a-function-may-change-it",
        ),
        pytest.param(
            "def f(buf):\n    while buf:\n        yield buf[0]\n        buf = buf[1:]\n",
            id="others-may-while-it-waits",
        ),
    ],
)
def test_a_list_that_others_may_change_is_left_alone(text: str) -> None:
    assert rewritten(FrontOffset(), text) == []


LINES = """
def solve(text):
    found = []
    while "b" in text and len(found) < 3:
        line, _, text = text.partition("b")
        found.append(line)
    while text:
        word, mark, text = text.partition("a1")
        found.append(word)
        if "x" not in text:
            continue
        head, text = text[0], text[1:]
        found.append((head, text.find("+")))
    return found, text
"""


def test_what_ends_with_a_separator_is_found_from_the_position_on() -> None:
    first, second = rewritten(FrontOffset(), LINES)
    assert '    while (end := text.find("b", start)) >= 0 and len(found) < 3:\n' in first
    assert "        line = text[start:end]\n        start = end + 1\n" in first
    assert '        end = text.find("a1", start)\n        if end < 0:\n' in second
    assert "        start = min(end + 2, len(text))\n" in second
    assert 'max(text.find("+", start) - start, -1)' in second


@given(st.text("ab1+x", max_size=12))
def test_same_answers_with_separators(text: str) -> None:
    assert_equivalent(FrontOffset(), LINES, text)


READER = """
class Reader:
    def __init__(self):
        self.buf = b""
        self.found = []

    def feed(self, data):
        self.buf += data
        while len(self.buf) >= 2:
            size = int(self.buf[:1])
            if size > len(self.buf):
                break
            self.found.append(self.buf[1:size])
            self.buf = self.buf[size + 1:]
        return len(self.buf)

def solve(parts):
    reader = Reader()
    for part in parts:
        try:
            reader.feed(part)
        except ValueError:
            reader.found.append(reader.buf)
            reader.buf = reader.buf[1:]
    return reader.found, reader.buf
"""


def test_an_attribute_is_kept_in_a_name_and_set_however_the_loop_ends() -> None:
    (text,) = rewritten(FrontOffset(), READER)
    assert "        buf = self.buf\n        start = 0\n        try:\n" in text
    assert "        finally:\n            self.buf = buf[start:]\n        return" in text
    assert "self.found.append(buf[start + 1:start + size])" in text


@given(st.lists(st.text("12x", max_size=6).map(str.encode), max_size=3))
def test_same_answers_with_an_attribute(parts: list[bytes]) -> None:
    assert_equivalent(FrontOffset(), READER, parts)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("self.found.append", "self.emit", id="a-method-may-ask-for-it"),
        pytest.param("self.found.append", "emit", id="somebody-may"),
        pytest.param("self.buf +=", "emit = lambda: self.buf\n        self.buf +=", id="later"),
        pytest.param('self.buf = b""', "self.rest = b''", id="unknown"),
        pytest.param("def feed", "def buf(self): ...\n    def feed", id="property"),
        pytest.param("size = int", "yield size\n            size = int", id="waits"),
    ],
)
def test_an_attribute_that_somebody_may_ask_for_is_left_alone(old: str, new: str) -> None:
    assert rewritten(FrontOffset(), READER.replace(old, new)) == []


IN_PLACE = """
def pairs(rows):
    kept = list(rows)
    found = []
    while kept:
        found.append(kept[:2])
        del kept[:2]
    return found


def solve(rows, sizes):
    out = []
    while len(rows) > 1:
        if rows[0] == 9:
            return out, sizes
        out.append(rows[:3])
        del rows[:3]
        if out[-1][1] == 4:
            rows.append(7)
    for size in (2, 0, 1):
        out.append(pairs(rows[size:]))
        sizes = sizes[1:]
    return out, sizes
"""


def test_a_list_that_itself_gets_shorter() -> None:
    first, second, third = rewritten(FrontOffset(), IN_PLACE)
    assert "        found.append(kept[start:start + 2])\n        start += 2\n" in first
    assert "            start = min(start + 3, len(rows))\n" in second
    assert "    finally:\n        del rows[:start]\n" in second
    assert "        start += 1\n    sizes = sizes[start:]\n" in third


@given(
    st.lists(st.sampled_from([3, 4, 9]), max_size=9), st.lists(st.integers(0, 3), max_size=3)
)
def test_same_answers_in_place(rows: list[int], sizes: list[int]) -> None:
    assert_equivalent(FrontOffset(), IN_PLACE, rows, sizes)


def test_what_is_done_with_elements_leaves_the_list_alone() -> None:
    text = """
    def solve(line):
        words = [word for word in line.split(" ") if word]
        found = {}
        while len(words) > 1:
            first = words[0]
            check(first)
            found[first] = words[1]
            words = words[2:]
        return found

    def check(word):
        assert word
    """
    (new,) = rewritten(FrontOffset(), text)
    assert "        first = words[start]\n" in new
    assert "        start += 2\n" in new
    assert_equivalent(FrontOffset(), text, "a b  c d e")
    handed_on = text.replace("check(first)", "check(words)")
    assert rewritten(FrontOffset(), handed_on) == []
