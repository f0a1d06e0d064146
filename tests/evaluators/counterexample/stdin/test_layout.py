"""Layouts found in texts: what counts what, and what was not understood."""

from __future__ import annotations

import pytest

from evaluators.counterexample.stdin.layout import InputLayout, layout_of

COUNTED = ["2 m\na 5\nb -3\n", "0 cm\n", "3 m\nb 1\na 1\nc 4\n"]
TWO = ["1 2\nx y 3\nget x\nspan 1 2\n", "2 1\nx y 3\nz y 5\nget z\n", "0 0\n"] + [
    f"1 4\nx y {n}\nget x\nget z\nspan {n} 9\nspan 1 {n}\n" for n in range(1, 5)
]
WIDE = ["3\n4 5 6\n", "1\n9\n", "5\n1 1 2 3 5\n"]
OWN = ["2 7 8\n0\n", "1 4\n3 1 2 3\n2 0 0\n", "4 1 1 1 1\n"]
GROUPS = ["2\na 1\nx\nb 2\ny\nz\n", "1\nc 0\n", "3\na 0\nb 1\nx\nc 3\nx\nx\ny\n"]
WORDS = ["b|the sea\na|a salt lake\n", "", "a|sea\n\nb|of the lake or sea\n", "a|x y z\n"]
TREE = ["3\n1 2\n1 3\n", "2\n2 1\n", "5\n1 2\n2 3\n3 4\n4 5\n"]


def layout(texts: list[str]) -> InputLayout:
    found = layout_of(texts)
    assert found is not None
    return found


ALL = [
    pytest.param(COUNTED, id="counted-lines"),
    pytest.param(TWO, id="two-counts"),
    pytest.param(WIDE, id="counted-tokens"),
    pytest.param(OWN, id="counted-on-the-line"),
    pytest.param(GROUPS, id="groups"),
    pytest.param(WORDS, id="no-count"),
]


@pytest.mark.parametrize("texts", ALL)
def test_texts_are_read_and_written_as_they_were(texts: list[str]) -> None:
    found = layout(texts)
    assert found.understood
    for text in texts:
        document = found.read(text)
        assert document is not None
        assert found.write(document) == text
        assert found.admits(document)


@pytest.mark.parametrize(
    ("texts", "broken"),
    [
        pytest.param(COUNTED, "2 m\na 5\n", id="a-line-too-few"),
        pytest.param(COUNTED, "1 m\na 5\nb 1\n", id="a-line-too-many"),
        pytest.param(COUNTED, "1 m\na b\n", id="a-word-for-a-number"),
        pytest.param(TWO, "1 1\nget x\nx y 3\n", id="other-kinds"),
        pytest.param(WIDE, "3\n4 5\n", id="a-token-too-few"),
        pytest.param(OWN, "2 7\n", id="a-count-that-is-wrong"),
        pytest.param(GROUPS, "1\na 2\nx\n", id="a-group-too-short"),
    ],
)
def test_a_text_of_another_layout_is_not_read(texts: list[str], broken: str) -> None:
    assert layout(texts).read(broken) is None


@pytest.mark.parametrize(
    ("texts", "text", "section", "right"),
    [
        pytest.param(COUNTED, COUNTED[2], 1, "2 m\na 1\nc 4\n", id="lines"),
        pytest.param(GROUPS, GROUPS[2], 1, "2\nb 1\nx\nc 3\nx\nx\ny\n", id="groups"),
    ],
)
def test_counts_follow(texts: list[str], text: str, section: int, right: str) -> None:
    found = layout(texts)
    document = found.read(text)
    assert document is not None
    del document[section][0]
    assert found.write(found.settled(document)) == right


def test_columns_that_count_something_are_known() -> None:
    assert layout(COUNTED).counts == (frozenset({0}), frozenset())
    assert layout(TWO).counts[0] == frozenset({0, 1})


def test_a_length_that_may_be_a_function_of_numbers_is_not_understood() -> None:
    assert not layout(TREE).understood


def test_a_text_without_a_last_newline_gets_none() -> None:
    found = layout(["1 2 1", "4", "3 3 3 3"])
    document = found.read("1 2")
    assert document is not None
    assert found.write(document) == "1 2"
