"""Evidence: what is easy to guess is worth little, what is not, more than the choice."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.known_functions.evidence import (
    MARGIN,
    constant_bits,
    evidence,
    flat,
    needed_bits,
)
from operators.known_functions.seen import Seen, comparable
from tests.operators.known_functions.watching import watched

RANDOM = Random(0)
LISTS = [([RANDOM.randrange(100) for _ in range(8)],) for _ in range(30)]
NUMBERS = [(n,) for n in range(30)]
SPREAD = [(n * n + n % 7,) for n in range(20)]
LIBRARY = needed_bits(20_000)
"""Bits asked where a thousand functions are compared, as in a run."""


def bits(function: Callable[..., Any], inputs: list[tuple[Any, ...]]) -> float:
    return evidence(comparable(watched(function, inputs)))


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        pytest.param(list, LISTS, id="a-copy"),
        pytest.param(tuple, LISTS, id="a-copy-of-another-kind"),
        pytest.param(lambda xs: [x for x in xs if x >= 0], LISTS, id="a-filter-of-nothing"),
        pytest.param(len, LISTS, id="the-length"),
        pytest.param(lambda xs: xs[-1], LISTS, id="the-last"),
        pytest.param(lambda xs: 7, LISTS, id="always-the-same"),
        pytest.param(lambda xs: xs[0] == 50, LISTS, id="always-no"),
        pytest.param(lambda n: n % 2 == 0, NUMBERS[:12], id="a-few-times-yes-or-no"),
        pytest.param(lambda n: n // 2, [(n,) for n in range(14)], id="half-the-argument"),
    ],
)
def test_what_anyone_would_guess_is_no_evidence(
    function: Callable[..., Any], inputs: list[tuple[Any, ...]]
) -> None:
    assert bits(function, inputs) < LIBRARY


@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        pytest.param(sorted, LISTS, id="in-order"),
        pytest.param(sum, LISTS, id="a-sum"),
        pytest.param(lambda xs: xs[::-1], LISTS, id="reversed"),
        pytest.param(lambda xs: [x for x in xs if x % 2], LISTS, id="a-filter"),
        pytest.param(lambda n: n * (n * n + 5) // 6, NUMBERS, id="a-polynomial"),
        pytest.param(lambda n: n * (n + 1) // 2, SPREAD, id="a-sum-up-to"),
        pytest.param(lambda n: math.comb(2 * n, n) // (n + 1), NUMBERS, id="catalan"),
        pytest.param(lambda n: n % 3 == 0, [(n,) for n in range(60)], id="often-yes-or-no"),
        pytest.param(lambda t: t.upper()[::-1], [(f"ab{n}cd",) for n in range(20)], id="text"),
    ],
)
def test_what_nobody_would_guess_is_evidence(
    function: Callable[..., Any], inputs: list[tuple[Any, ...]]
) -> None:
    assert bits(function, inputs) > LIBRARY


@given(st.lists(st.tuples(st.integers(), st.booleans()), min_size=1, max_size=40))
def test_yes_or_no_is_worth_a_bit_each_at_most(answers: list[tuple[int, bool]]) -> None:
    calls = [Seen((number,), answer) for number, answer in answers]
    assert evidence(calls) <= 2 * len(calls)


@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=2, max_size=30))
def test_results_that_come_again_are_worth_less(answers: list[tuple[int, int]]) -> None:
    apart = [Seen((number,), f"{answer} {at}") for at, (number, answer) in enumerate(answers)]
    same = [Seen((number,), "0 0") for number, _ in answers]
    assert evidence(same) <= evidence(apart)


@given(st.integers(1, 10**6))
def test_twice_as_many_guesses_ask_for_a_bit_more(guesses: int) -> None:
    assert needed_bits(2 * guesses) == pytest.approx(needed_bits(guesses) + 1)
    assert needed_bits(guesses) >= MARGIN


def test_a_large_constant_takes_more_bits_than_a_small_one() -> None:
    assert constant_bits(1) < constant_bits(1000) < constant_bits("a thousand letters")


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(lambda n: deque([n, 7]), id="deque"),
        pytest.param(lambda n: bytearray([n, 7]), id="bytearray"),
        pytest.param(lambda n: [deque([n]), {n: bytearray([n])}], id="within"),
        pytest.param(lambda n: [math.nan, 10**400 + n], id="numbers"),
    ],
)
def test_values_without_a_hash_are_weighed_too(odd: Callable[[int], Any]) -> None:
    calls = [Seen((odd(n), n), [odd(n * n % 13), n * n * 37 % 101]) for n in range(30)]
    assert math.isfinite(evidence(calls))


def test_kinds_of_sequences_are_one_but_yes_is_no_number() -> None:
    assert flat([1, (2, {3})]) == flat((1, [2, frozenset([3])]))
    assert flat(1) == flat(1.0) != flat(True)
    assert flat([1]) != flat([True])
    assert flat(["1"]) != flat([1])


def test_a_number_that_nobody_would_guess_is_worth_as_much_at_the_end_as_alone() -> None:
    surprising = Seen((4,), 10**12 + 7)
    alone = evidence([surprising])
    assert alone > 8
    assert evidence([Seen((3,), 4), surprising]) >= alone
