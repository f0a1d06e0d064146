"""Calls of known functions have an end, and what came of them is asked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.known_functions.bounded import Bounded, KnownResults, Silence
from operators.known_functions.library import library
from operators.known_functions.matching import matches_among
from tests.operators.known_functions.watching import watched


def counting(called: list[Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        called.append(value)
        return then(value)

    return function


def test_what_needs_too_much_memory_is_not_called_again() -> None:
    called: list[int] = []

    def greedy(n: int) -> int:
        called.append(n)
        raise MemoryError

    bounded = Bounded(greedy, KnownResults())
    assert [bounded([n]) for n in (1, 2, 3)] == [Silence.LONG] * 3
    assert called == [1]


@pytest.mark.parametrize("result", [7, "text", None, True, 1.5, [1, "a"]], ids=repr)
def test_a_plain_result_is_remembered(result: Any) -> None:
    called: list[Any] = []
    function, remembered = counting(called, lambda _: result), KnownResults()
    for _ in range(2):
        assert Bounded(function, remembered)([3]) == result
    assert called == [3]


def test_a_list_that_was_remembered_is_a_copy() -> None:
    function, remembered = counting([], lambda _: [1, 2]), KnownResults()
    for _ in range(3):
        found = Bounded(function, remembered)([3])
        assert found == [1, 2]
        found.append(3)


@pytest.mark.parametrize("result", [[[1]], {1: 2}, {1}, (1, [2])], ids=repr)
def test_what_could_be_changed_within_is_worked_out_anew(result: Any) -> None:
    called: list[Any] = []
    function, remembered = counting(called, lambda _: result), KnownResults()
    for _ in range(2):
        assert Bounded(function, remembered)([3]) == result
    assert called == [3, 3]


def test_arguments_of_another_type_are_others() -> None:
    remembered = KnownResults()
    found = [Bounded(type, remembered)([one]) for one in (1, True, 1.0)]
    assert found == [int, bool, float]


def test_lines_are_charged_for_what_was_remembered() -> None:
    def endless(n: int) -> int:
        while True:
            n += 1

    remembered = KnownResults()
    for _ in range(2):
        bounded = Bounded(endless, remembered)
        assert [bounded([n]) for n in range(20)] == [Silence.LONG] * 20


@pytest.mark.tier("library")
@settings(max_examples=30)  # each compares 27 times with all of these functions
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8, unique=True))
def test_matches_are_the_same_with_what_was_remembered(numbers: list[int]) -> None:
    known, remembered = [*library().values()][::12], KnownResults()
    for constants in ((), (5, 2), (5, 3)):
        for function in (lambda n: n * (n + 1) // 2, lambda n: n % 2 == 0, lambda n: [n] * 3):
            calls = watched(function, [(n,) for n in numbers])
            afresh = [*matches_among(known, calls, constants)]
            assert [*matches_among(known, calls, constants, remembered)] == afresh
            assert [*matches_among(known, calls, constants, remembered)] == afresh
