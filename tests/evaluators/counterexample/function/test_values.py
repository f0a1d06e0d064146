"""Smaller values: large parts are left out first, and every element once."""

from __future__ import annotations

from typing import Any

import pytest

from evaluators.counterexample.function.values import keeps_of, weight


def test_halves_are_left_out_before_single_elements() -> None:
    assert ["".join("x" if keep else "-" for keep in keeps) for keeps in keeps_of(4)] == [
        "----",
        "--xx",
        "xx--",
        "-xxx",
        "x-xx",
        "xx-x",
        "xxx-",
    ]


def test_nothing_can_be_left_out_of_nothing() -> None:
    assert [*keeps_of(0)] == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        pytest.param("a0b", (4, 1), id="characters that are not the plainest"),
        pytest.param(["b", 5, -5], (5, 1 + 3 + 4), id="digits of all parts"),
        pytest.param({"key": 0.5}, (2, 1 + len("0.5")), id="values of a mapping"),
    ],
)
def test_weight_is_parts_and_characters_and_then_digits(
    value: Any, found: tuple[int, int]
) -> None:
    assert weight(value) == found
