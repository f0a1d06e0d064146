"""Substitutions of single characters become chains of `replace`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.class_replace import ClassReplace
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = r"""
import re

_JOINTS = re.compile(r"[ _/]+")

def solve(name: str) -> str:
    # one joint for many
    value = _JOINTS.sub("_", name).strip("_")
    return value
"""
AFTER = r"""
import re

_JOINTS = re.compile(r"[ _/]+")

def solve(name: str) -> str:
    # one joint for many
    value = name.replace(" ", "_").replace("/", "_")
    while "__" in value:
        value = value.replace("__", "_")
    value = value.strip("_")
    return value
"""
OTHERS = r"""
import re

RUNS = re.compile(r"[ab]+")
ONE = re.compile("[" + r"\\'\"]")
SPACES = re.compile(" ")

def solve(text):
    text = RUNS.sub("::", text + "b")
    return SPACES.sub("", text), [ONE.sub("?", word) for word in text.split(" ")]
"""


class TestContract(RuleContract):
    rule = ClassReplace
    slow = SLOW
    others = (OTHERS,)


def test_runs_become_one_character() -> None:
    assert rewritten(ClassReplace(), SLOW) == [dedented(AFTER)]


def test_runs_of_others_and_single_ones() -> None:
    runs, spaces, one = rewritten(ClassReplace(), OTHERS)
    assert '    replaced = (text + "b").replace("b", "a")\n    while "aa" in replaced:' in runs
    assert '    text = replaced.replace("a", "::")\n' in runs
    assert 'return text.replace(" ", ""), [' in spaces
    assert 'word.replace("\\\\", "?").replace("\'", "?").replace(\'"\', "?")' in one


def solved(pattern: str, new: str = '"-"', flags: str = "") -> str:
    head = f"import re\nP = re.compile({pattern}{flags})\n"
    return f"{head}\ndef f(text):\n    text = P.sub({new}, text)\n    return text\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(solved('"[a-z]"'), id="a-range"),
        pytest.param(solved('"[^ab]"'), id="all-others"),
        pytest.param(solved(r'r"\s+"'), id="a-category"),
        pytest.param(solved('"[ab]*"'), id="also-nothing"),
        pytest.param(solved('"[ab]{2,}"'), id="two-or-more"),
        pytest.param(solved('"ab"'), id="a-word"),
        pytest.param(solved('"[abcdefg]"'), id="many"),
        pytest.param(solved('"a"', flags=", re.I"), id="in-any-case"),
        pytest.param(solved('"[ab]"', new='"ab"'), id="put-among-them"),
        pytest.param(solved('"a"', new=r'r"\g<0>"'), id="a-template"),
        pytest.param(solved('"a"', new="f"), id="by-a-function"),
        pytest.param(solved('"a"', new='"b", 1'), id="not-all"),
        pytest.param(solved('"[ab]"') + "def g():\n    global P\n    P = 0\n", id="set-again"),
        pytest.param(solved('b"a"', new='b"b"'), id="bytes"),
        pytest.param(
            solved('"[ab]+"')
            .replace("return text", "return text and P.sub('a', text)")
            .replace('P.sub("-", text)', "text"),
            id="runs-under-a-test",
        ),
    ],
)
def test_must_not_fire(text: str) -> None:
    assert rewritten(ClassReplace(), text) == []


@given(st.text(" _/ab\\'\"-", max_size=12))
def test_same_answers(text: str) -> None:
    assert_equivalent(ClassReplace(), SLOW, text)
    assert_equivalent(ClassReplace(), OTHERS, text)
