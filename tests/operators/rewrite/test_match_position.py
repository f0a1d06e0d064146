"""Patterns begin at a position of a text instead of at the front of a copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.match_position import MatchPosition
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = r"""
import re

WORD = re.compile(r"[a-c]+")
NUMBER = re.compile("[0-9]" + r"{1,3}$|1+")

def solve(text):
    found, at = [], 0
    while at < len(text):
        word = WORD.match(text[at:])
        if word:
            found.append(word.group())
            at += word.end()  # behind it
            continue
        if NUMBER.match(text[at:]) is not None:
            found.append(at)
        at += 1
    return found
"""
AFTER = r"""
import re

WORD = re.compile(r"[a-c]+")
NUMBER = re.compile("[0-9]" + r"{1,3}$|1+")

def solve(text):
    found, at = [], 0
    while at < len(text):
        word = WORD.match(text, at)
        if word:
            found.append(word.group())
            at = word.end()  # behind it
            continue
        if NUMBER.match(text, at) is not None:
            found.append(at)
        at += 1
    return found
"""
TIED = r"""
import re

PAIR = re.compile(r"^(a|b{2,3})(?P<rest>[0-9]?)", re.I)

def solve(text):
    found = []
    for at in range(len(text)):
        if (pair := PAIR.search(text[at:])) and pair["rest"] != "1":
            found.append((pair.span(), pair.groups()))
    return found
"""


class TestContract(RuleContract):
    rule = MatchPosition
    slow = SLOW
    others = (TIED,)


def test_matches_and_their_ends_become_positions() -> None:
    assert rewritten(MatchPosition(), SLOW) == [dedented(AFTER)]


def test_a_tied_pattern_gets_as_much_as_it_can_match() -> None:
    (text,) = rewritten(MatchPosition(), TIED)
    assert "PAIR.search(text[at:at + 4])" in text


def solved(pattern: str, use: str = "m.group()", flags: str = "", call: str = "match") -> str:
    return (
        f"import re\nP = re.compile({pattern}{flags})\n\ndef solve(text, xs):\n    at = 0\n"
        f"    while at < len(text):\n        m = P.{call}(text[at:])\n"
        f"        if m:\n            xs.append({use})\n        at += 1\n    return xs\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(solved(r'r"\ba"'), id="asks-what-stands-before"),
        pytest.param(solved(r'r"(?<=a)b"'), id="looks-back"),
        pytest.param(solved(r'r"^a+"'), id="tied-without-an-end"),
        pytest.param(solved(r'r"^a\b"'), id="tied-and-looks-ahead"),
        pytest.param(solved(r'r"^a"', flags=", re.M"), id="tied-to-each-line"),
        pytest.param(solved('"a"', use="m.start()"), id="asked-where"),
        pytest.param(solved('"a"', use="m.string"), id="asked-for-its-text"),
        pytest.param(solved('"a"', use="m"), id="kept"),
        pytest.param(solved("text_of_it"), id="not-spelled-out"),
        pytest.param(solved('"("'), id="no-pattern"),
        pytest.param(solved('"a"', call="findall"), id="another-question"),
        pytest.param(solved('"a"').replace("at = 0", "at = -1"), id="from-behind"),
        pytest.param(solved('"a"').replace("at += 1", "at -= 1"), id="goes-back"),
        pytest.param(solved('"a"') + 'P = re.compile("b")\n', id="set-again"),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(MatchPosition(), text) == []


def test_without_what_forbids_it_the_rule_fires() -> None:
    assert len(rewritten(MatchPosition(), solved('"a"'))) == 1


def test_a_match_of_several_patterns_moves_for_all_or_none() -> None:
    text = SLOW.replace("NUMBER.match(text[at:]) is not None", "(word := other(text))")
    assert rewritten(MatchPosition(), text) == []


def test_a_position_that_is_set_in_the_other_branch_may_move() -> None:
    body = (
        "        if m is None:\n            at += 1\n        else:\n            at += m.end()\n"
    )
    head, _, rest = solved('"[ab]"').partition("        if m:\n")
    (text,) = rewritten(MatchPosition(), head + body + "    return xs\n")
    assert "        else:\n            at = m.end()\n" in text
    assert rest
    twice = body.replace("        else:\n            at", "        if m:\n            at")
    assert rewritten(MatchPosition(), head + twice + "    return xs\n") == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        pytest.param('"a*"', "at += m.end()", id="nothing-behind-the-end"),
        pytest.param('"a|(b)"', "at += m.end(1)", id="a-group-that-ends-nowhere"),
    ],
)
def test_a_position_that_a_match_does_not_keep(pattern: str, line: str) -> None:
    text = solved(pattern).replace("xs.append(m.group())", line)
    assert rewritten(MatchPosition(), text) == []
    assert rewritten(MatchPosition(), text.replace(pattern, '"a"').replace("(1)", "()"))


def test_a_position_that_moves_on_before_the_match_of_the_last_round_is_asked() -> None:
    old, new = "        m = P", "        if m:\n            at += m.end()\n        m = P"
    text = solved('"a"').replace("at = 0", "at, m = 0, None").replace(old, new)
    assert rewritten(MatchPosition(), text) == []


@given(st.text("abB12", max_size=9))
def test_same_answers(text: str) -> None:
    assert_equivalent(MatchPosition(), SLOW, text)
    assert_equivalent(MatchPosition(), TIED, text)
