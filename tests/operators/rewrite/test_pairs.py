"""Tests of pairs, read as something to look up."""

from __future__ import annotations

import libcst as cst
import pytest

from operators.rewrite.pairs import PairQuestion, asked


@pytest.mark.parametrize(
    ("test", "question"),
    [
        ("k(a) == k(b)", PairQuestion("k(a)", ("k(b)",))),
        ("a + b == t", PairQuestion("a", ("t - b",), solved=True)),
        ("b + a == t", PairQuestion("a", ("t - b",), solved=True)),
        ("a - b == t", PairQuestion("a", ("t + b",), solved=True)),
        ("b - a == t", PairQuestion("a", ("b - (t)",), solved=True)),
        ("a ^ b == t", PairQuestion("a", ("b ^ (t)",))),
        ("a < b", PairQuestion("a", ("b",), "<")),
        ("b < a", PairQuestion("a", ("b",), ">")),
        ("a * b == t", None),
        ("a + a == b", PairQuestion("a + a", ("b",))),
        ("a + c == t", None),
    ],
)
def test_a_test_of_a_pair_is_a_look_up(test: str, question: PairQuestion | None) -> None:
    assert asked(cst.parse_expression(test), "a", "b") == question
