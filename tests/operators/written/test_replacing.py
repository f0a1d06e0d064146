"""Replacements are made at the one place they name, or refused with the nearest lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.written.replacing import Replacement, replaced
from se_agent.errors import ReplyError

TEXT = """\
def f(xs):
    total = 0
    for x in xs:
        total += x
    return total


def g(xs):
    total = 0
    return total
"""


def change(old: str, new: str, line: int = 0) -> Replacement:
    return Replacement(tuple(old.split("\n")), tuple(new.split("\n")), line)


LOOP = "    for x in xs:\n        total += x"


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        pytest.param(LOOP, "    total = sum(xs)", "    total = sum(xs)", id="exact"),
        pytest.param(
            "    for x in xs:  \n        total += x\t", "    z = 1", "    z = 1", id="line-ends"
        ),
        pytest.param(f"\n{LOOP}\n\n", "\n    z = 1\n", "    z = 1", id="empty-edges"),
        pytest.param(
            "for x in xs:\n    total += x",
            "for x in xs:\n\n    total -= x",
            "    for x in xs:\n\n        total -= x",
            id="less-indented",
        ),
        pytest.param(
            "      for x in xs:\n          total += x",
            "      total = 1",
            "    total = 1",
            id="more-indented",
        ),
        pytest.param(
            "for x in xs:\r\n    total += x\r", "total = 2\r", "    total = 2", id="crlf"
        ),
    ],
)
def test_the_place_is_found(old: str, new: str, made: str) -> None:
    assert replaced(TEXT, [change(old, new)]) == TEXT.replace(LOOP, made)


def test_lines_may_go_and_all_refers_to_the_text_as_it_was() -> None:
    twice = [
        change("    for x in xs:", "    return sum(xs)"),
        Replacement(("        total += x", "    return total"), ()),
    ]
    first = "def f(xs):\n    total = 0\n    return sum(xs)\n\n\ndef g(xs):\n"
    assert replaced(TEXT, twice).startswith(first)
    assert replaced(TEXT, reversed(twice)).startswith(first)


def test_what_grows_above_moves_nothing_below() -> None:
    made = replaced("a\nb\nc\n", [change("a", "1\n2\n3"), change("c", "4")])
    assert made == "1\n2\n3\nb\n4\n"


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("    total = 0", r"block 1: its lines stand in the program 2 times \(lines 2, 9\)"),
        ("    total  =  0", "block 1: its lines do not stand in the program"),
        (
            "total += x\nreturn total",
            r"Nearest are these, from line 4:\n\|         total \+= x",
        ),
        ("    for y in xs:", r"Nearest are these, from line 3:\n\|     for x in xs:"),
        ("import os", "Nothing in the program is like them"),
        ("\n  \n", "block 1 names no lines"),
        ("", "block 1 names no lines"),
    ],
)
def test_a_place_that_is_not_one_is_refused(old: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        replaced(TEXT, [change(old, "x = 1")])


def test_the_number_of_a_line_decides_among_equal_places() -> None:
    made = replaced(TEXT, [change("    total = 0", "    total = 1", line=9)])
    assert made == TEXT[:-40].replace("total = 0", "total = 0") + made[len(TEXT) - 40 :]
    assert made.count("total = 1") == 1
    assert made.index("total = 1") > made.index("def g")
    with pytest.raises(ReplyError, match="stand in the program 2 times"):
        replaced(TEXT, [change("    total = 0", "    total = 1", line=3)])


def test_blocks_that_overlap_are_refused() -> None:
    with pytest.raises(ReplyError, match="blocks 2 and 1 change the same lines"):
        replaced(TEXT, [change("        total += x", "pass"), change(LOOP, "pass")])


lines = st.lists(st.sampled_from(["a", "b", "  b", "    c", "", " "]), min_size=1, max_size=8)


@given(lines, lines, st.data())
def test_whatever_is_replaced_stood_there_once(
    text: list[str], new: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    wanted = Replacement(tuple(text[start:end]), tuple(new))
    try:
        made = replaced("\n".join(text), [wanted])
    except ReplyError:
        places = [n for n in range(len(text)) if tuple(text[n : n + end - start]) == wanted.old]
        assert len(places) > 1 or not any(line.strip() for line in wanted.old)
    else:
        assert made == "\n".join([*text[:start], *new, *text[end:]])


def test_an_error_never_holds_a_line_of_a_million_letters() -> None:
    text = f"{TEXT}TABLE = '{'x' * 10**6}'\n"
    wanted = change(f"    return total\nTABLE = '{'x' * 10**6}", "y = 1")
    with pytest.raises(ReplyError, match=r"characters more\]") as caught:
        replaced(text, [wanted])
    assert len(str(caught.value)) < 2000
