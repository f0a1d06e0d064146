"""A table of constants is made once, and nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.constant_table import ConstantTable
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(text):
    out = []
    for letter in text:
        signs = {
            "a": "one",  # the first
            "b": (2, -1),
            "c": None,
        }
        if letter in signs:
            out.append(signs[letter])
        out.append(signs.get(letter, 0))
    return out
"""
AFTER = """
SIGNS = {
    "a": "one",  # the first
    "b": (2, -1),
    "c": None,
}
def solve(text):
    out = []
    for letter in text:
        if letter in SIGNS:
            out.append(SIGNS[letter])
        out.append(SIGNS.get(letter, 0))
    return out
"""
UNNAMED = """
class Shop:
    def price(self, name):
        return {"a": 1, "b": 2, "c": 30 * 60}.get(name, 0)

def solve(text):
    return [Shop().price(letter) for letter in text]
"""
ONLY_LINE = """
def solve(text):
    for letter in text:
        signs = {"a", "b", "c"}
    return [letter in signs for letter in text] if text else []
"""


class TestContract(RuleContract):
    rule = ConstantTable
    slow = dedented(SLOW)


def test_a_table_is_made_beside_the_function() -> None:
    assert rewritten(ConstantTable(), SLOW) == [dedented(AFTER)]


def test_one_without_a_name_is_called_after_its_function() -> None:
    (found,) = rewritten(ConstantTable(), UNNAMED)
    assert found.startswith('PRICE_TABLE = {"a": 1, "b": 2, "c": 30 * 60}\n')
    assert "        return PRICE_TABLE.get(name, 0)\n" in found


def test_a_block_keeps_its_only_line() -> None:
    (found,) = rewritten(ConstantTable(), ONLY_LINE)
    assert "    for letter in text:\n        signs = SIGNS\n" in found


@given(st.text("abcd", max_size=9))
@pytest.mark.parametrize("text", [SLOW, UNNAMED, ONLY_LINE])
def test_answers_are_the_same(text: str, letters: str) -> None:
    assert_equivalent(ConstantTable(), text, letters)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return out", "return signs", id="handed-back"),
        pytest.param("return out", "signs['d'] = 1\n    return out", id="grows"),
        pytest.param("return out", "signs.clear()\n    return out", id="emptied"),
        pytest.param("out.append(signs[letter])", "out.append(signs)", id="kept"),
        pytest.param("None,", "[],", id="holds-a-list"),
        pytest.param("None,", "text,", id="of-the-call"),
        pytest.param("None,", "len('abc'),", id="a-call"),
        pytest.param("None,", "f'{text}',", id="a-text-that-is-filled-in"),
        pytest.param('"c": None,', "**{},", id="of-others"),
        pytest.param('"c": None,', "", id="short"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    text = SLOW.replace(old, new)
    assert text != SLOW
    assert rewritten(ConstantTable(), text) == []


@pytest.mark.parametrize(
    ("text", "new"),
    [
        pytest.param(
            "def solve(k):\n    count = {'a': 0, 'b': 1, 'c': 2}\n"
            "    return count[k], 'aab'.count(k)\n",
            "return COUNT[k], 'aab'.count(k)",
            id="an-attribute",
        ),
        pytest.param(
            "def solve(k):\n    key = {'a': 2, 'b': 1, 'c': 0}\n"
            "    return sorted(k, key=lambda x: key[x])\n",
            "sorted(k, key=lambda x: KEY[x])",
            id="a-keyword",
        ),
        pytest.param(
            "class Op:\n    def __str__(self):\n        return {1: 'a', 2: 'b', 3: 'c'}[1]\n"
            "def solve(k):\n    return str(Op())\n",
            "return STR_TABLE[1]",
            id="within-a-class",
        ),
    ],
)
def test_other_words_that_are_spelt_alike_stay(text: str, new: str) -> None:
    (found,) = rewritten(ConstantTable(), text)
    assert new in found
    assert_equivalent(ConstantTable(), text, "a")


def test_what_the_compiler_makes_once_stays() -> None:
    text = "def solve(x):\n    return x in {1, 2, 3, 4}\n"
    assert rewritten(ConstantTable(), text) == []
