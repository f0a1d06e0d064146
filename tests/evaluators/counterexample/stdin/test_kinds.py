"""What tokens have in common, column by column."""

from __future__ import annotations

import pytest

from evaluators.counterexample.stdin.kinds import Column


@pytest.mark.parametrize(
    ("tokens", "zeros", "highest"),
    [
        (["a7", "b10"], False, 10),
        (["a0", "b5"], False, 5),
        (["a07"], True, 7),
        (["a", "b"], False, -1),
    ],
)
def test_numbers_inside_words_may_begin_with_a_zero(
    tokens: list[str], zeros: bool, highest: int
) -> None:
    column = Column.of(tokens)
    assert (column.kind, column.zeros, column.highest) == (str, zeros, highest)
