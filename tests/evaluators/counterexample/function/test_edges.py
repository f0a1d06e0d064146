"""Inputs at the edge of those seen: which ones, and that nothing in them is drawn."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.counterexample.function.edges import MOST, constants, edges
from evaluators.counterexample.function.shape import shape_of

NESTED = st.recursive(
    st.integers(-9, 99) | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("k"), inner, max_size=2)
    ),
    max_leaves=8,
)


def around(*seen: tuple[Any, ...], program: str = "") -> list[tuple[Any, ...]]:
    return [*edges(seen, shape_of(seen), program)]


def test_small_numbers_both_ends_and_one_beyond_are_asked() -> None:
    found = {n for (n,) in around((20,), (40,), (99,))}
    assert {0, 1, -1, 2, 19, 20, 99, 100} <= found


def test_numbers_of_the_program_are_asked_with_their_neighbours() -> None:
    found = {n for (n,) in around((20,), program="def f(n):\n    return n > 5000\n")}
    assert {4999, 5000, 5001} <= found


def test_each_number_of_a_record_and_one_of_a_list_is_changed() -> None:
    found = around(([7, 8, 9], 5), ([7, 8, 8], 6))
    assert ([0, 8, 9], 5) in found
    assert ([7, 8, 9], 0) in found
    assert not any(xs[1:2] == [0] for xs, _ in found)


def test_containers_are_emptied_and_cut_to_one_element() -> None:
    found = around(([7, 8], "ab"), ([7, 9], "ba"))
    for one in (([], "ab"), ([7], "ab"), ([7, 8], ""), ([7, 8], "a")):
        assert one in found


def test_numbers_of_the_program_are_asked_as_lengths() -> None:
    program = "def f(xs):\n    return xs if len(xs) <= 500 else []\n"
    lengths = {len(xs) for (xs,) in around(([7, 8],), (["a"] * 9,), program=program)}
    assert {500, 501} <= lengths
    assert {500, 501} <= {len(text) for (text,) in around(("ab",), program=program)}
    assert not any(len(xs) > 2 for (xs,) in around(([7, 8],), program="x = 70_000"))


def test_of_a_small_range_all_numbers_are_asked() -> None:
    assert {n for (n,) in around((2,), (40,), (98,))} >= set(range(259))
    assert len(around((2,), (10**6,))) < 30
    assert len(around((2, 2), (98, 98))) < 60


def test_texts_of_the_program_are_asked() -> None:
    program = "def f(s, names):\n    return s == 'root' or 'abba' in names\n"
    found = around(("x", ["y", "z"]), program=program)
    assert ("root", ["y", "z"]) in found
    assert ("x", ["abba", "z"]) in found
    assert ("xroot", ["y", "z"]) in found


def test_a_text_begins_with_a_letter_of_the_other_case_and_of_other_kinds() -> None:
    found = {text for text, _ in around(("ab", ["cd", "ef"]), ("ba", ["dc", "fe"]))}
    assert {"Ab", "zb", "0b", " b", "-b", "\xe9b"} <= found
    assert ("ab", ["Cd", "ef"]) in around(("ab", ["cd", "ef"]))


@pytest.mark.tier("hunts")
@given(st.lists(st.tuples(NESTED, NESTED), max_size=5))
def test_they_are_few_each_once_and_the_same_each_time(seen: list[tuple[Any, ...]]) -> None:
    found = around(*seen, program="x = 77")
    assert len(found) <= MOST
    assert len({repr(one) for one in found}) == len(found)
    assert found == around(*seen, program="x = 77")


@pytest.mark.parametrize(
    ("program", "numbers"),
    [
        pytest.param("x = 3", (), id="small-ones-are-tried-anyway"),
        pytest.param("x = 90 + 12 * 90", (12, 90), id="each-once"),
        pytest.param("x = 10**9 + 1000000007", (9, 10), id="too-large"),
        pytest.param("x = True + 7.5", (), id="no-whole-numbers"),
        pytest.param("x = (", (), id="no-program"),
    ],
)
def test_numbers_of_a_program(program: str, numbers: tuple[int, ...]) -> None:
    assert constants(program) == numbers
