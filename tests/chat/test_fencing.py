"""Blocks of a prompt: whatever stands in one, it ends where we end it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.chat.fencing import capped, fenced, guarded, printable, unguarded

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
TEXTS = st.one_of(st.text(max_size=80), st.text(alphabet="`~\n #<|x\r\x00\u2028", max_size=60))


@pytest.mark.tier("runs")
@given(TEXTS)
def test_nothing_inside_closes_the_fence(text: str) -> None:
    first, *inside, last = fenced(text, "python").split("\n")
    assert first == f"{last}python"
    assert set(last) == {"`"}
    assert not any(last in line for line in inside)


@given(TEXTS)
def test_nothing_hides_or_looks_like_the_marker_of_a_turn(text: str) -> None:
    shown = printable(text)
    assert "<|" not in shown
    assert not any(unicodedata.category(c) in HIDDEN for c in shown if c not in "\n\t")


@given(TEXTS | st.text(alphabet="<|\\a", max_size=30))
def test_code_is_without_markers_of_turns_and_comes_back(text: str) -> None:
    shown = guarded(text)
    assert "<|" not in shown
    assert unguarded(shown) == text
    assert (shown == text) is (unguarded(text) == text and "<|" not in text)


@pytest.mark.parametrize("text", ["x = 1", "def f():\n\treturn 'ñ < 3'\n\n\nf()", "a\n```\n"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert f"\n{text}" in fenced(text)


@given(st.text(max_size=300), st.integers(1, 60))
def test_a_long_text_keeps_both_ends_and_says_what_is_missing(text: str, limit: int) -> None:
    short = capped(text, limit)
    if len(text) <= limit:
        assert short == text
    else:
        first, _, rest = short.partition("\n[... ")
        number, _, last = rest.partition(" characters are left out here ...]\n")
        assert (text.startswith(first), text.endswith(last)) == (True, True)
        assert len(first) + int(number) + len(last) == len(text)
