"""All prefixes, or endings, of a text are asked for in one call."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.rewrite.affix_tuple import AffixTuple
from tests.contracts.operator import RuleContract
from tests.operators.rewrite.cases import assert_equivalent, dedented, rewritten

SLOW = """
def solve(words, prefixes):
    return [word for word in words if any(word.startswith(p) for p in prefixes)]
"""
AFTER = """
def solve(words, prefixes):
    prefixes_tuple = tuple(prefixes)
    return [word for word in words if word.startswith(prefixes_tuple)]
"""
ONCE = """
def solve(words, prefixes):
    text = "".join(words)
    last = any([text.endswith(p) for p in prefixes])
    return last, any(text.startswith(p) for p in ("a", "b"))
"""


class TestContract(RuleContract):
    rule = AffixTuple
    slow = SLOW
    others = (ONCE,)


def test_the_tuple_is_made_before_the_loop() -> None:
    assert rewritten(AffixTuple(), SLOW) == [dedented(AFTER)]


def test_outside_of_loops_it_is_made_where_it_is_asked_for() -> None:
    first, second = rewritten(AffixTuple(), ONCE)
    assert "last = text.endswith(tuple(prefixes))\n" in first
    assert 'text.startswith(("a", "b"))\n' in second


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("any(", "all(", id="all"),
        pytest.param("def ", "def startswith(p): ...\n\ndef ", id="of-the-program"),
        pytest.param("startswith(p)", "startswith(p, 1)", id="from-elsewhere"),
        pytest.param("word.startswith(p)", "p.startswith(word)", id="the-other-way-round"),
        pytest.param("word.startswith(p)", "word.pop().startswith(p)", id="another-each-time"),
        pytest.param("for p in prefixes)", "for p in prefixes if p)", id="some-of-them"),
        pytest.param("for p in prefixes)", "for p in prefixes for _ in p)", id="two-loops"),
    ],
)
def test_must_not_fire(old: str, new: str) -> None:
    assert old in SLOW
    assert rewritten(AffixTuple(), SLOW.replace(old, new)) == []


texts = st.lists(st.text("ab", max_size=3), max_size=4)


@pytest.mark.parametrize("text", [SLOW, ONCE], ids=["loop", "once"])
@given(texts, texts)
def test_same_answers(text: str, words: list[str], prefixes: list[str]) -> None:
    assert_equivalent(AffixTuple(), text, words, prefixes)
