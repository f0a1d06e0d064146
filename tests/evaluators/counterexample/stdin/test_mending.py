"""Texts are bent so that they keep what all texts kept, and lose nothing on the way."""

from __future__ import annotations

import pytest

from evaluators.counterexample.stdin.form import KnownInput, known_of

EDGES = ["3\n1 2\n2 3\n3 1\n", "4\n1 2\n2 1\n2 3\n3 2\n", "2\n1 3\n2 3\n"] * 4
GROUPS = [
    "2\n1 2\n5\n7\n2 1\n9\n",
    "1\n1 3\n4\n6\n8\n",
    "3\n1 1\n5\n2 2\n6\n7\n3 1\n2\n",
    "2\n1 1\n3\n2 3\n1\n2\n9\n",
]


def known(texts: list[str]) -> KnownInput:
    found = known_of(texts)
    assert found is not None
    return found


def test_ends_of_an_edge_that_always_differed_are_apart() -> None:
    assert known(EDGES).mending.ties.apart == {(1, 1, 0)}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2\n1 2\n7\n5\n2 1\n9\n", "2\n1 2\n5\n7\n2 1\n9\n"),
        ("2\n2 2\n5\n7\n1 1\n9\n", "2\n1 2\n5\n7\n2 1\n9\n"),
        ("2\n1 2\n5\n7\n2 1\n9\n", "2\n1 2\n5\n7\n2 1\n9\n"),
    ],
    ids=["rows", "groups", "nothing"],
)
def test_what_was_in_order_is_brought_in_order(text: str, right: str) -> None:
    found = known(GROUPS)
    document = found.layout.read(text)
    assert document is not None
    assert found.layout.write(found.mending.mended(document)) == right
