"""Strings that grow in a loop are collected and joined, where the loop only adds to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.string_building import StringBuilding
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(words):
    out = "<"
    for word in words:
        if word:
            out += word  # kept
        else:
            out = out + "-" + word
    return out
"""
AFTER = """
def solve(words):
    out = "<"
    out_parts = [out]
    for word in words:
        if word:
            out_parts.append(word)  # kept
        else:
            out_parts.append("-" + word)
    out = "".join(out_parts)
    return out
"""
FRONT = """
def solve(words):
    out = ""
    for word in words:
        out = word + "," + out
    return out
"""
NESTED = """
def solve(words):
    out = ""
    for word in words:
        line = ""
        for c in word:
            line += c
            out += c
        out += line
    return out
"""


class TestContract(RuleContract):
    rule = StringBuilding
    slow = SLOW


def test_at_the_end() -> None:
    assert rewritten(StringBuilding(), SLOW) == [dedented(AFTER)]


def test_in_front() -> None:
    (text,) = rewritten(StringBuilding(), FRONT)
    assert 'out_parts.append(word + ",")' in text
    assert 'out = "".join(reversed(out_parts))' in text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('s = ""\ns += "a"\n', id="no-loop"),
        pytest.param("s = 0\nfor x in y:\n    s += x\n", id="a-number"),
        pytest.param(
            's = ""\nfor x in y:\n    s += x\n    if s in y:\n        z = 1\n', id="read"
        ),
        pytest.param('s = ""\nfor x in y:\n    s += x\n    s = x + s\n', id="both-ends"),
        pytest.param('s = ""\nfor x in y:\n    s += s\n', id="itself"),
        pytest.param(
            'def g(y):\n    s = ""\n    def f():\n        print(s)\n'
            "    for x in y:\n        s += x\n        f()\n",
            id="read-by-a-function",
        ),
        pytest.param(
            'def g(y):\n    global s\n    s = ""\n    for x in y:\n        s += x\n',
            id="of-the-module",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(StringBuilding(), text) == []


@pytest.mark.parametrize("text", [SLOW, FRONT, NESTED], ids=["end", "front", "nested"])
@given(words=st.lists(st.text("abc", max_size=3), max_size=6))
def test_same_answers(text: str, words: list[str]) -> None:
    assert_equivalent(StringBuilding(), text, words)


FORMATTED = """
def solve(rows):
    page = ""
    for number, row in enumerate(rows):
        page = f"{page}{number}: {row!r}\\n"
        if row:
            page = f"<{row}>{page}"
    return page
"""


def test_a_formatted_text_that_begins_with_the_string_adds_the_rest() -> None:
    text = FORMATTED.replace('            page = f"<{row}>{page}"', "            pass")
    (new,) = rewritten(StringBuilding(), text)
    assert 'page_parts.append(f"{number}: {row!r}\\n")\n' in new
    assert_equivalent(StringBuilding(), text, ["a", "", "b"])
    assert rewritten(StringBuilding(), FORMATTED) == []
    assert rewritten(StringBuilding(), text.replace("{page}{", "{page:>9}{")) == []


INSERTED = """
def solve(rows):
    page = "<"
    for row in rows:
        page = "%s%d: %s\\n" % (page, row, row + 1)
        page = "%s%s" % (page, row)
    return page
"""


def test_a_text_that_the_string_is_inserted_into_first_adds_the_rest() -> None:
    (new,) = rewritten(StringBuilding(), INSERTED)
    assert 'page_parts.append("%d: %s\\n" % (row, row + 1))' in new
    assert 'page_parts.append("%s" % (row,))' in new
    assert_equivalent(StringBuilding(), INSERTED, [1, -2])
    assert rewritten(StringBuilding(), INSERTED.replace("(page, row)", "(row, page)")) == []


SEVERAL = """
def solve(words):
    out = "<"
    for word in words:
        out += word
    if words:
        out = out + "|"
    for word in words:
        out += word[::-1]  # kept
    out += ">"
    return out, len(out)
"""
JOINED = """
def solve(words):
    out_parts = ["<"]
    for word in words:
        out_parts.append(word)
    if words:
        out_parts.append("|")
    for word in words:
        out_parts.append(word[::-1])  # kept
    out_parts.append(">")
    out = "".join(out_parts)
    return out, len(out)
"""


def test_several_lines_that_add_share_one_list() -> None:
    assert rewritten(StringBuilding(), SEVERAL) == [dedented(JOINED)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    if words:", "    print(out)\n    if words:", id="asked-for-between"),
        pytest.param('    out += ">"', '    out = ">"', id="set-anew"),
        pytest.param('out += ">"', 'out = ">" + out', id="at-the-other-end"),
        pytest.param('    out = "<"', "    out = str(words)", id="no-literal"),
        pytest.param('    out += ">"', '    return out\n    out += ">"', id="returned-before"),
    ],
)
def test_else_each_loop_has_its_own(old: str, new: str) -> None:
    assert old in SEVERAL
    found = rewritten(StringBuilding(), SEVERAL.replace(old, new))
    assert found
    assert all("out_parts = [out]\n" in each for each in found)


@given(st.lists(st.text(max_size=3), max_size=6))
def test_same_answers_with_one_list(words: list[str]) -> None:
    assert_equivalent(StringBuilding(), SEVERAL, words)
